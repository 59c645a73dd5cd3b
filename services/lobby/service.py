"""LobbyService: decode, authorise, do, encode."""

from typing import Any

import asyncpg
import grpc
from tavolo.lobby.v1 import lobby_pb2 as pb
from tavolo.lobby.v1.lobby_pb2_grpc import LobbyServiceServicer

from services.lobby import listing, rooms, wanted
from services.lobby.games import list_games
from services.lobby.tables import Tables
from services.runtime.auth import caller, require_player
from services.runtime.errors import unauthenticated

Context = grpc.aio.ServicerContext[Any, Any]


class LobbyRpc(LobbyServiceServicer):
    """The RPCs of protos/tavolo/lobby/v1/lobby.proto."""

    def __init__(self, pool: asyncpg.Pool, tables: Tables, most_stake_cents: int) -> None:
        self._pool = pool
        self._tables = tables
        self._most_stake_cents = most_stake_cents
        self._games = pb.ListGamesResponse(games=list_games())

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:  # noqa: N802
        return self._games

    async def OpenTable(self, request: pb.OpenTableRequest, context: Context) -> pb.OpenTableResponse:  # noqa: N802
        who = require_player()
        room = await self._tables.open(who, request.request_id, wanted.read(request, self._most_stake_cents))
        return pb.OpenTableResponse(table=room.message())

    async def ListTables(self, request: pb.ListTablesRequest, context: Context) -> pb.ListTablesResponse:  # noqa: N802
        _require_anybody()
        found, page = await listing.list_tables(self._pool, request)
        return pb.ListTablesResponse(tables=[room.message() for room in found], page=page)

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:  # noqa: N802
        _require_anybody()
        return pb.GetTableResponse(table=(await rooms.get(self._pool, request.table)).message())

    async def JoinTable(self, request: pb.JoinTableRequest, context: Context) -> pb.JoinTableResponse:  # noqa: N802
        seat = request.seat if request.HasField("seat") else None
        room, taken = await self._tables.join(require_player(), request.table, seat)
        return pb.JoinTableResponse(table=room.message(), seat=taken)

    async def LeaveTable(self, request: pb.LeaveTableRequest, context: Context) -> pb.LeaveTableResponse:  # noqa: N802
        await self._tables.leave(require_player(), request.table)
        return pb.LeaveTableResponse()

    async def AddComputer(self, request: pb.AddComputerRequest, context: Context) -> pb.AddComputerResponse:  # noqa: N802
        room, seat = await self._tables.add_computer(require_player(), request.table)
        return pb.AddComputerResponse(table=room.message(), seat=seat)

    async def GetSeats(self, request: pb.GetSeatsRequest, context: Context) -> pb.GetSeatsResponse:  # noqa: N802
        found = await listing.seats_of(self._pool, require_player().id)
        return pb.GetSeatsResponse(tables=[room.message() for room in found])


def _require_anybody() -> None:
    """Players and services alike, but no strangers."""
    if caller().kind == "anonymous":
        raise unauthenticated()
