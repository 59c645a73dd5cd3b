"""Tresette, a vincere and a perdere (tresette.md). Two seats, or four in partnerships; the deck `it40`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import abandoned, is_past_target
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.option_specs import (
    KO,
    OPEN_PARTNERS,
    SEEN_CARDS,
    flag_spec,
    hands_spec,
    match_spec,
    seats_spec,
    target_choice_spec,
    tie_hands_spec,
)
from services.rules.core.options import OptionSpec
from services.rules.core.position import read_cards
from services.rules.families.stock_tricks import StockTrickOptions, StockTrickState, plays_of
from services.rules.families.tricks import Play, plays_by_text

_HAND = 10
_STRENGTHS = (7, 8, 9, 0, 1, 2, 3, 4, 5, 6) * 4  # high to low: 3 2 A K Q J 7 6 5 4
_OF_RANK = [as_set(range(rank, 40, 10)) for rank in range(10)]
_ACES, _TWOS, _THREES = _OF_RANK[:3]
_THIRDS = _TWOS | _THREES | sum(_OF_RANK[7:])  # a third of a point each; an ace is three
_POINTS_OF_PLAY = 11
_NAPOLETANE = [0b111 << first for first in range(0, 40, 10)]  # A 2 3 of a suit
_BY_TEXT = plays_by_text(IT40)


@dataclass(frozen=True, slots=True)
class TresetteOptions(StockTrickOptions):
    variant: Literal["vincere", "perdere"]
    target: int
    accusi: bool
    cappotto: bool

    def __post_init__(self) -> None:
        StockTrickOptions.__post_init__(self)
        if self.accusi and self.variant == "perdere":
            raise OptionsError("accusi", "there are no accusi a perdere")
        if self.cappotto and self.variant == "vincere":
            raise OptionsError("cappotto", "eleven points turn round only a perdere")

    @property
    def low_wins(self) -> bool:
        return self.variant == "perdere"


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """`declare X …`: the cards of a combination, as a set too (smaller if one is named twice)."""

    combination: int = 0


@cache
def _declare(cards: tuple[int, ...]) -> Declare:
    faces = tuple(IT40.show(cards))
    return Declare(f"declare {' '.join(faces)}", "declare", faces, (), "", as_set(cards))


def _read_declare(text: str) -> Declare | None:
    """`declare` and three or four cards in any order."""
    verb, *faces = words(text) or [""]
    if verb != "declare" or len(faces) not in (3, 4) or not all(face in IT40.number for face in faces):
        return None
    return _declare(tuple(sorted(IT40.read(faces))))


def combinations_of(hand: int) -> list[int]:
    """The accusi of a hand, as sets of cards in deck order: napoletane, and three or four of a kind of the
    aces, twos and threes. Each is worth as many points as it has cards."""
    found = [napoletana for napoletana in _NAPOLETANE if hand & napoletana == napoletana]
    found += [hand & rank for rank in (_ACES, _TWOS, _THREES) if (hand & rank).bit_count() >= 3]
    return sorted(found, key=members)


def thirds(pile: int) -> int:
    """The thirds of a point in a pile: 32 in the deck."""
    return 3 * (pile & _ACES).bit_count() + (pile & _THIRDS).bit_count()


class Tresette(StockTrickState[Play | Declare]):
    """A match of tresette. `declared` has the combinations declared by each seat, in the order of
    declaration; `last_draw` the card that each drew after the last complete trick."""

    __slots__ = ("declared", "last_draw")

    strengths = _STRENGTHS

    options: TresetteOptions

    def __init__(self, options: TresetteOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.declared: list[tuple[int, ...]] = [()] * options.seats
        self.last_draw: tuple[int, ...] = ()

    # --------------------------------------------------------------------------------- 2. deal

    def supply(self, order: Sequence[int]) -> list[Event]:
        self.stock = self._deal(order, _HAND)
        self.phase = "play"
        self.declared = [()] * self.options.seats
        self.last_draw = ()
        return [self._dealt({"dealer": self.dealer, "stock": len(self.stock)})]

    # --------------------------------------------------------------------------------- 3. play

    def _is_first_trick(self) -> bool:
        return not any(self.captured)

    def legal(self, seat: int) -> list[Play | Declare]:
        if seat not in self.to_act:
            return []
        moves: list[Play | Declare] = []
        if self.options.accusi and self._is_first_trick():
            declared = self.declared[seat]
            held = combinations_of(self.hands[seat])
            moves += [_declare(members(cards)) for cards in held if cards not in declared]
        return [*moves, *plays_of(self._playable(seat))]

    def _read(self, seat: int, text: str) -> Play | Declare | None:
        return _BY_TEXT.get(text) or _read_declare(text)

    def _refusal(self, seat: int, move: Play | Declare) -> Refusal | None:
        """Section 8, row by row."""
        if isinstance(move, Play):
            return self._card_refusal(seat, move.card)
        if not self.options.accusi:
            return Refusal("not_allowed", "this match is played without accusi")
        if not self._is_first_trick():
            return Refusal("wrong_phase", "accusi are declared before the first trick is complete")
        hand = self.hands[seat]
        for place, face in enumerate(move.cards):
            if not hand >> IT40.number[face] & 1:
                return Refusal("not_in_hand", f"you do not hold {face}", face)
            if face in move.cards[:place]:
                return Refusal("not_in_hand", f"{face} is named twice", face)
        if move.combination not in combinations_of(hand):
            return Refusal("not_an_accuso", "these cards are no accuso of your hand")
        if move.combination in self.declared[seat]:
            return Refusal("already_declared", "you have declared these cards")
        return None

    def _play(self, seat: int, move: Play | Declare) -> Applied:
        if isinstance(move, Declare):
            self.declared[seat] = (*self.declared[seat], move.combination)
            event = Event("accuso_declared", seat, {"cards": list(move.cards)})
            return Applied(move.text, [event], turn_ended=False)
        events = self._lay(seat, move.card)
        if len(self.trick) < self.options.seats:
            return Applied(move.text, events)
        winner = self._take_trick(events)
        self.last_draw = tuple(self._draw(winner, None, events)) if self.stock else ()
        if not self.hands[winner]:
            self._end_hand(winner, events)
            return Applied(move.text, events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_CAPTURE_MS)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, winner: int, events: list[Event]) -> None:
        options = self.options
        last_side = options.side(winner)
        self._score(
            self._items([thirds(pile) for pile in self.captured], last_side, options.cappotto), events
        )
        if options.match == "hands":
            is_due = self.hand >= options.hands
        else:
            is_due = is_past_target(self.scores, options.target, "reach")
        self._close_hand(winner, events, is_due=is_due)

    def _items(self, thirds_taken: list[int], last_side: int, cappotto: bool) -> dict[str, list[int]]:
        """What a hand gives to each side; a `cappotto` turns the points of play round."""
        last = [int(side == last_side) for side in range(2)]
        play = [(taken + 3 * is_last) // 3 for taken, is_last in zip(thirds_taken, last, strict=True)]
        if cappotto and _POINTS_OF_PLAY in play:
            play.reverse()
        accusi = [0, 0]
        for seat, declared in enumerate(self.declared):
            accusi[seat % 2] += sum(cards.bit_count() for cards in declared)
        total = [points + more for points, more in zip(play, accusi, strict=True)]
        return {"thirds": thirds_taken, "last": last, "accusi": accusi, "total": total}

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        side = seat % 2
        events = [Event("seat_abandoned", seat, {})]
        if self.phase == "play":
            burdened = side if self.options.low_wins else 1 - side
            taken = [thirds(pile) for pile in self.captured]
            taken[burdened] += thirds(self._uncaptured())
            self._score(self._items(taken, burdened, cappotto=False), events)
        self._end_match(abandoned(self.scores, seat, side, low_wins=self.options.low_wins), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def _cards_shown(self, viewer: int | None) -> int:
        declared = 0
        for combinations in self.declared:
            for cards in combinations:
                declared |= cards
        return super()._cards_shown(viewer) | as_set(self.last_draw) | declared

    def _facts(self) -> dict[str, Any]:
        return {**self._trick_facts(), "last_draw": self._last_draw_json(), "declared": self._declared_json()}

    # ------------------------------------------------------------------- 10. positions, snapshots

    def _last_draw_json(self) -> list[str | None]:
        return [*IT40.show(self.last_draw)] or [None] * self.options.seats

    def _declared_json(self) -> list[list[list[str]]]:
        return [[IT40.show_set(cards) for cards in declared] for declared in self.declared]

    def copy(self) -> Self:
        new = self._copy()
        new.declared = list(self.declared)
        new.last_draw = self.last_draw
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "declared": self._declared_json(),
            "last_draw": self._last_draw_json(),
        }

    @classmethod
    def from_json(cls, options: TresetteOptions, json: Mapping[str, Any]) -> Self:
        state = cls._read_stock(options, json)
        if "declared" in json:
            if len(json["declared"]) != options.seats:
                raise PositionError("declared", f"must be {options.seats} lists, one a seat")
            state.declared = [
                tuple(as_set(read_cards("declared", cards, IT40)) for cards in declared)
                for declared in json["declared"]
            ]
        drawn = [face for face in json.get("last_draw", []) if face is not None]
        state.last_draw = tuple(read_cards("last_draw", drawn, IT40))
        return state


TRESETTE = Game(
    id="tresette",
    names={"it": "Tresette", "en": "Tressette"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2, 4)),
        OptionSpec(
            "variant",
            "choice",
            "vincere",
            {"it": "A vincere o a perdere", "en": "Most points win, or fewest"},
            choices=("vincere", "perdere"),
        ),
        match_spec("points"),
        target_choice_spec(21, (11, 21, 31, 41, 51)),
        hands_spec(3, 10),
        flag_spec("accusi", False, "Accusi: napoletana e buongioco", "Accusi: honours are declared"),
        flag_spec(
            "cappotto", False, "A perdere, undici punti si rovesciano", "A perdere, eleven points turn round"
        ),
        KO,
        tie_hands_spec(),
        OPEN_PARTNERS,
        SEEN_CARDS,
    ),
    options_type=TresetteOptions,
    state_type=Tresette,
)
