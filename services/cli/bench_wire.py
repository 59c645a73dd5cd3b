"""The connections of the load generator.

As little code per frame as can be, so that the bench measures the cluster.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Any, Protocol, cast

import grpc

PROTOCOL = "tavolo.v1.proto"
_BINARY, _CLOSE, _PING, _PONG = 0x82, 0x88, 0x89, 0x8A
_MASKED = 0x80
_NO_MASK = b"\0\0\0\0"  # a client must mask; a key of zeros leaves the bytes as they are

Take = Callable[[bytes], None]


class Wire(Protocol):
    """A connection to the gateway.

    Whole ConnectRequest frames out, whole ConnectResponse frames to `take`.
    """

    def send(self, frame: bytes) -> None: ...

    def close(self) -> None: ...


class WebSocketWire(asyncio.Protocol):
    """A WebSocket client (RFC 6455) for whole binary messages."""

    def __init__(self, host: str, take: Take, lost: Callable[[], None]) -> None:
        self._host = host
        self._take = take
        self._lost = lost
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(cls, address: str, take: Take, lost: Callable[[], None]) -> "WebSocketWire":
        """Connects to `ws://address/ws`. ConnectionError: the gateway did not upgrade."""
        host, _, port = address.rpartition(":")
        _, wire = await asyncio.get_running_loop().create_connection(
            lambda: cls(address, take, lost), host, int(port)
        )
        await wire.opened
        return wire

    def send(self, frame: bytes) -> None:
        if self._transport is not None:
            self._transport.write(_header(_BINARY, len(frame)) + frame)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.write(_header(_CLOSE, 0))
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {PROTOCOL}\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the gateway ended the connection"))
        else:
            self._lost()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self.opened.done():
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(
                    ConnectionError(head.partition(b"\r\n")[0].decode(errors="replace"))
                )
                return
            self.opened.set_result(None)
        at = 0
        size = len(buffer)
        while size - at >= 2:
            start, length = at + 2, buffer[at + 1]
            if length >= 126:
                wide = 2 if length == 126 else 8
                start += wide
                length = int.from_bytes(buffer[at + 2 : start], "big")
            if start > size or start + length > size:
                break
            self._frame(buffer[at], buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == _BINARY:
            self._take(payload)
        elif kind == _PING and self._transport is not None:
            self._transport.write(_header(_PONG, len(payload)) + payload)
        elif kind == _CLOSE and self._transport is not None:
            self._transport.close()


def _header(kind: int, length: int) -> bytes:
    """The header of a client's frame, with its mask."""
    if length < 126:
        return bytes((kind, _MASKED | length)) + _NO_MASK
    if length < 1 << 16:
        return bytes((kind, _MASKED | 126)) + length.to_bytes(2, "big") + _NO_MASK
    return bytes((kind, _MASKED | 127)) + length.to_bytes(8, "big") + _NO_MASK


class GrpcWire:
    """A Connect stream without parsing; what waits when a write returns goes out next."""

    def __init__(self, channel: grpc.aio.Channel, take: Take, lost: Callable[[], None]) -> None:
        self._stream: Any = channel.stream_stream("/tavolo.gateway.v1.GatewayService/Connect")()
        self._waiting: list[bytes] = []
        self._work = asyncio.Event()
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read(take, lost))]

    def send(self, frame: bytes) -> None:
        self._waiting.append(frame)
        self._work.set()

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._stream.cancel()

    async def _write(self) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            # Frames that follow one another are one frame: their repeated messages add up.
            frame, self._waiting = b"".join(self._waiting), []
            await self._stream.write(frame)

    async def _read(self, take: Take, lost: Callable[[], None]) -> None:
        try:
            async for frame in self._stream:
                take(frame)
        except grpc.aio.AioRpcError:
            lost()
