"""The options of sette e mezzo (sette_e_mezzo.md, section 1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    hands_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_spec,
)
from services.rules.core.options import Options, OptionSpec, Value


@dataclass(frozen=True, slots=True)
class SetteOptions(Options):
    """`target` and the bets belong together: so many stakes are a match."""

    match: Literal["hands", "points"]
    hands: int
    min_bet: int
    max_bet: int
    target: int
    max_hands: int
    variant: Literal["duels", "round"]
    matta: bool
    real_pays: int
    bank: Literal["rotate", "real"]
    betting: Literal["fixed", "free"]
    reshuffle: Literal["match", "hand"]
    ko: bool

    def __post_init__(self) -> None:
        if self.min_bet > self.max_bet:
            raise OptionsError("max_bet", "must not be below min_bet")
        if self.target > 50 * self.min_bet:
            raise OptionsError("target", "must not be above 50 times min_bet")
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


def _usual_hands(options: Mapping[str, Value]) -> int:
    """Ten hands for two, else two for each seat as banker."""
    seats = cast("int", options["seats"])
    return 10 if seats == 2 else 2 * seats


def _usual_target(options: Mapping[str, Value]) -> int:
    return 10 * cast("int", options["min_bet"])


SETTE_SPECS = (
    seats_spec(2, range(2, 11)),
    match_spec("hands", ("hands", "points")),
    hands_spec(10, 100, derive=_usual_hands),
    OptionSpec("min_bet", "int", 1, {"it": "Posta minima", "en": "Least stake"}, low=1, high=100),
    OptionSpec("max_bet", "int", 10, {"it": "Posta massima", "en": "Greatest stake"}, low=1, high=100),
    target_spec(10, 1, 5000, derive=_usual_target),
    max_hands_spec(),
    OptionSpec(
        "variant",
        "choice",
        "duels",
        {"it": "Duelli, o tutti contro una mano del banco", "en": "Duels, or all against one hand"},
        choices=("duels", "round"),
    ),
    flag_spec("matta", True, "Il re di denari è la matta", "The king of coins is wild"),
    OptionSpec(
        "real_pays",
        "choice",
        2,
        {"it": "Quante poste paga il reale", "en": "Stakes paid for a royal"},
        choices=(1, 2),
    ),
    OptionSpec(
        "bank",
        "choice",
        "rotate",
        {"it": "Il banco passa a ogni smazzata o col reale", "en": "The bank passes on, or by a royal"},
        choices=("rotate", "real"),
    ),
    OptionSpec(
        "betting",
        "choice",
        "fixed",
        {"it": "Poste fisse o libere", "en": "Fixed stakes, or free ones"},
        choices=("fixed", "free"),
    ),
    OptionSpec(
        "reshuffle",
        "choice",
        "match",
        {"it": "Si mescola a inizio partita o a ogni smazzata", "en": "One shuffle, or one a hand"},
        choices=("match", "hand"),
    ),
    KO,
)
