"""The server's side of a Link: frames of commands in, frames of answers out.

One writer a stream sends all that waits: under load a frame carries many.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import Any

from tavolo.table.v1 import table_pb2

from services.runtime.auth import TokenVerifier
from services.runtime.errors import TavoloError, detail, invalid
from services.runtime.frames import gather_more
from services.table_engine import act, attach, ready
from services.table_engine.engine import Engine
from services.table_engine.forward import Forwarder
from services.table_engine.hosted import Handler, Request

# A command may have waited this long at a gateway (for a new owner, say); more is not believed.
_MOST_AGE_MS = 10_000

_HANDLERS: dict[str | None, Handler] = {
    "act": act.act,
    "ready": ready.ready,
    "sync": attach.sync,
    "detach": attach.detach,
}


class Link:
    """One stream of a gateway, or of another worker."""

    def __init__(self, engine: Engine, forwarder: Forwarder, players: TokenVerifier) -> None:
        self._engine = engine
        self._forwarder = forwarder
        self._players = players
        self._frame = table_pb2.LinkResponse()
        self._unanswered = 0
        self._wake = asyncio.Event()
        self._ended = False
        self._going_away = False
        self._told = False
        self._attaching: set[asyncio.Task[None]] = set()
        # Attachments that are coming back: their commands wait until they are there.
        self._returning: dict[str, asyncio.Task[None]] = {}

    def go_away(self) -> None:
        """Tells the other side to take its new commands elsewhere; the stream ends when all are answered."""
        self._going_away = True
        self._wake.set()

    async def serve(
        self, frames: AsyncIterator[table_pb2.LinkRequest]
    ) -> AsyncIterator[table_pb2.LinkResponse]:
        """The frames of answers to these frames of commands."""
        reader = asyncio.create_task(self._read(frames), name="link-reader")
        carried = 0
        try:
            while not (self._unanswered == 0 and not self._frame.answers and (self._ended or self._told)):
                await self._wake.wait()
                await gather_more(carried)
                self._wake.clear()
                if not self._frame.answers and (self._told or not self._going_away):
                    continue
                frame, self._frame = self._frame, table_pb2.LinkResponse()
                if self._going_away and not self._told:
                    frame.going_away = self._told = True
                carried = len(frame.answers)
                yield frame
            if reader.done():
                reader.result()
        finally:
            reader.cancel()
            for task in self._attaching:
                task.cancel()

    async def _read(self, frames: AsyncIterator[table_pb2.LinkRequest]) -> None:
        try:
            async for frame in frames:
                now = self._engine.clock_ms()
                for command in frame.commands:
                    self._take(command, now)
        finally:
            self._ended = True
            self._wake.set()

    def _take(self, command: table_pb2.Command, now: int) -> None:
        kind = command.WhichOneof("kind")
        self._unanswered += 1
        request = Request(
            kind or "",
            command.table,
            _HANDLERS.get(kind, _unknown),
            partial(self._answer, command.call),
            partial(self._fail, command.call, command.request_id),
            arrived_ms=now - min(max(command.age_ms, 0), _MOST_AGE_MS),
            command=command,
        )
        if kind == "attach" and self._forwarder.is_ours(command.table):
            self._start_attach(request)
        elif command.attachment in self._returning:
            self._returning[command.attachment].add_done_callback(partial(self._pass_after, request))
        else:
            self._pass(request)

    def _start_attach(self, request: Request) -> None:
        task = asyncio.create_task(self._attach(request))
        self._attaching.add(task)
        task.add_done_callback(self._attaching.discard)
        previous = request.command.attach.previous
        if previous:
            self._returning[previous] = task
            task.add_done_callback(partial(self._returned, previous))

    def _returned(self, attachment: str, task: asyncio.Task[None]) -> None:
        if self._returning.get(attachment) is task:
            del self._returning[attachment]

    def _pass_after(self, request: Request, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self._pass(request)

    def _pass(self, request: Request) -> None:
        command = request.command
        if command.forwarded or self._forwarder.is_ours(request.table):
            self._engine.submit(request)
        else:
            self._forwarder.forward(request)

    async def _attach(self, request: Request) -> None:
        """The token is checked outside of the table's queue: it may need keys from the lobby."""
        try:
            caller = await self._players.verify(request.command.attach.token)
        except TavoloError as error:
            request.fail(error)
            return
        request.handler = attach.attach_as(caller)
        request.account = caller.id
        self._pass(request)

    def _answer(self, call: int, result: Any, shown: Iterable[tuple[str, bytes]] = ()) -> None:
        answer = self._answered(call)
        if isinstance(result, table_pb2.MoveAccepted):
            answer.accepted.CopyFrom(result)
        elif isinstance(result, table_pb2.Attached):
            answer.attached.CopyFrom(result)
        else:
            answer.done.SetInParent()
        for subject, payload in shown:
            answer.shown.add(subject=subject, payload=payload)

    def _fail(self, call: int, request_id: str, error: TavoloError) -> None:
        self._answered(call).error.CopyFrom(detail(error, request_id))

    def _answered(self, call: int) -> table_pb2.Answer:
        """The answer to a call in the frame that leaves next, to be filled at once."""
        self._unanswered -= 1
        self._wake.set()
        return self._frame.answers.add(call=call)


async def _unknown(_engine: Engine, _hosted: object, _request: Request) -> None:
    raise invalid("kind", "a command that this version does not know")
