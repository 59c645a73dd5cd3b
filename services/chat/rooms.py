"""Which rooms there are: `lobby`, and every table. A room that somebody has spoken in is known without
asking.
"""

from typing import TYPE_CHECKING

import asyncpg
import grpc
from tavolo.common.v1 import error_pb2
from tavolo.lobby.v1 import lobby_pb2

from services.chat import messages
from services.runtime.errors import from_rpc_error, not_found
from services.runtime.ids import valid_id

if TYPE_CHECKING:
    from tavolo.lobby.v1.lobby_pb2_grpc import LobbyServiceAsyncStub

LOBBY = "lobby"


class Rooms:
    """Asks the lobby for tables."""

    def __init__(self, pool: asyncpg.Pool, lobby: "LobbyServiceAsyncStub") -> None:
        self._pool = pool
        self._lobby = lobby

    async def require(self, room: str) -> None:
        """Raises NOT_FOUND if there is no such room, UNAVAILABLE if that cannot be known now."""
        if room == LOBBY:
            return
        if not valid_id(room, "tbl"):
            raise not_found("no such room", "room")
        if await messages.has_room(self._pool, room):
            return
        try:
            await self._lobby.GetTable(lobby_pb2.GetTableRequest(table=room))
        except grpc.aio.AioRpcError as error:
            refusal = from_rpc_error(error)
            if refusal.reason == error_pb2.ERROR_REASON_NOT_FOUND:
                raise not_found("no such room", "room") from error
            raise refusal from error
