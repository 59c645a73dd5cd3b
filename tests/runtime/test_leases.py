"""Leases on a real NATS: spread, hand-over, death, pause, and the loss of the bucket."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from services.runtime.bus import Bus
from services.runtime.lease_map import LeaseMap, rightful
from services.runtime.leases import TTL_S, Leases, LeaseWatch
from services.runtime.messages import StoredMessage
from tests.support.processes import NatsServer, connect_bus
from tests.support.proxy import Proxy
from tests.support.waiting import wait_for

PARTS = 64


class Member:
    """A member with a connection of its own, which notes what it was told."""

    def __init__(self, bus: Bus, group: str, name: str, parts: int = PARTS) -> None:
        self.bus = bus
        self.acting: set[int] = set()
        self.story: list[tuple[str, int]] = []
        self.leases = Leases(bus, group, parts, name, f"{name}:1", self._acquire, self._release)

    async def _acquire(self, part: int) -> None:
        assert not self.leases.holds(part)
        self.acting.add(part)
        self.story.append(("acquire", part))

    async def _release(self, part: int) -> None:
        assert not self.leases.holds(part)
        self.acting.discard(part)
        self.story.append(("release", part))

    @property
    def parts(self) -> set[int]:
        return {part for part in range(PARTS) if self.leases.holds(part)}

    async def vanish(self) -> None:
        """What kill -9 does: nothing more is heard."""
        for task in self.leases._tasks:
            task.cancel()
        await asyncio.gather(*self.leases._tasks, return_exceptions=True)


class Group:
    """Members of one group on one server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = f"g{secrets.token_hex(4)}"
        self.members: list[Member] = []

    async def join(self, parts: int = PARTS, url: str = "") -> Member:
        bus = await connect_bus(url or self.url)
        member = Member(bus, self.name, f"m{len(self.members)}_{secrets.token_hex(3)}", parts)
        self.members.append(member)
        await member.leases.start()
        return member

    def spread(self, *members: Member) -> bool:
        """Whether these members hold every part, each once, each its rightful ones."""
        names = sorted(member.leases._id for member in members)
        return all(
            member.parts == {part for part in range(PARTS) if rightful(part, names) == member.leases._id}
            for member in members
        )

    async def close(self) -> None:
        for member in self.members:
            await member.vanish()
            await member.bus.close()


@pytest_asyncio.fixture
async def group(nats_server: NatsServer) -> AsyncIterator[Group]:
    made = Group(nats_server.url)
    yield made
    await made.close()


async def test_members_share_the_parts_and_move_only_what_must(group: Group) -> None:
    first = await group.join()
    await wait_for(lambda: group.spread(first))
    assert first.parts == set(range(PARTS))
    second = await group.join()
    await wait_for(lambda: group.spread(first, second))
    third = await group.join()
    before = first.parts, second.parts
    await wait_for(lambda: group.spread(first, second, third))
    assert first.parts <= before[0]
    assert second.parts <= before[1]
    for member in (first, second, third):
        assert member.acting == member.parts
        assert {
            part
            for part in range(PARTS)
            if (found := first.leases.owner(part)) and found.id == member.leases._id
        }
    assert set(first.leases.members()) == {member.leases._id for member in group.members}


async def test_a_member_that_stops_hands_over_first(group: Group) -> None:
    first, second = await group.join(), await group.join()
    await wait_for(lambda: group.spread(first, second))
    await first.leases.stop()
    assert not first.parts
    assert not first.acting
    await wait_for(lambda: group.spread(second))
    await wait_for(lambda: list(second.leases.members()) == [second.leases._id])


async def test_the_parts_of_a_dead_member_are_taken(group: Group) -> None:
    first, second = await group.join(), await group.join()
    await wait_for(lambda: group.spread(first, second))
    await first.vanish()
    await wait_for(lambda: group.spread(second), 10)
    # The dead one has stopped acting before that, by its own clock.
    assert not first.parts


async def test_who_comes_just_after_a_death_gets_its_share_when_the_parts_are_taken_up(group: Group) -> None:
    first, second = await group.join(), await group.join()
    await wait_for(lambda: group.spread(first, second))
    await first.vanish()
    await wait_for(lambda: group.spread(second), 10)
    taken_up, before = time.monotonic(), len(second.story)
    third = await group.join()
    await wait_for(lambda: len(second.story) > before)
    assert time.monotonic() - taken_up > TTL_S / 2
    await wait_for(lambda: group.spread(second, third))


async def test_a_member_that_was_cut_off_stops_acting_and_starts_over(group: Group) -> None:
    proxy = Proxy(group.url.removeprefix("nats://"))
    await proxy.start()
    first, second = await group.join(url=f"nats://{proxy.address}"), await group.join()
    await wait_for(lambda: group.spread(first, second))
    held = set(first.parts)
    first.story.clear()
    proxy.cut()
    # By its own clock, before others may take over.
    await wait_for(lambda: not first.parts or second.parts == set(range(PARTS)), 10)
    assert not first.parts
    await wait_for(lambda: group.spread(second), 10)
    proxy.heal()
    await wait_for(lambda: group.spread(first, second), 10)
    # It forgot everything before it took anything up again.
    assert first.story[: len(held)] == [("release", part) for part in sorted(held)]
    await proxy.stop()


async def test_nobody_acts_twice_while_members_come_and_go(group: Group) -> None:
    members = [await group.join() for _ in range(3)]
    await wait_for(lambda: group.spread(*members))
    checking = True

    async def check() -> None:
        while checking:
            for part in range(PARTS):
                assert sum(member.leases.holds(part) for member in group.members) <= 1
            await asyncio.sleep(0)

    checker = asyncio.create_task(check())
    await members[0].leases.stop()
    fourth = await group.join()
    await wait_for(lambda: group.spread(members[1], members[2], fourth))
    await members[1].vanish()
    await wait_for(lambda: group.spread(members[2], fourth), 10)
    checking = False
    await checker


async def test_after_a_restart_of_nats_everybody_goes_on_with_what_it_had(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    group = Group(server.url)
    try:
        first, second = await group.join(), await group.join()
        await wait_for(lambda: group.spread(first, second))
        first.story.clear()
        second.story.clear()
        await server.kill()
        await wait_for(lambda: not first.bus.connected and not second.bus.connected)
        await server.start()
        await wait_for(lambda: first.bus.connected and second.bus.connected)
        await wait_for(lambda: group.spread(first, second), 15)
        watch = LeaseWatch(first.bus, group.name)
        task = asyncio.create_task(watch.run())
        await wait_for(lambda: all(watch.owner(part) is not None for part in range(PARTS)))
        task.cancel()
    finally:
        await group.close()
        await server.stop()


async def test_a_watch_tells_what_changes(group: Group) -> None:
    first = await group.join()
    watch = LeaseWatch(first.bus, group.name)
    owners: dict[int, str | None] = {}
    alive: dict[str, bool] = {}
    watch.on_change(lambda part, owner: owners.__setitem__(part, owner.id if owner else None))
    watch.on_member(lambda member, lives: alive.__setitem__(member, lives))
    task = asyncio.create_task(watch.run())
    await wait_for(lambda: len(owners) == PARTS and set(owners.values()) == {first.leases._id})
    second = await group.join()
    await wait_for(lambda: set(owners.values()) == {first.leases._id, second.leases._id})
    await second.vanish()
    await wait_for(lambda: alive == {first.leases._id: True, second.leases._id: False}, 10)
    await wait_for(lambda: set(owners.values()) == {first.leases._id})
    task.cancel()


@pytest.mark.long
async def test_who_was_away_while_a_member_ended_forgets_it_all_the_same(group: Group) -> None:
    proxy = Proxy(group.url.removeprefix("nats://"))
    await proxy.start()
    bus = await connect_bus(f"nats://{proxy.address}")
    gone, stays = await group.join(parts=0), await group.join(parts=0)
    watch = LeaseWatch(bus, group.name)
    task = asyncio.create_task(watch.run())
    await wait_for(lambda: len(watch.members()) == 2)
    proxy.cut()
    await gone.vanish()
    # Until the marker of the key's end is gone too, and nothing in the bucket tells of it.
    subject = stays.leases.watch.map.member_subject(gone.leases._id)

    async def marker_is_gone() -> bool:
        return await stays.bus.last("KV_LEASES", subject) is None

    await wait_for(marker_is_gone, 15)
    proxy.heal()
    await wait_for(lambda: list(watch.members()) == [stays.leases._id], 15)
    task.cancel()
    await bus.close()
    await proxy.stop()


async def test_a_member_without_parts_only_registers(group: Group) -> None:
    member = await group.join(parts=0)
    watcher = await group.join(parts=0)
    await wait_for(lambda: member.leases._id in watcher.leases.members())
    await member.leases.stop()
    await wait_for(lambda: member.leases._id not in watcher.leases.members())


def test_the_map_ignores_what_is_older() -> None:
    known = LeaseMap("g")
    known.fold(StoredMessage("$KV.LEASES.g.member.a", 1, b'{"address":"a:1"}', {}))
    known.fold(StoredMessage("$KV.LEASES.g.part.0", 5, b'{"owner":"a","address":"a:1"}', {}))
    known.fold(StoredMessage("$KV.LEASES.g.part.0", 4, b'{"owner":"b","address":"b:1"}', {}))
    owner = known.owner(0)
    assert owner == ("a", "a:1")
    known.fold(StoredMessage("$KV.LEASES.g.member.a", 6, b"", {}))
    assert known.owner(0) is None


def test_a_new_member_takes_only_its_share() -> None:
    before = [rightful(part, ["a", "b"]) for part in range(1000)]
    after = [rightful(part, ["a", "b", "c"]) for part in range(1000)]
    moved = [part for part in range(1000) if before[part] != after[part]]
    assert {after[part] for part in moved} == {"c"}
    assert 250 < len(moved) < 420
    assert rightful(0, []) is None
