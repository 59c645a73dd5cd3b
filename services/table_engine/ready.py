"""Between hands: the seats say that they are ready ("Avanti"), and the next hand is dealt."""

from tavolo.table.v1 import log_pb2, table_pb2

from services.rules import deal as rules_deal
from services.runtime.errors import invalid, wrong_state
from services.table_engine.attach import seat_of
from services.table_engine.engine import Engine
from services.table_engine.hosted import Hosted, Request
from services.table_engine.table import Table


async def ready(engine: Engine, hosted: Hosted, request: Request) -> None:
    """Handles a ReadyCommand. Idempotent; the last one that is waited for brings the deal, in the same
    entry."""
    command = request.command.ready
    table = hosted.table or await engine.table(hosted)
    seat = seat_of(hosted, table, request)
    if len(command.contribution) > rules_deal.SEED_BYTES:
        raise invalid("contribution", f"is longer than {rules_deal.SEED_BYTES} bytes")
    if not _is_heard(table, seat, command.hand):
        at = table.time(request.arrived_ms)
        said = log_pb2.LogRecord(ready=log_pb2.SeatReady(seat=seat, contribution=command.contribution))
        given = {**(table.ready or {}), seat: command.contribution}
        if awaited(table) <= given.keys():
            await engine.commit(hosted, table, at, said, dealt(table, given))
        else:
            await engine.commit(hosted, table, at, said)
    request.answer(table_pb2.Done())


def _is_heard(table: Table, seat: int, hand: int) -> bool:
    """Whether this readiness has had its effect already. WRONG_STATE: it is not asked for."""
    if table.over:
        raise wrong_state("the match is over")
    if table.uncovered:
        raise wrong_state("the next hand is not covered yet")
    if hand != table.state.hand:
        raise wrong_state(f"hand {table.state.hand} is the one that is played or about to be dealt")
    return table.ready is None or seat in table.ready


def awaited(table: Table) -> set[int]:
    """The seats that the next deal waits for: those connected, and those that have not come to the match
    yet."""
    connected = table.clock.connected
    return {seat for seat in range(len(table.seats)) if connected[seat] or seat not in table.seen}


def dealt(table: Table, given: dict[int, bytes]) -> log_pb2.LogRecord:
    """The record of the deal with these contributions."""
    contributions = [given.get(seat, b"") for seat in range(len(table.seats))]
    return log_pb2.LogRecord(dealt=log_pb2.HandDealt(contributions=contributions))


async def deal_now(engine: Engine, hosted: Hosted, table: Table, at: int) -> None:
    """Deals the next hand with what has been contributed."""
    await engine.commit(hosted, table, at, dealt(table, table.ready or {}))
