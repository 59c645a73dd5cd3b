"""The result of a match: made from its log, and published until the results stream has it."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import log_pb2, result_pb2, view_pb2

from services.rules import deal as rules_deal
from services.runtime.bus_errors import AppendUnknown, BusError
from services.runtime.errors import TavoloError, unavailable
from services.runtime.logs import logger
from services.runtime.messages import StoredMessage
from services.runtime.shards import result_subject
from services.table_engine import deal, metrics, views
from services.table_engine.fold import Folder
from services.table_engine.hosted import Hosted, Request
from services.table_engine.table import RESULT_RETRY_MS, Hand, Table
from services.table_engine.text import json_text

if TYPE_CHECKING:
    from services.table_engine.engine import Engine

STREAM = "TABLE_RESULTS"
# What says that the result is now another worker's business, or an operator's.
_NOT_OURS = (error_pb2.ERROR_REASON_NOT_OWNER, error_pb2.ERROR_REASON_TABLE_PARKED)


def publish_later(engine: "Engine", hosted: Hosted) -> None:
    """Puts the publishing into the table's queue; it is tried again until it succeeds or the table is
    not ours."""

    def failed(error: TavoloError) -> None:
        metrics.RESULTS.labels("failed").inc()
        logger().warning("result_not_published", table=hosted.id, error=str(error))
        if error.reason not in _NOT_OURS:
            asyncio.get_running_loop().call_later(RESULT_RETRY_MS / 1000, publish_later, engine, hosted)

    engine.submit(Request("result", hosted.id, publish, lambda _: None, failed, arrived_ms=engine.clock_ms()))


async def publish(engine: "Engine", hosted: Hosted, request: Request) -> None:
    """Publishes the result, and then notes in the log that the stream has it."""
    table = hosted.table or await engine.table(hosted)
    if not table.published:
        result = build(engine.folder, await engine.log.read(table.id, table.subject))
        try:
            await engine.bus.append(result_subject(table.id), result.SerializeToString(), msg_id=table.match)
        except (BusError, AppendUnknown) as error:
            raise unavailable("the results stream did not take the result") from error
        await engine.note(hosted, table, log_pb2.LogRecord(published=log_pb2.ResultPublished()))
        metrics.RESULTS.labels("published").inc()
        logger().info("match_over", table=table.id, match=table.match, ended_by=result.outcome.ended_by)
    request.answer(None)


def build(folder: Folder, stored: Iterable[StoredMessage]) -> result_pb2.MatchResult:
    """The result of the match that this log tells, with the record of its hands. FoldError."""
    table: Table | None = None
    hands: list[result_pb2.HandRecord] = []
    running = result_pb2.HandRecord()
    for message in stored:
        entry = log_pb2.LogEntry.FromString(message.data)
        table = folder.replay(table, message.data, message.sequence)
        for record in entry.records:
            match record.WhichOneof("kind"):
                case "moved":
                    running.moves.append(_recorded(record.moved, entry.at_ms, table.version))
                case "committed":
                    if table.ended is not None:
                        hands.append(_finished(table, table.ended, running))
                    running = result_pb2.HandRecord(
                        sealed_seed=record.committed.sealed_seed, key_id=record.committed.key_id
                    )
    if table is None:
        raise ValueError("no log, no result")
    last = table.ended if table.hand is None else table.hand
    if last is not None and (last.dealt or running.moves):
        hands.append(_finished(table, last, running))
    return _result(table, hands)


def _result(table: Table, hands: list[result_pb2.HandRecord]) -> result_pb2.MatchResult:
    state = table.state
    found = result_pb2.MatchResult(
        match=table.match,
        table=table.id,
        game=table.game.id,
        options=table.options_json,
        rules_version=table.game.rules_version,
        seats=[view_pb2.Seat(**sitter._asdict()) for sitter in table.seats],
        scores=state.scores,
        outcome=views.outcome(state.outcome),
        dealer=table.dealer,
        hands=hands,
        void_reason=table.void_reason or "",
        duration_ms=table.at,
        missing=table.missing,
    )
    found.stake.cents, found.stake.currency = table.stake
    found.chip.cents, found.chip.currency = table.chip, table.stake[1]
    if table.game.money != "stake" and table.stake[0] and (table.by_hand or table.void_reason is None):
        found.settlement = json_text(table.tally.to_json())
    return found


def _finished(table: Table, hand: Hand, record: result_pb2.HandRecord) -> result_pb2.HandRecord:
    """The record of a hand that has ended, while the table still knows its cards."""
    record.hand, record.tie_break = hand.hand, hand.tie_break
    record.proof.CopyFrom(deal.proof(table, hand))
    if not hand.dealt:
        return record
    if table.state.whole_deck_shown:
        record.decks.extend(result_pb2.Deck(cards=cards) for cards in _decks(hand))
        record.ClearField("sealed_seed")
        record.ClearField("key_id")
    if table.state.hand_score:
        record.score.extend(views.score_items(table.state.hand_score))
    return record


def _decks(hand: Hand) -> list[list[str]]:
    return [
        [cards[card] for card in rules_deal.order(hand.seed, len(cards), number)]
        for number, cards in enumerate(hand.cards)
    ]


def _recorded(move: log_pb2.MoveMade, at_ms: int, version: int) -> result_pb2.RecordedMove:
    return result_pb2.RecordedMove(
        seat=move.seat,
        move=move.move,
        at_ms=at_ms,
        lag_credit_ms=move.lag_credit_ms,
        expired=move.expired,
        sealed_move=move.sealed_move,
        key_id=move.key_id,
        version=version,
    )
