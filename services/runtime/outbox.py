"""Notices to accounts: written in the transaction of the change that they tell of, published after its
commit, once.

A service that tells accounts something has a table `outbox` in its schema:

    id bigint GENERATED ALWAYS AS IDENTITY, account text, message_id (text or uuid, unique), notice bytea

with an index on (account, id). A row is deleted when the stream has it. A crash between the two, or a lost
answer, is found by the message id of the subject's last message: no account has more than one notice under
way.
"""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

import asyncpg
from tavolo.gateway.v1.gateway_pb2 import Notice

from services.runtime import notices
from services.runtime.bus import AppendUnknown, Bus, BusError
from services.runtime.db import TROUBLE
from services.runtime.logs import logger
from services.runtime.metrics import NOTICE_FAILURES, NOTICES_PUBLISHED
from services.runtime.wire import NotConnected

_APPEND_S = 2.0
_RETRY_LEAST_S = 0.1
_RETRY_MOST_S = 5.0
_TROUBLE = (AppendUnknown, BusError, NotConnected, *TROUBLE)
_LOCK = "SELECT pg_advisory_xact_lock(hashtext($1))"
# The oldest notice of each of the accounts that have waited longest.
_NEXT = """
SELECT id, account, message_id::text AS message_id, notice FROM outbox
WHERE id IN (SELECT min(id) FROM outbox GROUP BY account ORDER BY min(id) LIMIT 64) ORDER BY id
"""


class Message(NamedTuple):
    """A notice (without its number, which the stream gives) to an account; `message_id` names the fact that
    it tells."""

    account: str
    message_id: str
    notice: Notice


async def put(db: asyncpg.Connection, messages: Iterable[Message]) -> None:
    """Writes notices in the caller's transaction; `Outbox.wake` after its commit."""
    await db.executemany(
        "INSERT INTO outbox (account, message_id, notice) VALUES ($1, $2, $3)",
        [(one.account, one.message_id, one.notice.SerializeToString()) for one in messages],
    )


class Outbox:
    """Publishes what waits, an account's notices in order; one publisher at a time over all replicas.

    `part`: the service that writes (`lobby`), as in the subject.
    """

    def __init__(self, pool: asyncpg.Pool, bus: Bus, part: str, retry_most_s: float = _RETRY_MOST_S) -> None:
        self._pool = pool
        self._bus = bus
        self._part = part
        self._retry_most_s = retry_most_s
        self._waiting = asyncio.Event()

    def wake(self) -> None:
        """There is something to publish."""
        self._waiting.set()

    async def run(self) -> None:
        """Publishes for ever, first of all what an earlier process has left."""
        pause_s = _RETRY_LEAST_S
        while True:
            self._waiting.clear()
            try:
                while await self._publish_some():
                    pause_s = _RETRY_LEAST_S
            except _TROUBLE as error:
                NOTICE_FAILURES.labels(self._part).inc()
                logger().warning("notices_not_published", error=repr(error), again_s=pause_s)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, self._retry_most_s)
            else:
                await self._waiting.wait()

    async def _publish_some(self) -> int:
        """Publishes the oldest notice of each of some accounts; of how many. Raises what kept one of them
        back, when the others are done."""
        async with self._pool.acquire() as db, db.transaction():
            await db.execute(_LOCK, f"{self._part} outbox")
            rows = await db.fetch(_NEXT)
            failures = await asyncio.gather(*(self._publish(**row) for row in rows), return_exceptions=True)
            done = [row["id"] for row, failure in zip(rows, failures, strict=True) if failure is None]
            await db.execute("DELETE FROM outbox WHERE id = ANY($1)", done)
        NOTICES_PUBLISHED.labels(self._part).inc(len(done))
        for failure in failures:
            if failure is not None:
                raise failure
        return len(done)

    async def _publish(self, id: int, account: str, message_id: str, notice: bytes) -> None:  # noqa: A002
        subject = notices.subject(self._part, account)
        last = await self._bus.last(notices.STREAM, subject)
        if last is None or last.header("Nats-Msg-Id") != message_id:
            await self._bus.append(subject, notice, msg_id=message_id, timeout=_APPEND_S)
