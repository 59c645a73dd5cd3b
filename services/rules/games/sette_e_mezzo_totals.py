"""What a hand counts in sette e mezzo (sette_e_mezzo.md, section 3), in half points: the best is 15."""

from functools import lru_cache

from services.rules.core.cards import IT40, members

BEST = 15
_MATTA = IT40.number["Kd"]
_VALUE = tuple(1 if face[0] in "JQK" else 2 * (card % 10 + 1) for card, face in enumerate(IT40.faces))
_MATTA_VALUES = (14, 12, 10, 8, 6, 4, 2, 1)


@lru_cache(maxsize=8192)
def total(cards: int, matta: bool) -> int:
    """What a hand, a set of cards, counts in half points; the matta takes its best value."""
    if not matta or not cards >> _MATTA & 1:
        return sum(_VALUE[card] for card in members(cards))
    others = sum(_VALUE[card] for card in members(cards & ~(1 << _MATTA)))
    if not others:
        return 1
    return others + next((value for value in _MATTA_VALUES if others + value <= BEST), 1)


def points(halves: int) -> float:
    """Half points as points; a whole number of them is an int."""
    return halves / 2 if halves % 2 else halves // 2
