"""Tarocco (tarocco.md). Four seats, two sides in a hand, everybody for himself in the match; `tarocco40`."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import TAROCCO40, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import abandoned, as_it_stands, is_past_target
from services.rules.core.moves import Applied, Event, Move, card_played
from services.rules.core.position import read_zones
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import open_zone, seat_zone
from services.rules.families.held_hands import HeldHands
from services.rules.families.tricks import Play, plays
from services.rules.games import tarocco_scoring as scoring
from services.rules.games.tarocco_calls import CALLS, Bid, Calls
from services.rules.games.tarocco_cards import (
    ALL_CARDS,
    BAGATTO,
    KINGS,
    LOW_CARDS,
    MATTO,
    MONDO,
    TAROCKS,
    TOUS_LES_TROIS,
)
from services.rules.games.tarocco_contract import ALL_SEATS
from services.rules.games.tarocco_money import TAROCCO_SPECS, TaroccoOptions, most_to_pay, settle
from services.rules.games.tarocco_scoring import Bonus
from services.rules.games.tarocco_tricks import Trick, playable, taking_place, why_not

_PACKET = 5
_HAND = 10
_PROMPTS = {
    "bid_game": {"it": "Chiama un gioco", "en": "Bid a game"},
    "call_or_pass": {"it": "Chiama, o di' Avanti", "en": "Call, or pass"},
    "call_more": {"it": "Altre chiamate, o fine", "en": "More calls, or done"},
    "play_card": {"it": "Gioca una carta", "en": "Play a card"},
}

_WRONG_PHASE = Refusal(
    "wrong_phase", "that belongs to the other phase of the hand: first the calls, then play"
)


_PLAYS = plays(TAROCCO40)
_MOVES: Mapping[str, Move] = {move.text: move for move in (*CALLS, *_PLAYS)}


class Tarocco(HeldHands[Move]):
    """A match of tarocco. Hands and piles (`captured`) are sets of cards, one a seat; sets of seats are ints
    with bit n set for seat n."""

    __slots__ = (
        "bonus",
        "calls",
        "captured",
        "leader",
        "shuffled",
        "trick",
        "tricks",
        "turn",
        "void_deals",
    )

    deck = TAROCCO40
    options: TaroccoOptions

    def __init__(self, options: TaroccoOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.captured = [0] * 4
        self.shuffled = b""  # the deck of the running or ended hand as it was dealt, empty if not known
        self.void_deals = 0  # how often the deal of the hand to come was thrown back
        self._begin_hand()

    # --------------------------------------------------------------------------------- 2. deal

    def _begin_hand(self) -> None:
        """Everything of a hand but its cards, before the first call."""
        self.turn = (self.dealer + 1) % 4
        self.calls = Calls()
        self.trick: tuple[int, ...] = ()
        self.leader = self.turn
        self.tricks: tuple[Trick, ...] = ()  # complete ones, as far as they are known
        self.bonus = Bonus()

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase != "deal":
            return None
        return Shuffle(TAROCCO40.texts, "redeal" if self.void_deals else "deal")

    def supply(self, order: Sequence[int]) -> list[Event]:
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        check_order(order, len(TAROCCO40.cards))
        deck = bytes(order)
        hands = [0] * 4
        for packet in range(8):
            cards = deck[packet * _PACKET : (packet + 1) * _PACKET]
            hands[(self.dealer + 1 + packet) % 4] |= as_set(cards)
        if reason := _void_reason(hands):
            self.void_deals += 1
            return [Event("deal_voided", None, {"reason": reason})]
        self.phase = "calls"
        self.void_deals = 0
        self.shuffled = deck
        self.hands = hands
        self.captured = [0] * 4
        self._begin_hand()
        self.bonus = _dealt_bonus(hands)
        return [self._dealt({"dealer": self.dealer})]

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase in ("calls", "play") else ()

    def legal(self, seat: int) -> list[Move]:
        if seat not in self.to_act:
            return []
        if self.phase == "play":
            return [_PLAYS[card] for card in members(self._playable(seat))]
        return self.calls.legal(seat, self.hands[seat])

    def _read(self, seat: int, text: str) -> Move | None:
        return _MOVES.get(text)

    def _refusal(self, seat: int, move: Move) -> Refusal | None:
        """Section 8, row by row."""
        if isinstance(move, Play) != (self.phase == "play"):
            return _WRONG_PHASE
        if isinstance(move, Play):
            return self._play_refusal(seat, move)
        return self.calls.refusal(seat, self.hands[seat], move)

    def _play(self, seat: int, move: Move) -> Applied:
        return self._play_card(seat, move) if isinstance(move, Play) else self._call(seat, move)

    # --------------------------------------------------------------------------------- 3.1 calls

    def _call(self, seat: int, call: Move) -> Applied:
        events = [_call_made(seat, call.text)]
        before = self.calls
        calls = before.made(seat, call, self._holder(call.called) if isinstance(call, Bid) else 0)
        self.calls = calls
        if calls.declared != before.declared or calls.callers != before.callers:
            events.append(self._sides_revealed())
        if calls.has_called:
            return Applied(call.text, events, turn_ended=False)
        self.turn = (seat + 1) % 4
        if calls.passes == 3:
            self.phase = "play"
            self.turn = self.leader
            events.append(Event("calls_ended", None, {"contract": calls.standing.to_json()}))
        return Applied(call.text, events)

    def _holder(self, called: int | None) -> int:
        """The seat that holds this card, as a set of seats."""
        if called is None:
            return 0
        return as_set(seat for seat, hand in enumerate(self.hands) if hand >> called & 1)

    def _sides_revealed(self) -> Event:
        return Event("sides_revealed", None, {"revealed": self.calls.revealed})

    # --------------------------------------------------------------------------------- 3.2 tricks

    @property
    def _is_suit_solo(self) -> bool:
        return self.calls.standing.game == "solo_seme"

    def _playable(self, seat: int) -> int:
        """The cards that a seat may play."""
        hand, contract = self.hands[seat], self.calls.standing
        return playable(
            hand,
            self.trick,
            suit_solo=contract.game == "solo_seme",
            keeps_bagatto=bool(hand >> BAGATTO & 1 and contract.addition("bagatto")),
        )

    def _play_refusal(self, seat: int, move: Play) -> Refusal | None:
        if not self.hands[seat] >> move.card & 1:
            (face,) = move.cards
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if self._playable(seat) >> move.card & 1:
            return None
        return why_not(move.card, self.hands[seat], self.trick, suit_solo=self._is_suit_solo)

    def _play_card(self, seat: int, move: Play) -> Applied:
        self.hands[seat] ^= 1 << move.card
        self.trick = (*self.trick, move.card)
        events = [card_played(TAROCCO40, seat, move.card)]
        if move.card == self.calls.standing.called and self.calls.declared != ALL_SEATS:
            self.calls = self.calls.declaring(seat)
            events.append(self._sides_revealed())
        self.turn = (seat + 1) % 4
        if len(self.trick) < 4:
            return Applied(move.text, events)
        trick = self._end_trick(events)
        if any(self.hands) and not self._has_lost_tutte(trick.winner):
            return Applied(move.text, events, lead_in_ms=LEAD_IN_CAPTURE_MS)
        self._end_hand(trick, events)
        return Applied(move.text, events)

    def _end_trick(self, events: list[Event]) -> Trick:
        cards = self.trick
        taken = as_set(cards)
        place = taking_place(cards, taken, suit_solo=self._is_suit_solo)
        trick = Trick(self.leader, cards, (self.leader + place) % 4)
        if cards[place] == MATTO and MONDO in cards:
            self.bonus = self.bonus._replace(presa_mondo=trick.player(MONDO))
        self.captured[trick.winner] |= taken
        self.tricks = (*self.tricks, trick)
        self.trick = ()
        self.leader = self.turn = trick.winner
        events.append(Event("trick_taken", trick.winner, {"cards": TAROCCO40.show(cards)}))
        return trick

    def _has_lost_tutte(self, winner: int) -> bool:
        tutte = self.calls.standing.addition("tutte")
        return tutte is not None and self.calls.is_caller(tutte.seat) != self.calls.is_caller(winner)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, last: Trick, events: list[Event]) -> None:
        callers = self.calls.callers
        items = scoring.hand_items(self.calls.standing, callers, self.captured, self.bonus, last)
        score = scoring.hand_score(items, self.captured, callers)
        self._settle(score, sum(items.values()), callers, events)
        self._after_hand(events, is_due=self._is_due(), tie_hands=0, ko_order=self._ko_order())

    def _ko_order(self) -> list[int] | None:
        """With `ko`: who took the last trick comes last of the level ones."""
        last = self.tricks[-1].winner
        return [(last + distance) % 4 for distance in range(1, 5)] if self.options.ko else None

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return is_past_target(self.scores, options.target, "reach")

    def _settle(self, items: dict[str, list[int]], value: int, callers: int, events: list[Event]) -> None:
        """Add a hand's total to the scores, and settle it."""
        self._add_total(items)
        self.settlement = settle(self.options, value, callers)
        data = {**self._scored_json(), "settlement": self._settlement_json()}
        events.append(Event("hand_ended", None, data))

    def _break_off(self, events: list[Event]) -> None:
        self._end_match(as_it_stands(self.scores, self._ko_order() if self.tricks else None), events)

    def max_loss(self, seat: int) -> int:
        return most_to_pay(self.options)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        if self.phase != "deal":
            value = -scoring.forfeit(self.calls.contract)
            paid = scoring.per_seat(value, 1 << seat)
            self._settle({"forfeit": paid, "total": paid}, value, 1 << seat, events)
        self._end_match(abandoned(self.scores, seat, seat), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    @property
    def _is_shown(self) -> bool:
        """Whether a hand has ended and everybody may see all of it."""
        return self.phase in ("deal", "over")

    def _open_hands(self, viewer: int | None) -> Sequence[int]:
        if self._is_shown:
            return range(4)
        return () if viewer is None else (viewer,)

    def _played(self) -> list[int]:
        """Per seat the cards that it has played, as far as they are known."""
        played = [0] * 4
        for leader, cards in (
            *((trick.leader, trick.cards) for trick in self.tricks),
            (self.leader, self.trick),
        ):
            for distance, card in enumerate(cards):
                played[(leader + distance) % 4] |= 1 << card
        return played

    @property
    def whole_deck_shown(self) -> bool:
        return self._is_shown and any((*self.hands, *self.captured))

    def openings(self, viewer: int | None) -> Sequence[int]:
        if self._is_shown:
            return list(range(len(self.shuffled)))
        shown = sum(self._played())
        if viewer is not None:
            shown |= self.hands[viewer]
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def public_view(self) -> View:
        is_shown = self._is_shown
        contract = self.calls.contract
        zones = self._public_hands()
        zones += [self._pile_zone(owner, is_shown) for owner in range(4)]
        zones.append(open_zone(TAROCCO40, "trick", "trick", "trick", self.trick, ordered=True))
        facts: dict[str, Any] = {
            "contract": contract and contract.to_json(),
            "revealed": self.calls.revealed,
            "accepted": list(members(self.calls.accepted)),
            "leader": self.leader,
            "last_trick": _trick_json(self.tricks[-1]) if self.tricks else None,
            "settlement": self._settlement_json(),
            "dealt": self._dealt_json() if is_shown else None,
            "tricks": [_trick_json(trick) for trick in self.tricks] if is_shown else None,
        }
        return self._view(zones, self._prompts(), [], facts)

    def own_view(self, seat: int) -> View:
        zones = []
        if not self._is_shown:
            zones = [*self._own_hands(seat), self._pile_zone(seat, True)]
            contract = self.calls.contract
            if contract and contract.caller == seat and self.calls.declared == ALL_SEATS:
                partner = self.calls.callers ^ 1 << seat
                zones += [self._pile_zone(owner, True) for owner in members(partner)]
        return self._view(zones, [], self.legal(seat), {})

    def _prompts(self) -> list[Prompt]:
        if self._is_shown:
            return []
        if self.phase == "play":
            code = "play_card"
        elif self.calls.contract is None:
            code = "bid_game"
        else:
            code = "call_more" if self.calls.has_called else "call_or_pass"
        return [Prompt(self.to_act, code, _PROMPTS[code])]

    def _pile_zone(self, owner: int, is_open: bool) -> Zone:
        return seat_zone(TAROCCO40, "captured", "pile", owner, members(self.captured[owner]), is_open)

    def _dealt_json(self) -> list[list[str]] | None:
        """The hands as they were dealt, None if not all of it is known."""
        dealt = [hand | played for hand, played in zip(self.hands, self._played(), strict=True)]
        return [TAROCCO40.show_set(hand) for hand in dealt] if sum(dealt) == ALL_CARDS else None

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = list(self.hands)
        new.captured = list(self.captured)
        new.shuffled = self.shuffled
        new.void_deals = self.void_deals
        new.turn = self.turn
        new.calls = self.calls
        new.trick = self.trick
        new.leader = self.leader
        new.tricks = self.tricks
        new.bonus = self.bonus
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            **self.calls.to_json(),
            "hands": [TAROCCO40.show_set(hand) for hand in self.hands],
            "captured": [TAROCCO40.show_set(pile) for pile in self.captured],
            "trick": TAROCCO40.show(self.trick),
            "leader": self.leader,
            "tricks": [_trick_json(trick) for trick in self.tricks],
            "bonus": self.bonus._asdict(),
            "shuffled": TAROCCO40.show(self.shuffled),
            "void_deals": self.void_deals,
        }

    @classmethod
    def from_json(cls, options: TaroccoOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        if "phase" not in json:
            state.phase = "calls" if json.get("contract") is None else "play"
        zones = read_zones(json, TAROCCO40, whole=["trick"], parted=["hands", "captured"])
        state.hands = [as_set(hand) for hand in zones.get("hands", [[]] * 4)]
        state.captured = [as_set(pile) for pile in zones.get("captured", [[]] * 4)]
        state.trick = tuple(zones.get("trick", [[]])[0])
        state.leader = json.get("leader", (state.dealer + 1) % 4)
        (state.turn,) = json.get("to_act") or [(state.leader + len(state.trick)) % 4]
        state.shuffled = bytes(TAROCCO40.read(json.get("shuffled", [])))
        state.void_deals = json.get("void_deals", 0)
        state.tricks = tuple(
            Trick(trick["leader"], tuple(TAROCCO40.read(trick["cards"])), trick["winner"])
            for trick in json.get("tricks", [])
        )
        if state.phase in ("calls", "play"):
            state._check_position()
        held = state._held()
        state.calls = Calls.from_json(json, state.hands, held)
        if state.phase == "play" and state.calls.contract is None:
            raise PositionError("contract", "must be given in play")
        bonus = json.get("bonus", {})
        state.bonus = Bonus(*map(bonus.get, Bonus._fields)) if any(state.captured) else _dealt_bonus(held)
        return state

    def _held(self) -> list[int]:
        """Per seat its hand and what it has in the trick."""
        held = list(self.hands)
        for distance, card in enumerate(self.trick):
            held[(self.leader + distance) % 4] |= 1 << card
        return held

    def _check_position(self) -> None:
        """PositionError unless a hand can stand like this."""
        if len(self.hands) != 4 or len(self.captured) != 4:
            raise PositionError("hands", "must be four, and so must be the piles")
        if sum((*self.hands, *self.captured, as_set(self.trick))) != ALL_CARDS:
            raise PositionError("cards", "all forty must be somewhere")
        if self.leader not in range(4) or self.turn not in range(4):
            raise PositionError("leader", "must be a seat, and so must be who is to act")
        if self.phase == "calls":
            if any(hand.bit_count() != _HAND for hand in self.hands):
                raise PositionError("hands", "must be full before the first card")
            return
        if len(self.trick) > 3 or self.turn != (self.leader + len(self.trick)) % 4:
            raise PositionError("to_act", "must be whose turn it is in the trick")
        sizes = {hand.bit_count() for hand in self._held()}
        if not self.hands[self.turn] or len(sizes) > 1:
            raise PositionError("hands", "must be level, but for the cards of the trick")


def _void_reason(hands: Sequence[int]) -> str | None:
    """Why a deal is thrown back, if it is."""
    if any((hand & TAROCKS).bit_count() < 2 for hand in hands):
        return "too_few_tarocks"
    if any(hand & LOW_CARDS == LOW_CARDS for hand in hands):
        return "four_low_cards"
    return None


def _dealt_bonus(hands: Sequence[int]) -> Bonus:
    """The bonuses that lie in these hands, as dealt."""

    def whole(cards: int) -> int | None:
        return next((seat for seat, hand in enumerate(hands) if hand & cards == cards), None)

    return Bonus(whole(TOUS_LES_TROIS), whole(KINGS))


@cache  # the same few come again and again
def _call_made(seat: int, text: str) -> Event:
    return Event("call_made", seat, {"call": text})


def _trick_json(trick: Trick) -> dict[str, Any]:
    return {"leader": trick.leader, "cards": TAROCCO40.show(trick.cards), "winner": trick.winner}


TAROCCO = Game(
    id="tarocco",
    names={"it": "Tarocco", "en": "Tarock"},
    deck=TAROCCO40,
    direction="clockwise",
    rules_version=1,
    specs=TAROCCO_SPECS,
    options_type=TaroccoOptions,
    state_type=Tarocco,
    money="own",
    by_hand=True,
)
