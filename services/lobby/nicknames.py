"""What a nickname may be, and when two of them look alike.

3-20 characters: letters, digits, space, full stop, underscore, hyphen, apostrophe. It may not imitate the
house nor insult.
"""

import re
import unicodedata

from tavolo.common.v1 import error_pb2

from services.runtime.errors import TavoloError
from services.runtime.language import find
from services.runtime.lookalikes import letters, skeleton

LEAST, MOST = 3, 20

_SEPARATORS = " ._-'"
# The house speaks under these names; alone, or beside other words or digits, nobody else may.
_STAFF = frozenset(
    [
        "admin",
        "administrator",
        "amministratore",
        "amministrazione",
        "arbitra",
        "arbitro",
        "assistenza",
        "banco",
        "bot",
        "computer",
        "croupier",
        "direttore",
        "director",
        "house",
        "mod",
        "moderator",
        "moderatore",
        "moderatrice",
        "operator",
        "operatore",
        "root",
        "sistema",
        "staff",
        "support",
        "supporto",
        "sysadmin",
        "system",
        "tavolo",
        "tavoloadmin",
        "tavolostaff",
        "webmaster",
    ]
)

_LEET = str.maketrans({"3": "e", "4": "a", "5": "s", "7": "t"})
_WORD = re.compile(r"[^\s._'\-]+")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")


def read(text: str) -> str:
    """The nickname as it is kept: NFKC, no spaces around, one where several are. Raises NICKNAME_REFUSED."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not LEAST <= len(name) <= MOST:
        raise _refused(f"a nickname has {LEAST} to {MOST} characters")
    for char in name:
        if (
            char not in _SEPARATORS
            and unicodedata.category(char)[0] != "L"
            and unicodedata.category(char) != "Nd"
        ):
            raise _refused("a nickname is made of letters, digits, spaces and . _ - '")
    if sum(map(str.isalnum, name)) < LEAST - 1:
        raise _refused("a nickname needs letters or digits")
    if _is_staff(name):
        raise _refused("this nickname could be taken for the staff's: choose another")
    if _is_coarse(name):
        raise _refused("this nickname is not acceptable: choose another")
    return name


def keys(name: str) -> list[str]:
    """What the nickname looks like as written, in small and in capital letters, ascending. Names that share
    one look alike.
    """
    return sorted({skeleton(name), skeleton(name.lower()), skeleton(name.upper())})


def key(typed: str) -> str:
    """The one of its `keys` by which an account is found, whatever the case that its nickname is typed in."""
    return skeleton(typed[: 4 * MOST].upper())


def taken() -> TavoloError:
    """NICKNAME_TAKEN."""
    return TavoloError(
        error_pb2.ERROR_REASON_NICKNAME_TAKEN,
        "this nickname, or one that looks like it, is taken: choose another",
        "nickname",
    )


def _refused(text: str) -> TavoloError:
    return TavoloError(error_pb2.ERROR_REASON_NICKNAME_REFUSED, text, "nickname")


_STAFF_KEYS = frozenset(key for word in _STAFF for key in keys(word))
# So long that they say who is meant also inside of a longer word.
_STAFF_ANYWHERE = frozenset(key for key in _STAFF_KEYS if len(key) >= 9)


def _is_staff(name: str) -> bool:
    for form in (name, name.translate(_LEET)):
        words = _WORD.findall(form) + _CAMEL.split(form)
        looks = {
            key
            for word in (form, *words, *(word.strip("0123456789") for word in words))
            for key in keys(word)
        }
        if looks & _STAFF_KEYS or any(long in key for key in keys(form) for long in _STAFF_ANYWHERE):
            return True
    return False


def _is_coarse(name: str) -> bool:
    readings = (name, _CAMEL.sub(" ", name), "".join(filter(str.isalnum, letters(name))))
    return any(find(reading) for reading in readings)
