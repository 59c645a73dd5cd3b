"""What the cases of scopa do not reach: deals, events, views, openings, marks for the platform."""

from collections.abc import Sequence
from typing import Any

import pytest

from services.rules.clock import LEAD_IN_CAPTURE_MS, LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40
from services.rules.core.chance import Shuffle
from services.rules.core.state import State
from services.rules.games.scopa import SCOPA
from tests.rules.playing import zone
from tests.rules.strategies import Match, as_json, start

ORDER = [*range(40)]
"""Seat 1 deals: 0 holds Ad 3d 5d, 1 holds 2d 4d 6d; on the table 7d Jd Qd Kd; next come the coppe."""


def dealt(dealer: int = 1, **options: Any) -> State[Any]:
    state = SCOPA.start(SCOPA.options(options), dealer)
    state.supply(ORDER)
    return state


def play(state: State[Any], moves: str, seat: int) -> list[Any]:
    """Make moves in turn, `7d` short for `play 7d`, `7d=3d+4d` for a capture; the last one's result."""
    applied = []
    for move in moves.split():
        card, _, takes = move.partition("=")
        text = f"play {card} take {takes.replace('+', ' ')}" if takes else f"play {card}"
        applied.append(state.apply(seat, text))
        seat = (seat + 1) % state.options.seats
    return applied


def with_kings(kings: int) -> list[int]:
    """An order that puts so many kings on the table of a two-handed deal."""
    on_table = IT40.read(["Kd", "Kc", "Kb", "Ks"])[:kings]
    others = [card for card in ORDER if card not in on_table]
    return [*others[:6], *on_table, *others[6:]]


# ------------------------------------------------------------------------------------------- deals


@pytest.mark.parametrize("kings", [0, 1, 2])
def test_up_to_two_kings_on_the_table_are_dealt(kings: int) -> None:
    state = SCOPA.start(SCOPA.options({}), 0)
    (event,) = state.supply(with_kings(kings))
    assert event.kind == "hand_dealt"
    assert state.phase == "play"


@pytest.mark.parametrize("kings", [3, 4])
def test_three_kings_void_the_deal_and_change_nothing(kings: int) -> None:
    state = SCOPA.start(SCOPA.options({}), 0)
    assert state.needs_chance == Shuffle(IT40.texts, "deal")
    (event,) = state.supply(with_kings(kings))
    assert (event.kind, event.private) == ("deal_voided", None)
    assert {"Kd", "Kc", "Kb"} <= set(event.data["table"])
    assert (state.phase, state.dealer, state.hand, state.to_act) == ("deal", 0, 1, ())
    assert state.needs_chance == Shuffle(IT40.texts, "redeal")
    state.supply(with_kings(3))
    state.supply(ORDER)
    assert (state.phase, state.dealer, state.hand, list(state.to_act)) == ("play", 0, 1, [1])


def test_a_void_deal_leaves_the_ended_hand_in_view() -> None:
    match = start(SCOPA, SCOPA.options({}), 1)
    while match.state.hand == 1:
        match.step()
    before = match.state.public_view()
    match.state.supply(with_kings(4))
    assert match.state.public_view() == before
    assert match.state.whole_deck_shown


def test_the_deal_goes_round_and_the_next_seat_begins() -> None:
    match = start(SCOPA, SCOPA.options({"seats": 4, "match": "hands", "hands": 5, "tie_hands": 0}), 7)
    first = match.state.dealer
    for hand in range(1, 6):
        assert (match.state.hand, match.state.dealer) == (hand, (first + hand - 1) % 4)
        while match.state.needs_chance:
            match.step()
        assert list(match.state.to_act) == [(match.state.dealer + 1) % 4]
        while match.state.phase == "play":
            match.step()
    assert match.state.over
    assert (match.state.hand, match.state.dealer) == (5, (first + 4) % 4)


# ------------------------------------------------------------------------- events and their marks


def test_events_tell_what_happened() -> None:
    state = dealt()
    assert [event.kind for event in play(state, "Ad", 0)[0].events] == ["card_played"]
    play(state, "2d", 1)
    (applied,) = play(state, "3d=Ad+2d", 0)
    played, captured = applied.events
    assert (played.kind, played.seat, played.data) == ("card_played", 0, {"card": "3d"})
    assert (captured.kind, captured.seat) == ("cards_captured", 0)
    assert captured.data == {"side": 0, "cards": ["Ad", "2d"]}
    assert (applied.turn_ended, applied.suspended, applied.resumed) == (True, False, None)


def test_a_scopa_is_told() -> None:
    position = {
        "dealer": 1,
        "hands": [["7d", "Kc", "2b"], ["3c", "4s", "As"]],
        "table": ["3d", "4c", "Qs", "Qd"],
        "stock": "any",
    }
    state = SCOPA.from_json(SCOPA.options({}), position)
    kinds = [event.kind for applied in play(state, "7d=3d+4c As 2b 3c=As+2b", 0) for event in applied.events]
    assert "scopa_made" not in kinds
    position["table"], position["captured"], position["last_capture"] = ["3d", "4c"], [["Qs"], ["Qd"]], 0
    state = SCOPA.from_json(SCOPA.options({}), position)
    (applied,) = play(state, "7d=3d+4c", 0)
    assert applied.events[-1].kind == "scopa_made"
    assert state.public_view().facts["scope"] == [1, 0]


def test_the_clock_waits_while_a_capture_or_a_deal_is_shown() -> None:
    state = dealt()
    applied = play(state, "Ad 2d 3d=Ad+2d 4d 5d 6d", 0)
    assert [each.lead_in_ms for each in applied] == [0, 0, LEAD_IN_CAPTURE_MS, 0, 0, LEAD_IN_DEAL_MS]


def test_further_cards_are_told_to_their_seats_only() -> None:
    state = dealt()
    event = play(state, "Ad 2d 3d=Ad+2d 4d 5d 6d", 0)[-1].events[-1]
    assert (event.kind, event.seat) == ("cards_dealt", None)
    assert event.data == {"hands": [3, 3], "stock": 24}
    assert event.private == {
        0: {"hands": [["Ac", "3c", "5c"], 3]},
        1: {"hands": [3, ["2c", "4c", "6c"]]},
    }


def ended(seed: int = 1, **options: Any) -> tuple[Match, Sequence[Any]]:
    """A match whose first hand has just ended, and the events of the last move."""
    match = start(SCOPA, SCOPA.options(options), seed)
    while match.state.hand_score is None:
        before = match.state.copy()
        match.step()
    return match, before.apply(*match.log[-1]).events  # type: ignore[misc]


def test_the_end_of_a_hand_is_told() -> None:
    match, events = ended()
    event = events[-1]
    assert event.kind == "hand_ended"
    assert event.data == as_json({"hand_score": match.state.hand_score, "scores": match.state.scores})


def test_cards_left_on_the_table_are_told() -> None:
    for seed in range(20):
        match, events = ended(seed)
        taken = [event for event in events if event.kind == "table_taken"]
        if taken:
            break
    (event,) = taken
    side = match.state.public_view().facts["last_capture"] % 2
    assert event.data["side"] == side
    assert set(event.data["cards"]) <= set(match.state.to_json()["captured"][side])


def test_the_end_of_a_match_is_told() -> None:
    state = dealt()
    events = state.apply(1, "abandon").events
    assert [event.kind for event in events] == ["seat_abandoned", "hand_ended", "match_ended"]
    assert events[-1].data == {
        "winner": 0,
        "places": [1, 2],
        "ended_by": "abandon",
        "offender": 1,
        "scores": [5, 0],
    }


@pytest.mark.parametrize(("seat", "scores"), [(0, [0, 5]), (1, [5, 0]), (2, [0, 5]), (3, [5, 0])])
def test_who_leaves_loses_for_the_partner_too(seat: int, scores: list[int]) -> None:
    state = dealt(dealer=3, seats=4)
    state.apply(seat, "abandon")
    assert state.scores == scores
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.offender) == (1 - seat % 2, seat)


def test_before_the_first_deal_nothing_is_there() -> None:
    view = SCOPA.start(SCOPA.options({}), 0).public_view()
    assert [zone.count for zone in view.zones] == [0] * 6
    assert view.facts == {"scope": [0, 0], "last_capture": None, "last_move": None}
    assert (view.scores, view.hand_score, view.outcome, view.prompts) == ((0, 0), None, None, [])


def test_leaving_between_hands_adds_nothing() -> None:
    match, _ = ended()
    scores, hand_score = list(match.state.scores), match.state.hand_score
    leader = scores.index(max(scores))
    assert scores[leader] > scores[1 - leader]
    applied = match.state.apply(leader, "abandon")
    assert [event.kind for event in applied.events] == ["seat_abandoned", "match_ended"]
    assert match.state.scores == [min(scores)] * 2
    assert match.state.hand_score == hand_score
    assert (match.state.hand, match.state.tie_break) == (2, 0)


# --------------------------------------------------------------------------- views and openings


def test_piles_are_hidden_in_play_and_public_until_the_next_deal() -> None:
    match, _ = ended()
    for viewer in (None, 0, 1):
        piles = [each.cards for each in match.state.view(viewer).zones if each.kind == "captured"]
        assert sorted(card for pile in piles for card in pile or []) == sorted(IT40.faces)
    assert match.state.whole_deck_shown
    while match.state.needs_chance:
        match.step()
    while not any(match.state.to_json()["captured"]):
        match.step()
    captured = [len(pile) for pile in match.state.to_json()["captured"]]
    for viewer in (None, 0, 1):
        view = match.state.view(viewer)
        assert [zone(view, "captured.0"), zone(view, "captured.1")] == captured
    assert not match.state.whole_deck_shown


def test_after_an_abandonment_piles_are_public_and_hands_are_not() -> None:
    state = dealt()
    play(state, "Ad 2d 3d=Ad+2d", 0)
    state.apply(1, "abandon")
    view = state.public_view()
    assert zone(view, "captured.0") == ["Ad", "2d", "3d"]
    assert [zone(view, "hands.0"), zone(view, "hands.1"), zone(view, "stock")] == [1, 2, 30]
    assert zone(state.view(0), "hands.0") == ["5d"]
    assert zone(state.view(0), "hands.1") == 2
    assert not state.whole_deck_shown


def test_the_public_view_has_what_everybody_sees() -> None:
    state = dealt()
    play(state, "Ad 2d 3d=Ad+2d", 0)
    view = state.public_view()
    assert (view.phase, view.dealer, view.to_act, view.hand, view.tie_break) == ("play", 1, (1,), 1, 0)
    assert view.facts == {
        "scope": [0, 0],
        "last_capture": 0,
        "last_move": {"seat": 0, "move": "play 3d take Ad 2d", "cards": ["3d"], "takes": ["Ad", "2d"]},
    }
    assert [(zone.id, zone.layout, zone.count) for zone in view.zones] == [
        ("hands.0", "fan", 1),
        ("hands.1", "fan", 2),
        ("table", "row", 4),
        ("stock", "stack", 30),
        ("captured.0", "pile", 3),
        ("captured.1", "pile", 0),
    ]
    assert [(zone.seat, zone.side) for zone in view.zones[:2]] == [(0, 0), (1, 1)]
    assert view.moves == []
    (prompt,) = view.prompts
    assert (prompt.seats, prompt.code, prompt.text["en"]) == ((1,), "play_card", "Play a card")


def test_the_own_view_has_only_what_the_public_one_lacks() -> None:
    state = dealt()
    own = state.own_view(0)
    assert [(zone.id, zone.cards) for zone in own.zones] == [("hands.0", ("Ad", "3d", "5d"))]
    assert [move.text for move in own.moves] == ["play Ad", "play 3d", "play 5d"]
    first = own.moves[0]
    assert (first.cards, first.takes, first.target) == (("Ad",), (), "table")
    assert (own.facts, own.prompts) == ({}, [])
    assert state.own_view(1).moves == []


def test_seen_cards_grow_with_each_deal() -> None:
    state = dealt(seen_cards=True)
    assert zone(state.public_view(), "seen") == []
    play(state, "Ad 2d 3d=Ad+2d 4d 5d", 0)
    assert zone(state.public_view(), "seen") == []
    assert [zone(state.public_view(), f"hands.{seat}") for seat in (0, 1)] == [0, 1]
    play(state, "6d", 1)
    assert zone(state.public_view(), "seen") == ["Ad", "2d", "3d"]


@pytest.mark.parametrize(("seats", "is_open"), [(2, True), (4, False)])
def test_with_seen_cards_two_seats_play_the_last_deal_open(seats: int, is_open: bool) -> None:
    match = start(SCOPA, SCOPA.options({"seats": seats, "seen_cards": True}), 3)
    while match.state.needs_chance:
        match.step()
    while zone(match.state.public_view(), "stock"):
        assert zone(match.state.public_view(), "hands.0") in (0, 1, 2, 3)
        last = match.state.copy()
        match.step()
    shown = zone(match.state.public_view(), "hands.0")
    assert isinstance(shown, list) == is_open
    deal = last.apply(*match.log[-1]).events[-1]  # type: ignore[misc]
    assert isinstance(deal.data["hands"][0], list) == is_open
    assert match.state.own_view(0).zones == [] or not is_open


def test_partners_see_each_other_and_nobody_else_does() -> None:
    state = dealt(dealer=3, seats=4, open_partners=True)
    hands = state.to_json()["hands"]
    for viewer in range(4):
        seen = [zone(state.view(viewer), f"hands.{seat}") for seat in range(4)]
        assert seen == [hands[seat] if seat % 2 == viewer % 2 else 3 for seat in range(4)]
    assert [zone(state.view(None), f"hands.{seat}") for seat in range(4)] == [3] * 4


def test_openings_are_of_the_cards_that_the_viewer_sees() -> None:
    state = dealt()
    assert state.openings(None) == [6, 7, 8, 9]
    assert state.openings(0) == [0, 2, 4, 6, 7, 8, 9]
    assert state.openings(1) == [1, 3, 5, 6, 7, 8, 9]
    play(state, "Ad", 0)
    assert state.openings(None) == [0, 6, 7, 8, 9]
    match, _ = ended()
    assert match.state.openings(None) == [*range(40)]


def test_openings_after_an_abandonment_leave_out_what_was_never_shown() -> None:
    state = dealt()
    play(state, "Ad 2d 3d=Ad+2d", 0)
    state.apply(1, "abandon")
    assert state.openings(None) == [0, 1, 2, 6, 7, 8, 9]
    assert state.openings(0) == [0, 1, 2, 4, 6, 7, 8, 9]


def test_a_hand_that_was_set_up_has_no_deck_to_open() -> None:
    position = {"dealer": 1, "hands": [["7d"], ["3c"]], "table": [], "stock": [], "captured": ["any", []]}
    state = SCOPA.from_json(SCOPA.options({}), {**position, "last_capture": 0})
    assert state.openings(0) == []


def test_scopa_hides_no_move_and_a_time_out_is_an_abandonment() -> None:
    state = dealt()
    assert not state.sealed(0, "play Ad")
    assert state.timeout_move(0) == "abandon"
