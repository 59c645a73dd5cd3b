"""Poker all'italiana (poker.md). Two to six seats; the upper part of the deck `fr52`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, Self

from services.rules.clock import LEAD_IN_DEAL_MS
from services.rules.core.cards import FR52, Deck, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import EndedBy, Outcome
from services.rules.core.moves import ABANDON, Applied, Event, Move
from services.rules.core.notation import amount, words
from services.rules.core.option_specs import ante_spec, flag_spec, hands_spec, seats_spec
from services.rules.core.options import Options, OptionSpec
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_set
from services.rules.families.chips import shares, side_pots
from services.rules.families.poker_hands import best, opens

Status = Literal["in", "folded", "away"]  # away: not dealt in

_HAND = 5
_MOST_CHANGED = 4
_BLINDS = 3  # blind, counter-blind, over
_TIE_HANDS = 3
_MOST_DOUBLINGS = 10
_MOST_CIPS = 2000
_LEVELS = {"J": 10, "Q": 11, "K": 12}  # the rank of the least pair that opens
_BETTING = ("open", "first", "final")
_HANDS = tuple(f"hands.{seat}" for seat in range(6))
_FORMS = ("blind", "noblind", "check", "parola", "fold", "call")
_NOT_PLAYING = Refusal("not_your_turn", "this seat is out of the match")
_PROMPTS = {
    "blind": ("blind", {"it": "Apri al buio o rinuncia", "en": "Open blind, or decline"}),
    "open": ("open", {"it": "Apri, busso o passo", "en": "Open, check or fold"}),
    "first": ("answer", {"it": "Vedi, rilancia o passo", "en": "Call, raise or fold"}),
    "change": ("change", {"it": "Cambia fino a quattro carte", "en": "Change up to four cards"}),
    "final": ("bet", {"it": "Punta o passa la parola", "en": "Bet, or leave the word"}),
}


def _lowest(dealt: int) -> int:
    """The lowest rank of the deck where so many are dealt in: 11 less their number."""
    return 10 - dealt


_DECKS = {
    dealt: Deck(
        FR52.id, FR52.faces, tuple(card for card in FR52.cards if (card % 13 or 13) >= _lowest(dealt))
    )
    for dealt in range(2, 7)
}


@dataclass(frozen=True, slots=True)
class PokerOptions(Options):
    """`ante` and `cip` are those of the first hand."""

    match: Literal["freezeout", "hands"]
    hands: int
    stack: int
    ante: int
    cip: int
    level_hands: int
    betting: Literal["pot_limit", "no_limit"]
    blind: bool
    counterblind: bool

    def __post_init__(self) -> None:
        if self.cip > 2 * self.ante:
            raise OptionsError("cip", "must not be above twice the ante")
        if self.stack > _MOST_CIPS * self.cip:
            raise OptionsError("stack", f"must not be above {_MOST_CIPS} times the cip")


@dataclass(frozen=True, slots=True)
class Act(Move):
    """A move: its chips, or the set of cards that it changes."""

    chips: int = 0
    named: int = 0


_PLAIN = {verb: Act(verb, verb) for verb in _FORMS}


@lru_cache(maxsize=4096)
def _wager(verb: str, chips: int) -> Act:
    return Act(f"{verb} {chips}", verb, chips=chips)


@lru_cache(maxsize=64)
def _ladder(verb: str, cip: int, bits: int) -> tuple[Act, ...]:
    """The wagers of 0, 1, 2 … cip, less than 2 to the power of `bits` of them: every list of amounts is a
    part of one."""
    return tuple(Act(f"{verb} {step * cip}", verb, chips=step * cip) for step in range(1 << bits))


@lru_cache(maxsize=16384)
def _change_of(cards: tuple[int, ...]) -> Act:
    """Change these cards, which are in deck order; one may be named twice."""
    faces = tuple(FR52.show(cards))
    return Act(" ".join(("change", *faces)), "change", faces, (), "discard", named=as_set(cards))


@lru_cache(maxsize=4096)
def _changes(hand: int, most: int) -> tuple[Act, ...]:
    """The 31 exchanges of a hand (fewer where so many cards cannot be drawn)."""
    cards = members(hand)
    return tuple(_change_of(some) for size in range(most + 1) for some in combinations(cards, size))


@lru_cache(maxsize=4096)
def _read(text: str) -> Act | None:
    """Section 3: the move of this text, if it has the form of one."""
    match words(text):
        case [verb] if verb in _PLAIN:
            return _PLAIN[verb]
        case [("bet" | "raise") as verb, word]:
            chips = amount(word)
            return None if chips is None else _wager(verb, chips)
        case ["change", *cards] if all(card in FR52.number for card in cards):
            return _change_of(tuple(sorted(FR52.read(cards))))
    return None


class Poker(State[Act]):
    """A match of poker. `scores` are the chips in front of each seat; hands are sets of cards."""

    __slots__ = (
        "bets", "blinder", "carried", "changed", "discard", "ended", "hands", "held", "increase",
        "is_checked", "is_shown", "level", "opener", "owed", "placed", "pots", "put", "raiser", "shuffled",
        "spoken", "status", "stock", "throwing", "turn",
    )  # fmt: skip

    options: PokerOptions

    def __init__(self, options: PokerOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        seats = options.seats
        self.scores = [options.stack] * seats
        self.placed: list[int | None] = [None] * seats  # the place of each seat that is out or has left
        self.level = "J"
        self.carried = 0
        self.ended: str | None = None  # how the last hand ended
        self.pots: tuple[tuple[int, tuple[int, ...]], ...] = ()  # its pots: chips and winners
        self.turn = dealer
        self.shuffled = b""  # the last shuffle of the running or ended hand, empty if not known
        self._clear()

    def _clear(self) -> None:
        """Nothing of a hand is on the table."""
        seats = self.options.seats
        self.status: list[Status] = ["away"] * seats
        self.hands = [0] * seats
        self.held = [0] * seats  # which cards of the last shuffle each seat has had
        self.stock = b""  # next card first
        self.discard = 0
        self.throwing = 0  # discards of the exchange being made: not shuffled into the new stock
        self.owed = 0  # cards that the seat to change still gets
        self.changed: list[int | None] = [None] * seats  # how many cards each has changed
        self.put = [0] * seats  # in this hand
        self.bets = [0] * seats  # in this round
        self.spoken = [False] * seats  # in this round, while nobody has bet
        self.is_checked = False  # somebody has checked or bet in `final`: no more parola
        self.increase = 0  # the last bet or raise went up by this
        self.opener: int | None = None
        self.raiser: int | None = None  # who raised last in `first`
        self.blinder: int | None = None  # who bet the last blind
        self.is_shown = False  # the hands still in are open: a showdown

    # ------------------------------------------------------------------------------ seats and chips

    def _from(self, first: int) -> list[int]:
        """All seats in seat order from this one."""
        seats = self.options.seats
        return [(first + distance) % seats for distance in range(seats)]

    @property
    def _staying(self) -> list[int]:
        """The seats that are in, in dealing order."""
        return [seat for seat in self._from(self.dealer + 1) if self.status[seat] == "in"]

    def _is_able(self, seat: int) -> bool:
        return self.status[seat] == "in" and self.scores[seat] > 0

    def _others_able(self, seat: int) -> bool:
        return any(self._is_able(other) for other in range(self.options.seats) if other != seat)

    @property
    def _dealt(self) -> int:
        """How many are dealt in: they make the deck."""
        return self.options.seats - self.status.count("away")

    @property
    def _pot(self) -> int:
        return self.carried if self.phase in ("deal", "over") else self.carried + sum(self.put)

    def _doubled(self, chips: int) -> int:
        """An amount of the first hand in this one."""
        every = self.options.level_hands
        return chips << min((self.hand - 1) // every, _MOST_DOUBLINGS) if every else chips

    @property
    def _ante(self) -> int:
        return self._doubled(self.options.ante)

    @property
    def _cip(self) -> int:
        return self._doubled(self.options.cip)

    def _pay(self, seat: int, chips: int) -> None:
        """From the seat into the pot."""
        self.scores[seat] -= chips
        self.put[seat] += chips

    @property
    def places(self) -> Sequence[int | None]:
        return self.outcome.places if self.outcome else tuple(self.placed)

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase == "deal":
            playing = sum(chips > 0 for chips in self.scores)
            return Shuffle(_DECKS[playing].texts, "deal")
        if self.owed and not self.stock:
            return Shuffle(tuple(FR52.show_set(self.discard & ~self.throwing)), "stock")
        return None

    def supply(self, order: Sequence[int]) -> list[Event]:
        shuffle = self.needs_chance
        if shuffle is None:
            raise ValueError("no shuffle was asked for")
        check_order(order, len(shuffle.cards))
        cards = FR52.read(shuffle.cards)
        deck = bytes(cards[place] for place in order)
        return self._begin_hand(deck) if shuffle.purpose == "deal" else self._restock(deck)

    def _begin_hand(self, deck: bytes) -> list[Event]:
        """The invito; then the blinds are asked for, or the cards dealt."""
        self._clear()
        self.stock = self.shuffled = deck
        ante = self._ante
        for seat, chips in enumerate(self.scores):
            if chips:
                self.status[seat] = "in"
                self._pay(seat, min(ante, chips))
        self.phase = "blind"
        events = [
            Event("antes_paid", None, {"dealer": self.dealer, "put": list(self.put), "pot": self._pot}),
        ]
        staying = self._staying
        may_open = self.options.blind and self.level == "J" and sum(map(self._is_able, staying)) > 1
        if not may_open or not self._ask_blind(staying[0]):
            self._deal(events)
        return events

    def _blind(self) -> int:
        """The blind that may be bet now: the pot, then twice the last one."""
        return self._pot if self.blinder is None else 2 * max(self.bets)

    def _ask_blind(self, seat: int) -> bool:
        """Ask this seat for a blind, unless it has not the whole amount."""
        self.turn = seat
        return self.scores[seat] >= self._blind()

    def _bet_blind(self, seat: int, events: list[Event]) -> bool:
        """Bet the blind; whether another seat is asked for the next one."""
        chips = self._blind()
        self.increase = chips - max(self.bets)
        self.bets[seat] = chips
        self._pay(seat, chips)
        self.blinder = seat
        events.append(Event("blind_bet", seat, {"chips": chips}))
        if not self.options.counterblind or sum(map(bool, self.bets)) == _BLINDS:
            return False
        following = next(other for other in self._from(seat + 1) if self.status[other] == "in")
        return not self.bets[following] and self._ask_blind(following)

    def _deal(self, events: list[Event]) -> None:
        """Five cards to each, one at a time; then the opening, or the answers to a blind."""
        staying = self._staying
        dealt = _HAND * len(staying)
        for place, seat in enumerate(staying):
            self.hands[seat] = self.held[seat] = as_set(self.stock[place : dealt : len(staying)])
        self.stock = self.stock[dealt:]
        data = {"dealer": self.dealer, "hands": self._hands_seen(None), "stock": len(self.stock)}
        private = {seat: {"hands": self._hands_seen(seat)} for seat in staying}
        events.append(Event("hand_dealt", None, data, private))
        if self.blinder is None:
            self.phase = "open"
            self._next_word(self.dealer + 1, events)
        else:
            self.phase = "first"
            self._next_word(self.blinder + 1, events)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase in _PROMPTS and not self.owed else ()

    def legal(self, seat: int) -> list[Act]:
        if seat not in self.to_act:
            return []
        if self.phase == "blind":
            return [_PLAIN["blind"], _PLAIN["noblind"]]
        if self.phase == "change":
            most = min(_MOST_CHANGED, len(self.stock) + self.discard.bit_count())
            return list(_changes(self.hands[seat], most))
        if max(self.bets):
            return [_PLAIN["fold"], _PLAIN["call"], *self._wagers(seat, "raise")]
        moves = [_PLAIN["fold"], _PLAIN["check"]]
        if self.phase == "final" and self._may_parola():
            moves.append(_PLAIN["parola"])
        if self.phase == "final" or self._has_openers(seat):
            moves += self._wagers(seat, "bet")
        return moves

    def _wagers(self, seat: int, verb: str) -> list[Act]:
        """Every amount that may be bet or raised to: multiples of the cip, and all the chips."""
        if not self._others_able(seat):
            return []
        cip, least, most = self._cip, self._least(), self._most(seat)
        steps = most // cip
        wagers = list(_ladder(verb, cip, steps.bit_length())[-(-least // cip) : steps + 1])
        all_in = self.bets[seat] + self.scores[seat]
        if max(self.bets) < all_in == most and (all_in % cip or all_in < least):
            wagers.append(_wager(verb, all_in))
        return wagers

    def _least(self) -> int:
        """The least bet or raise of who does not go all-in."""
        return max(self.bets) + self.increase if max(self.bets) else self._cip

    def _most(self, seat: int) -> int:
        """The highest that the seat may bet or raise to."""
        all_in = self.bets[seat] + self.scores[seat]
        return min(all_in, self._limit(seat)) if self.options.betting == "pot_limit" else all_in

    def _limit(self, seat: int) -> int:
        highest = max(self.bets)
        return highest + self._pot + highest - self.bets[seat]

    def _may_parola(self) -> bool:
        return not self.is_checked and all(self.scores[seat] for seat in self._staying)

    def _has_openers(self, seat: int) -> bool:
        return opens(self.hands[seat], _lowest(self._dealt), _LEVELS[self.level])

    def _read(self, seat: int, text: str) -> Act | None:
        return _read(text)

    def _refusal(self, seat: int, move: Act) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        if not self._is_of_phase(verb):
            return Refusal("wrong_phase", f"{verb} is not a move of this phase", verb)
        if verb == "change":
            return self._change_refusal(seat, move)
        highest = max(self.bets)
        if verb in ("call", "raise") and not highest:
            return Refusal("no_bet", "nobody has bet in this round", verb)
        if verb in ("check", "parola", "bet") and highest:
            return Refusal("facing_a_bet", "there is a bet to answer", verb)
        if verb == "parola" and not self._may_parola():
            return Refusal("parola_not_allowed", "parola is closed by a check, a bet or an all-in seat", verb)
        if verb == "bet" and self.phase == "open" and not self._has_openers(seat):
            return Refusal("no_openers", f"a pair of {self.level} or better is needed to open", verb)
        return self._amount_refusal(seat, move) if verb in ("bet", "raise") else None

    def _is_of_phase(self, verb: str) -> bool:
        match verb:
            case "blind" | "noblind":
                return self.phase == "blind"
            case "change":
                return self.phase == "change"
            case "parola":
                return self.phase == "final"
        return self.phase in _BETTING

    def _change_refusal(self, seat: int, move: Act) -> Refusal | None:
        if len(move.cards) > _MOST_CHANGED:
            return Refusal("too_many_cards", "at most four cards may be changed", move.cards[-1])
        if missing := move.named & ~self.hands[seat]:
            face = FR52.faces[members(missing)[0]]
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if move.named.bit_count() < len(move.cards):
            face = next(face for face in move.cards if move.cards.count(face) > 1)
            return Refusal("not_in_hand", f"{face} is named twice", face)
        if (
            len(move.cards) > len(self.stock) + self.discard.bit_count()
        ):  # only where a position leaves cards out
            return Refusal("stock_empty", "the stock has not so many cards")
        return None

    def _amount_refusal(self, seat: int, move: Act) -> Refusal | None:
        chips, where = move.chips, str(move.chips)
        missing = chips - self.bets[seat]
        is_all_in = missing == self.scores[seat]
        if not self._others_able(seat):
            return Refusal("not_allowed", "no other seat could answer", where)
        if missing > self.scores[seat]:
            return Refusal("not_enough_chips", f"you have {self.scores[seat]} chips", where)
        if chips <= max(self.bets) or (chips < self._least() and not is_all_in):
            return Refusal("bet_too_small", f"the least is {self._least()}, or all your chips", where)
        if chips % self._cip and not is_all_in:
            return Refusal("not_a_multiple", f"must be a multiple of {self._cip}, or all your chips", where)
        if self.options.betting == "pot_limit" and chips > self._limit(seat):
            return Refusal("bet_too_big", f"the limit is {self._limit(seat)}", where)
        return None

    def _play(self, seat: int, move: Act) -> Applied:
        events: list[Event] = []
        if self.phase == "blind":
            return self._answer_blind(seat, move, events)
        if self.phase == "change":
            self._change(seat, move, events)
        else:
            self._speak(seat, move, events)
            self._next_word(seat + 1, events)
        return Applied(move.text, events)

    def _answer_blind(self, seat: int, move: Act, events: list[Event]) -> Applied:
        if move.verb == "noblind":
            events.append(Event("blind_declined", seat, {}))
        elif self._bet_blind(seat, events):
            return Applied(move.text, events)
        self._deal(events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_DEAL_MS)

    def _speak(self, seat: int, move: Act, events: list[Event]) -> None:
        """One word of the betting."""
        self.spoken[seat] = True
        match move.verb:
            case "fold":
                self._fold(seat)
                events.append(Event("seat_folded", seat, {}))
            case "check":
                self.is_checked = True
                events.append(Event("seat_checked", seat, {}))
            case "parola":
                events.append(Event("parola_said", seat, {}))
            case "call":
                chips = min(max(self.bets) - self.bets[seat], self.scores[seat])
                self._bet(seat, chips)
                events.append(Event("bet_called", seat, {"chips": chips}))
            case _:
                self._raise_to(seat, move, events)

    def _raise_to(self, seat: int, move: Act, events: list[Event]) -> None:
        """A bet, or a raise."""
        above = move.chips - max(self.bets)
        self._bet(seat, move.chips - self.bets[seat])
        self.is_checked = True
        if move.verb == "raise":
            self.increase = max(self.increase, above)
            if self.phase == "first":
                self.raiser = seat
            events.append(Event("bet_raised", seat, {"chips": move.chips}))
            return
        self.increase = max(above, self._cip)
        if self.phase == "open":
            self.opener = seat
            self.phase = "first"
        events.append(Event("bet_made", seat, {"chips": move.chips}))

    def _bet(self, seat: int, chips: int) -> None:
        self.bets[seat] += chips
        self._pay(seat, chips)

    def _fold(self, seat: int) -> None:
        self.status[seat] = "folded"
        self.discard |= self.hands[seat]
        self.hands[seat] = 0

    def _next_word(self, first: int, events: list[Event]) -> None:
        """Ask the next seat from this one on, or end the round: a bet must be answered by all that are able;
        while there is none everybody able is asked once, if there are two."""
        staying = self._staying
        if len(staying) == 1:
            self._end_by_fold(staying[0], events)
            return
        highest = max(self.bets)
        able = [seat for seat in self._from(first) if self._is_able(seat)]
        if highest:
            waiting = [seat for seat in able if self.bets[seat] < highest]
        else:
            waiting = [seat for seat in able if not self.spoken[seat]] if len(able) > 1 else []
        if waiting:
            self.turn = waiting[0]
        elif self.phase == "final":
            self._end_final(events)
        elif highest or not all(self.scores[seat] for seat in staying):
            self._new_round()
            self.phase = "change"
            self.turn = staying[0]
        else:
            self._end_unwon("void", "Q" if self.level == "J" else "K", events)

    def _new_round(self) -> None:
        self.bets = [0] * self.options.seats
        self.spoken = [False] * self.options.seats
        self.is_checked = False
        self.increase = 0

    # ----------------------------------------------------------------------------- 3. the exchange

    def _change(self, seat: int, move: Act, events: list[Event]) -> None:
        count = len(move.cards)
        self.hands[seat] ^= move.named
        self.discard |= move.named
        self.throwing = move.named
        self.changed[seat] = self.owed = count
        drawn = self._draw(seat)
        private = {seat: {"thrown": list(move.cards), "drawn": drawn}}
        events.append(Event("cards_changed", seat, {"count": count}, private))
        self._next_change(events)

    def _draw(self, seat: int) -> list[str]:
        """As many of the owed cards as the stock has."""
        drawn, self.stock = self.stock[: self.owed], self.stock[self.owed :]
        self.owed -= len(drawn)
        self.hands[seat] |= as_set(drawn)
        self.held[seat] |= as_set(drawn)
        return FR52.show(drawn)

    def _restock(self, deck: bytes) -> list[Event]:
        """Earlier discards are the new stock: nobody knows any more where a card is that it threw away."""
        self.stock = self.shuffled = deck
        self.discard = self.throwing
        self.held = list(self.hands)
        seat = self.turn
        events = [Event("stock_shuffled", None, {"stock": len(deck)})]
        drawn = self._draw(seat)
        events.append(Event("cards_drawn", seat, {"count": len(drawn)}, {seat: {"drawn": drawn}}))
        self._next_change(events)
        return events

    def _next_change(self, events: list[Event]) -> None:
        """The next seat to change, or the last round of betting."""
        if self.owed:
            return
        self.throwing = 0
        staying = self._staying
        if len(staying) == 1:
            self._end_by_fold(staying[0], events)
            return
        begun = self._from(self.dealer + 1)
        later = begun[begun.index(self.turn) + 1 :]
        waiting = [seat for seat in later if self.status[seat] == "in"]
        if waiting:
            self.turn = waiting[0]
        else:
            self._begin_final(events)

    def _begin_final(self, events: list[Event]) -> None:
        self._new_round()
        self.phase = "final"
        if self.opener is None and self.blinder is None:
            self._end_final(events)  # nobody has opened: an all-in seat kept the hand from being void
        else:
            self._next_word(self._first_of_final(), events)

    def _first_of_final(self) -> int:
        """Who speaks first after the exchange, if it is able."""
        for seat in (self.raiser, self.opener):
            if seat is not None:
                return seat
        return self.dealer + 1 if self.blinder is None else self.blinder + 1

    def _end_final(self, events: list[Event]) -> None:
        staying = self._staying
        if not self.is_checked and all(self.spoken[seat] for seat in staying):
            self._end_unwon("parola", "K", events)
        else:
            self._showdown(staying, events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_by_fold(self, winner: int, events: list[Event]) -> None:
        self._give_back()
        self._end_won("fold", [(self._pot, [winner])], events)

    def _showdown(self, staying: list[int], events: list[Event]) -> None:
        self.is_shown = True
        events.append(Event("hands_shown", None, {"hands": self._hands_seen(None)}))
        self._give_back()
        pots = []
        for number, (chips, seats) in enumerate(side_pots(self.put, staying)):
            winners = best({seat: self.hands[seat] for seat in seats}, _lowest(self._dealt))
            pots.append((chips + (0 if number else self.carried), winners))
        self._end_won("showdown", pots, events)

    def _give_back(self) -> None:
        """What one seat still in has put in beyond anybody else was never answered."""
        second, first = sorted(self.put)[-2:]
        seat = self.put.index(first)
        if self.status[seat] == "in":
            self._pay(seat, second - first)

    def _end_won(self, end: str, pots: list[tuple[int, list[int]]], events: list[Event]) -> None:
        total = [-chips for chips in self.put]
        for chips, winners in pots:
            order = [seat for seat in self._from(self.dealer + 1) if seat in winners]
            for seat, share in shares(chips, order).items():
                self.scores[seat] += share
                total[seat] += share
        self.carried = 0
        self.level = "J"
        self._score(end, pots, total, events)
        playing = [seat for seat, place in enumerate(self.placed) if place is None]
        alive = [seat for seat in playing if self.scores[seat]]
        gone = [seat for seat in playing if not self.scores[seat]]
        for seat in gone:  # all that it had at the start of the hand it has put in
            better = sum(self.put[other] > self.put[seat] for other in gone)
            self.placed[seat] = 1 + len(alive) + better
            events.append(Event("seat_out", seat, {"place": self.placed[seat]}))
        ended_by = self._decided(alive)
        if ended_by:
            self._end_match(alive, ended_by, events)
        else:
            self._next_hand()

    def _decided(self, alive: list[int]) -> EndedBy | None:
        """Whether the match ends with a hand that was won, and if so how; counts the tie-break hands."""
        options = self.options
        if len(alive) == 1:
            return "score"
        if options.match == "freezeout" or self.hand < options.hands:
            return None
        if self.scores.count(max(self.scores)) == 1:
            return "score"
        if self.tie_break == _TIE_HANDS:
            return "draw"
        self.tie_break += 1
        return None

    def _end_unwon(self, end: str, level: str, events: list[Event]) -> None:
        """Nobody has won: the pot stays for the next hand, which opens at this level."""
        self.carried += sum(self.put)
        self.level = level
        self._score(end, [], [-chips for chips in self.put], events)
        self._next_hand()

    def _score(
        self, end: str, pots: list[tuple[int, list[int]]], total: list[int], events: list[Event]
    ) -> None:
        self.ended = end
        self.pots = tuple((chips, tuple(winners)) for chips, winners in pots)
        self.hand_score = hand_score({"total": total})
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores), "carried": self.carried}
        events.append(Event("hand_ended", None, data))

    def _hand_score_json(self) -> dict[str, Any] | None:
        score = super()._hand_score_json()
        return score and {"end": self.ended, "pots": self._pots_json(), **score}

    def _pots_json(self) -> list[dict[str, Any]]:
        return [{"chips": chips, "winners": list(winners)} for chips, winners in self.pots]

    def _next_hand(self) -> None:
        self.hand += 1
        self.phase = "deal"
        self._pass_deal()

    def _pass_deal(self) -> None:
        self.dealer = next(seat for seat in self._from(self.dealer + 1) if self.scores[seat])

    def _end_match(self, alive: list[int], ended_by: EndedBy, events: list[Event]) -> None:
        for seat in alive:
            self.placed[seat] = 1 + sum(self.scores[other] > self.scores[seat] for other in alive)
        winner = None if ended_by == "draw" else self.placed.index(1)
        self._conclude(winner, ended_by, None, events)

    def _conclude(
        self, winner: int | None, ended_by: EndedBy, offender: int | None, events: list[Event]
    ) -> None:
        placed = tuple(place for place in self.placed if place is not None)
        self.outcome = Outcome(winner, placed, ended_by, offender)
        self.phase = "over"
        data = {**self.outcome.to_json(), "scores": list(self.scores)}
        events.append(Event("match_ended", None, data))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def timeout_move(self, seat: int) -> str:
        match self.phase:
            case "blind":
                return "noblind"
            case "change":
                return "change"
        return "fold" if max(self.bets) else "check"

    def _admitted(self, seat: int, move: str | Move) -> Move | Refusal:
        found = super()._admitted(seat, move)
        return _NOT_PLAYING if found is ABANDON and self.placed[seat] is not None else found

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        playing = [other for other, place in enumerate(self.placed) if place is None]
        if len(playing) == 2:
            (other,) = (player for player in playing if player != seat)
            self._lose_to(other, seat, events)
        else:
            self.placed[seat] = len(playing)
            self.scores[seat] = 0
            was_blind = self.phase == "blind"
            self._leave_hand(seat, events)
            if was_blind and self.phase != "blind":
                return Applied("abandon", events, lead_in_ms=LEAD_IN_DEAL_MS)
        return Applied("abandon", events)

    def _lose_to(self, winner: int, offender: int, events: list[Event]) -> None:
        """One of the last two has left."""
        pot = self._pot
        if self.phase == "deal":
            self.scores[winner] += pot
        else:
            extra = min(self._ante, self.scores[offender])
            total = [-chips for chips in self.put]
            for seat, chips in ((winner, pot + extra), (offender, -extra)):
                total[seat] += chips
            self.scores[winner] += pot + extra
            self.scores[offender] -= extra
            self.carried = 0
            self._score("abandon", [(pot, [winner])], total, events)
        self.carried = self.owed = 0
        self.level = "J"
        self.scores[offender] = min(self.scores[offender], self.scores[winner])
        self.placed[winner], self.placed[offender] = 1, 2
        self._conclude(winner, "abandon", offender, events)

    def _leave_hand(self, seat: int, events: list[Event]) -> None:
        """The others play on; what the seat has put in stays in the pot."""
        if self.phase == "deal":
            if seat == self.dealer:
                self._pass_deal()
            return
        if self.status[seat] != "in":
            return
        self._fold(seat)
        was_asked = self.turn == seat
        if self.phase in _BETTING:
            self._next_word(self.turn, events)
        elif len(self._staying) == 1:
            self._end_by_fold(self._staying[0], events)
        elif was_asked and self.phase == "blind":
            self._deal(events)
        elif was_asked:
            self.owed = 0
            self._next_change(events)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        return text.startswith("change ")  # which cards are changed only the seat itself knows

    @property
    def whole_deck_shown(self) -> bool:
        return False  # nobody ever sees the stock

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = 0 if viewer is None else self.held[viewer]
        if self.is_shown:
            for seat in self._staying:
                shown |= self.hands[seat]
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def _sees(self, viewer: int | None, seat: int) -> bool:
        return seat == viewer or (self.is_shown and self.status[seat] == "in")

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        return [
            FR52.show_set(hand) if self._sees(viewer, seat) else hand.bit_count()
            for seat, hand in enumerate(self.hands)
        ]

    def public_view(self) -> View:
        zones = [self._hand_zone(seat, self._sees(None, seat)) for seat in range(self.options.seats)]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        zones.append(closed_zone("discard", "discard", "pile", self.discard.bit_count()))
        prompts = []
        if self.to_act:
            code, text = _PROMPTS[self.phase]
            prompts.append(Prompt(self.to_act, code, text))
        facts = {
            **self._facts_json(),
            "ante": self._ante,
            "cip": self._cip,
            "end": self.ended,
            "pots": self._pots_json(),
        }
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        zones = [] if self._sees(None, seat) else [self._hand_zone(seat, True)]
        return self._view(zones, [], self.legal(seat), {})

    def _hand_zone(self, seat: int, is_open: bool) -> Zone:
        hand, name = self.hands[seat], _HANDS[seat]
        if is_open:
            return open_set(FR52, name, "hands", "fan", hand, seat, seat)
        return closed_zone(name, "hands", "fan", hand.bit_count(), seat, seat)

    def _facts_json(self) -> dict[str, Any]:
        """What everybody knows besides the zones."""
        return {
            "pot": self._pot,
            "put": list(self.put),
            "bets": list(self.bets),
            "folded": [seat for seat, status in enumerate(self.status) if status == "folded"],
            "opener": self.opener,
            "raiser": self.raiser,
            "blinder": self.blinder,
            "level": self.level,
            "carried": self.carried,
            "changed": list(self.changed),
            "placed": list(self.placed),
        }

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        for name in _LISTS:
            setattr(new, name, list(getattr(self, name)))
        for name in _SCALARS:
            setattr(new, name, getattr(self, name))
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            **self._facts_json(),
            "hands": [FR52.show_set(hand) for hand in self.hands],
            "held": [FR52.show_set(cards) for cards in self.held],
            "stock": FR52.show(self.stock),
            "discard": FR52.show_set(self.discard),
            "throwing": FR52.show_set(self.throwing),
            "owed": self.owed,
            "status": list(self.status),
            "spoken": list(self.spoken),
            "is_checked": self.is_checked,
            "is_shown": self.is_shown,
            "increase": self.increase,
            "turn": self.turn,
            "shuffled": FR52.show(self.shuffled),
        }

    @classmethod
    def from_json(cls, options: PokerOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        if "scores" not in json:
            raise PositionError("scores", "must be given")
        state.phase = json.get("phase", "open")
        if score := json.get("hand_score"):
            state.hand_score = hand_score({"total": score["total"]})
            state.ended = score["end"]
            state.pots = tuple((pot["chips"], tuple(pot["winners"])) for pot in score["pots"])
        state.level = json.get("level", state.level)
        if state.level not in _LEVELS:
            raise PositionError("level", "must be J, Q or K")
        state.carried = json.get("carried", 0)
        if state.phase not in ("deal", "over") and "hands" not in json:
            raise PositionError("hands", "must be given")
        state._read_seats(json)
        state._read_cards(json)
        if "spoken" in json:
            state._read_snapshot(json)
        elif state.phase != "deal":
            state._read_turn(json)
        return state

    def _read_seats(self, json: Mapping[str, Any]) -> None:
        """Who is dealt in, what each has put in, who is out."""
        hands = json.get("hands", [[]] * self.options.seats)
        if len(hands) != self.options.seats:
            raise PositionError("hands", f"must be {self.options.seats}, one a seat")
        folded = json.get("folded", [])
        self.status = list(
            json.get("status")
            or ["folded" if seat in folded else "in" if hand else "away" for seat, hand in enumerate(hands)]
        )
        usual = [0 if status == "away" else self._ante for status in self.status]
        self.put = list(json.get("put", usual))
        self.opener, self.raiser = json.get("opener"), json.get("raiser")
        self.blinder = json.get("blinder")
        if "placed" in json:
            self.placed = list(json["placed"])
            return
        is_out = [
            not chips if self.phase == "deal" else status == "away"
            for chips, status in zip(self.scores, self.status, strict=True)
        ]
        self.placed = [1 + is_out.count(False) if out else None for out in is_out]

    def _read_cards(self, json: Mapping[str, Any]) -> None:
        dealt = self._dealt
        deck = _DECKS.get(dealt, FR52)
        zones = read_zones(json, deck, whole=["stock", "discard"], parted=["hands"])
        self.hands = [as_set(hand) for hand in zones.get("hands", [[]] * self.options.seats)]
        self.stock = bytes(zones.get("stock", [[]])[0])
        self.discard = as_set(zones.get("discard", [[]])[0])
        self.held = [as_set(FR52.read(cards)) for cards in json.get("held", [[]] * self.options.seats)]
        self.shuffled = bytes(FR52.read(json.get("shuffled", [])))

    def _read_snapshot(self, json: Mapping[str, Any]) -> None:
        """What only an own snapshot says."""
        self.throwing = as_set(FR52.read(json["throwing"]))
        self.changed, self.bets, self.spoken = list(json["changed"]), list(json["bets"]), list(json["spoken"])
        for name in ("owed", "is_checked", "is_shown", "increase", "turn"):
            setattr(self, name, json[name])

    def _read_turn(self, json: Mapping[str, Any]) -> None:
        """Who is to act in a bare position, at the beginning of its phase; or PositionError."""
        if self.phase not in ("open", "change", "final"):
            raise PositionError("phase", "must be deal, open, change or final")
        staying = self._staying
        if len(staying) < 2:
            raise PositionError("hands", "two seats must be in")
        for seat in staying:
            if self.hands[seat].bit_count() != _HAND:
                raise PositionError("hands", f"seat {seat} must hold five cards")
        if self.phase == "change":
            self.turn = next(iter(json.get("to_act", staying)), staying[0])
        else:  # where fewer than two can bet, the round is over before it begins
            self._next_word(self.dealer + 1 if self.phase == "open" else self._first_of_final(), [])
        if list(json.get("to_act", self.to_act)) != list(self.to_act):
            raise PositionError("to_act", "must be the seat that is first to speak")
        if self.phase == "change" and self.turn not in staying:
            raise PositionError("to_act", "must be a seat that is in")


_LISTS = ("status", "hands", "held", "changed", "put", "bets", "spoken", "placed")
_SCALARS = tuple(sorted(set(Poker.__slots__) - set(_LISTS)))


POKER = Game(
    id="poker",
    names={"it": "Poker all'italiana", "en": "Italian poker"},
    deck=FR52,
    direction="clockwise",
    rules_version=1,
    specs=(
        seats_spec(4, range(2, 7)),
        OptionSpec(
            "match",
            "choice",
            "freezeout",
            {"it": "Fino all'ultimo chip o a smazzate", "en": "To the last chip, or a number of hands"},
            choices=("freezeout", "hands"),
        ),
        hands_spec(20, 200),
        OptionSpec(
            "stack", "int", 1000, {"it": "Chip iniziali", "en": "Chips at the start"}, low=100, high=100000
        ),
        ante_spec(10, 1, 1000),
        OptionSpec(
            "cip", "int", 10, {"it": "Cip: puntata minima", "en": "Cip: the least bet"}, low=1, high=2000
        ),
        OptionSpec(
            "level_hands",
            "int",
            10,
            {"it": "Raddoppio dell'invito ogni tante smazzate", "en": "Hands before the ante doubles"},
            low=0,
            high=100,
        ),
        OptionSpec(
            "betting",
            "choice",
            "pot_limit",
            {"it": "Limite al piatto o senza limite", "en": "Pot limit, or no limit"},
            choices=("pot_limit", "no_limit"),
        ),
        flag_spec("blind", True, "Apertura al buio", "Blind opening"),
        flag_spec("counterblind", True, "Controbuio e over", "Counter-blind and over"),
    ),
    options_type=PokerOptions,
    state_type=Poker,
    heaps=frozenset({"discard"}),
)
