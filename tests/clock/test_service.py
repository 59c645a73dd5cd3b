"""The clock service as a process: what it tells the engine, when, and what survives its death."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from tavolo.clock.v1.clock_pb2 import GetDeadlinesRequest, GetDeadlinesResponse
from tavolo.clock.v1.clock_pb2_grpc import ClockServiceStub
from tavolo.common.v1 import error_pb2

from services.runtime.bus import Bus
from services.runtime.errors import from_rpc_error
from services.runtime.ids import new_id
from services.runtime.shards import STREAMS
from tests.clock.workers import Logs, Worker
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services, connect_bus
from tests.support.waiting import wait_for

LONG_MS = 600_000


class Room:
    """A NATS of its own, logs, one worker that answers, and clocks."""

    def __init__(self, nats: NatsServer, bus: Bus, services: Services, identities: Identities) -> None:
        self.nats = nats
        self.bus = bus
        self.logs = Logs(bus)
        self.worker = Worker(bus)  # type: ignore[abstract]  # the stubs declare what grpc does not
        self._services = services
        self._identities = identities

    async def clock(self, **env: str) -> Service:
        return await self._services("clock", env)

    async def deadlines(self, clock: Service) -> GetDeadlinesResponse:
        stub = ClockServiceStub(self._identities.channel(clock.grpc, "clock", "lobby"))
        response: GetDeadlinesResponse = await stub.GetDeadlines(GetDeadlinesRequest(), wait_for_ready=True)
        return response

    async def holds(self, clock: Service, number: int) -> None:
        """Waits until the clock looks after all streams and holds so many deadlines."""

        async def reached() -> bool:
            found = await self.deadlines(clock)
            return len(found.streams) == STREAMS and found.held == number

        await wait_for(reached, 20, f"{number} deadlines are held")

    async def told(self, *tables: str) -> None:
        """Waits until each of these tables was reported at least once."""
        await wait_for(
            lambda: set(tables) <= {table for _, table, _ in self.worker.reports}, 30, "all are told"
        )


@pytest_asyncio.fixture
async def room(tmp_path: Path, identities: Identities, postgres: PostgresServer) -> AsyncIterator[Room]:
    nats = NatsServer(tmp_path)
    await nats.start()
    bus = await connect_bus(nats.url)
    services = Services(tmp_path, identities, nats, postgres)
    made = Room(nats, bus, services, identities)
    await made.logs.make()
    await made.worker.start()
    yield made
    await services.stop()
    await made.worker.stop()
    await bus.close()
    await nats.stop()


def tables(number: int) -> list[str]:
    return [new_id("tbl") for _ in range(number)]


async def test_a_deadline_is_told_when_it_is_due_and_not_before(room: Room) -> None:
    await room.holds(await room.clock(), 0)
    near, far, never = tables(3)
    await room.logs.fact(far, LONG_MS)
    await room.logs.fact(never, None)
    before = await room.logs.fact(near, 400)
    await room.told(near)
    assert [(table, version) for _, table, version in room.worker.reports] == [(near, 1)]
    assert room.worker.reports[0][0] >= before + 0.4


async def test_a_move_in_time_takes_its_deadline_away(room: Room) -> None:
    clock = await room.clock()
    await room.holds(clock, 0)
    moved, over, last = tables(3)
    await room.logs.fact(moved, 300)
    await room.logs.fact(over, 300)
    await room.logs.fact(moved, LONG_MS)
    await room.logs.fact(over, None)
    await room.logs.fact(last, 900)
    await room.told(last)
    assert room.worker.told(moved) == []
    assert room.worker.told(over) == []
    await room.holds(clock, 1)
    nearest = (await room.deadlines(clock)).nearest_ms
    assert 0 < nearest <= LONG_MS


async def test_the_engine_says_when_it_wants_to_be_told_again(room: Room) -> None:
    await room.holds(await room.clock(), 0)
    (table,) = tables(1)
    answers = iter([120, 0, None])
    room.worker.answer = lambda _table, _version: next(answers)
    await room.logs.fact(table, 50)
    await wait_for(lambda: len(room.worker.reports) == 3, 20, "it is told three times")
    first, second, _ = (at for at, _, _ in room.worker.reports)
    assert second - first >= 0.12
    assert room.worker.told(table) == [1, 1, 1]


async def test_a_worker_that_is_away_is_asked_until_it_answers(room: Room) -> None:
    clock = await room.clock()
    await room.holds(clock, 0)
    (table,) = tables(1)
    room.worker.status = grpc.StatusCode.UNAVAILABLE
    await room.logs.fact(table, 10)
    await wait_for(lambda: len(room.worker.reports) >= 3, 20, "it is asked again")
    room.worker.status = None
    told = len(room.worker.reports)
    await wait_for(lambda: len(room.worker.reports) > told, 20, "it is asked once more")
    await room.holds(clock, 0)


async def test_a_table_that_the_engine_does_not_know_is_not_asked_about_again(room: Room) -> None:
    clock = await room.clock()
    await room.holds(clock, 0)
    (table,) = tables(1)
    room.worker.status = grpc.StatusCode.NOT_FOUND
    await room.logs.fact(table, 10)
    await room.told(table)
    await room.holds(clock, 0)
    assert room.worker.told(table) == [1]


async def test_a_message_that_is_no_fact_does_not_stop_the_others(room: Room) -> None:
    clock = await room.clock()
    await room.holds(clock, 0)
    bad, good = tables(2)
    for number in range(STREAMS):
        await room.bus.append(f"tavolo.table.log.{number}.{number}.{bad}", b"", {"Tavolo-Version": "x"})
    await room.logs.fact(good, 10)
    await room.told(good)
    assert {line["event"] for line in clock.log_lines if line.get("level") == "error"} == {"fact_unreadable"}


async def test_after_its_death_no_deadline_is_lost_and_the_engine_says_what_is_left(room: Room) -> None:
    clock = await room.clock()
    await room.holds(clock, 0)
    held = tables(40)
    await room.logs.facts(held, LONG_MS)
    await room.holds(clock, 40)
    assert room.worker.reports == []
    await clock.kill()
    # What happens meanwhile is found too, and how long the others still have is asked of the engine.
    (new,) = tables(1)
    await room.logs.fact(new, LONG_MS)
    await room.logs.fact(held[0], None)
    room.worker.answer = lambda table, _version: 50 if table == held[1] else LONG_MS
    await clock.start()
    await room.told(new, *held[1:])
    await wait_for(
        lambda: len(room.worker.told(held[1])) >= 2, 20, "the one that is nearly due is told again"
    )
    assert room.worker.told(held[0]) == []
    await room.holds(clock, 40)


async def test_two_replicas_share_the_streams_and_each_expiry_is_told_by_one(room: Room) -> None:
    clocks = [await room.clock(), await room.clock()]

    async def shared() -> bool:
        streams = [list((await room.deadlines(clock)).streams) for clock in clocks]
        return all(streams) and sorted(streams[0] + streams[1]) == list(range(STREAMS))

    await wait_for(shared, 20, "both look after some streams")
    due = tables(60)
    await room.logs.facts(due, 200)
    await room.told(*due)
    assert sorted(table for _, table, _ in room.worker.reports) == sorted(due)


async def test_a_replica_that_dies_is_replaced_by_the_other(room: Room) -> None:
    clocks = [await room.clock(), await room.clock()]
    room.worker.answer = lambda _table, _version: LONG_MS
    held = tables(30)
    await room.logs.facts(held, LONG_MS)

    async def all_held() -> bool:
        return sum([(await room.deadlines(clock)).held for clock in clocks]) == 30

    await wait_for(all_held, 20, "all deadlines are held")
    await clocks[0].kill()
    await room.holds(clocks[1], 30)


async def test_a_replica_that_stops_hands_over(room: Room) -> None:
    clocks = [await room.clock(), await room.clock()]
    room.worker.answer = lambda _table, _version: LONG_MS
    await room.logs.facts(tables(20), LONG_MS)
    clocks[0].signal(signal.SIGTERM)
    assert await clocks[0].child.ended() == 0
    await room.holds(clocks[1], 20)


async def test_it_goes_on_after_a_restart_of_nats(room: Room) -> None:
    clock = await room.clock()
    room.worker.answer = lambda _table, _version: LONG_MS
    before, after = tables(2)
    await room.logs.fact(before, 3_000)
    await room.holds(clock, 1)
    await room.nats.kill()
    await room.nats.start()
    await wait_for(lambda: room.bus.connected, 20, "the test is connected again")
    await room.logs.fact(after, 100)
    await room.told(before, after)


async def test_a_pause_past_its_lease_harms_nobody(room: Room) -> None:
    clocks = [await room.clock(), await room.clock()]
    room.worker.answer = lambda _table, _version: LONG_MS
    await room.logs.facts(tables(20), LONG_MS)
    clocks[0].signal(signal.SIGSTOP)
    await room.holds(clocks[1], 20)
    clocks[0].signal(signal.SIGCONT)

    async def shared() -> bool:
        found = [await room.deadlines(clock) for clock in clocks]
        streams = sorted([*found[0].streams, *found[1].streams])
        return streams == list(range(STREAMS)) and sum(each.held for each in found) == 20

    await wait_for(shared, 30, "the streams are shared again")


async def test_many_due_at_once_are_told_a_few_at_a_time(room: Room) -> None:
    clock = await room.clock(TAVOLO_CLOCK_IN_FLIGHT="4")
    await room.holds(clock, 0)
    due = tables(100)
    await room.logs.facts(due, 100)
    await room.told(*due)
    assert 1 < room.worker.most_at_once <= 4
    assert len(room.worker.reports) == 100


async def test_what_is_held_is_told_to_services_and_operators_only(
    room: Room, identities: Identities
) -> None:
    clock = await room.clock()
    stub = ClockServiceStub(identities.channel(clock.grpc, "clock"))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.GetDeadlines(GetDeadlinesRequest())
    assert from_rpc_error(refused.value).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED
