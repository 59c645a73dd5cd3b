"""The connection to NATS: nats-py, so that nothing is kept while there is no connection.

A publish without a connection fails at once; nats-py by itself would keep it and send it later, when its
sender has long decided otherwise (OPERATIONS.md, finding 2).
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import nats.errors
from nats.aio.client import Client
from nats.aio.subscription import Subscription

from services.runtime.logs import Secret, logger
from services.runtime.messages import read_lines

_Publish = tuple[str, bytes, str, dict[str, str] | None]
# (subject, reply or "", headers, payload)
Receive = Callable[[str, str, Mapping[str, str], bytes], None]

_CONNECT_S = 3
_RECONNECT_S = 0.25
_PING_S = 2
_UNANSWERED_PINGS = 2
_NO_BUFFER = 0
_NO_HEADERS: Mapping[str, str] = {}
STATUS, DESCRIPTION = "Status", "Description"


class NotConnected(Exception):
    """There is no connection to NATS now: nothing was sent."""


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


class _Client(Client):
    """nats-py without what costs most a message in a room that handles thousands: the queue and the task
    between the socket and a receiver, the reading of headers character by character, and a flush each."""

    def __init__(self) -> None:
        super().__init__()
        self.receivers: dict[int, Receive] = {}

    async def publish_all(self, messages: Sequence[_Publish]) -> None:
        """Publishes these, in order, in one piece. ConnectionClosedError, OutboundBufferLimitError: none."""
        if self.is_closed:
            raise nats.errors.ConnectionClosedError
        if not self.is_connected:
            raise nats.errors.OutboundBufferLimitError
        await self._send_command(b"".join([_command(*message) for message in messages]))
        await self._flush_pending()

    async def _process_msg(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes | None
    ) -> None:
        receive = self.receivers.get(sid)
        if receive is not None:
            found = await self._process_headers(headers) if headers else None
            receive(subject.decode(), reply.decode(), found or _NO_HEADERS, data)

    @staticmethod
    def _parse_header_lines(raw: bytes) -> dict[str, str]:
        return read_lines(bytes(raw).decode("utf-8", "replace").split("\r\n"))


def _command(subject: str, payload: bytes, reply: str, headers: dict[str, str] | None) -> bytes:
    """A PUB or HPUB of NATS's protocol."""
    if headers is None:
        line, block = f"PUB {subject} {reply} {len(payload)}\r\n", b""
    else:
        lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        if lines.count("\n") != len(headers) or lines.count("\r") != len(headers):
            # Nobody writes a header of his own into the value of another one.
            lines = "".join([f"{name}: {' '.join(value.split())}\r\n" for name, value in headers.items()])
        block = f"NATS/1.0\r\n{lines}\r\n".encode()
        line = f"HPUB {subject} {reply} {len(block)} {len(block) + len(payload)}\r\n"
    return b"%b%b%b\r\n" % (line.encode(), block, payload)


class Wire:
    """One connection that is kept up: it reconnects for ever and takes its subscriptions with it."""

    def __init__(self, access: Access, on_state: Callable[[bool], None]) -> None:
        self._access = access
        self._on_state = on_state
        self._client = _Client()
        self._closed = asyncio.Event()
        self._stopping = False
        self._outgoing: list[_Publish] = []
        self._work = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether something that is published now can reach the server."""
        return self._client.is_connected

    @property
    def reconnects(self) -> int:
        """How often the connection was lost and is back."""
        return self._client.stats["reconnects"]

    async def start(self) -> None:
        """Connects. Raises OSError or TimeoutError when no server can be reached, Refused for wrong
        credentials."""
        access = self._access
        client = _Client()
        try:
            async with asyncio.timeout(_CONNECT_S):
                await client.connect(
                    servers=list(access.servers),
                    name=access.name,
                    user=access.user or None,
                    password=access.password.value or None,
                    tls=access.tls,
                    inbox_prefix=f"_INBOX.{access.name}",
                    allow_reconnect=False,
                    max_reconnect_attempts=-1,
                    connect_timeout=_CONNECT_S,
                    reconnect_time_wait=_RECONNECT_S,  # type: ignore[arg-type]  # seconds, whole or not
                    ping_interval=_PING_S,
                    max_outstanding_pings=_UNANSWERED_PINGS,
                    pending_size=_NO_BUFFER,
                    error_cb=self._failed,
                    disconnected_cb=self._lost,
                    reconnected_cb=self._back,
                    closed_cb=self._ended,
                )
        except nats.errors.AuthorizationError as error:
            raise Refused(str(error)) from error
        except nats.errors.Error as error:
            if "authorization" in str(error).lower():
                raise Refused(str(error)) from error
            raise OSError(str(error)) from error
        # From the first connection on it is kept up; until then the caller tries again, and says so.
        client.options["allow_reconnect"] = True
        self._client = client
        self._writer = asyncio.create_task(self._write(), name="nats-writer")
        self._on_state(True)

    async def stop(self) -> None:
        """Sends what waits and closes."""
        self._stopping = True
        if self._writer is not None:
            self._writer.cancel()
        if self.connected:
            await self._send(self._outgoing)
            await self._client.flush()
        await self._client.close()

    def publish(
        self, subject: str, payload: bytes, reply: str = "", headers: dict[str, str] | None = None
    ) -> None:
        """Publishes, with what others publish meanwhile. Raises NotConnected: nothing was sent;
        BadSubjectError: this cannot be a subject."""
        if not self.connected:
            raise NotConnected
        if " " in subject or not subject.isprintable():
            raise nats.errors.BadSubjectError
        if len(payload) > self._client.max_payload:
            raise nats.errors.MaxPayloadError
        self._outgoing.append((subject, payload, reply, headers))
        self._work.set()

    async def _write(self) -> None:
        """Sends what was published, all that waits at once; when the connection is lost it is dropped:
        nobody was told that it was sent."""
        while True:
            await self._work.wait()
            self._work.clear()
            outgoing, self._outgoing = self._outgoing, []
            await self._send(outgoing)

    async def _send(self, outgoing: list[_Publish]) -> None:
        try:
            await self._client.publish_all(outgoing)
        except (nats.errors.OutboundBufferLimitError, nats.errors.ConnectionClosedError) as error:
            logger().warning("bus_dropped", messages=len(outgoing), error=repr(error))

    async def subscribe(self, subject: str, receive: Receive) -> Subscription:
        """Calls `receive` for each message of the subject, in order, now and after every reconnect.

        `receive` must be quick and must not raise.
        """
        # nats-py gives the subscription its number and sends it before anything else can happen.
        subscription = await self._client.subscribe(subject)
        self._client.receivers[subscription._id] = receive
        return subscription

    async def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; messages that are under way are dropped."""
        self._client.receivers.pop(subscription._id, None)
        try:
            await subscription.unsubscribe()
        except (nats.errors.ConnectionClosedError, nats.errors.BadSubscriptionError):
            return  # it has ended with its connection

    async def _lost(self) -> None:
        self._on_state(False)

    async def _back(self) -> None:
        self._on_state(True)

    async def _ended(self) -> None:
        if not self._stopping:
            self._closed.set()

    async def failure(self) -> None:
        """Waits until nats-py has given the connection up (an error of the protocol) or cannot write, and
        raises: only a new process helps."""
        if self._writer is None:
            raise NotConnected
        closed = asyncio.create_task(self._closed.wait(), name="nats-closed")
        try:
            await asyncio.wait((closed, self._writer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            closed.cancel()
        if self._writer.done() and not self._writer.cancelled():
            self._writer.result()
        raise ConnectionError(f"the connection to NATS was given up: {self._client.last_error!r}")

    async def _failed(self, error: Exception) -> None:
        logger().debug("bus_error", error=repr(error))
