"""The options of uno (uno.md, section 1)."""

from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import KO, flag_spec, hands_spec, match_spec, seats_spec, target_spec
from services.rules.core.options import Options, OptionSpec


@dataclass(frozen=True, slots=True)
class UnoOptions(Options):
    """Each seat is a side."""

    match: Literal["hands", "points"]
    hands: int
    target: int
    challenge: bool
    ko: bool
    uno_call: Literal["auto", "declare"]

    def __post_init__(self) -> None:
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


UNO_SPECS = (
    seats_spec(4, tuple(range(2, 11))),
    match_spec("hands", ("hands", "points")),
    hands_spec(1, 20),
    target_spec(500, 100, 1000),
    flag_spec(
        "challenge", False, "Il +4 si può bluffare e contestare", "The +4 may be bluffed, and challenged"
    ),
    KO,
    OptionSpec(
        "uno_call",
        "choice",
        "auto",
        {"it": "Chi dice uno: il tavolo o il giocatore", "en": "Who says uno: the table, or the player"},
        choices=("auto", "declare"),
    ),
)
