"""How long a rummy hand of twenty cards with four wild cards takes to list its moves, and to fill its view.

The hands are drawn from a seed, so that every run lists the same ones. In every second position melds lie on
the table and the seat has opened; in the others nothing has been laid. The time is that of the processor: a
neighbour that takes it away does not count.
"""

import gc
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from services.rules.core.registry import game
from services.rules.core.state import State

CARDS = 20
WILD = 4
POSITIONS = 200
_SEED = 1
_SEAT = 1


class Rummy(NamedTuple):
    """What the positions of a game need besides the hand."""

    wild: frozenset[str]
    melds: Sequence[str]
    """On the table, the seat's own first; the next one is the other seat's, and so in turn."""
    always: Mapping[str, Any] = {}
    opened: Mapping[str, Any] = {}
    """What a position says besides where the seat has opened."""
    never: frozenset[str] = frozenset()
    """Cards that no hand holds."""


_JOKER = frozenset(("X",))
_TWOS = frozenset(("2h", "2d", "2c", "2s"))
_OPENED = {"opened": [True, True]}
RUMMIES = {
    "burraco": Rummy(
        _JOKER | _TWOS, ("4h 5h 6h", "9d Td Jd", "Kh Kd Kc", "7c 8c 9c"), always={"taken": [True, True]}
    ),
    "canasta": Rummy(
        _JOKER | _TWOS, ("4h 4d 4c", "9d 9c 9s", "Kh Kd Kc", "7c 7s 7h"), never=frozenset(("3h", "3d"))
    ),
    "scala40": Rummy(_JOKER, ("4h 5h 6h", "9d Td Jd", "Kh Kd Kc", "7c 8c 9c"), opened=_OPENED),
    "jolly": Rummy(_JOKER, ("4h 5h 6h", "9d Td Jd", "Kh Kd Kc", "7c 8c 9c"), opened=_OPENED),
}


def listing(game_id: str) -> dict[str, Any]:
    """Median and worst time in ms of `legal` (`median_ms`, `worst_ms`) and of `legal` with `own_view` after
    it (`view_median_ms`, `view_worst_ms`); `moves`: the median of how many are listed."""
    first, *states = positions(game_id)
    first.own_view(_SEAT)  # fills the tables that every hand uses
    moves, legal_ms, view_ms = [], [], []
    gc.collect()
    gc.disable()
    try:
        for state in states:
            began = time.thread_time()
            moves.append(len(state.legal(_SEAT)))
            listed = time.thread_time()
            state.own_view(_SEAT)
            legal_ms.append((listed - began) * 1000)
            view_ms.append((time.thread_time() - began) * 1000)
    finally:
        gc.enable()
    return {
        "game": game_id,
        "positions": len(states),
        "moves": statistics.median(moves),
        "median_ms": statistics.median(legal_ms),
        "worst_ms": max(legal_ms),
        "view_median_ms": statistics.median(view_ms),
        "view_worst_ms": max(view_ms),
    }


def positions(game_id: str) -> Iterator[State[Any]]:
    """States in which the seat is to lay, after drawing."""
    played, rummy = game(game_id), RUMMIES[game_id]
    options = played.options({"seats": 2})
    draw = random.Random(_SEED)  # noqa: S311  the same hands every time
    for number in range(POSITIONS + 1):
        melds = [meld.split(" ") for meld in rummy.melds[: number % 2 * len(rummy.melds)]]
        left = Counter(played.deck.texts) - Counter(face for meld in melds for face in meld)
        cards = [face for face in left.elements() if face not in rummy.never]
        wild = [face for face in cards if face in rummy.wild]
        natural = [face for face in cards if face not in rummy.wild]
        other, *hand = draw.sample(natural, 1 + CARDS - WILD)
        yield played.from_json(
            options,
            {
                "dealer": 1 - _SEAT,
                "to_act": [_SEAT],
                "phase": "play",
                "hands": [[other], [*hand, *draw.sample(wild, WILD)]],
                "melds": [{"seat": (_SEAT + at) % 2, "cards": meld} for at, meld in enumerate(melds)],
                "stock": "any",
                **rummy.always,
                **(rummy.opened if melds else {}),
            },
        )
