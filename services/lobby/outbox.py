"""Notices to accounts: written in the transaction of the change that they tell of, published after it, once.

A row is deleted when the stream has it. Whether the last attempt of a row got through is read from the stream
(the message id of the subject's last message), so neither a crash between publish and delete nor a lost
answer publishes twice.
"""

import asyncio
from collections.abc import Iterable

import asyncpg
from tavolo.gateway.v1.gateway_pb2 import MatchStarted, Notice, TableChanged

from services.lobby.metrics import OUTBOX_FAILURES, OUTBOX_PUBLISHED
from services.runtime import notices
from services.runtime.bus import AppendUnknown, Bus, BusError
from services.runtime.db import TROUBLE
from services.runtime.logs import logger
from services.runtime.wire import NotConnected

_APPEND_S = 2.0
_RETRY_LEAST_S = 0.1
_TROUBLE = (AppendUnknown, BusError, NotConnected, *TROUBLE)
_NEXT = "SELECT id, message_id::text, account, notice FROM outbox ORDER BY id LIMIT 1"


def table_changed(table: str, text: str) -> Notice:
    """Somebody joined or left, or something else happened to a table before its match."""
    return Notice(table_changed=TableChanged(table=table, text=text))


def match_started(table: str, match: str, seat: int) -> Notice:
    """The match at a table has begun."""
    return Notice(match_started=MatchStarted(table=table, match=match, seat=seat))


async def put(connection: asyncpg.Connection, told: Iterable[tuple[str, Notice]]) -> None:
    """Writes (account, notice) pairs in the caller's transaction; `Outbox.wake` after its commit."""
    rows = [(account, notice.SerializeToString()) for account, notice in told]
    await connection.executemany("INSERT INTO outbox (account, notice) VALUES ($1, $2)", rows)


class Outbox:
    """Publishes what is waiting, in order; one publisher at a time over all replicas."""

    def __init__(self, pool: asyncpg.Pool, bus: Bus, retry_most_s: float) -> None:
        self._pool = pool
        self._bus = bus
        self._retry_most_s = retry_most_s
        self._waiting = asyncio.Event()
        self._uncertain = True

    def wake(self) -> None:
        """There is something to publish."""
        self._waiting.set()

    async def run(self) -> None:
        """Publishes for ever, first of all what an earlier process has left."""
        pause_s = _RETRY_LEAST_S
        while True:
            self._waiting.clear()
            try:
                while await self._publish_next():
                    pause_s = _RETRY_LEAST_S
            except _TROUBLE as error:
                self._uncertain = True
                OUTBOX_FAILURES.inc()
                logger().warning("notice_not_published", error=repr(error), again_s=pause_s)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, self._retry_most_s)
            else:
                await self._waiting.wait()

    async def _publish_next(self) -> bool:
        """Publishes the oldest notice; whether there was one."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext('lobby outbox'))")
            row = await connection.fetchrow(_NEXT)
            if row is None:
                return False
            subject = notices.subject("lobby", row["account"])
            message_id = row["message_id"]
            if not (self._uncertain and await self._is_published(subject, message_id)):
                self._uncertain = True
                await self._bus.append(subject, row["notice"], msg_id=message_id, timeout=_APPEND_S)
            await connection.execute("DELETE FROM outbox WHERE id = $1", row["id"])
        self._uncertain = False
        OUTBOX_PUBLISHED.inc()
        return True

    async def _is_published(self, subject: str, message_id: str) -> bool:
        last = await self._bus.last(notices.STREAM, subject)
        return last is not None and last.header("Nats-Msg-Id") == message_id
