"""TableService: decode, authorise, put into the table's queue, encode."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import table_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceServicer

from services.runtime.auth import TokenVerifier, require_player, require_service
from services.runtime.context import request_id
from services.runtime.errors import TavoloError
from services.table_engine import act, match, ready, timeup
from services.table_engine.engine import Engine, not_owner
from services.table_engine.forward import Forwarder
from services.table_engine.hosted import NOTHING, Handler, Hosted, Request
from services.table_engine.link import Link
from services.table_engine.views import Views

_FORWARDED_KEY = "x-tavolo-forwarded"
_PLAYER_KEY = "authorization"
_ME = "table_engine"
Context = Any  # grpc.aio.ServicerContext, whose stubs are generic and whose class is not


class TableService(TableServiceServicer):
    """The RPCs. A call for another worker's table is passed on with the caller's token."""

    def __init__(self, engine: Engine, forwarder: Forwarder, players: TokenVerifier) -> None:
        self._engine = engine
        self._forwarder = forwarder
        self._players = players
        self._links: set[Link] = set()

    async def StartMatch(self, request: table_pb2.StartMatchRequest, context: Context) -> Any:  # noqa: N802
        require_service("lobby", _ME)
        wanted = match.opened(request)
        return await self._ours_or(
            request, context, "StartMatch", lambda: self._ask("start", request.table, match.start_as(wanted))
        )

    async def Act(self, request: table_pb2.ActRequest, context: Context) -> Any:  # noqa: N802
        account = require_player().id
        command = table_pb2.Command(
            request_id=request_id(),
            act=table_pb2.ActCommand(command_id=request.command_id, move=request.move, turn=request.turn),
        )

        async def ours() -> table_pb2.ActResponse:
            accepted = await self._ask("act", request.table, act.act, command, account)
            return table_pb2.ActResponse(accepted=accepted)

        return await self._ours_or(request, context, "Act", ours)

    async def Ready(self, request: table_pb2.ReadyRequest, context: Context) -> Any:  # noqa: N802
        account = require_player().id
        command = table_pb2.Command(
            ready=table_pb2.ReadyCommand(contribution=request.contribution, hand=request.hand)
        )

        async def ours() -> table_pb2.ReadyResponse:
            await self._ask("ready", request.table, ready.ready, command, account)
            return table_pb2.ReadyResponse()

        return await self._ours_or(request, context, "Ready", ours)

    async def GetView(self, request: table_pb2.GetViewRequest, context: Context) -> Any:  # noqa: N802
        account = require_player().id

        async def ours() -> table_pb2.GetViewResponse:
            frame = gateway_pb2.ConnectResponse.FromString(
                await self._ask("view", request.table, _view, account=account)
            )
            return table_pb2.GetViewResponse(update=frame.messages[0].table)

        return await self._ours_or(request, context, "GetView", ours)

    async def ReportTimeUp(self, request: table_pb2.ReportTimeUpRequest, context: Context) -> Any:  # noqa: N802
        require_service("clock", _ME)

        async def ours() -> table_pb2.ReportTimeUpResponse:
            left = await self._ask("time_up", request.table, timeup.report)
            return table_pb2.ReportTimeUpResponse(again_in_ms=left)

        return await self._ours_or(request, context, "ReportTimeUp", ours)

    async def VoidMatch(self, request: table_pb2.VoidMatchRequest, context: Context) -> Any:  # noqa: N802
        require_service("lobby", _ME)
        return await self._ours_or(
            request,
            context,
            "VoidMatch",
            lambda: self._ask("void", request.table, match.void_as(request.reason)),
        )

    async def Link(  # noqa: N802
        self, request_iterator: AsyncIterator[table_pb2.LinkRequest], context: Context
    ) -> AsyncIterator[table_pb2.LinkResponse]:
        require_service("gateway", _ME)
        link = Link(self._engine, self._forwarder, self._players)
        self._links.add(link)
        try:
            async for frame in link.serve(request_iterator):
                yield frame
        finally:
            self._links.discard(link)

    def go_away(self) -> None:
        """Tells every link that this worker is stopping."""
        for link in self._links:
            link.go_away()

    async def _ours_or(
        self, request: Any, context: Context, method: str, ours: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Handles the call here, or has the owner do it."""
        if self._forwarder.is_ours(request.table):
            return await ours()
        metadata = dict(context.invocation_metadata() or ())
        if _FORWARDED_KEY in metadata:
            raise not_owner()
        passed_on = [(_FORWARDED_KEY, "1")]
        if _PLAYER_KEY in metadata:
            passed_on.append((_PLAYER_KEY, metadata[_PLAYER_KEY]))
        return await getattr(self._forwarder.owner(request.table), method)(request, metadata=passed_on)

    def _ask(
        self,
        kind: str,
        table: str,
        handler: Handler,
        command: table_pb2.Command = NOTHING,
        account: str = "",
    ) -> asyncio.Future[Any]:
        """Has the table's queue handle it; the result."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answer(result: Any, _shown: object = ()) -> None:
            if not future.done():
                future.set_result(result)

        def fail(error: TavoloError) -> None:
            if not future.done():
                future.set_exception(error)

        self._engine.submit(
            Request(
                kind,
                table,
                handler,
                answer,
                fail,
                arrived_ms=self._engine.clock_ms(),
                command=command,
                account=account,
            )
        )
        return future


async def _view(engine: Engine, hosted: Hosted, request: Request) -> None:
    """The present view for the account that asks: its seat's, or a spectator's."""
    table = hosted.table or await engine.table(hosted)
    views = Views(table, table.time(engine.clock_ms()))
    request.answer(views.message(table.seat_of(request.account), as_json=False, with_info=True))
