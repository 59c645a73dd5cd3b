"""The options that the games of scopa's kind share (section 1 of their specs)."""

from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.match import TargetRule
from services.rules.core.options import Options, OptionSpec


@dataclass(frozen=True, slots=True)
class CaptureOptions(Options):
    """Two seats, or four in two partnerships: always two sides."""

    match: Literal["points", "hands"]
    target: int
    target_rule: TargetRule
    hands: int
    ko: bool
    tie_hands: int
    seen_cards: bool
    open_partners: bool

    def __post_init__(self) -> None:
        if self.open_partners and self.seats != 4:
            raise OptionsError("open_partners", "partners need four seats")

    @property
    def sides(self) -> int:
        return 2


def capture_specs(target: int) -> tuple[OptionSpec, ...]:
    """The descriptions of these options; `target` is the game's usual one."""
    return (
        OptionSpec("seats", "choice", 2, {"it": "Giocatori", "en": "Players"}, choices=(2, 4)),
        OptionSpec(
            "match",
            "choice",
            "points",
            {"it": "A punti o a smazzate", "en": "To points, or a number of hands"},
            choices=("points", "hands"),
        ),
        OptionSpec("target", "int", target, {"it": "Punti della partita", "en": "Target"}, low=1, high=999),
        OptionSpec(
            "target_rule",
            "choice",
            "past",
            {"it": "I punti vanno superati o solo raggiunti", "en": "The target must be passed, or reached"},
            choices=("past", "reach"),
        ),
        OptionSpec(
            "hands",
            "int",
            2,
            {"it": "Numero di smazzate", "en": "Number of hands"},
            low=1,
            high=40,
            derive=lambda options: options["seats"],
        ),
        OptionSpec(
            "ko", "bool", False, {"it": "Eliminazione diretta: niente patta", "en": "Knock-out: no draw"}
        ),
        OptionSpec(
            "tie_hands", "int", 1, {"it": "Spareggi al massimo", "en": "Most tie-break hands"}, low=0, high=3
        ),
        OptionSpec("seen_cards", "bool", False, {"it": "A carte viste", "en": "Captured cards are shown"}),
        OptionSpec(
            "open_partners",
            "bool",
            False,
            {"it": "A carte scoperte tra compagni", "en": "Partners see each other's hand"},
        ),
    )
