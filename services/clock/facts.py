"""The facts of a log message's headers, read by hand: this process sees every move of the room."""

from typing import NamedTuple

from services.runtime.messages import StoredMessage

_VERSION = b"\r\nTavolo-Version: "
_LEFT_MS = b"\r\nTavolo-Left-Ms: "


class Fact(NamedTuple):
    """A table after an entry of its log. left_ms: until time alone may change it; None = nothing runs."""

    table: str
    version: int
    left_ms: int | None


def read(message: StoredMessage) -> Fact:
    """ValueError: not the message of a log."""
    table = message.subject.rpartition(".")[2]
    block = message.header_block
    version = _number(block, _VERSION)
    if version is None:
        raise ValueError(f"a log message without a version: {message.subject} {message.sequence}")
    return Fact(table, version, _number(block, _LEFT_MS))


def _number(block: bytes, mark: bytes) -> int | None:
    at = block.find(mark)
    if at < 0:
        return None
    at += len(mark)
    return int(block[at : block.find(b"\r\n", at)])
