"""A match of canasta beside its turns (canasta.md, sections 2, 4 to 7 and 10): the deal, what the seats
have, how hand and match end, views and positions. The turn is in `canasta.py`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

from services.rules.core.cards import FR108
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.match import Outcome
from services.rules.core.moves import Event
from services.rules.core.options import Options
from services.rules.core.view import Zone
from services.rules.core.zones import open_zone
from services.rules.families.double_hands import OF_RANK, cards_of, size, with_cards
from services.rules.families.matte import ONE, THREE, WILDS, choices, in_order, points, wilds
from services.rules.families.pile_rummies import EVERYBODY, Meld, PileRummy
from services.rules.games.canasta_combinations import (
    RED_THREES,
    VALUE,
    combined,
    largest_combinations,
    most_points,
)

_PROMPTS = {
    "draw": {"it": "Pesca dal tallone o prendi il pozzo", "en": "Draw a card or take the pile"},
    "opening": {"it": "Raggiungi il minimo per aprire", "en": "Reach the minimum to open"},
    "play": {"it": "Cala, aggiungi, scarta o chiudi", "en": "Lay, add, discard or close"},
    "double": {"it": "Accetti il raddoppio o ti arrendi?", "en": "Accept the double, or resign?"},
}
_HAND = 15
_MINIMA = ((3000, 120), (1500, 90), (0, 50))
_LEAST_MINIMUM = 15
_RED, _FOUR_REDS = 100, 800
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


class Lay(NamedTuple):
    """What one step has laid: the meld, the cards from the hand, and the top card of the pile or nothing."""

    meld: int
    cards: bytes
    top: bytes


def settle(cards: bytes, stock: bytes) -> tuple[bytes, bytes, int]:
    """Of cards that come to a hand: those that stay, the red threes, how many the stock gives for them."""
    kept = cards.translate(None, RED_THREES)
    reds = cards.translate(None, bytes(card for card in cards if card not in RED_THREES))
    missing, drawn = len(reds), 0
    while missing and drawn < len(stock):
        card = ONE[stock[drawn]]
        drawn += 1
        if card in RED_THREES:
            reds += card
        else:
            kept += card
            missing -= 1
    return kept, reds, drawn


class CanastaMatch(PileRummy):
    """What a match is beside its turns.

    `opened`: the seat whose turn it is had a combination when it began. `laid` are the steps of the turn
    under way that laid cards, of which the first `final` cannot be taken back; `last_laid` those of the turn
    before.
    """

    __slots__ = ("cube", "final", "laid", "last_laid", "opened", "reds", "stake")

    options: CanastaOptions
    prompts = _PROMPTS
    values = VALUE
    spared = ("held",)

    def __init__(self, options: CanastaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.reds = [b"", b""]
        self.opened = False
        self.laid: list[Lay] = []
        self.final = 0
        self.last_laid: list[Lay] = []
        self.stake = options.stake
        self.cube: int | None = None

    def _meld_of(self, cards: bytes) -> Meld | None:
        return combined(cards)

    # ------------------------------------------------------------------------------------------ 2. deal

    def supply(self, order: Sequence[int]) -> list[Event]:
        deck = self._deal_hands(order, _HAND)
        self.reds = [b"", b""]
        self.laid = []
        self.final = 0
        self.last_laid = []
        for place, card in enumerate(deck[: 2 * _HAND]):
            if card in RED_THREES:
                self.seen_by[place] = EVERYBODY
        for seat in (self.turn, self.dealer):
            dealt, self.hands[seat] = bytes(cards_of(self.hands[seat])), 0
            self._receive(seat, dealt, [])
        self.discard = ONE[self._next_card(EVERYBODY)]
        while self.discard[-1] in WILDS or self.discard[-1] in RED_THREES:
            self.discard += ONE[self._next_card(EVERYBODY)]
        self._begin_turn(self.turn)
        reds = [FR108.show(reds) for reds in self.reds]
        return [self._dealt({"reds": reds, "discard": FR108.show(self.discard)})]

    def _receive(self, seat: int, cards: bytes, events: list[Event]) -> bool:
        """Cards come to a hand; red threes are laid down and replaced. Whether any card stays."""
        kept, reds, drawn = settle(cards, self.stock)
        self.hands[seat] = with_cards(self.hands[seat], cards.translate(None, RED_THREES))
        self.reds[seat] = in_order(self.reds[seat] + reds)
        events += [Event("red_three_laid", seat, {"card": FR108.faces[red]}) for red in reds]
        for _ in range(drawn):
            card = self._next(seat)
            if card not in RED_THREES:
                events.append(self._drawn(seat, [card]))
        return bool(kept)

    def _next(self, seat: int) -> int:
        """The next card of the stock, for this seat: a red three is seen by everybody."""
        return self._next_card(EVERYBODY if self.stock[0] in RED_THREES else seat)

    def _begin_turn(self, seat: int) -> None:
        self.phase = "draw"
        self.turn = seat
        self.opened = bool(self._own(seat))

    # ------------------------------------------------------------------------------ what the seats have

    def _number_of(self, seat: int, rank: int) -> int | None:
        """The number of a seat's combination of this rank."""
        return next((number for number, meld in self._own(seat) if meld.rank == rank), None)

    def _black_threes(self, seat: int) -> list[bytes]:
        """The combinations of black threes that the seat may lay now."""
        hand = self.hands[seat]
        same = bytes(cards_of(hand & OF_RANK[THREE]))
        if self.phase != "play" or seat != self.turn or len(same) < 3 or not self._has_bonus(seat):
            return []
        return [cards for count in (3, 4) if size(hand) - count <= 1 for cards in choices(same, count)]

    def _points_of_turn(self) -> int:
        """What the cards laid in this turn count."""
        return sum(points(cards + top, VALUE) for _, cards, top in self.laid)

    def _minimum(self, seat: int) -> int:
        """The least that opens."""
        score = self.scores[seat]
        return next((minimum for least, minimum in _MINIMA if score >= least), _LEAST_MINIMUM)

    # --------------------------------------------------------------------- 4. and 5. end of hand, match

    def _count(self) -> dict[str, list[int]]:
        return {
            "laid": self._laid_points(),
            "canastas": self._bonus_points(),
            "reds": [_FOUR_REDS if len(reds) == 4 else _RED * len(reds) for reds in self.reds],
            "close": [0, 0],
            "held": self._held_points(),
        }

    def _end_hand(self, seat: int, close: int, events: list[Event]) -> None:
        """After the last move of a hand, by this seat; `close` is what it gets for closing."""
        items = self._count()
        items["close"][seat] = close
        self._score(items, events)
        options = self.options
        is_one_hand = options.target == 1
        self._after_hand(
            events,
            is_due=is_one_hand or max(self.scores) >= options.target,
            is_last=self.hand + self.tie_break >= options.max_hands,
            tie_hands=0 if is_one_hand else options.max_hands,
            ko_order=(1 - seat, seat) if options.ko else None,
        )

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        if self.stake:
            amount = 0 if outcome.winner is None else self.stake
            delta = [amount if seat == outcome.winner else -amount for seat in range(2)]
            self.settlement = {"amount": amount, "commission": 0, "delta": delta}
        super()._end_match(outcome, events)

    def max_loss(self, seat: int) -> int:
        """What a seat must be able to pay from the start (section 9, *Cover*)."""
        if not self.options.doubling or self.options.limit is None:
            return self.stake
        return self.options.limit if self.stake else 0

    def cover_for(self, text: str) -> int:
        return 2 * self.stake if text == "double" and self.options.limit is None else 0

    # ---------------------------------------------------------------------------- 7. hidden information

    def _more_zones(self) -> list[Zone]:
        return [
            open_zone(FR108, _REDS[seat], "reds", "row", tuple(reds), seat, seat)
            for seat, reds in enumerate(self.reds)
        ]

    def _facts(self) -> dict[str, Any]:
        return {
            "stake": self.stake,
            "cube": self.cube,
            "frozen": bool(wilds(self.discard)),
            "laid": _laid_json(self.laid),
            "last_laid": _laid_json(self.last_laid),
        }

    def _layable(self, seat: int) -> Iterable[bytes]:
        down = self._ranks_down(seat)
        found = [meld.cards for meld in largest_combinations(self.hands[seat]) if meld.rank not in down]
        threes = self._black_threes(seat)
        return found + [cards for cards in threes if len(cards) == len(threes[-1])]

    def _opening(self, seat: int) -> dict[str, int] | None:
        """The points ready and those needed, before the seat has opened."""
        is_turn = seat == self.turn
        down = self._ranks_down(seat)
        if self.opened if is_turn else down:
            return None
        ready = most_points(self.hands[seat], down) + (self._points_of_turn() if is_turn else 0)
        return {"ready": ready, "needed": self._minimum(seat)}

    # ------------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.reds = list(self.reds)
        new.opened = self.opened
        new.laid = list(self.laid)
        new.final = self.final
        new.last_laid = list(self.last_laid)
        new.stake = self.stake
        new.cube = self.cube
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "reds": [FR108.show(reds) for reds in self.reds],
            "opened": self.opened,
            "laid": _laid_json(self.laid),
            "final": self.final,
            "last_laid": _laid_json(self.last_laid),
            "stake": self.stake,
            "cube": self.cube,
        }

    @classmethod
    def from_json(cls, options: CanastaOptions, json: Mapping[str, Any]) -> Self:
        state, reds = cls._read_table(options, json, "reds")
        if reds is not None:
            state.reds = [in_order(each) for each in reds]
        state.laid = _read_laid(json.get("laid", []))
        state.final = json.get("final", 0)
        state.last_laid = _read_laid(json.get("last_laid", []))
        state.stake = json.get("stake", options.stake)
        state.cube = json.get("cube")
        if state.phase in _PROMPTS:
            is_offer = state.phase == "double"
            (actor,) = json.get("to_act", [state.dealer if is_offer else 1 - state.dealer])
            state.turn = 1 - actor if is_offer else actor
            state._check_position()
        state.opened = json.get("opened", bool(state._own(state.turn)))
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this."""
        if len(self.hands) != 2 or any(card in RED_THREES for hand in self.hands for card in cards_of(hand)):
            raise PositionError("hands", "must be two, without red threes")
        if len(self.reds) != 2 or any(card not in RED_THREES for reds in self.reds for card in reds):
            raise PositionError("reds", "must be two lists of red threes")
        if any(len(self._own(seat)) != len(self._ranks_down(seat)) for seat in range(2)):
            raise PositionError("melds", "a seat's combinations must differ in rank")


def _laid_json(laid: Sequence[Lay]) -> list[dict[str, Any]]:
    return [
        {"meld": step.meld, "cards": FR108.show(step.cards), "top": FR108.show(step.top)} for step in laid
    ]


def _read_laid(json: Sequence[Mapping[str, Any]]) -> list[Lay]:
    read = FR108.read
    return [Lay(step["meld"], bytes(read(step["cards"])), bytes(read(step["top"]))) for step in json]
