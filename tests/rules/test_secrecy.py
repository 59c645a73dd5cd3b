"""Non-interference: what a viewer has not been shown has no effect on anything that reaches the viewer."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.rules.core.game import Game
from services.rules.core.moves import Event
from services.rules.core.registry import games
from services.rules.core.state import State
from services.rules.core.view import View
from services.rules.games.scopa import SCOPA, Scopa
from tests.rules.strategies import Match, as_json, faces, option_sets, some, start
from tests.rules.test_conformance import event_for
from tests.support.worlds import other_state, swapped, twins

every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def unordered(value: Any) -> Any:
    """A JSON value whose lists of texts are sorted: a shown set of cards is in deck order."""
    if isinstance(value, dict):
        return {key: unordered(part) for key, part in value.items()}
    if isinstance(value, list):
        parts = [unordered(part) for part in value]
        return sorted(parts) if all(isinstance(part, str) for part in parts) else parts
    return value


def reaching(state: State[Any], viewer: int | None) -> Any:
    """All that reaches a viewer without anybody moving."""
    return as_json([state.view(viewer), state.openings(viewer), state.openings(None)])


SHOWN_WHEN_DRAWN = {"canasta": {"3h", "3d"}}
"""Faces that everybody sees when they leave the stock: no hand holds one, no world may put one there."""

TELLING = {("uno", "challenge")}
"""Moves whose outcome, which everybody learns, follows from hidden cards."""

RESULTS = ("hand_ended", "match_ended")
"""Events that tell what follows from cards which are shown in that moment."""


def interference(match: Match, viewer: int | None, known: set[str], seed: int) -> list[str]:
    """Where the two worlds differ for the viewer, by name."""
    here = match.state
    twin = twins(set(match.dealt) - known, seed, match.game.deck.texts)
    there = other_state(match.game, match.options, here, twin)
    found = []
    if reaching(here, viewer) != reaching(there, viewer):
        found.append("views")
    if viewer is not None:
        texts = [f"{verb} {face}" for verb in ("play", "discard") for face in match.game.deck.faces]
        found += [
            f"refusal of {text}" for text in texts if here.check(viewer, text) != there.check(viewer, text)
        ]
    for seat in here.to_act:
        for move in some(match.rng, here.legal(seat)):
            if set(move.cards) & twin.keys() or (match.game.id, move.verb) in TELLING:
                continue  # a card that the viewer learns of by this very move
            if there.check(seat, move.text):
                if seat == viewer:
                    found.append(f"legality of {move.text}")
                continue  # that a hand allows it is learnt by this very move: no card of a suit, say
            one = told(here.copy().apply(seat, move.text).events, viewer)
            two = told(there.copy().apply(seat, move.text).events, viewer)
            if twin.keys() & {*faces(one, match.game), *faces(two, match.game)}:
                continue  # a card is shown, and what follows from it
            if unordered(swapped(one, twin)) != unordered(two):
                found.append(f"events of {move.text}")
    return found


def told(events: list[Event], viewer: int | None) -> Any:
    """What a viewer is told of a move, but for results."""
    return as_json([event_for(event, viewer) for event in events if event.kind not in RESULTS])


def played_with_knowledge(match: Match, viewer: int | None, steps: int) -> set[str]:
    """Play on, and gather the faces that the viewer has been shown since the last deal.

    In a race on one deal what any seat has seen: cards that one has on its bases cannot be others there.
    """
    known: set[str] = set()
    viewers = match.viewers() if match.game.no_dealer else [viewer]
    for _ in range(steps):
        if match.state.over:
            break
        if match.state.needs_chance:
            known = set()
        events = match.step()
        for each in viewers:
            seen = [[event_for(event, each) for event in events], match.state.view(each)]
            known |= set(faces(as_json(seen), match.game))
    return known | SHOWN_WHEN_DRAWN.get(match.game.id, set())


@every_game
@given(data=st.data())
@quick
def test_hidden_cards_do_not_reach_a_viewer(game: Game, data: st.DataObject) -> None:
    match = start(game, data.draw(option_sets(game)), data.draw(st.integers(0, 2**32)))
    viewer = data.draw(st.sampled_from(match.viewers()))
    known = played_with_knowledge(match, viewer, data.draw(st.integers(1, 80)))
    if match.state.phase != "deal":
        assert interference(match, viewer, known, data.draw(st.integers(0, 2**32))) == []


class ShowsTheStock(Scopa):
    """A game with a leak: everybody sees the next card of the stock."""

    def public_view(self) -> View:
        view = super().public_view()
        view.facts["next"] = self.stock[:1].hex()  # type: ignore[index]
        return view


class RefusalTellsAHand(Scopa):
    """Another one: a refusal depends on the cards of the others."""

    def _refusal(self, seat: int, move: Any) -> Any:
        refusal = super()._refusal(seat, move)
        if refusal and refusal.code == "not_in_hand" and self.hands[1 - seat] >> move.card & 1:
            return refusal._replace(text="the other one has it")
        return refusal


class PlaysByTheStock(Scopa):
    """A third: what a card captures depends on the stock."""

    def _play(self, seat: int, move: Any) -> Any:
        applied = super()._play(seat, move)
        if len(self.stock) % 2 == self.stock[0] % 2:
            applied.events.pop()
        return applied


@pytest.mark.parametrize("leaky", [ShowsTheStock, RefusalTellsAHand, PlaysByTheStock])
def test_a_leak_is_found(leaky: type[Scopa]) -> None:
    options = SCOPA.options({})
    found = []
    for seed in range(10):
        match = start(SCOPA, options, seed)
        while match.state.needs_chance:
            match.step()
        game = Game(**{**vars(SCOPA), "state_type": leaky})
        match.game, match.state = game, game.from_json(options, match.state.to_json())
        known = set(faces(as_json(match.state.view(0)), game))
        found += interference(match, 0, known, seed)
    assert found
