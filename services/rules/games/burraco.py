"""Burraco (burraco.md). Two seats, or four in two partnerships; the deck `fr108`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal, Self, cast

from services.rules.core.cards import FR108, members
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.moves import Applied, Event
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
from services.rules.core.view import Zone
from services.rules.core.zones import closed_zone
from services.rules.families.double_hands import cards_of, held, kinds, size, with_cards, without_cards
from services.rules.families.matte import ONE, RANK, WILDS, in_order, laying_order
from services.rules.families.pile_rummies import (
    DECK_SIZE,
    DRAW_STOCK,
    EVERYBODY,
    Laid,
    Meld,
    PileRummy,
    Step,
    add_move,
    discard_move,
    owners_and_cards,
    read_step,
)
from services.rules.games.burraco_melds import (
    DIRTY,
    SEMICLEAN,
    arranged,
    fitting,
    joined,
    largest_melds,
    short_melds,
)

_PROMPTS = {
    "draw": {"it": "Pesca dal tallone o raccogli gli scarti", "en": "Draw a card or take the pile"},
    "play": {"it": "Cala, lega, o scarta", "en": "Lay melds, lay off, or discard"},
}
_HAND = 11
_POZZETTO = 11
_STOCK_END = DECK_SIZE - 2 * _POZZETTO
_NEVER_DRAWN = 2
_IDLE_ROUNDS = 4
_CLOSING = 100
_NO_POZZETTO = -100
_VALUE = bytes((15, 20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 30)[rank] for rank in RANK)


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

    @property
    def semipulito(self) -> int:
        """What a burraco semipulito counts."""
        return SEMICLEAN if self.semiclean else DIRTY


_DRAW_DISCARD = Step("draw discard", "draw", target="discard")


@lru_cache(maxsize=8192)
def _read(text: str, semipulito: int) -> Step | None:
    """Section 3: the move of this text, if it has the form of one."""
    if text == _DRAW_DISCARD.text:
        return _DRAW_DISCARD
    return read_step(text, partial(_as_it_lies, semiclean=semipulito), laying_order)


def _as_it_lies(cards: bytes, semiclean: int) -> bytes:
    meld = arranged(cards, semiclean)
    return meld.cards if meld else cards


class Burraco(PileRummy):
    """A match of burraco.

    `taken` says per side whether it has its pozzetto, `takers` by which seat and whether al volo, where that
    is known. `idle`: the seat to act has taken a pile of one card in this turn and laid nothing yet;
    `untouchable` is that card as long as it may not be discarded.
    """

    __slots__ = ("idle", "pozzetti", "stall", "taken", "takers", "untouchable")

    options: BurracoOptions
    prompts = _PROMPTS
    values = _VALUE
    stock_end = _STOCK_END
    spared = ("held", "pozzetto")

    def __init__(self, options: BurracoOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.pozzetti: list[bytes] = []  # those left, next one first
        self.taken = [False, False]
        self.takers: list[tuple[int, bool] | None] = [None, None]
        self.stall = 0
        self.idle = False
        self.untouchable: int | None = None

    def _meld_of(self, cards: bytes) -> Meld | None:
        return arranged(in_order(cards), self.options.semipulito)

    # --------------------------------------------------------------------------------- 2. deal

    def supply(self, order: Sequence[int]) -> list[Event]:
        deck = self._deal_hands(order, _HAND)
        self.phase = "draw"
        self.discard = ONE[self._next_card(EVERYBODY)]
        self.pozzetti = [deck[: _STOCK_END - 1 : -2], deck[-2 : _STOCK_END - 1 : -2]]
        self.taken = [False, False]
        self.takers = [None, None]
        self.stall = 0
        self.idle = False
        self.untouchable = None
        data = {"discard": FR108.show(self.discard), "pozzetti": [len(it) for it in self.pozzetti]}
        return [self._dealt(data)]

    # --------------------------------------------------------------------------------- 3. play

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "draw":
            return [DRAW_STOCK, _DRAW_DISCARD]
        hand = self.hands[seat]
        count = size(hand)
        cards = members(kinds(hand))
        if count == 1 or self.untouchable is not None:
            cards = tuple(card for card in cards if not self._discard_refusal(seat, card))
        own = self._own(seat)
        adds = [add_move(ONE[card], number) for number, meld in own for card in fitting(meld, hand)]
        melds = short_melds(hand, {meld.rank for _, meld in own})
        # Only a short hand can be brought to a dead end by the one card or the three cards listed.
        if count <= 2:
            adds = [move for move in adds if not self._refusal(seat, move)]
        if count <= 4:
            melds = [move for move in melds if not self._refusal(seat, move)]
        return [*map(discard_move, cards), *adds, *melds]

    def _read(self, seat: int, text: str) -> Step | None:
        return _read(text, self.options.semipulito)

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        if verb == "draw":
            return None if self.phase == "draw" else Refusal("wrong_phase", "you have drawn already")
        if self.phase == "draw":
            return Refusal("wrong_phase", "draw a card or take the pile first")
        number = move.meld
        if verb == "add" and not self._is_own(seat, number):
            return Refusal("no_such_meld", f"your side has no meld m{number}", f"m{number}")
        if refusal := self._not_in_hand(seat, move):
            return refusal
        if verb == "discard":
            return self._discard_refusal(seat, move.numbers[0])
        after = self._after(move)
        if verb == "meld":
            if after is None:
                return Refusal("not_a_meld", "these cards are neither a set nor a run", move.cards[0])
            if after.rank in self._ranks_down(seat):
                return Refusal("duplicate_set", "your side has a set of this rank: add to it", move.cards[0])
        elif after is None:
            return Refusal("does_not_fit", f"m{number} with these cards is no meld", move.cards[0])
        return self._dead_end(seat, move, after)

    def _after(self, move: Step) -> Meld | None:
        """The meld that a `meld` or `add` makes, if it is one."""
        if move.verb == "meld":
            return self._meld_of(move.numbers)
        return joined(self.melds[move.meld].meld, move.numbers, self.options.semipulito)

    def _discard_refusal(self, seat: int, card: int) -> Refusal | None:
        """The rows for a discard of a card in the hand."""
        face = FR108.faces[card]
        if card == self.untouchable:
            return Refusal("cannot_discard_taken", f"{face} was the whole pile: it stays this turn", face)
        if not self.taken[seat % 2] or size(self.hands[seat]) > 1:
            return None
        if card in WILDS:
            return Refusal("cannot_close", f"{face} is wild: no closing with it", face)
        if not self._has_bonus(seat):
            return Refusal("cannot_close", "your side has no burraco", face)
        return None

    def _dead_end(self, seat: int, move: Step, after: Meld) -> Refusal | None:
        """Why a meld or lay-off that makes the meld `after` would leave the seat without a way on."""
        hand, is_taken = self.hands[seat], self.taken[seat % 2]
        left = size(hand) - len(move.numbers)
        if left > 1:
            return None
        if not left:
            if is_taken:
                return Refusal("must_keep_discard", "a card must be left to close with", move.cards[0])
            return None
        (last,) = cards_of(without_cards(hand, move.numbers))
        if is_taken:
            is_playable = last not in WILDS and last != self.untouchable
            if is_playable and (after.bonus or self._has_bonus(seat)):
                return None
        else:
            others = [meld for number, meld in self._own(seat) if number != move.meld]
            if last != self.untouchable or any(
                joined(meld, ONE[last], self.options.semipulito) for meld in (after, *others)
            ):
                return None
        face = FR108.faces[last]
        return Refusal("cannot_close", f"{face} would be left and could not be played", move.cards[0])

    def _play(self, seat: int, move: Step) -> Applied:
        if move.verb == "draw":
            self.phase = "play"
            if move.target == "discard":
                event = self._take_pile(seat)
            else:
                # Only a position that was set up can have no card left to draw.
                event = self._drawn(seat, [self._next_card(seat)] if self.stock else [])
            return Applied(move.text, [event], turn_ended=False)
        if move.verb == "discard":
            self.hands[seat] = without_cards(self.hands[seat], move.numbers)
            events = [Event("card_discarded", seat, {"card": move.cards[0]})]
            self._end_turn(seat, move.numbers, events)
            return Applied(move.text, events)
        events = [self._lay(seat, move)]
        if not self.hands[seat]:
            events.append(self._take_pozzetto(seat, al_volo=True))
        return Applied(move.text, events, turn_ended=False)

    def _take_pile(self, seat: int) -> Event:
        pile, hand = self.discard, self.hands[seat]
        self.idle = len(pile) == 1
        self.untouchable = pile[0] if self.idle and not held(hand, pile[0]) else None
        self.discard = b""
        self.hands[seat] = with_cards(hand, pile)
        return Event("pile_taken", seat, {"cards": FR108.show(pile)})

    def _lay(self, seat: int, move: Step) -> Event:
        """A new meld, or cards to an old one."""
        after = cast("Meld", self._after(move))  # it was checked
        self.hands[seat] = without_cards(self.hands[seat], move.numbers)
        self.idle = False
        if self.untouchable is not None and self.untouchable in move.numbers:
            self.untouchable = None
        if move.verb == "meld":
            number = len(self.melds)
            self.melds.append(Laid(seat, after))
        else:
            number = move.meld
            self.melds[number] = self.melds[number]._replace(meld=after)
        data = {"meld": number, "laid": list(move.cards), "cards": FR108.show(after.cards)}
        return Event("meld_laid" if move.verb == "meld" else "cards_added", seat, data)

    def _take_pozzetto(self, seat: int, *, al_volo: bool) -> Event:
        side = seat % 2
        if self.seen_by:
            first = DECK_SIZE - 3 + len(self.pozzetti)
            self.seen_by[first : _STOCK_END - 1 : -2] = [seat] * _POZZETTO
        pozzetto = in_order(self.pozzetti.pop(0))
        self.hands[seat] = with_cards(0, pozzetto)
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
        return {
            "laid": self._laid_points(),
            "burraco": self._bonus_points(),
            "close": [0, 0],
            "held": self._held_points(),
            "pozzetto": [0 if taken else _NO_POZZETTO for taken in self.taken],
        }

    def _end_hand(self, seat: int, has_closed: bool, events: list[Event]) -> None:
        """After the last discard of a hand, by this seat."""
        side = seat % 2
        items = self._count()
        if has_closed:
            items["close"][side] = _CLOSING
        self._score(items, events)
        options = self.options
        to_points = options.match == "points"
        self._after_hand(
            events,
            is_due=max(self.scores) >= options.target if to_points else self.hand >= options.hands,
            is_last=to_points and self.hand + self.tie_break >= options.max_hands,
            tie_hands=options.max_hands if to_points else 0,
            ko_order=(1 - side, side) if options.ko else None,
        )

    # ---------------------------------------------------------------------- 7. hidden information

    def _more_zones(self) -> list[Zone]:
        return [
            closed_zone(f"pozzetti.{number}", "pozzetti", "stack", len(pozzetto))
            for number, pozzetto in enumerate(self.pozzetti)
        ]

    def _facts(self) -> dict[str, Any]:
        return {"taken": list(self.taken), "takers": self._takers_json(), "stall": self.stall}

    def _takers_json(self) -> list[dict[str, Any] | None]:
        return [taker and {"seat": taker[0], "al_volo": taker[1]} for taker in self.takers]

    def _layable(self, seat: int) -> Iterable[bytes]:
        down = self._ranks_down(seat)
        melds = largest_melds(self.hands[seat], self.options.semipulito)
        return (meld.cards for meld in melds if meld.rank not in down)

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.pozzetti = list(self.pozzetti)
        new.taken = list(self.taken)
        new.takers = list(self.takers)
        new.stall = self.stall
        new.idle = self.idle
        new.untouchable = self.untouchable
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "pozzetti": [FR108.show(pozzetto) for pozzetto in self.pozzetti],
            "taken": list(self.taken),
            "takers": self._takers_json(),
            "stall": self.stall,
            "idle": self.idle,
            "untouchable": None if self.untouchable is None else FR108.faces[self.untouchable],
        }

    @classmethod
    def from_json(cls, options: BurracoOptions, json: Mapping[str, Any]) -> Self:
        taken = list(json.get("taken", [False, False]))
        left = len(taken) - sum(taken)
        state, pozzetti = cls._read_table(options, _with_pozzetti(json, left), "pozzetti")
        state.pozzetti = [bytes(pozzetto) for pozzetto in pozzetti or ()]
        state.taken = taken
        takers = json.get("takers", [None, None])
        state.takers = [taker and (taker["seat"], taker["al_volo"]) for taker in takers]
        state.stall = json.get("stall", 0)
        state.idle = json.get("idle", False)
        untouchable = json.get("untouchable")
        state.untouchable = None if untouchable is None else FR108.number[untouchable]
        if state.phase in _PROMPTS:
            (state.turn,) = json.get("to_act", [(state.dealer + 1) % options.seats])
            state._check_position(left)
        return state

    def _check_position(self, left: int) -> None:
        """PositionError unless a hand in play can stand like this."""
        if len(self.hands) != self.options.seats or not all(self.hands):
            raise PositionError("hands", f"must be {self.options.seats}, none empty")
        if len(self.taken) != 2 or len(self.pozzetti) != left:
            raise PositionError("pozzetti", "must be one for each side that has not taken its own")
        if any(len(pozzetto) != _POZZETTO for pozzetto in self.pozzetti):
            raise PositionError("pozzetti", f"must have {_POZZETTO} cards each")


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
