"""What the cases of hearts do not reach: giving, events, views, openings, positions, refusals."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import FR52, as_set
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.hearts import HEARTS, heart_points
from tests.rules.playing import zone
from tests.rules.strategies import start

GIFTS = ["give Ah 5h 9h", "give 2h 6h Th", "give 3h 7h Jh", "give 4h 8h Qh"]


def dealt(**options: Any) -> State[Any]:
    """Seat 3 deals the deck in order: seat 0 holds Ah 5h 9h Kh 4d 8d Qd 3c 7c Jc 2s 6s Ts."""
    state = HEARTS.start(HEARTS.options(options), 3)
    state.supply(range(52))
    return state


def given_away() -> State[Any]:
    """The same after the giving: 0 holds 4h 8h Qh Kh and what was not a gift, and leads."""
    state = dealt()
    for seat, gift in enumerate(GIFTS):
        state.apply(seat, gift)
    return state


# ----------------------------------------------------------------------------------- cards and hands


def test_the_hearts_cost_23_points() -> None:
    assert heart_points((1 << 52) - 1) == 23
    assert [heart_points(1 << FR52.number[face]) for face in ("Ah", "Kh", "Qh", "Jh", "Th", "2h", "As")] == (
        [5, 4, 3, 2, 1, 1, 0]
    )


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_a_hand_costs_36_points_and_every_seat_follows_if_it_can(seed: int) -> None:
    match = start(HEARTS, HEARTS.options({}), seed)
    while match.state.hand_score is None:
        match.step()
        if match.state.phase == "play":
            json = match.state.to_json()
            (seat,) = match.state.to_act
            led = [face[1] for face in json["trick"][:1]]
            hand = json["hands"][seat]
            allowed = [face for face in hand if [face[1]] == led] or hand
            assert [move.cards[0] for move in match.state.legal(seat)] == allowed
    score = match.state.hand_score
    assert (sum(score["hearts"]), sum(score["peppa"])) == (23, 13)
    assert sum(score["total"]) == (108 if any(score["cappotto"]) else 36)
    assert len(match.log) == 2 + 4 + 52


# ----------------------------------------------------------------------------------------- the giving


def test_a_seat_may_give_any_three_of_its_cards() -> None:
    state = dealt()
    for seat in range(4):
        legal = state.legal(seat)
        hand = state.to_json()["hands"][seat]
        assert [move.cards for move in legal] == [*combinations(hand, 3)]
        assert legal[-1].text == f"give {' '.join(hand[-3:])}"
    state.apply(0, GIFTS[0])
    assert state.legal(0) == []


def test_the_choices_of_a_gift_are_a_sequence() -> None:
    gifts = dealt().legal(0)
    assert len(gifts) == 286
    assert [gifts[place] for place in range(286)] == list(gifts) == gifts[:]
    assert gifts[-2:] == list(gifts)[284:]
    assert gifts[3] in gifts


def test_a_gift_is_told_to_its_giver_and_in_the_end_to_its_receiver() -> None:
    state = dealt()
    for seat, gift in enumerate(GIFTS):
        applied = state.apply(seat, gift)
        cards = gift.split()[1:]
        event = applied.events[0]
        assert (event.kind, event.seat, event.data) == ("cards_given", seat, {"cards": 3})
        assert event.private == {seat: {"cards": cards}}
        assert (applied.turn_ended, applied.lead_in_ms) == (True, 0)
        assert state.sealed(seat, gift)
    received = applied.events[1]
    assert (received.kind, received.data) == ("gifts_received", {"cards": 3})
    assert received.private == {
        (seat + 1) % 4: {"cards": gift.split()[1:]} for seat, gift in enumerate(GIFTS)
    }
    assert not state.sealed(0, "play 4h")
    assert (state.phase, list(state.to_act)) == ("play", [0])
    assert [state.own_view(seat).facts["gave"] for seat in range(4)] == [gift.split()[1:] for gift in GIFTS]
    assert state.own_view(0).facts["received"] == GIFTS[3].split()[1:]


def test_what_was_received_may_be_played_at_once() -> None:
    state = given_away()
    state.apply(0, "play Qh")
    refusal = state.check(1, "play 5d")
    assert refusal is not None
    assert (refusal.code, refusal.where) == ("must_follow_suit", "5d")


# ------------------------------------------------------------------------------------------ views


def test_the_public_view_while_giving_and_in_the_play() -> None:
    state = dealt()
    state.apply(2, GIFTS[2])
    view = state.public_view()
    assert [(zone.id, zone.count) for zone in view.zones if zone.count] == [
        ("hands.0", 13),
        ("hands.1", 13),
        ("hands.2", 10),
        ("hands.3", 13),
        ("given.2", 3),
    ]
    (prompt,) = view.prompts
    assert (prompt.seats, prompt.code) == ((0, 1, 3), "give_cards")
    state = given_away()
    for text in ("play 4h", "play Ah", "play 2h", "play 3h"):
        applied = state.apply(state.to_act[0], text)
    assert [event.kind for event in applied.events] == ["card_played", "trick_taken"]
    assert applied.lead_in_ms == LEAD_IN_CAPTURE_MS
    view = state.public_view()
    assert view.facts == {
        "leader": 1,
        "last_trick": {"leader": 0, "cards": ["4h", "Ah", "2h", "3h"], "winner": 1},
        "tricks": [0, 1, 0, 0],
    }
    assert zone(view, "captured.1") == 4
    assert zone(view, "seen.1") == ["Ah", "2h", "3h", "4h"]


def test_the_deck_stays_closed_because_it_would_show_the_gifts() -> None:
    state = given_away()
    own, received = [*range(0, 52, 4)], [3, 7, 11]
    assert state.openings(None) == []
    assert state.openings(0) == sorted(own + received)
    while state.hand_score is None:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[0])
    assert state.openings(None) == []
    assert state.openings(0) == sorted(own + received)
    assert not state.whole_deck_shown


# ------------------------------------------------------------------------ ties, refusals, positions


def last_trick(ko: bool, taker: int, tie_break: int) -> State[Any]:
    """A hand whose last trick ends a match in which seats 1, 2 and 3 share the fewest points."""
    clubs = ["2c", "3c", "4c", "5c"]
    clubs[taker] = "Kc"
    position = {
        "dealer": 1,
        "leader": 0,
        "hands": [[face] for face in clubs],
        "scores": [100, 30, 30, 30],
        "tie_break": tie_break,
        "hand": 7,
    }
    state = HEARTS.from_json(HEARTS.options({"ko": ko}), position)
    for seat, face in enumerate(clubs):
        state.apply(seat, f"play {face}")
    return state


@pytest.mark.parametrize(
    ("taker", "places"), [(0, (4, 3, 1, 2)), (1, (4, 3, 1, 2)), (2, (4, 2, 3, 1)), (3, (4, 2, 1, 3))]
)
def test_the_ko_rule_ranks_the_level_seats_from_the_dealer_on(taker: int, places: tuple[int, ...]) -> None:
    outcome = last_trick(True, taker, 3).outcome
    assert outcome is not None
    assert (outcome.places, outcome.ended_by) == (places, "ko_rule")
    assert outcome.places[outcome.winner or 0] == 1


def test_without_ko_one_tie_break_hand_and_then_a_draw() -> None:
    assert last_trick(False, 0, 0).tie_break == 1
    outcome = last_trick(False, 0, 1).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.places, outcome.ended_by) == (None, (4, 1, 1, 1), "draw")


def test_with_ko_an_abandonment_before_a_deal_has_a_winner() -> None:
    state = HEARTS.start(HEARTS.options({"ko": True}), 0)
    state.apply(2, "abandon")
    outcome = state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.places, outcome.ended_by, outcome.offender) == (
        1,
        (3, 1, 4, 2),
        "abandon",
        2,
    )
    assert (state.scores, state.hand_score) == ([0, 0, 0, 0], None)


@pytest.mark.parametrize(
    ("playing", "text", "code", "where"),
    [
        (False, "give Ah 5h", "unparsable", ""),
        (False, "give Ah 5h 9h Kh", "unparsable", ""),
        (False, "give Ah 5h 1h", "unparsable", ""),
        (False, "give Ah  5h 9h", "unparsable", ""),
        (False, "give Ah 5h 2h", "not_in_hand", "2h"),
        (False, "give Ah 5h Ah", "not_in_hand", "Ah"),
        (False, "play Ah", "wrong_phase", ""),
        (False, "play 2h", "wrong_phase", ""),
        (True, "give Ah 5h 9h", "wrong_phase", ""),
        (True, "play 2h", "not_in_hand", "2h"),
        (True, "play 2h 3h", "unparsable", ""),
    ],
)
def test_refusal(playing: bool, text: str, code: str, where: str) -> None:
    state = given_away() if playing else dealt()
    refusal = state.check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


def test_any_order_of_a_gift_is_read() -> None:
    assert dealt().apply(0, "give 9h Ah 5h").text == GIFTS[0]


@pytest.mark.parametrize(
    "options", [{"seats": 3}, {"target": 35}, {"target": 301}, {"hands": 13}, {"open_partners": True}]
)
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError) as refused:
        HEARTS.options(options)
    assert refused.value.field in options


HANDS = [[face for face in FR52.faces if face[1] == suit] for suit in "hdcs"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"given": [["Ah"], [], [], []], "hands": [HANDS[0][1:], *HANDS[1:]]}, "given"),
        ({"given": [[], []]}, "given"),
        ({"hands": [HANDS[0][3:], *HANDS[1:]]}, "hands"),
        ({"hands": [hand[3:] for hand in HANDS], "given": [hand[:3] for hand in HANDS]}, "given"),
        ({"hands": [hand[1:] for hand in HANDS], "trick": ["Ah"]}, "phase"),
        ({"to_act": [0, 1]}, "to_act"),
        ({"hands": HANDS[:3]}, "hands"),
        (
            {"phase": "play", "hands": [hand[3:] for hand in HANDS], "given": [HANDS[0][:3], [], [], []]},
            "given",
        ),
        ({"gifts": [["1h"], [], [], []]}, "gifts"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        HEARTS.from_json(HEARTS.options({}), {"dealer": 3, "phase": "give", "hands": HANDS, **change})
    assert refused.value.field == field


def test_a_position_may_have_gifts_on_the_table() -> None:
    position = {
        "dealer": 3,
        "phase": "give",
        "hands": [HANDS[0][3:], *HANDS[1:]],
        "given": [HANDS[0][:3], [], [], []],
    }
    state = HEARTS.from_json(HEARTS.options({}), position)
    assert list(state.to_act) == [1, 2, 3]
    assert as_set(FR52.read(state.to_json()["given"][0])) == 0b111
