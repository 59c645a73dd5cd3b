"""Asso pigliatutto (asso_pigliatutto.md). Two seats, or four in two partnerships; the deck `it40`.

Scopa, but an ace takes all that lies on the table, or an ace if one lies there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.core.cards import IT40
from services.rules.core.errors import Refusal
from services.rules.core.game import Game
from services.rules.core.option_specs import flag_spec
from services.rules.families.capture_moves import Play
from services.rules.families.capture_options import CaptureOptions, capture_specs
from services.rules.families.capture_state import CaptureState
from services.rules.families.captures import (
    ACES,
    VALUE,
    ace_or_all,
    equal_or_sums,
    no_equal_or_sum,
    not_all,
)


@dataclass(frozen=True, slots=True)
class AssoPigliatuttoOptions(CaptureOptions):
    """`ace_scopa`: an ace that sweeps the table makes a scopa."""

    ace_scopa: bool


_ACE_SCOPA = flag_spec(
    "ace_scopa", True, "L'asso che pigliatutto fa scopa", "An ace that sweeps the table makes a scopa"
)


class AssoPigliatutto(CaptureState):
    """A match of asso pigliatutto."""

    __slots__ = ()

    options: AssoPigliatuttoOptions

    # --------------------------------------------------------------------------------- 3. play

    def _captures(self, card: int) -> Sequence[int]:
        value = VALUE[card]
        return ace_or_all(self.table) if value == 1 else equal_or_sums(self.table, value)

    def _wrong_capture(self, move: Play) -> Refusal:
        if VALUE[move.card] != 1:
            return no_equal_or_sum(self.table, move.card, move.taken)
        (played,) = move.cards
        if aces := IT40.show_set(self.table & ACES):
            return Refusal(
                "must_take_equal", f"{played} must take an ace and nothing else: {aces[0]}", aces[0]
            )
        return not_all(self.table, move.card, move.taken)

    def _is_scopa(self, move: Play) -> bool:
        takes_all = VALUE[move.card] == 1 and not move.taken & ACES
        return self.options.ace_scopa or not takes_all


ASSO_PIGLIATUTTO = Game(
    id="asso_pigliatutto",
    names={"it": "Asso pigliatutto", "en": "Ace takes all"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=capture_specs(target=21, own=(_ACE_SCOPA,)),
    options_type=AssoPigliatuttoOptions,
    state_type=AssoPigliatutto,
)
