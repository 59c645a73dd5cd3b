"""A client's connection, whatever its transport and form: what it asks is done, what it gets waits to be
written.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from statistics import median
from typing import TYPE_CHECKING, Any

from tavolo.common.v1 import error_pb2
from tavolo.common.v1.error_pb2 import ErrorDetail
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.table.v1.table_pb2 import ActCommand, Command, Done, ReadyCommand, SyncCommand
from tavolo.table.v1.table_pb2 import Answer as EngineAnswer

from services.gateway import attaching, metrics
from services.gateway.forms import Form, Unreadable
from services.gateway.limits import Bucket
from services.gateway.outbox import Outbox
from services.gateway.router import Waiting
from services.gateway.tables import Attachment
from services.runtime.auth import Caller
from services.runtime.context import begin_request
from services.runtime.errors import (
    TavoloError,
    detail,
    invalid,
    rate_limited,
    reason_name,
    unauthenticated,
)
from services.runtime.ids import new_id
from services.runtime.logs import logger

if TYPE_CHECKING:
    from services.gateway.hub import Hub

# Role of the house's computer players, each of which sits at many tables at once.
COMPUTER = "computer"

_PINGS_KEPT = 5
_FIRST_PINGS = 5
_MOST_RTT_S = 60.0


class Session:
    """A connection. Its edge feeds it (`receive`), writes what its outbox gives, and calls `close` last.

    `cut` ends the wire at once: it is called when a client that was told goodbye does not read it.
    """

    __slots__ = (
        "_calls", "_cut", "_expiry", "_heard_at", "_heartbeat", "_messages", "_pings", "_refusals",
        "_rtt_ms", "_rtts", "_work", "account", "address", "closed", "form", "goodbye", "hub", "id", "outbox",
        "rooms", "tables", "token",
    )  # fmt: skip

    def __init__(self, hub: "Hub", form: Form, address: str, cut: Callable[[], None]) -> None:
        settings = hub.settings
        now = time.monotonic()
        self.hub = hub
        self._cut = cut
        self.form = form
        self.address = address
        self.id = new_id("con")
        self.outbox = Outbox(form, settings.queue_messages, settings.queue_bytes)
        self.account: Caller | None = None
        self.token = ""
        self.tables: dict[str, Attachment] = {}
        # Rooms whose chat it gets because it reads them, not because it is attached to the table.
        self.rooms: set[str] = set()
        self.closed = False
        # Why the gateway ends it; unspecified while it does not.
        self.goodbye: pb.CloseReason.ValueType = pb.CLOSE_REASON_UNSPECIFIED
        self._messages = Bucket(settings.messages_per_s, settings.messages_burst, now)
        self._refusals = Bucket(1.0, settings.refusals_burst, now)
        self._calls = 0
        self._rtts: deque[float] | None = None
        self._rtt_ms = 0
        self._pings = 0
        self._heard_at = now
        self._work: set[asyncio.Task[None]] | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._heartbeat: asyncio.TimerHandle = asyncio.get_running_loop().call_later(
            settings.handshake_s, self._no_hello
        )

    # ------------------------------------------------------------------------------------- from the client

    async def receive(self, data: bytes, read_at: float) -> None:
        """Does what the client's frame asks. `read_at`: when its last byte was read, monotonic seconds."""
        self._heard_at = read_at
        try:
            messages = self.form.read(data)
        except TavoloError as error:
            self.say_goodbye(
                pb.CLOSE_REASON_BAD_MESSAGE, f"{error.field}: {error.text}" if error.field else error.text
            )
            return
        for message in messages:
            if self.outbox.ending:
                return
            kind = None if isinstance(message, Unreadable) else message.WhichOneof("kind")
            metrics.MESSAGES_IN_BY_KIND[kind].inc()
            try:
                if isinstance(message, Unreadable):
                    self._within_limits(read_at)
                    raise message.error
                if kind == "pong":
                    self._pong(message.pong, read_at)
                    continue
                self._within_limits(read_at)
                if kind == "hello" and self.account is None:
                    await self._hello(message.call, message.hello)
                else:
                    self._do(kind, message, read_at)
            except TavoloError as error:
                self.refuse(message.call, error)

    def _within_limits(self, now: float) -> None:
        hub = self.hub
        bucket, limit = self._messages, "connection"
        wait = bucket.take(now)
        if not wait and self.account is not None:
            limit = "account"
            wait = hub.message_wait(self.account, now)
        if not wait:
            return
        metrics.RATE_LIMITED.labels(limit).inc()
        if self._refusals.take(now):
            self.say_goodbye(pb.CLOSE_REASON_RATE_LIMITED, "too many messages although they were refused")
        raise rate_limited(f"too many messages of this {limit}", wait)

    def _do(self, kind: str | None, message: pb.ClientMessage, read_at: float) -> None:
        call = message.call
        if kind == "act":
            act = message.act
            attachment = self._attached(act.table)
            command = ActCommand(command_id=act.command_id, move=act.move, turn=act.turn, rtt_ms=self._rtt_ms)
            if act.HasField("think_ms"):
                command.think_ms = act.think_ms
            self._send(attachment, "act", call, Command(act=command), read_at)
        elif kind == "ready":
            ready = message.ready
            command_ready = ReadyCommand(contribution=ready.contribution, hand=ready.hand)
            self._send(self._attached(ready.table), "ready", call, Command(ready=command_ready), read_at)
        elif kind == "sync":
            self._send(self._attached(message.sync.table), "sync", call, Command(sync=SyncCommand()), read_at)
        elif kind == "attach":
            attaching.attach(self, call, message.attach, read_at)
        elif kind == "detach":
            attaching.detach(self, call, message.detach.table)
        elif kind == "rpc":
            self._call(call, message.rpc)
        elif kind == "hello":
            self.spawn(self._renew(call, message.hello))
        else:
            raise invalid("kind", "a message of a kind that is not known")

    def _send(self, attachment: Attachment, kind: str, call: int, command: Command, read_at: float) -> None:
        command.request_id = f"{self.id}-{call}"
        self.hub.router.send(attachment, kind, call, command, read_at)

    def _attached(self, table: str) -> Attachment:
        attachment = self.tables.get(table)
        if attachment is None or attachment.ended:
            self.need_hello()
            raise TavoloError(error_pb2.ERROR_REASON_NOT_ATTACHED, "attach to the table first", "table")
        return attachment

    def need_hello(self) -> Caller:
        """The account. Raises UNAUTHENTICATED before hello."""
        if self.account is None:
            raise unauthenticated("say hello first")
        return self.account

    # ------------------------------------------------------------------------------------------- hello

    async def _hello(self, call: int, hello: pb.Hello) -> None:
        try:
            account = await self.hub.verifier.verify(hello.token)
        except TavoloError as error:
            metrics.HELLOS.labels("new", reason_name(error.reason)).inc()
            self.refuse(call, error)
            if error.reason == error_pb2.ERROR_REASON_UNAUTHENTICATED:
                self.say_goodbye(pb.CLOSE_REASON_UNAUTHENTICATED, error.text)
            return
        if self.closed:
            return
        self.hub.enter(account)
        self.account = account
        if COMPUTER in account.roles:
            rate = self.hub.settings.computer_messages_per_s
            self._messages = Bucket(rate, rate, time.monotonic())
        self._take_token(hello.token, account)
        metrics.HELLOS.labels("new", "ok").inc()
        notices = self.hub.notices.join(self, hello.last_notice)
        await self._welcome(call, notices)
        if self.closed or self.outbox.ending:
            return
        self.hub.notices.resume(self)
        for position in hello.chat:
            self.hub.chat.resume(self, position.room, position.last)
        self._heartbeat.cancel()
        self._beat()

    async def _renew(self, call: int, hello: pb.Hello) -> None:
        """A new token for the same account; the tables are attached with it again."""
        try:
            account = await self.hub.verifier.verify(hello.token)
            if self.account is None or account.id != self.account.id:
                raise TavoloError(
                    error_pb2.ERROR_REASON_NOT_PERMITTED, "the token is another account's", "token"
                )
        except TavoloError as error:
            metrics.HELLOS.labels("renewal", reason_name(error.reason)).inc()
            self.refuse(call, error)
            return
        self.account = account
        self._take_token(hello.token, account)
        metrics.HELLOS.labels("renewal", "ok").inc()
        for attachment in self.tables.values():
            if attachment.id:
                self.hub.router.renew(attachment)
        await self._welcome(call, self.hub.notices.position)

    def _take_token(self, token: str, account: Caller) -> None:
        self.token = token
        if self._expiry is not None:
            self._expiry.cancel()
        left = max(1.0, account.token_expires - time.time())
        self._expiry = asyncio.get_running_loop().call_later(
            left, self.say_goodbye, pb.CLOSE_REASON_UNAUTHENTICATED, "the token has expired"
        )

    async def _welcome(self, call: int, last_notice: int) -> None:
        account = self.need_hello()
        welcome = pb.Welcome(
            account=account.id,
            nickname=account.nickname,
            tables=await self.hub.calls.seats(self.token),
            last_notice=last_notice,
            heartbeat_ms=int(self.hub.settings.heartbeat_s * 1000),
        )
        self.put(pb.ServerMessage(welcome=welcome))
        self.answer(pb.Answer(call=call, done=Done()))

    # ------------------------------------------------------------------------------------------ tables

    def answered(self, waiting: Waiting, answer: EngineAnswer) -> None:
        """The engine's answer to a command, or the router's that there is none."""
        attaching.answered(self, waiting, answer)

    def replaced(self, attachment: Attachment) -> None:
        """A newer connection has taken the seat over."""
        attaching.close(self, attachment, pb.CLOSE_REASON_REPLACED)

    # ---------------------------------------------------------------------------- calls of other services

    def _call(self, call: int, rpc: pb.Call) -> None:
        if self._calls >= self.hub.settings.calls_at_once:
            metrics.RATE_LIMITED.labels("calls_at_once").inc()
            raise rate_limited("too many calls at once on this connection", 0.1)
        self._calls += 1
        self.spawn(self._answer_call(call, rpc))

    async def _answer_call(self, call: int, rpc: pb.Call) -> None:
        begin_request(f"{self.id}-{call}")
        try:
            response = await self.hub.calls.call(self, rpc)
        except TavoloError as error:
            self.refuse(call, error)
        else:
            response.call = call
            self.answer(response)
        finally:
            self._calls -= 1

    def reads(self, room: str) -> None:
        """The client has read or written in the room: it gets what is said there."""
        self.hub.chat.read(self, room)

    # ---------------------------------------------------------------------------------------- heartbeat

    def _beat(self) -> None:
        """Sends a ping, and looks whether the client still answers."""
        settings = self.hub.settings
        if time.monotonic() - self._heard_at > settings.silence_s:
            self.say_goodbye(pb.CLOSE_REASON_SILENT, "pings were not answered")
            return
        self._pings += 1
        self.outbox.ping(self._pings)
        wait = settings.heartbeat_s / 4 if self._pings < _FIRST_PINGS else settings.heartbeat_s
        self._heartbeat = asyncio.get_running_loop().call_later(wait, self._beat)

    def _pong(self, pong: pb.Pong, read_at: float) -> None:
        """The first answer to the newest ping measures the round trip; the median of the last five counts."""
        if pong.ping != self._pings or not self.outbox.pinged_at:
            return
        rtt = min(read_at - self.outbox.pinged_at, _MOST_RTT_S)
        self.outbox.pinged_at = 0.0
        metrics.RTT_SECONDS.observe(rtt)
        if self._rtts is None:
            self._rtts = deque(maxlen=_PINGS_KEPT)
        self._rtts.append(rtt)
        self._rtt_ms = round(median(self._rtts) * 1000)

    def _no_hello(self) -> None:
        self.say_goodbye(pb.CLOSE_REASON_UNAUTHENTICATED, "no hello came in time")

    # -------------------------------------------------------------------------------------- to the client

    def put(self, message: pb.ServerMessage) -> None:
        """A message that must not be skipped."""
        self.put_item(self.form.item(message))

    def put_item(self, item: bytes) -> None:
        """The same as bytes of the form."""
        if not self.outbox.put(item):
            metrics.QUEUE_OVERFLOWS.inc()
            self._end(
                pb.CLOSE_REASON_TOO_SLOW,
                "messages that must not be skipped were not read: resume",
                at_once=True,
            )

    def answer(self, answer: pb.Answer) -> None:
        """The answer to a message of the client."""
        self.put_item(self.form.item(pb.ServerMessage(answer=answer)))

    def refuse(self, call: int, error: TavoloError) -> None:
        """Answers a message of the client with an error."""
        self.refuse_with(call, detail(error, f"{self.id}-{call}"))

    def refuse_with(self, call: int, error: ErrorDetail) -> None:
        """The same with an error as it travels."""
        metrics.REFUSALS.labels(reason_name(error.reason)).inc()
        self.answer(pb.Answer(call=call, error=error))

    def say_goodbye(self, reason: pb.CloseReason.ValueType, text: str) -> None:
        """Ends the connection: what waits is written, then the goodbye, then the wire ends."""
        self._end(reason, text)

    def _end(self, reason: pb.CloseReason.ValueType, text: str, *, at_once: bool = False) -> None:
        if self.outbox.ending:
            return
        self.goodbye = reason
        name = pb.CloseReason.Name(reason).removeprefix("CLOSE_REASON_")
        metrics.CONNECTIONS_ENDED.labels(name).inc()
        logger().info(
            "connection_ended",
            connection=self.id,
            player=self.account and self.account.id,
            reason=name,
            text=text,
        )
        goodbye = self.form.item(pb.ServerMessage(goodbye=pb.Goodbye(reason=reason, text=text)))
        self.outbox.end(goodbye, at_once=at_once)
        self._heartbeat.cancel()
        self._heartbeat = asyncio.get_running_loop().call_later(self.hub.settings.goodbye_s, self._cut)

    # ---------------------------------------------------------------------------------------------- life

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs something for the client that ends with the connection."""
        if self._work is None:
            self._work = set()
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work_done)

    def _work_done(self, task: asyncio.Task[None]) -> None:
        if self._work is not None:
            self._work.discard(task)
        if not task.cancelled() and task.exception() is not None:
            # Our own fault; whoever waits for its answer resumes on a new connection.
            logger().error("connection_failed", connection=self.id, exc_info=task.exception())
            self.outbox.end()

    def close(self) -> None:
        """The wire has gone. The seats stay the account's."""
        if self.closed:
            return
        self.closed = True
        self._heartbeat.cancel()
        if self._expiry is not None:
            self._expiry.cancel()
        for task in self._work or ():
            task.cancel()
        for attachment in list(self.tables.values()):
            attaching.leave(self, attachment, tell=True)
        self.outbox.end()
        self.hub.leave(self)
