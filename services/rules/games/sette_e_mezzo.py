"""Sette e mezzo (sette_e_mezzo.md). A banker against two to ten seats less one; the deck `it40`.

Totals are counted in half points inside: seven and a half is 15.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self, cast

from services.rules.clock import LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, after_leaving, is_past_target, ko_ruling, places, verdict
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import amount, words
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    hands_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_spec,
)
from services.rules.core.options import Options, OptionSpec, Value
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_set, open_zone
from services.rules.families.chips import cut_to

_BEST = 15
_TIE_HANDS = 3
_MATTA = IT40.number["Kd"]
_VALUE = tuple(1 if face[0] in "JQK" else 2 * (card % 10 + 1) for card, face in enumerate(IT40.faces))
_MATTA_VALUES = (14, 12, 10, 8, 6, 4, 2, 1)
_HANDS = tuple(f"hands.{seat}" for seat in range(10))
_TURNS = ("bet", "punter", "banker")
_PROMPTS = {
    "bet": ("bet", {"it": "Punta", "en": "Bet"}),
    "punter": ("draw_or_stand", {"it": "Tira o stai", "en": "Draw or stand"}),
    "banker": ("draw_or_stand", {"it": "Tira o stai", "en": "Draw or stand"}),
}


@dataclass(frozen=True, slots=True)
class SetteOptions(Options):
    """`target` and the bets belong together: so many stakes are a match."""

    match: Literal["hands", "points"]
    hands: int
    min_bet: int
    max_bet: int
    target: int
    max_hands: int
    variant: Literal["duels", "round"]
    matta: bool
    real_pays: int
    bank: Literal["rotate", "real"]
    betting: Literal["fixed", "free"]
    reshuffle: Literal["match", "hand"]
    ko: bool

    def __post_init__(self) -> None:
        if self.min_bet > self.max_bet:
            raise OptionsError("max_bet", "must not be below min_bet")
        if self.target > 50 * self.min_bet:
            raise OptionsError("target", "must not be above 50 times min_bet")
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


@dataclass(frozen=True, slots=True)
class Act(Move):
    """`bet <n>`, `draw` or `stand`."""

    chips: int = 0


_DRAW = Act("draw", "draw", target="stock")
_STAND = Act("stand", "stand")


@lru_cache(maxsize=1024)
def _bet_of(chips: int) -> Act:
    return Act(f"bet {chips}", "bet", chips=chips)


@lru_cache(maxsize=1024)
def _read(text: str) -> Act | None:
    """Section 3: the move of this text, if it has the form of one."""
    match words(text):
        case ["draw"]:
            return _DRAW
        case ["stand"]:
            return _STAND
        case ["bet", word]:
            chips = amount(word)
            return None if chips is None else _bet_of(chips)
    return None


@lru_cache(maxsize=8192)
def total(cards: int, matta: bool) -> int:
    """What a hand, a set of cards, counts in half points; the matta takes its best value."""
    if not matta or not cards >> _MATTA & 1:
        return sum(_VALUE[card] for card in members(cards))
    others = sum(_VALUE[card] for card in members(cards & ~(1 << _MATTA)))
    if not others:
        return 1
    return others + next((value for value in _MATTA_VALUES if others + value <= _BEST), 1)


def _points(halves: int) -> float:
    """Half points as points; a whole number of them is an int."""
    return halves / 2 if halves % 2 else halves // 2


class SetteEMezzo(State[Act]):
    """A match of sette e mezzo. `dealer` is the banker; hands are lists with the face-down card first."""

    __slots__ = (
        "bets", "discard", "hands", "last_duel", "owed", "royal", "shown", "shuffled", "stock", "turn",
        "unseen", "unsettled", "won",
    )  # fmt: skip

    options: SetteOptions

    def __init__(self, options: SetteOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        seats = options.seats
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.stock = b""  # next card first
        self.discard = 0
        self.unseen = 0  # those of the discards that were never shown
        self.bets = [0] * seats
        self.turn = dealer
        self.owed: list[int] = []  # seats that get a card before anything else happens, in order
        self.unsettled: list[int] = []  # punters of this hand, in order of play
        self.shown = [False] * seats  # whose first card everybody sees
        self.won = [0] * seats  # in this hand
        self.royal: int | None = None  # the first punter who was paid for a royal in this hand
        self.last_duel: Mapping[str, Any] | None = None
        self.shuffled = b""  # the last shuffle of the running or ended hand, empty if there was none

    @property
    def _punters(self) -> list[int]:
        """The punters in order of play."""
        first, seats = self.dealer + 1, self.options.seats
        return [(first + distance) % seats for distance in range(seats - 1)]

    def _total(self, seat: int) -> int:
        return total(as_set(self.hands[seat]), self.options.matta)

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        """Where the stock goes on from hand to hand nothing is shuffled between hands, only dealt."""
        if self.phase == "deal":
            goes_on = self.options.reshuffle == "match" and (self.stock or self.discard)
            return Shuffle(() if goes_on else IT40.texts, "deal")
        if self.owed and not self.stock:
            return Shuffle(tuple(IT40.show_set(self.discard)), "stock")
        return None

    def supply(self, order: Sequence[int]) -> list[Event]:
        shuffle = self.needs_chance
        if shuffle is None:
            raise ValueError("no shuffle was asked for")
        check_order(order, len(shuffle.cards))
        events: list[Event] = []
        cards = IT40.read(shuffle.cards)
        if shuffle.purpose == "stock" or cards:
            self.stock = bytes(cards[place] for place in order)
            self.discard = self.unseen = 0
        if shuffle.purpose == "stock":
            self.shuffled = self.stock
            events.append(Event("stock_shuffled", None, {"stock": len(self.stock)}))
            self._give_owed(events)
        else:
            self.shuffled = self.stock if cards else b""
            self._begin_hand(events)
        return events

    def _begin_hand(self, events: list[Event]) -> None:
        seats = self.options.seats
        self.hands = [[] for _ in range(seats)]
        self.bets = [0] * seats
        self.won = [0] * seats
        self.royal = None
        self.unsettled = self._punters
        events.append(Event("hand_dealt", None, {"dealer": self.dealer, "stock": len(self.stock)}))
        self._deal(events)

    def _deal(self, events: list[Event]) -> None:
        """One card face down to who plays now (all punters, or that of the next duel), and the banker."""
        options = self.options
        self.turn = self.unsettled[0]
        self.shown = [False] * options.seats
        self.phase = "bet" if options.betting == "free" else "punter"
        self.owed = [*(self.unsettled if options.variant == "round" else [self.turn]), self.dealer]
        self._give_owed(events)

    def _give_owed(self, events: list[Event]) -> None:
        """Cards from the stock to those who are to get one; if it runs out chance is asked, and then on."""
        while self.owed:
            if not self.stock:
                return
            seat, *self.owed = self.owed
            card = self.stock[0]
            self.stock = self.stock[1:]
            self.hands[seat].append(card)
            face = IT40.faces[card]
            if len(self.hands[seat]) > 1:
                events.append(Event("card_drawn", seat, {"card": face}))
            else:
                events.append(Event("card_dealt", seat, {}, {seat: {"card": face}}))
                if self.options.betting == "fixed" and seat != self.dealer:
                    self.bets[seat] = self.options.min_bet
        self._look_at_turn(events)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase in _TURNS and not self.owed else ()

    def legal(self, seat: int) -> list[Act]:
        if seat not in self.to_act:
            return []
        if self.phase == "bet":
            return [_bet_of(chips) for chips in range(self.options.min_bet, self.options.max_bet + 1)]
        return [_DRAW, _STAND] if self.stock or self.discard else [_STAND]

    def _read(self, seat: int, text: str) -> Act | None:
        return _read(text)

    def _refusal(self, seat: int, move: Act) -> Refusal | None:
        """Section 8, row by row."""
        options = self.options
        if move.verb == "bet" and options.betting == "fixed":
            return Refusal("not_allowed", "every stake is fixed at this table", "bet")
        if (move.verb == "bet") != (self.phase == "bet"):
            return Refusal("wrong_phase", f"{move.verb} is not a move of this phase", move.verb)
        if move.verb == "bet" and move.chips < options.min_bet:
            return Refusal("bet_too_small", f"the least stake is {options.min_bet}", str(move.chips))
        if move.verb == "bet" and move.chips > options.max_bet:
            return Refusal("bet_too_big", f"the greatest stake is {options.max_bet}", str(move.chips))
        if move is _DRAW and not (self.stock or self.discard):  # only where a position leaves cards out
            return Refusal("stock_empty", "there is no card left", "draw")
        return None

    def _play(self, seat: int, move: Act) -> Applied:
        """Every move ends a turn of the clock (clock.md, section 10), even where the same seat goes on."""
        events: list[Event] = []
        unsettled = len(self.unsettled)
        if move.verb == "bet":
            self.bets[seat] = move.chips
            self.phase = "punter"
            events.append(Event("bet_made", seat, {"chips": move.chips}))
        elif move.verb == "draw":
            self.owed = [seat]
            self._give_owed(events)
        else:
            events.append(Event("seat_stood", seat, {}))
            self._end_turn(events)
        goes_on = self.phase in _TURNS and self.options.variant == "duels"
        is_dealt = goes_on and len(self.unsettled) < unsettled
        return Applied(move.text, events, lead_in_ms=LEAD_IN_DEAL_MS if is_dealt else 0)

    def _look_at_turn(self, events: list[Event]) -> None:
        """After a card: over the seat is out, at seven and a half its turn ends, below that it goes on."""
        seat = self.turn
        count = self._total(seat)
        if count < _BEST:
            return
        self._show(seat, events)
        if count > _BEST and seat != self.dealer:
            events.append(Event("seat_went_over", seat, {"total": _points(count)}))
            self._settle(seat, None, events)
        self._end_turn(events)

    def _show(self, seat: int, events: list[Event]) -> None:
        """Turn the first card of a seat up."""
        if not self.shown[seat]:
            self.shown[seat] = True
            events.append(Event("card_shown", seat, {"card": IT40.faces[self.hands[seat][0]]}))

    def _end_turn(self, events: list[Event]) -> None:
        """The next punter, the banker, or the settlement."""
        if self.turn == self.dealer:
            banker = self._total(self.dealer)
            if banker > _BEST:
                events.append(Event("seat_went_over", self.dealer, {"total": _points(banker)}))
            for punter in self.unsettled if self.options.variant == "round" else self.unsettled[:1]:
                self._show(punter, events)
                self._settle(punter, banker, events)
            self._end_banker(events)
            return
        later = self._punters[self._punters.index(self.turn) + 1 :]
        waiting = [seat for seat in later if seat in self.unsettled]
        if self.options.variant == "round" and waiting:
            self.turn = waiting[0]
            self.phase = "bet" if self.options.betting == "free" else "punter"
        elif any(self.hands[seat] for seat in self.unsettled):
            self.turn = self.dealer
            self.phase = "banker"
            self._show(self.dealer, events)
        else:
            self._end_banker(events)

    def _end_banker(self, events: list[Event]) -> None:
        """The banker's hand goes, played or not: another duel, or the end of the hand."""
        self._throw(self.dealer)
        if self.unsettled:
            self._deal(events)
        else:
            self._end_hand(events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _settle(self, punter: int, banker: int | None, events: list[Event]) -> None:
        """Section 4; `banker` is its total, None if it did not play. The punter's cards are seen by now."""
        count = self._total(punter)
        paid = -self.bets[punter]
        if banker is not None and (banker > _BEST or count > banker):
            paid = self.bets[punter]
            if count == _BEST and len(self.hands[punter]) == 2:
                paid *= self.options.real_pays
                if self.royal is None:
                    self.royal = punter
        self._pay(self.dealer, punter, paid)
        self.last_duel = {
            "punter": punter,
            "punter_total": _points(count),
            "banker_total": None if banker is None else _points(banker),
            "paid": paid,
        }
        events.append(Event("duel_settled", punter, dict(self.last_duel)))
        self._throw(punter)
        self.bets[punter] = 0
        self.unsettled = [seat for seat in self.unsettled if seat != punter]

    def _pay(self, giver: int, receiver: int, chips: int) -> None:
        for seat, change in ((giver, -chips), (receiver, chips)):
            self.won[seat] += change
            self.scores[seat] += change

    def _throw(self, seat: int) -> None:
        """The cards of a seat go to the discards; its first one unseen if it was not shown."""
        hand = self.hands[seat]
        self.discard |= as_set(hand)
        if not self.shown[seat]:
            self.unseen |= as_set(hand[:1])
        self.hands[seat] = []

    def _end_hand(self, events: list[Event]) -> None:
        options = self.options
        self._score(events)
        if outcome := self._decided():
            self._end_match(outcome, events)
            return
        if options.match == "hands" and self.hand >= options.hands:
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        if options.bank == "rotate":
            self.dealer = (self.dealer + 1) % options.seats
        elif self.royal is not None:
            self.dealer = self.royal

    def _decided(self) -> Outcome | None:
        """How the match ends with this hand, if it does."""
        options, scores = self.options, self.scores
        if options.match == "hands":
            if self.hand < options.hands:
                return None
            return verdict(scores, tie_break=self.tie_break, tie_hands=_TIE_HANDS, ko_order=None)
        is_last = self.hand >= options.max_hands
        if not is_last and not is_past_target(scores, options.target, "reach"):
            return None
        ranking = places(scores)
        if ranking.count(1) == 1:
            return Outcome(ranking.index(1), tuple(ranking), "score")
        if not is_last:
            return None
        if options.ko:
            loser = self.won.index(max(self.won))
            return ko_ruling(ranking, (1 - loser, loser))
        return Outcome(None, tuple(ranking), "draw")

    def _score(self, events: list[Event]) -> None:
        """Points were added to the scores as they were won."""
        self.hand_score = hand_score({"total": self.won})
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores)}
        events.append(Event("hand_ended", None, data))

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    def max_loss(self, seat: int) -> int:
        """What a hand takes at most: all stakes; or, by leaving late in it, those and the extra; or what was
        won before, which leaving lowers to the lowest of the others."""
        options = self.options
        others = options.seats - 1
        stake = options.max_bet if options.betting == "free" else options.min_bet
        by_play = [stake] * options.seats
        by_play[self.dealer] = others * stake * options.real_pays
        open_stakes = stake
        if seat == self.dealer:
            settled_at = options.real_pays if options.variant == "duels" else 1
            open_stakes += (others - 1) * stake * settled_at
        lowest = min(
            self.scores[other] + options.min_bet - by_play[other]
            for other in range(options.seats)
            if other != seat
        )
        return max(by_play[seat], open_stakes + others * options.min_bet, self.scores[seat] - lowest)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        others = [other for other in (*self._punters, self.dealer) if other != seat]
        if self.phase != "deal":
            least = self.options.min_bet
            for punter in self.unsettled:
                if seat == self.dealer:
                    self._pay(seat, punter, self.bets[punter] or least)
                elif seat == punter:
                    self._pay(seat, self.dealer, self.bets[punter] or least)
            for other in others:
                self._pay(seat, other, least)
            self.owed = []
            self.unsettled = []
            self.bets = [0] * self.options.seats
            self._score(events)
        cut_to(min(self.scores[other] for other in others), self.scores, seat, others)
        self._end_match(after_leaving(self.scores, seat, seat), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    @property
    def whole_deck_shown(self) -> bool:
        return False  # nobody ever sees the stock

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = self.discard & ~self.unseen
        for seat, hand in enumerate(self.hands):
            shown |= as_set(hand if self._sees_all(viewer, seat) else hand[1:])
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def _sees_all(self, viewer: int | None, seat: int) -> bool:
        return self.shown[seat] or seat == viewer or not self.hands[seat]

    def _totals(self, viewer: int | None) -> list[float | None]:
        """The totals of the hands of which the viewer sees every card."""
        return [
            _points(self._total(seat)) if self._sees_all(viewer, seat) else None
            for seat in range(self.options.seats)
        ]

    def public_view(self) -> View:
        zones = [self._hand_zone(seat, self._sees_all(None, seat)) for seat in range(self.options.seats)]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        seen = open_set(IT40, "discard", "discard", "pile", self.discard & ~self.unseen)
        zones.append(seen._replace(count=self.discard.bit_count()))
        prompts = []
        if self.to_act:
            code, text = _PROMPTS[self.phase]
            prompts.append(Prompt(self.to_act, code, text))
        facts = {
            "bets": list(self.bets),
            "totals": self._totals(None),
            "last_duel": self.last_duel and dict(self.last_duel),
        }
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        if self._sees_all(None, seat):
            return self._view([], [], self.legal(seat), {})
        return self._view([self._hand_zone(seat, True)], [], self.legal(seat), {"totals": self._totals(seat)})

    def _hand_zone(self, seat: int, is_open: bool) -> Zone:
        hand, name = self.hands[seat], _HANDS[seat]
        if is_open:
            return open_zone(IT40, name, "hands", "row", tuple(hand), seat, seat)
        if len(hand) == 1:
            return closed_zone(name, "hands", "row", 1, seat, seat)
        return open_zone(IT40, name, "hands", "row", tuple(hand[1:]), seat, seat)._replace(count=len(hand))

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = [list(hand) for hand in self.hands]
        new.stock = self.stock
        new.discard = self.discard
        new.unseen = self.unseen
        new.bets = list(self.bets)
        new.turn = self.turn
        new.owed = list(self.owed)
        new.unsettled = list(self.unsettled)
        new.shown = list(self.shown)
        new.won = list(self.won)
        new.royal = self.royal
        new.last_duel = self.last_duel
        new.shuffled = self.shuffled
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [IT40.show(hand) for hand in self.hands],
            "stock": IT40.show(self.stock),
            "discard": IT40.show_set(self.discard),
            "unseen": IT40.show_set(self.unseen),
            "bets": list(self.bets),
            "totals": [_points(self._total(seat)) for seat in range(self.options.seats)],
            "last_duel": self.last_duel and dict(self.last_duel),
            "turn": self.turn,
            "owed": list(self.owed),
            "unsettled": list(self.unsettled),
            "shown": list(self.shown),
            "won": list(self.won),
            "royal": self.royal,
            "shuffled": IT40.show(self.shuffled),
        }

    @classmethod
    def from_json(cls, options: SetteOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        seats = options.seats
        zones = read_zones(json, IT40, whole=["stock", "discard"], parted=["hands"])
        state.hands = zones.get("hands", state.hands)
        state.stock = bytes(zones.get("stock", [[]])[0])
        state.discard = as_set(zones.get("discard", [[]])[0])
        state.unseen = as_set(IT40.read(json.get("unseen", [])))
        state.bets = list(json.get("bets", state.bets))
        state.owed = list(json.get("owed", []))
        state.won = list(json.get("won", state.won))
        state.royal = json.get("royal")
        state.last_duel = json.get("last_duel")
        state.shuffled = bytes(IT40.read(json.get("shuffled", [])))
        for name, parts in (("hands", state.hands), ("bets", state.bets)):
            if len(parts) != seats:
                raise PositionError(name, f"must be {seats}, one a seat")
        if state.phase in ("deal", "over"):
            state.turn = json.get("turn", state.turn)
        else:
            if "hands" not in json:
                raise PositionError("hands", "must be given")
            state._read_hand(json)
        state.unsettled = list(json.get("unsettled", state.unsettled))
        state.shown = list(json.get("shown", state.shown))
        return state

    def _read_hand(self, json: Mapping[str, Any]) -> None:
        """Whose turn it is, who is settled and what is shown, as far as that follows; or PositionError."""
        punters = self._punters
        is_round = self.options.variant == "round"
        with_cards = [seat for seat in punters if self.hands[seat]]
        if not self.owed and (not self.hands[self.dealer] or not with_cards):
            raise PositionError("hands", "the banker and a punter must hold cards")
        if not is_round and len(with_cards) > 1:
            raise PositionError("hands", "one punter plays at a time")
        running = with_cards[:1] or self.owed[:1]
        self.unsettled = with_cards if is_round else punters[punters.index(running[0]) :]
        (self.turn,) = json.get("to_act") or [
            json.get("turn", self.dealer if self.phase == "banker" else running[0])
        ]
        if (
            self.turn != self.dealer
            and self.turn not in running
            and not (is_round and self.turn in with_cards)
        ):
            raise PositionError("to_act", "must be the banker or a punter who holds cards")
        if self.options.betting == "fixed":
            self.bets = [self.options.min_bet if seat in with_cards else 0 for seat in range(len(self.bets))]
        if self.turn == self.dealer:
            self.phase = "banker"
        else:
            is_to_bet = self.options.betting == "free" and not self.bets[self.turn]
            self.phase = "bet" if is_to_bet else "punter"
        self._read_shown(with_cards, json)

    def _read_shown(self, with_cards: list[int], json: Mapping[str, Any]) -> None:
        has_finished = with_cards[: with_cards.index(self.turn)] if self.turn in with_cards else with_cards
        if "unsettled" not in json:  # a bare position
            if not all(self.bets[seat] for seat in has_finished):
                raise PositionError("bets", "who has finished its turn has bet")
            if self._total(self.turn) >= _BEST or any(self._total(seat) > _BEST for seat in with_cards):
                raise PositionError("hands", "a turn ends at seven and a half, and who is over is settled")
        self.shown = [
            seat == self.turn == self.dealer or (seat in has_finished and self._total(seat) == _BEST)
            for seat in range(len(self.hands))
        ]


def _usual_hands(options: Mapping[str, Value]) -> int:
    """Ten hands for two, else two for each seat as banker."""
    seats = cast("int", options["seats"])
    return 10 if seats == 2 else 2 * seats


def _usual_target(options: Mapping[str, Value]) -> int:
    return 10 * cast("int", options["min_bet"])


SETTE_E_MEZZO = Game(
    id="sette_e_mezzo",
    names={"it": "Sette e mezzo", "en": "Seven and a half"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(2, range(2, 11)),
        match_spec("hands", ("hands", "points")),
        hands_spec(10, 100, derive=_usual_hands),
        OptionSpec("min_bet", "int", 1, {"it": "Posta minima", "en": "Least stake"}, low=1, high=100),
        OptionSpec("max_bet", "int", 10, {"it": "Posta massima", "en": "Greatest stake"}, low=1, high=100),
        target_spec(10, 1, 5000, derive=_usual_target),
        max_hands_spec(),
        OptionSpec(
            "variant",
            "choice",
            "duels",
            {"it": "Duelli, o tutti contro una mano del banco", "en": "Duels, or all against one hand"},
            choices=("duels", "round"),
        ),
        flag_spec("matta", True, "Il re di denari è la matta", "The king of coins is wild"),
        OptionSpec(
            "real_pays",
            "choice",
            2,
            {"it": "Quante poste paga il reale", "en": "Stakes paid for a royal"},
            choices=(1, 2),
        ),
        OptionSpec(
            "bank",
            "choice",
            "rotate",
            {"it": "Il banco passa a ogni smazzata o col reale", "en": "The bank passes on, or by a royal"},
            choices=("rotate", "real"),
        ),
        OptionSpec(
            "betting",
            "choice",
            "fixed",
            {"it": "Poste fisse o libere", "en": "Fixed stakes, or free ones"},
            choices=("fixed", "free"),
        ),
        OptionSpec(
            "reshuffle",
            "choice",
            "match",
            {"it": "Si mescola a inizio partita o a ogni smazzata", "en": "One shuffle, or one a hand"},
            choices=("match", "hand"),
        ),
        KO,
    ),
    options_type=SetteOptions,
    state_type=SetteEMezzo,
    heaps=frozenset({"discard"}),
)
