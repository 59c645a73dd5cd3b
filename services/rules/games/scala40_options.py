"""The options of scala 40 (scala40.md, section 1)."""

from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_spec,
)
from services.rules.core.options import OptionSpec
from services.rules.families.rummy_table import RummyOptions, max_turns_spec


@dataclass(frozen=True, slots=True)
class Scala40Options(RummyOptions):
    partners: bool
    reentry: int
    pickup: Literal["open_with", "opened_only"]
    attachable_discard: Literal["free", "fisca"]
    in_hand_40: bool
    lone_ace: Literal["one_ace", "only_card"]

    def __post_init__(self) -> None:
        if self.partners and self.seats != 4:
            raise OptionsError("partners", "partners need four seats")
        if self.reentry and (self.match != "points" or self.seats < 3 or self.partners):
            raise OptionsError(
                "reentry", "only in a match to points, with three or more seats and no partners"
            )

    @property
    def sides(self) -> int:
        return 2 if self.partners else self.seats

    @property
    def low_wins(self) -> bool:
        return self.match == "points"


SPECS = (
    seats_spec(2, (2, 3, 4, 5, 6)),
    flag_spec("partners", False, "Due contro due", "Two against two"),
    match_spec("points"),
    target_spec(101, 51, 1001),
    OptionSpec(
        "hands",
        "choice",
        3,
        {"it": "Numero di smazzate", "en": "Number of hands"},
        choices=(1, 3, 5, 7),
    ),
    OptionSpec("reentry", "int", 0, {"it": "Rientri per giocatore", "en": "Re-entries per seat"}, high=3),
    OptionSpec(
        "pickup",
        "choice",
        "open_with",
        {
            "it": "Dal pozzo prende chi apre con quella carta, o solo chi ha già aperto",
            "en": "The pile is for who opens with the card too, or only for who has opened",
        },
        choices=("open_with", "opened_only"),
    ),
    OptionSpec(
        "attachable_discard",
        "choice",
        "free",
        {
            "it": "Si può scartare una carta che si attacca, o no (regola FISCA)",
            "en": "A card that fits a meld may be discarded, or not (FISCA's rule)",
        },
        choices=("free", "fisca"),
    ),
    flag_spec("in_hand_40", True, "Anche la chiusura in mano vuole i 40", "Closing in hand needs the 40 too"),
    OptionSpec(
        "lone_ace",
        "choice",
        "one_ace",
        {
            "it": "L'asso vale 1 se è l'unico asso, o se è l'unica carta",
            "en": "A held ace counts 1 if it is the only ace, or the only card",
        },
        choices=("one_ace", "only_card"),
    ),
    max_turns_spec(),
    max_hands_spec(),
    KO,
)
