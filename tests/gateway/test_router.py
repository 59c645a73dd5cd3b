"""Commands on their way to owners that change, against workers whose answers are the test's."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import grpc
from tavolo.common.v1.error_pb2 import ERROR_REASON_NOT_ATTACHED, ErrorDetail
from tavolo.table.v1 import table_pb2
from tavolo.table.v1.table_pb2 import ActCommand, Answer, Command, MoveAccepted
from tavolo.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server

from services.gateway.router import Router, Waiting
from services.gateway.session import Session
from services.gateway.tables import Attachment, Tables
from services.runtime.ids import new_id
from tests.support.waiting import wait_for


class Worker(TableServiceServicer):
    """A worker that does not know the attachment of the first move, and may keep its answer to others."""

    def __init__(self, *, answers_moves: bool) -> None:
        self.refused = 0
        self.moves = 0
        self._answers_moves = answers_moves
        self._server = grpc.aio.server()

    async def start(self) -> str:
        """Its address."""
        add_TableServiceServicer_to_server(self, self._server)
        port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()
        return f"127.0.0.1:{port}"

    async def stop(self) -> None:
        await self._server.stop(None)

    async def Link(  # noqa: N802 - the name in the proto
        self, frames: AsyncIterator[table_pb2.LinkRequest], context: object
    ) -> AsyncIterator[table_pb2.LinkResponse]:
        async for frame in frames:
            answers = [self._answer(command) for command in frame.commands]
            yield table_pb2.LinkResponse(answers=[answer for answer in answers if answer is not None])

    def _answer(self, command: Command) -> Answer | None:
        if command.HasField("attach"):
            attached = table_pb2.Attached(attachment=command.attach.previous, seat=0)
            return Answer(call=command.call, attached=attached)
        if not self.refused:
            self.refused += 1
            return Answer(call=command.call, error=ErrorDetail(reason=ERROR_REASON_NOT_ATTACHED))
        self.moves += 1
        return Answer(call=command.call, accepted=MoveAccepted(version=7)) if self._answers_moves else None


class Client:
    """What the router knows of a session."""

    token = "a token"
    form = SimpleNamespace(view_form=table_pb2.VIEW_FORM_PROTO, suffix="p")

    def __init__(self, tables: Tables) -> None:
        self.answers: list[Answer] = []
        self._tables = tables

    def answered(self, waiting: Waiting, answer: Answer) -> None:
        if waiting.client_call is not None:
            self.answers.append(answer)
        elif answer.HasField("attached"):
            self._tables.add(waiting.attachment, answer.attached.attachment, 0, 0)


class Owners:
    """The one shard's owner."""

    def __init__(self) -> None:
        self.now: tuple[str, str] | None = None

    def owner(self, part: int) -> tuple[str, str] | None:
        return self.now


async def test_a_command_is_attached_again_at_each_of_the_owners_that_it_comes_to() -> None:
    # Of a worker's other methods nobody asks.
    first = Worker(answers_moves=False)  # type: ignore[abstract]
    second = Worker(answers_moves=True)  # type: ignore[abstract]
    addresses = await first.start(), await second.start()
    tables, owners = Tables("gw"), Owners()
    connect: Any = grpc.aio.insecure_channel
    router = Router("gw", tables, owners, connect, 20.0)
    client = Client(tables)
    attachment = Attachment(cast(Session, client), new_id("tbl"), watch=False)
    tables.add(attachment, new_id("att"), 0, 0)
    try:
        owners.now = ("first", addresses[0])
        router.send(attachment, "act", 1, Command(act=ActCommand(move="play 7d", turn=1)), 0.0)
        await wait_for(lambda: first.moves, what="the first owner has the move")
        owners.now = ("second", addresses[1])
        router.owner_changed(attachment.shard)
        await wait_for(lambda: client.answers, what="the second owner answers")
    finally:
        await router.close()
        await first.stop()
        await second.stop()
    assert [answer.accepted.version for answer in client.answers] == [7]
    assert (first.refused, second.refused) == (1, 1)
