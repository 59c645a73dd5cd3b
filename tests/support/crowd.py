"""Many tables of scopa between guests who play as fast as they may, and what they saw."""

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field

from tavolo.chat.v1.chat_pb2 import ChatMessage, SayRequest
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
    pace_s: float = 0.0
    match: str = ""
    acknowledged: list[Acknowledged] = field(default_factory=list)
    versions: dict[int, list[int]] = field(default_factory=lambda: {0: [], 1: []})
    newest: dict[int, TableUpdate] = field(default_factory=dict)
    settled: list[MatchSettled] = field(default_factory=list)
    players: list[Session] = field(default_factory=list)
    heard: list[list[str]] = field(default_factory=lambda: [[], []])
    """What each player has read in the table's chat."""
    refusals: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return bool(self.newest) and all(u.public.state == TABLE_STATE_OVER for u in self.newest.values())

    def see(self, update: TableUpdate) -> None:
        """A player gets a view. After a break the newest one comes again, as a whole and with the names."""
        seat, version = update.own.seat, update.version
        if update.HasField("info"):
            self.match = update.info.match
        if not (update.HasField("info") and self.versions[seat][-1:] == [version]):
            self.versions[seat].append(version)
        self.newest[seat] = update

    def last_acknowledged(self) -> float:
        """When the last acknowledgement came, on the monotonic clock."""
        return self.acknowledged[-1].at if self.acknowledged else 0.0


class Crowd:
    """Guests in pairs, each pair at a table of its own.

    pace_s: a table makes its next move no sooner than so long after its last one was acknowledged. Without a
    pace many tables are a load that takes all that the machine has. hesitant: one of each pair never says
    that it is ready for the deal, and only the clock gets the match going.
    """

    def __init__(self, cluster: Cluster, pace_s: float = 0.0, *, hesitant: bool = False) -> None:
        self._cluster = cluster
        self._pace_s = pace_s
        self._hesitant = hesitant
        self.tables: list[Sitting] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._stack = contextlib.AsyncExitStack()

    async def sit(self, tables: int, options: dict[str, object]) -> None:
        """Opens the tables and starts to play."""
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
                sitting = Sitting(table, self._pace_s, players=[first, second])
                self.tables.append(sitting)
                self._play(0, sitting)
                self._play(1, sitting)
                await second.call(gateway.lobby.JoinTable, JoinTableRequest(table=table))

        await asyncio.gather(*(open_one() for _ in range(tables)))

    async def all_moved(self, limit_s: float = 60.0) -> None:
        """Waits until every table has had a move."""
        await self.until(lambda: all(sitting.acknowledged for sitting in self.tables), limit_s)

    def _play(self, seat: int, sitting: Sitting) -> None:
        player = _Player(sitting, seat, hesitant=self._hesitant and seat == 1)
        self._tasks.append(asyncio.create_task(player.play()))

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
async def crowd(
    cluster: Cluster, tables: int, options: dict[str, object], pace_s: float = 0.0, *, hesitant: bool = False
) -> AsyncIterator[Crowd]:
    """A crowd that plays, each table of it (unless it is hesitant); it leaves at the end."""
    made = Crowd(cluster, pace_s, hesitant=hesitant)
    try:
        await made.sit(tables, options)
        if not hesitant:
            await made.all_moved()
        yield made
    finally:
        await made.close()


async def say(sitting: Sitting, seat: int, text: str, limit_s: float = 20.0) -> None:
    """Says something at the table; the same again, with the same id, while the platform is away."""
    player = sitting.players[seat]
    request = SayRequest(room=sitting.table, text=text, message_id=secrets.token_hex(8))
    async with asyncio.timeout(limit_s):
        while True:
            try:
                await player.call(player.gateway.chat.Say, request)
                return
            except Refused as refused:
                if not refused.passes:
                    raise


class _Player:
    """One of a pair: ready at once, moves when it may."""

    def __init__(self, sitting: Sitting, place: int, *, hesitant: bool) -> None:
        self._sitting = sitting
        self._place = place
        self._hesitant = hesitant
        self._decided: int | None = None
        self._ready_for = (0, 0)

    async def play(self) -> None:
        sitting = self._sitting
        async with Connection(sitting.players[self._place]) as connection, asyncio.TaskGroup() as work:
            await connection.match_started(sitting.table)
            await connection.attach(sitting.table)
            async for event in connection:
                if isinstance(event, Notice):
                    if event.HasField("match_settled"):
                        sitting.settled.append(event.match_settled)
                elif isinstance(event, ChatMessage):
                    sitting.heard[self._place].append(event.text)
                elif isinstance(event, TableUpdate):
                    sitting.see(event)
                    if command := self._command(connection, event):
                        work.create_task(command)

    def _command(self, connection: Connection, update: TableUpdate) -> Coroutine[None, None, None] | None:
        hand = (update.public.hand, update.public.tie_break)
        if update.public.state == TABLE_STATE_READY:
            if not self._hesitant and update.own.seat not in update.public.ready and self._ready_for != hand:
                self._ready_for = hand
                return self._ready(connection, hand[0])
        elif update.own.moves and update.own.turn != self._decided:
            self._decided = update.own.turn
            return self._move(connection, update)
        return None

    async def _ready(self, connection: Connection, hand: int) -> None:
        try:
            await connection.ready(self._sitting.table, hand)
        except Refused as refused:
            if refused.reason not in _PASSES:
                self._sitting.refusals.append(str(refused))

    async def _move(self, connection: Connection, update: TableUpdate) -> None:
        sitting = self._sitting
        await asyncio.sleep(max(0.0, sitting.last_acknowledged() + sitting.pace_s - time.monotonic()))
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
