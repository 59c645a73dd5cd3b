"""Canasta (canasta.md). Two seats; the deck `fr108`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self

from services.rules.core.cards import FR108
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, abandoned
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    limit_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    stake_spec,
    target_choice_spec,
)
from services.rules.core.options import Options, Value
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_zone
from services.rules.families.combinations import (
    EVERYBODY,
    MELD_RANKS,
    NOBODY,
    ONE,
    RANK,
    THREE,
    WILDS,
    Meld,
    Worth,
    after_hand,
    choices,
    different,
    in_order,
    lacking,
    layable,
    laying_order,
    meld_zones,
    melds_json,
    naturals,
    of_rank,
    places_seen,
    points,
    read_cards,
    read_number,
    read_table,
    wilds,
    without,
)

_ACT = {
    "draw": ("draw", {"it": "Pesca dal tallone o prendi il pozzo", "en": "Draw a card or take the pile"}),
    "opening": ("opening", {"it": "Raggiungi il minimo per aprire", "en": "Reach the minimum to open"}),
    "play": ("play", {"it": "Cala, aggiungi, scarta o chiudi", "en": "Lay, add, discard or close"}),
    "double": ("double", {"it": "Accetti il raddoppio o ti arrendi?", "en": "Accept the double, or resign?"}),
}
_PHASES = {
    "draw": ("draw",),
    "take": ("draw",),
    "pass": ("draw",),
    "double": ("draw",),
    "accept": ("double",),
    "resign": ("double",),
    "meld": ("opening", "play"),
    "add": ("opening", "play"),
    "undo": ("opening", "play"),
    "discard": ("play",),
    "close": ("play",),
}
_DECK = len(FR108.cards)
_HAND = 15
_RED_THREES = bytes(FR108.read(("3h", "3d")))
_RANKS = tuple(rank for rank in MELD_RANKS if rank != THREE)
_VALUE = bytes((20, 20, 0, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 50)[rank] for rank in RANK)
_MINIMA = ((3000, 120), (1500, 90), (0, 50))
_LEAST_MINIMUM = 15
_MOST_WILDS = 3
_MOST_BLACK_THREES = 4
_CANASTA = 7
_PURE, _DIRTY = 500, 300
_RED, _FOUR_REDS = 100, 800
_CLOSING, _CLOSING_IN_HAND = 100, 200
_MOST_STAKE = 1_000_000
_DEFAULT_LIMIT = 64
_HANDS = ("hands.0", "hands.1")
_REDS = ("reds.0", "reds.1")


@dataclass(frozen=True, slots=True)
class CanastaOptions(Options):
    match: Literal["points"]
    target: int
    stake: int
    limit: int | None
    max_hands: int
    doubling: bool
    ko: bool

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < self.stake:
            raise OptionsError("limit", "must not be below the stake")


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move with the numbers of its cards in its canonical order, and for `add` the number of the meld."""

    numbers: bytes = b""
    meld: int = -1


class Laid(NamedTuple):
    """What one step has laid: the meld, the cards from the hand, and the top card of the pile or nothing."""

    meld: int
    cards: bytes
    top: bytes


class Combination(NamedTuple):
    """A combination: its cards in their order, its rank, and what it counts as a canasta, 0 if it is none."""

    cards: bytes
    rank: int
    canasta: int


@lru_cache(maxsize=65536)
def _combined(cards: bytes) -> Combination | None:
    """Section 3: these cards as a combination; None if they are none."""
    plain = naturals(cards)
    wild = len(cards) - len(plain)
    if len(cards) < 3 or not plain or any(RANK[card] != RANK[plain[0]] for card in plain):
        return None
    rank = RANK[plain[0]]
    if rank == THREE:
        if wild or len(plain) > _MOST_BLACK_THREES or any(card in _RED_THREES for card in plain):
            return None
    elif wild > min(_MOST_WILDS, len(plain)):
        return None
    canasta = 0 if len(cards) < _CANASTA else _DIRTY if wild else _PURE
    return Combination(laying_order(cards), rank, canasta)


@lru_cache(maxsize=1024)
def _short_combinations(hand: bytes) -> tuple[Combination, ...]:
    """Every combination of three cards that the hand gives, without the threes."""
    wild = different(wilds(hand))
    found: list[bytes] = []
    for rank in _RANKS:
        same = of_rank(hand, rank)
        if len(same) > 1:
            found += choices(same, 3)
            found += [pair + ONE[card] for pair in choices(same, 2) for card in wild]
    return tuple(combination for cards in found if (combination := _combined(cards)))


@lru_cache(maxsize=1024)
def _largest_combinations(hand: bytes) -> tuple[tuple[int, Worth], ...]:
    """The combinations that the hand gives, with their ranks: all naturals of one, and the wilds that it
    takes, any choice of so many. Without the threes."""
    wild = wilds(hand)
    found: list[tuple[int, Worth]] = []
    for rank in _RANKS:
        same = of_rank(hand, rank)
        most = min(_MOST_WILDS, len(same), len(wild))
        if len(same) > 1 and len(same) + most > 2:
            melds = [same + chosen for chosen in choices(wild, most)]
            found += [(rank, Worth(cards, points(cards, _VALUE))) for cards in melds]
    return tuple(found)


def _most_points(hand: bytes, down: set[int]) -> int:
    """The most that new combinations of the hand count together, none of a rank that is down.

    Of three naturals or more nothing is lost. Each pair needs a wild, and makes room for another; so as many
    of the best pairs as there are wilds, and then the best wilds as far as there is room.
    """
    wild = sorted((_VALUE[card] for card in wilds(hand)), reverse=True)
    pairs: list[int] = []
    total = room = 0
    for rank in _RANKS:
        same = of_rank(hand, rank)
        if rank in down or len(same) < 2:
            continue
        if len(same) == 2:
            pairs.append(points(same, _VALUE))
        else:
            total += points(same, _VALUE)
            room += _MOST_WILDS
    pairs = sorted(pairs, reverse=True)[: len(wild)]
    return total + sum(pairs) + sum(wild[: room + 2 * len(pairs)])


@lru_cache(maxsize=8192)
def _move(verb: str, cards: bytes = b"", number: int = -1) -> Step:
    """The move with these cards, which are in its canonical order."""
    faces = tuple(FR108.show(cards))
    if verb == "draw":
        return Step("draw stock", verb, target="stock")
    text = " ".join((verb, *faces)) if verb != "add" else " ".join((verb, *faces, f"m{number}"))
    target = f"melds.{number}" if verb == "add" else "discard" if verb in ("discard", "take") else ""
    return Step(text, verb, faces, (), target, cards, number)


@lru_cache(maxsize=8192)
def _read(text: str) -> Step | None:
    """Section 3: the move of this text, if it has the form of one."""
    match words(text) or [""]:
        case ["draw", "stock"]:
            return _move("draw")
        case [("pass" | "double" | "accept" | "resign" | "undo" | "close") as verb]:
            return _move(verb)
        case ["take", *faces] if (cards := read_cards(faces)) is not None:
            return _move("take", laying_order(cards))
        case ["discard", face] if face in FR108.number:
            return _move("discard", ONE[FR108.number[face]])
        case ["meld", *faces] if len(faces) > 2 and (cards := read_cards(faces)):
            return _move("meld", laying_order(cards))
        case ["add", *faces, word] if faces and (cards := read_cards(faces)):
            number = read_number(word)
            return None if number is None else _move("add", laying_order(cards), number)
    return None


def _settle(cards: bytes, stock: bytes) -> tuple[bytes, bytes, int]:
    """Of cards that come to a hand: those that stay, the red threes, how many the stock gives for them."""
    kept = cards.translate(None, _RED_THREES)
    reds = cards.translate(None, bytes(card for card in cards if card not in _RED_THREES))
    missing, drawn = len(reds), 0
    while missing and drawn < len(stock):
        card = ONE[stock[drawn]]
        drawn += 1
        if card in _RED_THREES:
            reds += card
        else:
            kept += card
            missing -= 1
    return kept, reds, drawn


class Canasta(State[Step]):
    """A match of canasta. Hands are cards in deck order; stock and pile (pozzo) have their own order.

    `opened`: the seat whose turn it is had a combination when it began. `laid` are the steps of the turn
    under way that laid cards, of which the first `final` cannot be taken back; `last_laid` those of the turn
    before. `seen_by` says who has seen each place of the shuffled deck.
    """

    __slots__ = (
        "cube",
        "discard",
        "final",
        "hands",
        "laid",
        "last_laid",
        "melds",
        "opened",
        "reds",
        "seen_by",
        "stake",
        "stock",
        "turn",
    )

    options: CanastaOptions

    def __init__(self, options: CanastaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands = [b"", b""]
        self.reds = [b"", b""]
        self.stock = b""  # next card first
        self.discard = b""  # top card last
        self.melds: list[Meld] = []
        self.turn = dealer
        self.opened = False
        self.laid: list[Laid] = []
        self.final = 0
        self.last_laid: list[Laid] = []
        self.stake = options.stake
        self.cube: int | None = None
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
        first = 1 - self.dealer
        self.stock = deck[2 * _HAND :]
        self.hands = [b"", b""]
        self.reds = [b"", b""]
        self.melds = []
        self.laid = []
        self.final = 0
        self.last_laid = []
        self.seen_by = [NOBODY] * _DECK
        for place, card in enumerate(deck[: 2 * _HAND]):
            seat = (first + place) % 2
            self.seen_by[place] = EVERYBODY if card in _RED_THREES else seat
        for distance, seat in enumerate((first, self.dealer)):
            self._receive(seat, deck[distance : 2 * _HAND : 2], [])
        self.discard = self._turn_up()
        while self.discard[-1] in WILDS or self.discard[-1] in _RED_THREES:
            self.discard += self._turn_up()
        self._begin_turn(first)
        data = {
            "dealer": self.dealer,
            "hands": self._hands_seen(None),
            "reds": [FR108.show(reds) for reds in self.reds],
            "discard": FR108.show(self.discard),
            "stock": len(self.stock),
        }
        private = {seat: {"hands": self._hands_seen(seat)} for seat in range(2)}
        return [Event("hand_dealt", None, data, private)]

    def _turn_up(self) -> bytes:
        self._mark(EVERYBODY)
        card, self.stock = self.stock[:1], self.stock[1:]
        return card

    def _mark(self, who: int) -> None:
        """The next card of the stock is seen by a seat, or by everybody."""
        if self.seen_by:
            self.seen_by[_DECK - len(self.stock)] = who

    def _receive(self, seat: int, cards: bytes, events: list[Event]) -> bool:
        """Cards come to a hand; red threes are laid down and replaced. Whether any card stays."""
        kept, reds, drawn = _settle(cards, self.stock)
        self.hands[seat] = in_order(self.hands[seat] + kept)
        self.reds[seat] = in_order(self.reds[seat] + reds)
        events += [Event("red_three_laid", seat, {"card": FR108.faces[red]}) for red in reds]
        for _ in range(drawn):
            card = self.stock[0]
            self._mark(EVERYBODY if card in _RED_THREES else seat)
            self.stock = self.stock[1:]
            if card not in _RED_THREES:
                events.append(self._drawn(seat, card))
        return bool(kept)

    def _drawn(self, seat: int, card: int) -> Event:
        data = {"from": "stock", "stock": len(self.stock)}
        return Event("card_drawn", seat, data, {seat: {**data, "cards": [FR108.faces[card]]}})

    def _begin_turn(self, seat: int) -> None:
        self.phase = "draw"
        self.turn = seat
        self.opened = bool(self._own(seat))

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        if self.phase == "double":
            return (1 - self.turn,)
        return (self.turn,) if self.phase in _ACT else ()

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "double":
            return [_move("accept"), _move("resign")]
        if self.phase == "draw":
            first = [_move("draw") if self.stock else _move("pass")]
            if not self._double_refusal(seat):
                first.append(_move("double"))
            return first + self._takes(seat)
        return [*self._discards(seat), *self._lays(seat), *self._others(seat)]

    def _takes(self, seat: int) -> list[Step]:
        """The smallest takes."""
        if self._is_blocked():
            return []
        hand, rank = self.hands[seat], RANK[self.discard[-1]]
        frozen = self._is_frozen_for_turn()
        if not frozen and self._number_of(seat, rank) is not None:
            takes = [b""]
        else:
            same = of_rank(hand, rank)
            takes = list(choices(same, 2))
            if not frozen:
                takes += [
                    ONE[card] + ONE[wild] for card in different(same) for wild in different(wilds(hand))
                ]
        moves = [_move("take", laying_order(cards)) for cards in takes]
        return [move for move in moves if not self._take_refusal(seat, move)]

    def _discards(self, seat: int) -> list[Step]:
        hand = self.hands[seat]
        if self.phase != "play" or len(hand) < 2 or self._is_short(seat):
            return []
        return [_move("discard", ONE[card]) for card in different(hand)]

    def _lays(self, seat: int) -> list[Step]:
        """Additions of one card and new combinations of three cards, or of black threes."""
        hand = self.hands[seat]
        moves = [
            _move("add", ONE[card], number)
            for number in self._own(seat)
            for card in different(hand)
            if self._added(number, ONE[card])
        ]
        down = self._ranks_down(seat)
        moves += [_move("meld", each.cards) for each in _short_combinations(hand) if each.rank not in down]
        if self.phase == "opening":  # the pile may come with any of them, and must leave two cards
            return [move for move in moves if not self._lay_refusal(seat, move)]
        return moves + [_move("meld", cards) for cards in self._black_threes(seat)]

    def _black_threes(self, seat: int) -> Iterator[bytes]:
        """The combinations of black threes that the seat may lay now."""
        hand = self.hands[seat]
        same = of_rank(hand, THREE)
        if self.phase != "play" or seat != self.turn or len(same) < 3 or not self._has_canasta(seat):
            return
        for size in (3, 4):
            if len(hand) - size <= 1:
                yield from choices(same, size)

    def _others(self, seat: int) -> list[Step]:
        moves = [_move("undo")] if len(self.laid) > self.final else []
        if self.phase == "play" and not self._close_refusal(seat):
            moves.append(_move("close"))
        return moves

    def _own(self, seat: int) -> list[int]:
        """The numbers of a seat's combinations."""
        return [number for number, meld in enumerate(self.melds) if meld.seat == seat]

    def _number_of(self, seat: int, rank: int) -> int | None:
        """The number of a seat's combination of this rank."""
        return next((number for number in self._own(seat) if RANK[self.melds[number].cards[0]] == rank), None)

    def _ranks_down(self, seat: int) -> set[int]:
        return {RANK[self.melds[number].cards[0]] for number in self._own(seat)}

    def _has_canasta(self, seat: int) -> bool:
        return any(len(self.melds[number].cards) >= _CANASTA for number in self._own(seat))

    def _is_blocked(self) -> bool:
        """Whether nobody may take the pile: a wild or a black three is on top."""
        pile = self.discard
        return not pile or pile[-1] in WILDS or RANK[pile[-1]] == THREE

    def _is_frozen_for_turn(self) -> bool:
        """Whether the seat whose turn it is needs two naturals for the pile."""
        return not self.opened or len(naturals(self.discard)) < len(self.discard)

    def _laid_points(self) -> int:
        """What the cards laid in this turn count."""
        return sum(points(cards + top, _VALUE) for _, cards, top in self.laid)

    def _minimum(self, seat: int) -> int:
        """The least that opens."""
        score = self.scores[seat]
        return next((minimum for least, minimum in _MINIMA if score >= least), _LEAST_MINIMUM)

    def _is_short(self, seat: int) -> bool:
        """Whether the seat is opening, below its minimum."""
        return bool(self.laid) and not self.opened and self._laid_points() < self._minimum(seat)

    def _read(self, seat: int, text: str) -> Step | None:
        move = _read(text)
        if move and move.verb == "meld":
            plain = naturals(move.numbers)
            number = self._number_of(seat, RANK[plain[0]]) if plain else None
            if number is not None and self._added(number, move.numbers):
                return _move("add", move.numbers, number)
        return move

    def _added(self, number: int, cards: bytes) -> Combination | None:
        """A combination of the table with these cards; None if they do not fit."""
        after = _combined(self.melds[number].cards + cards)
        return after if after and after.rank != THREE else None

    # ------------------------------------------------------------------------------ 8. refusals

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8; the rows of each kind of move in their order."""
        verb = move.verb
        if self.phase not in _PHASES[verb]:
            return Refusal("wrong_phase", f"not in phase {self.phase}")
        match verb:
            case "draw":
                return None if self.stock else Refusal("stock_empty", "the stock is empty")
            case "pass":
                return Refusal("not_allowed", "the stock still has cards") if self.stock else None
            case "double":
                return self._double_refusal(seat)
            case "take":
                return self._take_refusal(seat, move)
            case "meld" | "add":
                return self._lay_refusal(seat, move)
            case "undo":
                has_some = len(self.laid) > self.final
                return None if has_some else Refusal("nothing_to_undo", "there is nothing to take back")
            case "discard":
                return self._discard_refusal(seat, move)
            case "close":
                return self._close_refusal(seat)
        return None

    def _double_refusal(self, seat: int) -> Refusal | None:
        options = self.options
        most = _MOST_STAKE if options.limit is None else min(options.limit, _MOST_STAKE)
        if not options.doubling:
            return Refusal("not_allowed", "doubling is switched off")
        if self.cube == 1 - seat:
            return Refusal("not_allowed", "the right to double is the opponent's")
        if 2 * self.stake > most:
            return Refusal("not_allowed", f"the stake cannot go above {most}")
        return None

    def _take_refusal(self, seat: int, move: Step) -> Refusal | None:
        pile, hand = self.discard, self.hands[seat]
        if self._is_blocked():
            return Refusal("pile_blocked", "the top card cannot be taken")
        if len(hand) == 1 and len(pile) == 1:
            return Refusal("one_card", "with one card a pile of one card cannot be taken")
        if refusal := self._not_in_hand(seat, move):
            return refusal
        rank = RANK[pile[-1]]
        if self._is_frozen_for_turn() and len(of_rank(move.numbers, rank)) < 2:
            why = "the pile is frozen" if self.opened else "you have not opened"
            return Refusal("pile_frozen", f"{why}: two naturals of the top card's rank are needed")
        after = self._taken(seat, move)
        if after is None:
            return Refusal("not_a_meld", "the top card and these cards are no combination")
        return self._pile_refusal(seat, move, after, pile[-1:])

    def _taken(self, seat: int, move: Step) -> Combination | None:
        """The combination that a take makes or adds to."""
        top = self.discard[-1:]
        number = self._number_of(seat, RANK[top[0]])
        cards = top + move.numbers
        return _combined(cards) if number is None else self._added(number, cards)

    def _pile_refusal(self, seat: int, move: Step, after: Combination, top: bytes) -> Refusal | None:
        """Whether the seat would get the pile with too few cards; `top` is what of the pile is laid."""
        if not self._gets_pile(seat, move, top) or after.canasta or self._has_canasta(seat):
            return None
        kept, _, _ = _settle(self.discard[: len(self.discard) - len(top)], self.stock)
        if len(self.hands[seat]) - len(move.numbers) + len(kept) >= 2:
            return None
        return Refusal("too_few_cards", "without a canasta two cards must be left with the pile")

    def _gets_pile(self, seat: int, move: Step, top: bytes) -> bool:
        """Whether the seat gets the pile with this take, meld or addition."""
        if self.opened:
            return bool(top)
        if not top and self.phase != "opening":
            return False
        return self._laid_points() + points(top + move.numbers, _VALUE) >= self._minimum(seat)

    def _lay_refusal(self, seat: int, move: Step) -> Refusal | None:
        is_add = move.verb == "add"
        if is_add and move.meld not in self._own(seat):
            return Refusal("no_such_meld", f"you have no combination m{move.meld}", f"m{move.meld}")
        if refusal := self._not_in_hand(seat, move):
            return refusal
        if is_add:
            after = self._added(move.meld, move.numbers)
            if after is None:
                return Refusal("does_not_fit", f"m{move.meld} does not take these cards", move.cards[0])
        else:
            after = _combined(move.numbers)
            if after is None or after.rank in self._ranks_down(seat):
                return Refusal("not_a_meld", "these cards are no combination", move.cards[0])
            if after.rank == THREE and move.numbers not in self._black_threes(seat):
                return Refusal("black_three", "black threes are laid only on the way out", move.cards[0])
        return self._pile_refusal(seat, move, after, b"")

    def _not_in_hand(self, seat: int, move: Step) -> Refusal | None:
        hand = self.hands[seat]
        card = lacking(hand, move.numbers)
        if card is None:
            return None
        face = FR108.faces[card]
        return Refusal("not_in_hand", f"you do not hold {face}{' so often' if card in hand else ''}", face)

    def _discard_refusal(self, seat: int, move: Step) -> Refusal | None:
        if refusal := self._not_in_hand(seat, move):
            return refusal
        if len(self.hands[seat]) == 1:
            return Refusal("last_card", "the last card leaves the hand only by closing", move.cards[0])
        return self._short_refusal(seat)

    def _close_refusal(self, seat: int) -> Refusal | None:
        if len(self.hands[seat]) > 1:
            return Refusal("cards_left", "only one card may be left")
        if not self._has_canasta(seat):
            return Refusal("no_canasta", "you have no canasta")
        return self._short_refusal(seat)

    def _short_refusal(self, seat: int) -> Refusal | None:
        if not self._is_short(seat):
            return None
        minimum = self._minimum(seat)
        return Refusal("opening_too_low", f"the opening counts {self._laid_points()}, {minimum} are needed")

    # -------------------------------------------------------------------------- 3. playing a move

    def _play(self, seat: int, move: Step) -> Applied:
        events: list[Event] = []
        match move.verb:
            case "draw":
                self._draw(seat, events)
                return Applied(move.text, events, turn_ended=self.phase != "play")
            case "take" | "meld" | "add":
                self._lay(seat, move, events)
                return Applied(move.text, events, turn_ended=False)
            case "undo":
                return Applied(move.text, [self._undo(seat)], turn_ended=False)
            case "double":
                self.phase = "double"
                events.append(Event("double_offered", seat, {"stake": 2 * self.stake}))
                return Applied(move.text, events, turn_ended=False, suspended=True)
            case "accept":
                self.phase = "draw"
                self.stake *= 2
                self.cube = seat
                events.append(Event("double_accepted", seat, {"stake": self.stake}))
                return Applied(move.text, events, resumed=self.turn)
            case "resign":
                events.append(Event("seat_resigned", seat, {}))
                self._score(self._count(), events)
                ranking = (1, 2) if seat else (2, 1)
                self._end_match(Outcome(1 - seat, ranking, "resign"), events)
            case "pass":
                events.append(Event("seat_passed", seat, {}))
                self._end_hand(seat, 0, events)
            case "discard":
                self._drop(seat, move.numbers, events)
                self._end_turn(seat, events)
            case "close":
                self._drop(seat, self.hands[seat], events)
                events.append(Event("hand_closed", seat, {"side": seat, "in_hand": not self.opened}))
                self._end_hand(seat, _CLOSING if self.opened else _CLOSING_IN_HAND, events)
        return Applied(move.text, events)

    def _draw(self, seat: int, events: list[Event]) -> None:
        """The top card of the stock; without a replacement for a red three the hand is over."""
        card = self.stock[0]
        self._mark(EVERYBODY if card in _RED_THREES else seat)
        self.stock = self.stock[1:]
        if card not in _RED_THREES:
            events.append(self._drawn(seat, card))
        if self._receive(seat, ONE[card], events):
            self.phase = "play"
        else:
            self._end_hand(seat, 0, events)

    def _lay(self, seat: int, move: Step, events: list[Event]) -> None:
        """A take, a new combination or an addition; then the pile, if the seat gets it with this."""
        is_take = move.verb == "take"
        top = self.discard[-1:] if is_take else b""
        gets_pile = self._gets_pile(seat, move, top)
        number = self._number_of(seat, RANK[top[0]]) if is_take else None if move.meld < 0 else move.meld
        self.hands[seat] = without(self.hands[seat], move.numbers)
        self.discard = self.discard[: len(self.discard) - len(top)]
        if number is None:
            number, old = len(self.melds), b""
            self.melds.append(Meld(seat, b""))
        else:
            old = self.melds[number].cards
        self.melds[number] = Meld(seat, laying_order(old + top + move.numbers))
        self.laid.append(Laid(number, move.numbers, top))
        data = {
            "meld": number,
            "laid": list(move.cards),
            "top": FR108.show(top),
            "cards": FR108.show(self.melds[number].cards),
        }
        events.append(Event("cards_added" if old else "meld_laid", seat, data))
        if gets_pile:
            self._get_pile(seat, events)
        elif is_take:
            self.phase = "opening"

    def _get_pile(self, seat: int, events: list[Event]) -> None:
        pile, self.discard = self.discard, b""
        self.phase = "play"
        events.append(Event("pile_taken", seat, {"cards": FR108.show(pile)}))
        self._receive(seat, pile, events)
        self.final = len(self.laid)

    def _undo(self, seat: int) -> Event:
        number, cards, top = self.laid.pop()
        left = without(self.melds[number].cards, cards + top)
        if left:
            self.melds[number] = Meld(seat, left)
        else:
            self.melds.pop()
        self.hands[seat] = in_order(self.hands[seat] + cards)
        if top:
            self.discard += top
            self.phase = "draw"
        data = {"meld": number, "laid": FR108.show(cards), "top": FR108.show(top), "cards": FR108.show(left)}
        return Event("step_undone", seat, data)

    def _drop(self, seat: int, cards: bytes, events: list[Event]) -> None:
        """A card, or none, from the hand to the pile."""
        self.hands[seat] = without(self.hands[seat], cards)
        self.discard += cards
        events += [Event("card_discarded", seat, {"card": face}) for face in FR108.show(cards)]

    def _end_turn(self, seat: int, events: list[Event]) -> None:
        self.last_laid = self.laid
        self.laid = []
        self.final = 0
        self._begin_turn(1 - seat)
        if not self.stock and not self._takes(self.turn):
            self._end_hand(seat, 0, events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _count(self) -> dict[str, list[int]]:
        """The items of a hand that nobody has closed."""
        laid, canastas = [0, 0], [0, 0]
        for seat, cards in self.melds:
            laid[seat] += points(cards, _VALUE)
            if len(cards) >= _CANASTA:
                canastas[seat] += _DIRTY if wilds(cards) else _PURE
        reds = [_FOUR_REDS if len(reds) == 4 else _RED * len(reds) for reds in self.reds]
        held = [-points(hand, _VALUE) for hand in self.hands]
        return {"laid": laid, "canastas": canastas, "reds": reds, "close": [0, 0], "held": held}

    def _score(self, items: dict[str, list[int]], events: list[Event]) -> None:
        """Add a hand's items to the scores."""
        total = [sum(points) for points in zip(*items.values(), strict=True)]
        self.hand_score = hand_score({**items, "total": total})
        self.scores = [score + more for score, more in zip(self.scores, total, strict=True)]
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores)}
        events.append(Event("hand_ended", None, data))

    def _end_hand(self, seat: int, close: int, events: list[Event]) -> None:
        """After the last move of a hand, by this seat; `close` is what it gets for closing."""
        items = self._count()
        items["close"][seat] = close
        self._score(items, events)
        options = self.options
        is_one_hand = options.target == 1
        is_due = self.tie_break > 0 or is_one_hand or max(self.scores) >= options.target
        outcome = after_hand(
            self.scores,
            is_due=is_due,
            is_last=self.hand + self.tie_break >= options.max_hands,
            tie_break=self.tie_break,
            tie_hands=0 if is_one_hand else options.max_hands,
            ko_order=(1 - seat, seat) if options.ko else None,
        )
        if outcome:
            self._end_match(outcome, events)
            return
        if is_due:
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        self.dealer = 1 - self.dealer

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        if self.stake:
            amount = 0 if outcome.winner is None else self.stake
            delta = [amount if seat == outcome.winner else -amount for seat in range(2)]
            self.settlement = {"amount": amount, "commission": 0, "delta": delta}
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        if self.phase != "deal":
            items = self._count()
            items["close"][1 - seat] = _CLOSING
            items["held"][1 - seat] = 0
            self._score(items, events)
        self._end_match(abandoned(self.scores, seat, seat), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it while it is open: its cards, or how many they are."""
        return [FR108.show(hand) if seat == viewer else len(hand) for seat, hand in enumerate(self.hands)]

    @property
    def whole_deck_shown(self) -> bool:
        return False

    def openings(self, viewer: int | None) -> Sequence[int]:
        """The first cards of the pile and the red threes, and of the hands only what the viewer itself was
        dealt or drew: the game never tells anybody where in the deck the other cards have come from."""
        return places_seen(self.seen_by, viewer)

    def public_view(self) -> View:
        is_open = self.phase not in _ACT
        zones = [self._hand_zone(seat, is_open) for seat in range(2)]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        zones.append(open_zone(FR108, "discard", "discard", "pile", tuple(self.discard), None, None, True))
        for seat, reds in enumerate(self.reds):
            zones.append(open_zone(FR108, _REDS[seat], "reds", "row", tuple(reds), seat, seat))
        zones += meld_zones(self.melds, 2)
        facts = {
            "stake": self.stake,
            "cube": self.cube,
            "frozen": bool(wilds(self.discard)),
            "laid": _laid_json(self.laid),
            "last_laid": _laid_json(self.last_laid),
        }
        prompts = [] if is_open else [Prompt(self.to_act, *_ACT[self.phase])]
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        if self.phase not in _ACT:
            return self._view([], [], [], {})
        facts = {"layable": layable(self._layable(seat)), "opening": self._opening(seat)}
        return self._view([self._hand_zone(seat, True)], [], self.legal(seat), facts)

    def _layable(self, seat: int) -> Iterator[Worth]:
        down = self._ranks_down(seat)
        for rank, worth in _largest_combinations(self.hands[seat]):
            if rank not in down:
                yield worth
        if threes := list(self._black_threes(seat)):
            longest = len(threes[-1])
            yield from (Worth(cards, 0) for cards in threes if len(cards) == longest)

    def _opening(self, seat: int) -> dict[str, int] | None:
        """The points ready and those needed, before the seat has opened."""
        is_turn = seat == self.turn
        down = self._ranks_down(seat)
        if self.opened if is_turn else down:
            return None
        ready = _most_points(self.hands[seat], down) + (self._laid_points() if is_turn else 0)
        return {"ready": ready, "needed": self._minimum(seat)}

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        hand, name = self.hands[owner], _HANDS[owner]
        if is_open:
            return open_zone(FR108, name, "hands", "fan", tuple(hand), owner, owner)
        return closed_zone(name, "hands", "fan", len(hand), owner, owner)

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = list(self.hands)
        new.reds = list(self.reds)
        new.stock = self.stock
        new.discard = self.discard
        new.melds = list(self.melds)
        new.turn = self.turn
        new.opened = self.opened
        new.laid = list(self.laid)
        new.final = self.final
        new.last_laid = list(self.last_laid)
        new.stake = self.stake
        new.cube = self.cube
        new.seen_by = list(self.seen_by)
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [FR108.show(hand) for hand in self.hands],
            "reds": [FR108.show(reds) for reds in self.reds],
            "stock": FR108.show(self.stock),
            "discard": FR108.show(self.discard),
            "melds": melds_json(self.melds),
            "opened": self.opened,
            "laid": _laid_json(self.laid),
            "final": self.final,
            "last_laid": _laid_json(self.last_laid),
            "stake": self.stake,
            "cube": self.cube,
            "seen_by": list(self.seen_by),
        }

    @classmethod
    def from_json(cls, options: CanastaOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, {"phase": "draw", **json})
        whole, parted = ["stock", "discard"], ["hands", "reds"]
        zones, melds = read_table(json, 2, whole=whole, parted=parted)
        state.hands = [in_order(hand) for hand in zones.get("hands", [b"", b""])]
        state.reds = [in_order(reds) for reds in zones.get("reds", [b"", b""])]
        (state.stock,) = zones.get("stock", [b""])
        (state.discard,) = zones.get("discard", [b""])
        state.melds = [Meld(meld.seat, _known(meld.cards)) for meld in melds]
        state.laid = _read_laid(json.get("laid", []))
        state.final = json.get("final", 0)
        state.last_laid = _read_laid(json.get("last_laid", []))
        state.stake = json.get("stake", options.stake)
        state.cube = json.get("cube")
        state.seen_by = list(json.get("seen_by", []))
        if state.phase in _ACT:
            is_offer = state.phase == "double"
            (actor,) = json.get("to_act", [state.dealer if is_offer else 1 - state.dealer])
            state.turn = 1 - actor if is_offer else actor
            state._check_position()
        state.opened = json.get("opened", bool(state._own(state.turn)))
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this."""
        if len(self.hands) != 2 or any(card in _RED_THREES for hand in self.hands for card in hand):
            raise PositionError("hands", "must be two, without red threes")
        if len(self.reds) != 2 or any(card not in _RED_THREES for reds in self.reds for card in reds):
            raise PositionError("reds", "must be two lists of red threes")
        if any(len(self._own(seat)) != len(self._ranks_down(seat)) for seat in range(2)):
            raise PositionError("melds", "a seat's combinations must differ in rank")


def _known(cards: bytes) -> bytes:
    """The cards of a combination in their order. PositionError: they are none."""
    found = _combined(cards)
    if found is None:
        raise PositionError("melds", f"{' '.join(FR108.show(cards))} is no combination")
    return found.cards


def _laid_json(laid: Sequence[Laid]) -> list[dict[str, Any]]:
    return [
        {"meld": step.meld, "cards": FR108.show(step.cards), "top": FR108.show(step.top)} for step in laid
    ]


def _read_laid(json: Sequence[Mapping[str, Any]]) -> list[Laid]:
    read = FR108.read
    return [Laid(step["meld"], bytes(read(step["cards"])), bytes(read(step["top"]))) for step in json]


def _limit(options: Mapping[str, Value]) -> Value:
    """The usual limit, or the stake if that is more."""
    stake = options["stake"]
    return max(_DEFAULT_LIMIT, stake) if isinstance(stake, int) else _DEFAULT_LIMIT


CANASTA = Game(
    id="canasta",
    names={"it": "Canasta", "en": "Canasta"},
    deck=FR108,
    direction="clockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2,)),
        match_spec("points", ("points",)),
        target_choice_spec(5000, (1, 2500, 5000)),
        stake_spec("Posta", "Stake", _MOST_STAKE, default=1),
        limit_spec("Limite della posta", "Ceiling of the stake", _MOST_STAKE, _DEFAULT_LIMIT, _limit),
        max_hands_spec(),
        flag_spec("doubling", True, "La posta si può raddoppiare", "The stake may be doubled"),
        KO,
    ),
    options_type=CanastaOptions,
    state_type=Canasta,
)
