"""Tidy text: nothing invisible, nothing that turns others' lines around, no walls of one letter."""

import re
import unicodedata

from tavolo.common.v1 import error_pb2

from services.runtime.errors import TavoloError

MOST = 300

# Controls, formats (zero width, direction marks), private and unassigned characters.
_DROPPED = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
# Letters and symbols that look like nothing at all.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SPACE = re.compile(r"\s+")
_REPEATED = re.compile(r"([^\d\s])\1{3,}")
_STACKED_MARKS = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{2})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def clean(text: str) -> str:
    """The text as it may be shown: NFC, one line, one space at a time, at most three times the same
    character.

    Raises MESSAGE_REFUSED if nothing is left, or more than 300 characters.
    """
    one_line = _SPACE.sub(" ", text)
    visible = "".join(filter(_is_visible, unicodedata.normalize("NFC", one_line)))
    tidy = _SPACE.sub(" ", _STACKED_MARKS.sub(r"\1", _REPEATED.sub(r"\1\1\1", visible))).strip()
    if not tidy:
        raise _refused("there is nothing to read in this message")
    if len(tidy) > MOST:
        raise _refused(f"a message has at most {MOST} characters; this one has {len(tidy)}")
    return tidy


def _is_visible(char: str) -> bool:
    return char not in _BLANK and unicodedata.category(char) not in _DROPPED


def _refused(text: str) -> TavoloError:
    return TavoloError(error_pb2.ERROR_REASON_MESSAGE_REFUSED, text, "text")
