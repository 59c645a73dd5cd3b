"""Finds the faces of cards in any message: every string of it, JSON texts too, is taken apart."""

import re
from collections.abc import Iterator

from google.protobuf.message import Message

from tests.security.knowledge import DECK

_FACES = frozenset(DECK)
_WORD = re.compile(r"[A-Za-z0-9_]+")


def words_in(text: str) -> list[str]:
    """The words of a text: what stands between its quotes, spaces and signs."""
    return _WORD.findall(text)


def faces_in(message: Message) -> frozenset[str]:
    """All faces that stand in the message as words of their own."""
    return frozenset(word for text in strings_in(message) for word in words_in(text) if word in _FACES)


def strings_in(message: Message) -> Iterator[str]:
    """Every string in the message, whatever its depth. Bytes are left out: they are hashes and salts."""
    for descriptor, value in message.ListFields():
        values = value if descriptor.is_repeated else [value]
        for item in values:
            if isinstance(item, Message):
                yield from strings_in(item)
            elif isinstance(item, str):
                yield item
