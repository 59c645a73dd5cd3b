"""Many tables of scopa between guests who play without a pause, and what they saw."""

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1.gateway_pb2 import MatchSettled, Notice
from tavolo.lobby.v1.lobby_pb2 import JoinTableRequest, OpenTableRequest
from tavolo.table.v1.view_pb2 import TABLE_STATE_OVER, TABLE_STATE_READY, TableUpdate

from services.bots.choice import any_legal
from services.cli.cluster import Cluster
from services.cli.guests import sign_in_guest
from services.client import Connection, Gateway, Refused, Session

ENDLESS = {"match": "points", "target": 999}
ONE_HAND = {"match": "hands", "hands": 1}

_PASSES = {
    error_pb2.ERROR_REASON_STALE_TURN,  # an answer that was lost with its worker, found again by the view
    error_pb2.ERROR_REASON_WRONG_STATE,
    error_pb2.ERROR_REASON_NOT_ATTACHED,
}


@dataclass
class Acknowledged:
    """A move that the platform has said stands."""

    command_id: str
    seat: int
    move: str
    version: int
    at: float


@dataclass
class Sitting:
    """One table and what its players know of it."""

    table: str
    match: str = ""
    acknowledged: list[Acknowledged] = field(default_factory=list)
    versions: dict[int, list[int]] = field(default_factory=lambda: {0: [], 1: []})
    newest: dict[int, TableUpdate] = field(default_factory=dict)
    settled: list[MatchSettled] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return bool(self.newest) and all(u.public.state == TABLE_STATE_OVER for u in self.newest.values())

    def last_acknowledged(self) -> float:
        """When the last acknowledgement came, on the monotonic clock."""
        return self.acknowledged[-1].at if self.acknowledged else 0.0


class Crowd:
    """Guests in pairs, each pair at a table of its own."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.tables: list[Sitting] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._stack = contextlib.AsyncExitStack()

    async def sit(self, tables: int, options: dict[str, object]) -> None:
        """Opens the tables and starts to play; returns when every table has had a move."""
        gateway = await self._stack.enter_async_context(
            Gateway(self._cluster.address("gateway"), deadline_s=15)
        )
        opening = asyncio.Semaphore(8)

        async def open_one() -> None:
            async with opening:
                first, second = await sign_in_guest(gateway, "a"), await sign_in_guest(gateway, "b")
                request = OpenTableRequest(
                    request_id=secrets.token_hex(8), game="scopa", options=json.dumps(options)
                )
                table = (await first.call(gateway.lobby.OpenTable, request)).table.id
                sitting = Sitting(table)
                self.tables.append(sitting)
                self._play(first, sitting)
                self._play(second, sitting)
                await second.call(gateway.lobby.JoinTable, JoinTableRequest(table=table))

        await asyncio.gather(*(open_one() for _ in range(tables)))
        await self.until(lambda: all(sitting.acknowledged for sitting in self.tables), 60)

    def _play(self, session: Session, sitting: Sitting) -> None:
        self._tasks.append(asyncio.create_task(_play(session, sitting)))

    async def until(self, condition, limit_s: float) -> None:  # type: ignore[no-untyped-def]
        """Waits for a condition with a limit; a player that failed fails the wait."""
        async with asyncio.timeout(limit_s):
            while not condition():
                for task in self._tasks:
                    if task.done() and task.exception():
                        task.result()
                await asyncio.sleep(0.01)

    async def all_move_again(self, since: float, limit_s: float) -> float:
        """Waits until every table has an acknowledged move later than `since`; seconds that it took."""
        await self.until(lambda: all(each.last_acknowledged() > since for each in self.tables), limit_s)
        return max(next(a.at for a in each.acknowledged if a.at > since) for each in self.tables) - since

    async def finish(self, limit_s: float) -> None:
        """Waits until all matches are over and their players have the line of the ledger."""
        await self.until(lambda: all(each.over and len(each.settled) >= 2 for each in self.tables), limit_s)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()


@contextlib.asynccontextmanager
async def crowd(cluster: Cluster, tables: int, options: dict[str, object]) -> AsyncIterator[Crowd]:
    """A crowd that plays; it leaves at the end."""
    made = Crowd(cluster)
    try:
        await made.sit(tables, options)
        yield made
    finally:
        await made.close()


async def _play(session: Session, sitting: Sitting) -> None:
    async with Connection(session) as connection, asyncio.TaskGroup() as work:
        await connection.match_started(sitting.table)
        await connection.attach(sitting.table)
        decided: int | None = None
        ready: tuple[int, int] = (0, 0)
        async for event in connection:
            if isinstance(event, Notice):
                if event.HasField("match_settled"):
                    sitting.settled.append(event.match_settled)
                continue
            if not isinstance(event, TableUpdate):
                continue
            seat = event.own.seat
            sitting.versions[seat].append(event.version)
            sitting.newest[seat] = event
            if event.HasField("info"):
                sitting.match = event.info.match
            hand = (event.public.hand, event.public.tie_break)
            if event.public.state == TABLE_STATE_READY and seat not in event.public.ready and ready != hand:
                ready = hand
                work.create_task(_ready(connection, sitting, hand[0]))
            elif event.own.moves and event.own.turn != decided:
                decided = event.own.turn
                work.create_task(_move(connection, sitting, event))


async def _ready(connection: Connection, sitting: Sitting, hand: int) -> None:
    try:
        await connection.ready(sitting.table, hand)
    except Refused as refused:
        if refused.reason not in _PASSES:
            sitting.refusals.append(str(refused))


async def _move(connection: Connection, sitting: Sitting, update: TableUpdate) -> None:
    command_id = secrets.token_hex(8)
    move = any_legal(update)
    try:
        accepted = await connection.act(sitting.table, move, update.own.turn, command_id=command_id)
    except Refused as refused:
        sitting.refusals.append(f"{move}: {refused}")
        return
    sitting.acknowledged.append(
        Acknowledged(command_id, update.own.seat, accepted.move, accepted.version, time.monotonic())
    )
