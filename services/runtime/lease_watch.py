"""The lease bucket, and a group's map as it is kept by a subscription to it."""

import asyncio
import time
from collections.abc import Callable

from services.runtime.bus import Bus
from services.runtime.lease_map import PREFIX, LeaseMap, Owner
from services.runtime.logs import logger
from services.runtime.streams import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig

STREAM = "KV_LEASES"
TTL_S = 3.0
_LOOK_S = 1.0


def bucket(replicas: int) -> StreamConfig:
    """The stream behind the KV bucket LEASES."""
    return StreamConfig(
        name=STREAM,
        subjects=[f"{PREFIX}>"],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.MEMORY,
        discard=DiscardPolicy.NEW,
        max_msgs_per_subject=1,
        allow_rollup_hdrs=True,
        allow_direct=True,
        allow_msg_ttl=True,
        deny_delete=True,
        subject_delete_marker_ttl=int(TTL_S),
        num_replicas=replicas,
    )


class LeaseWatch:
    """A read-only map of a group."""

    def __init__(self, bus: Bus, group: str) -> None:
        self._bus = bus
        self.map = LeaseMap(group)
        # When each member was last heard of, and since when we would have heard; by the monotonic clock.
        self._heard: dict[str, float] = {}
        self._listening_since = time.monotonic()
        self._part_watchers: list[Callable[[int, Owner | None], None]] = []
        self._member_watchers: list[Callable[[str, bool], None]] = []
        self._message_watchers: list[Callable[[], None]] = []
        self._reset_watchers: list[Callable[[], None]] = []

    async def run(self) -> None:
        """Follows the bucket, for ever: `app.spawn(watch.run(), "lease-watch")`."""
        stop_watching = self._bus.on_state(self._state_changed)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow(), name=f"lease-watch-{self.map.group}")
                tasks.create_task(self._forget_the_silent(), name=f"lease-silence-{self.map.group}")
        finally:
            stop_watching()

    def owner(self, part: int) -> Owner | None:
        """(id, address) of the living owner of a part; None while there is none."""
        return self.map.owner(part)

    def members(self) -> dict[str, str]:
        """The living members: id -> address."""
        return {member.id: member.address for member in self.map.members.values()}

    def on_change(self, watcher: Callable[[int, Owner | None], None]) -> None:
        """Calls `watcher(part, owner)` when a part has another living owner, or none any more."""
        self._part_watchers.append(watcher)

    def on_member(self, watcher: Callable[[str, bool], None]) -> None:
        """Calls `watcher(id, alive)` when a member comes or goes."""
        self._member_watchers.append(watcher)

    def on_message(self, watcher: Callable[[], None]) -> None:
        """Calls `watcher()` after every change of the bucket, renewals too."""
        self._message_watchers.append(watcher)

    def on_reset(self, watcher: Callable[[], None]) -> None:
        """Calls `watcher()` when the bucket was made anew."""
        self._reset_watchers.append(watcher)

    async def _follow(self) -> None:
        subject = f"{PREFIX}{self.map.group}.>"
        async for message in self._bus.follow(STREAM, subject, on_reset=self._reset):
            member, parts = self.map.fold(message)
            name = self.map.member_of(message.subject)
            if name is not None:
                self._heard[name] = time.monotonic()
            self._tell(member, parts)

    async def _forget_the_silent(self) -> None:
        """The marker of an expired key is gone after a while: who had no connection just then never hears of
        the end."""
        while True:
            await asyncio.sleep(_LOOK_S)
            patience = time.monotonic() - 2 * TTL_S
            if not self._bus.connected or self._listening_since > patience:
                continue
            for name in [name for name in self.map.members if self._heard.get(name, 0.0) < patience]:
                logger().warning("lease_member_silent", group=self.map.group, member=name)
                self._tell(*self.map.end(name))

    def _tell(self, member: str | None, parts: set[int]) -> None:
        for part in parts:
            owner = self.map.owner(part)
            for on_part in self._part_watchers:
                on_part(part, owner)
        if member is not None:
            for on_member in self._member_watchers:
                on_member(member, member in self.map.members)
        for on_message in self._message_watchers:
            on_message()

    def _state_changed(self, connected: bool) -> None:
        if connected:
            self._listening_since = time.monotonic()

    def _reset(self) -> None:
        members, parts = list(self.map.members), [n for n in self.map.parts if self.map.owner(n) is not None]
        self.map.clear()
        for watcher in self._reset_watchers:
            watcher()
        for part in parts:
            for on_part in self._part_watchers:
                on_part(part, None)
        for member in members:
            for on_member in self._member_watchers:
                on_member(member, False)
