"""The rummies in which the whole pile is taken (burraco, canasta): melds with twos and jokers as wild cards.

`PileRummy` has what they share: where the cards are, the forms of moves, who has seen which card of the deck,
the end of a hand, views and JSON of all that. What is a meld, when a step is allowed and what a turn may
end, is each game's own. There are always two sides, every other seat.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

from services.rules.core.cards import FR108
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.course import Course
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.match import abandoned
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.options import Options
from services.rules.core.position import read_zones
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_zone
from services.rules.families.double_hands import cards_of, lacking, size, with_cards
from services.rules.families.layable_melds import Layable, in_view_order
from services.rules.families.matte import ONE, points, read_cards
from services.rules.families.melds import read_number

RUN = -1
"""Instead of the rank of a meld that has cards of one rank."""
DECK_SIZE = len(FR108.cards)
NOBODY, EVERYBODY = -1, -2
"""Who has seen the card at a place of the shuffled deck, if not one seat alone."""
_CLOSING = 100
_HANDS = ("hands.0", "hands.1", "hands.2", "hands.3")


class Meld(NamedTuple):
    """A meld as it lies, its rank or RUN, and what it counts besides its cards (burraco, canasta)."""

    cards: bytes
    rank: int
    bonus: int


class Laid(NamedTuple):
    """A meld on the table, and the seat that laid it."""

    seat: int
    meld: Meld


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move with the numbers of its cards in its canonical order, and for `add` the number of the meld."""

    numbers: bytes = b""
    meld: int = -1


# ------------------------------------------------------------------------------------- the moves

DRAW_STOCK = Step("draw stock", "draw", target="stock")


@lru_cache(maxsize=8192)
def card_move(verb: str, cards: bytes, target: str = "") -> Step:
    """A move of these cards of the hand, which are in its canonical order."""
    faces = tuple(FR108.show(cards))
    return Step(" ".join((verb, *faces)), verb, faces, (), target, cards)


@lru_cache(maxsize=8192)
def add_move(cards: bytes, number: int) -> Step:
    """The move that adds these cards, in its canonical order, to meld number `number`."""
    faces = tuple(FR108.show(cards))
    return Step(f"add {' '.join(faces)} m{number}", "add", faces, (), f"melds.{number}", cards, number)


@lru_cache(maxsize=64)
def discard_move(card: int) -> Step:
    return card_move("discard", ONE[card], "discard")


def read_step(
    text: str, as_laid: Callable[[bytes], bytes], as_added: Callable[[bytes], bytes]
) -> Step | None:
    """The move of this text, if it has a form that both games share. `as_laid` and `as_added` give cards,
    which are in deck order, the order in which `meld` and `add` name them."""
    match words(text):
        case ["draw", "stock"]:
            return DRAW_STOCK
        case ["discard", face] if face in FR108.number:
            return discard_move(FR108.number[face])
        case ["meld", *faces] if len(faces) > 2 and (cards := read_cards(faces)):
            return card_move("meld", as_laid(cards))
        case ["add", *faces, word] if faces and (cards := read_cards(faces)):
            number = read_number(word)
            return None if number is None else add_move(as_added(cards), number)
    return None


class PileRummy(Course[Step]):
    """A match. `turn`: the seat whose turn it is; `seen_by`: who has seen each place of the shuffled deck,
    empty if the hand was not dealt but set up. A game says what its phases ask (`prompts`), what its cards
    count (`values`), where in the deck its stock ends, and what of an abandoned hand the other side is spared
    (`spared`).
    """

    __slots__ = ("discard", "hands", "melds", "seen_by", "stock", "turn")

    prompts: ClassVar[Mapping[str, Mapping[str, str]]]
    values: ClassVar[bytes]
    stock_end: ClassVar[int] = DECK_SIZE
    spared: ClassVar[Sequence[str]]

    def __init__(self, options: Options, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands = [0] * options.seats
        self.stock = b""  # next card first
        self.discard = b""  # top card last
        self.melds: list[Laid] = []
        self.turn = dealer
        self.seen_by: list[int] = []

    @abstractmethod
    def _meld_of(self, cards: bytes) -> Meld | None:
        """These cards, in any order, as a meld of the game."""

    # --------------------------------------------------------------------------------- the deal

    @property
    def needs_chance(self) -> Shuffle | None:
        return Shuffle(FR108.texts, "deal") if self.phase == "deal" else None

    def _deal_hands(self, order: Sequence[int], each: int) -> bytes:
        """So many cards to each seat, one at a time from the seat after the dealer, who plays first; the
        whole deck."""
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        check_order(order, DECK_SIZE)
        deck = bytes(FR108.cards[place] for place in order)
        seats = self.options.seats
        dealt = each * seats
        self.turn = (self.dealer + 1) % seats
        self.melds = []
        self.seen_by = [NOBODY] * DECK_SIZE
        for distance in range(seats):
            seat = (self.turn + distance) % seats
            self.hands[seat] = with_cards(0, deck[distance:dealt:seats])
            self.seen_by[distance:dealt:seats] = [seat] * each
        self.stock = deck[dealt : self.stock_end]
        return deck

    def _dealt(self, data: Mapping[str, Any]) -> Event:
        """The event of a deal."""
        common = {"dealer": self.dealer, "hands": self._hands_seen(None)}
        private = {seat: {"hands": self._hands_seen(seat)} for seat in range(self.options.seats)}
        return Event("hand_dealt", None, {**common, **data, "stock": len(self.stock)}, private)

    def _next_card(self, who: int) -> int:
        """The next card, which leaves the stock, seen by this seat or by EVERYBODY."""
        if self.seen_by:
            self.seen_by[self.stock_end - len(self.stock)] = who
        card = self.stock[0]
        self.stock = self.stock[1:]
        return card

    def _drawn(self, seat: int, cards: Sequence[int]) -> Event:
        """These cards of the stock go to a hand."""
        self.hands[seat] = with_cards(self.hands[seat], cards)
        data = {"from": "stock", "stock": len(self.stock)}
        return Event("card_drawn", seat, data, {seat: {**data, "cards": FR108.show(cards)}})

    # ---------------------------------------------------------------------------------- the turn

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase in self.prompts else ()

    def _own(self, seat: int) -> list[tuple[int, Meld]]:
        """The melds of a seat's side with their numbers."""
        side = seat % 2
        return [(number, laid.meld) for number, laid in enumerate(self.melds) if laid.seat % 2 == side]

    def _is_own(self, seat: int, number: int) -> bool:
        """Whether there is a meld of this number, and it is the side's."""
        return number < len(self.melds) and self.melds[number].seat % 2 == seat % 2

    def _ranks_down(self, seat: int) -> set[int]:
        """The ranks of the melds of a seat's side."""
        return {meld.rank for _, meld in self._own(seat)} - {RUN}

    def _has_bonus(self, seat: int) -> bool:
        """Whether the seat's side has a burraco, a canasta."""
        return any(meld.bonus for _, meld in self._own(seat))

    def _not_in_hand(self, seat: int, move: Step) -> Refusal | None:
        hand = self.hands[seat]
        card = lacking(hand, move.numbers)
        if card is None:
            return None
        face = FR108.faces[card]
        times = " so often" if card in cards_of(hand) else ""
        return Refusal("not_in_hand", f"you do not hold {face}{times}", face)

    # ------------------------------------------------------------------------------ end of a hand

    @abstractmethod
    def _count(self) -> dict[str, list[int]]:
        """The items of a hand that nobody has closed."""

    def _laid_points(self) -> list[int]:
        """What the cards in the melds of each side count."""
        found = [0, 0]
        for seat, meld in self.melds:
            found[seat % 2] += points(meld.cards, self.values)
        return found

    def _bonus_points(self) -> list[int]:
        """What the melds of each side count besides their cards."""
        found = [0, 0]
        for seat, meld in self.melds:
            found[seat % 2] += meld.bonus
        return found

    def _held_points(self) -> list[int]:
        """Minus the cards in the hands of each side."""
        found = [0, 0]
        for seat, hand in enumerate(self.hands):
            found[seat % 2] -= points(cards_of(hand), self.values)
        return found

    def _abandon(self, seat: int) -> Applied:
        """Section 6: the hand is counted as it lies, as if the other side had closed."""
        side = seat % 2
        events = [Event("seat_abandoned", seat, {})]
        if self.phase != "deal":
            items = self._count()
            items["close"][1 - side] = _CLOSING
            for item in self.spared:
                items[item][1 - side] = 0
            self._score(items, events)
        self._end_match(abandoned(self.scores, seat, side), events)
        return Applied("abandon", events)

    # -------------------------------------------------------------------------- hidden information

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it while it is open: its cards, or how many they are."""
        return [
            FR108.show(cards_of(hand)) if seat == viewer else size(hand)
            for seat, hand in enumerate(self.hands)
        ]

    @property
    def whole_deck_shown(self) -> bool:
        return False

    def openings(self, viewer: int | None) -> Sequence[int]:
        """What the deal showed everybody, and of the hands only what the viewer itself was dealt or drew: the
        game never tells anybody where in the deck the cards of another hand have come from."""
        return [place for place, who in enumerate(self.seen_by) if who in (EVERYBODY, viewer)]

    def public_view(self) -> View:
        is_over = self.phase not in self.prompts
        zones = [self._hand_zone(seat, is_over) for seat in range(len(self.hands))]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        zones.append(open_zone(FR108, "discard", "discard", "pile", tuple(self.discard), None, None, True))
        zones += self._more_zones()
        for number, (seat, meld) in enumerate(self.melds):
            name, cards = f"melds.{number}", tuple(meld.cards)
            zones.append(open_zone(FR108, name, "melds", "melds", cards, seat, seat % 2, True))
        prompts = [] if is_over else [Prompt(self.to_act, self.phase, self.prompts[self.phase])]
        return self._view(zones, prompts, [], self._facts())

    def own_view(self, seat: int) -> View:
        if self.phase not in self.prompts:
            return self._view([], [], [], {})
        found = in_view_order(
            Layable(card_move("meld", cards).text, points(cards, self.values))
            for cards in self._layable(seat)
        )
        layable = [{"move": it.move, "value": it.value} for it in found]
        facts = {"layable": layable, "opening": self._opening(seat)}
        return self._view([self._hand_zone(seat, True)], [], self.legal(seat), facts)

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        hand, name, side = self.hands[owner], _HANDS[owner], owner % 2
        if is_open:
            return open_zone(FR108, name, "hands", "fan", cards_of(hand), owner, side)
        return closed_zone(name, "hands", "fan", size(hand), owner, side)

    @abstractmethod
    def _more_zones(self) -> list[Zone]:
        """The zones that only this game has."""

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """What else everybody sees."""

    @abstractmethod
    def _layable(self, seat: int) -> Iterable[bytes]:
        """The melds that the seat's hand alone gives (CONVENTIONS.md, section 8), as `meld` names them."""

    def _opening(self, seat: int) -> dict[str, int] | None:
        """The points ready and those needed, before the seat has opened (CONVENTIONS.md, section 8)."""
        return None

    # ------------------------------------------------------------------------ positions, snapshots

    def _copy(self) -> Self:
        new = super()._copy()
        new.hands = list(self.hands)
        new.stock = self.stock
        new.discard = self.discard
        new.melds = list(self.melds)
        new.turn = self.turn
        new.seen_by = list(self.seen_by)
        return new

    def _common_json(self) -> dict[str, Any]:
        return {
            **super()._common_json(),
            "hands": [FR108.show(cards_of(hand)) for hand in self.hands],
            "stock": FR108.show(self.stock),
            "discard": FR108.show(self.discard),
            "melds": [{"seat": seat, "cards": FR108.show(meld.cards)} for seat, meld in self.melds],
            "seen_by": list(self.seen_by),
        }

    @classmethod
    def _read_table(
        cls, options: Any, json: Mapping[str, Any], parted: str
    ) -> tuple[Self, list[list[int]] | None]:
        """A state with what `_common_json` wrote, or what of it a position gives; and the game's own zone of
        this name (see `read_zones`), if it is there."""
        state = cls._begin_from(options, {"phase": "draw", **json})
        owners, cards = owners_and_cards(json)
        if any(owner not in range(options.seats) for owner in owners):
            raise PositionError("melds", "laid by a seat that is not there")
        parts = ["hands", "melds", parted]
        zones = read_zones({**json, "melds": cards}, FR108, whole=["stock", "discard"], parted=parts)
        if "hands" in zones:
            state.hands = [with_cards(0, hand) for hand in zones["hands"]]
        state.stock, state.discard = (bytes(zones.get(name, [[]])[0]) for name in ("stock", "discard"))
        for owner, meld in zip(owners, zones["melds"], strict=True):
            state.melds.append(Laid(owner, state._known(bytes(meld))))
        state.seen_by = list(json.get("seen_by", []))
        return state, zones.get(parted)

    def _known(self, cards: bytes) -> Meld:
        """The meld that these cards of a position are. PositionError: they are none."""
        meld = self._meld_of(cards)
        if meld is None:
            raise PositionError("melds", f"{' '.join(FR108.show(cards))} is no meld")
        return meld


def owners_and_cards(json: Mapping[str, Any]) -> tuple[list[int], list[Any]]:
    """Of each meld of a position the seat that laid it, and its cards."""
    melds = json.get("melds", [])
    try:
        return [meld["seat"] for meld in melds], [meld["cards"] for meld in melds]
    except (TypeError, KeyError):
        raise PositionError("melds", "each must have a seat and cards") from None
