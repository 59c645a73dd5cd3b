"""The table of scala 40 and jolly: hands, stock, discards, melds, who has opened; how it is dealt, what of it
is seen, and its JSON."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self

from services.rules.core.cards import Deck
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError
from services.rules.core.moves import Event
from services.rules.core.options import Options, OptionSpec
from services.rules.core.position import read_zones
from services.rules.core.state import State
from services.rules.core.view import Zone
from services.rules.core.zones import closed_zone, open_zone
from services.rules.families.best_melds import most_points
from services.rules.families.double_hands import JOKER, RANKS, cards_of, size, with_cards
from services.rules.families.layable_melds import layable
from services.rules.families.melds import Meld, MeldRules, meld_texts, read_meld, value
from services.rules.families.rummy_moves import Done, Laid, Step, laid_meld, plain_face

HAND = 13
OPENING = 40


def max_turns_spec() -> OptionSpec:
    """The most turns of a hand. Rooms offer 12 and more; a case may use less."""
    text = {"it": "Turni al massimo in una smazzata", "en": "Most turns of a hand"}
    return OptionSpec("max_turns", "int", 500, text, low=1, high=10000)


@dataclass(frozen=True, slots=True)
class RummyOptions(Options):
    match: Literal["points", "hands"]
    target: int
    hands: int
    max_turns: int
    max_hands: int
    ko: bool


@lru_cache(maxsize=4096)
def points_in_hand(hand: int, joker: int, ace: int) -> int:
    """What the cards of a hand count against its seat: figures 10, the others their number, and these two."""
    return sum(
        joker if card == JOKER else min(card % RANKS + 1, 10) if card % RANKS else ace
        for card in cards_of(hand)
    )


class RummyTable(State[Step]):
    """What a match of a rummy has on and around the table.

    `opened`: in an earlier turn of the hand; `turns`: ended in this hand; `done`: the steps of the running
    turn that may be taken back; `melds_before`: how many melds there were before that turn, what was laid in
    it has higher numbers; `shuffled`: the cards of the last shuffle in their order, empty if not known;
    `dealt_to`: the seats in the order of its deal, none if it made a stock only; `drawers`: who drew each
    card of the stock since.
    """

    __slots__ = (
        "dealt_to",
        "discard",
        "done",
        "drawers",
        "hands",
        "melds",
        "melds_before",
        "opened",
        "rules",
        "shuffled",
        "stock",
        "turn",
        "turns",
    )

    options: RummyOptions
    deck: Deck
    left_in_discard: int
    """How many cards stay when the discards become a new stock."""
    rules: MeldRules

    def __init__(self, options: RummyOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        seats = options.seats
        self.rules = self._meld_rules()
        self.hands = [0] * seats
        self.stock = b""  # next card first
        self.discard = b""  # oldest first
        self.melds: list[Laid] = []
        self.melds_before = 0
        self.opened = [False] * seats
        self.turns = [0] * seats
        self.turn = dealer
        self.done: list[Done] = []
        self.drawers = b""
        self.shuffled = b""
        self.dealt_to = b""

    @abstractmethod
    def _meld_rules(self) -> MeldRules:
        """What this match takes for a meld."""

    # ------------------------------------------------------------------------------ dealing, refilling

    @property
    def hand_is_open(self) -> bool:
        return self.phase in ("draw", "play")

    @property
    def _refilling(self) -> bool:
        """Whether the discards are to become the stock before the seat can draw."""
        return self.phase == "draw" and not self.stock

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase == "deal":
            return Shuffle(self.deck.texts, "deal")
        if self._refilling:
            return Shuffle(tuple(self.deck.show(self._to_refill())), "stock")
        return None

    def _to_refill(self) -> list[int]:
        """The discards that are to become the stock, in deck order."""
        return sorted(self.discard[: -self.left_in_discard])

    def supply(self, order: Sequence[int]) -> list[Event]:
        if self.phase == "deal":
            check_order(order, len(self.deck.cards))
            return self._deal(bytes(self.deck.cards[place] for place in order))
        if not self._refilling:
            raise ValueError("no shuffle was asked for")
        cards = self._to_refill()
        check_order(order, len(cards))
        self.shuffled = self.stock = bytes(cards[place] for place in order)
        self.dealt_to = self.drawers = b""
        self.discard = self.discard[-self.left_in_discard :]
        data = {"stock": len(self.stock), "discard": len(self.discard)}
        events = [Event("stock_refilled", None, data)]
        self._begin_turn(events)
        return events

    def _begin_turn(self, events: list[Event]) -> None:
        """The hand ends if nothing is left to draw, or it has lasted too long; a stock is made first."""
        nothing_left = not self.stock and len(self.discard) <= self.left_in_discard
        if nothing_left or (self.stock and sum(self.turns) >= self.options.max_turns):
            self._end_unclosed(events)

    @abstractmethod
    def _end_unclosed(self, events: list[Event]) -> None:
        """The hand ends as the turn of a seat begins."""

    @abstractmethod
    def _deal(self, deck: bytes) -> list[Event]:
        """Begin a hand with this deck, its first card first."""

    def _deal_hands(self, deck: bytes, seats: Sequence[int]) -> int:
        """Thirteen cards each, one at a time in this order of the seats; how many cards that were."""
        dealt = HAND * len(seats)
        every = range(self.options.seats)
        self.hands = [0 for _ in every]
        for index, seat in enumerate(seats):
            self.hands[seat] = with_cards(0, deck[index : dealt : len(seats)])
        self.shuffled = deck
        self.dealt_to = bytes(seats)
        self.drawers = b""
        self.melds = []
        self.melds_before = 0
        self.opened = [False for _ in every]
        self.turns = [0 for _ in every]
        self.done = []
        self.turn = seats[0]
        self.phase = "draw"
        return dealt

    def _dealt_event(self, data: Mapping[str, Any]) -> Event:
        hands: list[Any] = [size(hand) for hand in self.hands]
        private = {
            seat: {"hands": [*hands[:seat], self.deck.show(cards_of(hand)), *hands[seat + 1 :]]}
            for seat, hand in enumerate(self.hands)
            if hand
        }
        common = {"dealer": self.dealer, "hands": hands, "stock": len(self.stock)}
        return Event("hand_dealt", None, {**common, **data}, private)

    # -------------------------------------------------------------------------------------- opening

    def points_laid(self) -> int:
        """What the melds laid in this turn are worth, with what was added to them."""
        return sum(value(laid.meld, self.rules) for laid in self.melds[self.melds_before :])

    def has_opened(self, seat: int) -> bool:
        """Whether it has opened, the running turn included."""
        return self.opened[seat] or (
            self.phase == "play" and seat == self.turn and bool(self.done) and self.points_laid() >= OPENING
        )

    # ------------------------------------------------------------------------------ hidden information

    @property
    def whole_deck_shown(self) -> bool:
        return False

    def _openings(self, viewer: int | None, turned: Sequence[int]) -> Sequence[int]:
        """The places of the cards turned up in the deal; to a seat besides those of its deal and its draws.

        Where the other hands' cards came from cannot be told when they are shown, so nobody learns it.
        """
        if not self.shuffled:
            return []
        found = list(turned)
        if viewer is not None:
            seats = self.dealt_to
            dealt = HAND * len(seats)
            if viewer in seats:
                found += range(seats.index(viewer), dealt, len(seats))
            first = dealt + len(turned)
            drawn = enumerate(self.drawers[: len(self.shuffled) - first], start=first)
            found += [place for place, drawer in drawn if drawer == viewer]
        return sorted(set(found))

    def _shared_zones(self) -> list[Zone]:
        """Hands (open when the hand is over), stock and melds as everybody sees them."""
        zones = [self._hand_zone(seat, not self.hand_is_open) for seat in range(self.options.seats)]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        for at, laid in enumerate(self.melds):
            side = self.options.side(laid.seat)
            zones.append(_meld_zone(f"melds.{at}", laid.meld, laid.seat, side))
        return zones

    def _showing_hands(self, ended: Event) -> Event:
        """The end of a hand: everybody sees all hands."""
        hands = [self.deck.show(cards_of(hand)) for hand in self.hands]
        return ended._replace(data={**ended.data, "hands": hands})

    def _hand_zone(self, seat: int, is_open: bool) -> Zone:
        hand, side, name = self.hands[seat], self.options.side(seat), f"hands.{seat}"
        if is_open:
            return open_zone(self.deck, name, "hands", "fan", cards_of(hand), seat, side)
        return closed_zone(name, "hands", "fan", size(hand), seat, side)

    def _help(self, seat: int) -> dict[str, Any]:
        """The facts `layable` and `opening` of a seat that plays (CONVENTIONS.md, section 8)."""
        hand = self.hands[seat]
        listed = [{"move": it.move, "value": it.value} for it in layable(hand, self.rules)]
        opening = None
        if not self.has_opened(seat):
            ready = most_points(hand, self.rules) + (self.points_laid() if seat == self.turn else 0)
            opening = {"ready": ready, "needed": OPENING}
        return {"layable": listed, "opening": opening}

    # -------------------------------------------------------------------------------------- JSON

    def _copy_rummy(self) -> Self:
        new = self._copy()
        new.rules = self.rules
        new.hands = list(self.hands)
        new.stock = self.stock
        new.discard = self.discard
        new.melds = list(self.melds)
        new.melds_before = self.melds_before
        new.opened = list(self.opened)
        new.turns = list(self.turns)
        new.turn = self.turn
        new.done = list(self.done)
        new.drawers = self.drawers
        new.shuffled = self.shuffled
        new.dealt_to = self.dealt_to
        return new

    def _laid_json(self, laid: Laid) -> dict[str, Any]:
        return {"seat": laid.seat, "cards": list(meld_texts(laid.meld)), "by": list(laid.by)}

    def _done_json(self, done: Done) -> dict[str, Any]:
        return {
            "verb": done.verb,
            "cards": self.deck.show(done.cards),
            "at": done.at,
            "was": done.was and self._laid_json(done.was),
        }

    def _rummy_json(self) -> dict[str, Any]:
        seats = range(self.options.seats)
        return {
            **self._common_json(),
            "hands": [self.deck.show(cards_of(hand)) for hand in self.hands],
            "stock": self.deck.show(self.stock),
            "discard": self.deck.show(self.discard),
            "melds": [self._laid_json(laid) for laid in self.melds],
            "opened": [self.has_opened(seat) for seat in seats],
            "opened_before": list(self.opened),
            "turns": list(self.turns),
            "turn": self.turn,
            "done": [self._done_json(done) for done in self.done],
            "drawers": list(self.drawers),
            "shuffled": self.deck.show(self.shuffled),
            "dealt_to": list(self.dealt_to),
        }

    @classmethod
    def _rummy_from(cls, options: Any, json: Mapping[str, Any]) -> Self:
        """A state with what `_rummy_json` wrote, or what of it a position gives."""
        self = cls._begin_from(options, {"phase": "draw", **json})
        seats = options.seats
        laid = json.get("melds", [])
        try:
            on_table = [[plain_face(card) for card in meld["cards"]] for meld in laid]
        except (AttributeError, KeyError, TypeError):
            raise PositionError("melds", "each must have a seat and cards") from None
        zones = read_zones(
            {**json, "melds": on_table}, self.deck, whole=["stock", "discard"], parted=["hands", "melds"]
        )
        if "hands" not in zones and self.hand_is_open:
            raise PositionError("hands", "must be given")
        self.hands = [with_cards(0, hand) for hand in zones.get("hands", [[]] * seats)]
        self.stock = bytes(zones.get("stock", [[]])[0])
        self.discard = bytes(zones.get("discard", [[]])[0])
        self.melds = [self._read_laid(meld) for meld in laid]
        self.opened = list(json.get("opened_before", json.get("opened", self.opened)))
        self.turns = list(json.get("turns", [1] * seats))
        self.done = [
            Done(
                it["verb"],
                tuple(self.deck.read(it["cards"])),
                it["at"],
                it["was"] and self._read_laid(it["was"]),
            )
            for it in json.get("done", [])
        ]
        self.melds_before = len(self.melds) - sum(step.verb == "meld" for step in self.done)
        self.drawers = bytes(json.get("drawers", b""))
        self.shuffled = bytes(self.deck.read(json.get("shuffled", [])))
        self.dealt_to = bytes(json.get("dealt_to", b""))
        for name in ("hands", "opened", "turns"):
            if len(getattr(self, name)) != seats:
                raise PositionError(name, f"must be {seats}, one a seat")
        return self

    def _read_laid(self, json: Mapping[str, Any]) -> Laid:
        """A meld, its cards in any order that a move may give them in."""
        texts = json["cards"]
        meld = read_meld(tuple(texts), self.rules)
        seat, seats = json.get("seat", -1), range(self.options.seats)
        by = json.get("by", [seat] * len(texts))
        if not isinstance(meld, Meld):
            raise PositionError("melds", f"{' '.join(texts)} is no meld")
        if seat not in seats or len(by) != len(texts) or not all(one in seats for one in by):
            raise PositionError("melds", "every card must have been laid by a seat")
        given = [plain_face(text) for text in texts]
        if given != self.deck.show(meld.cards):
            by = [by[given.index(face)] for face in self.deck.show(meld.cards)]
        return laid_meld(seat, meld, tuple(by), self.rules)

    def _read_turn(self, json: Mapping[str, Any], begins: int, playing: Sequence[int]) -> None:
        """Whose turn it is: by default that of the seat that begins a hand."""
        given = json.get("to_act") or [begins]
        self.turn = json.get("turn", given[0])
        if self.hand_is_open and (len(given) != 1 or self.turn not in playing):
            raise PositionError("to_act", "must be one seat that plays")


@lru_cache(maxsize=4096)
def _meld_zone(name: str, meld: Meld, seat: int, side: int) -> Zone:
    return Zone(name, "melds", "melds", meld_texts(meld), len(meld.cards), seat, side, ordered=True)
