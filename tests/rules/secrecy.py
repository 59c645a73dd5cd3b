"""Non-interference: what a viewer has not been shown has no effect on anything that reaches the viewer."""

from typing import Any

from services.rules.core.moves import Event
from services.rules.core.state import State
from tests.rules.checks import event_for
from tests.rules.strategies import Match, as_bytes, as_json, faces, some
from tests.support.worlds import other_state, swapped, twins

SHOWN_WHEN_DRAWN = {"canasta": {"3h", "3d"}}
"""Faces that everybody sees when they leave the stock: no hand holds one, no world may put one there."""

TELLING = {("uno", "challenge")}
"""Moves whose outcome, which everybody learns, follows from hidden cards."""

FINISHED = "seat_finished"
"""That a board is stalled follows from its covered cards, and everybody sees it (solitario, section 7)."""

RESULTS = ("hand_ended", "match_ended")
"""Events that tell what follows from cards which are shown in that moment."""


class Knowledge:
    """The faces that a viewer has been shown since the last deal.

    In a race on one deal what any seat has seen: cards that one has on its bases cannot be others there.
    """

    def __init__(self, match: Match, viewer: int | None) -> None:
        self.viewer = viewer
        self.known: set[str] = set()
        self.viewers = match.viewers() if match.game.no_dealer else [viewer]

    def step(self, match: Match) -> list[Event]:
        """Play a step, and see what comes of it."""
        if match.state.needs_chance:
            self.known = set()
        events = match.step()
        for viewer in self.viewers:
            seen = [[event_for(event, viewer) for event in events], match.state.view(viewer)]
            self.known |= set(faces(seen, match.game))
        return events


def reaching(state: State[Any], viewer: int | None) -> bytes:
    """All that reaches a viewer without anybody moving."""
    return as_bytes([state.view(viewer), state.openings(viewer), state.openings(None)])


def interference(match: Match, viewer: int | None, known: set[str], seed: int) -> list[str]:
    """Where the two worlds differ for the viewer, by name."""
    here = match.state
    known = known | SHOWN_WHEN_DRAWN.get(match.game.id, set())
    twin = twins(set(match.dealt) - known, seed, match.game.deck.texts)
    there = other_state(match.game, match.options, here, twin)
    found = []
    if reaching(here, viewer) != reaching(there, viewer):
        found.append("views")
    if viewer is not None:
        texts = [f"{verb} {face}" for verb in ("play", "discard") for face in match.game.deck.faces]
        found += [
            f"refusal of {text}"
            for text in some(match.probe, texts, 8)
            if here.check(viewer, text) != there.check(viewer, text)
        ]
    for seat in here.to_act:
        for move in some(match.probe, here.legal(seat), 4):
            if set(move.cards) & twin.keys() or (match.game.id, move.verb) in TELLING:
                continue  # a card that the viewer learns of by this very move
            if there.check(seat, move.text):
                if seat == viewer:
                    found.append(f"legality of {move.text}")
                continue  # that a hand allows it is learnt by this very move: no card of a suit, say
            one = _told(here.copy().apply(seat, move.text).events, viewer)
            two = _told(there.copy().apply(seat, move.text).events, viewer)
            if any(event["kind"] == FINISHED for event in (*one, *two)):
                continue
            if twin.keys() & {*faces(one, match.game), *faces(two, match.game)}:
                continue  # a card is shown, and what follows from it
            if _unordered(swapped(one, twin)) != _unordered(two):
                found.append(f"events of {move.text}")
    return found


def _told(events: list[Event], viewer: int | None) -> Any:
    """What a viewer is told of a move, but for results."""
    return as_json([event_for(event, viewer) for event in events if event.kind not in RESULTS])


def _unordered(value: Any) -> Any:
    """A JSON value whose lists of texts are sorted: a shown set of cards is in deck order."""
    if isinstance(value, dict):
        return {key: _unordered(part) for key, part in value.items()}
    if isinstance(value, list):
        parts = [_unordered(part) for part in value]
        return sorted(parts) if all(isinstance(part, str) for part in parts) else parts
    return value
