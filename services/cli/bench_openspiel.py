"""Our rules beside OpenSpiel's, in the same run: hearts, solitaire and gin rummy, driven from Python.

OpenSpiel is written in C++; it is an optional extra (`pip install -e .[bench]`). Both sides play at random:
chance and players pick uniformly from what is legal. A move is a decision of a player.
"""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from services.rules.bench import playouts

PAIRS = {"hearts": "hearts", "solitario": "solitaire", "scala40": "gin_rummy"}
"""Our games and the nearest ones of OpenSpiel."""
ROUNDS = 5
SECONDS = 2.0


def is_there() -> bool:
    """Whether the optional extra is installed."""
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        return False
    return True


def compare(ours: str, chance: Callable[[], float]) -> dict[str, Any]:
    """Five pairs of runs in turn: medians of both, and of the ratios of neighbours (ours to theirs)."""
    mine, theirs = [], []
    for _ in range(ROUNDS):
        mine.append(playouts(ours, SECONDS, chance, time.perf_counter)["moves_per_second"])
        theirs.append(_moves_per_second(PAIRS[ours]))
    return {
        "game": ours,
        "openspiel": PAIRS[ours],
        "moves_per_second": statistics.median(mine),
        "openspiel_moves_per_second": statistics.median(theirs),
        "ratio": statistics.median(a / b for a, b in zip(mine, theirs, strict=True)),
    }


def _moves_per_second(name: str) -> float:
    import pyspiel

    chance = random.Random(1).random  # noqa: S311  the same playouts every time
    game = pyspiel.load_game(name)
    moves = 0
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
    return moves / passed
