"""Jolly (jolly.md). Two to four seats, each a side; the deck `fr110`. Most points win."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self

from services.rules.core.cards import FR110, members
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import KO_TIE_HANDS, Outcome, abandoned, verdict
from services.rules.core.moves import Applied, Event
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    hands_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_choice_spec,
)
from services.rules.core.options import Options, OptionSpec
from services.rules.core.state import hand_score
from services.rules.core.view import Prompt, View
from services.rules.core.zones import open_zone
from services.rules.families.double_hands import JOKER, RANKS, cards_of, kinds, size
from services.rules.families.melds import MeldRules, card_values
from services.rules.families.rummies import (
    DRAW_STOCK,
    OPENING,
    UNDO,
    Rummy,
    Step,
    discard_move,
    draw_move,
    max_turns_spec,
    read_step,
)

_MELDS = MeldRules(run_jokers=2, two_aces=True, stated_suit=False, high_ace=10, ace_of_set=25)
_MELDS_ANY = _MELDS._replace(run_jokers=6)
_TIE_HANDS = 1
_MOST_HELD = 20
_CLOSE = 30
_JOKER_HELD = 50
_ACE_HELD = 25
_DRAW_ROW = "draw discard "
_PROMPTS = {
    "draw": {"it": "Pesca dal tallone o dal pozzo", "en": "Draw from the stock or the row"},
    "play": {"it": "Cala, attacca o scarta", "en": "Meld, add or discard"},
}


@dataclass(frozen=True, slots=True)
class JollyOptions(Options):
    match: Literal["points", "hands"]
    target: int
    hands: int
    same_turn_attach: bool
    run_jokers: int | Literal["any"]
    return_taken: bool
    max_turns: int
    max_hands: int
    ko: bool

    def __post_init__(self) -> None:
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


@lru_cache(maxsize=4096)
def held_points(hand: int) -> int:
    """Section 4: what the cards of a hand count against their seat."""
    return sum(
        _JOKER_HELD if card == JOKER else min(card % RANKS + 1, 10) if card % RANKS else _ACE_HELD
        for card in cards_of(hand)
    )


class Jolly(Rummy):
    """A match of jolly. The discards are the row."""

    __slots__ = ()

    options: JollyOptions
    deck = FR110
    left_in_discard = 3

    def _meld_rules(self) -> MeldRules:
        return _MELDS_ANY if self.options.run_jokers == "any" else _MELDS

    # --------------------------------------------------------------------------------- 2. deal

    def _next(self, seat: int) -> int:
        return (seat + 1) % self.options.seats

    def _deal(self, deck: bytes) -> list[Event]:
        seats = self.options.seats
        first = self._next(self.dealer)
        dealt = self._deal_hands(deck, [(first + distance) % seats for distance in range(seats)])
        self.stock = deck[dealt:]
        self.discard = b""
        return [self._dealt_event({})]

    # --------------------------------------------------------------------------------- 3. play

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "draw":
            most = min(len(self.discard), _MOST_HELD - size(self.hands[seat]))
            row = range(1, most + 1) if self.opened[seat] else ()
            return [DRAW_STOCK, *(_draw_row(count) for count in row)]
        everywhere = self._may_attach(seat) is None
        attachable = range(0 if everywhere else self.melds_before, len(self.melds))
        found = [
            *self._listed_melds(seat),
            *self._listed_adds(seat, attachable),
            *(self._listed_swaps(seat, attachable) if everywhere else ()),
        ]
        if size(self.hands[seat]) < 4:
            found = [move for move in found if self._none_left(seat, move) is None]
        if self.done:
            found.append(UNDO)
        if self._no_discard(seat) is None:
            taken = self._just_taken(seat)
            found += [discard_move(card) for card in members(kinds(self.hands[seat])) if card != taken]
        return found

    def _read(self, seat: int, text: str) -> Step | None:
        if not text.startswith(_DRAW_ROW):
            return read_step(text, self.rules, self.melds)
        count = text.removeprefix(_DRAW_ROW)
        if not (count.isascii() and count.isdecimal()) or count[0] == "0":
            return None
        return draw_move(text, int(count[:4]))  # there are never so many as four digits say

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        phase = "draw" if verb == "draw" else "play"
        if phase != self.phase:
            return Refusal("wrong_phase", f"this belongs to the phase {phase}")
        if verb == "draw":
            return self._no_draw(seat, move.count)
        if verb in ("add", "swap") and move.at >= len(self.melds):
            return Refusal("no_such_meld", f"there is no meld m{move.at}", f"m{move.at}")
        if refusal := self._not_held(seat, move):
            return refusal
        if verb == "discard":
            if move.numbers[0] == self._just_taken(seat):
                back = Refusal("cannot_discard_taken", "you have just taken this card", move.cards[0])
                return self._no_discard(seat) or back
            return self._no_discard(seat)
        if verb == "undo":
            return None if self.done else Refusal("nothing_to_undo", "you have laid and taken nothing")
        elsewhere = verb == "swap" or (verb == "add" and move.at < self.melds_before)
        if elsewhere and (refusal := self._may_attach(seat)):
            return refusal._replace(where=f"m{move.at}")
        return self._bad_form(move) or self._none_left(seat, move)

    def _no_draw(self, seat: int, count: int) -> Refusal | None:
        if not count:
            return None
        if not self.opened[seat]:
            return Refusal("not_opened", "the row is only for who has opened", "discard")
        if count > len(self.discard):
            return Refusal("not_enough_cards", f"the row has {len(self.discard)} cards", "discard")
        if size(self.hands[seat]) + count > _MOST_HELD:
            return Refusal("hand_limit", f"you would hold more than {_MOST_HELD} cards", "discard")
        return None

    def _may_attach(self, seat: int) -> Refusal | None:
        """Section 3.3: why a seat may not yet swap, or add to melds of earlier turns."""
        if self.opened[seat]:
            return None
        if not self.has_opened(seat):
            return Refusal("not_opened", f"you have not laid {OPENING} points")
        if self.options.same_turn_attach:
            return None
        return Refusal("opened_this_turn", "not in the turn in which you open")

    def _none_left(self, seat: int, move: Step) -> Refusal | None:
        if move.verb == "swap" or size(self.hands[seat]) > len(move.numbers):
            return None
        return Refusal("must_keep_discard", "no card would be left for the discard", move.cards[0])

    def _no_discard(self, seat: int) -> Refusal | None:
        """Section 3.5, point 1: why no card of the hand may be discarded."""
        if self.melds_before == len(self.melds) or self.has_opened(seat):
            return None
        return Refusal("opening_too_low", f"{self.points_laid()} points do not open: {OPENING} do")

    def _just_taken(self, seat: int) -> int:
        """Section 3.5, point 2: the card that may not go straight back, -1 if there is none."""
        may_go = self.options.return_taken or size(self.hands[seat]) == 1
        if may_go or not self.done or self.done[0].verb != "draw" or len(self.done[0].cards) != 1:
            return -1
        return self.done[0].cards[0]

    def _play(self, seat: int, move: Step) -> Applied:
        if move.verb == "draw":
            return self._draw(seat, move)
        if move.verb == "undo":
            return self._undo(seat, move)
        if move.verb == "discard":
            return self._discard(seat, move)
        return self._lay(seat, move)

    def _discard(self, seat: int, move: Step) -> Applied:
        in_hand = not self.opened[seat]
        events = [self._put_down(seat, move.numbers[0])]
        if self.hands[seat]:
            self.turn = self._next(seat)
            self.phase = "draw"
            self._begin_turn(events)
        else:
            self._close(seat, in_hand, events)
        return Applied(move.text, events)

    def _begin_turn(self, events: list[Event]) -> None:
        """Section 3.6: the hand is blocked when there is nothing left to draw, or it has lasted too long."""
        if self._cannot_go_on(self.options.max_turns):
            held = [-held_points(hand) for hand in self.hands]
            self._score(self.laid(), held, [0] * self.options.seats, events)
            self._after_hand((self.turn - 1) % self.options.seats, events)

    # ------------------------------------------------------------------- 4. end of hand and scoring

    def laid(self) -> list[int]:
        """What the cards on the table are worth, for the seats that laid them."""
        points = [0] * self.options.seats
        for laid in self.melds:
            for seat, worth in zip(laid.by, card_values(laid.meld, self.rules), strict=True):
                points[seat] += worth
        return points

    def _close(self, closer: int, in_hand: bool, events: list[Event]) -> None:
        """Closed in hand the closer's points count twice, and what the others hold."""
        factor = 1 + in_hand
        laid = self.laid()
        laid[closer] *= factor
        held = [-held_points(hand) * factor for hand in self.hands]
        close = [_CLOSE * factor * (seat == closer) for seat in range(self.options.seats)]
        events.append(Event("hand_closed", closer, {"in_hand": in_hand}))
        self._score(laid, held, close, events)
        self._after_hand(closer, events)

    def _score(
        self, laid: Sequence[int], held: Sequence[int], close: Sequence[int], events: list[Event]
    ) -> None:
        total = [sum(points) for points in zip(laid, held, close, strict=True)]
        self.hand_score = hand_score({"laid": laid, "held": held, "close": close, "total": total})
        self.scores = [score + more for score, more in zip(self.scores, total, strict=True)]
        data = {
            "hand_score": self._hand_score_json(),
            "scores": list(self.scores),
            "hands": [self.deck.show(cards_of(hand)) for hand in self.hands],
        }
        events.append(Event("hand_ended", None, data))

    # -------------------------------------------------------------------------------- 5. match

    def _after_hand(self, last: int, events: list[Event]) -> None:
        """What follows a hand whose last discard was that of seat `last`."""
        options = self.options
        was_the_last = options.match == "points" and self.hand + self.tie_break >= options.max_hands
        if was_the_last or self.tie_break or self._is_due():
            outcome = verdict(
                self.scores,
                tie_break=KO_TIE_HANDS if was_the_last else self.tie_break,
                tie_hands=_TIE_HANDS,
                ko_order=(1 - last, last) if options.ko else None,
            )
            if outcome:
                self._end_match(outcome, events)
                return
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        self.dealer = self._next(self.dealer)

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return max(self.scores) >= options.target

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        """The offender pays its hand, the others keep what they laid and get the closer's bonus."""
        events = [Event("seat_abandoned", seat, {})]
        seats = range(self.options.seats)
        is_open = self.hand_is_open
        laid = [points * (is_open and other != seat) for other, points in enumerate(self.laid())]
        held = [-held_points(hand) * (is_open and other == seat) for other, hand in enumerate(self.hands)]
        self._score(laid, held, [_CLOSE * (other != seat) for other in seats], events)
        self._end_match(abandoned(self.scores, seat, seat), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def openings(self, viewer: int | None) -> Sequence[int]:
        return self._openings(viewer, ())

    def public_view(self) -> View:
        row = open_zone(self.deck, "discard", "discard", "row", tuple(self.discard), None, None, ordered=True)
        facts: dict[str, Any] = {
            "opened": [self.has_opened(seat) for seat in range(self.options.seats)],
            "turns": list(self.turns),
            "laid": self.laid(),
            "melds": [self._laid_json(laid) for laid in self.melds],
        }
        asked = self.to_act
        prompts = [Prompt(asked, self.phase, _PROMPTS[self.phase])] if asked else []
        return self._view([*self._shared_zones(), row], prompts, [], facts)

    def own_view(self, seat: int) -> View:
        if not self.hand_is_open:
            return self._view([], [], [], {})
        return self._view([self._hand_zone(seat, True)], [], self.legal(seat), self._help(seat))

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        return self._copy_rummy()

    def to_json(self) -> dict[str, Any]:
        return {**self._rummy_json(), "laid": self.laid()}

    @classmethod
    def from_json(cls, options: JollyOptions, json: Mapping[str, Any]) -> Self:
        state = cls._rummy_from(options, json)
        if state.phase not in ("deal", "draw", "play", "over"):
            raise PositionError("phase", "there is no such phase")
        state._read_turn(json, state._next(state.dealer), range(options.seats))
        if state.phase == "draw":
            state._begin_turn([])
        return state


def _draw_row(count: int) -> Step:
    return draw_move(f"{_DRAW_ROW}{count}", count)


JOLLY = Game(
    id="jolly",
    names={"it": "Jolly", "en": "Jolly"},
    deck=FR110,
    direction="clockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2, 3, 4)),
        match_spec("points"),
        target_choice_spec(100, (100, 250, 500)),
        hands_spec(3, 12),
        flag_spec(
            "same_turn_attach",
            False,
            "Si attacca e si scambia già nel turno di apertura",
            "Adding and swapping already in the turn of the opening",
        ),
        OptionSpec(
            "run_jokers",
            "choice",
            2,
            {"it": "Jolly al massimo in una scala", "en": "Most jokers in a run"},
            choices=(2, "any"),
        ),
        flag_spec(
            "return_taken",
            False,
            "La carta presa da sola dal pozzo si può riscartare",
            "A single card taken from the row may go straight back",
        ),
        max_turns_spec(),
        max_hands_spec(),
        KO,
    ),
    options_type=JollyOptions,
    state_type=Jolly,
)
