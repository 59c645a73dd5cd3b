"""An account's connection to the card room, kept across breaks of the wire."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

import grpc
from tavolo.chat.v1.chat_pb2 import ChatMessage
from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.gateway.v1.gateway_pb2 import (
    Act,
    Answer,
    AttachTable,
    ChatPosition,
    ClientMessage,
    DetachTable,
    Hello,
    Notice,
    Ready,
    ServerMessage,
    SyncTable,
    TableClosed,
    Welcome,
)
from tavolo.lobby.v1.lobby_pb2 import GetSeatsRequest
from tavolo.table.v1.table_pb2 import MoveAccepted
from tavolo.table.v1.view_pb2 import TableUpdate

from services.client.backoff import Backoff
from services.client.errors import Refused, from_rpc
from services.client.inbox import Event, Inbox, Lost, Resumed
from services.client.session import Session
from services.client.wire import Wire

COMMAND_LIMIT_S = 60.0

_NOT_ATTACHED = Refused.of(error_pb2.ERROR_REASON_NOT_ATTACHED, "not attached to the table (any more)")


@asynccontextmanager
async def _answer_in_time() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(COMMAND_LIMIT_S):
            yield
    except TimeoutError as error:
        raise Refused.of(error_pb2.ERROR_REASON_OUTCOME_UNKNOWN, "no answer came") from error


class _Start:
    """Of a match at one table: whether it has begun, and what was told last of a table that waits."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.begun = False
        self.told = ""

    def begin(self) -> None:
        self.begun = True
        self.changed.set()

    def tell(self, text: str) -> None:
        self.told = text
        self.changed.set()


class _Attachment:
    """A table that the connection plays or watches; `wire` is the wire on which it is attached now."""

    __slots__ = ("attached", "seat", "table", "version", "watch", "wire")

    def __init__(self, table: str, watch: bool) -> None:
        self.table = table
        self.watch = watch
        self.seat: int | None = None
        self.version = 0
        self.wire: Wire | None = None
        self.attached = asyncio.Event()


class Connection:
    """One account's connection.

    Plays and watches any number of tables, and reads what happens by `async for`. When the wire breaks it is
    opened again, with growing waits; the tables are attached again, commands that have no answer yet are sent
    again with the same ids, notices and chat go on where they stopped. Iterating yields `TableUpdate`,
    `Notice`, `ChatMessage`, `TableClosed`, and `Lost` and `Resumed` when the wire breaks and is back; it
    raises Refused when the session is over. Of updates that nobody has read only the newest of each table is
    kept.
    """

    def __init__(self, session: Session, last_notice: int = 0) -> None:
        self.session = session
        self.last_notice = last_notice
        self._chat: dict[str, int] = {}
        self._attachments: dict[str, _Attachment] = {}
        self._starts: dict[str, _Start] = {}
        self._inbox = Inbox()
        self._wire: Wire | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._opened: asyncio.Future[Welcome] | None = None
        self._ended: Refused | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self, limit_s: float = 15.0) -> Welcome:
        """Connects. Refused: the platform refuses, or cannot be reached within the limit."""
        self._opened = asyncio.get_running_loop().create_future()
        self.start()
        try:
            async with asyncio.timeout(limit_s):
                return await self._opened
        except TimeoutError as error:
            await self.close()
            raise Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the gateway cannot be reached") from error

    @property
    def is_open(self) -> bool:
        """Whether the wire is there now."""
        return self._wire is not None

    def start(self) -> None:
        """Connects in the background, however long it takes; `Resumed` says when."""
        self._spawn(self._run())

    async def close(self) -> None:
        """Leaves without abandoning any match: the seats stay the account's."""
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        self._end(Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the connection was closed"))

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            yield await self._inbox.get()

    # --------------------------------------------------------------------------------- commands

    async def match_started(self, table: str) -> None:
        """Waits until the match of the account's seat at a table has begun.

        Refused: NOT_SEATED, the seat was lost before (its wallet does not cover the stake); the session is
        over.
        """
        start = self._start_of(table)
        while True:
            await start.changed.wait()
            if self._ended:
                raise self._ended
            if start.begun:
                return
            start.changed.clear()
            seats = await self.session.call(self.session.gateway.lobby.GetSeats, GetSeatsRequest())
            if all(each.id != table for each in seats.tables):
                raise Refused.of(error_pb2.ERROR_REASON_NOT_SEATED, start.told)

    async def attach(self, table: str, *, watch: bool = False) -> int | None:
        """Takes the account's seat at a table, or watches.

        The seat, None for a spectator. Its updates follow.
        """
        attachment = self._attachments.get(table)
        if attachment is None or attachment.watch != watch:
            attachment = self._attachments[table] = _Attachment(table, watch)
        attachment.attached.clear()
        async with _answer_in_time():
            if self._wire:
                await self._attach(attachment, self._wire)
            else:
                await self._attached(attachment)
        return attachment.seat

    async def detach(self, table: str) -> None:
        """Leaves a table without abandoning the match."""
        attachment = self._attachments.pop(table, None)
        self._starts.pop(table, None)
        if attachment and attachment.wire:
            await attachment.wire.ask(ClientMessage(detach=DetachTable(table=table)))

    async def act(
        self, table: str, move: str, turn: int, *, command_id: str = "", think_ms: int | None = None
    ) -> MoveAccepted:
        """Makes a move decided on the view whose `own.turn` is given (0 with `abandon`).

        Returns once it stands. Refused: by the rules, the clock or the table; OUTCOME_UNKNOWN if nobody could
        say for a minute.
        """
        act = Act(
            table=table,
            command_id=command_id or secrets.token_urlsafe(12),
            move=move,
            turn=turn,
            think_ms=think_ms,
        )
        return (await self._command(table, ClientMessage(act=act))).accepted

    async def ready(self, table: str, hand: int, contribution: bytes | None = None) -> None:
        """Is ready for the next deal; contributes its own randomness, fresh unless it is given."""
        ready = Ready(
            table=table, hand=hand, contribution=os.urandom(32) if contribution is None else contribution
        )
        await self._command(table, ClientMessage(ready=ready))

    async def sync(self, table: str) -> None:
        """Wants the newest view of a table again; it comes as an update."""
        if attachment := self._attachments.get(table):
            attachment.version = 0
        await self._command(table, ClientMessage(sync=SyncTable(table=table)))

    def read_chat(self, room: str, last: int = 0) -> None:
        """From the next break on, chat of this room after message `last` is among what is resumed."""
        self._chat[room] = max(last, self._chat.get(room, 0))

    async def _command(self, table: str, message: ClientMessage) -> Answer:
        """Sends a command for a table until it is answered for good.

        Always the same message, the same ids.
        """
        backoff = Backoff()
        async with _answer_in_time():
            while True:
                attachment = self._attachments.get(table)
                if attachment is None:
                    raise self._ended or _NOT_ATTACHED
                wire = await self._attached(attachment)
                try:
                    return await wire.ask(message)
                except Refused as refused:
                    if not refused.passes:
                        raise
                    wait = backoff.wait_s(refused.wait_s)
                await asyncio.sleep(wait)

    async def _attached(self, attachment: _Attachment) -> Wire:
        await attachment.attached.wait()
        if attachment.wire is None:
            raise self._ended or _NOT_ATTACHED
        return attachment.wire

    # ------------------------------------------------------------------------------ life of the wire

    async def _run(self) -> None:
        backoff = Backoff()
        renew = False
        while True:
            try:
                token = await self.session.access(renew=renew)
            except Refused as refused:
                if not refused.passes:
                    self._end(refused)
                    return
                await asyncio.sleep(backoff.wait_s(refused.wait_s))
                continue
            why = await self._live(token, backoff)
            self._lose(why)
            if why.reason == error_pb2.ERROR_REASON_UNAUTHENTICATED and not renew:
                renew = True
                continue
            if not why.passes and why.reason != error_pb2.ERROR_REASON_INTERNAL:
                self._end(why)
                return
            renew = False
            await self._inbox.has_room()
            await asyncio.sleep(backoff.wait_s(why.wait_s))

    async def _live(self, token: str, backoff: Backoff) -> Refused:
        """One wire from hello to its end; why it ended."""
        try:
            async with Wire(self.session.gateway.connect.Connect, self._take) as wire:
                welcome = await wire.hello(self._hello(token))
                backoff.reset()
                self._wire = wire
                self.last_notice = self.last_notice or welcome.last_notice
                for table in welcome.tables:
                    self._start_of(table).begin()
                self._put(Resumed(welcome))
                if self._opened and not self._opened.done():
                    self._opened.set_result(welcome)
                for attachment in self._attachments.values():
                    self._spawn(self._attach_again(attachment, wire))
                renewing = asyncio.create_task(self._renew(wire))
                try:
                    await wire.until_broken()
                finally:
                    renewing.cancel()
        except Refused as refused:
            return refused
        except grpc.aio.AioRpcError as error:
            return from_rpc(error)
        raise AssertionError("a wire ends with a reason")

    async def _renew(self, wire: Wire) -> None:
        """Says hello again with a new token before the old one ends.

        Without one the gateway will end the wire.
        """
        backoff = Backoff(1.0, 15.0)
        while True:
            await asyncio.sleep(self.session.renew_in_s)
            try:
                await wire.hello(self._hello(await self.session.access()))
                backoff.reset()
            except Refused as refused:
                if not refused.passes:
                    return
                await asyncio.sleep(backoff.wait_s(refused.wait_s))

    def _hello(self, token: str) -> Hello:
        chat = [ChatPosition(room=room, last=last) for room, last in self._chat.items()]
        return Hello(token=token, last_notice=self.last_notice, chat=chat)

    async def _attach(self, attachment: _Attachment, wire: Wire) -> None:
        """Refused: for good; then the attachment is gone."""
        backoff = Backoff()
        request = AttachTable(table=attachment.table, watch=attachment.watch)
        while True:
            if self._attachments.get(attachment.table) is not attachment:
                raise self._ended or _NOT_ATTACHED
            try:
                answer = await wire.ask(ClientMessage(attach=request))
            except Refused as refused:
                if wire is not self._wire:
                    await self._attached(attachment)
                    return
                if not refused.passes:
                    self._drop(attachment)
                    raise
                wait = backoff.wait_s(refused.wait_s)
            else:
                attachment.seat = answer.attached.seat if answer.attached.HasField("seat") else None
                attachment.wire = wire
                attachment.attached.set()
                return
            await asyncio.sleep(wait)

    async def _attach_again(self, attachment: _Attachment, wire: Wire) -> None:
        try:
            await self._attach(attachment, wire)
        except Refused:
            reason = gateway_pb2.CLOSE_REASON_TABLE_UNAVAILABLE
            self._put(TableClosed(table=attachment.table, reason=reason))

    def _drop(self, attachment: _Attachment) -> None:
        """Forgets the table; who waits for it is told."""
        self._attachments.pop(attachment.table, None)
        attachment.wire = None
        attachment.attached.set()

    def _lose(self, why: Refused) -> None:
        if self._wire is None:
            return
        self._wire = None
        for attachment in self._attachments.values():
            attachment.wire = None
            attachment.attached.clear()
        self._put(Lost(why.text))

    def _end(self, why: Refused) -> None:
        self._ended = self._ended or why
        self._wire = None
        for attachment in list(self._attachments.values()):
            self._drop(attachment)
        for start in self._starts.values():
            start.changed.set()
        if self._opened and not self._opened.done():
            self._opened.set_exception(why)
        self._inbox.end(why)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    # ------------------------------------------------------------------------------------ incoming

    def _start_of(self, table: str) -> "_Start":
        return self._starts.setdefault(table, _Start())

    def _put(self, event: Notice | ChatMessage | TableClosed | Lost | Resumed) -> None:
        """Nothing is thrown away.

        When too much waits the wire is ended, and resumed once somebody has read.
        """
        if not self._inbox.put(event) and self._wire:
            self._wire.end(Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "events are not being read"))

    def _take(self, message: ServerMessage) -> None:
        match message.WhichOneof("kind"):
            case "table":
                self._take_update(message.table)
            case "notice":
                if message.notice.number > self.last_notice:
                    self.last_notice = message.notice.number
                    if message.notice.HasField("match_started"):
                        self._start_of(message.notice.match_started.table).begin()
                    elif message.notice.HasField("table_changed"):
                        self._start_of(message.notice.table_changed.table).tell(
                            message.notice.table_changed.text
                        )
                    self._put(message.notice)
            case "chat":
                if message.chat.number > self._chat.get(message.chat.room, 0):
                    self._chat[message.chat.room] = message.chat.number
                    self._put(message.chat)
            case "closed":
                self._take_closed(message.closed)

    def _take_update(self, update: TableUpdate) -> None:
        attachment = self._attachments.get(update.table)
        if attachment is None or (update.version <= attachment.version and not update.HasField("info")):
            return
        attachment.version = update.version
        self._inbox.put_update(update)

    def _take_closed(self, closed: TableClosed) -> None:
        attachment = self._attachments.get(closed.table)
        if attachment is None:
            return
        if closed.reason == gateway_pb2.CLOSE_REASON_TABLE_UNAVAILABLE and self._wire:
            attachment.wire = None
            attachment.attached.clear()
            self._spawn(self._attach_again(attachment, self._wire))
        else:
            self._drop(attachment)
            self._put(closed)
