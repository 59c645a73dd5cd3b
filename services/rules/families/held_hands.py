"""Hands that are sets of cards, and who sees them: what the games of captures, tricks and tarocco share."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from services.rules.core.cards import Deck, as_set
from services.rules.core.course import Course
from services.rules.core.moves import Event
from services.rules.core.state import M
from services.rules.core.view import Zone
from services.rules.core.zones import closed_zone, open_set

_HANDS = tuple(f"hands.{seat}" for seat in range(4))


class HeldHands(Course[M]):
    """A match in which every seat holds a hand (`hands`: a set of cards each) and some see more than their
    own. A game says with which `deck` it is played."""

    __slots__ = ("hands",)

    deck: ClassVar[Deck]

    def __init__(self, options: Any, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands = [0] * options.seats

    @abstractmethod
    def _open_hands(self, viewer: int | None) -> Sequence[int]:
        """The seats whose hands the viewer (None: everybody) sees."""

    def _deal_each(self, cards: bytes, each: int) -> bytes:
        """So many cards to each seat, one at a time from the seat after the dealer; the rest."""
        seats = self.options.seats
        dealt = each * seats
        first = self.dealer + 1
        for distance in range(seats):
            self.hands[(first + distance) % seats] = as_set(cards[distance:dealt:seats])
        return cards[dealt:]

    def _dealt(self, data: dict[str, Any], kind: str = "hand_dealt") -> Event:
        """The event of a deal, in which everybody sees the hands as far as they are shown to him."""
        private = {seat: {"hands": self._hands_seen(seat)} for seat in range(self.options.seats)}
        return Event(kind, None, {**data, "hands": self._hands_seen(None)}, private)

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it: its cards, or how many they are."""
        seen: list[list[str] | int] = [hand.bit_count() for hand in self.hands]
        for owner in self._open_hands(viewer):
            seen[owner] = self.deck.show_set(self.hands[owner])
        return seen

    def _public_hands(self) -> list[Zone]:
        everybody = self._open_hands(None)
        return [self._hand_zone(owner, owner in everybody) for owner in range(len(self.hands))]

    def _own_hands(self, seat: int) -> list[Zone]:
        """The hands that the seat sees and not everybody."""
        everybody = self._open_hands(None)
        return [self._hand_zone(owner, True) for owner in self._open_hands(seat) if owner not in everybody]

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        hand, name, side = self.hands[owner], _HANDS[owner], self.options.side(owner)
        if is_open:
            return open_set(self.deck, name, "hands", "fan", hand, owner, side)
        return closed_zone(name, "hands", "fan", hand.bit_count(), owner, side)
