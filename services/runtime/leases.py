"""Leases: which member of a group acts for which part (a shard, a log stream), and who is there at all.

A member renews one key a second; parts name their owner and count while that owner's key lives. Everybody
computes the same spread by rendezvous hashing: a member takes the parts that are its own when their owner is
dead or none, and hands over those that another living member should have, but not just after a member's end,
when much is being taken up. A lease decides who is asked, never what is true: writers are fenced by the log.

A take-over is a publish that expects the revision that the watcher reported, also that of an expiry marker
(finding 6 of OPERATIONS.md). After a restart of NATS the bucket is empty: everybody registers again, claims
what it held, and goes on.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import orjson

from services.runtime import metrics
from services.runtime.bus import Bus
from services.runtime.bus_errors import AppendNotSent, AppendUnknown, BusError, WrongLastSequence
from services.runtime.lease_map import Owner, Part, rightful
from services.runtime.lease_watch import STREAM, TTL_S, LeaseWatch, bucket
from services.runtime.logs import logger
from services.runtime.wire import NotConnected

__all__ = ["TTL_S", "LeaseWatch", "Leases", "bucket"]

_RENEW_S = TTL_S / 3
# Without a successful renewal a member stops acting well before others may take over.
_ACT_S = TTL_S * 2 / 3
_RETRY_S = 0.2
# After a member's end: who took its parts keeps them for so long, also when the dead member's successor is
# there already, so that nothing has to be taken up twice in a row.
_CALM_S = TTL_S
_WRITES_AT_ONCE = 32
PartCallback = Callable[[int], Awaitable[None]]
_BUS_TROUBLE = (BusError, AppendUnknown, NotConnected, TimeoutError)


class Leases:
    """This process's membership of a group, and its parts.

    `acquire(n)` is awaited before `holds(n)` becomes true; `release(n)` after it has become false and before
    another member is named owner: finish what is under way, then forget. With parts=0 it only registers.
    """

    def __init__(
        self,
        bus: Bus,
        group: str,
        parts: int,
        member_id: str,
        address: str,
        acquire: PartCallback | None = None,
        release: PartCallback | None = None,
        replicas: int = 1,
    ) -> None:
        self._bus = bus
        self._group = group
        self._parts = parts
        self._id = member_id
        self._address = address
        self._acquire = acquire
        self._release = release
        self._replicas = replicas
        self.watch = LeaseWatch(bus, group)
        self.watch.on_reset(self._bucket_reset)
        self.watch.on_message(lambda: self._wake.set())
        self.watch.on_member(self._member_changed)
        self._held: set[int] = set()
        self._claims: set[int] = set()
        self._alive_until = 0.0
        self._revision = 0
        self._registered = 0
        self._leaving = False
        self._patient_until = 0.0
        self._calm_until = 0.0
        self._spread: tuple[list[str], list[str | None]] = ([], [])
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    # For the application

    async def start(self) -> None:
        """Makes the bucket if need be, registers, and starts taking parts in the background."""
        await self._until_written(self._register)
        for coroutine in (self.watch.run(), self._renew_for_ever(), self._reconcile_for_ever()):
            self._tasks.append(asyncio.create_task(coroutine, name=f"leases-{self._group}"))

    async def stop(self) -> None:
        """Hands all parts over to the other members and leaves the group."""
        self._leaving = True
        try:
            if self._parts:
                await self._put_member()
                await self._hand_over(sorted(self._held))
            await self._bus.append(
                self.watch.map.member_subject(self._id),
                b"",
                {"KV-Operation": "DEL"},
                expected_last=self._revision,
            )
        except _BUS_TROUBLE as error:
            logger().warning("lease_not_given_back", group=self._group, error=repr(error))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for part in sorted(self._held):
            await self._let_go(part, "stopped")

    async def failure(self) -> None:
        """Waits until one of the background tasks fails, and raises what it raised:
        `app.spawn(leases.failure(), "leases")`."""
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            if not task.cancelled():
                task.result()

    def holds(self, part: int) -> bool:
        """Whether this process may act for the part now (judged by its monotonic clock)."""
        return part in self._held and time.monotonic() < self._alive_until

    @property
    def held(self) -> frozenset[int]:
        """The parts that this process has, whether or not its lease is fresh."""
        return frozenset(self._held)

    def owner(self, part: int) -> Owner | None:
        """(id, address) of the living owner of a part."""
        return self.watch.owner(part)

    def members(self) -> dict[str, str]:
        """The living members: id -> address."""
        return self.watch.members()

    # Membership

    async def _register(self) -> None:
        await self._bus.ensure_stream(bucket(self._replicas))
        newest = await self._bus.last(STREAM, self.watch.map.member_subject(self._id))
        self._revision = 0 if newest is None else newest.sequence
        await self._put_member()
        self._registered = self._revision

    async def _put_member(self) -> None:
        value = {"address": self._address, "leaving": self._leaving}
        sent_at = time.monotonic()
        self._revision = await self._bus.append(
            self.watch.map.member_subject(self._id),
            orjson.dumps(value),
            {"Nats-TTL": f"{int(TTL_S)}s"},
            expected_last=self._revision,
            timeout=_RENEW_S,
        )
        self._alive_until = sent_at + _ACT_S

    async def _renew_for_ever(self) -> None:
        while True:
            await asyncio.sleep(_RENEW_S)
            await self._until_written(self._renew)

    async def _renew(self) -> None:
        """One renewal, or a new registration once the lease has run out by our own clock."""
        if time.monotonic() >= self._alive_until:
            if self._alive_until:
                await self._lapse()
            await self._register()
            return
        try:
            await self._put_member()
        except AppendNotSent:
            if self._bus.connected:
                await self._bus.ensure_stream(bucket(self._replicas))
            raise
        except WrongLastSequence:
            # A renewal that seemed lost was written after all; or NATS has lost the bucket and the key with
            # it.
            newest = await self._bus.last(STREAM, self.watch.map.member_subject(self._id))
            if newest is not None and not newest.data:
                await self._lapse()
            self._revision = 0 if newest is None else newest.sequence
            await self._put_member()

    async def _until_written(self, write: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await write()
                return
            except _BUS_TROUBLE as error:
                logger().debug("lease_write_failed", group=self._group, error=repr(error))
            await asyncio.sleep(_RETRY_S)

    async def _lapse(self) -> None:
        """The lease has ended without our doing (a pause, a partition): others may have written since, so
        nothing is kept."""
        logger().warning("lease_lapsed", group=self._group, parts=len(self._held))
        self._alive_until = 0.0
        for part in sorted(self._held):
            await self._let_go(part, "lapsed")

    def _bucket_reset(self) -> None:
        """NATS lost the bucket. What was held is claimed again first; the rest waits until everybody had time
        to do the same."""
        self._claims = set(self._held)
        self._patient_until = time.monotonic() + 2 * _RENEW_S
        self._revision = self._registered = 0
        self._wake.set()

    def _member_changed(self, _member: str, alive: bool) -> None:
        if not alive:
            self._calm_until = time.monotonic() + _CALM_S
            self._wake_later(_CALM_S + 0.01)

    # Parts

    async def _reconcile_for_ever(self) -> None:
        while True:
            self._wake.clear()
            if self._parts and not self._leaving:
                try:
                    await self._reconcile()
                except _BUS_TROUBLE as error:
                    logger().debug("lease_reconcile_failed", group=self._group, error=repr(error))
                    self._wake_later(_RETRY_S)
            await self._wake.wait()

    def _wake_later(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._wake.set)

    async def _reconcile(self) -> None:
        known = self.watch.map
        own = known.members.get(self._id)
        if own is None or own.revision < self._registered:
            return  # what the watch shows is older than our registration
        rights = self._rights()
        for part in sorted(self._held):
            owner = known.parts.get(part, Part(None, 0)).owner
            if owner is not None and owner.id != self._id:
                await self._let_go(part, "lost")
        patient = time.monotonic() < self._patient_until
        if patient:
            self._wake_later(self._patient_until - time.monotonic() + 0.01)
        calm = time.monotonic() < self._calm_until
        take, give = [], []
        for part in range(self._parts):
            owner = known.owner(part)
            if owner is None:
                if part in self._claims or (rights[part] == self._id and not patient):
                    take.append(part)
            elif owner.id == self._id:
                if part not in self._held:
                    await self._take_up(part)
                if rights[part] not in (None, self._id) and not (patient or calm):
                    give.append(part)
        await self._in_turns(take, self._claim)
        if give:
            await self._hand_over(give)

    def _rights(self) -> list[str | None]:
        candidates = self.watch.map.candidates()
        if self._spread[0] != candidates:
            self._spread = (candidates, [rightful(part, candidates) for part in range(self._parts)])
        return self._spread[1]

    async def _claim(self, part: int) -> None:
        if await self._put_part(part, Owner(self._id, self._address)):
            await self._take_up(part)

    async def _hand_over(self, parts: list[int]) -> None:
        """Lets parts go and names their next owners; without another member the keys are left: they end with
        our member key."""
        candidates = [member for member in self.watch.map.candidates() if member != self._id]
        started = time.monotonic()

        async def give(part: int) -> None:
            await self._let_go(part, "handed_over")
            to = rightful(part, candidates)
            if to is not None and to in self.watch.map.members:
                await self._put_part(part, Owner(to, self.watch.map.members[to].address))

        await self._in_turns(parts, give)
        logger().info(
            "lease_parts_handed_over",
            group=self._group,
            parts=len(parts),
            ms=round((time.monotonic() - started) * 1000),
        )

    async def _put_part(self, part: int, owner: Owner) -> bool:
        """Writes the owner of a part if nobody else has since; whether it was written."""
        value = orjson.dumps({"owner": owner.id, "address": owner.address})
        subject = self.watch.map.part_subject(part)
        try:
            revision = await self._bus.append(subject, value, expected_last=self.watch.map.revision(part))
        except WrongLastSequence:
            return False  # the watch tells who did
        self.watch.map.parts[part] = Part(owner, revision)
        return True

    async def _take_up(self, part: int) -> None:
        self._claims.discard(part)
        if part in self._held:
            return
        if self._acquire is not None:
            await self._acquire(part)
        self._held.add(part)
        self._count("taken")

    async def _let_go(self, part: int, why: str) -> None:
        if part not in self._held:
            return
        self._held.discard(part)
        self._claims.discard(part)
        self._count(why)
        if self._release is not None:
            await self._release(part)

    async def _in_turns(self, parts: list[int], action: PartCallback) -> None:
        for start in range(0, len(parts), _WRITES_AT_ONCE):
            await asyncio.gather(*(action(part) for part in parts[start : start + _WRITES_AT_ONCE]))

    def _count(self, change: str) -> None:
        metrics.LEASE_CHANGES.labels(self._group, change).inc()
        metrics.LEASE_PARTS.labels(self._group).set(len(self._held))
