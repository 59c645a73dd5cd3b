"""The options that the games of scopa's kind share (section 1 of their specs)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from services.rules.core.errors import OptionsError
from services.rules.core.match import TargetRule
from services.rules.core.option_specs import (
    KO,
    OPEN_PARTNERS,
    SEEN_CARDS,
    hands_spec,
    match_spec,
    seats_spec,
    target_spec,
    tie_hands_spec,
)
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


def capture_specs(
    target: int,
    target_rule: TargetRule = "past",
    seats: Sequence[int] = (2, 4),
    own: Sequence[OptionSpec] = (),
) -> tuple[OptionSpec, ...]:
    """The descriptions of these options, those that are the game's `own` among them.

    `target` and `target_rule` are the game's usual ones, and so is the first of `seats`.
    """
    return (
        seats_spec(seats[0], seats),
        match_spec("points"),
        target_spec(target, 1, 999),
        OptionSpec(
            "target_rule",
            "choice",
            target_rule,
            {"it": "I punti vanno superati o solo raggiunti", "en": "The target must be passed, or reached"},
            choices=("past", "reach"),
        ),
        hands_spec(seats[0], 40, derive=lambda options: options["seats"]),
        KO,
        tie_hands_spec(),
        *own,
        SEEN_CARDS,
        OPEN_PARTNERS,
    )
