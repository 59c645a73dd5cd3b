"""Jolly (jolly.md). Two to four seats, each a side; the deck `fr110`. Most points win."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Literal, Self

from services.rules.core.cards import FR110
from services.rules.core.course import Course
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import abandoned
from services.rules.core.moves import Applied, Event
from services.rules.core.notation import amount
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    hands_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_choice_spec,
)
from services.rules.core.options import OptionSpec
from services.rules.core.view import Prompt, View
from services.rules.core.zones import open_zone
from services.rules.families.double_hands import size
from services.rules.families.melds import MeldRules, card_values
from services.rules.families.rummies import Rummy
from services.rules.families.rummy_moves import DRAW_STOCK, Step, draw_move, read_step
from services.rules.families.rummy_table import OPENING, RummyOptions, max_turns_spec, points_in_hand

_MELDS = MeldRules(run_jokers=2, two_aces=True, stated_suit=False, high_ace=10, ace_of_set=25)
_MELDS_ANY = _MELDS._replace(run_jokers=6)
_TIE_HANDS = 1
_MOST_HELD = 20
_CLOSE = 30
_JOKER_HELD = 50
_ACE_HELD = 25
_DRAW_ROW = "draw discard "
_NOT_OPENED = Refusal("not_opened", f"you have not laid {OPENING} points")
_OPENED_THIS_TURN = Refusal("opened_this_turn", "not in the turn in which you open")
_PROMPTS = {
    "draw": {"it": "Pesca dal tallone o dal pozzo", "en": "Draw from the stock or the row"},
    "play": {"it": "Cala, attacca o scarta", "en": "Meld, add or discard"},
}


@dataclass(frozen=True, slots=True)
class JollyOptions(RummyOptions):
    same_turn_attach: bool
    run_jokers: int | Literal["any"]
    return_taken: bool

    def __post_init__(self) -> None:
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


class Jolly(Rummy, Course[Step]):
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

    def _listed_draws(self, seat: int) -> list[Step]:
        most = min(len(self.discard), _MOST_HELD - size(self.hands[seat])) if self.opened[seat] else 0
        return [DRAW_STOCK, *(_draw_row(count) for count in range(1, most + 1))]

    def _read(self, seat: int, text: str) -> Step | None:
        if not text.startswith(_DRAW_ROW):
            return read_step(text, self.rules, self.melds)
        count = amount(text.removeprefix(_DRAW_ROW))
        return draw_move(text, count) if count else None

    def _no_draw(self, seat: int, move: Step) -> Refusal | None:
        if not self.opened[seat]:
            return Refusal("not_opened", "the row is only for who has opened", "discard")
        if move.count > len(self.discard):
            return Refusal("not_enough_cards", f"the row has {len(self.discard)} cards", "discard")
        if size(self.hands[seat]) + move.count > _MOST_HELD:
            return Refusal("hand_limit", f"you would hold more than {_MOST_HELD} cards", "discard")
        return None

    def _no_attaching(self, seat: int) -> Refusal | None:
        """Section 3.3."""
        if self.opened[seat]:
            return None
        if not self.has_opened(seat):
            return _NOT_OPENED
        return None if self.options.same_turn_attach else _OPENED_THIS_TURN

    def _is_short(self, seat: int) -> bool:
        return size(self.hands[seat]) < 4

    def _too_few_left(self, seat: int, move: Step) -> Refusal | None:
        if move.verb == "swap" or size(self.hands[seat]) > len(move.numbers):
            return None
        return Refusal("must_keep_discard", "no card would be left for the discard", move.cards[0])

    def _no_discard(self, seat: int) -> Refusal | None:
        """Section 3.5, point 1."""
        if self.melds_before == len(self.melds) or self.has_opened(seat):
            return None
        return Refusal("opening_too_low", f"{self.points_laid()} points do not open: {OPENING} do")

    def _kept_back(self, seat: int) -> AbstractSet[int]:
        """Section 3.5, point 2: the only card taken from the row."""
        may_go = self.options.return_taken or size(self.hands[seat]) == 1
        if may_go or not self.done or self.done[0].verb != "draw" or len(self.done[0].cards) > 1:
            return frozenset()
        return frozenset(self.done[0].cards)

    def _keeps_back(self, face: str) -> Refusal:
        return Refusal("cannot_discard_taken", "you have just taken this card", face)

    def _end_unclosed(self, events: list[Event]) -> None:
        """Section 3.6: the hand is blocked."""
        nothing = [0] * self.options.seats
        self._score({"laid": self.laid(), "held": self._held(), "close": nothing}, events)
        self._to_next_hand((self.turn - 1) % self.options.seats, events)

    # ------------------------------------------------------------------- 4. end of hand and scoring

    def laid(self) -> list[int]:
        """What the cards on the table are worth, for the seats that laid them."""
        points = [0] * self.options.seats
        for laid in self.melds:
            for seat, worth in zip(laid.by, card_values(laid.meld, self.rules), strict=True):
                points[seat] += worth
        return points

    def _held(self, factor: int = 1) -> list[int]:
        return [-factor * points_in_hand(hand, _JOKER_HELD, _ACE_HELD) for hand in self.hands]

    def _close(self, closer: int, in_hand: bool, events: list[Event]) -> None:
        """Closed in hand the closer's points count twice, and what the others hold."""
        factor = 1 + in_hand
        laid = self.laid()
        laid[closer] *= factor
        close = [_CLOSE * factor * (seat == closer) for seat in range(self.options.seats)]
        events.append(Event("hand_closed", closer, {"in_hand": in_hand}))
        self._score({"laid": laid, "held": self._held(factor), "close": close}, events)
        self._to_next_hand(closer, events)

    def _score(self, items: Mapping[str, Sequence[int]], events: list[Event]) -> None:
        super()._score(items, events)
        events[-1] = self._showing_hands(events[-1])

    # -------------------------------------------------------------------------------- 5. match

    def _to_next_hand(self, last: int, events: list[Event]) -> None:
        """What follows a hand whose last discard was that of seat `last`."""
        options = self.options
        self._after_hand(
            events,
            is_due=self._is_due(),
            is_last=options.match == "points" and self.hand + self.tie_break >= options.max_hands,
            tie_hands=_TIE_HANDS,
            ko_order=(1 - last, last) if options.ko else None,
        )

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return max(self.scores) >= options.target

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        """The offender pays its hand, the others keep what they laid and get the closer's bonus."""
        events = [Event("seat_abandoned", seat, {})]
        seats = range(self.options.seats)
        is_open = self.hand_is_open
        laid = [points * (is_open and other != seat) for other, points in enumerate(self.laid())]
        held = [points * (is_open and other == seat) for other, points in enumerate(self._held())]
        close = [_CLOSE * (other != seat) for other in seats]
        self._score({"laid": laid, "held": held, "close": close}, events)
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
