"""Keeps the deadlines of the log streams that this replica looks after, and tells the engine when they are
due.

The log is what makes a deadline last: whoever takes a stream up reads the last fact of every table anew. How
much of that time had passed before, nobody but the engine knows; so a table that is found running is told at
once, and the engine answers how long it still has. From then on facts give the time left, counted down from
receipt by the monotonic clock. The engine decides by the log whether anything has expired: to tell it too
early, or twice, does no harm.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

from tavolo.common.v1 import error_pb2

from services.clock import facts, metrics
from services.clock.deadlines import Deadlines, Due
from services.runtime.errors import TavoloError, reason_name
from services.runtime.logs import logger
from services.runtime.messages import StoredMessage
from services.runtime.shards import shard_of, stream_of

Follow = Callable[[int, Callable[[], None]], AsyncIterator[StoredMessage]]
"""The facts of a log stream, each table's last first. Calls its second argument if it was made anew."""
LastSequence = Callable[[int], Awaitable[int]]
"""The sequence of the newest message of a log stream, 0 if it is empty or not there yet."""
Report = Callable[[str, int], Awaitable[int | None]]
"""Tells the engine (table, version); ms until it wants to be told again. TavoloError: it could not decide."""
Spawn = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]

_RETRY_LEAST_S = 0.05
# An answer of "0 ms" means at once, not in a busy loop.
_AGAIN_LEAST_S = 0.002
# No use in asking again: what makes such a table playable is a new entry of its log, and so a new fact.
_FOR_GOOD = (
    error_pb2.ERROR_REASON_NOT_FOUND,
    error_pb2.ERROR_REASON_INVALID_FIELD,
    error_pb2.ERROR_REASON_NOT_PERMITTED,
    error_pb2.ERROR_REASON_TABLE_PARKED,
)


class Keeper:
    """All deadlines of this replica; `acquire` and `release` are called by its leases."""

    def __init__(
        self,
        follow: Follow,
        last_sequence: LastSequence,
        report: Report,
        spawn: Spawn,
        *,
        in_flight: int,
        retry_most_s: float,
    ) -> None:
        self._follow = follow
        self._last_sequence = last_sequence
        self._report = report
        self._spawn = spawn
        self._most_in_flight = in_flight
        self._retry_most_s = retry_most_s
        self._deadlines = Deadlines()
        self._followers: dict[int, asyncio.Task[None]] = {}
        self._in_flight = 0
        self._failures: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = float("inf")
        metrics.DEADLINES_HELD.set_function(lambda: len(self._deadlines))

    # What the leases and the service ask

    async def acquire(self, stream: int) -> None:
        """Looks after a log stream from now on."""
        self._followers[stream] = self._spawn(self._keep(stream), f"follow-{stream}")

    async def release(self, stream: int) -> None:
        """Somebody else does."""
        follower = self._followers.pop(stream)
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        self._forget(stream)

    @property
    def held(self) -> int:
        """How many deadlines run."""
        return len(self._deadlines)

    @property
    def streams(self) -> list[int]:
        """The log streams, ascending."""
        return sorted(self._followers)

    def nearest_ms(self) -> int | None:
        """Milliseconds until the nearest deadline that has not been told; None if there is none."""
        nearest = self._deadlines.nearest()
        if nearest is None:
            return None
        return max(0, round((nearest - asyncio.get_running_loop().time()) * 1000))

    # Facts in

    async def _keep(self, stream: int) -> None:
        """Follows the facts of a stream, for ever. What was there before is told at once."""
        now = asyncio.get_running_loop().time
        known_before = await self._last_sequence(stream)
        deadlines = self._deadlines
        async for message in self._follow(stream, lambda: self._forget(stream)):
            metrics.FACTS.inc()
            try:
                table, version, left_ms = facts.read(message)
            except ValueError as error:
                # The engine parks such a table; the others go on.
                logger().error("fact_unreadable", sequence=message.sequence, stream=stream, error=str(error))
                continue
            if left_ms is None:
                deadlines.forget(table)
                continue
            at = now() if message.sequence <= known_before else now() + left_ms / 1000
            if deadlines.put(table, version, at) and at < self._timer_at:
                self._set_timer(at)

    def _forget(self, stream: int) -> None:
        self._deadlines.forget_all(lambda table: stream_of(shard_of(table)) == stream)

    # Reports out

    def _set_timer(self, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = at
        self._timer = asyncio.get_running_loop().call_at(at, self._fire)

    def _fire(self) -> None:
        """Tells what is due, the nearest first, as many as may be in flight; sets the timer for what follows.

        With as many in flight as may be, the next answer calls it again.
        """
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = None, float("inf")
        now = asyncio.get_running_loop().time()
        while self._in_flight < self._most_in_flight:
            due = self._deadlines.take(now)
            if due is None:
                following = self._deadlines.next_at()
                if following is not None:
                    self._set_timer(following)
                return
            self._in_flight += 1
            metrics.REPORTS_IN_FLIGHT.set(self._in_flight)
            metrics.FIRING_LAG_SECONDS.observe(now - due.at)
            self._spawn(self._tell(due), f"tell-{due.table}")

    async def _tell(self, due: Due) -> None:
        table, version, _ = due
        try:
            again_in_ms = await self._report(table, version)
        except TavoloError as error:
            wait_s = self._wait_after(error, due)
        else:
            self._failures.pop(table, None)
            metrics.REPORTS.labels("done" if again_in_ms is None else "again").inc()
            wait_s = None if again_in_ms is None else max(again_in_ms / 1000, _AGAIN_LEAST_S)
        self._in_flight -= 1
        metrics.REPORTS_IN_FLIGHT.set(self._in_flight)
        if wait_s is None:
            self._deadlines.forget(table, version)
        else:
            self._deadlines.again(table, version, asyncio.get_running_loop().time() + wait_s)
        self._fire()

    def _wait_after(self, error: TavoloError, due: Due) -> float | None:
        """Seconds until the next try after a refusal; None: it is no use."""
        reason = reason_name(error.reason)
        if error.reason in _FOR_GOOD:
            self._failures.pop(due.table, None)
            metrics.REPORTS.labels("refused").inc()
            logger().warning("deadline_refused", table=due.table, version=due.version, reason=reason)
            return None
        metrics.REPORTS.labels("retried").inc()
        failures = self._failures.get(due.table, 0)
        self._failures[due.table] = failures + 1
        logger().debug("deadline_retried", table=due.table, version=due.version, reason=reason)
        longest_s = min(_RETRY_LEAST_S * 2 ** min(failures, 10), self._retry_most_s)
        return random.uniform(longest_s / 2, longest_s)  # noqa: S311 - jitter, no secret
