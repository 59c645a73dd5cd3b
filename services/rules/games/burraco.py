"""Burraco (burraco.md). Two seats, or four in two partnerships; the deck `fr108`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self

from services.rules.core.cards import FR108
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, abandoned
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    hands_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_spec,
)
from services.rules.core.options import Options
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_zone
from services.rules.families.arrangements import (
    DIRTY,
    RUN,
    SEMICLEAN,
    Arranged,
    arranged,
    joined,
    largest_melds,
    short_melds,
)
from services.rules.families.combinations import (
    EVERYBODY,
    NOBODY,
    ONE,
    RANK,
    WILDS,
    Meld,
    after_hand,
    different,
    in_order,
    lacking,
    layable,
    laying_order,
    meld_zones,
    melds_json,
    owners_and_cards,
    places_seen,
    points,
    read_cards,
    read_number,
    read_table,
    without,
)

_ACT = {
    "draw": ("draw", {"it": "Pesca dal tallone o raccogli gli scarti", "en": "Draw a card or take the pile"}),
    "play": ("play", {"it": "Cala, lega, o scarta", "en": "Lay melds, lay off, or discard"}),
}
_HAND = 11
_POZZETTO = 11
_DECK = len(FR108.cards)
_STOCK_END = _DECK - 2 * _POZZETTO
_NEVER_DRAWN = 2
_IDLE_ROUNDS = 4
_CLOSING = 100
_NO_POZZETTO = -100
_VALUE = bytes((15, 20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 30)[rank] for rank in RANK)
_HANDS = ("hands.0", "hands.1", "hands.2", "hands.3")


@dataclass(frozen=True, slots=True)
class BurracoOptions(Options):
    """Two seats, or four in two partnerships: always two sides."""

    match: Literal["points", "hands"]
    target: int
    hands: int
    max_hands: int
    semiclean: bool
    ko: bool

    @property
    def sides(self) -> int:
        return 2


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move with the numbers of its cards in its canonical order, and for `add` the number of the meld."""

    numbers: bytes = b""
    meld: int = -1


_DRAW_STOCK = Step("draw stock", "draw", target="stock")
_DRAW_DISCARD = Step("draw discard", "draw", target="discard")


@lru_cache(maxsize=8192)
def _meld(cards: bytes) -> Step:
    faces = tuple(FR108.show(cards))
    return Step(f"meld {' '.join(faces)}", "meld", faces, numbers=cards)


@lru_cache(maxsize=8192)
def _add(cards: bytes, number: int) -> Step:
    faces = tuple(FR108.show(cards))
    return Step(f"add {' '.join(faces)} m{number}", "add", faces, (), f"melds.{number}", cards, number)


@lru_cache(maxsize=64)
def _discard(card: int) -> Step:
    face = FR108.faces[card]
    return Step(f"discard {face}", "discard", (face,), (), "discard", bytes((card,)))


@lru_cache(maxsize=8192)
def _read(text: str) -> Step | None:
    """Section 3: the move of this text, if it has the form of one."""
    match words(text) or [""]:
        case ["draw", "stock"]:
            return _DRAW_STOCK
        case ["draw", "discard"]:
            return _DRAW_DISCARD
        case ["discard", face] if face in FR108.number:
            return _discard(FR108.number[face])
        case ["meld", _, _, _, *_] as all_words:
            if cards := read_cards(all_words[1:]):
                meld = arranged(cards)
                return _meld(meld.cards if meld else cards)
        case ["add", _, *_, number] as all_words:
            if (cards := read_cards(all_words[1:-1])) and (index := read_number(number)) is not None:
                return _add(laying_order(cards), index)
    return None


class Burraco(State[Step]):
    """A match of burraco. Hands are cards in deck order; stock, pozzetti and pile have their own order.

    `taken` says per side whether it has its pozzetto, `takers` by which seat and whether al volo, where that
    is known. `idle`: the seat to act has taken a pile of one card in this turn and laid nothing yet;
    `untouchable` is that card as long as it may not be discarded. `seen_by` says who has seen each place of
    the shuffled deck.
    """

    __slots__ = (
        "discard",
        "hands",
        "idle",
        "melds",
        "pozzetti",
        "seen_by",
        "stall",
        "stock",
        "taken",
        "takers",
        "turn",
        "untouchable",
    )

    options: BurracoOptions

    def __init__(self, options: BurracoOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands = [b""] * options.seats
        self.stock = b""  # next card first
        self.discard = b""  # top card last
        self.pozzetti: list[bytes] = []  # those left, next one first
        self.melds: list[Meld] = []
        self.taken = [False, False]
        self.takers: list[tuple[int, bool] | None] = [None, None]
        self.stall = 0
        self.idle = False
        self.untouchable: int | None = None
        self.turn = dealer
        self.seen_by: list[int] = []  # empty if the hand was not dealt but set up

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        return Shuffle(FR108.texts, "deal") if self.phase == "deal" else None

    def supply(self, order: Sequence[int]) -> list[Event]:
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        check_order(order, _DECK)
        deck = bytes(FR108.cards[place] for place in order)
        seats = self.options.seats
        dealt = _HAND * seats
        self.phase = "draw"
        self.turn = (self.dealer + 1) % seats
        self.seen_by = [NOBODY] * _DECK
        for distance in range(seats):
            seat = (self.turn + distance) % seats
            self.hands[seat] = in_order(deck[distance:dealt:seats])
            self.seen_by[distance:dealt:seats] = [seat] * _HAND
        self.discard = deck[dealt : dealt + 1]
        self.seen_by[dealt] = EVERYBODY
        self.pozzetti = [deck[: _STOCK_END - 1 : -2], deck[-2 : _STOCK_END - 1 : -2]]
        self.stock = deck[dealt + 1 : _STOCK_END]
        self.melds = []
        self.taken = [False, False]
        self.takers = [None, None]
        self.stall = 0
        self.idle = False
        self.untouchable = None
        data = {
            "dealer": self.dealer,
            "hands": self._hands_seen(None),
            "discard": FR108.show(self.discard),
            "pozzetti": [len(pozzetto) for pozzetto in self.pozzetti],
            "stock": len(self.stock),
        }
        private = {seat: {"hands": self._hands_seen(seat)} for seat in range(seats)}
        return [Event("hand_dealt", None, data, private)]

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase in _ACT else ()

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "draw":
            return [_DRAW_STOCK, _DRAW_DISCARD]
        hand = self.hands[seat]
        faces = different(hand)
        discards = [_discard(card) for card in faces if not self._discard_refusal(seat, card)]
        adds = [
            (_add(card, number), after)
            for number in self._own(seat % 2)
            for card in map(ONE.__getitem__, faces)
            if (after := joined(self.melds[number].cards, card))
        ]
        down = self._ranks_down(seat % 2)
        melds = [(_meld(meld.cards), meld) for meld in short_melds(hand) if meld.rank not in down]
        # Only a short hand can be brought to a dead end by the one card or the three cards listed.
        if len(hand) <= 2:
            adds = [each for each in adds if not self._dead_end(seat, *each)]
        if len(hand) <= 4:
            melds = [each for each in melds if not self._dead_end(seat, *each)]
        return [*discards, *(move for move, _ in adds), *(move for move, _ in melds)]

    def _own(self, side: int) -> list[int]:
        """The numbers of a side's melds."""
        return [number for number, meld in enumerate(self.melds) if meld.seat % 2 == side]

    def _ranks_down(self, side: int) -> set[int]:
        """The ranks of a side's sets."""
        return {_known(self.melds[number]).rank for number in self._own(side)} - {RUN}

    def _read(self, seat: int, text: str) -> Step | None:
        return _read(text)

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        if verb == "draw":
            return None if self.phase == "draw" else Refusal("wrong_phase", "you have drawn already")
        if self.phase == "draw":
            return Refusal("wrong_phase", "draw a card or take the pile first")
        number = move.meld
        if verb == "add" and number not in self._own(seat % 2):
            return Refusal("no_such_meld", f"your side has no meld m{number}", f"m{number}")
        hand = self.hands[seat]
        if (card := lacking(hand, move.numbers)) is not None:
            face = FR108.faces[card]
            times = " so often" if card in hand else ""
            return Refusal("not_in_hand", f"you do not hold {face}{times}", face)
        if verb == "discard":
            return self._discard_refusal(seat, move.numbers[0])
        if verb == "meld":
            after = arranged(in_order(move.numbers))
            if after is None:
                return Refusal("not_a_meld", "these cards are neither a set nor a run", move.cards[0])
            if after.rank in self._ranks_down(seat % 2):
                return Refusal("duplicate_set", "your side has a set of this rank: add to it", move.cards[0])
        else:
            after = joined(self.melds[number].cards, move.numbers)
            if after is None:
                return Refusal("does_not_fit", f"m{number} with these cards is no meld", move.cards[0])
        return self._dead_end(seat, move, after)

    def _discard_refusal(self, seat: int, card: int) -> Refusal | None:
        """The rows for a discard of a card in the hand."""
        face = FR108.faces[card]
        if card == self.untouchable:
            return Refusal("cannot_discard_taken", f"{face} was the whole pile: it stays this turn", face)
        if len(self.hands[seat]) > 1 or not self.taken[seat % 2]:
            return None
        if card in WILDS:
            return Refusal("cannot_close", f"{face} is wild: no closing with it", face)
        if not self._has_burraco(seat % 2):
            return Refusal("cannot_close", "your side has no burraco", face)
        return None

    def _has_burraco(self, side: int) -> bool:
        return any(_known(self.melds[number]).burraco for number in self._own(side))

    def _dead_end(self, seat: int, move: Step, after: Arranged) -> Refusal | None:
        """Why a meld or lay-off that makes the meld `after` would leave the seat without a way on."""
        hand, side = self.hands[seat], seat % 2
        left = len(hand) - len(move.numbers)
        if left > 1:
            return None
        if not left:
            if self.taken[side]:
                return Refusal("must_keep_discard", "a card must be left to close with", move.cards[0])
            return None
        last = without(hand, move.numbers)
        others = [self.melds[number] for number in self._own(side) if number != move.meld]
        if self.taken[side]:
            has_burraco = after.burraco or any(_known(meld).burraco for meld in others)
            if has_burraco and last[0] not in WILDS and last[0] != self.untouchable:
                return None
        elif last[0] != self.untouchable or any(
            joined(cards, last) for cards in (after.cards, *(meld.cards for meld in others))
        ):
            return None
        return Refusal(
            "cannot_close", f"{FR108.faces[last[0]]} would be left and could not be played", move.cards[0]
        )

    def _play(self, seat: int, move: Step) -> Applied:
        if move.verb == "draw":
            self.phase = "play"
            event = self._draw(seat) if move.target == "stock" else self._take_pile(seat)
            return Applied(move.text, [event], turn_ended=False)
        self.hands[seat] = without(self.hands[seat], move.numbers)
        if move.verb == "discard":
            events = [Event("card_discarded", seat, {"card": move.cards[0]})]
            self._end_turn(seat, move.numbers, events)
            return Applied(move.text, events)
        events = [self._lay(seat, move)]
        if not self.hands[seat]:
            events.append(self._take_pozzetto(seat, al_volo=True))
        return Applied(move.text, events, turn_ended=False)

    def _draw(self, seat: int) -> Event:
        card = self.stock[:1]
        if self.seen_by:
            self.seen_by[_STOCK_END - len(self.stock)] = seat
        self.stock = self.stock[1:]
        self.hands[seat] = in_order(self.hands[seat] + card)
        data = {"from": "stock", "stock": len(self.stock)}
        return Event("card_drawn", seat, data, {seat: {**data, "cards": FR108.show(card)}})

    def _take_pile(self, seat: int) -> Event:
        pile, hand = self.discard, self.hands[seat]
        self.idle = len(pile) == 1
        self.untouchable = pile[0] if self.idle and pile[0] not in hand else None
        self.discard = b""
        self.hands[seat] = in_order(hand + pile)
        return Event("pile_taken", seat, {"cards": FR108.show(pile)})

    def _lay(self, seat: int, move: Step) -> Event:
        """A new meld, or cards to an old one; they have left the hand."""
        self.idle = False
        if self.untouchable is not None and self.untouchable not in self.hands[seat]:
            self.untouchable = None
        if move.verb == "meld":
            number = len(self.melds)
            self.melds.append(Meld(seat, move.numbers))
        else:
            number = move.meld
            old = self.melds[number]
            self.melds[number] = old._replace(cards=_known(old, move.numbers).cards)
        cards = FR108.show(self.melds[number].cards)
        data = {"meld": number, "laid": list(move.cards), "cards": cards}
        return Event("meld_laid" if move.verb == "meld" else "cards_added", seat, data)

    def _take_pozzetto(self, seat: int, *, al_volo: bool) -> Event:
        side = seat % 2
        if self.seen_by:
            first = _DECK - 3 + len(self.pozzetti)
            self.seen_by[first : _STOCK_END - 1 : -2] = [seat] * _POZZETTO
        pozzetto = in_order(self.pozzetti.pop(0))
        self.hands[seat] = pozzetto
        self.taken[side] = True
        self.takers[side] = (seat, al_volo)
        data = {"side": side, "al_volo": al_volo, "cards": len(pozzetto)}
        return Event("pozzetto_taken", seat, data, {seat: {**data, "cards": FR108.show(pozzetto)}})

    def _end_turn(self, seat: int, card: bytes, events: list[Event]) -> None:
        """After a discard, whose card has left the hand."""
        self.discard += card
        self.stall = self.stall + 1 if self.idle else 0
        self.idle = False
        self.untouchable = None
        has_closed = False
        if not self.hands[seat]:
            has_closed = self.taken[seat % 2]
            events.append(
                Event("hand_closed", seat, {"side": seat % 2})
                if has_closed
                else self._take_pozzetto(seat, al_volo=False)
            )
        seats = self.options.seats
        if has_closed or len(self.stock) <= _NEVER_DRAWN or self.stall >= _IDLE_ROUNDS * seats:
            self._end_hand(seat, has_closed, events)
        else:
            self.phase = "draw"
            self.turn = (seat + 1) % seats

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _count(self) -> dict[str, list[int]]:
        """The items of a hand that nobody has closed."""
        laid, burraco, held = [0, 0], [0, 0], [0, 0]
        for meld in self.melds:
            laid[meld.seat % 2] += points(meld.cards, _VALUE)
            worth = _known(meld).burraco
            burraco[meld.seat % 2] += DIRTY if worth == SEMICLEAN and not self.options.semiclean else worth
        for seat, hand in enumerate(self.hands):
            held[seat % 2] -= points(hand, _VALUE)
        pozzetto = [0 if taken else _NO_POZZETTO for taken in self.taken]
        return {"laid": laid, "burraco": burraco, "close": [0, 0], "held": held, "pozzetto": pozzetto}

    def _score(self, items: dict[str, list[int]], events: list[Event]) -> None:
        """Add a hand's items to the scores."""
        total = [sum(points) for points in zip(*items.values(), strict=True)]
        self.hand_score = hand_score({**items, "total": total})
        self.scores = [score + more for score, more in zip(self.scores, total, strict=True)]
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores)}
        events.append(Event("hand_ended", None, data))

    def _end_hand(self, seat: int, has_closed: bool, events: list[Event]) -> None:
        side = seat % 2
        items = self._count()
        if has_closed:
            items["close"][side] = _CLOSING
        self._score(items, events)
        options = self.options
        to_points = options.match == "points"
        is_due = self.tie_break > 0 or (
            max(self.scores) >= options.target if to_points else self.hand >= options.hands
        )
        outcome = after_hand(
            self.scores,
            is_due=is_due,
            is_last=to_points and self.hand + self.tie_break >= options.max_hands,
            tie_break=self.tie_break,
            tie_hands=options.max_hands if to_points else 0,
            ko_order=(1 - side, side) if options.ko else None,
        )
        if outcome:
            self._end_match(outcome, events)
            return
        if is_due:
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % options.seats

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        side = seat % 2
        events = [Event("seat_abandoned", seat, {})]
        if self.phase != "deal":
            items = self._count()
            items["close"][1 - side] = _CLOSING
            items["held"][1 - side] = 0
            items["pozzetto"][1 - side] = 0
            self._score(items, events)
        self._end_match(abandoned(self.scores, seat, side), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it while it is open: its cards, or how many they are."""
        return [FR108.show(hand) if seat == viewer else len(hand) for seat, hand in enumerate(self.hands)]

    @property
    def whole_deck_shown(self) -> bool:
        return False

    def openings(self, viewer: int | None) -> Sequence[int]:
        """The first card of the pile, and of the hands only what the viewer itself was dealt or drew: the
        game never tells anybody where in the deck the cards of another hand have come from."""
        return places_seen(self.seen_by, viewer)

    def public_view(self) -> View:
        is_open = self.phase not in _ACT
        zones = [self._hand_zone(seat, is_open) for seat in range(len(self.hands))]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        zones.append(open_zone(FR108, "discard", "discard", "pile", tuple(self.discard), None, None, True))
        for number, pozzetto in enumerate(self.pozzetti):
            zones.append(closed_zone(f"pozzetti.{number}", "pozzetti", "stack", len(pozzetto)))
        zones += meld_zones(self.melds, 2)
        facts = {"taken": list(self.taken), "takers": self._takers_json(), "stall": self.stall}
        prompts = [] if is_open else [Prompt(self.to_act, *_ACT[self.phase])]
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        if self.phase not in _ACT:
            return self._view([], [], [], {})
        down = self._ranks_down(seat % 2)
        melds = largest_melds(self.hands[seat], _VALUE)
        facts = {
            "layable": layable(worth for meld, worth in melds if meld.rank not in down),
            "opening": None,
        }
        return self._view([self._hand_zone(seat, True)], [], self.legal(seat), facts)

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        hand, name, side = self.hands[owner], _HANDS[owner], owner % 2
        if is_open:
            return open_zone(FR108, name, "hands", "fan", tuple(hand), owner, side)
        return closed_zone(name, "hands", "fan", len(hand), owner, side)

    def _takers_json(self) -> list[dict[str, Any] | None]:
        return [taker and {"seat": taker[0], "al_volo": taker[1]} for taker in self.takers]

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = list(self.hands)
        new.stock = self.stock
        new.discard = self.discard
        new.pozzetti = list(self.pozzetti)
        new.melds = list(self.melds)
        new.taken = list(self.taken)
        new.takers = list(self.takers)
        new.stall = self.stall
        new.idle = self.idle
        new.untouchable = self.untouchable
        new.turn = self.turn
        new.seen_by = list(self.seen_by)
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [FR108.show(hand) for hand in self.hands],
            "stock": FR108.show(self.stock),
            "discard": FR108.show(self.discard),
            "pozzetti": [FR108.show(pozzetto) for pozzetto in self.pozzetti],
            "melds": melds_json(self.melds),
            "taken": list(self.taken),
            "takers": self._takers_json(),
            "stall": self.stall,
            "idle": self.idle,
            "untouchable": None if self.untouchable is None else FR108.faces[self.untouchable],
            "seen_by": list(self.seen_by),
        }

    @classmethod
    def from_json(cls, options: BurracoOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, {"phase": "draw", **json})
        state.taken = list(json.get("taken", [False, False]))
        whole, parted = ["stock", "discard"], ["hands", "pozzetti"]
        filled = _with_pozzetti(json, _pozzetti_left(state.taken))
        zones, melds = read_table(filled, options.seats, whole=whole, parted=parted)
        state.hands = [in_order(hand) for hand in zones.get("hands", [b""] * options.seats)]
        (state.stock,) = zones.get("stock", [b""])
        (state.discard,) = zones.get("discard", [b""])
        state.pozzetti = zones.get("pozzetti", [])
        state.melds = [Meld(meld.seat, _known(meld).cards) for meld in melds]
        takers = json.get("takers", [None, None])
        state.takers = [taker and (taker["seat"], taker["al_volo"]) for taker in takers]
        state.stall = json.get("stall", 0)
        state.idle = json.get("idle", False)
        untouchable = json.get("untouchable")
        state.untouchable = None if untouchable is None else FR108.number[untouchable]
        state.seen_by = list(json.get("seen_by", []))
        if state.phase in _ACT:
            (state.turn,) = json.get("to_act", [(state.dealer + 1) % options.seats])
            state._check_position()
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this."""
        if len(self.hands) != self.options.seats or not all(self.hands):
            raise PositionError("hands", f"must be {self.options.seats}, none empty")
        if len(self.taken) != 2 or len(self.pozzetti) != _pozzetti_left(self.taken):
            raise PositionError("pozzetti", "must be one for each side that has not taken its own")
        if any(len(pozzetto) != _POZZETTO for pozzetto in self.pozzetti):
            raise PositionError("pozzetti", f"must have {_POZZETTO} cards each")
        if self.phase == "draw" and not self.stock:
            raise PositionError("stock", "must have a card to draw")


def _known(meld: Meld, more: bytes = b"") -> Arranged:
    """A meld of the table, perhaps with cards that fit it. PositionError: it is none."""
    found = joined(meld.cards, more)
    if found is None:
        raise PositionError("melds", f"{' '.join(FR108.show(meld.cards))} is neither a set nor a run")
    return found


def _pozzetti_left(taken: Sequence[bool]) -> int:
    return len(taken) - sum(taken)


def _with_pozzetti(json: Mapping[str, Any], left: int) -> Mapping[str, Any]:
    """The position with "any" in its pozzetti replaced by cards named nowhere; the stock gets the rest."""
    pozzetti = json.get("pozzetti", [])
    if "any" not in pozzetti:
        return json
    if pozzetti == "any":
        pozzetti = ["any"] * left
    named = [pozzetto for pozzetto in pozzetti if pozzetto != "any"]
    others = {key: json[key] for key in ("hands", "discard", "stock") if key in json and json[key] != "any"}
    _, melds = owners_and_cards(json)
    parts = {**others, "melds": melds, "pozzetti": named, "rest": "any"}
    zones = read_zones(
        parts, FR108, whole=["discard", "stock", "rest"], parted=["hands", "melds", "pozzetti"]
    )
    rest = FR108.show(zones["rest"][0])
    filled = []
    for pozzetto in pozzetti:
        filled.append(rest[:_POZZETTO] if pozzetto == "any" else pozzetto)
        rest = rest[_POZZETTO:] if pozzetto == "any" else rest
    return {**json, "pozzetti": filled}


BURRACO = Game(
    id="burraco",
    names={"it": "Burraco", "en": "Burraco"},
    deck=FR108,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2, 4)),
        match_spec("points"),
        target_spec(2005, 5, 10000),
        hands_spec(4, 12),
        max_hands_spec(),
        flag_spec("semiclean", True, "Burraco semipulito (150 punti)", "Semi-clean burraco (150 points)"),
        KO,
    ),
    options_type=BurracoOptions,
    state_type=Burraco,
)
