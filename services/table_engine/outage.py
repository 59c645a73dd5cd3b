"""Signs of life, and what an outage of ours costs the players: nothing (clock.md, section 7)."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson
from tavolo.table.v1 import log_pb2

from services.runtime.bus import Bus
from services.runtime.bus_errors import AppendUnknown, BusError
from services.runtime.errors import unavailable
from services.runtime.logs import logger
from services.runtime.wire import NotConnected
from services.table_engine import metrics

if TYPE_CHECKING:
    from services.table_engine.engine import Engine
    from services.table_engine.hosted import Hosted
    from services.table_engine.table import Table

STREAM = "TABLE_ALIVE"
_SIGN_S = 1.0
_LIMIT_S = 0.9
# Two signs further apart than this have an outage between them.
_GAP_MS = 2_000


class SignOfLife:
    """Stores every second that this worker serves. `last_ms`: the last stored sign, on the worker's clock."""

    def __init__(self, bus: Bus, incarnation: str, clock_ms: Callable[[], int]) -> None:
        self._bus = bus
        self._subject = subject(incarnation)
        self._clock_ms = clock_ms
        self.incarnation = incarnation
        self.last_ms = clock_ms()
        self._ended = asyncio.Event()

    def end(self) -> None:
        """No sign is stored any more: from now on nobody is charged for this worker's slowness in handing
        its tables over."""
        self._ended.set()

    async def run(self, on_gap: Callable[[int], None]) -> None:
        """Until `end`. `on_gap(from_ms)`: we are serving again after an outage that began then."""
        while not self._ended.is_set():
            now = self._clock_ms()
            try:
                await self._bus.append(self._subject, orjson.dumps({"worker_ms": now}), timeout=_LIMIT_S)
            except (BusError, AppendUnknown) as error:
                logger().debug("sign_of_life_not_stored", error=repr(error))
            else:
                before, self.last_ms = self.last_ms, now
                if now - before > _GAP_MS:
                    logger().warning("outage_ended", ms=now - before)
                    on_gap(before)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _SIGN_S)


def subject(incarnation: str) -> str:
    """Where a worker's signs of life are stored."""
    return f"tavolo.table.alive.{incarnation}"


async def resume(engine: "Engine", hosted: "Hosted", table: "Table") -> None:
    """Sets the table's time going at this worker; if it was not served since its last entry, the log says
    so first.

    Without an outage (the table only left this worker's memory) nothing is written.
    """
    if table.worker == engine.incarnation:
        served_until = engine.shards.lost_after(hosted.shard, table.worker_ms)
        if served_until is None:
            return
    else:
        served_until = await _last_sign(engine.bus, table.worker)
    down_at = table.at + max(0, served_until - table.worker_ms)
    table.base = engine.clock_ms() - down_at
    if table.over:
        return
    metrics.OUTAGES.inc()
    resumed = log_pb2.ServiceResumed(down_at_ms=down_at, present=sorted(_present(hosted, table)))
    await engine.commit(hosted, table, down_at, log_pb2.LogRecord(resumed=resumed))


def _present(hosted: "Hosted", table: "Table") -> set[int]:
    """The seats whose clients have the table, or are about to: they wait in the queue to be attached."""
    seats = {attachment.seat for attachment in hosted.attachments.values()}
    for request in hosted.waiting or ():
        if request.kind == "attach" and not request.command.attach.watch:
            seats.add(table.seat_of(request.account))
    return {seat for seat in seats if seat is not None}


async def _last_sign(bus: Bus, incarnation: str) -> int:
    """The last stored sign of a worker, on its clock; 0 when none is kept any more."""
    try:
        stored = await bus.last(STREAM, subject(incarnation))
    except (BusError, NotConnected, TimeoutError) as error:
        raise unavailable("the signs of life cannot be read now") from error
    return int(orjson.loads(stored.data)["worker_ms"]) if stored else 0
