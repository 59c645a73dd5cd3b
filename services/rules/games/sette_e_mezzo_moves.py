"""The moves of sette e mezzo (sette_e_mezzo.md, section 3)."""

from dataclasses import dataclass
from functools import lru_cache

from services.rules.core.moves import Move
from services.rules.core.notation import amount, words


@dataclass(frozen=True, slots=True)
class Act(Move):
    """`bet <n>`, `draw` or `stand`."""

    chips: int = 0


DRAW = Act("draw", "draw", target="stock")
STAND = Act("stand", "stand")


@lru_cache(maxsize=1024)
def bet_of(chips: int) -> Act:
    return Act(f"bet {chips}", "bet", chips=chips)


@lru_cache(maxsize=1024)
def read(text: str) -> Act | None:
    """The move of this text, if it has the form of one."""
    match words(text):
        case ["draw"]:
            return DRAW
        case ["stand"]:
            return STAND
        case ["bet", word]:
            chips = amount(word)
            return None if chips is None else bet_of(chips)
    return None
