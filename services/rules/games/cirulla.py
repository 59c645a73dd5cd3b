"""Cirulla (cirulla.md). Two seats, or four in two partnerships; the deck `it40`.

Scopa in which fifteens take too, an ace takes all, the dealer may take the first table, and three cards of a
deal may be declared before the first of them is played (*accusi*).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from services.rules.core.cards import IT40, as_set, members
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.option_specs import flag_spec
from services.rules.families.capture_moves import Play
from services.rules.families.capture_options import CaptureOptions, capture_specs
from services.rules.families.capture_state import CaptureState
from services.rules.families.captures import (
    ACES,
    DENARI,
    VALUE,
    ace_or_all,
    by_total,
    not_all,
    pile_points,
)

_IN_DEAL = 3
_SCOPE_OF_TABLE = {15: 1, 30: 2}
_FIFTEEN = 15

_ACCUSI = {"cirulla": 3, "decino": 10}
_DECLARE = {f"declare {accuso}": accuso for accuso in _ACCUSI}
_CIRULLA_MOST = 9
_MATTA = IT40.number["7c"]

_GRANDE = as_set(IT40.read(["Jd", "Qd", "Kd"]))
_GRANDE_POINTS = 5
_SCALA = [1 << card for card in IT40.read(["Ad", "2d", "3d", "4d", "5d", "6d", "7d"])]
_PICCOLA_LEAST = 3


@dataclass(frozen=True, slots=True)
class CirullaOptions(CaptureOptions):
    """`matta`: the seven of coppe is wild in declarations; `ace_fifteen`: an ace may make fifteen beside an
    ace on the table."""

    matta: bool
    ace_fifteen: bool


_OWN_SPECS = (
    flag_spec(
        "matta", False, "Il 7 di cuori è matta negli accusi", "The 7 of hearts is wild in declarations"
    ),
    flag_spec(
        "ace_fifteen",
        False,
        "Con un asso in tavola l'asso può anche fare quindici",
        "An ace may also make fifteen although an ace lies on the table",
    ),
)


@lru_cache(maxsize=1 << 14)
def best_accuso(hand: int, matta: bool) -> str | None:
    """What the three cards of a hand may declare: the better of the two, if any."""
    cards = members(hand)
    if matta and hand >> _MATTA & 1:
        cards = tuple(card for card in cards if card != _MATTA)
        most = _CIRULLA_MOST - 1  # the matta then stands for an ace
    else:
        most = _CIRULLA_MOST
    values = [VALUE[card] for card in cards]
    if len(set(values)) == 1:
        return "decino"
    return "cirulla" if sum(values) <= most else None


class Cirulla(CaptureState):
    """A match of cirulla."""

    __slots__ = ("accusi", "exposed")

    options: CirullaOptions

    def __init__(self, options: CirullaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.accusi = [0, 0]  # points of the declarations of the hand, per side
        self.exposed: tuple[int, ...] = ()  # seats that have declared in this deal, ascending

    # --------------------------------------------------------------------------------- 2. deal

    def _is_void(self, table: int) -> bool:
        return super()._is_void(table) or (table & ACES).bit_count() >= 2

    def supply(self, order: Sequence[int]) -> list[Event]:
        events = super().supply(order)
        if self.phase == "play":
            self.accusi = [0, 0]
            self._dealer_takes(events)
        return events

    def _dealer_takes(self, events: list[Event]) -> None:
        """A first table of fifteen or thirty is the dealer's."""
        scope = _SCOPE_OF_TABLE.get(sum(VALUE[card] for card in members(self.table)))
        if scope is None:
            return
        side = self.dealer % 2
        data = {"side": side, "cards": IT40.show_set(self.table)}
        events.append(Event("cards_captured", self.dealer, data))
        events += [Event("scopa_made", self.dealer, {"side": side})] * scope
        self.captured[side] = self.table
        self.table = 0
        self.scope[side] = scope
        self.last_capture = self.dealer

    def _deal(self, kind: str, data: dict[str, Any]) -> Event:
        self.exposed = ()
        return super()._deal(kind, data)

    # --------------------------------------------------------------------------------- 3. play

    def legal(self, seat: int) -> list[Move]:
        plays = super().legal(seat)
        if plays and (accuso := self._may_declare(seat)):
            return [self._declaration(seat, accuso), *plays]
        return plays

    def _may_declare(self, seat: int) -> str | None:
        """What the seat on turn may declare now."""
        if self._has_played(seat) or seat in self.exposed:
            return None
        return best_accuso(self.hands[seat], self.options.matta)

    def _has_played(self, seat: int) -> bool:
        """Whether it has played a card of this deal."""
        return self.hands[seat].bit_count() < _IN_DEAL

    def _declaration(self, seat: int, accuso: str) -> Move:
        """The move, which shows the cards of the hand."""
        return Move(f"declare {accuso}", "declare", tuple(IT40.show_set(self.hands[seat])))

    def _read(self, seat: int, text: str) -> Move | None:
        if accuso := _DECLARE.get(text):
            return self._declaration(seat, accuso)
        return super()._read(seat, text)

    def _refusal(self, seat: int, move: Move) -> Refusal | None:
        if move.verb != "declare":
            return super()._refusal(seat, move)
        accuso = _DECLARE[move.text]
        if self._has_played(seat):
            return Refusal("wrong_phase", "it is too late to declare after the first card of a deal")
        if seat in self.exposed:
            return Refusal("already_declared", "you have declared in this deal")
        if accuso != best_accuso(self.hands[seat], self.options.matta):
            return Refusal("not_an_accuso", f"your three cards are not a {accuso}", accuso)
        return None

    def _play(self, seat: int, move: Move) -> Applied:
        return self._declare(seat, move) if move.verb == "declare" else super()._play(seat, move)

    def _declare(self, seat: int, move: Move) -> Applied:
        side, accuso = seat % 2, _DECLARE[move.text]
        points = _ACCUSI[accuso]
        self.accusi[side] += points
        self.exposed = tuple(sorted((*self.exposed, seat)))
        self.last_move = (seat, move)
        data = {"side": side, "accuso": accuso, "points": points, "cards": IT40.show_set(self.hands[seat])}
        return Applied(move.text, [Event("accuso_declared", seat, data)], turn_ended=False)

    def _captures(self, card: int) -> Sequence[int]:
        value = VALUE[card]
        if value == 1:
            own: Sequence[int] = ace_or_all(self.table)
            if not (self.options.ace_fifteen and self.table & ACES):
                return own
            fifteens = by_total(self.table).get(_FIFTEEN - 1, ())
        else:
            captures = by_total(self.table)
            own, fifteens = captures.get(value, ()), captures.get(_FIFTEEN - value, ())
        return sorted((*own, *fifteens), key=members) if own and fifteens else own or fifteens

    def _wrong_capture(self, move: Play) -> Refusal:
        (played,) = move.cards
        value = VALUE[move.card]
        if value == 1 and not self.table & ACES:
            return not_all(self.table, move.card, move.taken)
        return Refusal(
            "not_a_capture", f"{played} counts {value}, it does not take these cards", move.takes[0]
        )

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _made(self) -> dict[str, list[int]]:
        return {**super()._made(), "accusi": list(self.accusi)}

    def _counted(self) -> dict[str, list[int]]:
        return {
            **pile_points(self.captured),
            "grande": [_GRANDE_POINTS * (pile & _GRANDE == _GRANDE) for pile in self.captured],
            "piccola": [_piccola(pile) for pile in self.captured],
        }

    def _outright(self) -> Outcome | None:
        """Cappotto: all ten denari."""
        for side, pile in enumerate(self.captured):
            if pile & DENARI == DENARI:
                return Outcome(side, (1, 2) if side == 0 else (2, 1), "cappotto")
        return None

    # ---------------------------------------------------------------------- 7. hidden information

    def _open_hands(self, viewer: int | None) -> Sequence[int]:
        seen = super()._open_hands(viewer)
        return (*seen, *(seat for seat in self.exposed if seat not in seen)) if self.exposed else seen

    def _facts(self) -> dict[str, Any]:
        return {**super()._facts(), "accusi": list(self.accusi), "exposed": list(self.exposed)}

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = super().copy()
        new.accusi = list(self.accusi)
        new.exposed = self.exposed
        return new

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "accusi": list(self.accusi), "exposed": list(self.exposed)}

    @classmethod
    def from_json(cls, options: CaptureOptions, json: Mapping[str, Any]) -> Self:
        state = super().from_json(options, json)
        state.accusi = list(json.get("accusi", [0, 0]))
        state.exposed = tuple(sorted(json.get("exposed", ())))
        if not set(state.exposed) <= set(range(options.seats)):
            raise PositionError("exposed", "must be seats")
        return state


def _piccola(pile: int) -> int:
    """One point for each of ace, two, three, … seven of denari without a gap, if there are three."""
    run = next((place for place, card in enumerate(_SCALA) if not pile & card), len(_SCALA))
    return run if run >= _PICCOLA_LEAST else 0


CIRULLA = Game(
    id="cirulla",
    names={"it": "Cirulla", "en": "Cirulla"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=capture_specs(target=51, target_rule="reach", own=_OWN_SPECS),
    options_type=CirullaOptions,
    state_type=Cirulla,
)
