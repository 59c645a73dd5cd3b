"""A hand of uno as it is dealt and played (uno.md, sections 2, 3 and 8)."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from services.rules.core.cards import UNO108
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.course import Course
from services.rules.core.errors import Refusal
from services.rules.core.moves import Applied, Event
from services.rules.games.uno_cards import (
    COLOURS,
    FITTING,
    FITTING_WITH_FOUR,
    INVERTI,
    JOLLY,
    JOLLY_FOUR,
    OF_COLOUR,
    PLUS_TWO,
    SALTO,
    SIGNS,
)
from services.rules.games.uno_moves import (
    ANSWERS,
    DRAW,
    MOVES,
    NAMINGS,
    OF_PHASE,
    PASS,
    SILENT,
    SILENT_OR_NOT,
    UnoMove,
)
from services.rules.games.uno_options import UnoOptions
from services.rules.games.uno_shuffle import HAND, LastShuffle

MOST_SHUFFLES = 10
_UNO_PENALTY = 2
_CHALLENGE_LOST = 6
NO_COLOUR = -1


class Due(NamedTuple):
    """Cards that a seat has yet to draw, and why."""

    seat: int
    number: int
    reason: str


class Doubt(NamedTuple):
    """A jolly +4 that may be challenged: who played it, on which colour, and what that seat then held."""

    seat: int
    colour: int
    hand: tuple[int, ...]


class UnoHand(Course[UnoMove]):
    """A hand. A seat's cards are sorted; top of the discards is the last, next of the stock the first."""

    __slots__ = (
        "colour",
        "direction",
        "discard",
        "doubt",
        "drawn",
        "due",
        "hands",
        "last_shuffle",
        "out",
        "passes",
        "penalties",
        "seen",
        "shuffles",
        "stock",
        "turn",
    )

    options: UnoOptions

    def __init__(self, options: UnoOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands: list[list[int]] = [[] for _ in range(options.seats)]
        self.discard: list[int] = []
        self.stock = b""
        self.colour = NO_COLOUR
        self.direction = 1
        self.shuffles = 0
        self.turn = dealer
        self.drawn: int | None = None  # the card just drawn, in phase "drawn"
        self.passes = 0  # in a row, because there was no card to draw
        self.due: list[Due] = []  # draws that wait for a shuffle
        self.out: int | None = None  # who has played its last card, until the hand is counted
        self.doubt: Doubt | None = None
        self.seen: tuple[int, Doubt] | None = None  # who has just challenged what, and so sees that hand
        self.penalties: list[Due] = []  # cards that the last move made seats draw
        self.last_shuffle = LastShuffle()

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase == "deal":
            return Shuffle(UNO108.texts, "deal")
        if self.due:
            return Shuffle(tuple(UNO108.show(sorted(self.discard[:-1]))), "stock")
        return None

    def supply(self, order: Sequence[int]) -> list[Event]:
        events: list[Event] = []
        if self.phase == "deal":
            check_order(order, len(UNO108.cards))
            self._deal(bytes(UNO108.cards[place] for place in order), events)
        elif self.due:
            check_order(order, len(self.discard) - 1)
            self._shuffle_discards(order, events)
        else:
            raise ValueError("no shuffle was asked for")
        self._carry_on(events)
        return events

    def _deal(self, deck: bytes, events: list[Event]) -> None:
        """Seven cards each, one at a time from the seat after the dealer; then the first card is turned."""
        seats = self.options.seats
        dealt = HAND * seats
        first = (self.dealer + 1) % seats
        for distance in range(seats):
            self.hands[(first + distance) % seats] = sorted(deck[distance:dealt:seats])
        rest = deck[dealt:]
        under = 0
        while rest[under] == JOLLY_FOUR:
            under += 1
        top = rest[under]
        self.stock = rest[under + 1 :] + rest[:under]
        self.discard = [top]
        self.last_shuffle = LastShuffle.of_deal(seats, first, len(deck), under)
        self.direction = 1
        self.shuffles = 0
        self.passes = 0
        self.drawn = None
        self.seen = None
        self.penalties = []
        self.colour = NO_COLOUR if top == JOLLY else top // SIGNS
        self.phase = "play"
        self.turn = first
        data = {
            "dealer": self.dealer,
            "hands": [HAND] * seats,
            "discard": [UNO108.faces[top]],
            "stock": len(self.stock),
        }
        private = {seat: {"hands": self._dealt_to(seat)} for seat in range(seats)}
        events.append(Event("hand_dealt", None, data, private))
        self._act_first(top, events)

    def _dealt_to(self, seat: int) -> list[list[str] | int]:
        """The hands dealt as a seat sees them: its cards, and how many the others have."""
        seen: list[list[str] | int] = [HAND] * self.options.seats
        seen[seat] = UNO108.show(self.hands[seat])
        return seen

    def _act_first(self, top: int, events: list[Event]) -> None:
        """What the first card does to the seat after the dealer."""
        if top == JOLLY:
            self.phase = "colour"
            return
        sign = top % SIGNS
        if sign == INVERTI:
            self.turn = self.dealer
            if self.options.seats > 2:
                self._reverse(events)
        elif sign >= SALTO:
            if sign == PLUS_TWO:
                self._punish(self.turn, 2, "plus_two")
            self._skip(self.turn, events)

    def _shuffle_discards(self, order: Sequence[int], events: list[Event]) -> None:
        """All discards but the top one become the stock."""
        *below, top = self.discard
        below.sort()
        self.stock = bytes(below[place] for place in order)
        self.discard = [top]
        self.shuffles += 1
        self.last_shuffle = LastShuffle(len(below))
        events.append(Event("discards_shuffled", None, {"stock": len(below), "shuffles": self.shuffles}))

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return () if self.due or self.phase in ("deal", "over") else (self.turn,)

    def legal(self, seat: int) -> list[UnoMove]:
        if seat not in self.to_act:
            return []
        if self.phase == "colour":
            return list(NAMINGS)
        if self.phase == "challenge":
            return list(ANSWERS)
        hand = self.hands[seat]
        may_say_uno = len(hand) == 2 and self.options.uno_call == "declare"
        plays = SILENT_OR_NOT if may_say_uno else SILENT
        if self.drawn is not None:
            return [*plays[self.drawn], PASS]
        fitting = self._fitting(hand)
        moves: list[UnoMove] = []
        last = -1
        for card in hand:
            if card in fitting and card != last:
                moves += plays[card]
                last = card
        if self._can_draw():
            moves.append(DRAW)
        elif not moves:
            moves.append(PASS)
        return moves

    def _fitting(self, hand: Sequence[int]) -> frozenset[int]:
        """The cards that fit if they come from this sorted hand."""
        colour = self.colour
        has_four = hand[-1] == JOLLY_FOUR
        if has_four and (self.options.challenge or OF_COLOUR[colour].isdisjoint(hand)):
            return FITTING_WITH_FOUR[self.discard[-1]][colour]
        return FITTING[self.discard[-1]][colour]

    def _can_draw(self) -> bool:
        return bool(self.stock) or self._can_shuffle()

    def _can_shuffle(self) -> bool:
        return len(self.discard) > 1 and self.shuffles < MOST_SHUFFLES

    def _next(self, seat: int) -> int:
        return (seat + self.direction) % self.options.seats

    def _read(self, seat: int, text: str) -> UnoMove | None:
        return MOVES.get(text)

    def _refusal(self, seat: int, move: UnoMove) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        if verb not in OF_PHASE[self.phase]:
            return Refusal("wrong_phase", f"{verb} is not what is asked now")
        if verb == "play":
            return self._play_refusal(seat, move)
        if verb == "draw":
            if self.phase == "drawn":
                return Refusal("already_drawn", "you have drawn: play that card or pass")
            if not self._can_draw():
                return Refusal("stock_empty", "there is no card to draw")
        if verb == "pass" and self.phase == "play":
            if self._can_draw():
                return Refusal("must_draw", "who does not play must draw")
            hand = self.hands[seat]
            if not self._fitting(hand).isdisjoint(hand):
                return Refusal("must_play", "there is no card to draw, and you hold one that fits")
        return None

    def _play_refusal(self, seat: int, move: UnoMove) -> Refusal | None:
        (face,) = move.cards
        hand = self.hands[seat]
        if move.card not in hand:
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if self.drawn not in (None, move.card):
            return Refusal("only_drawn_card", "only the card just drawn may be played", face)
        if move.card not in self._fitting(hand):
            if move.card == JOLLY_FOUR:
                return Refusal("wild4_forbidden", "you hold a card of the current colour", face)
            return Refusal("does_not_fit", f"{face} has neither the colour nor the sign", face)
        if move.uno:
            if self.options.uno_call == "auto":
                return Refusal("not_allowed", "uno is said for you at this table", "uno")
            if len(hand) != 2:
                return Refusal("uno_not_due", "uno is said when one card is left", "uno")
        return None

    def _play(self, seat: int, move: UnoMove) -> Applied:
        events: list[Event] = []
        self.seen = None
        if self.penalties:
            self.penalties = []
        match move.verb:
            case "play":
                self._play_card(seat, move, events)
            case "draw":
                self.passes = 0
                self.due.append(Due(seat, 1, "draw"))
            case "pass":
                self._pass(seat, events)
            case "colour":
                self.colour = move.colour
                self.phase = "play"
                events.append(Event("colour_named", seat, {"colour": COLOURS[move.colour]}))
            case _:
                self._answer(seat, move.verb == "challenge", events)
        self._carry_on(events)
        # A card drawn only after a shuffle is not known yet: its turn ends, and if it fits another begins.
        goes_on = self.to_act == (seat,) and move.verb != "play"
        return Applied(move.text, events, not goes_on)

    def _play_card(self, seat: int, move: UnoMove, events: list[Event]) -> None:
        card, hand = move.card, self.hands[seat]
        current = self.colour
        hand.remove(card)
        self.discard.append(card)
        self.colour = move.colour
        self.drawn = None
        self.passes = 0
        self.phase = "play"
        says_uno = move.uno or (len(hand) == 1 and self.options.uno_call == "auto")
        data = {"card": move.cards[0], "colour": COLOURS[move.colour], "uno": says_uno}
        events.append(Event("card_played", seat, data))
        if not hand:
            self.out = seat
        elif len(hand) == 1 and not move.uno and self.options.uno_call == "declare":
            self._punish(seat, _UNO_PENALTY, "uno_not_said")
        self.turn = self._next(seat)
        if card == JOLLY_FOUR and hand and self.options.challenge:
            self.phase = "challenge"
            self.doubt = Doubt(seat, current, tuple(hand))
        elif card != JOLLY:
            self._act(seat, card, events)

    def _act(self, seat: int, card: int, events: list[Event]) -> None:
        """What an action card does to the next seat; a last card only makes it draw."""
        sign = card % SIGNS
        if card == JOLLY_FOUR:
            self._punish(self.turn, 4, "wild4")
        elif sign == PLUS_TWO:
            self._punish(self.turn, 2, "plus_two")
        elif sign < SALTO:
            return
        if self.out is not None:
            return
        if sign != INVERTI or card == JOLLY_FOUR:
            self._skip(self.turn, events)
        elif self.options.seats == 2:
            self.turn = seat
        else:
            self._reverse(events)
            self.turn = self._next(seat)

    def _skip(self, seat: int, events: list[Event]) -> None:
        events.append(Event("seat_skipped", seat, {}))
        self.turn = self._next(seat)

    def _reverse(self, events: list[Event]) -> None:
        self.direction = -self.direction
        events.append(Event("direction_reversed", None, {"direction": self.direction}))

    def _punish(self, seat: int, number: int, reason: str) -> None:
        penalty = Due(seat, number, reason)
        self.due.append(penalty)
        self.penalties.append(penalty)

    def _pass(self, seat: int, events: list[Event]) -> None:
        events.append(Event("turn_passed", seat, {}))
        self.turn = self._next(seat)
        if self.phase == "drawn":
            self.drawn = None
            self.phase = "play"
            return
        self.passes += 1
        if self.passes == self.options.seats:
            self._end_hand(events)

    def _answer(self, seat: int, challenges: bool, events: list[Event]) -> None:
        """The next seat has accepted or challenged a jolly +4."""
        doubt, self.doubt = self.doubt, None
        assert doubt is not None  # noqa: S101  # it is there in phase "challenge"
        self.phase = "play"
        if not challenges:
            events.append(Event("wild4_accepted", seat, {}))
            self._punish(seat, 4, "wild4")
            self._skip(seat, events)
            return
        is_bluff = not OF_COLOUR[doubt.colour].isdisjoint(doubt.hand)
        self.seen = (seat, doubt)
        data = {"played_by": doubt.seat, "is_bluff": is_bluff}
        events.append(Event("wild4_challenged", seat, data, {seat: {"hand": UNO108.show(doubt.hand)}}))
        if is_bluff:
            self._punish(doubt.seat, 4, "challenge_won")
        else:
            self._punish(seat, _CHALLENGE_LOST, "challenge_lost")
            self._skip(seat, events)

    def _carry_on(self, events: list[Event]) -> None:
        """Give out the cards that are due, as far as it goes without a shuffle; then what follows from it."""
        while self.due:
            due = self.due[0]
            given = self._give(due, events) if self.stock else 0
            if given < due.number and self._can_shuffle():
                self.due[0] = due._replace(number=due.number - given)
                return
            del self.due[0]
        if self.phase in ("deal", "over"):
            return
        if self.out is not None or (self.shuffles == MOST_SHUFFLES and not self.stock):
            self._end_hand(events)
        elif self.drawn is not None and self.phase == "play":
            if self.drawn in self._fitting(self.hands[self.turn]):
                self.phase = "drawn"
            else:
                self.drawn = None
                self.turn = self._next(self.turn)

    def _give(self, due: Due, events: list[Event]) -> int:
        """Draw what is due, or what there is; how many cards that was."""
        seat = due.seat
        cards = self.stock[: due.number]
        self.stock = self.stock[due.number :]
        hand = self.hands[seat]
        hand += cards
        hand.sort()
        self.last_shuffle = self.last_shuffle.given(seat, len(cards))
        if due.reason == "draw":
            self.drawn = cards[0]
        data = {"count": len(cards), "reason": due.reason, "stock": len(self.stock)}
        events.append(Event("cards_drawn", seat, data, {seat: {"cards": UNO108.show(cards)}}))
        return len(cards)

    @abstractmethod
    def _end_hand(self, events: list[Event]) -> None:
        """Count the hand of the seat that is out; if none is, the hand is void."""
