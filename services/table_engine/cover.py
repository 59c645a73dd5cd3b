"""Between two hands of a game that is settled by the hand: scoring books what the hand has changed and holds
what the next one may cost; what it answers is appended to the log.

The table waits for that in the state `cover`. It is asked outside the table's queue, again and again while
scoring is away: nobody's clock runs, who comes is attached; only leaving has to wait, since what it costs is
not covered yet. The call is idempotent by match and hand, so whoever owns the table asks again.
"""

import asyncio
import random
from typing import TYPE_CHECKING

import grpc
from tavolo.common.v1.money_pb2 import Money
from tavolo.scoring.v1 import scoring_pb2
from tavolo.table.v1 import log_pb2

from services.rules import money
from services.runtime.errors import TavoloError, from_rpc_error, reason_name
from services.runtime.logs import logger
from services.table_engine import metrics
from services.table_engine.hosted import Handler, Hosted, Request
from services.table_engine.table import Table

if TYPE_CHECKING:
    from services.table_engine.engine import Engine

_RETRY_S = 0.1
_RETRY_MOST_S = 2.0


def ask_later(engine: "Engine", hosted: Hosted) -> None:
    """Starts to ask, unless that is being done."""
    if hosted.covering is None:
        loop = asyncio.get_running_loop()
        hosted.covering = loop.create_task(_ask(engine, hosted), context=engine.context)


async def _ask(engine: "Engine", hosted: Hosted) -> None:
    """Asks until the log has an answer, or the table is not in this worker's memory any more."""
    wait = _RETRY_S
    try:
        while (table := hosted.table) is not None and table.uncovered and engine.shards.serves(hosted.shard):
            try:
                missing = await _settled(engine, table)
                await _noted(engine, hosted, table.hands, missing)
            except TavoloError as error:
                metrics.COVERS.labels("failed").inc()
                logger().warning(
                    "hand_not_settled", table=hosted.id, reason=reason_name(error.reason), text=error.text
                )
                await asyncio.sleep(random.uniform(wait / 2, wait))  # noqa: S311 - jitter, no secret
                wait = min(2 * wait, _RETRY_MOST_S)
    finally:
        hosted.covering = None


async def _settled(engine: "Engine", table: Table) -> list[int]:
    """Has the last hand booked and the next one covered: the seats that cannot pay for it. TavoloError."""
    request = scoring_pb2.SettleHandRequest(
        match=table.match,
        hand=table.hands,
        gains=table.tally.gains,
        commission=table.tally.commission,
        cover=money.covers(table.game, table.state, table.chip),
        rules_version=table.game.rules_version,
    )
    try:
        response = await engine.scoring.SettleHand(request)
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error
    return list(response.missing)


async def _noted(engine: "Engine", hosted: Hosted, hand: int, missing: list[int]) -> None:
    """Has the table's queue append the answer. TavoloError."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    engine.submit(
        Request(
            "cover",
            hosted.id,
            _note_as(hand, missing),
            lambda _: done.set_result(None),
            done.set_exception,
            arrived_ms=engine.clock_ms(),
        )
    )
    await done


def _note_as(hand: int, missing: list[int]) -> Handler:
    async def note(engine: "Engine", hosted: Hosted, request: Request) -> None:
        table = hosted.table or await engine.table(hosted)
        if table.uncovered and table.hands == hand:
            covered = log_pb2.HandCovered(hand=hand, missing=missing)
            at = table.time(request.arrived_ms)
            await engine.commit(hosted, table, at, log_pb2.LogRecord(covered=covered))
            metrics.COVERS.labels("broken_off" if missing else "covered").inc()
        request.answer(None)

    return note


async def raise_for(engine: "Engine", table: Table, move: str) -> None:
    """Has the platform cover a move that raises what may be lost, before the rules see it.

    INSUFFICIENT_FUNDS: a seat cannot; UNAVAILABLE: scoring is away, and the move is not made.
    """
    cents = table.state.cover_for(move)
    if not cents:
        return
    wanted = Money(cents=cents, currency=table.stake[1])
    request = scoring_pb2.RaiseStakesRequest(match=table.match, stake=wanted)
    try:
        await engine.scoring.RaiseStakes(request, timeout=_RETRY_MOST_S)
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error
