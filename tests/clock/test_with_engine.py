"""Clock and table engine together: time alone moves a table on, once, whatever dies meanwhile."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from tavolo.table.v1.log_pb2 import LogEntry
from tavolo.table.v1.table_pb2 import StartMatchRequest
from tavolo.table.v1.table_pb2_grpc import TableServiceStub
from tavolo.table.v1.view_pb2 import Seat

from services.runtime.bus import Bus
from services.runtime.ids import new_id
from services.runtime.shards import log_stream, log_subject, shard_of, stream_of
from tests.support.processes import Identities, NatsServer, PostgresServer, Services, connect_bus
from tests.support.waiting import wait_for

QUICK = {"TAVOLO_TABLE_ENGINE_READY_WAIT_S": "0.5"}


class Room:
    """NATS, an engine, clocks; matches that nobody attaches to."""

    def __init__(self, services: Services, bus: Bus, identities: Identities) -> None:
        self.services = services
        self.bus = bus
        self.identities = identities

    async def start_match(self, address: str) -> str:
        """Starts a match of two; its table. Nobody is there, so only time deals its first hand."""
        table = new_id("tbl")
        stub = TableServiceStub(self.identities.channel(address, "table_engine", "lobby"))
        request = StartMatchRequest(
            table=table,
            match=new_id("mch"),
            game="scopa",
            options=json.dumps({}),
            seats=[Seat(account=new_id("ply"), nickname=f"Nick {side}", side=side) for side in (0, 1)],
        )
        await stub.StartMatch(request, timeout=20, wait_for_ready=True)
        return table

    async def records(self, table: str) -> list[str]:
        """The kinds of the log's records."""
        stored = await self.bus.read_subject(log_stream(stream_of(shard_of(table))), log_subject(table))
        entries = [LogEntry.FromString(each.data) for each in stored]
        return [record.WhichOneof("kind") or "" for entry in entries for record in entry.records]

    async def dealt(self, *tables: str) -> None:
        """Waits until time has dealt at each table, once."""

        async def all_dealt() -> bool:
            return all(["dealt" in await self.records(table) for table in tables])

        await wait_for(all_dealt, 40, "every table is dealt at")
        for table in tables:
            assert (await self.records(table)).count("dealt") == 1


@pytest_asyncio.fixture
async def room(tmp_path: Path, identities: Identities, postgres: PostgresServer) -> AsyncIterator[Room]:
    nats = NatsServer(tmp_path)
    await nats.start()
    bus = await connect_bus(nats.url)
    services = Services(tmp_path, identities, nats, postgres)
    yield Room(services, bus, identities)
    await services.stop()
    await bus.close()
    await nats.stop()


async def test_time_alone_deals_once_although_two_clocks_run(room: Room) -> None:
    engine = await room.services("table_engine", QUICK)
    for _ in range(2):
        await room.services("clock")
    await room.dealt(*[await room.start_match(engine.grpc) for _ in range(10)])


async def test_what_ran_out_while_no_clock_was_there_is_told_by_the_next_one(room: Room) -> None:
    engine = await room.services("table_engine", QUICK)
    clock = await room.services("clock")
    await clock.kill()
    tables = [await room.start_match(engine.grpc) for _ in range(5)]
    await clock.start()
    await room.dealt(*tables)


async def test_the_worker_that_takes_a_table_over_is_told(room: Room) -> None:
    engines = [await room.services("table_engine", QUICK) for _ in range(2)]
    await room.services("clock")
    tables = [await room.start_match(engines[1].grpc) for _ in range(10)]
    await engines[0].kill()
    await room.dealt(*tables)
