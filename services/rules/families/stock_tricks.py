"""Tricks with a stock to draw from, partners who may see each other's hand, and piles that lie face down:
what briscola and tresette have in common (sections 1, 3 and 7 of their specs). Without a stock left, or where
the deal leaves none, nobody draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from services.rules.core.cards import IT40, as_set
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.moves import Event
from services.rules.core.state import M
from services.rules.core.view import View
from services.rules.core.zones import closed_zone
from services.rules.families.trick_hands import TrickOptions, TrickState
from services.rules.families.tricks import plays_by_set

SUITS = tuple(card // 10 for card in range(40))
"""The suit of each card."""
_OF_SUIT = tuple(as_set(range(first, first + 10)) for first in range(0, 40, 10))
plays_of = plays_by_set(IT40, _OF_SUIT)


@dataclass(frozen=True, slots=True)
class StockTrickOptions(TrickOptions):
    """Four seats play in two partnerships."""

    open_partners: bool
    seen_cards: bool

    def __post_init__(self) -> None:
        if self.open_partners and self.seats != 4:
            raise OptionsError("open_partners", "partners need four seats")

    @property
    def sides(self) -> int:
        return 3 if self.seats == 3 else 2


class StockTrickState(TrickState[M]):
    """A match of such a game, with the deck `it40`. `stock`: next card first."""

    __slots__ = ("stock",)

    deck = IT40
    suits = SUITS
    of_suit = _OF_SUIT

    options: StockTrickOptions

    def __init__(self, options: StockTrickOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.stock = b""

    def _draw(self, first: int, public: int | None, events: list[Event]) -> list[int]:
        """A card of the stock to each seat, from this one on; the cards by seat. Those of the set `public`
        are shown to everybody, all of them if it is None."""
        seats = self.options.seats
        cards, self.stock = self.stock[:seats], self.stock[seats:]
        drawn = [cards[(seat - first) % seats] for seat in range(seats)]
        for seat, card in enumerate(drawn):
            self.hands[seat] |= 1 << card
        if public is None:
            data = {"cards": IT40.show(drawn), "stock": len(self.stock)}
            events.append(Event("cards_drawn", None, data))
            return drawn

        def seen_by(viewer: int | None) -> list[str | None]:
            owners = self._open_hands(viewer)
            return [
                IT40.faces[card] if public >> card & 1 or seat in owners else None
                for seat, card in enumerate(drawn)
            ]

        data = {"cards": seen_by(None), "stock": len(self.stock)}
        private = {seat: {"cards": seen_by(seat)} for seat in range(seats)}
        events.append(Event("cards_drawn", None, data, private))
        return drawn

    def _uncaptured(self) -> int:
        """The cards in hands, trick and stock."""
        return as_set((*self.trick, *self.stock)) | sum(self.hands)

    # ------------------------------------------------------------------------------ hidden information

    def _partners_are_open(self) -> bool:
        return self.options.open_partners

    def _open_hands(self, viewer: int | None) -> Sequence[int]:
        options = self.options
        if options.seen_cards and options.seats == 2 and not self.stock:
            return (0, 1)
        if viewer is None:
            return ()
        return (viewer, (viewer + 2) % 4) if self._partners_are_open() else (viewer,)

    def _piles_are_open(self) -> bool:
        return self.phase != "play" or self.options.seen_cards

    @property
    def whole_deck_shown(self) -> bool:
        return sum(self.captured).bit_count() == len(self.pack.cards)

    def _cards_shown(self, viewer: int | None) -> int:
        shown = self._trick_cards()
        if self._piles_are_open():
            shown |= sum(self.captured)
        for owner in self._open_hands(viewer):
            shown |= self.hands[owner]
        return shown

    def _facts(self) -> dict[str, Any]:
        """What everybody knows besides the zones."""
        return self._trick_facts()

    def public_view(self) -> View:
        zones = [
            *self._public_hands(),
            self._trick_zone(),
            closed_zone("stock", "stock", "stack", len(self.stock)),
            *self._pile_zones(self._piles_are_open()),
        ]
        return self._view(zones, self._prompts(), [], self._facts())

    def own_view(self, seat: int) -> View:
        return self._view(self._own_hands(seat), [], self.legal(seat), {})

    # --------------------------------------------------------------------------- positions, snapshots

    def _copy(self) -> Self:
        new = super()._copy()
        new.stock = self.stock
        return new

    def _common_json(self) -> dict[str, Any]:
        return {**super()._common_json(), "stock": IT40.show(self.stock)}

    @classmethod
    def _read_stock(cls, options: StockTrickOptions, json: Mapping[str, Any]) -> Self:
        """A state with what `_common_json` wrote, or what of it a position gives."""
        state, zones = cls._read_tricks(options, json, whole=["stock"])
        state.stock = bytes(zones.get("stock", [[]])[0])
        if len(state.stock) % options.seats:
            raise PositionError("stock", f"must be a multiple of {options.seats} cards")
        return state
