"""The connection to NATS: nats-py, so that nothing is kept while there is no connection.

A publish without a connection fails at once; nats-py by itself would keep it and send it later, when its
sender has long decided otherwise (OPERATIONS.md, finding 2).
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from services.runtime.logs import Secret, logger
from services.runtime.messages import read_lines
from services.runtime.pace import Pace

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
    """nats-py, with a reading of headers that looks at lines instead of at every character of each name: the
    clock service sees all moves of the room, seven headers each, and spent most of its time there."""

    @staticmethod
    def _parse_header_lines(raw: bytes) -> dict[str, str]:
        return read_lines(bytes(raw).decode("utf-8", "replace").split("\r\n"))


class Wire:
    """One connection that is kept up: it reconnects for ever and takes its subscriptions with it."""

    def __init__(self, access: Access, on_state: Callable[[bool], None]) -> None:
        self._access = access
        self._on_state = on_state
        self._client: Client = _Client()
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

    async def publish(
        self, subject: str, payload: bytes, reply: str = "", headers: dict[str, str] | None = None
    ) -> None:
        """Publishes, with what others publish in the same turn. Raises NotConnected: nothing was sent."""
        if not self.connected:
            raise NotConnected
        if len(payload) > self._client.max_payload:
            raise nats.errors.MaxPayloadError
        self._outgoing.append((subject, payload, reply, headers))
        self._work.set()

    async def _write(self) -> None:
        """Sends what was published, in turns (pace.py). What waits when the connection is lost is dropped:
        nobody was told that it was sent."""
        pace = Pace()
        while True:
            await self._work.wait()
            await pace.turn()
            self._work.clear()
            outgoing, self._outgoing = self._outgoing, []
            await self._send(outgoing)

    async def _send(self, outgoing: list[_Publish]) -> None:
        for number, (subject, payload, reply, headers) in enumerate(outgoing):
            try:
                await self._client.publish(subject, payload, reply, headers)
            except (nats.errors.OutboundBufferLimitError, nats.errors.ConnectionClosedError) as error:
                logger().warning("bus_dropped", messages=len(outgoing) - number, error=repr(error))
                return

    async def subscribe(self, subject: str, receive: Receive) -> Subscription:
        """Calls `receive` for each message of the subject, in order, now and after every reconnect.

        `receive` must be quick and must not raise.
        """

        async def take(message: Msg) -> None:
            receive(message.subject, message.reply, message.headers or _NO_HEADERS, message.data)

        return await self._client.subscribe(subject, cb=take, pending_msgs_limit=0, pending_bytes_limit=0)

    async def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; messages that are under way are dropped."""
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
