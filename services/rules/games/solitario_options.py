"""The options of solitario (solitario.md, section 1)."""

from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import KO, flag_spec, hands_spec, match_spec, seats_spec
from services.rules.core.options import Options, OptionSpec


@dataclass(frozen=True, slots=True)
class SolitarioOptions(Options):
    """Each seat is a side."""

    match: Literal["hands"]
    hands: int
    draw_size: Literal[1, 3]
    max_recycles: int | None
    from_base: bool
    undo: bool
    max_moves: int
    ko: bool

    def __post_init__(self) -> None:
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


SOLITARIO_SPECS = (
    seats_spec(2, tuple(range(1, 11))),
    match_spec("hands", ("hands",)),
    hands_spec(1, 10),
    OptionSpec(
        "draw_size",
        "choice",
        3,
        {"it": "Carte girate per volta", "en": "Cards turned at a time"},
        choices=(1, 3),
    ),
    OptionSpec(
        "max_recycles",
        "int",
        None,
        {"it": "Quante volte si rigira il mazzetto", "en": "How often the mazzetto may be turned over"},
        low=0,
        high=99,
        nullable=True,
    ),
    flag_spec("from_base", True, "Si può tornare dalle basi", "Cards may come back from a base"),
    flag_spec("undo", True, "Si può annullare", "Moves may be taken back"),
    OptionSpec(
        "max_moves",
        "int",
        1000,
        {"it": "Mosse al massimo", "en": "Most moves"},
        low=100,
        high=10_000,
    ),
    KO,
)
