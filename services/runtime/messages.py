"""A message as a stream holds it."""

from collections.abc import Iterable, Mapping


class StoredMessage:
    """One stored message."""

    __slots__ = ("data", "headers", "sequence", "subject")

    def __init__(self, subject: str, sequence: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.subject = subject
        self.sequence = sequence
        self.data = data
        self.headers = headers

    def __repr__(self) -> str:
        return f"StoredMessage({self.subject!r}, {self.sequence}, {len(self.data)} bytes)"

    @property
    def seq(self) -> int:
        """The sequence in the stream."""
        return self.sequence

    def header(self, name: str) -> str | None:
        """One header; None if it is not there."""
        return self.headers.get(name)


def read_headers(block: bytes) -> dict[str, str]:
    """The headers of a block as JetStream's API returns it (`NATS/1.0`, then a line each)."""
    return read_lines(block.decode("utf-8", "replace").split("\r\n")[1:])


def read_lines(lines: Iterable[str]) -> dict[str, str]:
    """The headers of lines `Name: value`; other lines are passed over."""
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            found[name] = value.strip()
    return found
