"""Other worlds: states in which cards that somebody does not know have changed places."""

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from services.rules.core.game import Game
from services.rules.core.options import Options
from services.rules.core.state import State


def twins(unknown: Iterable[str], seed: int, cards: Sequence[str] = ()) -> dict[str, str]:
    """The face that stands in another world where each of these stands in ours.

    Of a deck in which not every face is there equally often `cards` are all: a twin is there as often.
    """
    rng = random.Random(seed)  # noqa: S311
    groups: dict[int, list[str]] = {}
    for face in sorted(unknown):
        groups.setdefault(cards.count(face), []).append(face)
    return {
        face: twin
        for faces in groups.values()
        for face, twin in zip(faces, rng.sample(faces, len(faces)), strict=True)
    }


def swapped(value: Any, twin: dict[str, str]) -> Any:
    """A JSON value with every face (words of a text included) replaced by its twin."""
    if isinstance(value, dict):
        return {key: swapped(part, twin) for key, part in value.items()}
    if isinstance(value, list):
        return [swapped(part, twin) for part in value]
    if isinstance(value, str):
        return " ".join(twin.get(word, word) for word in value.split(" "))
    return value


def other_state(game: Game, options: Options, state: State[Any], twin: dict[str, str]) -> State[Any]:
    """The state with every card replaced by its twin."""
    return game.from_json(options, swapped(json.loads(json.dumps(state.to_json())), twin))
