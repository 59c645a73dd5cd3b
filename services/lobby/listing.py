"""Which tables there are, page by page, and where an account sits."""

import asyncpg
from tavolo.common.v1.page_pb2 import PageInfo
from tavolo.lobby.v1 import lobby_pb2 as pb

from services.lobby import rooms
from services.lobby.rooms import Room
from services.runtime import paging
from services.runtime.errors import invalid


async def list_tables(pool: asyncpg.Pool, request: pb.ListTablesRequest) -> tuple[list[Room], PageInfo]:
    """Newest first. Raises INVALID_FIELD (state, page)."""
    if request.state not in pb.RoomState.values():
        raise invalid("state", "no such state")
    state = pb.RoomState.Name(request.state).removeprefix("ROOM_STATE_") if request.state else ""
    listing = f"ListTables {request.game} {state}"
    wanted = paging.size(request.page)
    before = paging.position(request.page, listing, [int])
    found = await rooms.read(
        pool,
        "($1 = '' OR game = $1) AND CASE WHEN $2 = '' THEN state <> 'CLOSED' ELSE state = $2 END"
        " AND ($3::bigint IS NULL OR number < $3) ORDER BY number DESC LIMIT $4",
        request.game, state, before[0] if before else None, wanted + 1,
    )  # fmt: skip
    page, info = paging.cut(found, wanted, listing, lambda room: [room.row["number"]])
    return list(page), info


async def seats_of(pool: asyncpg.Pool, account: str) -> list[Room]:
    """The tables at which the account sits, newest first."""
    return await rooms.read(
        pool, "id IN (SELECT table_id FROM seats WHERE account = $1 AND live) ORDER BY number DESC", account
    )
