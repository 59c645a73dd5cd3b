"""The facts in the headers of a log message."""

from typing import NamedTuple

from services.runtime.messages import StoredMessage


class Fact(NamedTuple):
    """A table after an entry of its log. left_ms: until time alone may change it; None = nothing runs."""

    table: str
    version: int
    left_ms: int | None


def read(message: StoredMessage) -> Fact:
    """ValueError: not the message of a log."""
    headers = message.headers
    version, left_ms = headers.get("Tavolo-Version"), headers.get("Tavolo-Left-Ms")
    if version is None:
        raise ValueError(f"a log message without a version: {message.subject} {message.sequence}")
    table = message.subject.rpartition(".")[2]
    return Fact(table, int(version), None if left_ms is None else int(left_ms))
