"""Tables that nobody uses leave memory; the next command brings them back from their logs."""

import asyncio

from services.table_engine import metrics
from services.table_engine.engine import Engine

_PASS_S = 5.0


async def run(engine: Engine) -> None:
    """For ever: a pass over the tables every few seconds."""
    while True:
        await asyncio.sleep(_PASS_S)
        evict(engine)


def evict(engine: Engine) -> None:
    """One pass. A result that is not published yet, or a hand that is not settled, keeps its table."""
    now = engine.clock_ms()
    settings = engine.settings
    for hosted in engine.hosted():
        table = hosted.table
        if table is None or hosted.task is not None or hosted.covering is not None:
            continue
        if table.over and not table.published:
            continue
        limit_s = settings.evict_over_after_s if table.over else settings.evict_after_s
        if limit_s and now - hosted.used_ms > limit_s * 1000:
            engine.evict(hosted)
            metrics.EVICTED.inc()
