"""What a message of the results stream leads to: settled once, repeated in vain, an alarm, or refused."""

import time
from collections.abc import Callable

import asyncpg

from services.runtime.errors import unavailable
from services.runtime.logs import bind, logger
from services.runtime.messages import StoredMessage
from services.scoring import metrics, results
from services.scoring.shares import BadResultError

STREAM = "TABLE_RESULTS"
SUBJECT = "tavolo.table.result.>"
DURABLE = "scoring"

# Somebody else is at the same rows: the result is as good as before, and this is no failure of it.
_BUSY = (
    asyncpg.LockNotAvailableError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.QueryCanceledError,
)


class Results:
    """The handler of the durable consumer `scoring`. What it returns from is committed.

    `committed` is called when there are notices to publish.
    """

    def __init__(self, pool: asyncpg.Pool, committed: Callable[[], None]) -> None:
        self._pool = pool
        self._committed = committed

    async def handle(self, message: StoredMessage) -> None:
        """BadResultError: the message can never be settled; UNAVAILABLE: not now."""
        started = time.perf_counter()
        try:
            handled = await results.handle(self._pool, message.data)
        except BadResultError:
            metrics.RESULTS.labels("refused").inc()
            raise
        except _BUSY as error:
            raise unavailable(f"the ledger is busy: {type(error).__name__}") from error
        bind(match=handled.match)
        if handled.alarm is not None:
            metrics.ALARMS.labels(handled.alarm).inc()
            logger().error("result_alarm", kind=handled.alarm, sequence=message.sequence)
        if handled.fresh:
            metrics.SETTLE_SECONDS.observe(time.perf_counter() - started)
            self._committed()
        metrics.RESULTS.labels(_label(handled)).inc()


def _label(handled: results.Handled) -> str:
    if handled.alarm is not None:
        return "alarm"
    return ("void" if handled.void else "settled") if handled.fresh else "repeated"
