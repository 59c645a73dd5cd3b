"""Opening, joining and leaving tables. Every step is one transaction with the table's row locked, notices
included.
"""

from collections.abc import Callable

import asyncpg
from tavolo.common.v1 import error_pb2

from services.lobby import rooms
from services.lobby.rooms import Room, Seated
from services.lobby.wanted import Wanted
from services.runtime.auth import Caller
from services.runtime.errors import TavoloError, id_reused, invalid, unavailable
from services.runtime.ids import TableId, new_id
from services.runtime.logs import logger

_ONE_SEAT = "seats_one_an_account"

Woken = Callable[[str], None]


class Tables:
    """What people do with tables before the match begins.

    changed: called after each commit; full: called with a table whose seats are all taken now.
    """

    def __init__(self, pool: asyncpg.Pool, changed: Callable[[], None], full: Woken) -> None:
        self._pool = pool
        self._changed = changed
        self._full = full

    async def open(self, who: Caller, request_id: str, wanted: Wanted) -> Room:
        """Opens a table, or gives the one that this request has opened. Raises ALREADY_SEATED, ID_REUSED."""
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                table = await self._open(connection, who, request_id, wanted)
        except asyncpg.UniqueViolationError as error:
            raise await self._refused(error, who) from error
        return await self._after(table)

    async def join(self, who: Caller, table: str, seat: int | None) -> tuple[Room, int]:
        """Takes the seat, or the first free one; the seat that one has already counts as taken now.

        Raises NOT_FOUND, TABLE_CLOSED, SEAT_TAKEN, ALREADY_SEATED, INVALID_FIELD (seat).
        """
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                room = await rooms.lock(connection, table)
                taken = await self._join(connection, room, who, seat)
        except asyncpg.UniqueViolationError as error:
            raise await self._refused(error, who) from error
        return await self._after(table), taken

    async def leave(self, who: Caller, table: str) -> None:
        """Gives the seat up; without people the table is closed. Raises NOT_FOUND, TABLE_CLOSED once the
        match has begun.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            room = await rooms.lock(connection, table)
            if room.seat_of(who.id) is None or room.state == "CLOSED":
                return
            if room.state != "OPEN":
                raise _closed("the match has begun: only `abandon` ends it for you")
            await rooms.stand_up(connection, table, who.id)
            others = [each for each in room.people if each.account != who.id]
            if others:
                await rooms.tell(connection, table, others, f"{who.nickname} left.")
            else:
                await rooms.close(connection, table)
        self._changed()

    async def add_computer(self, who: Caller, table: str) -> tuple[Room, int]:
        """Seats a computer player. Raises NOT_FOUND, NOT_SEATED, TABLE_CLOSED, SEAT_TAKEN."""
        async with self._pool.acquire() as connection, connection.transaction():
            room = await rooms.lock(connection, table)
            if room.seat_of(who.id) is None:
                raise TavoloError(error_pb2.ERROR_REASON_NOT_SEATED, "you do not sit at this table", "table")
            _require_free(room)
            seat = room.free_seats()[0]
            seated = await _seat_computers(connection, room, [seat])
            others = [each for each in room.people if each.account != who.id]
            await rooms.tell(connection, table, others, f"{seated[0].nickname} sat down.")
        return await self._after(table), seat

    async def _open(
        self, connection: asyncpg.Connection, who: Caller, request_id: str, wanted: Wanted
    ) -> str:
        made = await connection.fetchval(
            "INSERT INTO tables"
            " (id, game, options, seats, stake_cents, chip_cents, speed, state, opened_by, request_id,"
            " request_digest) VALUES ($1, $2, $3, $4, $5, $6, $7, 'OPEN', $8, $9, $10)"
            " ON CONFLICT (opened_by, request_id) DO NOTHING RETURNING id",
            TableId(new_id("tbl")), wanted.game, wanted.options, wanted.seats, wanted.stake_cents,
            wanted.chip_cents,
            wanted.speed, who.id, request_id, wanted.digest,
        )  # fmt: skip
        if made is None:
            earlier = await connection.fetchrow(
                "SELECT id, request_digest FROM tables WHERE opened_by = $1 AND request_id = $2",
                who.id,
                request_id,
            )
            if earlier["request_digest"] != wanted.digest:
                raise id_reused("this request id has opened another table", "request_id")
            return str(earlier["id"])
        await rooms.sit(connection, made, 0, who.id, computer=False)
        room = await rooms.get(connection, made)
        if wanted.computers or room.is_full:
            await _seat_computers(connection, room, list(range(1, 1 + wanted.computers)))
        logger().info("table_opened", table=made, player=who.id, game=wanted.game)
        return str(made)

    async def _join(self, connection: asyncpg.Connection, room: Room, who: Caller, wanted: int | None) -> int:
        if room.state == "CLOSED":
            raise _closed("this table is closed")
        own = room.seat_of(who.id)
        if own is not None:
            if wanted not in (None, own):
                raise _already_seated(room.id)
            return own
        if wanted is not None and not 0 <= wanted < room.seats:
            raise invalid("seat", f"must be 0 to {room.seats - 1}")
        _require_free(room)
        free = room.free_seats()
        if wanted is not None and wanted not in free:
            raise TavoloError(error_pb2.ERROR_REASON_SEAT_TAKEN, f"seat {wanted} is taken", "seat")
        seat = free[0] if wanted is None else wanted
        await rooms.sit(connection, room.id, seat, who.id, computer=False)
        await rooms.tell(connection, room.id, room.people, f"{who.nickname} sat down.")
        if len(free) == 1:
            await rooms.begin_start(connection, room.id)
        return seat

    async def _refused(self, error: asyncpg.UniqueViolationError, who: Caller) -> TavoloError:
        """What a violated constraint means to the caller."""
        if error.constraint_name != _ONE_SEAT:
            raise error
        table = await self._pool.fetchval("SELECT table_id FROM seats WHERE account = $1 AND live", who.id)
        return unavailable("your seat has just changed", 0.1) if table is None else _already_seated(table)

    async def _after(self, table: str) -> Room:
        room = await rooms.get(self._pool, table)
        if room.state == "STARTING":
            self._full(table)
        self._changed()
        return room


async def _seat_computers(connection: asyncpg.Connection, room: Room, seats: list[int]) -> list[Seated]:
    """Seats computer players there, and begins the start if the table is full then."""
    players = await rooms.pick_computers(connection, len(seats), [each.account for each in room.seated])
    if len(players) < len(seats):
        raise unavailable("no computer player is free")
    for seat, player in zip(seats, players, strict=True):
        await rooms.sit(connection, room.id, seat, player.account, computer=True)
    if len(room.seated) + len(seats) == room.seats:
        await rooms.begin_start(connection, room.id)
    return players


def _require_free(room: Room) -> None:
    if room.state == "CLOSED":
        raise _closed("this table is closed")
    if room.is_full:
        raise TavoloError(error_pb2.ERROR_REASON_SEAT_TAKEN, "all seats are taken", "table")


def _closed(text: str) -> TavoloError:
    return TavoloError(error_pb2.ERROR_REASON_TABLE_CLOSED, text, "table")


def _already_seated(table: str) -> TavoloError:
    return TavoloError(error_pb2.ERROR_REASON_ALREADY_SEATED, f"you sit at table {table} already", "table")
