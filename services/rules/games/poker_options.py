"""The options of poker (poker.md, section 1)."""

from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import ante_spec, flag_spec, hands_spec, seats_spec
from services.rules.core.options import Options, OptionSpec

_MOST_CIPS = 2000
_MOST_DOUBLINGS = 10


@dataclass(frozen=True, slots=True)
class PokerOptions(Options):
    """`ante` and `cip` are those of the first hand."""

    match: Literal["freezeout", "hands"]
    hands: int
    stack: int
    ante: int
    cip: int
    level_hands: int
    betting: Literal["pot_limit", "no_limit"]
    blind: bool
    counterblind: bool

    def __post_init__(self) -> None:
        if self.cip > 2 * self.ante:
            raise OptionsError("cip", "must not be above twice the ante")
        if self.stack > _MOST_CIPS * self.cip:
            raise OptionsError("stack", f"must not be above {_MOST_CIPS} times the cip")

    def level(self, hand: int) -> tuple[int, int]:
        """The ante and the cip of this hand."""
        doublings = min((hand - 1) // self.level_hands, _MOST_DOUBLINGS) if self.level_hands else 0
        return self.ante << doublings, self.cip << doublings


POKER_SPECS = (
    seats_spec(4, range(2, 7)),
    OptionSpec(
        "match",
        "choice",
        "freezeout",
        {"it": "Fino all'ultimo chip o a smazzate", "en": "To the last chip, or a number of hands"},
        choices=("freezeout", "hands"),
    ),
    hands_spec(20, 200),
    OptionSpec(
        "stack", "int", 1000, {"it": "Chip iniziali", "en": "Chips at the start"}, low=100, high=100000
    ),
    ante_spec(10, 1, 1000),
    OptionSpec("cip", "int", 10, {"it": "Cip: puntata minima", "en": "Cip: the least bet"}, low=1, high=2000),
    OptionSpec(
        "level_hands",
        "int",
        10,
        {"it": "Raddoppio dell'invito ogni tante smazzate", "en": "Hands before the ante doubles"},
        low=0,
        high=100,
    ),
    OptionSpec(
        "betting",
        "choice",
        "pot_limit",
        {"it": "Limite al piatto o senza limite", "en": "Pot limit, or no limit"},
        choices=("pot_limit", "no_limit"),
    ),
    flag_spec("blind", True, "Apertura al buio", "Blind opening"),
    flag_spec("counterblind", True, "Controbuio e over", "Counter-blind and over"),
)
