"""Uno beyond its cases (uno.md)."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import UNO108
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.uno import UNO
from tests.rules.strategies import matches, start


def table(options: dict[str, Any] | None = None, **position: Any) -> State[Any]:
    """Seat 0 to act after the dealer 1, or what the position says."""
    given = {"seats": 2, **(options or {})}
    whole = {"dealer": given["seats"] - 1, "discard": ["r5"], **position}
    return UNO.from_json(UNO.options(given), whole)


def texts(state: State[Any], seat: int) -> list[str]:
    return [move.text for move in state.legal(seat)]


HANDS = [["r2", "b5", "g9", "W", "W4"], ["y2", "y3"]]


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("play", "unparsable", ""),
        ("play W", "unparsable", ""),
        ("play W5 r", "unparsable", ""),
        ("play W uno r", "unparsable", ""),
        ("play r2 r", "unparsable", ""),
        ("play r2 uno uno", "unparsable", ""),
        ("play  r2", "unparsable", ""),
        ("colour", "unparsable", ""),
        ("draw stock", "unparsable", ""),
        ("colour r", "wrong_phase", ""),
        ("accept", "wrong_phase", ""),
        ("challenge", "wrong_phase", ""),
        ("pass", "must_draw", ""),
        ("play y9", "not_in_hand", "y9"),
        ("play y9 uno", "not_in_hand", "y9"),
        ("play W4 r", "wild4_forbidden", "W4"),
        ("play g9", "does_not_fit", "g9"),
        ("play g9 uno", "does_not_fit", "g9"),
        ("play r2 uno", "not_allowed", "uno"),
    ],
)
def test_a_refusal_in_phase_play(text: str, code: str, where: str) -> None:
    state = table(hands=HANDS, stock="any")
    refusal = state.check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


def test_refusals_of_the_other_phases() -> None:
    drawn = table({"uno_call": "declare"}, hands=[["r2", "r4", "g9"], ["y2"]], drawn="r4", stock=["g1"])
    assert drawn.phase == "drawn"
    for text, code in [
        ("draw", "already_drawn"),
        ("play r2", "only_drawn_card"),
        ("play b1", "not_in_hand"),
        ("play r4 uno", "uno_not_due"),
        ("accept", "wrong_phase"),
    ]:
        refusal = drawn.check(0, text)
        assert refusal is not None
        assert refusal.code == code
    doubted = table({"challenge": True}, hands=[["r2", "W4"], ["y2"]], stock="any")
    doubted.apply(0, "play W4 g")
    for text in ("play y2", "draw", "pass", "colour r"):
        refusal = doubted.check(1, text)
        assert refusal is not None
        assert refusal.code == "wrong_phase"


def test_a_knock_out_table_has_two_seats() -> None:
    assert UNO.options({"seats": 2, "ko": True})
    with pytest.raises(OptionsError, match="ko"):
        UNO.options({"seats": 3, "ko": True})


@pytest.mark.parametrize(
    "position",
    [
        {"hands": [["r1"], []]},
        {"hands": [["r1"]]},
        {"hands": [["r1"], ["r2"]], "discard": []},
        {"hands": [["r1"], ["r2"]], "discard": ["W"]},
        {"hands": [["r1"], ["r2"]], "colour": "b"},
        {"hands": [["r1"], ["r2"]], "colour": "x"},
        {"hands": [["r1"], ["r2"]], "direction": 0},
        {"hands": [["r1"], ["r2"]], "shuffles": 10},
        {"hands": [["r1"], ["r2"]], "shuffles": 11, "stock": ["r3"]},
        {"hands": [["r1"], ["r2"]], "drawn": "r2"},
        {"hands": [["r1"], ["r2"]], "drawn": "x"},
        {"hands": [["r1"], ["r2"]], "phase": "challenge"},
        {"hands": [["r1"], ["r2"]], "phase": "colour"},
        {"hands": [["r1"], ["r2"]], "phase": "dance"},
        {"hands": [["r1"], ["r2"]], "hands_won": [0]},
        {"hands": [["r0"], ["r0"]]},
        {"hands": [["r1"], ["r2"]], "first": "r3"},
    ],
)
def test_a_position_that_cannot_be(position: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        table(**position)


def test_a_drawn_jolly_four_is_judged_by_the_whole_hand() -> None:
    held = table(hands=[["r2"], ["y2"]], stock=["W4", "b1"])
    held.apply(0, "draw")
    assert held.to_act == (1,)
    free = table(hands=[["b2"], ["y2"]], stock=["W4", "b1"])
    free.apply(0, "draw")
    assert (free.phase, texts(free, 0)[:1]) == ("drawn", ["play W4 r"])


def test_a_bluffed_hand_is_seen_by_the_challenger_until_the_next_move() -> None:
    state = table(
        {"seats": 3, "challenge": True}, hands=[["W4", "r2", "y1"], ["b2", "y3"], ["g1"]], stock="any"
    )
    state.apply(0, "play W4 b")
    applied = state.apply(1, "challenge")
    assert not applied.turn_ended
    assert {zone.id: zone.cards for zone in state.view(1).zones}["seen"] == ("r2", "y1")
    for viewer in (None, 0, 2):
        assert "seen" not in {zone.id for zone in state.view(viewer).zones}
    assert state.view(2).facts["penalties"] == [{"seat": 0, "number": 4, "reason": "challenge_won"}]
    state.apply(1, "play b2")
    assert "seen" not in {zone.id for zone in state.view(1).zones}


def test_a_challenge_looks_at_the_cards_held_before_a_penalty() -> None:
    options = {"challenge": True, "uno_call": "declare"}
    state = table(
        options, hands=[["W4", "y1"], ["b2"]], stock=["r1", "r2", "g1", "g2", "g3", "g4", "g6", "g7"]
    )
    state.apply(0, "play W4 b")
    assert state.to_json()["hands"][0] == ["r1", "r2", "y1"]
    state.apply(1, "challenge")
    assert state.to_act == (0,)
    assert state.to_json()["hands"][1] == ["g1", "g2", "g3", "g4", "g6", "g7", "b2"]


def test_the_penalty_comes_before_the_effect_of_the_card() -> None:
    state = table(
        {"uno_call": "declare"}, hands=[["r+2", "y1"], ["b2"]], stock=["b1", "b3", "g1", "g2", "g3"]
    )
    assert texts(state, 0) == ["play r+2", "play r+2 uno", "draw"]
    applied = state.apply(0, "play r+2")
    drawn = [event for event in applied.events if event.kind == "cards_drawn"]
    assert [(event.seat, event.data["reason"]) for event in drawn] == [(0, "uno_not_said"), (1, "plus_two")]
    assert state.to_json()["hands"] == [["y1", "b1", "b3"], ["g1", "g2", "b2"]]
    assert state.to_act == (0,)


def test_a_shuffle_in_the_middle_of_a_draw() -> None:
    state = table(hands=[["r+2", "y1"], ["b2"]], discard=["g1", "g2", "W", "r5"], stock=["b1"])
    applied = state.apply(0, "play r+2")
    assert (state.phase, state.to_act, applied.turn_ended) == ("play", (), True)
    assert state.needs_chance == (("r5", "g1", "g2", "W"), "stock")
    refusal = state.check(0, "play y1")
    assert refusal is not None
    assert refusal.code == "not_your_turn"
    with pytest.raises(ValueError, match="permutation"):
        state.supply([0, 1, 2])
    back = UNO.from_json(state.options, state.to_json())
    for each in (state, back):
        each.supply([3, 0, 1, 2])
        snapshot = each.to_json()
        assert (snapshot["hands"], snapshot["stock"]) == ([["y1"], ["b1", "b2", "W"]], ["r5", "g1", "g2"])
        assert (snapshot["discard"], snapshot["shuffles"], each.to_act) == (["r+2"], 1, (0,))


def test_the_last_card_may_need_a_shuffle_before_the_count() -> None:
    state = table(hands=[["r+2"], ["b2"]], discard=["g1", "g2", "r5"], stock=[])
    state.apply(0, "play r+2")
    assert not state.over
    events = state.supply([2, 1, 0])
    assert events[-1].kind == "match_ended"
    assert list(state.scores) == [5, 0]


def test_after_ten_shuffles_a_seat_draws_what_there_is() -> None:
    state = table(hands=[["r+2", "y1"], ["b2"]], discard=["g1", "r5"], stock=["b1"], shuffles=10)
    state.apply(0, "play r+2")
    assert (state.phase, state.dealer) == ("deal", 0)
    assert state.to_json()["hands"] == [["y1"], ["b1", "b2"]]
    last = table(hands=[["r+2"], ["b2"]], discard=["g1", "r5"], stock=["b1"], shuffles=10)
    last.apply(0, "play r+2")
    assert list(last.scores) == [3, 0]


def test_a_void_hand_is_dealt_again_in_a_tie_break_too() -> None:
    state = table(
        {"hands": 2},
        hands=[["y1"], ["y2"]],
        discard=["b5"],
        hand=2,
        tie_break=1,
        scores=[3, 3],
        hands_won=[1, 1],
    )
    state.apply(0, "pass")
    state.apply(1, "pass")
    assert (state.phase, state.hand, state.tie_break, state.dealer) == ("deal", 2, 1, 0)


def test_with_two_seats_the_same_one_goes_on_after_salto() -> None:
    state = table(hands=[["rS", "y1"], ["b2"]], stock="any")
    assert state.apply(0, "play rS").turn_ended
    assert state.to_act == (0,)


def test_who_abandons_in_the_deal_gives_nothing_but_the_match() -> None:
    options = UNO.options({"seats": 3, "match": "points"})
    given = {"dealer": 0, "phase": "deal", "scores": [90, 40, 40], "hands_won": [2, 1, 2]}
    state = UNO.from_json(options, given)
    state.apply(0, "abandon")
    assert state.outcome is not None
    assert (state.scores, state.hand_score) == ([40, 40, 40], None)
    assert (state.outcome.winner, state.outcome.places) == (2, (3, 2, 1))


@given(data=st.data())
@settings(max_examples=40)
def test_openings_say_what_was_dealt(data: st.DataObject) -> None:
    """Every place that is opened holds a card that its viewer has seen; after the hand all drawn ones are."""
    match = data.draw(matches(UNO))
    orders = [entry for entry in match.log if isinstance(entry, list)]
    state = match.state
    if not orders:
        assert state.openings(None) == []
        return
    if len(orders[-1]) == len(UNO108.cards):
        deck = [UNO108.texts[place] for place in orders[-1]]
        seen = {*state.to_json()["discard"], *(card for hand in state.to_json()["hands"] for card in hand)}
        for viewer in match.viewers():
            assert {deck[place] for place in state.openings(viewer)} <= seen
        if state.phase in ("deal", "over"):
            opened = Counter(deck[place] for place in state.openings(None))
            assert opened + Counter(state.to_json()["stock"]) == Counter(UNO108.texts)


def test_the_first_card_and_the_colours() -> None:
    """All five kinds of first card, by dealing."""
    kinds = set()
    for seed in range(200):
        match = start(UNO, UNO.options({"seats": 3}), seed)
        match.step()
        state = match.state
        top = state.to_json()["discard"][0]
        first = (state.dealer + 1) % 3
        kinds.add(top[1:] if top[1:] in ("S", "R", "+2") else top[:1])
        if top == "W":
            assert (state.phase, state.to_act, state.view(None).facts["colour"]) == ("colour", (first,), None)
        elif top[1:] in ("S", "+2"):
            assert state.to_act == ((first + 1) % 3,)
        elif top[1:] == "R":
            assert (state.to_act, state.view(None).facts["direction"]) == ((state.dealer,), -1)
        else:
            assert state.to_act == (first,)
    assert kinds == {"S", "R", "+2", "W", "r", "y", "g", "b"}
