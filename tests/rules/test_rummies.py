"""Whole matches of the rummies by players who lay what they can: random play hardly ever opens or closes."""

import json
import random
from collections import Counter
from typing import Any

import pytest

from services.rules.core.registry import game
from services.rules.families.rummies import Rummy
from tests.rules.strategies import as_json, faces

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("scala40", {}),
    ("scala40", {"seats": 4, "reentry": 2, "attachable_discard": "fisca", "lone_ace": "only_card"}),
    ("scala40", {"seats": 4, "partners": True, "in_hand_40": False, "target": 201}),
    ("scala40", {"seats": 3, "match": "hands", "hands": 5, "pickup": "opened_only"}),
    ("scala40", {"seats": 6, "reentry": 1, "max_hands": 10}),
    ("jolly", {}),
    ("jolly", {"seats": 4, "same_turn_attach": True, "run_jokers": "any"}),
    ("jolly", {"seats": 3, "match": "hands", "hands": 4, "return_taken": True}),
    ("jolly", {"ko": True, "target": 250, "max_hands": 10}),
]
ids = [f"{name}-{'-'.join(map(str, options.values()))}" for name, options in TABLES]


def chosen(state: Rummy, seat: int, rng: random.Random) -> str:
    """Lay once the forty are there, add and swap what fits, take back what leads nowhere, throw the rest."""
    if state.phase == "reentry":
        return rng.choice(["reenter", "leave"])
    moves = [move.text for move in state.legal(seat)]
    if state.phase == "draw":
        return rng.choice(moves) if state.opened[seat] else "draw stock"
    throwing = [text for text in moves if text.startswith("discard")]
    if not throwing and state.opened[seat] and rng.random() < 0.6:
        return "undo"  # most likely the card taken from the pile cannot be laid
    view = state.own_view(seat)
    ready = view.facts["opening"] is None or view.facts["opening"]["ready"] >= 40
    for laying in view.facts["layable"] if ready else ():
        if state.check(seat, laying["move"]) is None and rng.random() < 0.9:
            return str(laying["move"])
    attaching = [text for text in moves if text.startswith(("add", "swap"))]
    if attaching and rng.random() < 0.8:
        return rng.choice(attaching)
    return rng.choice(throwing or moves)


@pytest.mark.parametrize(("name", "options"), TABLES, ids=ids)
def test_matches_of_players_who_lay_what_they_can(name: str, options: dict[str, Any]) -> None:
    rng = random.Random(name)  # noqa: S311
    played = game(name)
    read = played.options(options)
    state: Any = played.start(read, 0)
    closed = 0
    for step in range(4000):
        if state.over:
            break
        if shuffle := state.needs_chance:
            state.supply(rng.sample(range(len(shuffle.cards)), len(shuffle.cards)))
            continue
        seat = rng.choice(list(state.to_act))
        scores = list(state.scores)
        applied = state.apply(seat, chosen(state, seat, rng))
        kinds = [event.kind for event in applied.events]
        closed += "hand_closed" in kinds
        if "hand_ended" in kinds:
            assert state.scores == [a + b for a, b in zip(scores, state.hand_score["total"], strict=True)]
        if step % 7 == 0:
            snapshot = json.loads(json.dumps(state.to_json()))
            again: Any = played.from_json(read, snapshot)
            assert as_json(again.to_json()) == snapshot
            assert as_json(again.view(seat)) == as_json(state.view(seat))
            if state.hand_is_open:
                zones = [snapshot[zone] for zone in ("hands", "stock", "discard", "melds")]
                assert Counter(faces(zones, played)) == Counter(played.deck.texts)
    assert closed
    if state.over:
        assert min(state.places) == 1
