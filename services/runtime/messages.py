"""A message as a stream holds it."""

from services.runtime.wire import parse_headers


class StoredMessage:
    """One stored message. `header_block` is as it travels; `headers` reads it whole, `header` one value of it
    cheaply."""

    __slots__ = ("data", "header_block", "sequence", "subject")

    def __init__(self, subject: str, sequence: int, data: bytes, header_block: bytes) -> None:
        self.subject = subject
        self.sequence = sequence
        self.data = data
        self.header_block = header_block

    def __repr__(self) -> str:
        return f"StoredMessage({self.subject!r}, {self.sequence}, {len(self.data)} bytes)"

    @property
    def seq(self) -> int:
        """The sequence in the stream."""
        return self.sequence

    @property
    def headers(self) -> dict[str, str]:
        """All headers."""
        return parse_headers(self.header_block) if self.header_block else {}

    def header(self, name: str) -> str | None:
        """One header; None if it is not there."""
        mark = f"\r\n{name}: ".encode()
        at = self.header_block.find(mark)
        if at < 0:
            return None
        at += len(mark)
        return self.header_block[at : self.header_block.find(b"\r\n", at)].decode()
