"""Reading move texts (CONVENTIONS.md, section 3): a verb and its arguments, separated by single spaces."""

_MOST_DIGITS = 1000


def words(text: str) -> list[str] | None:
    """The words of a move, or None if it is not spaced as it must be."""
    found = text.split(" ")
    return None if "" in found else found


def amount(word: str) -> int | None:
    """The number that a word is, or None: digits only, no sign, no leading zero."""
    if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
        return None
    return int(word) if word == "0" or word[0] != "0" else None
