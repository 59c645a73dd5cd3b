"""Reading move texts (CONVENTIONS.md, section 3): a verb and its arguments, separated by single spaces."""


def words(text: str) -> list[str] | None:
    """The words of a move, or None if it is not spaced as it must be."""
    found = text.split(" ")
    return None if "" in found else found
