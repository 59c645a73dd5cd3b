"""Time that is up: the clock service reports it, the engine decides by the log whether anything has
expired."""

from tavolo.table.v1 import log_pb2

from services.rules.core.errors import Refused
from services.table_engine import cover, metrics, ready, results
from services.table_engine.engine import Engine
from services.table_engine.hosted import Hosted, Request
from services.table_engine.table import RESULT_RETRY_MS, Table


async def report(engine: Engine, hosted: Hosted, request: Request) -> None:
    """Handles a report that the time which some fact of the table gave has passed.

    Answers with the milliseconds after which it wants to be told again, or None when nothing runs. A move
    that was logged meanwhile has moved the deadline, so it wins by nature.
    """
    table = hosted.table or await engine.table(hosted)
    at = table.time(request.arrived_ms)
    left = table.left_ms(at)
    if table.uncovered:
        metrics.TIME_UPS.labels("not_covered").inc()
        cover.ask_later(engine, hosted)
    elif left is None or left > 0:
        metrics.TIME_UPS.labels("early" if left else "nothing_runs").inc()
    elif table.waiting:
        metrics.TIME_UPS.labels("dealt").inc()
        await ready.deal_now(engine, hosted, table, at)
        left = table.left_ms(at)
    else:
        await expire(engine, hosted, table, at)
        left = table.left_ms(at)
    if table.over and not table.published:
        results.publish_later(engine, hosted)
        left = RESULT_RETRY_MS
    request.answer(left)


async def expire(
    engine: Engine, hosted: Hosted, table: Table, at: int, late: log_pb2.MoveMade | None = None
) -> None:
    """Makes the platform's moves for the seats whose time has run out by `at`, as one entry.

    `late`: the move that the clock has just refused; what was measured with it is kept, since the expiry
    follows from it.
    """
    clock, state = table.clock.copy(), table.state.copy()
    records = []
    for expired in clock.expire(at):
        if state.over:
            break
        text = state.timeout_move(expired.seat)
        moved = log_pb2.MoveMade(seat=expired.seat, move=text, expired=True)
        if late is not None and late.seat == expired.seat and late.HasField("think_ms"):
            moved.think_ms, moved.rtt_ms = late.think_ms, late.rtt_ms
        records.append(log_pb2.LogRecord(moved=moved))
        try:
            state.apply(expired.seat, text)
        except Refused as error:
            raise ValueError(f"the platform's own move was refused: {error}") from error
    if records:
        metrics.TIME_UPS.labels("expired").inc()
        metrics.moves(table.game.id, "expired").inc(len(records))
        await engine.commit(hosted, table, at, *records)
