"""Scopone, classico or scientifico (scopone.md). Four seats in two partnerships; the deck `it40`.

Scopa with all cards dealt at once: nine each and four on the table, or ten each and an empty table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from services.rules.core.cards import IT40
from services.rules.core.errors import Refusal
from services.rules.core.game import Game
from services.rules.core.moves import Event
from services.rules.core.options import OptionSpec
from services.rules.families.capture_moves import Play
from services.rules.families.capture_options import CaptureOptions, capture_specs
from services.rules.families.capture_state import CaptureState
from services.rules.families.captures import VALUE, equal_or_sums, no_equal_or_sum


@dataclass(frozen=True, slots=True)
class ScoponeOptions(CaptureOptions):
    """Always four seats."""

    variant: Literal["classico", "scientifico"]


_VARIANT = OptionSpec(
    "variant",
    "choice",
    "classico",
    {
        "it": "Classico: 9 carte e 4 in tavola; scientifico: 10 carte",
        "en": "Classico: 9 cards and 4 on the table; scientifico: 10 cards",
    },
    choices=("classico", "scientifico"),
)


class Scopone(CaptureState):
    """A match of scopone."""

    __slots__ = ()

    options: ScoponeOptions
    has_stock: ClassVar[bool] = False

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def _sizes(self) -> tuple[int, int]:
        return (9, 4) if self.options.variant == "classico" else (10, 0)

    # --------------------------------------------------------------------------------- 3. play

    def _captures(self, card: int) -> Sequence[int]:
        return equal_or_sums(self.table, VALUE[card])

    def _wrong_capture(self, move: Play) -> Refusal:
        return no_equal_or_sum(self.table, move.card, move.taken)

    # ---------------------------------------------------------------------- 7. hidden information

    def _end_round(self, events: list[Event], lead_in: int) -> int:
        """A hand has one deal only, so what was captured is shown after each round."""
        self.seen = self.captured[0] | self.captured[1]
        return super()._end_round(events, lead_in)


SCOPONE = Game(
    id="scopone",
    names={"it": "Scopone", "en": "Big Scopa"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=(_VARIANT, *capture_specs(target=21, seats=(4,))),
    options_type=ScoponeOptions,
    state_type=Scopone,
)
