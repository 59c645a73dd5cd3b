"""Starts matches: a full table's stakes are held, the engine starts the match, the seats are told.

Every step is idempotent by the match's id and the table's state, so a start is simply done again until it has
succeeded: after an outage of scoring, engine or database, and by the next process when this one dies in the
middle.
"""

import asyncio
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import asyncpg
import grpc
from tavolo.common.v1 import error_pb2
from tavolo.scoring.v1 import scoring_pb2

if TYPE_CHECKING:
    from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceAsyncStub

from services.lobby import metrics, rooms
from services.lobby.engine import Engine
from services.lobby.notices import match_started
from services.lobby.rooms import Room
from services.runtime.context import begin_request
from services.runtime.db import TROUBLE
from services.runtime.errors import TavoloError, from_rpc_error, reason_name
from services.runtime.logs import bind, logger
from services.runtime.outbox import put

_RETRY_LEAST_S = 0.1
_AT_ONCE = 32

# What no repetition heals: the request itself is refused. Everything else is an outage of somebody's.
_FINAL = frozenset(
    {
        error_pb2.ERROR_REASON_INVALID_FIELD,
        error_pb2.ERROR_REASON_ID_REUSED,
        error_pb2.ERROR_REASON_UNKNOWN_GAME,
        error_pb2.ERROR_REASON_BAD_OPTION,
        error_pb2.ERROR_REASON_WRONG_STATE,
    }
)


class Starter:
    """Drives tables from STARTING to PLAYING."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        scoring: "ScoringServiceAsyncStub",
        engine: Engine,
        changed: Callable[[], None],
        retry_most_s: float,
    ) -> None:
        self._pool = pool
        self._scoring = scoring
        self._engine = engine
        self._changed = changed
        self._retry_most_s = retry_most_s
        self._full: asyncio.Queue[str] = asyncio.Queue()
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        # The tables that are being driven, and whether they were filled again meanwhile.
        self._woken_again: dict[str, bool] = {}

    def wake(self, table: str) -> None:
        """All seats of a table are taken."""
        self._full.put_nowait(table)

    async def run(self) -> None:
        """Starts matches for ever, first of all those that an earlier process has left."""
        for table in await self._left_over():
            self.wake(table)
        async with asyncio.TaskGroup() as tasks:
            while True:
                table = await self._full.get()
                if table in self._woken_again:
                    self._woken_again[table] = True
                else:
                    self._woken_again[table] = False
                    tasks.create_task(self._drive(table), name=f"start-{table}")

    async def _left_over(self) -> list[str]:
        rows = await self._pool.fetch("SELECT id FROM tables WHERE state = 'STARTING' ORDER BY number")
        return [row["id"] for row in rows]

    async def _drive(self, table: str) -> None:
        """Tries until the table is not STARTING any more."""
        begin_request(None)
        bind(table=table)
        await self._until_done(table)
        while self._woken_again[table]:
            self._woken_again[table] = False
            await self._until_done(table)
        del self._woken_again[table]

    async def _until_done(self, table: str) -> None:
        started = time.monotonic()
        pause_s = _RETRY_LEAST_S
        while True:
            try:
                async with self._at_once:
                    await self._start(table)
            except TavoloError as error:
                metrics.STARTS.labels("retried").inc()
                logger().warning(
                    "start_waits", reason=reason_name(error.reason), text=error.text, again_s=pause_s
                )
            except TROUBLE as error:
                metrics.STARTS.labels("retried").inc()
                logger().warning("start_waits", reason="DATABASE", text=repr(error), again_s=pause_s)
            else:
                metrics.START_SECONDS.observe(time.monotonic() - started)
                self._changed()
                return
            await self._engine.change_or(random.uniform(pause_s / 2, pause_s))  # noqa: S311 - jitter, no secret
            pause_s = min(2 * pause_s, self._retry_most_s)

    async def _start(self, table: str) -> None:
        """One try. Raises TavoloError, or what the database raises, when it is worth another one."""
        found = await rooms.read(self._pool, "id = $1 AND state = 'STARTING'", table)
        if not found:
            return
        room = found[0]
        bind(match=room.match)
        try:
            await self._hold(room)
        except TavoloError as error:
            if error.reason == error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS:
                await self._free_seat(room, error.field)
            elif error.reason in _FINAL:
                await self._give_up(room, error)
            else:
                raise
            return
        try:
            await self._engine.start(room)
        except TavoloError as error:
            if error.reason not in _FINAL:
                raise
            await self._release(room)
            await self._give_up(room, error)
            return
        await self._play(room)

    async def _hold(self, room: Room) -> None:
        seats = [scoring_pb2.StakeSeat(account=each.account, computer=each.computer) for each in room.seated]
        request = scoring_pb2.HoldStakesRequest(match=room.match or "", seats=seats, stake=room.stake)
        try:
            await self._scoring.HoldStakes(request)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error

    async def _release(self, room: Room) -> None:
        try:
            await self._scoring.ReleaseStakes(scoring_pb2.ReleaseStakesRequest(match=room.match or ""))
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error

    async def _play(self, room: Room) -> None:
        """The match runs: tells every seat. A result that was faster has closed the table already."""
        async with self._pool.acquire() as connection, connection.transaction():
            moved = await connection.execute(
                "UPDATE tables SET state = 'PLAYING' WHERE id = $1 AND match = $2 AND state = 'STARTING'",
                room.id, room.match,
            )  # fmt: skip
            if moved == "UPDATE 1":
                await put(
                    connection,
                    [
                        match_started(each.account, room.id, room.match or "", each.seat)
                        for each in room.seated
                    ],
                )
        metrics.STARTS.labels("started").inc()
        logger().info("match_started", game=room.row["game"])

    async def _free_seat(self, room: Room, field: str) -> None:
        """Somebody cannot pay: gives that seat up, and the table is open again."""
        poor = next((each for each in room.seated if f"seats[{each.seat}]" == field), None)
        if poor is None or poor.computer:
            await self._give_up(
                room, TavoloError(error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS, "a stake is not covered")
            )
            return
        async with self._pool.acquire() as connection, connection.transaction():
            if not await self._is_still(connection, room):
                return
            await rooms.stand_up(connection, room.id, poor.account)
            others = [each for each in room.people if each is not poor]
            if others:
                await rooms.reopen(connection, room.id)
            else:
                await rooms.close(connection, room.id)
            await rooms.tell(
                connection,
                room.id,
                [poor],
                "Your wallet does not cover the stake: you are not seated any more.",
            )
            await rooms.tell(
                connection, room.id, others, f"{poor.nickname} left: the wallet does not cover the stake."
            )
        metrics.STARTS.labels("insufficient_funds").inc()

    async def _give_up(self, room: Room, error: TavoloError) -> None:
        """The match cannot be started, ever: closes the table."""
        logger().error("start_refused", reason=reason_name(error.reason), text=error.text)
        async with self._pool.acquire() as connection, connection.transaction():
            if not await self._is_still(connection, room):
                return
            await rooms.close(connection, room.id)
            await rooms.tell(
                connection,
                room.id,
                room.seated,
                "The match could not be started: the table is closed, stakes are back.",
            )
        metrics.STARTS.labels("refused").inc()

    async def _is_still(self, connection: asyncpg.Connection, room: Room) -> bool:
        """Locks the table; whether it is still being started with this match."""
        now = await rooms.lock(connection, room.id)
        return now.state == "STARTING" and now.match == room.match
