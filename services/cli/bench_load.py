"""The load generator of `tavolo bench cluster`: a process of its own, `python -m services.cli.bench_load`.

It reads a `Load` as JSON from its first line of input, and then writes a JSON line at each stage:
`connected`, `attached`, `measuring`, `measured`. After each it waits for a line before it goes on, so that
the caller can look at the processes in between.
"""

import asyncio
import gc
import json
import random
import sys
import time
from collections.abc import Coroutine, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import uvloop
from tavolo.lobby.v1.lobby_pb2 import JoinTableRequest, OpenTableRequest

from services.cli.bench_report import percentile
from services.cli.bench_seats import SEATS, BenchSeat, BenchTable, Figures
from services.cli.bench_wire import GrpcWire, WebSocketWire
from services.cli.guests import sign_in_guest
from services.client import Gateway, Session

AT_ONCE = 24
SETUP_LIMIT_S = 60.0
WARM_UP_S = 3.0
GAME = "scopa"
MATCH = {"target": 999}
SPEED = "lento"  # the tables that were opened first wait for the last


@dataclass(frozen=True)
class Load:
    """What is to be done.

    `pace` moves per second and table, 0 = as fast as they can; 0 `seconds`: nothing is played.
    """

    gateway_grpc: str
    gateway_http: str
    tables: int
    seconds: float
    pace: float
    edge: str

    def to_json(self) -> str:
        return json.dumps(asdict(self))


class Generator:
    """All tables with their seats, in this process."""

    def __init__(self, load: Load, gateway: Gateway) -> None:
        self._load = load
        self._gateway = gateway
        self._figures = Figures()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._tables: list[tuple[BenchTable, list[BenchSeat], list[Session]]] = []

    async def run(self) -> None:
        await self._each(self._connect() for _ in range(self._load.tables))
        await self._stage("connected", connections=SEATS * self._load.tables)
        began = time.perf_counter()
        await self._each(self._sit(*table) for table in self._tables)
        await self._stage("attached", seconds=time.perf_counter() - began)
        if self._load.seconds:
            await self._play()

    async def _each(self, works: Iterable[Coroutine[Any, Any, None]]) -> None:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(self._in_slot(work))

    async def _in_slot(self, work: Coroutine[Any, Any, None]) -> None:
        async with self._slots, asyncio.timeout(SETUP_LIMIT_S):
            await work

    async def _connect(self) -> None:
        """Two new guests, each on a connection of its own."""
        load = self._load
        pause = 1 / load.pace if load.pace else 0.0
        table = BenchTable(self._figures, pause)
        seats, sessions = [], []
        for seat in range(SEATS):
            session = await sign_in_guest(self._gateway, "bench")
            bench_seat = BenchSeat(table, f"{seat}-")
            if load.edge == "ws":
                bench_seat.wire = await WebSocketWire.connect(
                    load.gateway_http, bench_seat.take, bench_seat.lost
                )
            else:
                bench_seat.wire = GrpcWire(self._gateway.channel, bench_seat.take, bench_seat.lost)
            bench_seat.hello(session.tokens.access)
            await bench_seat.welcomed
            seats.append(bench_seat)
            sessions.append(session)
        self._tables.append((table, seats, sessions))

    async def _sit(self, table: BenchTable, seats: list[BenchSeat], sessions: list[Session]) -> None:
        """One opens a table, the other joins; both attach, and say Ready for the first hand."""
        lobby = self._gateway.lobby
        opening = OpenTableRequest(request_id="bench", game=GAME, options=json.dumps(MATCH), speed=SPEED)
        table.id = (await sessions[0].call(lobby.OpenTable, opening)).table.id
        await sessions[1].call(lobby.JoinTable, JoinTableRequest(table=table.id))
        for seat in seats:
            await seat.started
            seat.attach(table.id)
        for seat in seats:
            await seat.attached
            await seat.dealt

    async def _play(self) -> None:
        figures = self._figures
        gc.collect()
        gc.freeze()
        now = time.perf_counter()
        for table, seats, _ in self._tables:
            table.playing = True
            table.next_at = now + random.random() * table.pace_s  # noqa: S311  spreads the tables over the second
            for seat in seats:
                seat.play()
        await asyncio.sleep(WARM_UP_S)
        await self._stage("measuring")
        figures.on = True
        began = time.perf_counter()
        await asyncio.sleep(self._load.seconds)
        figures.on = False
        seconds = time.perf_counter() - began
        await self._stage(
            "measured",
            seconds=seconds,
            moves=figures.moves,
            ack_ms=_latency(figures.to_ack),
            both_ms=_latency(figures.to_both),
            refusals=figures.refusals,
            lost=figures.lost,
        )

    async def _stage(self, name: str, **found: object) -> None:
        """Says how far it is, and waits for the word to go on."""
        print(json.dumps({"stage": name, **found}), flush=True)
        if not await asyncio.to_thread(sys.stdin.readline):
            raise EOFError("nobody waits for this bench any more")


def _latency(seconds: list[float]) -> dict[str, float]:
    """Percentiles in milliseconds; empty when nothing was measured."""
    if not seconds:
        return {}
    return {"p50": percentile(seconds, 0.50) * 1000, "p99": percentile(seconds, 0.99) * 1000}


async def generate(load: Load) -> None:
    async with Gateway(load.gateway_grpc, deadline_s=SETUP_LIMIT_S) as gateway:
        await Generator(load, gateway).run()


if __name__ == "__main__":
    uvloop.run(generate(Load(**json.loads(sys.stdin.readline()))))
