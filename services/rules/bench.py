"""How fast a game is: random playouts of whole matches, listing the legal moves and making one of them."""

from collections.abc import Callable
from typing import Any

from services.rules.core.registry import game
from services.rules.random_play import RandomPlayer


def playouts(
    game_id: str, seconds: float, chance: Callable[[], float], now: Callable[[], float]
) -> dict[str, Any]:
    """Play matches with default options, one after the other, until `seconds` have passed.

    `chance()` is a number from 0 to 1 (1 excluded), `now()` a clock in seconds: the core has neither chance
    nor time of its own. Returns `game`, `matches`, `moves`, `seconds` and `moves_per_second`.
    """
    played = game(game_id)
    options = played.options({})
    choose = RandomPlayer(chance).choose
    matches = moves = 0
    began = now()
    while now() - began < seconds:
        state = played.start(options, 0)
        while not state.over:
            if seats := state.to_act:
                state.apply(seats[0], choose(state.legal(seats[0])))
                moves += 1
            elif shuffle := state.needs_chance:
                state.supply(_shuffled(len(shuffle.cards), chance))
        matches += 1
    passed = now() - began
    return {
        "game": played.id,
        "matches": matches,
        "moves": moves,
        "seconds": passed,
        "moves_per_second": moves / passed,
    }


def _shuffled(n: int, chance: Callable[[], float]) -> list[int]:
    weights = [chance() for _ in range(n)]
    return sorted(range(n), key=weights.__getitem__)
