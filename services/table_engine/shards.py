"""Which shards this worker serves, and since when: a thin layer over the leases."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from services.runtime.bus import Bus
from services.runtime.lease_map import Owner
from services.runtime.leases import Leases
from services.runtime.shards import SHARDS
from services.table_engine import metrics
from services.table_engine.outage import SignOfLife

GROUP = "tables"


class Shards:
    """The shards of one worker. `release(shard)` is awaited when one is given up: finish, then forget
    its tables."""

    def __init__(
        self,
        bus: Bus,
        life: SignOfLife,
        address: str,
        replicas: int,
        release: Callable[[int], Awaitable[None]],
    ) -> None:
        self._life = life
        self._release = release
        self._lost_ms: dict[int, int] = {}
        self._changed = asyncio.Event()
        self.leases = Leases(
            bus, GROUP, SHARDS, life.incarnation, address, self._taken, self._given_up, replicas
        )
        self.leases.watch.on_change(lambda _shard, _owner: self._changed.set())

    @property
    def member(self) -> str:
        """This worker among the owners."""
        return self._life.incarnation

    async def all_owned(self) -> None:
        """Waits until every shard has an owner, this worker or another: whoever asks for a table is
        served."""
        while any(self.leases.owner(shard) is None for shard in range(SHARDS)):
            await self._changed.wait()
            self._changed.clear()

    def serves(self, shard: int) -> bool:
        """Whether this worker may act for the tables of the shard now."""
        return self.leases.holds(shard)

    def owner(self, shard: int) -> Owner | None:
        """Who serves the shard."""
        return self.leases.owner(shard)

    def lost_after(self, shard: int, worker_ms: int) -> int | None:
        """Until when (this worker's clock) the shard was served, if it was given up at or after
        `worker_ms`."""
        lost = self._lost_ms.get(shard)
        return lost if lost is not None and lost >= worker_ms else None

    def interrupted(self, from_ms: int) -> None:
        """None of the shards was served for a while."""
        for shard in self.leases.held:
            self._lost_ms[shard] = from_ms

    async def _taken(self, shard: int) -> None:
        metrics.SHARD_CHANGES.labels("taken").inc()
        metrics.SHARDS_HELD.inc()
        self._changed.set()

    async def _given_up(self, shard: int) -> None:
        began = time.perf_counter()
        self._lost_ms[shard] = self._life.last_ms
        await self._release(shard)
        metrics.SHARD_CHANGES.labels("given_up").inc()
        metrics.SHARDS_HELD.dec()
        metrics.HANDOVER_SECONDS.observe(time.perf_counter() - began)
