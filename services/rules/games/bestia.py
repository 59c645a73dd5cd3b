"""Bestia (bestia.md). Three to five seats, each for itself; the deck `it40`; stakes in chips."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, after_leaving, verdict
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.option_specs import ante_spec, flag_spec, hands_spec, match_spec, seats_spec
from services.rules.core.options import Options
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_set, open_zone
from services.rules.families.chips import cut_to, shares
from services.rules.families.tricks import following, taker

Status = Literal["?", "in", "passed", "blind", "out"]

_HAND = 3
_TRICKS = 3
_MOST_BESTIA = 1000
"""With `carry` one bestia is at most so many antes."""
_SUITS = tuple(card // 10 for card in IT40.cards)
_OF_SUIT = tuple(as_set(range(first, first + 10)) for first in range(0, 40, 10))
_STRENGTHS = tuple("24567JQK3A".index(face[0]) for face in IT40.faces)
_ACTIVE = ("in", "blind")
_VERBS = {"join": ("pass", "join"), "blind": ("pass", "blind"), "play": ("play",)}
_HANDS = tuple(f"hands.{seat}" for seat in range(5))
_PROMPTS = {
    "join": ("join_or_pass", {"it": "Gioca, cambiando fino a tre carte, o passa", "en": "Join, or pass"}),
    "blind": ("blind_or_pass", {"it": "Gioca al buio o passa", "en": "Play blind, or pass"}),
    "play": ("play_card", {"it": "Gioca una carta", "en": "Play a card"}),
}


@dataclass(frozen=True, slots=True)
class BestiaOptions(Options):
    """Everybody pays the `ante`, a multiple of three, before each hand."""

    match: Literal["hands"]
    hands: int
    ante: int
    must_trump: bool
    lead_top_trump: bool
    carry: bool

    def __post_init__(self) -> None:
        if self.ante % _TRICKS:
            raise OptionsError("ante", "must be a multiple of 3")


@dataclass(frozen=True, slots=True)
class Act(Move):
    """`play C`, `join C …`, `pass` or `blind`: the set of cards that it names."""

    named: int = 0


@lru_cache(maxsize=40)
def _play_of(card: int) -> Act:
    face = IT40.faces[card]
    return Act(f"play {face}", "play", (face,), (), "trick", 1 << card)


@lru_cache(maxsize=16384)  # there are 10 701 sets of at most three cards
def _join_of(cards: tuple[int, ...]) -> Act:
    """Join and exchange these cards, which are in deck order; one may be named twice."""
    faces = tuple(IT40.show(cards))
    return Act(" ".join(("join", *faces)), "join", faces, (), "discard", as_set(cards))


_PASS = Act("pass", "pass")
_BLIND = Act("blind", "blind")


@lru_cache(maxsize=16384)  # and 9 880 hands
def _declarations(hand: int, most: int) -> tuple[Act, ...]:
    """`pass`, and the eight ways to join with this hand (fewer where so many cards cannot be drawn)."""
    cards = members(hand)
    return (_PASS, *(_join_of(some) for size in range(most + 1) for some in combinations(cards, size)))


@lru_cache(maxsize=4096)
def _read(text: str) -> Act | None:
    """Section 3: the move of this text, if it has the form of one."""
    number = IT40.number
    match words(text):
        case ["pass"]:
            return _PASS
        case ["blind"]:
            return _BLIND
        case ["play", card] if card in number:
            return _play_of(number[card])
        case ["join", *cards] if len(cards) <= _HAND and all(card in number for card in cards):
            return _join_of(tuple(sorted(IT40.read(cards))))
    return None


class Bestia(State[Act]):
    """A match of bestia. Hands, discards and the cards of complete tricks are sets of cards.

    `scores` are balances: with the pot they are always 0 together.
    """

    __slots__ = (
        "briscola", "complete", "discard", "hands", "leader", "played", "pot", "shuffled", "status", "stock",
        "thrown", "trick", "tricks", "turn",
    )  # fmt: skip

    options: BestiaOptions

    def __init__(self, options: BestiaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        seats = options.seats
        self.hands = [0] * seats
        self.stock = b""  # next card first
        self.discard = 0
        self.thrown = [0] * seats  # which of the discards each seat knows, because it threw them
        self.briscola: int | None = None
        self.status: list[Status] = ["?"] * seats
        self.pot = 0
        self.leader = self.turn = (dealer + 1) % seats
        self.trick: list[int] = []
        self.complete: list[tuple[int, int, tuple[int, ...]]] = []  # leader, winner and cards of each trick
        self.played = 0
        self.tricks = [0] * seats
        self.shuffled = b""  # the deck of the running or ended hand as it was dealt, empty if not known

    @property
    def _ring(self) -> list[int]:
        """The seats from the one after the dealer, who is last."""
        first, seats = self.dealer + 1, self.options.seats
        return [(first + distance) % seats for distance in range(seats)]

    @property
    def _active(self) -> list[int]:
        """The seats that play, in ring order."""
        return [seat for seat in self._ring if self.status[seat] in _ACTIVE]

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        return Shuffle(IT40.texts, "deal") if self.phase == "deal" else None

    def supply(self, order: Sequence[int]) -> list[Event]:
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        check_order(order, len(IT40.cards))
        seats, ante = self.options.seats, self.options.ante
        self.scores = [score - ante for score in self.scores]
        self.pot += seats * ante
        deck = self.shuffled = bytes(order)
        dealt = _HAND * seats
        ring = self._ring
        for place, seat in enumerate(ring):
            self.hands[seat] = as_set(deck[place:dealt:seats])
        self.briscola = deck[dealt]
        self.stock = deck[dealt + 1 :]
        self.discard = 0
        self.thrown = [0] * seats
        self.status = ["?"] * seats
        self.trick = []
        self.complete = []
        self.played = 0
        self.tricks = [0] * seats
        self.phase = "join"
        self.leader = self.turn = ring[0]
        data = {
            "dealer": self.dealer,
            "hands": self._hands_seen(None),
            "briscola": IT40.faces[self.briscola],
            "stock": len(self.stock),
            "pot": self.pot,
        }
        return [Event("hand_dealt", None, data, {seat: {"hands": self._hands_seen(seat)} for seat in ring})]

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase in _VERBS else ()

    def legal(self, seat: int) -> list[Act]:
        if seat not in self.to_act:
            return []
        if self.phase == "join":
            return list(_declarations(self.hands[seat], min(_HAND, len(self.stock))))
        if self.phase == "blind":
            return [_PASS, _BLIND] if len(self.stock) >= _HAND else [_PASS]
        return [_play_of(card) for card in members(self._playable(self.hands[seat]))]

    def _playable(self, hand: int) -> int:
        """The cards of a hand that may be played to the trick."""
        if not self.trick:
            top = self._top_trump() if self.options.lead_top_trump else 0
            return hand & top or hand
        trumps = _OF_SUIT[_SUITS[self._trump]] if self.options.must_trump else 0
        return following(hand, _OF_SUIT[_SUITS[self.trick[0]]], trumps)

    @property
    def _trump(self) -> int:
        """The card turned up."""
        if self.briscola is None:
            raise ValueError("no hand has been dealt")
        return self.briscola

    def _top_trump(self) -> int:
        """The ace of trumps, or the three where the ace is turned up."""
        ace = self._trump // 10 * 10
        return 1 << (ace + 2 if ace == self._trump else ace)

    def _read(self, seat: int, text: str) -> Act | None:
        return _read(text)

    def _refusal(self, seat: int, move: Act) -> Refusal | None:
        """Section 8, row by row."""
        if move.verb not in _VERBS[self.phase]:
            return Refusal("wrong_phase", f"{move.verb} is not a move of this phase", move.verb)
        hand = self.hands[seat]
        if missing := move.named & ~hand:
            face = IT40.faces[members(missing)[0]]
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if move.named.bit_count() < len(move.cards):
            face = next(face for face in move.cards if move.cards.count(face) > 1)
            return Refusal("not_in_hand", f"{face} is named twice", face)
        if self.phase != "play":
            wanted = _HAND if move.verb == "blind" else len(move.cards)
            if wanted > len(self.stock):  # only where a position leaves cards out
                return Refusal("stock_empty", "the stock has not so many cards")
            return None
        if move.named & self._playable(hand):
            return None
        (face,) = move.cards
        if not self.trick:
            return Refusal("must_lead_top_trump", "the top trump must be led", face)
        if hand & _OF_SUIT[_SUITS[self.trick[0]]]:
            return Refusal("must_follow_suit", "the suit led must be followed", face)
        return Refusal("must_trump", "without the suit led a trump must be played", face)

    def _play(self, seat: int, move: Act) -> Applied:
        match move.verb:
            case "play":
                return self._play_card(seat, move)
            case "join":
                event = self._exchange(seat, move)
            case "blind":
                self.status[seat] = "blind"
                event = Event(
                    "seat_went_blind", seat, {}, {seat: {"drawn": IT40.show(self._draw(seat, _HAND))}}
                )
            case _:
                event = Event("seat_passed", seat, {})
                if self.phase == "join":
                    self._throw(seat, self.hands[seat])
                self.status[seat] = "passed" if self.phase == "join" else "out"
        events = [event]
        self._next_declaration(events)
        return Applied(move.text, events)

    def _exchange(self, seat: int, move: Act) -> Event:
        self.status[seat] = "in"
        self._throw(seat, move.named)
        drawn = self._draw(seat, len(move.cards))
        private = {"thrown": list(move.cards), "drawn": IT40.show(drawn)}
        return Event("seat_joined", seat, {"exchanged": len(move.cards)}, {seat: private})

    def _throw(self, seat: int, cards: int) -> None:
        self.hands[seat] &= ~cards
        self.discard |= cards
        self.thrown[seat] |= cards

    def _draw(self, seat: int, count: int) -> bytes:
        drawn, self.stock = self.stock[:count], self.stock[count:]
        self.hands[seat] |= as_set(drawn)
        return drawn

    def _next_declaration(self, events: list[Event]) -> None:
        """Whom to ask next: who has not declared, then who passed; after them the tricks."""
        for status in ("?", "passed"):
            if status in self.status:
                self.phase = "join" if status == "?" else "blind"
                self.turn = next(seat for seat in self._ring if self.status[seat] == status)
                return
        active = self._active
        if len(active) < 2:
            self._end_hand(events)
        else:
            self.phase = "play"
            self.leader = self.turn = active[0]

    def _play_card(self, seat: int, move: Act) -> Applied:
        self.hands[seat] ^= move.named
        self.trick.append(move.named.bit_length() - 1)
        events = [Event("card_played", seat, {"card": move.cards[0]})]
        self.turn = self._after(seat)
        if self.turn != self.leader:
            return Applied(move.text, events)
        self._take_trick(events)
        if sum(self.tricks) == _TRICKS:
            self._end_hand(events)
            return Applied(move.text, events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_CAPTURE_MS)

    def _after(self, seat: int) -> int:
        """The next active seat."""
        seats = self.options.seats
        seat = (seat + 1) % seats
        while self.status[seat] not in _ACTIVE:
            seat = (seat + 1) % seats
        return seat

    def _take_trick(self, events: list[Event]) -> None:
        winner = self.leader
        for _ in range(taker(self.trick, _SUITS, _STRENGTHS, _SUITS[self._trump])):
            winner = self._after(winner)
        self.tricks[winner] += 1
        self.complete.append((self.leader, winner, tuple(self.trick)))
        self.played |= as_set(self.trick)
        events.append(Event("trick_taken", winner, {"cards": IT40.show(self.trick)}))
        self.trick = []
        self.leader = self.turn = winner

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _one_bestia(self) -> int:
        """What a seat pays that has gone bestia."""
        most = _MOST_BESTIA * self.options.ante
        return min(self.pot, most) if self.options.carry else self.pot

    def _end_hand(self, events: list[Event]) -> None:
        seats = range(self.options.seats)
        active = self._active
        is_last = self.hand >= self.options.hands
        won, paid = [0] * len(seats), [0] * len(seats)
        pot, left = self.pot, 0
        if len(active) > 1:
            for seat in active:
                if not self.tricks[seat]:
                    paid[seat] = self._one_bestia()
            if self.options.carry and not is_last:
                left = sum(paid)
            else:
                pot += sum(paid)
            won = [pot // _TRICKS * tricks for tricks in self.tricks]
        elif active:
            won[active[0]] = pot
        elif is_last:
            won = [shares(pot, self._ring)[seat] for seat in seats]
        else:
            left = pot
        self.pot = left
        self._score(won, paid, events)
        if is_last:
            outcome = verdict(self.scores, tie_break=0, tie_hands=0, ko_order=None)
            if outcome:
                self._end_match(outcome, events)
        else:
            self.hand += 1
            self.phase = "deal"
            self.dealer = self._ring[0]

    def _score(self, won: list[int], paid: list[int], events: list[Event]) -> None:
        """The antes were paid at the deal; what the pot gives and the bestie take is added now."""
        changes = [gain - loss for gain, loss in zip(won, paid, strict=True)]
        total = [change - self.options.ante for change in changes]
        self.hand_score = hand_score({"tricks": self.tricks, "pot": won, "bestia": paid, "total": total})
        self.scores = [score + change for score, change in zip(self.scores, changes, strict=True)]
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores), "pot": self.pot}
        events.append(Event("hand_ended", None, data))

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    def max_loss(self, seat: int) -> int:
        """The ante and a bestia of the whole pot; or, by abandoning, all that has been won so far."""
        ante = self.options.ante
        pot = self.pot + ante * self.options.seats
        bestia = min(pot, _MOST_BESTIA * ante) if self.options.carry else pot
        return max(ante + bestia, self.scores[seat])

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        others = [other for other in self._ring if other != seat]
        if self.phase == "deal":
            for other, chips in shares(self.pot, others).items():
                self.scores[other] += chips
            self.pot = 0
        else:
            self._divide_unplayed(seat, others, events)
        cut_to(0, self.scores, seat, others)
        self._end_match(after_leaving(self.scores, seat, seat), events)
        return Applied("abandon", events)

    def _divide_unplayed(self, offender: int, others: list[int], events: list[Event]) -> None:
        """A bestia of the offender unless it has passed; tricks keep their worth, the rest is shared."""
        paid = [0] * self.options.seats
        if self.status[offender] in ("?", *_ACTIVE):
            paid[offender] = self._one_bestia()
        pot = self.pot + paid[offender]
        won = [pot // _TRICKS * tricks for tricks in self.tricks]
        among = [seat for seat in others if self.status[seat] in ("?", *_ACTIVE)]
        for seat, chips in shares(pot - sum(won), among or others).items():
            won[seat] += chips
        self.pot = 0
        self._score(won, paid, events)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        return text.startswith("join ")  # which cards are exchanged only the seat itself knows

    @property
    def whole_deck_shown(self) -> bool:
        return False  # nobody ever sees the stock

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = self.played | as_set(self.trick)
        if self.briscola is not None:
            shown |= 1 << self.briscola
        if viewer is not None:
            shown |= self.hands[viewer] | self.thrown[viewer]
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        return [
            IT40.show_set(hand) if seat == viewer else hand.bit_count()
            for seat, hand in enumerate(self.hands)
        ]

    def public_view(self) -> View:
        zones: list[Zone] = [
            closed_zone(_HANDS[seat], "hands", "fan", hand.bit_count(), seat, seat)
            for seat, hand in enumerate(self.hands)
        ]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        turned = 0 if self.briscola is None else 1 << self.briscola
        zones.append(open_set(IT40, "briscola", "briscola", "row", turned))
        zones.append(open_zone(IT40, "trick", "trick", "trick", tuple(self.trick), ordered=True))
        zones.append(open_set(IT40, "played", "played", "pile", self.played))
        zones.append(closed_zone("discard", "discard", "pile", self.discard.bit_count()))
        prompts = []
        if self.phase in _PROMPTS:
            code, text = _PROMPTS[self.phase]
            prompts.append(Prompt(self.to_act, code, text))
        return self._view(zones, prompts, [], self._facts_json())

    def own_view(self, seat: int) -> View:
        hand = open_set(IT40, _HANDS[seat], "hands", "fan", self.hands[seat], seat, seat)
        return self._view([hand], [], self.legal(seat), {})

    def _facts_json(self) -> dict[str, Any]:
        """What everybody knows besides the zones."""
        return {
            "briscola": None if self.briscola is None else IT40.faces[self.briscola],
            "status": list(self.status),
            "pot": self.pot,
            "tricks": list(self.tricks),
            "leader": self.leader,
            "complete": [
                {"leader": leader, "winner": winner, "cards": IT40.show(cards)}
                for leader, winner, cards in self.complete
            ],
        }

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = list(self.hands)
        new.stock = self.stock
        new.discard = self.discard
        new.thrown = list(self.thrown)
        new.briscola = self.briscola
        new.status = list(self.status)
        new.pot = self.pot
        new.leader = self.leader
        new.turn = self.turn
        new.trick = list(self.trick)
        new.complete = list(self.complete)
        new.played = self.played
        new.tricks = list(self.tricks)
        new.shuffled = self.shuffled
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            **self._facts_json(),
            "hands": [IT40.show_set(hand) for hand in self.hands],
            "stock": IT40.show(self.stock),
            "trick": IT40.show(self.trick),
            "discard": IT40.show_set(self.discard),
            "played": IT40.show_set(self.played),
            "thrown": [IT40.show_set(cards) for cards in self.thrown],
            "shuffled": IT40.show(self.shuffled),
        }

    @classmethod
    def from_json(cls, options: BestiaOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        seats = options.seats
        is_open = state.phase not in ("deal", "over")
        if "scores" not in json and is_open:
            state.scores = [-options.ante] * seats
        state.pot = json.get("pot", seats * options.ante if is_open else 0)
        turned = [json["briscola"]] if json.get("briscola") else []  # in no zone, but nowhere else either
        zones = read_zones(
            {**json, "briscola": turned},
            IT40,
            whole=["stock", "trick", "discard", "played", "briscola"],
            parted=["hands"],
        )
        if is_open and "hands" not in zones:
            raise PositionError("hands", "must be given")
        state.hands = [as_set(hand) for hand in zones.get("hands", [[]] * seats)]
        state.stock = bytes(zones.get("stock", [[]])[0])
        state.trick = zones.get("trick", [[]])[0]
        state.discard = as_set(zones.get("discard", [[]])[0])
        state.played = as_set(zones.get("played", [[]])[0])
        state.thrown = [as_set(IT40.read(cards)) for cards in json.get("thrown", [[]] * seats)]
        state.briscola = next(iter(zones["briscola"][0]), None)
        state.status = list(json.get("status", state.status))
        state.tricks = list(json.get("tricks", state.tricks))
        state.complete = [
            (each["leader"], each["winner"], tuple(IT40.read(each["cards"])))
            for each in json.get("complete", [])
        ]
        state.shuffled = bytes(IT40.read(json.get("shuffled", [])))
        if is_open:
            state._check_position("status" in json)
            state._read_turn(json)
        else:
            state.leader = json.get("leader", state.leader)
        return state

    def _check_position(self, is_declared: bool) -> None:
        """PositionError unless a hand in play can stand like this."""
        seats = self.options.seats
        for name, parts in (("hands", self.hands), ("status", self.status), ("tricks", self.tricks)):
            if len(parts) != seats:
                raise PositionError(name, f"must be {seats}, one a seat")
        if self.briscola is None:
            raise PositionError("briscola", "must be given")
        known = ("?", "in", "passed", "blind", "out")
        if not is_declared or any(status not in known for status in self.status):
            raise PositionError("status", f"must be one of {', '.join(known)} for each seat")
        if self.pot % _TRICKS:
            raise PositionError("pot", "must be a multiple of 3")

    def _read_turn(self, json: Mapping[str, Any]) -> None:
        """Who is to act, by the rules; PositionError: nobody can be."""
        asked = {"join": ("?",), "blind": ("passed",), "play": _ACTIVE}.get(self.phase)
        if asked is None:
            raise PositionError("phase", "must be deal, join, blind, play or over")
        waiting = [seat for seat in self._ring if self.status[seat] in asked]
        if self.phase != "play":
            if not waiting or ("?" in self.status and self.phase == "blind"):
                raise PositionError("status", f"does not belong to the phase {self.phase}")
            self.turn = waiting[0]
        else:
            if len(waiting) < 2 or not len(self.trick) < len(waiting):
                raise PositionError("status", "two seats or more must be active, one to play to the trick")
            self.leader = json.get("leader", waiting[0])
            if self.leader not in waiting:
                raise PositionError("leader", "must be an active seat")
            self.turn = self.leader
            for _ in self.trick:
                self.turn = self._after(self.turn)
            self._check_cards(waiting)
        if list(json.get("to_act", [self.turn])) != [self.turn]:
            raise PositionError("to_act", f"must be seat {self.turn}")

    def _check_cards(self, active: list[int]) -> None:
        """PositionError unless every active seat holds as many cards as there are tricks to come for it."""
        has_played = set()
        seat = self.leader
        while seat != self.turn:
            has_played.add(seat)
            seat = self._after(seat)
        for seat in active:
            if self.hands[seat].bit_count() != _TRICKS - sum(self.tricks) - (seat in has_played):
                raise PositionError("hands", f"seat {seat} cannot hold so many cards at this trick")


BESTIA = Game(
    id="bestia",
    names={"it": "Bestia", "en": "Bestia"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(4, (3, 4, 5)),
        match_spec("hands", ("hands",)),
        hands_spec(1, 20),
        ante_spec(3, 3, 300),
        flag_spec("must_trump", False, "Obbligo di tagliare", "Who cannot follow must trump"),
        flag_spec(
            "lead_top_trump", False, "L'asso di briscola va giocato di mano", "The top trump must be led"
        ),
        flag_spec("carry", False, "Le bestie al piatto seguente", "Bestie go into the next pot"),
    ),
    options_type=BestiaOptions,
    state_type=Bestia,
    heaps=frozenset({"discard"}),
)
