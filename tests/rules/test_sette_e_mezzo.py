"""Sette e mezzo beyond its cases: refusals, options, the stock, the KO rule, who sees what, most losses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.cards import IT40, as_set
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.sette_e_mezzo import SETTE_E_MEZZO
from services.rules.games.sette_e_mezzo_totals import total
from tests.rules.playing import played

DUEL = {"dealer": 0, "hands": [["6c"], ["5d"]], "stock": "any"}
ROUND = {"dealer": 0, "hands": [["4d"], ["5c"], ["7b"]], "stock": ["Js", "2s", "3b", "Kb"]}


def position(json: dict[str, Any], **options: Any) -> State[Any]:
    return SETTE_E_MEZZO.from_json(SETTE_E_MEZZO.options(options), json)


@pytest.mark.parametrize(
    ("text", "options", "code", "where"),
    [
        ("bet 1", {}, "not_allowed", "bet"),
        ("bet 0", {"betting": "free"}, "bet_too_small", "0"),
        ("bet 1", {"betting": "free", "min_bet": 2}, "bet_too_small", "1"),
        ("bet 11", {"betting": "free"}, "bet_too_big", "11"),
        ("bet " + "9" * 40, {"betting": "free"}, "bet_too_big", "9" * 40),
        ("draw", {"betting": "free"}, "wrong_phase", "draw"),
        ("stand", {"betting": "free"}, "wrong_phase", "stand"),
        ("bet 01", {"betting": "free"}, "unparsable", ""),
        ("bet +1", {"betting": "free"}, "unparsable", ""),
        ("bet ١", {"betting": "free"}, "unparsable", ""),
        ("bet", {"betting": "free"}, "unparsable", ""),
        ("bet 1 2", {"betting": "free"}, "unparsable", ""),
        ("draw stock", {}, "unparsable", ""),
        ("play 5d", {}, "unparsable", ""),
    ],
)
def test_refusals(text: str, options: dict[str, Any], code: str, where: str) -> None:
    refusal = position(DUEL, **options).check(1, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


def test_the_banker_does_not_bet() -> None:
    state = played(position(DUEL, betting="free"), (1, "bet 3"), (1, "stand"))
    refusal = state.check(0, "bet 3")
    assert refusal is not None
    assert refusal.code == "wrong_phase"


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 1}, {"seats": 11}, {"min_bet": 5, "max_bet": 4}, {"max_bet": 101}, {"real_pays": 3},
        {"target": 51}, {"target": 0}, {"seats": 3, "ko": True}, {"hands": 101}, {"max_hands": 9},
    ],
)  # fmt: skip
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        SETTE_E_MEZZO.options(options)


def test_options_that_follow_from_others() -> None:
    def of(**options: Any) -> tuple[Any, Any]:
        full = SETTE_E_MEZZO.options_json(SETTE_E_MEZZO.options(options))
        return full["hands"], full["target"]

    assert of() == (10, 10)
    assert of(seats=3) == (6, 10)
    assert of(seats=10, min_bet=4) == (20, 40)
    assert of(min_bet=4, target=200) == (10, 200)


@pytest.mark.parametrize(
    ("cards", "halves", "plain"),
    [
        ("Kd", 1, 1), ("Kd 7c", 15, 15), ("Kd Jc", 15, 2), ("Kd 5c", 14, 11), ("Kd 5c Jc", 15, 12),
        ("Kd 7c Jc", 16, 16), ("Kd 7c Ac", 17, 17), ("Kd Jc Qc", 14, 3), ("7c Ks", 15, 15),
        ("7d 7c", 28, 28), ("", 0, 0),
    ],
)  # fmt: skip
def test_totals(cards: str, halves: int, plain: int) -> None:
    hand = as_set(IT40.read(cards.split()))
    assert (total(hand, True), total(hand, False)) == (halves, plain)


@given(st.sets(st.integers(0, 39), min_size=1, max_size=6))
def test_the_matta_counts_as_the_spec_says(cards: set[int]) -> None:
    """The best of its values that does not go over, a half if all do; alone it is a half."""
    matta = IT40.number["Kd"]
    others = total(as_set(cards - {matta}), True)
    values = [1, 2, 4, 6, 8, 10, 12, 14]
    best = max((value for value in values if others + value <= 15), default=1)
    assert total(as_set(cards | {matta}), True) == (others + best if others else 1)


@pytest.mark.parametrize(
    ("change", "options", "field"),
    [
        ({"hands": [[], ["5d"]]}, {}, "hands"),
        ({"hands": [["6c"], []]}, {}, "hands"),
        ({"hands": [["6c"]]}, {}, "hands"),
        ({"hands": [["6c"], ["7d", "Ks"]]}, {}, "hands"),
        ({"hands": [["6c"], ["5d"], ["4d"]]}, {"seats": 3}, "hands"),
        ({"to_act": [2], "hands": [["6c"], ["5d"], []]}, {"seats": 3}, "to_act"),
        ({"to_act": [0]}, {"betting": "free"}, "bets"),
        ({"bets": [0]}, {"betting": "free"}, "bets"),
        ({"dealer": 2}, {}, "dealer"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], options: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        position({**DUEL, **change}, **options)
    assert refused.value.field == field


def test_a_hand_from_the_stock_that_is_there_needs_no_shuffle() -> None:
    state = SETTE_E_MEZZO.start(SETTE_E_MEZZO.options({}), 0)
    state.supply(range(40))
    played(state, (1, "stand"), (0, "stand"))
    assert state.needs_chance == ((), "deal")
    with pytest.raises(ValueError, match="permutation"):
        state.supply(range(40))
    state.supply([])
    assert (state.phase, state.to_act, state.dealer) == ("punter", (0,), 1)
    assert state.to_json()["hands"] == [["3d"], ["4d"]]
    assert list(state.openings(None)) == []


def test_the_stock_may_run_out_while_a_duel_is_dealt() -> None:
    """The punter gets the last card, the banker one of the discards, and nobody acts between."""
    position_ = {"dealer": 0, "hands": [["6c"], ["5d"], []], "stock": ["As"], "discard": ["2b"]}
    state = position(position_, seats=3)
    moved = state.apply(1, "stand")
    assert moved.turn_ended
    state.apply(0, "stand")
    shuffle = state.needs_chance
    assert shuffle == (("5d", "6c", "2b"), "stock")
    assert state.to_act == ()
    assert state.legal(2) == []
    kept = SETTE_E_MEZZO.from_json(state.options, state.to_json())
    for each in (state, kept):
        each.supply([2, 0, 1])
        assert each.to_act == (2,)
        assert each.to_json()["hands"] == [["2b"], [], ["As"]]
        assert each.to_json()["stock"] == ["5d", "6c"]


def test_a_draw_may_wait_for_the_shuffle() -> None:
    state = position({"dealer": 0, "hands": [["6c"], ["5d"]], "discard": ["7b", "As"]})
    assert state.apply(1, "draw").turn_ended
    assert not state.to_act
    events = state.supply([1, 0])
    assert [event.kind for event in events] == ["stock_shuffled", "card_drawn"]
    assert list(state.to_act) == [1]


def test_leaving_while_the_shuffle_is_awaited() -> None:
    state = position({"dealer": 0, "hands": [["6c"], ["5d"]], "discard": ["7b", "As"]})
    state.apply(1, "draw")
    state.apply(1, "abandon")
    assert state.over
    assert state.needs_chance is None


def test_a_turn_of_the_clock_ends_with_a_bet_a_card_drawn_and_a_stand() -> None:
    """clock.md, section 10; the next duel is shown before its clock starts (section 5)."""
    json = {"dealer": 0, "hands": [["6c"], ["5d"], []], "stock": ["Ac", "Js", "7c", "2d", "3d"]}
    state = position(json, seats=3, betting="free")
    moves = [state.apply(1, text) for text in ("bet 2", "draw", "draw", "draw")]
    assert all(move.turn_ended for move in moves)
    assert [move.lead_in_ms for move in moves] == [0, 0, 0, 2500]
    assert state.scores == [2, -2, 0]
    assert list(state.to_act) == [2]
    assert state.apply(2, "bet 1").turn_ended
    assert state.apply(2, "stand").turn_ended


def test_with_ko_who_won_the_last_hand_loses_a_match_that_is_level() -> None:
    last = {**DUEL, "scores": [-1, 1], "hand": 60}
    state = played(position(last, match="points", ko=True), (1, "stand"), (0, "stand"))
    assert state.scores == [0, 0]
    assert state.outcome is not None
    assert state.outcome == (1, (2, 1), "ko_rule", None)


def test_without_ko_a_level_match_to_points_is_drawn_at_its_last_hand() -> None:
    last = {**DUEL, "scores": [-1, 1], "hand": 60}
    state = played(position(last, match="points"), (1, "stand"), (0, "stand"))
    assert state.outcome == (None, (1, 1), "draw", None)


def test_a_shared_target_means_a_further_hand() -> None:
    hand = {
        "dealer": 0,
        "hands": [["4d"], ["5c"], []],
        "stock": ["3s", "2s", "As"],
        "scores": [9, 10, -19],
        "hand": 7,
    }
    state = played(position(hand, seats=3, match="points"), (1, "stand"), (0, "draw"), (0, "stand"))
    assert state.scores == [10, 9, -19]
    played(state, (2, "stand"), (0, "stand"))
    assert state.scores == [9, 9, -18]
    assert (state.over, state.hand, state.tie_break) == (False, 8, 0)


def test_the_third_tie_break_hand_is_the_last() -> None:
    hand = {"dealer": 0, "hands": [["4d"], ["5c"], ["6d"]], "stock": "any", "hand": 6, "tie_break": 3}
    state = position({**hand, "scores": [3, 0, 0]}, seats=3, variant="round")
    played(state, (1, "stand"), (2, "stand"), (0, "stand"))
    assert state.scores == [1, 1, 1]
    assert state.outcome == (None, (1, 1, 1), "draw", None)


def test_who_sees_what_in_a_round() -> None:
    state = position(ROUND, seats=3, variant="round")
    assert state.view(None).facts["totals"] == [None, None, None]
    assert state.view(2).facts["totals"] == [None, None, 7]
    state.apply(1, "stand")
    assert state.view(0).facts["totals"] == [4, None, None]
    state.apply(2, "draw")  # seven and a half: it is shown, and the banker plays
    view = state.view(None)
    assert view.facts["totals"] == [4, None, 7.5]
    assert [zone.cards for zone in view.zones[:3]] == [("4d",), None, ("7b", "Js")]
    state.apply(0, "draw")
    state.apply(0, "stand")
    assert state.scores == [-1, -1, 2]
    assert set(state.view(None).zones[4].cards or ()) == {"4d", "2s", "5c", "7b", "Js"}


def test_the_card_of_a_banker_who_did_not_play_is_never_seen() -> None:
    state = position({**ROUND, "hands": [["4d"], ["5c"], []], "stock": ["6s", "2s", "3b"]}, seats=3)
    state.apply(1, "draw")
    discard = next(zone for zone in state.view(0).zones if zone.kind == "discard")
    assert (set(discard.cards or ()), discard.count) == ({"5c", "6s"}, 3)
    assert state.to_json()["hands"] == [["3b"], [], ["2s"]]


def test_what_may_be_opened() -> None:
    state = SETTE_E_MEZZO.start(SETTE_E_MEZZO.options({"seats": 3}), 0)
    state.supply(range(40))
    assert (state.openings(None), state.openings(0), state.openings(1)) == ([], [1], [0])
    state.apply(1, "draw")
    assert (state.openings(None), state.openings(2), state.openings(1)) == ([2], [2], [0, 2])
    state.apply(1, "stand")
    assert state.openings(None) == [1, 2]
    assert not state.whole_deck_shown


@pytest.mark.parametrize(
    ("options", "scores", "seat", "deck", "moves", "most"),
    [
        ({}, [0, 0], 0, "7d Ac Ks", "1 draw, 0 stand", 2),
        ({}, [0, 0], 1, "5d 6c", "1 abandon", 2),
        ({}, [-5, 5], 1, "7d Ac Ks", "1 draw, 0 stand, 1 abandon", 12),
        ({"betting": "free", "real_pays": 1}, [0, 0], 1, "5d 6c", "1 bet 10, 1 abandon", 11),
        (
            {"seats": 3}, [0, 0, 0], 0, "7d Ac Ks 7c Ad",
            "1 draw, 0 stand, 0 abandon", 5,
        ),
        (
            {"seats": 10, "variant": "round"}, [0] * 10, 0,
            "7d 7c 7b 7s Kd 5d 5c 5b 5s Ad Jd Jc Jb Js Qd",
            "1 draw, 2 draw, 3 draw, 4 draw, 5 draw, 6 stand, 7 stand, 8 stand, 9 stand, 0 abandon", 18,
        ),
    ],
)  # fmt: skip
def test_the_most_that_a_hand_takes_can_be_lost(
    options: dict[str, Any], scores: list[int], seat: int, deck: str, moves: str, most: int
) -> None:
    state = position({"dealer": 0, "phase": "deal", "scores": scores}, **options)
    assert state.max_loss(seat) == most
    first = IT40.read(deck.split())
    state.supply([*first, *(card for card in range(40) if card not in first)])
    for move in moves.split(", "):
        mover, text = move.split(" ", 1)
        state.apply(int(mover), text)
    assert scores[seat] - state.scores[seat] == most


def test_at_most_five_hands_are_royal_at_once() -> None:
    at_level = {"dealer": 0, "phase": "deal"}
    wide = {"seats": 10, "min_bet": 10, "betting": "free", "max_bet": 100, "variant": "round"}
    assert position(at_level, **wide).max_loss(0) == 4 * 100 + 5 * 200
    assert position(at_level, **wide, matta=False).max_loss(0) == 5 * 100 + 4 * 200
    assert position(at_level, **{**wide, "variant": "duels"}).max_loss(0) == 9 * 200
