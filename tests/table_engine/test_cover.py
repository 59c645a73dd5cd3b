"""Between the hands of a game that is settled by the hand: what the log makes of scoring's answer."""

from collections.abc import Sequence

import pytest
from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import log_pb2, table_pb2

from services.runtime.errors import TavoloError
from services.runtime.ids import new_id
from services.runtime.messages import StoredMessage
from services.table_engine import act, match, ready, results
from services.table_engine.fold import FoldError
from services.table_engine.table import COVER_RETRY_MS, Table
from tests.table_engine.matches import FOLDER
from tests.table_engine.players import start_request


class Match:
    """A match of bestia with three seats and chips of 2 cents, written as the engine does."""

    def __init__(self, chip: int = 2) -> None:
        request = start_request([new_id("ply") for _ in range(3)], seats=3, hands=3)
        request.game, request.stake.cents, request.chip.cents = "bestia", 12 * chip, chip
        self.opened = match.opened(request)
        self.table: Table = FOLDER.start(self.opened)
        self.log: list[bytes] = []
        self.write(log_pb2.LogRecord(opened=self.opened))

    def write(self, *records: log_pb2.LogRecord) -> list[str]:
        """Appends an entry; what happened."""
        entry = log_pb2.LogEntry(at_ms=0, worker="wrk_a", worker_ms=0, records=records)
        events = FOLDER.write(self.table, entry)
        self.log.append(entry.SerializeToString())
        return [event.kind for event in events]

    def play_hand(self) -> None:
        """Seat after seat joins, and plays its first card."""
        self.write(log_pb2.LogRecord(dealt=log_pb2.HandDealt(contributions=[b"", b"", b""])))
        while self.table.mode == "play":
            seat = self.table.state.to_act[0]
            legal = self.table.state.legal(seat)
            text = next((each.text for each in legal if each.text == "join"), legal[0].text)
            self.write(log_pb2.LogRecord(moved=log_pb2.MoveMade(seat=seat, move=text)))

    def cover(self, missing: Sequence[int] = (), hand: int = 1) -> list[str]:
        return self.write(log_pb2.LogRecord(covered=log_pb2.HandCovered(hand=hand, missing=missing)))

    def stored(self) -> list[StoredMessage]:
        return [StoredMessage("log", number, data, {}) for number, data in enumerate(self.log, 1)]

    def folded(self) -> Table:
        """The table as another worker reads it."""
        table = FOLDER.fold(self.stored())
        assert table.state.to_json() == self.table.state.to_json()
        assert (table.mode, table.hands, table.uncovered, table.missing, table.tally.gains) == (
            self.table.mode, self.table.hands, self.table.uncovered, self.table.missing,
            self.table.tally.gains,
        )  # fmt: skip
        return table


def refusal(table: Table, move: str) -> int:
    with pytest.raises(TavoloError) as refused:
        act.check(table, 0, table_pb2.ActCommand(move=move, command_id="c"))
    return refused.value.reason


def test_the_first_hand_is_covered_by_the_stakes_and_the_next_ones_wait() -> None:
    made = Match()
    assert made.table.mode == "ready"
    made.play_hand()
    table = made.folded()
    assert (table.mode, table.hands, table.hand) == ("cover", 1, None)
    assert table.left_ms(0) == COVER_RETRY_MS
    assert table.tally.gains == [2 * score for score in table.state.scores]
    assert refusal(table, "abandon") == error_pb2.ERROR_REASON_UNAVAILABLE
    with pytest.raises(TavoloError) as refused:
        ready._is_heard(table, 0, table.state.hand)
    assert refused.value.reason == error_pb2.ERROR_REASON_WRONG_STATE
    assert made.cover() == []
    table = made.folded()
    assert table.mode == "ready"
    assert table.hand is not None  # the house's seed of the next hand is committed to


def test_a_seat_that_cannot_cover_it_ends_the_match_without_a_deal() -> None:
    made = Match()
    made.play_hand()
    assert made.cover([1]) == ["hand_not_covered", "match_ended"]
    table = made.folded()
    assert (table.mode, table.missing) == ("over", (1,))
    result = results.build(FOLDER, made.stored())
    assert list(result.missing) == [1]
    assert [hand.hand for hand in result.hands] == [1]
    assert len(result.hands[0].moves) == len(made.log) - 3
    assert result.settlement == table_settlement(table)
    assert not result.outcome.HasField("offender")


def table_settlement(table: Table) -> str:
    delta = ",".join(str(2 * score) for score in table.state.scores)
    return f'{{"commission":0,"delta":[{delta}]}}'


def test_a_void_match_keeps_what_its_ended_hands_have_brought() -> None:
    made = Match()
    made.play_hand()
    expected = table_settlement(made.table)
    made.write(log_pb2.LogRecord(voided=log_pb2.MatchVoided(reason="the building burns")))
    assert made.folded().mode == "over"
    result = results.build(FOLDER, made.stored())
    assert (result.settlement, result.outcome.ended_by) == (expected, "void")
    assert [hand.hand for hand in result.hands] == [1]


@pytest.mark.parametrize("hand", [0, 2])
def test_an_answer_for_another_hand_is_no_log(hand: int) -> None:
    made = Match()
    made.play_hand()
    before = made.stored()
    covered = log_pb2.LogRecord(covered=log_pb2.HandCovered(hand=hand))
    entry = log_pb2.LogEntry(at_ms=0, worker="wrk_a", worker_ms=0, records=[covered])
    with pytest.raises(FoldError):
        FOLDER.fold([*before, StoredMessage("log", len(before) + 1, entry.SerializeToString(), {})])


def test_where_chips_are_worth_nothing_nobody_waits() -> None:
    made = Match(chip=0)
    made.play_hand()
    assert made.folded().mode == "ready"


def test_a_stake_below_what_the_first_hand_may_cost_is_refused() -> None:
    request = start_request([new_id("ply") for _ in range(3)], seats=3)
    request.game, request.stake.cents, request.chip.cents = "bestia", 23, 2
    with pytest.raises(TavoloError) as refused:
        match.opened(request)
    assert (refused.value.reason, refused.value.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, "stake")
