"""The turn of a rummy: a draw, then melds, additions and swaps that may be taken back, then a discard.

`Rummy` has what scala 40 and jolly share: where the cards are, the forms of moves, what a step changes and
how it is undone, views and JSON of all that. When a step is allowed, and what a discard may end, is each
game's own.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

from services.rules.core.cards import Deck
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.options import Options, OptionSpec
from services.rules.core.position import read_zones
from services.rules.core.state import State
from services.rules.core.view import Zone
from services.rules.core.zones import closed_zone, open_zone
from services.rules.families.best_melds import most_points
from services.rules.families.double_hands import (
    JOKER,
    cards_of,
    faces,
    held,
    jokers_of,
    kinds,
    size,
    with_card,
    with_cards,
    without_card,
    without_cards,
)
from services.rules.families.layable_melds import layable
from services.rules.families.melds import (
    FACES,
    STATED,
    Fault,
    Growth,
    Meld,
    MeldRules,
    Swap,
    growths,
    meld_texts,
    melds_of_three,
    read_meld,
    read_number,
    stated_card,
    swaps,
    value,
)

HAND = 13
OPENING = 40

_NUMBER = {face: card for card, face in enumerate(FACES)}


def max_turns_spec() -> OptionSpec:
    """The most turns of a hand. Rooms offer 12 and more; a case may use less."""
    text = {"it": "Turni al massimo in una smazzata", "en": "Most turns of a hand"}
    return OptionSpec("max_turns", "int", 500, text, low=1, high=10000)


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move of a turn. `numbers` are its cards; `count`: how many it draws from the discards; `meld`: what
    it lays (`fault`: why that is none); `at`: the number of the meld that it changes, `end` where; `stated`:
    the card that an added joker is said to stand for."""

    numbers: tuple[int, ...] = ()
    count: int = 0
    meld: Meld | None = None
    fault: Fault | None = None
    at: int = -1
    end: str = ""
    stated: int | None = None


class Laid(NamedTuple):
    """A meld on the table: who laid it, and who laid each of its cards."""

    seat: int
    meld: Meld
    by: tuple[int, ...]


class Done(NamedTuple):
    """A step of the running turn that may be taken back: the cards that it moved between the hand and the
    table (or the discards), and with `add` and `swap` the meld as it was before."""

    verb: str
    cards: tuple[int, ...]
    at: int = -1
    was: Laid | None = None


DRAW_STOCK = Step("draw stock", "draw", target="stock")
UNDO = Step("undo", "undo")


@lru_cache(maxsize=64)
def draw_move(text: str, count: int) -> Step:
    return Step(text, "draw", target="discard", count=count)


@lru_cache(maxsize=64)
def discard_move(card: int) -> Step:
    return Step(f"discard {FACES[card]}", "discard", (FACES[card],), (), "discard", (card,))


@lru_cache(maxsize=4096)
def lay_move(meld: Meld) -> Step:
    text = "meld " + " ".join(meld_texts(meld))
    return Step(text, "meld", tuple(FACES[card] for card in meld.cards), numbers=meld.cards, meld=meld)


@lru_cache(maxsize=4096)
def add_move(growth: Growth, at: int) -> Step:
    """The move that adds a card to meld number `at`."""
    card, end, meld, _ = growth
    stated = stated_card(meld) if card == JOKER else None
    written = FACES[card] if stated is None else STATED + FACES[stated]
    text = f"add {written} m{at}" + (end and f" {end}")
    return Step(text, "add", (FACES[card],), (), f"melds.{at}", (card,), at=at, end=end, stated=stated)


@lru_cache(maxsize=1024)
def swap_move(card: int, at: int) -> Step:
    return Step(f"swap {FACES[card]} m{at}", "swap", (FACES[card],), ("X",), f"melds.{at}", (card,), at=at)


def read_step(text: str, rules: MeldRules, melds: Sequence[Laid]) -> Step | None:
    """The move of this text, if it has a form that all rummies share."""
    match words(text):
        case ["draw", "stock"]:
            return DRAW_STOCK
        case ["undo"]:
            return UNDO
        case ["discard", card] if card in _NUMBER:
            return discard_move(_NUMBER[card])
        case ["meld", *cards]:
            return _read_lay(text, tuple(cards), rules)
        case ["add", card, number]:
            return _read_add(text, card, number, "", rules, melds)
        case ["add", card, number, ("low" | "high") as end]:
            return _read_add(text, card, number, end, rules, melds)
        case ["swap", card, number] if _NUMBER.get(card, JOKER) < JOKER:
            at = read_number(number)
            return None if at is None else swap_move(_NUMBER[card], at)
    return None


def _read_lay(text: str, cards: tuple[str, ...], rules: MeldRules) -> Step | None:
    meld = read_meld(cards, rules)
    if meld is None:
        return None
    if isinstance(meld, Meld):
        return lay_move(meld)
    shown = tuple(map(_plain, cards))
    return Step(text, "meld", shown, numbers=tuple(_NUMBER[card] for card in shown), fault=meld)


def _read_add(
    text: str, written: str, number: str, end: str, rules: MeldRules, melds: Sequence[Laid]
) -> Step | None:
    """Its text becomes canonical where only one end, or one suit, can be meant."""
    at = read_number(number)
    stated = None
    card = _NUMBER.get(written)
    if rules.stated_suit and written.startswith(STATED):
        stated = _NUMBER.get(written.removeprefix(STATED))
        card = None if stated in (None, JOKER) else JOKER
    if at is None or card is None:
        return None
    face = FACES[card]
    move = Step(text, "add", (face,), (), f"melds.{at}", (card,), at=at, end=end, stated=stated)
    fitting = _fitting(melds[at].meld, move, rules) if at < len(melds) else []
    return add_move(fitting[0], at) if len(fitting) == 1 else move


def _plain(text: str) -> str:
    """The card of a meld without what it is said to stand for."""
    return FACES[JOKER] if text.startswith(STATED) else text


def _fitting(meld: Meld, move: Step, rules: MeldRules) -> list[Growth]:
    """The ways in which an `add` can be meant."""
    (card,) = move.numbers
    return [
        growth
        for growth in growths(meld, rules)
        if growth.card == card
        and (not move.end or growth.end == move.end)
        and (move.stated is None or stated_card(growth.meld) == move.stated)
    ]


class Rummy(State[Step]):
    """A match of a rummy.

    `opened`: in an earlier turn of the hand; `turns`: ended in this hand; `done`: the steps of the running
    turn that may be taken back; `melds_before`: how many melds there were before that turn, what was laid in
    it has higher numbers; `shuffled`: the deck as it was dealt, empty if not known; `dealt_to`: the
    seats in the order of that deal; `drawers`: who drew each card of the stock as it was dealt.
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

    deck: Deck
    left_in_discard: int
    """How many cards stay when the discards become a new stock."""
    rules: MeldRules

    def __init__(self, options: Options, dealer: int) -> None:
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
        self.stock = bytes(cards[place] for place in order)
        self.discard = self.discard[-self.left_in_discard :]
        data = {"stock": len(self.stock), "discard": len(self.discard)}
        return [Event("stock_refilled", None, data)]

    def _cannot_go_on(self, max_turns: int) -> bool:
        """Whether a hand ends as a turn begins: there is nothing left to draw, or it has lasted too long."""
        nothing_left = not self.stock and len(self.discard) <= self.left_in_discard
        return nothing_left or sum(self.turns) >= max_turns

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

    # -------------------------------------------------------------------------------------- the turn

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.hand_is_open and not self._refilling else ()

    def points_laid(self) -> int:
        """What the melds laid in this turn are worth, with what was added to them."""
        return sum(value(laid.meld, self.rules) for laid in self.melds[self.melds_before :])

    def has_opened(self, seat: int) -> bool:
        """Whether it has opened, the running turn included."""
        return self.opened[seat] or (
            self.phase == "play" and seat == self.turn and bool(self.done) and self.points_laid() >= OPENING
        )

    def _fitting(self, move: Step) -> list[Growth]:
        return _fitting(self.melds[move.at].meld, move, self.rules)

    def _swap_of(self, move: Step) -> Swap | None:
        (card,) = move.numbers
        wanted = swaps(self.melds[move.at].meld, self.rules)
        return next((swap for swap in wanted if swap.card == card), None)

    def _not_held(self, seat: int, move: Step) -> Refusal | None:
        """The refusal of a move that names a card which is not held, or not so often."""
        hand = self.hands[seat]
        for card, face in zip(move.numbers, move.cards, strict=True):
            if not held(hand, card):
                return Refusal("not_in_hand", f"you do not hold {face}, or not so often", face)
            hand = without_card(hand, card)
        return None

    def _bad_form(self, move: Step) -> Refusal | None:
        """The refusal of a `meld`, `add` or `swap` that makes no meld, or not one only."""
        where = move.cards[0]
        if move.verb == "meld":
            if move.fault == "ambiguous":
                return Refusal("ambiguous", "these cards could be two melds: say which", where)
            if move.fault:
                return Refusal("not_a_meld", "these cards are no meld", where)
        elif move.verb == "add":
            ways = len(self._fitting(move))
            if ways > 1:
                return Refusal("ambiguous", f"{where} fits both ends: say which", f"m{move.at}")
            if not ways:
                return Refusal("does_not_fit", f"{where} does not fit there", f"m{move.at}")
        elif move.verb == "swap" and self._swap_of(move) is None:
            return Refusal("no_such_joker", f"{where} wins no joker of this meld", f"m{move.at}")
        return None

    def _listed_melds(self, seat: int) -> Iterator[Step]:
        hand = self.hands[seat]
        return map(lay_move, melds_of_three(faces(hand), min(jokers_of(hand), 2), self.rules))

    def _listed_adds(self, seat: int, melds: Iterable[int]) -> list[Step]:
        """The additions of cards of the hand to the melds of these numbers."""
        cards, rules = kinds(self.hands[seat]), self.rules
        found = [
            (growth.card, at, growth)
            for at in melds
            for growth in growths(self.melds[at].meld, rules)
            if cards >> growth.card & 1
        ]
        found.sort(key=lambda it: it[:2])
        return [add_move(growth, at) for _, at, growth in found]

    def _listed_swaps(self, seat: int, melds: Iterable[int]) -> list[Step]:
        cards, rules = kinds(self.hands[seat]), self.rules
        found = {
            (swap.card, at)
            for at in melds
            for swap in swaps(self.melds[at].meld, rules)
            if cards >> swap.card & 1
        }
        return [swap_move(card, at) for card, at in sorted(found)]

    def _draw(self, seat: int, move: Step) -> Applied:
        self.phase = "play"
        if not move.count:
            card = self.stock[0]
            self.stock = self.stock[1:]
            self.hands[seat] = with_card(self.hands[seat], card)
            if len(self.drawers) < len(self.shuffled):
                self.drawers += bytes((seat,))
            private = {seat: {"card": FACES[card]}}
            return _step(move, Event("card_drawn", seat, {"stock": len(self.stock)}, private))
        taken = self.discard[-move.count :]
        self.discard = self.discard[: -move.count]
        self.hands[seat] = with_cards(self.hands[seat], taken)
        self.done.append(Done("draw", tuple(taken)))
        return _step(move, Event("cards_taken", seat, {"cards": self.deck.show(taken)}))

    def _lay(self, seat: int, move: Step) -> Applied:
        """A `meld`, `add` or `swap` that has been checked."""
        hand = without_cards(self.hands[seat], move.numbers)
        at = move.at
        if move.meld is not None:
            at = len(self.melds)
            self.melds.append(Laid(seat, move.meld, (seat,) * len(move.numbers)))
            was = None
        else:
            was = self.melds[at]
            by = list(was.by)
            if move.verb == "add":
                (growth,) = self._fitting(move)
                meld, place = growth.meld, growth.place
            else:
                _, meld, joker_place, place = self._swap_of(move)  # type: ignore[misc]  # it was checked
                del by[joker_place]
                hand = with_card(hand, JOKER)
            by.insert(place, seat)
            self.melds[at] = Laid(was.seat, meld, tuple(by))
        self.hands[seat] = hand
        self.done.append(Done(move.verb, move.numbers, at, was))
        data = {"meld": at, "cards": list(meld_texts(self.melds[at].meld)), "card": move.cards[0]}
        kind = {"meld": "meld_laid", "add": "card_added", "swap": "joker_won"}[move.verb]
        if move.verb == "meld":
            del data["card"]
        return _step(move, Event(kind, seat, data))

    def _undo(self, seat: int, move: Step) -> Applied:
        verb, cards, at, was = self.done.pop()
        hand = self.hands[seat]
        data: dict[str, Any] = {"verb": verb, "cards": self.deck.show(cards)}
        if verb == "draw":
            self.hands[seat] = without_cards(hand, cards)
            self.discard += bytes(cards)
            self.phase = "draw"
            return _step(move, Event("step_undone", seat, data))
        if was is None:
            self.melds.pop()
        else:
            self.melds[at] = was
            data["now"] = list(meld_texts(was.meld))
        if verb == "swap":
            hand = without_card(hand, JOKER)
        self.hands[seat] = with_cards(hand, cards)
        return _step(move, Event("step_undone", seat, {**data, "meld": at}))

    def _put_down(self, seat: int, card: int) -> Event:
        """The discard that ends the turn: the seat has now opened if it laid enough."""
        self.opened[seat] = self.has_opened(seat)
        self.hands[seat] = without_card(self.hands[seat], card)
        self.discard += bytes((card,))
        self.turns[seat] += 1
        self.done = []
        self.melds_before = len(self.melds)
        return Event("card_discarded", seat, {"card": FACES[card]})

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
        on_table = [[_plain(card) for card in meld["cards"]] for meld in laid]
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
        seat, seats = json["seat"], range(self.options.seats)
        by = json.get("by", [seat] * len(texts))
        if not isinstance(meld, Meld):
            raise PositionError("melds", f"{' '.join(texts)} is no meld")
        if seat not in seats or len(by) != len(texts) or not all(one in seats for one in by):
            raise PositionError("melds", "every card must have been laid by a seat")
        given = [_plain(text) for text in texts]
        if given != self.deck.show(meld.cards):
            by = [by[given.index(face)] for face in self.deck.show(meld.cards)]
        return Laid(seat, meld, tuple(by))

    def _read_turn(self, json: Mapping[str, Any], begins: int, playing: Sequence[int]) -> None:
        """Whose turn it is: by default that of the seat that begins a hand."""
        given = json.get("to_act") or [begins]
        self.turn = json.get("turn", given[0])
        if self.hand_is_open and (len(given) != 1 or self.turn not in playing):
            raise PositionError("to_act", "must be one seat that plays")


def _step(move: Step, event: Event) -> Applied:
    return Applied(move.text, [event], turn_ended=False)


@lru_cache(maxsize=4096)
def _meld_zone(name: str, meld: Meld, seat: int, side: int) -> Zone:
    return Zone(name, "melds", "melds", meld_texts(meld), len(meld.cards), seat, side, ordered=True)
