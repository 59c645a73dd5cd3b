"""Publishes what was recorded to the stream CHAT: every message once, each room in order.

Each append expects the sequence of the room's last message there, and that message's id says how far a room
has come: after a crash or a lost answer it is read from the stream. A second publisher can therefore do no
harm.
"""

import asyncio
from datetime import UTC, datetime

import asyncpg

from services.chat import messages, metrics
from services.chat.messages import Recorded
from services.runtime.bus import AppendUnknown, Bus, BusError
from services.runtime.db import TROUBLE
from services.runtime.logs import logger
from services.runtime.streams import StreamConfig, kept_a_week
from services.runtime.wire import NotConnected

STREAM = "CHAT"
_BATCH = 100
_RETRY_LEAST_S = 0.1
_TROUBLE = (AppendUnknown, BusError, NotConnected, *TROUBLE)


def stream(replicas: int) -> StreamConfig:
    """The stream that gateways follow."""
    return kept_a_week(STREAM, "tavolo.chat.message.*", replicas)


def subject(room: str) -> str:
    """Where what is said in a room is published."""
    return f"tavolo.chat.message.{room}"


class Publisher:
    """Run it with `App.spawn(publisher.run(), ...)`."""

    def __init__(self, pool: asyncpg.Pool, bus: Bus, retry_most_s: float) -> None:
        self._pool = pool
        self._bus = bus
        self._retry_most_s = retry_most_s
        self._rooms: dict[str, None] = {}
        self._waiting = asyncio.Event()

    def wake(self, room: str) -> None:
        """A message of the room was recorded."""
        self._rooms[room] = None
        self._waiting.set()

    async def run(self) -> None:
        """Publishes for ever, first of all what an earlier process has left."""
        pause_s = _RETRY_LEAST_S
        looked = False
        while True:
            try:
                if not looked:
                    self._rooms.update(dict.fromkeys(await messages.rooms_to_publish(self._pool)))
                    looked = True
                while self._rooms:
                    await self._publish_next_room()
                    pause_s = _RETRY_LEAST_S
            except _TROUBLE as error:
                metrics.PUBLISH_FAILURES.inc()
                logger().warning("chat_not_published", error=repr(error), again_s=pause_s)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, self._retry_most_s)
            else:
                self._waiting.clear()
                await self._waiting.wait()

    async def _publish_next_room(self) -> None:
        """Publishes a batch of the first room in the queue, which stays there while something may be left."""
        room = next(iter(self._rooms))
        del self._rooms[room]
        left = True
        try:
            left = await self._publish_batch(room)
        finally:
            if left:
                self._rooms[room] = None

    async def _publish_batch(self, room: str) -> bool:
        """Publishes a room's oldest messages; whether there were any."""
        async with self._pool.acquire() as connection, connection.transaction():
            waiting = await messages.to_publish(connection, room, _BATCH)
            if waiting:
                await self._append(room, waiting)
                await messages.mark_published(connection, room, waiting[-1].number or 0)
        return bool(waiting)

    async def _append(self, room: str, waiting: list[Recorded]) -> None:
        last = await self._bus.last(STREAM, subject(room))
        sequence = 0 if last is None else last.sequence
        newest = None if last is None else last.header("Nats-Msg-Id")
        ids = [f"{each.account}.{each.message_id}" for each in waiting]
        published = ids.index(newest) + 1 if newest in ids else 0
        for each, message_id in zip(waiting[published:], ids[published:], strict=True):
            sequence = await self._bus.append(
                subject(room),
                each.message().SerializeToString(),
                msg_id=message_id,
                expected_last=sequence,
            )
            metrics.PUBLISHED.inc()
            if each.time is not None:
                metrics.PUBLISH_LAG_SECONDS.observe((datetime.now(UTC) - each.time).total_seconds())
