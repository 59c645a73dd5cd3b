"""What the cases of briscola do not reach: draws, events, views, openings, positions, refusals."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import IT40
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.briscola import BRISCOLA, card_points
from tests.rules.playing import zone
from tests.rules.strategies import Match, start

ORDER = [*range(40)]
"""Seat 1 of two deals: 0 holds Ad 3d 5d, 1 holds 2d 4d 6d; the briscola is 7d; next come Jd Qd Kd Ac."""


def dealt(dealer: int = 1, **options: Any) -> State[Any]:
    state = BRISCOLA.start(BRISCOLA.options(options), dealer)
    shuffle = state.needs_chance
    assert shuffle is not None
    state.supply(range(len(shuffle.cards)))
    return state


def play(state: State[Any], *cards: str) -> list[Any]:
    """Cards played by whoever is to act."""
    return [state.apply(state.to_act[0], f"play {card}") for card in cards]


def at_the_last_draw(seats: int = 2, **options: Any) -> Match:
    """A match in which the next complete trick is followed by the last draw."""
    match = start(BRISCOLA, BRISCOLA.options({"seats": seats, **options}), 5)
    while not 0 < int(zone(match.state.public_view(), "stock")) <= seats:  # type: ignore[arg-type]
        match.step()
    return match


# ---------------------------------------------------------------------------------- cards and hands


def test_the_deck_has_120_points_with_and_without_the_two_of_coppe() -> None:
    assert card_points((1 << 40) - 1) == 120
    assert card_points(1 << IT40.number["2c"]) == 0


@settings(max_examples=25)
@given(
    seats=st.sampled_from([2, 3, 4]), seed=st.integers(0, 2**32), match=st.sampled_from(["points", "hands"])
)
def test_a_hand_shares_out_all_points_and_every_seat_plays_as_many_cards(
    seats: int, seed: int, match: str
) -> None:
    played = start(BRISCOLA, BRISCOLA.options({"seats": seats, "match": match}), seed)
    while played.state.hand_score is None:
        played.step()
    score = played.state.hand_score
    assert sum(score["points"]) == 120
    assert sum(score["won"]) == (max(score["points"]) > sorted(score["points"])[-2])
    assert score["total"] == score["points" if match == "points" else "won"]
    cards = 39 if seats == 3 else 40
    assert len(played.log) == cards + 2
    assert [sum(entry[0] == seat for entry in played.log[2:]) for seat in range(seats)] == (  # type: ignore[index]
        [cards // seats] * seats
    )


def test_without_a_lead_that_cannot_be_caught_a_hands_match_goes_on() -> None:
    position: dict[str, Any] = {
        "dealer": 2,
        "hands": [["Ad"], ["2d"], ["4d"]],
        "briscola": "7s",
        "captured": [["Ac", "3c", "Ab", "3b", "3d"], [], "any"],
    }
    options = BRISCOLA.options({"seats": 3, "match": "hands", "hands": 5})
    for scores, hand, is_over in [([1, 0, 1], 3, False), ([2, 0, 0], 3, True), ([1, 1, 1], 4, False)]:
        state = BRISCOLA.from_json(options, {**position, "scores": scores, "hand": hand})
        play(state, "Ad", "2d", "4d")
        assert state.over == is_over


# ------------------------------------------------------------------------------- events and their marks


def test_a_trick_and_its_draw_are_told() -> None:
    state = dealt()
    first, second = play(state, "Ad", "2d")
    assert [event.kind for event in first.events] == ["card_played"]
    played, taken, drawn = second.events
    assert (played.seat, played.data) == (1, {"card": "2d"})
    assert (taken.kind, taken.seat, taken.data) == ("trick_taken", 0, {"side": 0, "cards": ["Ad", "2d"]})
    assert (drawn.kind, drawn.data) == ("cards_drawn", {"cards": [None, None], "stock": 32})
    assert drawn.private == {0: {"cards": ["Jd", None]}, 1: {"cards": [None, "Qd"]}}
    assert [first.lead_in_ms, second.lead_in_ms] == [0, LEAD_IN_CAPTURE_MS]
    assert first.turn_ended


def test_the_briscola_card_is_drawn_in_sight_of_all() -> None:
    match = at_the_last_draw()
    briscola = match.state.public_view().facts["briscola"]
    while True:
        before = match.state.copy()
        match.step()
        if not zone(match.state.public_view(), "stock"):
            break
    drawn = before.apply(*match.log[-1]).events[-1]  # type: ignore[misc]
    loser = 1 - match.state.to_act[0]
    assert drawn.data["cards"][loser] == briscola
    assert drawn.data["cards"][1 - loser] is None


# ----------------------------------------------------------------------------------------------- views


def test_the_public_view_has_what_everybody_sees() -> None:
    state = dealt()
    play(state, "Ad", "2d", "3d")
    view = state.public_view()
    assert view.facts == {
        "briscola": "7d",
        "leader": 0,
        "last_trick": {"leader": 0, "cards": ["Ad", "2d"], "winner": 0},
    }
    assert [(zone.id, zone.layout, zone.cards, zone.count) for zone in view.zones] == [
        ("hands.0", "fan", None, 2),
        ("hands.1", "fan", None, 3),
        ("trick", "trick", ("3d",), 1),
        ("stock", "stack", None, 32),
        ("captured.0", "pile", None, 2),
        ("captured.1", "pile", None, 0),
    ]
    assert [zone.id for zone in state.own_view(1).zones] == ["hands.1"]


def test_with_seen_cards_piles_and_points_are_open() -> None:
    state = dealt(seen_cards=True)
    play(state, "Ad", "2d")
    view = state.public_view()
    assert zone(view, "captured.0") == ["Ad", "2d"]
    assert view.facts["points"] == [11, 0]
    assert [zone(view, f"hands.{seat}") for seat in (0, 1)] == [3, 3]


def test_with_endgame_open_partners_see_each_other_when_the_stock_is_empty() -> None:
    match = at_the_last_draw(seats=4, endgame_open=True)
    while zone(match.state.public_view(), "stock"):
        assert [zone.id for zone in match.state.own_view(0).zones] == ["hands.0"]
        match.step()
    for seat in range(4):
        partner = (seat + 2) % 4
        assert {zone.id for zone in match.state.own_view(seat).zones} == {f"hands.{seat}", f"hands.{partner}"}
    assert isinstance(zone(match.state.public_view(), "hands.0"), int)


def test_openings_are_of_the_cards_that_the_viewer_sees() -> None:
    state = dealt()
    assert state.openings(None) == [6]
    assert state.openings(0) == [0, 2, 4, 6]
    play(state, "Ad", "2d", "3d", "4d", "5d")
    assert state.openings(None) == [2, 3, 4, 6]  # the trick, the last one, the briscola card
    state.apply(0, "abandon")
    assert state.openings(None) == [0, 1, 2, 3, 4, 6]
    assert not state.whole_deck_shown


def test_after_the_hand_the_whole_deck_has_been_shown() -> None:
    match = start(BRISCOLA, BRISCOLA.options({"seats": 3}), 1)
    while match.state.hand_score is None:
        assert not match.state.whole_deck_shown
        match.step()
    assert match.state.whole_deck_shown
    assert match.state.openings(None) == [*range(39)]


# --------------------------------------------------------------------- abandonment, refusals, positions


@pytest.mark.parametrize(
    ("captured", "seat", "points", "won", "scores", "winner"),
    [
        # of the 13 open points 7 go to the next seat, 6 to the one after it
        ([["Ab"], ["Ac"], ["As"]], 0, [11, 18, 17], [0, 1, 0], [11, 18, 17], 1),
        ([["Ab"], ["Ac"], ["As"]], 2, [18, 17, 11], [1, 0, 0], [18, 17, 11], 0),
        ([[], ["3c"], ["Ac"]], 0, [0, 17, 17], [0, 0, 0], [0, 17, 17], None),
        ([["Ab", "3b", "As"], ["3c"], ["Ac"]], 0, [32, 17, 17], [0, 0, 0], [17, 17, 17], None),
    ],
)
def test_of_three_seats_the_two_others_share_the_open_points(
    captured: list[list[str]],
    seat: int,
    points: list[int],
    won: list[int],
    scores: list[int],
    winner: int | None,
) -> None:
    position = {
        "dealer": 2,
        "hands": [["Ad"], ["Jd"], ["4d"]],
        "briscola": "7s",
        "captured": captured,
    }
    state = BRISCOLA.from_json(BRISCOLA.options({"seats": 3}), position)
    state.apply(seat, "abandon")
    assert state.to_json()["hand_score"] == {"points": points, "won": won, "total": points}
    assert state.scores == scores
    outcome = state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.places[seat]) == (winner, 3)


def test_before_a_deal_an_abandonment_gives_no_points() -> None:
    state = BRISCOLA.start(BRISCOLA.options({}), 0)
    state.apply(0, "abandon")
    assert (state.scores, state.hand_score, state.outcome and state.outcome.winner) == ([0, 0], None, 1)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "unparsable", ""),
        ("play", "unparsable", ""),
        ("play  Ad", "unparsable", ""),
        ("play Ad ", "unparsable", ""),
        ("play ad", "unparsable", ""),
        ("play Ad 3d", "unparsable", ""),
        ("draw", "unparsable", ""),
        ("play 2d", "not_in_hand", "2d"),
        ("play 7d", "not_in_hand", "7d"),
    ],
)
def test_refusal(text: str, code: str, where: str) -> None:
    refusal = dealt().check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"seats": 3, "ko": True}, "ko"),
        ({"seats": 2, "open_partners": True}, "open_partners"),
        ({"seats": 3, "endgame_open": True}, "endgame_open"),
        ({"seats": 5}, "seats"),
        ({"hands": 10}, "hands"),
        ({"target": 61}, "target"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        BRISCOLA.options(options)
    assert refused.value.field == field


POSITION: dict[str, Any] = {
    "dealer": 1,
    "hands": [["Ad", "5s"], ["Kd", "2c"]],
    "briscola": "7b",
    "stock": ["6s", "7b"],
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"briscola": None}, "briscola"),
        ({"briscola": "8b"}, "briscola"),
        ({"stock": ["7b", "6s"]}, "stock"),
        ({"stock": ["7b"]}, "stock"),
        ({"hands": [["Ad", "5s"], ["7b", "2c"]], "stock": "any"}, "stock"),
        ({"hands": [["Ad", "5s"], ["Kd"]]}, "hands"),
        ({"hands": [["Ad", "5s"]]}, "hands"),
        ({"hands": [[], []]}, "hands"),
        ({"trick": ["3d", "4d"]}, "trick"),
        ({"trick": ["3d"]}, "hands"),
        ({"leader": 2}, "leader"),
        ({"leader": 0, "to_act": [1]}, "to_act"),
        ({"captured": [[]]}, "captured"),
        ({"phase": "give"}, "phase"),
        ({"last_trick": {"leader": 0, "cards": ["8d"], "winner": 0}}, "last_trick"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        BRISCOLA.from_json(BRISCOLA.options({}), {**POSITION, **change})
    assert refused.value.field == field


def test_the_two_of_coppe_is_not_among_the_cards_of_three() -> None:
    position = {"dealer": 2, "hands": [["Ad"], ["2d"], ["4d"]], "briscola": "7b", "stock": "any"}
    state = BRISCOLA.from_json(BRISCOLA.options({"seats": 3}), position)
    stock = state.to_json()["stock"]
    assert len(stock) == 36
    assert "2c" not in stock
    assert stock[-1] == "7b"
    with pytest.raises(PositionError):
        BRISCOLA.from_json(BRISCOLA.options({"seats": 3}), {**position, "hands": [["2c"], ["2d"], ["4d"]]})


def test_who_is_to_act_says_who_led() -> None:
    state = BRISCOLA.from_json(BRISCOLA.options({}), {**POSITION, "to_act": [1]})
    assert (list(state.to_act), state.to_json()["leader"]) == ([1], 1)
