"""Notices to accounts: written in the transaction that settles, published after its commit, once.

A row is deleted when the stream has it. A crash between the two, or a lost answer, is found by the message
id of the subject's last message: no account has more than one notice under way.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import asyncpg
from tavolo.gateway.v1.gateway_pb2 import Notice

from services.runtime import notices
from services.runtime.bus import AppendUnknown, Bus
from services.runtime.db import AWAY
from services.runtime.logs import logger
from services.scoring import metrics

_RETRY_LEAST_S = 0.1
_RETRY_MOST_S = 5.0
# The oldest notice of each of the accounts that have waited longest.
_NEXT = """
SELECT id, account, message_id, notice FROM outbox
WHERE id IN (SELECT min(id) FROM outbox GROUP BY account ORDER BY min(id) LIMIT 64) ORDER BY id
"""


class Message(NamedTuple):
    """A notice to an account; `message_id` names the fact that it tells."""

    account: str
    message_id: str
    notice: Notice


async def put(db: asyncpg.Connection, messages: Sequence[Message]) -> None:
    """Writes notices in the caller's transaction; `Outbox.wake` after its commit."""
    await db.executemany(
        "INSERT INTO outbox (account, message_id, notice) VALUES ($1, $2, $3)",
        [(one.account, one.message_id, one.notice.SerializeToString()) for one in messages],
    )


class Outbox:
    """Publishes what waits; one publisher at a time over all replicas."""

    def __init__(self, pool: asyncpg.Pool, bus: Bus) -> None:
        self._pool = pool
        self._bus = bus
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
            except (AppendUnknown, ConnectionError, asyncpg.InterfaceError, TimeoutError, *AWAY) as error:
                logger().warning("notices_not_published", error=repr(error), again_s=pause_s)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, _RETRY_MOST_S)
            else:
                await self._waiting.wait()

    async def _publish_some(self) -> int:
        """Publishes the oldest notice of each of some accounts; of how many."""
        async with self._pool.acquire() as db, db.transaction():
            await db.execute("SELECT pg_advisory_xact_lock(hashtext('scoring outbox'))")
            rows = await db.fetch(_NEXT)
            await asyncio.gather(*(self._publish(**row) for row in rows))
            await db.execute("DELETE FROM outbox WHERE id = ANY($1)", [row["id"] for row in rows])
        metrics.NOTICES_PUBLISHED.inc(len(rows))
        return len(rows)

    async def _publish(self, id: int, account: str, message_id: str, notice: bytes) -> None:  # noqa: A002
        subject = notices.subject("scoring", account)
        last = await self._bus.last(notices.STREAM, subject)
        if last is None or last.header("Nats-Msg-Id") != message_id:
            await self._bus.append(subject, notice, msg_id=message_id)
