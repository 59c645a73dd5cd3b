"""What has become of the cards of a shuffle of uno: who has seen which place (uno.md, section 7)."""

from collections.abc import Sequence
from typing import NamedTuple, Self

HAND = 7
"""Cards of a hand as it is dealt."""
_NOBODY = 255  # who drew the first card of the discards


class LastShuffle(NamedTuple):
    """The last shuffle of a hand, as far as it is known: a value."""

    size: int = 0
    """Its cards; 0: not known."""
    drawers: bytes = b""
    """Who drew each card since."""
    dealt: int = 0
    """How many of its cards were dealt as hands."""
    under: int = 0
    """How many of the first after those were put under the stock."""

    @classmethod
    def of_deal(cls, seats: int, first: int, size: int, under: int) -> Self:
        """A deal, one card at a time from the seat `first`; then one is turned up."""
        dealt = HAND * seats
        drawers = bytes((first + n) % seats for n in range(dealt))
        return cls(size, drawers + bytes((_NOBODY,)), dealt, under)

    def given(self, seat: int, number: int) -> Self:
        """After a seat has drawn so many cards."""
        if not self.size:
            return self
        return self._replace(drawers=self.drawers + bytes((seat,)) * number)

    def openings(self, viewer: int | None, has_ended: bool) -> Sequence[int]:
        """The places whose cards a viewer has seen.

        After the hand everybody has seen all that was drawn, in the discards or in the hands; before that a
        seat knows its own draws. Nobody is told of the first card: its place says how many +4 lie under the
        stock.
        """
        drawn = [n for n, seat in enumerate(self.drawers) if has_ended or seat == viewer]
        if not self.under:
            return drawn
        dealt, rest = self.dealt, self.size - self.dealt
        return sorted(n if n < dealt else dealt + (n - dealt + self.under) % rest for n in drawn)
