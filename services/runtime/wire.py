"""The NATS connection of what is on a move's path: appends, views, facts.

`nats-py` runs a task and a queue a subscription, parses headers into dicts, and keeps what is published while
it is disconnected to send it later (OPERATIONS.md, finding 2). Here messages go straight from the socket to a
plain function, headers stay bytes, writes of one turn of the event loop go out together, and nothing is ever
kept: without a connection a publish fails at once.

Protocol: NATS client protocol (INFO, CONNECT, PUB, HPUB, SUB, UNSUB, MSG, HMSG, PING, PONG, +OK, -ERR).
"""

import asyncio
import json
import random
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from services.runtime.logs import Secret, logger

# (subject, reply or b"", header block or b"", payload)
Receive = Callable[[bytes, bytes, bytes, bytes], None]

_CONNECT_S = 3.0
_RECONNECT_LEAST_S = 0.05
_RECONNECT_MOST_S = 1.0
_PING_S = 2.0
_UNANSWERED_PINGS = 2
# Bytes that may wait for the socket before publishing is refused.
_MOST_WAITING = 16 * 1024 * 1024
HEADER_LINE = b"NATS/1.0\r\n"


class NotConnected(Exception):
    """There is no connection to NATS now, or it takes no more: nothing was sent."""


class Refused(Exception):
    """NATS refuses the connection for good: user or password are wrong."""


@dataclass(frozen=True, slots=True)
class Access:
    """Where the servers are and as whom to connect. tls: a context that checks the servers, or None."""

    servers: tuple[str, ...]
    name: str
    user: str = ""
    password: Secret = Secret("")
    tls: ssl.SSLContext | None = None


class Wire:
    """One connection that is kept up: it reconnects for ever and takes its subscriptions with it."""

    def __init__(self, access: Access, on_state: Callable[[bool], None]) -> None:
        self._access = access
        self._on_state = on_state
        self._connection: _Connection | None = None
        self._subscriptions: dict[bytes, tuple[bytes, Receive]] = {}
        self._next_sid = 1
        self._keeper: asyncio.Task[None] | None = None
        self.reconnects = 0

    @property
    def connected(self) -> bool:
        """Whether something that is published now can reach the server."""
        return self._connection is not None

    async def start(self) -> None:
        """Connects. Raises OSError or TimeoutError when no server can be reached, Refused for wrong
        credentials."""
        lost = await self._connect()
        self._keeper = asyncio.create_task(self._keep(lost), name="wire")

    async def stop(self) -> None:
        """Sends what waits and closes."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()

    def publish(self, subject: str, payload: bytes, reply: str = "", headers: bytes = b"") -> None:
        """Publishes; `headers` is a whole header block (`header_block`) or empty. Raises NotConnected:
        nothing was sent."""
        connection = self._connection
        if connection is None or connection.waiting > _MOST_WAITING:
            raise NotConnected
        place = f"{subject} {reply}" if reply else subject
        if headers:
            size = len(headers)
            connection.send(
                b"HPUB %b %d %d\r\n%b%b\r\n" % (place.encode(), size, size + len(payload), headers, payload)
            )
        else:
            connection.send(b"PUB %b %d\r\n%b\r\n" % (place.encode(), len(payload), payload))

    def subscribe(self, subject: str, receive: Receive) -> bytes:
        """Calls `receive` for each message of the subject, in order, now and after every reconnect; the
        subscription's handle.

        `receive` must be quick and must not raise: it runs inside the reading of the socket.
        """
        sid = b"%d" % self._next_sid
        self._next_sid += 1
        self._subscriptions[sid] = (subject.encode(), receive)
        if self._connection is not None:
            self._connection.send(b"SUB %b %b\r\n" % (subject.encode(), sid))
        return sid

    def unsubscribe(self, sid: bytes) -> None:
        """Ends a subscription; messages that are under way are dropped."""
        if self._subscriptions.pop(sid, None) is not None and self._connection is not None:
            self._connection.send(b"UNSUB %b\r\n" % sid)

    async def _connect(self) -> asyncio.Future[None]:
        """Tries each server once; the future that is done when the connection is lost."""
        problem: Exception = OSError("no NATS server is named")
        for server in random.sample(self._access.servers, len(self._access.servers)):
            try:
                connection = await asyncio.wait_for(
                    _open(server, self._access, self._subscriptions), _CONNECT_S
                )
            except (OSError, TimeoutError) as error:
                problem = error
                continue
            for sid, (subject, _) in self._subscriptions.items():
                connection.send(b"SUB %b %b\r\n" % (subject, sid))
            self._connection = connection
            self._on_state(True)
            return connection.lost
        raise problem

    async def _keep(self, lost: asyncio.Future[None]) -> None:
        while True:
            await asyncio.wait([lost])  # which, unlike awaiting it, does not cancel it with this task
            self._connection = None
            self._on_state(False)
            wait = _RECONNECT_LEAST_S
            while self._connection is None:
                await asyncio.sleep(random.uniform(wait / 2, wait))  # noqa: S311 - jitter, no secret
                wait = min(wait * 2, _RECONNECT_MOST_S)
                try:
                    lost = await self._connect()
                except (OSError, TimeoutError, Refused) as error:
                    logger().debug("bus_not_reached", error=repr(error))
            self.reconnects += 1


def header_block(headers: dict[str, str]) -> bytes:
    """Headers as they travel. Values are ours (ids, numbers); a line break in one raises ValueError."""
    text = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    if text.count("\r\n") != len(headers) or text.count("\n") != len(headers):
        raise ValueError("a header value has a line break")
    return HEADER_LINE + text.encode() + b"\r\n"


def parse_headers(block: bytes) -> dict[str, str]:
    """The headers of a block; a status (`NATS/1.0 404 No Messages`) is under `Status`, its words under
    `Description`."""
    lines = block.decode("utf-8", "replace").split("\r\n")
    found: dict[str, str] = {}
    status = lines[0][8:].strip()
    if status:
        found["Status"], _, found["Description"] = status.partition(" ")
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if colon:
            found[name] = value.strip()
    return found


async def _open(
    server: str, access: Access, subscriptions: dict[bytes, tuple[bytes, Receive]]
) -> "_Connection":
    loop = asyncio.get_running_loop()
    parts = urlsplit(server if "://" in server else f"nats://{server}")
    _, connection = await loop.create_connection(
        lambda: _Connection(subscriptions), parts.hostname or "127.0.0.1", parts.port or 4222
    )
    try:
        await connection.greet(access, parts.hostname or "127.0.0.1", parts.username, parts.password)
    except BaseException:
        connection.abort()
        raise
    return connection


class _Connection(asyncio.Protocol):
    """One TCP connection: parses what comes, gathers what goes."""

    def __init__(self, subscriptions: dict[bytes, tuple[bytes, Receive]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._subscriptions = subscriptions
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._outgoing: list[bytes] = []
        self._pings = 0
        self._pinger: asyncio.TimerHandle | None = None
        self._info: asyncio.Future[bytes] = self._loop.create_future()
        self._first_pong: asyncio.Future[None] = self._loop.create_future()
        self.lost: asyncio.Future[None] = self._loop.create_future()

    # Opening and closing

    async def greet(self, access: Access, host: str, user: str | None, password: str | None) -> None:
        """INFO, TLS if it is configured or asked for, CONNECT, and a first PING. Raises OSError or
        Refused."""
        info = json.loads(await self._info)
        if access.tls is not None or info.get("tls_required"):
            context = access.tls or ssl.create_default_context()
            transport = await self._loop.start_tls(
                self._require_transport(), self, context, server_hostname=host
            )
            if transport is None:
                raise OSError("no TLS")
            self._transport = transport
        options = {
            "verbose": False,
            "pedantic": False,
            "lang": "python",
            "version": "1",
            "protocol": 1,
            "headers": True,
            "no_responders": True,
            "name": access.name,
        }
        if access.user or user:
            options["user"] = access.user or user or ""
            options["pass"] = access.password.value or password or ""
        self.send(b"CONNECT %b\r\nPING\r\n" % json.dumps(options).encode())
        await self._first_pong
        self._pinger = self._loop.call_later(_PING_S, self._ping)

    async def close(self) -> None:
        """Flushes and closes."""
        self._flush()
        transport = self._require_transport()
        if not transport.is_closing():
            transport.close()
            await self.lost

    def abort(self) -> None:
        """Drops the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # a TCP one

    def connection_lost(self, exc: Exception | None) -> None:
        if self._pinger is not None:
            self._pinger.cancel()
        problem = exc or ConnectionResetError("NATS closed the connection")
        for waiting in (self._info, self._first_pong):
            if not waiting.done():
                waiting.set_exception(problem)
                waiting.exception()
        if not self.lost.done():
            self.lost.set_result(None)

    # Outgoing

    @property
    def waiting(self) -> int:
        """Bytes that the socket has not taken yet."""
        return self._require_transport().get_write_buffer_size()

    def send(self, data: bytes) -> None:
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(data)

    def _flush(self) -> None:
        if self._outgoing:
            data = self._outgoing[0] if len(self._outgoing) == 1 else b"".join(self._outgoing)
            self._outgoing.clear()
            self._require_transport().write(data)

    def _ping(self) -> None:
        """A server that is paused or cut off says nothing: two pings without an answer end the connection."""
        if self._pings >= _UNANSWERED_PINGS:
            logger().warning("bus_silent", pings=self._pings)
            self.abort()
            return
        self._pings += 1
        self.send(b"PING\r\n")
        self._pinger = self._loop.call_later(_PING_S, self._ping)

    # Incoming

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        at, end = 0, len(buffer)
        while at < end:
            line_end = buffer.find(b"\r\n", at)
            if line_end < 0:
                break
            start = buffer[at]
            if start == 0x4D or start == 0x48:  # MSG or HMSG
                after = self._message(buffer, at, line_end, end)
                if after < 0:
                    break
                at = after
            else:
                self._control(buffer[at:line_end])
                at = line_end + 2
        self._buffer = buffer[at:] if at else buffer

    def _message(self, buffer: bytes, at: int, line_end: int, end: int) -> int:
        """Hands one message on; where it ends, or -1 when not all of it is there yet."""
        words = buffer[at:line_end].split()
        body = line_end + 2
        done = body + int(words[-1])
        if done + 2 > end:
            return -1
        if words[0] == b"HMSG":
            split = body + int(words[-2])
            headers, reply = buffer[body:split], words[3] if len(words) == 6 else b""
        else:
            split, headers, reply = body, b"", words[3] if len(words) == 5 else b""
        found = self._subscriptions.get(words[2])
        if found is not None:
            found[1](words[1], reply, headers, buffer[split:done])
        return done + 2

    def _control(self, line: bytes) -> None:
        if line == b"PING":
            self.send(b"PONG\r\n")
        elif line == b"PONG":
            self._pings = 0
            if not self._first_pong.done():
                self._first_pong.set_result(None)
        elif line.startswith(b"INFO "):
            if not self._info.done():
                self._info.set_result(line[5:])
        elif line.startswith(b"-ERR"):
            text = line[5:].decode("utf-8", "replace").strip("'")
            logger().error("bus_error", error=text)
            if not self._first_pong.done() and "authorization" in text.lower():
                self._first_pong.set_exception(Refused(text))

    def _require_transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise NotConnected
        return self._transport
