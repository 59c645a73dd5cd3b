"""Tables as rows: reading them, locking them, and the steps of a table's life. All within the caller's
transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import asyncpg
from tavolo.common.v1.money_pb2 import Money
from tavolo.lobby.v1 import lobby_pb2 as pb

from services.lobby.notices import table_changed
from services.lobby.wanted import CURRENCY
from services.runtime.errors import not_found
from services.runtime.ids import MatchId, new_id, valid_id
from services.runtime.outbox import put

_ROOM = "id, number, game, options, seats, stake_cents, chip_cents, speed, state, match, opened"
_SEATED = """
SELECT s.table_id, s.seat, s.account, s.computer, a.nickname FROM seats s JOIN accounts a ON a.id = s.account
WHERE s.table_id = any($1) ORDER BY s.table_id, s.seat
"""
_IDLEST_COMPUTERS = """
SELECT a.id, a.nickname FROM accounts a LEFT JOIN seats s ON s.account = a.id AND s.live AND s.computer
WHERE a.kind = 'computer' AND a.id <> all($1) GROUP BY a.id ORDER BY count(s.account), random() LIMIT $2
"""


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody on a seat."""

    seat: int
    account: str
    nickname: str
    computer: bool


@dataclass(frozen=True, slots=True)
class Room:
    """A table with who sits there. match: None before it starts."""

    row: asyncpg.Record
    seated: tuple[Seated, ...]

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def state(self) -> str:
        return str(self.row["state"])

    @property
    def match(self) -> str | None:
        found: str | None = self.row["match"]
        return found

    @property
    def seats(self) -> int:
        return int(self.row["seats"])

    @property
    def is_full(self) -> bool:
        return len(self.seated) == self.seats

    @property
    def stake(self) -> Money:
        return Money(cents=self.row["stake_cents"], currency=CURRENCY)

    @property
    def chip(self) -> Money:
        """What a chip is worth."""
        return Money(cents=self.row["chip_cents"], currency=CURRENCY)

    @property
    def people(self) -> list[Seated]:
        """Those who are no computer players."""
        return [each for each in self.seated if not each.computer]

    def seat_of(self, account: str) -> int | None:
        """Where the account sits."""
        return next((each.seat for each in self.seated if each.account == account), None)

    def free_seats(self) -> list[int]:
        """Ascending."""
        taken = {each.seat for each in self.seated}
        return [seat for seat in range(self.seats) if seat not in taken]

    def message(self) -> pb.Table:
        """The room as callers get it."""
        made = pb.Table(
            id=self.id,
            game=self.row["game"],
            options=self.row["options"],
            stake=self.stake,
            chip=self.chip,
            state=pb.RoomState.Value(f"ROOM_STATE_{self.state}"),
            seats=[pb.RoomSeat() for _ in range(self.seats)],
            match=self.match or "",
            speed=self.row["speed"],
        )
        for each in self.seated:
            made.seats[each.seat].CopyFrom(
                pb.RoomSeat(account=each.account, nickname=each.nickname, computer=each.computer)
            )
        made.opened.FromDatetime(self.row["opened"])
        return made


async def read(db: asyncpg.Connection | asyncpg.Pool, where: str, *values: object) -> list[Room]:
    """The rooms that an SQL condition (and order) of ours names, each with its seats."""
    # `where` is never a caller's.
    rows = await db.fetch(f"SELECT {_ROOM} FROM tables WHERE {where}", *values)  # noqa: S608
    seated: dict[str, list[Seated]] = {row["id"]: [] for row in rows}
    for seat in await db.fetch(_SEATED, list(seated)):
        seated[seat["table_id"]].append(
            Seated(seat["seat"], seat["account"], seat["nickname"], seat["computer"])
        )
    return [Room(row, tuple(seated[row["id"]])) for row in rows]


async def get(db: asyncpg.Connection | asyncpg.Pool, table: str) -> Room:
    """One room. Raises NOT_FOUND."""
    found = await read(db, "id = $1", table) if valid_id(table, "tbl") else []
    if not found:
        raise not_found("no such table", "table")
    return found[0]


async def lock(connection: asyncpg.Connection, table: str) -> Room:
    """One room, which nobody else changes until the transaction ends. Raises NOT_FOUND."""
    await connection.execute("SELECT FROM tables WHERE id = $1 FOR UPDATE", table)
    return await get(connection, table)


async def sit(connection: asyncpg.Connection, table: str, seat: int, account: str, computer: bool) -> None:
    """Takes a free seat. Raises UniqueViolationError (`seats_one_an_account`) if they sit elsewhere."""
    await connection.execute(
        "INSERT INTO seats (table_id, seat, account, computer) VALUES ($1, $2, $3, $4)",
        table, seat, account, computer,
    )  # fmt: skip


async def stand_up(connection: asyncpg.Connection, table: str, account: str) -> None:
    """Gives a seat up."""
    await connection.execute("DELETE FROM seats WHERE table_id = $1 AND account = $2", table, account)


async def begin_start(connection: asyncpg.Connection, table: str) -> None:
    """All seats are taken: the match gets its id and the starter its work."""
    await connection.execute(
        "UPDATE tables SET state = 'STARTING', match = $2 WHERE id = $1", table, MatchId(new_id("mch"))
    )


async def reopen(connection: asyncpg.Connection, table: str) -> None:
    """The start came to nothing and a seat is free again."""
    await connection.execute("UPDATE tables SET state = 'OPEN', match = NULL WHERE id = $1", table)


async def close(connection: asyncpg.Connection, table: str) -> None:
    """Nobody sits there any more."""
    await connection.execute("UPDATE tables SET state = 'CLOSED' WHERE id = $1", table)
    await connection.execute("UPDATE seats SET live = false WHERE table_id = $1", table)


async def tell(connection: asyncpg.Connection, table: str, seated: Iterable[Seated], text: str) -> None:
    """Tells people that something happened at their table."""
    await put(connection, [table_changed(each.account, table, text) for each in seated if not each.computer])


async def pick_computers(connection: asyncpg.Connection, wanted: int, without: Sequence[str]) -> list[Seated]:
    """Computer players who are not among `without`, those with the fewest tables first. Fewer if there are
    not as many.
    """
    rows = await connection.fetch(_IDLEST_COMPUTERS, list(without), wanted)
    return [Seated(-1, row["id"], row["nickname"], True) for row in rows]
