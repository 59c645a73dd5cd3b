"""What every game of the registry keeps, found by playing at random (CONVENTIONS.md, sections 3 to 8)."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.rules.core.errors import Refused
from services.rules.core.game import Game
from services.rules.core.moves import Event
from services.rules.core.registry import games
from services.rules.core.state import State
from services.rules.fold import fold
from tests.rules.strategies import Match, as_json, faces, matches, open_hands, some, start

every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])

ZONES = (
    "hands", "stock", "discard", "table", "trick", "played", "captured", "given", "reds", "pozzetti", "melds",
)  # fmt: skip


CHIPS = ("bestia", "poker", "sette_e_mezzo")
"""Games whose scores are chips, which change hands during a hand too (CONVENTIONS.md, section 5)."""


def everything(state: State[Any]) -> Any:
    """All that a state says: snapshot, legal moves, views, openings."""
    viewers = [None, *range(state.options.seats)]
    return as_json(
        {
            "snapshot": state.to_json(),
            "legal": [list(state.legal(seat)) for seat in range(state.options.seats)],
            "views": [state.view(viewer) for viewer in viewers],
            "openings": [state.openings(viewer) for viewer in viewers],
            "scores": state.scores,
            "outcome": state.outcome,
            "chance": state.needs_chance,
            "deck": state.whole_deck_shown,
        }
    )


@every_game
@given(data=st.data())
@quick
def test_every_listed_move_is_accepted_and_spelt_canonically(game: Game, data: st.DataObject) -> None:
    match = data.draw(open_hands(game))
    before = match.state.to_json()
    for seat in match.state.to_act:
        legal = match.state.legal(seat)
        assert legal
        assert len({move.text for move in legal}) == len(legal)
        for move in some(match.rng, legal):
            assert match.state.parse(seat, move.text) == move
            assert match.state.check(seat, move) is None
            after = match.state.copy()
            assert after.apply(seat, move.text).text == move.text
            assert after.to_json() != before


@every_game
@given(data=st.data())
@quick
def test_who_is_not_to_act_has_no_legal_move(game: Game, data: st.DataObject) -> None:
    state = data.draw(matches(game)).state
    assert list(state.to_act) == sorted(set(state.to_act))
    asks = state.needs_chance  # in mid-hand too, where discards become a new stock
    assert bool(state.to_act) == (asks is None and not state.over)
    if state.phase == "deal":
        assert asks is not None
        assert asks.purpose != "stock"
    elif asks is not None:
        assert not state.over
    assert state.over == (state.phase == "over") == (state.outcome is not None)
    for seat in range(state.options.seats):
        if seat not in state.to_act:
            assert state.legal(seat) == []
            refusal = state.check(seat, "no move at all")
            assert refusal is not None
            assert refusal.code == ("match_over" if state.over else "not_your_turn")


@every_game
@given(data=st.data())
@quick
def test_a_move_that_is_not_listed_is_refused_and_changes_nothing(game: Game, data: st.DataObject) -> None:
    match = data.draw(open_hands(game))
    other = data.draw(open_hands(game))
    seats = other.state.to_act
    texts = {move.text for seat in seats for move in some(match.rng, other.state.legal(seat))}
    texts |= {text for _, text in some(match.rng, moves_of(match), 60)}
    texts |= {data.draw(st.text(max_size=20)), data.draw(st.text("playtke 7dcbs4J ", max_size=30))}
    before, snapshot = everything(match.state), match.state.to_json()
    for seat in range(match.options.seats):
        listed = {move.text for move in match.state.legal(seat)}
        for text in texts - listed - {"abandon"}:
            move = match.state.parse(seat, text)
            if getattr(move, "text", text) in listed:
                continue
            refusal = match.state.check(seat, text)
            if refusal is None and is_longer_than_listed(move):
                continue
            assert refusal is not None
            assert refusal.text
            with pytest.raises(Refused) as refused:
                match.state.apply(seat, text)
            assert refused.value.refusal == refusal
            assert match.state.to_json() == snapshot
    assert everything(match.state) == before


def is_longer_than_listed(move: Any) -> bool:
    """In the rummy games longer melds, additions and takes are accepted than are listed (section 3)."""
    return len(move.cards) > {"meld": 3, "add": 1, "take": 0}.get(move.verb, len(move.cards))


def moves_of(match: Match) -> list[tuple[int, str]]:
    return [entry for entry in match.log if isinstance(entry, tuple) and isinstance(entry[1], str)]


@every_game
@given(data=st.data())
@quick
def test_a_snapshot_is_the_state(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    snapshot = match.state.to_json()
    back = game.from_json(match.options, json.loads(json.dumps(snapshot)))
    assert everything(back) == everything(match.state)
    while not match.state.over and match.rng.random() < 0.9:
        match.step()
        entry: Any = match.log[-1]
        if isinstance(entry, list):
            back.supply(entry)
        else:
            back.apply(*entry)
    assert everything(back) == everything(match.state)


@every_game
@given(data=st.data())
@quick
def test_a_copy_is_independent(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    kept = match.state.copy()
    before = everything(kept)
    assert before == everything(match.state)
    for _ in range(60):
        if not match.state.over:
            match.step()
    assert everything(kept) == before


@every_game
@given(data=st.data())
@quick
def test_what_a_view_or_snapshot_holds_is_not_the_state_itself(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    before = everything(match.state)
    spoil(match.state.to_json())
    for viewer in match.viewers():
        view = match.state.view(viewer)
        spoil([view.to_act, view.zones, view.scores, view.hand_score, view.facts, view.moves])
    assert everything(match.state) == before


def spoil(value: Any) -> None:
    """Change every list and object in a value."""
    if isinstance(value, dict):
        for part in list(value.values()):
            spoil(part)
        value.clear()
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value.clear()
    elif hasattr(value, "cards"):
        spoil(value.cards)


@every_game
@given(data=st.data())
@quick
def test_no_card_is_lost_or_doubled(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    snapshot = match.state.to_json()
    if "boards" in snapshot:
        return  # every seat has a deck of its own: the game's own tests count them
    # A card is in one zone at a time, but for bestia's turned card, which is in none (CONVENTIONS.md, 1).
    zones = (*ZONES, "briscola") if game.id == "bestia" else ZONES
    cards = Counter(faces([snapshot.get(zone) for zone in zones], game))
    if match.state.phase == "deal" and len(match.log) == 1:
        assert not cards
    elif match.state.phase != "deal":
        assert cards == Counter(match.dealt)
    counted = sum(zone.count for zone in match.state.public_view().zones if zone.kind in zones)
    assert counted == cards.total()


@every_game
@given(data=st.data())
@quick
def test_the_log_gives_the_match_again(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    assert everything(fold(game, match.options, match.log)) == everything(match.state)


@every_game
@given(data=st.data())
@quick
def test_scores_are_what_the_hands_gave(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game, steps=0))
    total = list(match.state.scores)
    hands = 0
    for _ in range(3000):
        if match.state.over or hands == 6:
            break
        phase = match.state.phase
        match.step()
        if phase == "reentry":
            total = list(match.state.scores)  # who re-enters gets the score of another seat
        elif phase != "deal" and match.state.phase in ("deal", "over", "reentry"):
            score = match.state.hand_score
            assert score is not None
            total = [a + b for a, b in zip(total, score["total"], strict=True)]
            hands += 1
        if game.id not in CHIPS or match.state.phase in ("deal", "over"):
            assert match.state.scores == total
    if match.state.over:
        outcome = match.state.outcome
        assert outcome is not None
        assert len(outcome.places) == match.options.sides
        assert outcome.ended_by in ("score", "draw", "ko_rule", "cappotto", "resign")
        if outcome.winner is None:
            assert outcome.places.count(1) > 1
        else:
            assert outcome.places[outcome.winner] == 1


@every_game
@given(data=st.data())
@quick
def test_abandoning_is_accepted_at_any_time_but_never_listed(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game))
    if match.state.over:
        refusal = match.state.check(0, "abandon")
        assert refusal is not None
        assert refusal.code == "match_over"
        return
    seat = data.draw(st.integers(0, match.options.seats - 1))
    assert "abandon" not in [move.text for move in match.state.legal(seat)]
    side = match.options.side(seat)
    refusal = match.state.check(seat, "abandon")
    if refusal is not None:  # who is out, or has left before
        assert refusal.code == "not_your_turn"
        assert seat not in match.state.to_act
        return
    match.state.apply(seat, "abandon")
    if match.options.sides == 2:
        outcome = match.state.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.offender, outcome.ended_by) == (1 - side, seat, "abandon")
        assert outcome.places[side] == 2
        mine, theirs = match.state.scores[side], match.state.scores[1 - side]
        assert mine >= theirs if match.options.low_wins else mine <= theirs


@every_game
@given(data=st.data())
@quick
def test_an_event_shows_no_more_than_the_views_beside_it(game: Game, data: st.DataObject) -> None:
    match = data.draw(matches(game, steps=100))
    if match.state.over:
        return
    before = {viewer: shown(match.state, viewer, game) for viewer in match.viewers()}
    events = match.step()
    turned_up = table_of_a_deal(events, game)
    for event in events:
        for viewer in match.viewers():
            seen = before[viewer] | shown(match.state, viewer, game) | turned_up
            assert set(faces(as_json(event_for(event, viewer)), game)) <= seen


def table_of_a_deal(events: list[Event], game: Game) -> set[str]:
    """The first cards of a table: they lay open, even if they are gone before anybody moves."""
    deals = [event for event in events if event.kind in ("hand_dealt", "deal_voided")]
    return set(faces([as_json(event.data.get("table", [])) for event in deals], game))


def event_for(event: Event, viewer: int | None) -> dict[str, Any]:
    """An event as a viewer gets it."""
    private = {} if viewer is None or event.private is None else event.private.get(viewer, {})
    return {"kind": event.kind, "seat": event.seat, **event.data, **private}


def shown(state: State[Any], viewer: int | None, game: Game) -> set[str]:
    """The faces that a viewer's view shows."""
    view = state.view(viewer)
    return set(faces(as_json([view.zones, view.facts]), game))


@every_game
def test_a_view_draws_the_game(game: Game) -> None:
    """Ids are unique, hidden cards have a count, every seat to act is asked for something."""
    match = start(game, game.options({}), 3)
    for _ in range(200):
        if match.state.over:
            break
        match.step()
        for viewer in match.viewers():
            view = match.state.view(viewer)
            assert len({zone.id for zone in view.zones}) == len(view.zones)
            for zone in view.zones:
                assert zone.id == zone.kind or zone.id.startswith(f"{zone.kind}.")
                assert zone.cards is None or len(zone.cards) <= zone.count
            asked = {seat for prompt in view.prompts for seat in prompt.seats}
            assert asked == set(match.state.to_act)
            assert all(prompt.text.keys() == {"it", "en"} for prompt in view.prompts)
            ids = {zone.id for zone in view.zones}
            assert all(move.target in ids | {""} for move in view.moves)
            assert bool(view.moves) == (viewer in match.state.to_act)
