"""Scopa (scopa.md). Two seats, or four in two partnerships; the deck `it40`.

Three cards each at a time, four on the table, and all else as the games of its kind do it
(`families/capture_state.py`). A card takes one of its own value, or cards that add up to it.
"""

from collections.abc import Sequence

from services.rules.core.cards import IT40
from services.rules.core.errors import Refusal
from services.rules.core.game import Game
from services.rules.families.capture_moves import Play
from services.rules.families.capture_options import CaptureOptions, capture_specs
from services.rules.families.capture_state import CaptureState
from services.rules.families.captures import VALUE, equal_or_sums, no_equal_or_sum


class Scopa(CaptureState):
    """A match of scopa."""

    __slots__ = ()

    # --------------------------------------------------------------------------------- 3. play

    def _captures(self, card: int) -> Sequence[int]:
        return equal_or_sums(self.table, VALUE[card])

    def _wrong_capture(self, move: Play) -> Refusal:
        return no_equal_or_sum(self.table, move.card, move.taken)


SCOPA = Game(
    id="scopa",
    names={"it": "Scopa", "en": "Broom"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=capture_specs(target=11),
    options_type=CaptureOptions,
    state_type=Scopa,
)
