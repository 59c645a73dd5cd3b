"""The options of bestia (bestia.md, section 1)."""

from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import ante_spec, flag_spec, hands_spec, match_spec, seats_spec
from services.rules.core.options import Options

TRICKS = 3
"""The tricks of a hand: every pot is divided by them."""


@dataclass(frozen=True, slots=True)
class BestiaOptions(Options):
    """Everybody pays the `ante`, a multiple of three, before each hand."""

    match: Literal["hands"]
    hands: int
    ante: int
    must_trump: bool
    lead_top_trump: bool
    carry: bool

    def __post_init__(self) -> None:
        if self.ante % TRICKS:
            raise OptionsError("ante", "must be a multiple of 3")


BESTIA_SPECS = (
    seats_spec(4, (3, 4, 5)),
    match_spec("hands", ("hands",)),
    hands_spec(1, 20),
    ante_spec(3, 3, 300),
    flag_spec("must_trump", False, "Obbligo di tagliare", "Who cannot follow must trump"),
    flag_spec("lead_top_trump", False, "L'asso di briscola va giocato di mano", "The top trump must be led"),
    flag_spec("carry", False, "Le bestie al piatto seguente", "Bestie go into the next pot"),
)
