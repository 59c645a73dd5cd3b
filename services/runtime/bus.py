"""NATS as the services use it: publish, subscribe, request, and append to the streams of JetStream.

An append is a publish with an id and the expected last sequence of its subject, acknowledged when it is on
disk. Without an answer it is *unknown*, never "not written": read the subject's last message and compare ids
(OPERATIONS.md, findings 1 and 2).
"""

import asyncio
import base64
import itertools
import secrets
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple

import orjson
from nats.aio.subscription import Subscription

from services.runtime import metrics, streams
from services.runtime.bus_errors import (
    NO_MESSAGE,
    NO_STREAM,
    WRONG_LAST_SEQUENCE,
    AppendNotSent,
    AppendUnknown,
    BusError,
    WrongLastSequence,
)
from services.runtime.context import REQUEST_ID_HEADER, request_id
from services.runtime.follow import Deliver, follow
from services.runtime.health import Health
from services.runtime.logs import logger
from services.runtime.messages import StoredMessage, read_headers
from services.runtime.streams import StreamConfig
from services.runtime.wire import STATUS, Access, NotConnected, Receive, Wire

__all__ = [
    "AppendNotSent",
    "AppendUnknown",
    "Bus",
    "BusError",
    "StoredMessage",
    "StreamConfig",
    "WrongLastSequence",
]

REQUEST_S = 3.0
APPEND_S = 2.0
_RETRY_S = 0.25
_SAY_AGAIN_S = 5.0
_BATCH = 512
_SWEEP_S = 0.05


# Headers (a status of the server is under `Status`) and data.
Answer = tuple[Mapping[str, str], bytes]


class _Waiting(NamedTuple):
    """A request without an answer yet. until: of the event loop's clock."""

    until: float
    future: asyncio.Future[Answer]


class Bus:
    """This process's connection to NATS. Made by `App.nats()`."""

    def __init__(self, access: Access, health: Health) -> None:
        self._access = access
        self._health = health
        self._wire = Wire(access, self._state_changed)
        self._state_watchers: list[Callable[[bool], None]] = []
        self._answers = f"{self.inbox()}."
        self._questions = itertools.count(1)
        self._waiting: dict[str, _Waiting] = {}
        self._sweeping = False
        self._append_seconds = metrics.BUS_APPEND_SECONDS

    # Connection

    async def connect(self) -> None:
        """Connects, and waits for a server as long as that takes, saying so. Raises wire.Refused for wrong
        credentials."""
        loop = asyncio.get_running_loop()
        said_at = float("-inf")
        while True:
            try:
                await self._wire.start()
                break
            except (OSError, TimeoutError) as error:
                self._health.set("nats", False, "waiting for NATS")
                if loop.time() - said_at >= _SAY_AGAIN_S:
                    said_at = loop.time()
                    logger().warning(
                        "waiting_for", what="NATS", servers=self._access.servers, error=repr(error)
                    )
            await asyncio.sleep(_RETRY_S)
        await self._wire.subscribe(f"{self._answers}*", self._answered)

    async def close(self) -> None:
        """Sends what waits and closes."""
        await self._wire.stop()

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._wire.connected

    def on_state(self, watcher: Callable[[bool], None]) -> Callable[[], None]:
        """Calls `watcher(connected)` when the connection is lost or back; what is returned ends that."""
        self._state_watchers.append(watcher)
        return lambda: self._state_watchers.remove(watcher)

    # Plain messages

    async def publish(
        self, subject: str, data: bytes, headers: dict[str, str] | None = None, reply: str = ""
    ) -> None:
        """Publishes at most once, now. Raises wire.NotConnected: nothing was sent."""
        self._wire.publish(subject, data, reply, headers)

    async def subscribe(self, subject: str, receive: Receive) -> Subscription:
        """Calls `receive(subject, reply, headers, data)` for each message, in order: it must be quick and
        must not raise. Returns a handle for `unsubscribe`."""
        return await self._wire.subscribe(subject, receive)

    async def unsubscribe(self, handle: Subscription) -> None:
        """Ends a subscription."""
        await self._wire.unsubscribe(handle)

    async def failure(self) -> None:
        """Waits until the connection is given up for good, and raises: see wire.Wire.failure."""
        await self._wire.failure()

    def inbox(self) -> str:
        """A new subject that only this process may subscribe to."""
        return f"_INBOX.{self._access.name}.{secrets.token_hex(8)}"

    async def request(
        self, subject: str, data: bytes, timeout: float = REQUEST_S, headers: dict[str, str] | None = None
    ) -> Answer:
        """The first answer: (headers, data). Raises NotConnected: nothing was sent; TimeoutError: no answer
        came, or the connection was lost meanwhile."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        reply = f"{self._answers}{next(self._questions):x}"
        self._waiting[reply] = _Waiting(loop.time() + timeout, future)
        try:
            self._wire.publish(subject, data, reply, headers)
        except NotConnected:
            del self._waiting[reply]
            raise
        if not self._sweeping:
            self._sweeping = True
            loop.call_later(_SWEEP_S, self._sweep)
        return await future

    async def api(
        self, verb: str, body: dict[str, Any] | None = None, timeout: float = REQUEST_S
    ) -> dict[str, Any]:
        """A request to `$JS.API.<verb>`. Raises BusError, NotConnected, TimeoutError."""
        headers, data = await self.request(f"$JS.API.{verb}", orjson.dumps(body) if body else b"", timeout)
        if not data:
            raise BusError(503, f"{headers.get(STATUS, '')} no answer from JetStream")
        found: dict[str, Any] = orjson.loads(data)
        if "error" in found:
            raise BusError(found["error"].get("err_code", 0), found["error"].get("description", ""))
        return found

    # Streams

    async def ensure_stream(self, config: StreamConfig) -> None:
        """Creates the stream, or checks that the one that is there is as safe as `config`: see
        streams.ensure."""
        await streams.ensure(self.api, config)

    async def append(
        self,
        subject: str,
        data: bytes,
        headers: dict[str, str] | None = None,
        msg_id: str = "",
        expected_last: int | None = None,
        timeout: float = APPEND_S,
    ) -> int:
        """Stores a message and returns its sequence in the stream.

        expected_last: sequence of the subject's last message (0 = none yet), or None to append whatever was
        before. The request id of the call that is being handled travels along. Raises WrongLastSequence,
        AppendNotSent, AppendUnknown, BusError.
        """
        sent = dict(headers) if headers else {}
        if msg_id:
            sent["Nats-Msg-Id"] = msg_id
        if expected_last is not None:
            sent["Nats-Expected-Last-Subject-Sequence"] = str(expected_last)
        identity = request_id()
        if identity:
            sent[REQUEST_ID_HEADER] = identity
        started = time.perf_counter()
        try:
            status, ack = await self.request(subject, data, timeout, sent)
        except NotConnected as error:
            metrics.BUS_APPEND_FAILURES.labels("not_sent").inc()
            raise AppendNotSent("no connection to NATS") from error
        except TimeoutError as error:
            metrics.BUS_APPEND_FAILURES.labels("unknown").inc()
            raise AppendUnknown(f"no acknowledgement on {subject}") from error
        self._append_seconds.observe(time.perf_counter() - started)
        at = ack.find(b'"seq":')
        if at < 0 or b'"error"' in ack:
            raise _refusal(status, ack)
        return _number(ack, at + 6)

    async def last(self, stream: str, subject: str) -> StoredMessage | None:
        """The subject's last message as the stream's leader has it; None if there is none. Raises BusError,
        NotConnected, TimeoutError."""
        return await self._leader_get(stream, {"last_by_subj": subject})

    async def read_subject(self, stream: str, subject: str, after: int = 0) -> list[StoredMessage]:
        """All messages of a subject with a sequence above `after`, oldest first, as the stream's leader has
        them.

        Any replica may answer the batches, so what one that lags behind does not have yet is asked of the
        leader. Raises BusError, NotConnected, TimeoutError.
        """
        newest = await self.last(stream, subject)
        found: list[StoredMessage] = []
        if newest is None or newest.sequence <= after:
            return found
        at = after
        while at < newest.sequence:
            batch = await self._batch(stream, subject, at + 1)
            if not batch:
                one = await self._leader_get(stream, {"seq": at + 1, "next_by_subj": subject})
                if one is None:
                    raise BusError(NO_MESSAGE, f"{subject}: messages after {at} are gone from {stream}")
                batch = [one]
            found += batch
            at = found[-1].sequence
        return found

    async def last_sequence(self, stream: str) -> int:
        """Sequence of the newest message of a stream, 0 if it is empty or not there yet; waits for JetStream.
        BusError."""
        while True:
            try:
                info = await self.api(f"STREAM.INFO.{stream}")
            except BusError as error:
                if error.code != NO_STREAM:
                    raise
                return 0
            except (NotConnected, TimeoutError):
                await asyncio.sleep(_RETRY_S)
            else:
                return int(info["state"]["last_seq"])

    def follow(
        self,
        stream: str,
        subject: str,
        deliver: Deliver = "last_per_subject",
        *,
        headers_only: bool = False,
        rest_s: float = 0.0,
        on_reset: Callable[[], None] | None = None,
    ) -> AsyncIterator[StoredMessage]:
        """The messages of a stream, for ever: see follow.follow."""
        return follow(
            self, stream, subject, deliver, headers_only=headers_only, rest_s=rest_s, on_reset=on_reset
        )

    # Inside

    def _state_changed(self, connected: bool) -> None:
        metrics.BUS_CONNECTED.set(connected)
        if connected:
            self._health.set("nats", True)
            if self._wire.reconnects:
                metrics.BUS_RECONNECTS.inc()
        else:
            self._health.set("nats", False, "the connection to NATS is lost")
            self._give_up(list(self._waiting), "the connection was lost")
        logger().info("bus_state", connected=connected)
        for watcher in list(self._state_watchers):
            watcher(connected)

    def _answered(self, subject: str, _reply: str, headers: Mapping[str, str], data: bytes) -> None:
        found = self._waiting.pop(subject, None)
        if found is not None and not found.future.done():
            found.future.set_result((headers, data))

    def _give_up(self, replies: list[str], why: str) -> None:
        for reply in replies:
            future = self._waiting.pop(reply).future
            if not future.done():
                future.set_exception(TimeoutError(why))

    def _sweep(self) -> None:
        """Ends what has waited too long: one timer for all, since a timer each costs as much as the
        request."""
        now = asyncio.get_running_loop().time()
        late = [reply for reply, each in self._waiting.items() if each.until <= now or each.future.done()]
        self._give_up(late, "no answer in time")
        self._sweeping = bool(self._waiting)
        if self._sweeping:
            asyncio.get_running_loop().call_later(_SWEEP_S, self._sweep)

    async def _leader_get(self, stream: str, what: dict[str, Any]) -> StoredMessage | None:
        try:
            answer = await self.api(f"STREAM.MSG.GET.{stream}", what)
        except BusError as error:
            if error.code == NO_MESSAGE:
                return None
            raise
        message = answer["message"]
        return StoredMessage(
            message["subject"],
            message["seq"],
            base64.b64decode(message.get("data", "")),
            read_headers(base64.b64decode(message.get("hdrs", ""))),
        )

    async def _batch(self, stream: str, subject: str, start: int) -> list[StoredMessage]:
        """One direct batch get: up to _BATCH messages of the subject from sequence `start` on."""
        found: list[StoredMessage] = []
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def receive(_subject: str, _reply: str, headers: Mapping[str, str], data: bytes) -> None:
            if STATUS in headers:
                if not done.done():
                    done.set_result(None)
                return
            found.append(StoredMessage(headers["Nats-Subject"], int(headers["Nats-Sequence"]), data, headers))

        inbox = self.inbox()
        handle = await self.subscribe(inbox, receive)
        try:
            body = {"seq": start, "next_by_subj": subject, "batch": _BATCH}
            await self.publish(f"$JS.API.DIRECT.GET.{stream}", orjson.dumps(body), reply=inbox)
            await asyncio.wait_for(done, REQUEST_S)
        finally:
            await self.unsubscribe(handle)
        return found


def _refusal(status: Mapping[str, str], ack: bytes) -> Exception:
    if not ack:
        metrics.BUS_APPEND_FAILURES.labels("not_sent").inc()
        return AppendNotSent(f"no stream takes the subject: {status.get(STATUS, '')}")
    error = orjson.loads(ack).get("error", {})
    code, text = error.get("err_code", 0), error.get("description", "")
    if code in WRONG_LAST_SEQUENCE:
        metrics.BUS_APPEND_FAILURES.labels("wrong_last_sequence").inc()
        return WrongLastSequence(code, text)
    metrics.BUS_APPEND_FAILURES.labels("refused").inc()
    return BusError(code, text)


def _number(data: bytes, at: int) -> int:
    """The number that begins at `at` in a JSON object and ends before a comma or the closing brace."""
    end = data.find(b",", at)
    return int(data[at : end if end >= 0 else data.index(b"}", at)])


def tls_context(ca_file: str) -> ssl.SSLContext | None:
    """A context that checks servers by the certificate authority; None without one."""
    return ssl.create_default_context(cafile=ca_file) if ca_file else None
