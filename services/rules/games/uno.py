"""Uno (uno.md). Two to ten seats, each a side; the deck `uno108`.

A card's number is 13 times its colour (r y g b) and its sign, jolly and jolly +4 come last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

from services.rules.core.cards import UNO108, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, abandoned, verdict
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.option_specs import KO, flag_spec, hands_spec, match_spec, seats_spec, target_spec
from services.rules.core.options import Options, OptionSpec
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_zone

_COLOURS = "rygb"
_SIGNS = 13
_SALTO, _INVERTI, _PLUS_TWO = 10, 11, 12
_JOLLY, _JOLLY_FOUR = 52, 53

_HAND = 7
_UNO_PENALTY = 2
_FOUR = 4
_CHALLENGE_LOST = 6
_MOST_SHUFFLES = 10
_TIE_HANDS = 3
_EXTRA = 50  # what a seat that leaves gives besides its cards

_POINTS = tuple([sign if sign < _SALTO else 20 for _ in _COLOURS for sign in range(_SIGNS)] + [50, 50])
_OF_COLOUR = tuple(as_set(range(colour * _SIGNS, (colour + 1) * _SIGNS)) for colour in range(4))
_OF_SIGN = tuple(as_set(range(sign, _JOLLY, _SIGNS)) for sign in range(_SIGNS))
_NOBODY = 255  # who drew the first card of the discards

_HANDS = tuple(f"hands.{seat}" for seat in range(10))
_PROMPTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "colour": ("name_colour", {"it": "Scegli il colore", "en": "Name a colour"}),
    "play": ("play_card", {"it": "Gioca una carta o pesca", "en": "Play a card, or draw"}),
    "drawn": ("play_drawn", {"it": "Gioca la carta pescata o passa", "en": "Play the card drawn, or pass"}),
    "challenge": (
        "answer_wild4",
        {"it": "Accetta il +4 o contestalo", "en": "Accept the +4, or challenge it"},
    ),
}


@dataclass(frozen=True, slots=True)
class UnoOptions(Options):
    """Section 1."""

    match: Literal["hands", "points"]
    hands: int
    target: int
    challenge: bool
    ko: bool
    uno_call: Literal["auto", "declare"]

    def __post_init__(self) -> None:
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


@dataclass(frozen=True, slots=True)
class UnoMove(Move):
    """A move with the number of its card, the colour that it makes current, and whether it says "uno"."""

    card: int = -1
    colour: int = -1
    uno: bool = False


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


# ------------------------------------------------------------------------------------ all the moves


def _play_of(card: int, colour: int, uno: bool) -> UnoMove:
    face = UNO108.faces[card]
    named = f" {_COLOURS[colour]}" if card >= _JOLLY else ""
    text = f"play {face}{named}{' uno' if uno else ''}"
    return UnoMove(text, "play", (face,), (), "discard", card, colour, uno)


def _plays(card: int, *uno: bool) -> tuple[UnoMove, ...]:
    """The ways to play a card, silently or not."""
    colours = range(4) if card >= _JOLLY else (card // _SIGNS,)
    return tuple(_play_of(card, colour, said) for colour in colours for said in uno)


_SILENT = tuple(_plays(card, False) for card in range(len(UNO108.faces)))
_BOTH = tuple(_plays(card, False, True) for card in range(len(UNO108.faces)))
_NAMES = tuple(UnoMove(f"colour {name}", "colour", colour=n) for n, name in enumerate(_COLOURS))
_DRAW = UnoMove("draw", "draw")
_PASS = UnoMove("pass", "pass")
_ANSWERS = (UnoMove("accept", "accept"), UnoMove("challenge", "challenge"))
_BY_TEXT = {
    move.text: move for moves in (*_BOTH, _NAMES, (_DRAW, _PASS), _ANSWERS) for move in moves
}  # fmt: skip
_OF_PHASE: Mapping[str, frozenset[str]] = {
    "colour": frozenset(("colour",)),
    "play": frozenset(("play", "draw", "pass")),
    "drawn": frozenset(("play", "draw", "pass")),
    "challenge": frozenset(("accept", "challenge")),
}


def _fits(top: int, colour: int) -> int:
    """The cards that fit on this top card while this colour is current, but for the jolly +4."""
    alike = _OF_SIGN[top % _SIGNS] if top < _JOLLY else 0
    return _OF_COLOUR[colour] | alike | 1 << _JOLLY


_FITTING = tuple(tuple(_fits(top, colour) for colour in range(4)) for top in range(len(UNO108.faces)))


class Uno(State[UnoMove]):
    """A match of uno. Hands are sorted; the top of the discards is the last, the next of the stock first."""

    __slots__ = (
        "colour",
        "direction",
        "discard",
        "doubt",
        "drawers",
        "drawn",
        "due",
        "hands",
        "hands_won",
        "out",
        "passes",
        "penalties",
        "seen",
        "shuffled",
        "shuffles",
        "stock",
        "turn",
        "under",
    )

    options: UnoOptions

    def __init__(self, options: UnoOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands: list[list[int]] = [[] for _ in range(options.seats)]
        self.discard: list[int] = []
        self.stock = b""
        self.colour: int | None = None
        self.direction = 1
        self.shuffles = 0
        self.hands_won = [0] * options.seats
        self.turn = dealer
        self.drawn: int | None = None  # the card just drawn, in phase "drawn"
        self.passes = 0  # in a row, because there was no card to draw
        self.due: list[Due] = []  # draws that wait for a shuffle
        self.out: int | None = None  # who has played its last card, until the hand is counted
        self.doubt: Doubt | None = None
        self.seen: tuple[int, Doubt] | None = None  # who has just challenged what, and so sees that hand
        self.penalties: list[Due] = []  # cards that the last move made seats draw
        # For the proof of the deal: of the last shuffle how many cards it had (0: not known), who drew each
        # card since, and how many of those beside the dealt hands were put under the stock.
        self.shuffled = 0
        self.drawers = b""
        self.under = 0

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
        dealt = _HAND * seats
        first = (self.dealer + 1) % seats
        for distance in range(seats):
            self.hands[(first + distance) % seats] = sorted(deck[distance:dealt:seats])
        rest = deck[dealt:]
        under = 0
        while rest[under] == _JOLLY_FOUR:
            under += 1
        top = rest[under]
        self.stock = rest[under + 1 :] + rest[:under]
        self.discard = [top]
        self.shuffled = len(deck)
        self.drawers = bytes((first + n) % seats for n in range(dealt)) + bytes((_NOBODY,))
        self.under = under
        self.direction = 1
        self.shuffles = 0
        self.passes = 0
        self.drawn = None
        self.seen = None
        self.penalties = []
        self.colour = None if top == _JOLLY else top // _SIGNS
        self.phase = "play"
        self.turn = first
        data = {
            "dealer": self.dealer,
            "hands": self._hands_seen(None),
            "discard": [UNO108.faces[top]],
            "stock": len(self.stock),
        }
        private = {seat: {"hands": self._hands_seen(seat)} for seat in range(seats)}
        events.append(Event("hand_dealt", None, data, private))
        self._act_first(top, events)

    def _act_first(self, top: int, events: list[Event]) -> None:
        """What the first card does to the seat after the dealer."""
        if top == _JOLLY:
            self.phase = "colour"
            return
        sign = top % _SIGNS
        if sign == _INVERTI:
            self.turn = self.dealer
            if self.options.seats > 2:
                self._reverse(events)
        elif sign >= _SALTO:
            if sign == _PLUS_TWO:
                self._punish(self.turn, 2, "plus_two")
            self._skip(self.turn, events)

    def _shuffle_discards(self, order: Sequence[int], events: list[Event]) -> None:
        """All discards but the top one become the stock."""
        *below, top = self.discard
        below.sort()
        self.stock = bytes(below[place] for place in order)
        self.discard = [top]
        self.shuffles += 1
        self.shuffled = len(below)
        self.drawers = b""
        self.under = 0
        events.append(Event("discards_shuffled", None, {"stock": len(below), "shuffles": self.shuffles}))

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return () if self.due or self.phase in ("deal", "over") else (self.turn,)

    def legal(self, seat: int) -> list[UnoMove]:
        if seat not in self.to_act:
            return []
        if self.phase == "colour":
            return list(_NAMES)
        if self.phase == "challenge":
            return list(_ANSWERS)
        is_uno = self.options.uno_call == "declare" and len(self.hands[seat]) == 2
        plays = _BOTH if is_uno else _SILENT
        if self.drawn is not None:
            return [*plays[self.drawn], _PASS]
        cards = members(self._playable(seat))
        moves = [move for card in cards for move in plays[card]]
        if self._can_draw():
            moves.append(_DRAW)
        elif not cards:
            moves.append(_PASS)
        return moves

    def _playable(self, seat: int) -> int:
        """The cards of the hand that fit."""
        colour = self.colour
        if colour is None:
            return 0
        hand = as_set(self.hands[seat])
        fitting = _FITTING[self.discard[-1]][colour]
        if self.options.challenge or not hand & _OF_COLOUR[colour]:
            fitting |= 1 << _JOLLY_FOUR
        return hand & fitting

    def _can_draw(self) -> bool:
        return bool(self.stock) or self._can_shuffle()

    def _can_shuffle(self) -> bool:
        return len(self.discard) > 1 and self.shuffles < _MOST_SHUFFLES

    def _next(self, seat: int) -> int:
        return (seat + self.direction) % self.options.seats

    def _read(self, seat: int, text: str) -> UnoMove | None:
        return _BY_TEXT.get(text)

    def _refusal(self, seat: int, move: UnoMove) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        if verb not in _OF_PHASE[self.phase]:
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
            if self._playable(seat):
                return Refusal("must_play", "there is no card to draw, and you hold one that fits")
        return None

    def _play_refusal(self, seat: int, move: UnoMove) -> Refusal | None:
        (face,) = move.cards
        hand = self.hands[seat]
        if move.card not in hand:
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if self.drawn not in (None, move.card):
            return Refusal("only_drawn_card", "only the card just drawn may be played", face)
        if not self._playable(seat) >> move.card & 1:
            if move.card == _JOLLY_FOUR:
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
                events.append(Event("colour_named", seat, {"colour": _COLOURS[move.colour]}))
            case _:
                self._answer(seat, move.verb == "challenge", events)
        self._carry_on(events)
        # A card drawn only after a shuffle is not known yet: its turn ends, and if it fits another begins.
        turn_ended = bool(self.due) or self.phase in ("deal", "over") or self._is_new_turn(seat, move)
        return Applied(move.text, events, turn_ended)

    def _is_new_turn(self, seat: int, move: UnoMove) -> bool:
        return move.verb == "play" or self.turn != seat

    def _play_card(self, seat: int, move: UnoMove, events: list[Event]) -> None:
        card, hand = move.card, self.hands[seat]
        current = self.colour or 0
        hand.remove(card)
        self.discard.append(card)
        self.colour = move.colour
        self.drawn = None
        self.passes = 0
        self.phase = "play"
        says_uno = move.uno or (len(hand) == 1 and self.options.uno_call == "auto")
        data = {"card": move.cards[0], "colour": _COLOURS[move.colour], "uno": says_uno}
        events.append(Event("card_played", seat, data))
        if not hand:
            self.out = seat
        elif len(hand) == 1 and not move.uno and self.options.uno_call == "declare":
            self._punish(seat, _UNO_PENALTY, "uno_not_said")
        self.turn = self._next(seat)
        if card == _JOLLY_FOUR and hand and self.options.challenge:
            self.phase = "challenge"
            self.doubt = Doubt(seat, current, tuple(hand))
        elif card != _JOLLY:
            self._act(seat, card, events)

    def _act(self, seat: int, card: int, events: list[Event]) -> None:
        """What an action card does to the next seat; a last card only makes it draw."""
        sign = card % _SIGNS
        if card == _JOLLY_FOUR:
            self._punish(self.turn, _FOUR, "wild4")
        elif sign == _PLUS_TWO:
            self._punish(self.turn, 2, "plus_two")
        elif sign < _SALTO:
            return
        if self.out is not None:
            return
        if sign != _INVERTI or card == _JOLLY_FOUR:
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
            self._punish(seat, _FOUR, "wild4")
            self._skip(seat, events)
            return
        is_bluff = bool(as_set(doubt.hand) & _OF_COLOUR[doubt.colour])
        self.seen = (seat, doubt)
        data = {"played_by": doubt.seat, "is_bluff": is_bluff}
        events.append(Event("wild4_challenged", seat, data, {seat: {"hand": UNO108.show(doubt.hand)}}))
        if is_bluff:
            self._punish(doubt.seat, _FOUR, "challenge_won")
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
        if self.out is not None or (self.shuffles == _MOST_SHUFFLES and not self.stock):
            self._end_hand(events)
        elif self.drawn is not None and self.phase == "play":
            if self._playable(self.turn) >> self.drawn & 1:
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
        if self.shuffled:
            self.drawers += bytes((seat,)) * len(cards)
        if due.reason == "draw":
            self.drawn = cards[0]
        data = {"count": len(cards), "reason": due.reason, "stock": len(self.stock)}
        events.append(Event("cards_drawn", seat, data, {seat: {"cards": UNO108.show(cards)}}))
        return len(cards)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        """Count the hand of the seat that is out; if none is, the hand is void."""
        seats = range(self.options.seats)
        winner, self.out = self.out, None
        self.drawn = None
        self.doubt = None
        held = self._held()
        won = [int(seat == winner) for seat in seats]
        self._score({"won": won, "held": held, "total": [sum(held) * it for it in won]}, events)
        self.hands_won = [before + more for before, more in zip(self.hands_won, won, strict=True)]
        if winner is not None:
            if self.tie_break or self._is_due():
                outcome = verdict(
                    self._standing(), tie_break=self.tie_break, tie_hands=_TIE_HANDS, ko_order=None
                )
                if outcome:
                    self._end_match(outcome, events)
                    return
                self.tie_break += 1
            else:
                self.hand += 1
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % self.options.seats

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return max(self.scores) >= options.target

    def _standing(self) -> list[int]:
        """What ranks the seats: points, then hands won."""
        return [points << 32 | won for points, won in zip(self.scores, self.hands_won, strict=True)]

    def _held(self) -> list[int]:
        return [sum(_POINTS[card] for card in hand) for hand in self.hands]

    def _score(self, items: dict[str, list[int]], events: list[Event]) -> None:
        self.hand_score = hand_score(items)
        self.scores = [score + more for score, more in zip(self.scores, items["total"], strict=True)]
        data = {
            "hands": [UNO108.show(hand) for hand in self.hands],
            "hand_score": self._hand_score_json(),
            "scores": list(self.scores),
        }
        events.append(Event("hand_ended", None, data))

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        self.seen = None
        if self.phase != "deal":
            self.due = []
            self.penalties = []
            self.out = None
            self.drawn = None
            self.doubt = None
            held = self._held()
            total = [0 if other == seat else held[seat] + _EXTRA for other in range(self.options.seats)]
            self._score({"won": [0] * self.options.seats, "held": held, "total": total}, events)
        self._end_match(abandoned(self.scores, seat, seat, standing=self._standing()), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it while it is played: its cards, or how many they are."""
        seen: list[list[str] | int] = [len(hand) for hand in self.hands]
        if viewer is not None:
            seen[viewer] = UNO108.show(self.hands[viewer])
        return seen

    @property
    def whole_deck_shown(self) -> bool:
        return self.phase in ("deal", "over") and bool(self.discard) and not self.stock

    def openings(self, viewer: int | None) -> Sequence[int]:
        """Of the last shuffle. After the hand everybody has seen all that was drawn, in the discards or in
        the hands; before that a seat knows its own draws. Nobody is told of the first card: its place says
        how many +4 lie under the stock."""
        ended = self.phase in ("deal", "over")
        drawn = [n for n, seat in enumerate(self.drawers) if ended or seat == viewer]
        dealt = _HAND * self.options.seats
        if not self.under:
            return drawn
        rest = self.shuffled - dealt
        places = [n if n < dealt else dealt + (n - dealt + self.under) % rest for n in drawn]
        return sorted(places)

    def public_view(self) -> View:
        ended = self.phase in ("deal", "over")
        zones = [self._hand_zone(seat, ended) for seat in range(self.options.seats)]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        discards = tuple(UNO108.show(self.discard))
        zones.append(Zone("discard", "discard", "pile", discards, len(discards), ordered=True))
        facts = {
            "colour": self._colour_json(),
            "direction": self.direction,
            "shuffles": self.shuffles,
            "hands_won": list(self.hands_won),
            "penalties": [penalty._asdict() for penalty in self.penalties],
        }
        prompts = [Prompt(self.to_act, *_PROMPTS[self.phase])] if self.to_act else []
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        ended = self.phase in ("deal", "over")
        zones = [] if ended else [self._hand_zone(seat, True)]
        if self.seen and self.seen[0] == seat:
            doubt = self.seen[1]
            zones.append(open_zone(UNO108, "seen", "seen", "fan", doubt.hand, doubt.seat, doubt.seat))
        facts = {"drawn": UNO108.faces[self.drawn]} if self.drawn is not None and self.turn == seat else {}
        return self._view(zones, [], self.legal(seat), facts)

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        hand, name = self.hands[owner], _HANDS[owner]
        if is_open:
            return open_zone(UNO108, name, "hands", "fan", tuple(hand), owner, owner)
        return closed_zone(name, "hands", "fan", len(hand), owner, owner)

    def _colour_json(self) -> str | None:
        return None if self.colour is None else _COLOURS[self.colour]

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = [list(hand) for hand in self.hands]
        new.discard = list(self.discard)
        new.stock = self.stock
        new.colour = self.colour
        new.direction = self.direction
        new.shuffles = self.shuffles
        new.hands_won = list(self.hands_won)
        new.turn = self.turn
        new.drawn = self.drawn
        new.passes = self.passes
        new.due = list(self.due)
        new.out = self.out
        new.doubt = self.doubt
        new.seen = self.seen
        new.penalties = list(self.penalties)
        new.shuffled = self.shuffled
        new.drawers = self.drawers
        new.under = self.under
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [UNO108.show(hand) for hand in self.hands],
            "discard": UNO108.show(self.discard),
            "stock": UNO108.show(self.stock),
            "colour": self._colour_json(),
            "direction": self.direction,
            "shuffles": self.shuffles,
            "hands_won": list(self.hands_won),
            "drawn": None if self.drawn is None else UNO108.faces[self.drawn],
            "turn": self.turn,
            "passes": self.passes,
            "due": [list(due) for due in self.due],
            "out": self.out,
            "doubt": _doubt_json(self.doubt),
            "seen": self.seen and [self.seen[0], _doubt_json(self.seen[1])],
            "penalties": [list(penalty) for penalty in self.penalties],
            "shuffled": self.shuffled,
            "drawers": list(self.drawers),
            "under": self.under,
        }

    @classmethod
    def from_json(cls, options: UnoOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        zones = read_zones(json, UNO108, whole=["discard", "stock"], parted=["hands"])
        state.hands = [sorted(hand) for hand in zones.get("hands", [[]] * options.seats)]
        state.discard = zones.get("discard", [[]])[0]
        state.stock = bytes(zones.get("stock", [[]])[0])
        state.direction = json.get("direction", 1)
        state.shuffles = json.get("shuffles", 0)
        state.hands_won = list(json.get("hands_won", state.hands_won))
        state.passes = json.get("passes", 0)
        state.due = [Due(*due) for due in json.get("due", [])]
        state.out = json.get("out")
        state.doubt = _read_doubt(json.get("doubt"))
        if seen := json.get("seen"):
            viewer, doubt = seen
            shown = _read_doubt(doubt)
            state.seen = (viewer, shown) if shown else None
        state.penalties = [Due(*penalty) for penalty in json.get("penalties", [])]
        state.shuffled = json.get("shuffled", 0)
        state.drawers = bytes(json.get("drawers", []))
        state.under = json.get("under", 0)
        if json.get("drawn") is not None:
            (state.drawn,) = _faces("drawn", [json["drawn"]])
            state.phase = json.get("phase", "drawn")
        if named := json.get("colour"):
            if named not in _COLOURS:
                raise PositionError("colour", "must be r, y, g or b")
            state.colour = _COLOURS.index(named)
        first = (state.dealer + 1) % options.seats
        to_act = json.get("to_act") or [first]
        state.turn = json.get("turn", to_act[0])
        if state.phase not in ("deal", "over"):
            state._check_position()
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this; a colour left out is that of the top."""
        seats = self.options.seats
        if self.phase not in _OF_PHASE:
            raise PositionError("phase", "is none of this game")
        if len(self.hands) != seats or len(self.hands_won) != seats:
            raise PositionError("hands", f"hands and hands_won must be {seats}")
        if not all(hand or seat == self.out for seat, hand in enumerate(self.hands)):
            raise PositionError("hands", "no hand is empty while it is played")
        if self.turn not in range(seats):
            raise PositionError("to_act", "must be a seat")
        if self.direction not in (1, -1):
            raise PositionError("direction", "must be 1 or -1")
        if self.shuffles not in range(_MOST_SHUFFLES + 1):
            raise PositionError("shuffles", f"must be 0 to {_MOST_SHUFFLES}")
        if self.shuffles == _MOST_SHUFFLES and not self.stock:
            raise PositionError("shuffles", "the stock is not empty after the last one")
        self._check_top()
        self._check_phase()

    def _check_top(self) -> None:
        if not self.discard:
            raise PositionError("discard", "the first card lies there")
        top = self.discard[-1]
        if self.phase == "colour":
            if top != _JOLLY or self.colour is not None:
                raise PositionError("colour", "is named for a jolly that has none")
        elif self.colour is None:
            if top >= _JOLLY:
                raise PositionError("colour", "must be given on a jolly")
            self.colour = top // _SIGNS
        elif top < _JOLLY and self.colour != top // _SIGNS:
            raise PositionError("colour", "is that of the top card")

    def _check_phase(self) -> None:
        if (self.phase == "drawn") != (self.drawn is not None):
            raise PositionError("drawn", "goes with the phase drawn")
        if self.drawn is not None and self.drawn not in self.hands[self.turn]:
            raise PositionError("drawn", "is held by the seat to act")
        if (self.phase == "challenge") != (self.doubt is not None):
            raise PositionError("phase", "a challenge needs what is in doubt")


def _doubt_json(doubt: Doubt | None) -> list[Any] | None:
    return doubt and [doubt.seat, _COLOURS[doubt.colour], UNO108.show(doubt.hand)]


def _read_doubt(json: Any) -> Doubt | None:
    return Doubt(json[0], _COLOURS.index(json[1]), tuple(sorted(UNO108.read(json[2])))) if json else None


def _faces(where: str, texts: Sequence[str]) -> list[int]:
    try:
        return UNO108.read(texts)
    except KeyError:
        raise PositionError(where, "is not a card of this deck") from None


UNO = Game(
    id="uno",
    names={"it": "Uno", "en": "Uno"},
    deck=UNO108,
    direction="clockwise",
    rules_version=1,
    specs=(
        seats_spec(4, tuple(range(2, 11))),
        match_spec("hands", ("hands", "points")),
        hands_spec(1, 20),
        target_spec(500, 100, 1000),
        flag_spec(
            "challenge", False, "Il +4 si può bluffare e contestare", "The +4 may be bluffed, and challenged"
        ),
        KO,
        OptionSpec(
            "uno_call",
            "choice",
            "auto",
            {"it": "Chi dice uno: il tavolo o il giocatore", "en": "Who says uno: the table, or the player"},
            choices=("auto", "declare"),
        ),
    ),
    options_type=UnoOptions,
    state_type=Uno,
)
