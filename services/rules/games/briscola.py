"""Briscola (briscola.md). Two or three seats, or four in two partnerships; the deck `it40`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import IT40, Deck, members
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import abandoned
from services.rules.core.moves import Applied, Event
from services.rules.core.option_specs import (
    KO,
    OPEN_PARTNERS,
    SEEN_CARDS,
    flag_spec,
    hands_spec,
    match_spec,
    seats_spec,
    tie_hands_spec,
)
from services.rules.families.stock_tricks import SUITS, StockTrickOptions, StockTrickState, plays_of
from services.rules.families.tricks import Play, plays_by_text

_HAND = 3
_NOT_TURNED = -1  # the briscola card before the first deal
_STRENGTHS = (9, 0, 8, 1, 2, 3, 4, 5, 6, 7) * 4  # high to low: A 3 K Q J 7 6 5 4 2
_POINTS = (11, 0, 10, 0, 0, 0, 0, 2, 3, 4) * 4  # carichi, lisci, figure
_BY_TEXT = plays_by_text(IT40)
_TWO_OF_COPPE = IT40.number["2c"]
_WITHOUT_IT = replace(IT40, cards=tuple(card for card in IT40.cards if card != _TWO_OF_COPPE))


@dataclass(frozen=True, slots=True)
class BriscolaOptions(StockTrickOptions):
    endgame_open: bool

    def __post_init__(self) -> None:
        StockTrickOptions.__post_init__(self)
        if self.endgame_open and self.seats != 4:
            raise OptionsError("endgame_open", "partners need four seats")
        if self.ko and self.seats == 3:
            raise OptionsError("ko", "there is no knock-out table for three")


def card_points(cards: int) -> int:
    """The points of a set of cards: 120 in the deck."""
    return sum(_POINTS[card] for card in members(cards))


class Briscola(StockTrickState[Play]):
    """A match of briscola. `briscola` is the card turned at the deal, wherever it is now."""

    __slots__ = ("briscola",)

    strengths = _STRENGTHS

    options: BriscolaOptions

    def __init__(self, options: BriscolaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.briscola = _NOT_TURNED

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def pack(self) -> Deck:
        return _WITHOUT_IT if self.options.seats == 3 else IT40

    def supply(self, order: Sequence[int]) -> list[Event]:
        rest = self._deal(order, _HAND)
        self.phase = "play"
        self.briscola = rest[0]
        self.stock = rest[1:] + rest[:1]
        return [
            self._dealt(
                {"dealer": self.dealer, "briscola": IT40.faces[self.briscola], "stock": len(self.stock)}
            )
        ]

    # --------------------------------------------------------------------------------- 3. play

    def legal(self, seat: int) -> list[Play]:
        """Any card: there is no duty to follow suit."""
        return plays_of(self.hands[seat]) if seat in self.to_act else []

    def _read(self, seat: int, text: str) -> Play | None:
        return _BY_TEXT.get(text)

    def _refusal(self, seat: int, move: Play) -> Refusal | None:
        return None if self.hands[seat] >> move.card & 1 else self._not_in_hand(move.card)

    def _play(self, seat: int, move: Play) -> Applied:
        events = self._lay(seat, move.card)
        if len(self.trick) < self.options.seats:
            return Applied(move.text, events)
        winner = self._take_trick(events, trump=SUITS[self.briscola])
        if self.stock:
            self._draw(winner, 1 << self.briscola, events)
        elif not self.hands[winner]:
            self._end_hand(winner, events)
            return Applied(move.text, events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_CAPTURE_MS)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, winner: int, events: list[Event]) -> None:
        points = [card_points(pile) for pile in self.captured]
        best = max(points)
        is_won = points.count(best) == 1
        won = [int(is_won and mine == best) for mine in points]
        self._score(self._items(points, won), events)
        self._close_hand(winner, events, is_due=self._is_due())

    def _items(self, points: list[int], won: list[int]) -> dict[str, list[int]]:
        return {"points": points, "won": won, "total": points if self.options.match == "points" else won}

    def _is_due(self) -> bool:
        """Whether the match should end with this hand: the lead cannot be caught any more."""
        options = self.options
        hands = options.hands if options.match == "hands" else 1
        second, best = sorted(self.scores)[-2:]
        return self.hand >= hands or best - second > hands - self.hand

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        side = self.options.side(seat)
        events = [Event("seat_abandoned", seat, {})]
        if self.phase == "play":
            self._score(self._forfeit(side), events)
        self._end_match(abandoned(self.scores, seat, side), events)
        return Applied("abandon", events)

    def _forfeit(self, side: int) -> dict[str, list[int]]:
        """The items of a hand that this side has left: what is not captured goes to the others."""
        sides = self.options.sides
        points = [card_points(pile) for pile in self.captured]
        left = card_points(self._uncaptured())
        won = [0] * sides
        if sides == 2:
            points[1 - side] += left
            won[1 - side] = 1
        else:
            after, last = (side + 1) % sides, (side + 2) % sides
            points[after] += left - left // 2
            points[last] += left // 2
            won[after] = int(points[after] > points[last])
            won[last] = int(points[last] > points[after])
        return self._items(points, won)

    # ---------------------------------------------------------------------- 7. hidden information

    def _partners_are_open(self) -> bool:
        options = self.options
        return options.open_partners or (options.endgame_open and not self.stock)

    def _cards_shown(self, viewer: int | None) -> int:
        shown = super()._cards_shown(viewer)
        return shown if self.briscola == _NOT_TURNED else shown | 1 << self.briscola

    def _facts(self) -> dict[str, Any]:
        facts = {"briscola": self._briscola_json(), **self._trick_facts()}
        if self.options.seen_cards:
            facts["points"] = [card_points(pile) for pile in self.captured]
        return facts

    # ------------------------------------------------------------------- 10. positions, snapshots

    def _briscola_json(self) -> str | None:
        return None if self.briscola == _NOT_TURNED else IT40.faces[self.briscola]

    def copy(self) -> Self:
        new = self._copy()
        new.briscola = self.briscola
        return new

    def to_json(self) -> dict[str, Any]:
        return {**self._common_json(), "briscola": self._briscola_json()}

    @classmethod
    def from_json(cls, options: BriscolaOptions, json: Mapping[str, Any]) -> Self:
        state = cls._read_stock(options, json)
        face = json.get("briscola")
        if face is None:
            if state.phase == "play":
                raise PositionError("briscola", "must be given")
            return state
        if IT40.number.get(face) not in state.pack.cards:
            raise PositionError("briscola", f"{face!r} is not a card of this game")
        state.briscola = IT40.number[face]
        if json.get("stock") == "any" and state.briscola in state.stock:
            others = bytes(card for card in state.stock if card != state.briscola)
            state.stock = others + bytes([state.briscola])
        if state.stock and state.stock[-1] != state.briscola:
            raise PositionError("stock", f"its last card must be {face}")
        return state


BRISCOLA = Game(
    id="briscola",
    names={"it": "Briscola", "en": "Briscola"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2, 3, 4)),
        match_spec("points"),
        hands_spec(3, 9),
        KO,
        tie_hands_spec(),
        OPEN_PARTNERS,
        flag_spec(
            "endgame_open",
            False,
            "A mazzo finito i compagni si vedono le carte",
            "Partners see each other's hand once the stock is empty",
        ),
        SEEN_CARDS,
    ),
    options_type=BriscolaOptions,
    state_type=Briscola,
)
