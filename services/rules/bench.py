"""How fast a game is: random playouts of whole matches, listing the legal moves and making one of them."""

from collections.abc import Callable
from typing import Any

from services.rules.core.registry import game
from services.rules.random_play import RandomPlayer


def playouts(
    game_id: str, seconds: float, below: Callable[[int], int], now: Callable[[], float]
) -> dict[str, Any]:
    """Play matches with default options, one after the other, until `seconds` have passed.

    `below(n)` chooses a number from 0 to n - 1, `now()` is a clock in seconds: the core has neither chance
    nor time of its own. Returns `game`, `matches`, `moves`, `seconds` and `moves_per_second`.
    """
    played = game(game_id)
    options = played.options({})
    choose = RandomPlayer(below).choose
    matches = moves = 0
    began = now()
    while now() - began < seconds:
        state = played.start(options, 0)
        while not state.over:
            if shuffle := state.needs_chance:
                state.supply(_shuffled(len(shuffle.cards), below))
                continue
            seat = state.to_act[0]
            state.apply(seat, choose(state.legal(seat)))
            moves += 1
        matches += 1
    passed = now() - began
    return {
        "game": played.id,
        "matches": matches,
        "moves": moves,
        "seconds": passed,
        "moves_per_second": moves / passed,
    }


def _shuffled(n: int, below: Callable[[int], int]) -> list[int]:
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order
