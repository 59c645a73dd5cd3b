"""The record of all that was said: SQL only. Times are the database's."""

from dataclasses import dataclass, replace
from datetime import datetime

import asyncpg
from tavolo.chat.v1.chat_pb2 import ChatMessage

_SELECT = """
SELECT room, number, account, nickname, message_id, said, shown, verdict, time FROM messages WHERE """


@dataclass(frozen=True, slots=True)
class Recorded:
    """One message. number: None if it was refused; said: as it was written; shown: as others read it."""

    room: str
    number: int | None
    account: str
    nickname: str
    message_id: str
    said: str
    shown: str
    verdict: str
    time: datetime | None = None

    def message(self) -> ChatMessage:
        """The message as others get it."""
        made = ChatMessage(
            room=self.room,
            number=self.number or 0,
            account=self.account,
            nickname=self.nickname,
            text=self.shown,
        )
        if self.time is not None:
            made.time.FromDatetime(self.time)
        return made


async def has_room(db: asyncpg.Pool, room: str) -> bool:
    """Whether somebody has spoken there."""
    return await db.fetchval("SELECT 1 FROM rooms WHERE room = $1", room) is not None


async def lock_room(connection: asyncpg.Connection, room: str) -> int:
    """Nobody else numbers messages of the room until the transaction ends; the number of its newest one."""
    last: int = await connection.fetchval(
        "INSERT INTO rooms AS r (room) VALUES ($1)"
        " ON CONFLICT (room) DO UPDATE SET last = r.last RETURNING last",
        room,
    )
    return last


async def find(connection: asyncpg.Connection, account: str, message_id: str) -> Recorded | None:
    """What the account has said under this id."""
    row = await connection.fetchrow(
        _SELECT + "account = $1 AND message_id = $2",
        account,
        message_id,
    )
    return None if row is None else Recorded(*row)


async def record(connection: asyncpg.Connection, said: Recorded) -> Recorded:
    """Writes a message of a locked room; with the time that it got."""
    time = await connection.fetchval(
        "INSERT INTO messages (room, number, account, nickname, message_id, said, shown, verdict)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING time",
        said.room, said.number, said.account, said.nickname, said.message_id, said.said, said.shown,
        said.verdict,
    )  # fmt: skip
    if said.number is not None:
        await connection.execute("UPDATE rooms SET last = $2 WHERE room = $1", said.room, said.number)
    return replace(said, time=time)


async def history(db: asyncpg.Pool, room: str, after: int, limit: int) -> list[Recorded]:
    """Messages with a number above `after`, oldest first."""
    rows = await db.fetch(
        _SELECT + "room = $1 AND number > $2 ORDER BY number LIMIT $3",
        room, after, limit,
    )  # fmt: skip
    return [Recorded(*row) for row in rows]


async def rooms_to_publish(db: asyncpg.Pool) -> list[str]:
    """Rooms with messages that the stream may not have."""
    rows = await db.fetch("SELECT DISTINCT room FROM messages WHERE NOT published AND number IS NOT NULL")
    return [row["room"] for row in rows]


async def to_publish(connection: asyncpg.Connection, room: str, limit: int) -> list[Recorded]:
    """The room's oldest messages that the stream may not have; nobody else publishes there until the
    transaction ends.
    """
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('chat ' || $1, 0))", room)
    rows = await connection.fetch(
        _SELECT + "room = $1 AND NOT published AND number IS NOT NULL"
        " ORDER BY number LIMIT $2",
        room, limit,
    )  # fmt: skip
    return [Recorded(*row) for row in rows]


async def mark_published(connection: asyncpg.Connection, room: str, up_to: int) -> None:
    """The stream has the room's messages up to this number."""
    await connection.execute(
        "UPDATE messages SET published = true WHERE room = $1 AND number <= $2 AND NOT published", room, up_to
    )
