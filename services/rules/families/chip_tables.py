"""Tables at which hands are played for chips: a stock that nobody sees, a heap of discards, one seat to act.
What bestia, poker and sette e mezzo have in common.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

from services.rules.core.cards import Deck, as_set
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError
from services.rules.core.moves import Event
from services.rules.core.position import read_zones
from services.rules.core.state import M, State
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_set

_HANDS = tuple(f"hands.{seat}" for seat in range(6))


@lru_cache(maxsize=128)
def seats_from(first: int, seats: int) -> tuple[int, ...]:
    """All seats in seat order from this one (mod their number) on."""
    return tuple((first + distance) % seats for distance in range(seats))


@lru_cache(maxsize=1024)  # the same come again and again
def seat_event(kind: str, seat: int) -> Event:
    """The event of a word that a seat says, or of what it does, where nothing more is to tell."""
    return Event(kind, seat, {})


@lru_cache(maxsize=4096)
def chips_event(kind: str, seat: int, chips: int) -> Event:
    """The event of chips that a seat bets."""
    return Event(kind, seat, {"chips": chips})


class ChipState(State[M]):
    """A match of such a game.

    A game says with which `deck` it is played and what its `prompts` are: the code and the text of what is
    asked, in each phase in which a seat acts.
    """

    __slots__ = ("discard", "owed", "shuffled", "stock", "turn")

    deck: ClassVar[Deck]
    prompts: ClassVar[Mapping[str, tuple[str, Mapping[str, str]]]]
    _kept: ClassVar[tuple[str, ...]] = __slots__

    def __init_subclass__(cls) -> None:
        cls._kept = (*cls._kept, *cls.__dict__["__slots__"])

    def __init__(self, options: Any, dealer: int) -> None:
        super().__init__(options, dealer)
        self.turn = dealer
        self.stock = b""  # next card first
        self.discard = 0
        self.owed: list[int] = []  # seats that get a card before anything else happens, in order
        self.shuffled = (
            b""  # the last shuffle of the running or ended hand, empty if there was or is known none
        )

    @property
    def _ring(self) -> Sequence[int]:
        """The seats from the one after the dealer, who is last: the order of dealing, and of odd chips."""
        return seats_from(self.dealer + 1, self.options.seats)

    @property
    def to_act(self) -> Sequence[int]:
        return () if self.owed or self.phase in ("deal", "over") else (self.turn,)

    # ------------------------------------------------------------------------------------- chance

    @abstractmethod
    def _asked_for_deal(self) -> Shuffle:
        """What must be shuffled before the next hand."""

    @abstractmethod
    def _begin_hand(self, deck: bytes, events: list[Event]) -> None:
        """Deal from this deck."""

    def _for_new_stock(self) -> int:
        """The discards that are shuffled when the stock has run out."""
        return self.discard

    def _go_on(self, events: list[Event]) -> None:
        """There is a new stock for the cards owed."""

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase == "deal":
            return self._asked_for_deal()
        if self.owed and not self.stock:
            return Shuffle(tuple(self.deck.show_set(self._for_new_stock())), "stock")
        return None

    def supply(self, order: Sequence[int]) -> list[Event]:
        shuffle = self.needs_chance
        if shuffle is None:
            raise ValueError("no shuffle was asked for")
        check_order(order, len(shuffle.cards))
        number, cards = self.deck.number, shuffle.cards
        self.shuffled = bytes([number[cards[place]] for place in order])
        events: list[Event] = []
        if shuffle.purpose == "deal":
            self._begin_hand(self.shuffled, events)
        else:
            self.discard ^= as_set(self.shuffled)
            self.stock = self.shuffled
            events.append(Event("stock_shuffled", None, {"stock": len(self.stock)}))
            self._go_on(events)
        return events

    # ----------------------------------------------------------------------------- hidden information

    @abstractmethod
    def _cards_shown(self, viewer: int | None) -> int:
        """The cards whose places in the last shuffle may be opened to the viewer by now."""

    @property
    def whole_deck_shown(self) -> bool:
        return False  # nobody ever sees the stock

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = self._cards_shown(viewer)
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def _stock_zone(self) -> Zone:
        return closed_zone("stock", "stock", "stack", len(self.stock))

    def _discard_zone(self) -> Zone:
        return closed_zone("discard", "discard", "pile", self.discard.bit_count())

    def _prompts(self) -> list[Prompt]:
        to_act = self.to_act
        if not to_act:
            return []
        code, text = self.prompts[self.phase]
        return [Prompt(to_act, code, text)]

    # --------------------------------------------------------------------------- positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        for name in self._kept:
            value = getattr(self, name)
            setattr(new, name, list(value) if isinstance(value, list) else value)
        return new

    def _common_json(self) -> dict[str, Any]:
        deck = self.deck
        return {
            **super()._common_json(),
            "stock": deck.show(self.stock),
            "discard": deck.show_set(self.discard),
            "owed": list(self.owed),
            "turn": self.turn,
            "shuffled": deck.show(self.shuffled),
        }

    def _read_zones(
        self, json: Mapping[str, Any], deck: Deck, whole: Sequence[str] = ()
    ) -> dict[str, list[list[int]]]:
        """Read what `_common_json` wrote, or what of it a position gives; all zones, of which the game reads
        its own: the hands, and those of `whole` (see `read_zones`)."""
        seats = self.options.seats
        hands = json.get("hands", [] if self.phase not in ("deal", "over") else [[]] * seats)
        if len(hands) != seats:
            raise PositionError("hands", f"must be {seats}, one a seat")
        zones = read_zones(
            {**json, "hands": hands}, deck, whole=["stock", "discard", *whole], parted=["hands"]
        )
        self.stock = bytes(zones.get("stock", [[]])[0])
        self.discard = as_set(zones.get("discard", [[]])[0])
        self.owed = list(json.get("owed", []))
        self.turn = json.get("turn", self.turn)
        self.shuffled = bytes(self.deck.read(json.get("shuffled", [])))
        return zones


class ClosedHands(ChipState[M]):
    """Where hands are sets of cards, each seen by its seat and, if the game opens it, by everybody."""

    __slots__ = ("hands",)

    def __init__(self, options: Any, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands = [0] * options.seats

    def _is_open(self, seat: int) -> bool:
        """Whether everybody sees the hand of this seat."""
        return False

    def _hands_shown(self) -> list[list[str] | int]:
        """Every hand as everybody sees it: its cards, or how many they are."""
        return [
            self.deck.show_set(hand) if self._is_open(seat) else hand.bit_count()
            for seat, hand in enumerate(self.hands)
        ]

    def _dealt(self, seats: Sequence[int], data: dict[str, Any]) -> Event:
        """The event of a deal to these seats; each sees its own cards."""
        counts: list[list[str] | int] = [hand.bit_count() for hand in self.hands]
        private = {}
        for seat in seats:
            hands = counts.copy()
            hands[seat] = self.deck.show_set(self.hands[seat])
            private[seat] = {"hands": hands}
        return Event("hand_dealt", None, {"dealer": self.dealer, "hands": counts, **data}, private)

    def _hand_zone(self, seat: int, is_open: bool) -> Zone:
        hand, name = self.hands[seat], _HANDS[seat]
        if is_open:
            return open_set(self.deck, name, "hands", "fan", hand, seat, seat)
        return closed_zone(name, "hands", "fan", hand.bit_count(), seat, seat)

    def _hand_zones(self) -> list[Zone]:
        return [self._hand_zone(seat, self._is_open(seat)) for seat in range(len(self.hands))]

    def own_view(self, seat: int) -> View:
        zones = [] if self._is_open(seat) else [self._hand_zone(seat, True)]
        return self._view(zones, [], self.legal(seat), {})

    def _common_json(self) -> dict[str, Any]:
        return {**super()._common_json(), "hands": [self.deck.show_set(hand) for hand in self.hands]}

    def _read_zones(
        self, json: Mapping[str, Any], deck: Deck, whole: Sequence[str] = ()
    ) -> dict[str, list[list[int]]]:
        zones = super()._read_zones(json, deck, whole)
        self.hands = [as_set(hand) for hand in zones["hands"]]
        return zones
