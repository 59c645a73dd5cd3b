"""What the cases of tresette do not reach: accusi, draws, events, views, openings, positions, refusals."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.tresette import TRESETTE, combinations_of, thirds
from tests.rules.strategies import start


def dealt(dealer: int = 1, **options: Any) -> State[Any]:
    """Two seats: 0 holds Ad 3d 5d 7d Qd Ac 3c 5c 7c Qc, 1 the rest of denari and coppe."""
    state = TRESETTE.start(TRESETTE.options(options), dealer)
    state.supply(range(40))
    return state


def play(state: State[Any], *cards: str) -> list[Any]:
    """Cards played by whoever is to act."""
    return [state.apply(state.to_act[0], f"play {card}") for card in cards]


# ------------------------------------------------------------------------------------- cards and hands


def test_the_deck_has_32_thirds() -> None:
    assert thirds((1 << 40) - 1) == 32
    assert thirds(as_set(IT40.read(["4d", "5d", "6d", "7d"]))) == 0


@given(hand=st.sets(st.integers(0, 39), min_size=1, max_size=20))
def test_combinations_are_those_of_the_spec(hand: set[int]) -> None:
    """Section 3, tried on every three and four cards of the hand."""

    def is_one(cards: tuple[int, ...]) -> bool:
        ranks, suits = {card % 10 for card in cards}, {card // 10 for card in cards}
        if len(suits) == 1:
            return ranks == {0, 1, 2}
        held = sum(card % 10 in ranks for card in hand)
        return len(ranks) == 1 and ranks <= {0, 1, 2} and len(cards) == held

    named = [cards for size in (3, 4) for cards in combinations(sorted(hand), size) if is_one(cards)]
    assert [members(cards) for cards in combinations_of(as_set(hand))] == sorted(named)


@settings(max_examples=25)
@given(
    seats=st.sampled_from([2, 4]),
    seed=st.integers(0, 2**32),
    variant=st.sampled_from(["vincere", "perdere"]),
)
def test_a_hand_gives_eleven_points_of_play(seats: int, seed: int, variant: str) -> None:
    match = start(TRESETTE, TRESETTE.options({"seats": seats, "variant": variant}), seed)
    while match.state.hand_score is None:
        match.step()
    score = match.state.hand_score
    assert (sum(score["thirds"]), sum(score["last"]), sum(score["total"])) == (32, 1, 11)
    assert len(match.log) == 42


@settings(max_examples=25)
@given(seats=st.sampled_from([2, 4]), seed=st.integers(0, 2**32))
def test_the_suit_led_is_followed_by_whoever_can(seats: int, seed: int) -> None:
    match = start(TRESETTE, TRESETTE.options({"seats": seats}), seed)
    while match.state.hand_score is None:
        match.step()
        json = match.state.to_json()
        for seat in match.state.to_act:
            led = [face[1] for face in json["trick"][:1]]
            hand = json["hands"][seat]
            allowed = [face for face in hand if [face[1]] == led] or hand
            assert [move.cards[0] for move in match.state.legal(seat)] == allowed


# ---------------------------------------------------------------------------- accusi, events, marks


def test_a_declaration_is_a_step_and_is_told_to_all() -> None:
    position = {"dealer": 1, "hands": [["Ad", "2d", "3d", "Ac"], ["Ab", "2b", "3b", "4b"]], "stock": "any"}
    state = TRESETTE.from_json(TRESETTE.options({"accusi": True}), position)
    applied = state.apply(0, "declare 3d Ad 2d")
    assert (applied.text, applied.turn_ended, applied.lead_in_ms) == ("declare Ad 2d 3d", False, 0)
    (event,) = applied.events
    assert (event.kind, event.seat, event.data) == ("accuso_declared", 0, {"cards": ["Ad", "2d", "3d"]})
    assert event.private is None
    assert state.public_view().facts["declared"] == [[["Ad", "2d", "3d"]], []]
    assert list(state.to_act) == [0]


def test_four_of_a_kind_hide_the_three_and_count_four() -> None:
    position = {
        "dealer": 3,
        "hands": [
            ["Ad", "Ac", "Ab", "As"],
            ["4d", "5d", "6d", "7d"],
            ["4c", "5c", "6c", "7c"],
            ["4b", "5b", "6b", "7b"],
        ],
    }
    state = TRESETTE.from_json(TRESETTE.options({"seats": 4, "accusi": True}), position)
    refusal = state.check(0, "declare Ad Ac Ab")
    assert refusal is not None
    assert refusal.code == "not_an_accuso"
    assert state.legal(0)[0].text == "declare Ad Ac Ab As"
    state.apply(0, "declare As Ab Ac Ad")
    while state.phase == "play":
        state.apply(state.to_act[0], state.legal(state.to_act[0])[0])
    assert state.hand_score is not None
    assert (state.hand_score["accusi"], state.hand_score["total"]) == ((4, 0), (9, 0))


def test_both_drawn_cards_are_told_to_all() -> None:
    state = dealt()
    first, second = play(state, "Ad", "2d")
    _, taken, drawn = second.events
    assert (taken.kind, taken.seat) == ("trick_taken", 1)
    assert (drawn.kind, drawn.data, drawn.private) == (
        "cards_drawn",
        {"cards": ["2b", "Ab"], "stock": 18},
        None,
    )
    assert [first.lead_in_ms, second.lead_in_ms] == [0, LEAD_IN_CAPTURE_MS]
    assert state.public_view().facts["last_draw"] == ["2b", "Ab"]
    play(state, "4d")
    assert state.public_view().facts["last_draw"] == ["2b", "Ab"]
    play(state, "5d")
    assert state.public_view().facts["last_draw"] == ["3b", "4b"]


# ----------------------------------------------------------------------------------------- views, openings


def test_the_public_view_has_what_everybody_sees() -> None:
    state = dealt()
    play(state, "Ad", "2d", "4d")
    view = state.public_view()
    assert view.facts == {
        "leader": 1,
        "last_trick": {"leader": 0, "cards": ["Ad", "2d"], "winner": 1},
        "last_draw": ["2b", "Ab"],
        "declared": [[], []],
    }
    assert [(zone.id, zone.cards, zone.count) for zone in view.zones] == [
        ("hands.0", None, 10),
        ("hands.1", None, 9),
        ("trick", ("4d",), 1),
        ("stock", None, 18),
        ("captured.0", None, 0),
        ("captured.1", None, 2),
    ]


def test_openings_are_of_the_cards_that_the_viewer_sees() -> None:
    state = dealt()
    assert state.openings(None) == []
    assert state.openings(0) == [*range(0, 20, 2)]
    play(state, "Ad", "2d")
    assert state.openings(None) == [0, 1, 20, 21]  # the last trick, and what was drawn after it
    play(state, "4d", "5d")
    assert state.openings(None) == [3, 4, 22, 23]
    state.apply(0, "abandon")
    assert state.openings(None) == [0, 1, 3, 4, 22, 23]


# ---------------------------------------------------------------------- abandonment, refusals, positions


def test_a_perdere_an_offender_whose_score_is_better_gets_the_other_sides() -> None:
    state = dealt(variant="perdere")
    position = {**state.to_json(), "scores": [0, 15]}
    state = TRESETTE.from_json(state.options, position)
    state.apply(0, "abandon")
    assert state.hand_score is not None
    assert state.hand_score["total"] == (11, 0)
    assert state.scores == [15, 15]
    assert state.outcome is not None
    assert state.outcome.winner == 1


def test_an_abandonment_makes_no_cappotto() -> None:
    state = dealt(variant="perdere", cappotto=True)
    state.apply(1, "abandon")
    assert state.hand_score is not None
    assert state.hand_score["total"] == (0, 11)


def table(**options: Any) -> State[Any]:
    position = {
        "dealer": 1,
        "hands": [["Ad", "2d", "3d", "7c"], ["Kd", "4c", "Ac", "2c"]],
    }
    return TRESETTE.from_json(TRESETTE.options(options), position)


@pytest.mark.parametrize(
    ("seat", "text", "code", "where"),
    [
        (0, "declare Ad 2d", "unparsable", ""),
        (0, "declare Ad 2d 3d 7c 7c", "unparsable", ""),
        (0, "declare Ad 2d  3d", "unparsable", ""),
        (0, "declare Ad 2d 8d", "unparsable", ""),
        (0, "declare", "unparsable", ""),
        (0, "declare Ad 2d Kd", "not_in_hand", "Kd"),
        (0, "declare Ad 2d 2d", "not_in_hand", "2d"),
        (0, "declare Ad Ad 2d 3d", "not_in_hand", "Ad"),
        (0, "declare Ad 2d 7c", "not_an_accuso", ""),
        (0, "declare Ad 2d 3d 7c", "not_an_accuso", ""),
        (1, "declare Ac 2c 4c", "not_your_turn", ""),
        (0, "play Kd", "not_in_hand", "Kd"),
        (0, "play Ad 2d", "unparsable", ""),
    ],
)
def test_refusal(seat: int, text: str, code: str, where: str) -> None:
    refusal = table(accusi=True).check(seat, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


def test_rows_of_the_refusals_come_in_their_order() -> None:
    state = table(accusi=True)
    play(state, "7c")
    follow = state.check(1, "play Kd")
    assert follow is not None
    assert (follow.code, follow.where, follow.text) == (
        "must_follow_suit",
        "Kd",
        "7c was led and you hold its suit",
    )
    play(state, "4c")
    for text in ("declare Ad 2d 3d", "declare Ks Qs Js"):
        late = state.check(0, text)
        assert late is not None
        assert late.code == "wrong_phase"
    without = table().check(0, "declare Ks Qs Js")
    assert without is not None
    assert without.code == "not_allowed"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"variant": "perdere", "accusi": True}, "accusi"),
        ({"cappotto": True}, "cappotto"),
        ({"open_partners": True}, "open_partners"),
        ({"seats": 3}, "seats"),
        ({"target": 22}, "target"),
        ({"hands": 11}, "hands"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        TRESETTE.options(options)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"declared": [[]]}, "declared"),
        ({"declared": [[["8d"]], []]}, "declared"),
        ({"stock": ["7b"]}, "stock"),
        ({"last_draw": ["8d", "7d"]}, "last_draw"),
        ({"briscola": "7b"}, "briscola"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], field: str) -> None:
    position = {"dealer": 1, "hands": [["Ad"], ["Kd"]], **change}
    with pytest.raises(PositionError) as refused:
        TRESETTE.from_json(TRESETTE.options({}), position)
    assert refused.value.field == field
