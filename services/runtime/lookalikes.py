"""Text as the eye reads it: which letters look like which, by Unicode's table of confusable characters (UTS
39).

For what must be unique to a reader (nicknames) and for what must be found however it is spelled (the language
filter).
"""

import unicodedata
from functools import lru_cache

from confusable_homoglyphs.confusables import confusables_data

# Digits and letters that some typefaces draw alike; UTS 39 knows them too, and more than that would merge
# honest names.
_SAME = str.maketrans({"0": "o", "O": "o", "1": "l", "I": "l", "|": "l"})


def letters(text: str) -> str:
    """The text in lower case, without accents, foreign look-alikes written in ASCII: `Мàrio` (with a Cyrillic
    М) is `mario`."""
    return "".join(map(_letter, unicodedata.normalize("NFKC", text)))


def skeleton(text: str) -> str:
    """What the eye keeps of the text as it is written: `letters` without separators, and 0/O, 1/l/I, rn/m,
    vv/w as one.

    Two texts that look alike have the same skeleton. `Ila` has that of `lla`: compare what is written in one
    case too.
    """
    seen = letters(text.translate(_SAME))
    return "".join(filter(str.isalnum, seen)).replace("rn", "m").replace("vv", "w")


@lru_cache(maxsize=8192)
def _letter(char: str) -> str:
    base = _without_marks(char)
    if base.isascii():
        return base.lower()
    for found in confusables_data.get(char, ()):
        look = _without_marks(found["c"])
        if look.isascii() and look.isalnum():
            return look.lower()
    return _without_marks(_prototype(char)).casefold()


def _prototype(char: str) -> str:
    """The character that stands for all that look like `char`; the table links each of them with it, in both
    directions."""
    alike: list[str] = [found["c"] for found in confusables_data.get(char, ())]
    if len(alike) != 1:
        return char
    return alike[0] if len(confusables_data.get(alike[0], ())) > 1 else min(char, alike[0])


def _without_marks(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))
