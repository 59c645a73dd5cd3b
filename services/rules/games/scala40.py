"""Scala 40 (scala40.md). Two to six seats, or four in two partnerships; the deck `fr108`. Few points win."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self

from services.rules.core.cards import FR108, members
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome
from services.rules.core.moves import Applied, Event
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    target_spec,
)
from services.rules.core.options import Options, OptionSpec
from services.rules.core.state import hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.families.double_hands import JOKER, RANKS, cards_of, kinds, size
from services.rules.families.melds import MeldRules, growths
from services.rules.families.rummies import (
    DRAW_STOCK,
    HAND,
    OPENING,
    UNDO,
    Done,
    Rummy,
    Step,
    discard_move,
    draw_move,
    max_turns_spec,
    read_step,
)

_MELDS = MeldRules(run_jokers=1, two_aces=False, stated_suit=True, high_ace=11, ace_of_set=11)
_FULL_HAND = 100
_JOKER_HELD = 25
_ACE_HELD = 11
_DRAW_DISCARD = draw_move("draw discard", 1)
_CHOICES = {word: Step(word, word) for word in ("reenter", "leave")}
_PROMPTS = {
    "draw": {"it": "Pesca dal tallone o dal pozzo", "en": "Draw from the stock or the pile"},
    "play": {"it": "Cala, attacca o scarta", "en": "Meld, add or discard"},
    "reentry": {"it": "Rientra o lascia la partita", "en": "Re-enter or leave the match"},
}


@dataclass(frozen=True, slots=True)
class Scala40Options(Options):
    partners: bool
    match: Literal["points", "hands"]
    target: int
    hands: int
    reentry: int
    pickup: Literal["open_with", "opened_only"]
    attachable_discard: Literal["free", "fisca"]
    in_hand_40: bool
    lone_ace: Literal["one_ace", "only_card"]
    max_turns: int
    max_hands: int
    ko: bool

    def __post_init__(self) -> None:
        if self.partners and self.seats != 4:
            raise OptionsError("partners", "partners need four seats")
        if self.reentry and (self.match != "points" or self.seats < 3 or self.partners):
            raise OptionsError(
                "reentry", "only in a match to points, with three or more seats and no partners"
            )

    @property
    def sides(self) -> int:
        return 2 if self.partners else self.seats

    @property
    def low_wins(self) -> bool:
        return self.match == "points"


@lru_cache(maxsize=4096)
def held_points(hand: int, lone_ace: str) -> int:
    """Section 4: what the cards of a hand count against their seat."""
    cards = cards_of(hand)
    points = sum(
        _JOKER_HELD if card == JOKER else min(card % RANKS + 1, 10) if card % RANKS else _ACE_HELD
        for card in cards
    )
    aces = sum(card != JOKER and card % RANKS == 0 for card in cards)
    if aces == 1 and (lone_ace == "one_ace" or len(cards) == 1):
        points += 1 - _ACE_HELD
    return points


class Scala40(Rummy):
    """A match of scala 40. `choices`: in phase `reentry` what each seat has said, "" while it is asked, None
    for who is not."""

    __slots__ = ("choices", "entries", "out", "penalty", "voids")

    options: Scala40Options
    deck = FR108
    left_in_discard = 1

    def __init__(self, options: Scala40Options, dealer: int) -> None:
        super().__init__(options, dealer)
        self.penalty = [0] * options.sides
        self.out: list[int] = []  # first to leave first
        self.entries = [1] * options.seats
        self.voids = 0
        self.choices: list[str | None] = [None] * options.seats

    def _meld_rules(self) -> MeldRules:
        return _MELDS

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def _playing(self) -> list[int]:
        """The seats still in, ascending."""
        return [seat for seat in range(self.options.seats) if seat not in self.out]

    def _next(self, seat: int) -> int:
        """The next seat that is still in."""
        seats = self.options.seats
        return next(
            after % seats for after in range(seat + 1, seat + 1 + seats) if after % seats not in self.out
        )

    def _deal(self, deck: bytes) -> list[Event]:
        playing = self._playing
        first = playing.index(self._next(self.dealer))
        dealt = self._deal_hands(deck, playing[first:] + playing[:first])
        turned = self._turned(deck, dealt)
        self.discard = deck[turned[-1] : turned[-1] + 1]
        self.stock = deck[turned[-1] + 1 :] + deck[dealt : turned[-1]]
        shown = {"discard": self.deck.show(self.discard), "jokers_turned": len(turned) - 1}
        return [self._dealt_event(shown)]

    @staticmethod
    def _turned(deck: bytes, dealt: int) -> Sequence[int]:
        """The places of the cards that are turned up: the first that is no joker, and the jokers before it,
        which go to the bottom of the stock."""
        last = dealt
        while deck[last] == JOKER:
            last += 1
        return range(dealt, last + 1)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        if self.phase == "reentry":
            return [seat for seat, choice in enumerate(self.choices) if choice == ""]
        return super().to_act

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "reentry":
            return list(_CHOICES.values())
        if self.phase == "draw":
            return [DRAW_STOCK, _DRAW_DISCARD] if self.discard and self._may_pick_up(seat) else [DRAW_STOCK]
        may_attach = self.has_opened(seat)
        own = range(self.melds_before, len(self.melds))
        attachable = range(len(self.melds)) if may_attach else own
        found = [
            *self._listed_melds(seat),
            *self._listed_adds(seat, attachable),
            *(self._listed_swaps(seat, attachable) if may_attach else ()),
        ]
        if self._is_short(seat):
            found = [move for move in found if self._too_few_left(seat, move) is None]
        if self.done:
            found.append(UNDO)
        if self._no_discard(seat) is None:
            kept = self._kept_back(seat)
            found += [discard_move(card) for card in members(kinds(self.hands[seat])) if card not in kept]
        return found

    def _may_pick_up(self, seat: int) -> bool:
        return self.opened[seat] or self.options.pickup == "open_with"

    def _read(self, seat: int, text: str) -> Step | None:
        if text == _DRAW_DISCARD.text:
            return _DRAW_DISCARD
        return _CHOICES.get(text) or read_step(text, self.rules, self.melds)

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        phase = "reentry" if verb in _CHOICES else "draw" if verb == "draw" else "play"
        if phase != self.phase:
            return Refusal("wrong_phase", f"this belongs to the phase {phase}")
        if verb == "draw":
            return self._no_draw(seat, move)
        if verb in ("add", "swap") and move.at >= len(self.melds):
            return Refusal("no_such_meld", f"there is no meld m{move.at}", f"m{move.at}")
        if refusal := self._not_held(seat, move):
            return refusal
        if verb == "discard":
            return self._no_discard(seat) or self._is_kept_back(seat, move)
        if verb == "undo":
            return None if self.done else Refusal("nothing_to_undo", "you have laid and taken nothing")
        if verb in _CHOICES:
            return None
        if (verb == "swap" or (verb == "add" and move.at < self.melds_before)) and not self.has_opened(seat):
            return Refusal("not_opened", f"you have not laid {OPENING} points", f"m{move.at}")
        return self._bad_form(move) or self._too_few_left(seat, move)

    def _no_draw(self, seat: int, move: Step) -> Refusal | None:
        if not move.count:
            return None
        if not self._may_pick_up(seat):
            return Refusal("not_opened", "the pile is only for who has opened", "discard")
        return None if self.discard else Refusal("not_enough_cards", "the pile is empty", "discard")

    def _first_round(self, seat: int) -> bool:
        return self.turns[seat] == 0

    def _duties(self, seat: int, *next_step: Done) -> tuple[int | None, int]:
        """Section 3.5 after the steps of this turn and the next one: the card taken from the pile that is yet
        to be laid, and how many jokers won are."""
        taken: int | None = None
        won = 0
        for verb, cards, at, _ in (*self.done, *next_step):
            if verb == "draw":
                (taken,) = cards
                continue
            if taken in cards and (self.opened[seat] or (verb != "swap" and at >= self.melds_before)):
                taken = None
            won = won + 1 if verb == "swap" else max(0, won - cards.count(JOKER))
        return taken, won

    def _is_short(self, seat: int) -> bool:
        """Whether so few cards are free (section 3.5) that a meld of three could be refused for it."""
        taken, won = self._duties(seat)
        return size(self.hands[seat]) - won - (taken is not None) - self._first_round(seat) < 4

    def _too_few_left(self, seat: int, move: Step) -> Refusal | None:
        """Section 3.5, the discard to come: after a `meld`, `add` or `swap` a card must be free for it."""
        at = len(self.melds) if move.meld else move.at
        taken, won = self._duties(seat, Done(move.verb, move.numbers, at))
        free = size(self.hands[seat]) - len(move.numbers) + (move.verb == "swap") - won
        if taken is not None and not (taken == JOKER and won):
            free -= 1
        if free < 1:
            return Refusal("must_keep_discard", "no card would be left for the discard", move.cards[0])
        if free == 1 and self._first_round(seat):
            return Refusal("first_round_close", "in the first round two cards must be left", move.cards[0])
        return None

    def _no_discard(self, seat: int) -> Refusal | None:
        """Section 3.6, points 1 to 4: why no card of the hand may be discarded."""
        closes = size(self.hands[seat]) == 1
        taken, won = self._duties(seat)
        if taken is not None:
            face = self.deck.faces[taken]
            return Refusal("must_use_taken", f"{face} from the pile must be laid first", face)
        if won:
            return Refusal("must_use_joker", "a joker that was won must be laid first", "X")
        has_laid = self.melds_before < len(self.melds)
        if has_laid and not self.has_opened(seat) and (self.options.in_hand_40 or not closes):
            return Refusal("opening_too_low", f"{self.points_laid()} points do not open: {OPENING} do")
        if closes and self._first_round(seat):
            return Refusal("first_round_close", "nobody closes in the first round")
        return None

    def _is_kept_back(self, seat: int, move: Step) -> Refusal | None:
        if move.numbers[0] not in self._kept_back(seat):
            return None
        return Refusal("attachable_discard", f"{move.cards[0]} fits a meld on the table", move.cards[0])

    def _kept_back(self, seat: int) -> AbstractSet[int]:
        """Section 3.6, point 5: the cards that fit melds and may not go to the pile."""
        hand = self.hands[seat]
        if self.options.attachable_discard == "free" or size(hand) == 1:
            return frozenset()
        if len(self._playing) == 2 and self.has_opened(seat):
            return frozenset()
        fitting = {growth.card for laid in self.melds for growth in growths(laid.meld, self.rules)}
        return frozenset() if fitting.issuperset(members(kinds(hand))) else fitting

    def _play(self, seat: int, move: Step) -> Applied:
        if move.verb == "draw":
            return self._draw(seat, move)
        if move.verb == "undo":
            return self._undo(seat, move)
        if move.verb == "discard":
            return self._discard(seat, move)
        if move.verb in _CHOICES:
            return self._choose(seat, move)
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
        """Section 3.7: the hand is void when there is nothing left to draw, or it has lasted too long."""
        if self._cannot_go_on(self.options.max_turns):
            self.voids += 1
            nothing = [0] * self.options.sides
            self._score(nothing, nothing, nothing, events)
            self._after_hand(False, events)

    # ------------------------------------------------------------------- 4. end of hand and scoring

    def _close(self, closer: int, in_hand: bool, events: list[Event]) -> None:
        options = self.options
        held, full = self._paid(
            [seat for seat in self._playing if options.side(seat) != options.side(closer)], in_hand
        )
        if options.match == "points":
            total = [a + b for a, b in zip(held, full, strict=True)]
        else:
            total = [int(side == options.side(closer)) for side in range(options.sides)]
        events.append(Event("hand_closed", closer, {"in_hand": in_hand}))
        self._score(held, full, total, events)
        self._after_hand(True, events)

    def _paid(self, seats: Iterable[int], in_hand: bool) -> tuple[list[int], list[int]]:
        """Per side what these seats pay: for counted cards, and for full hands."""
        options = self.options
        held = [0] * options.sides
        full = [0] * options.sides
        for seat in seats:
            if self.opened[seat]:
                held[options.side(seat)] += held_points(self.hands[seat], options.lone_ace) * (1 + in_hand)
            else:
                full[options.side(seat)] += _FULL_HAND
        return held, full

    def _score(
        self, held: Sequence[int], full: Sequence[int], total: Sequence[int], events: list[Event]
    ) -> None:
        self.hand_score = hand_score({"held": held, "full": full, "total": total})
        self.scores = [score + more for score, more in zip(self.scores, total, strict=True)]
        if self.options.match == "hands":
            self.penalty = [sum(points) for points in zip(self.penalty, held, full, strict=True)]
        data = {
            "hand_score": self._hand_score_json(),
            "scores": list(self.scores),
            "penalty": list(self.penalty),
            "hands": [self.deck.show(cards_of(hand)) for hand in self.hands],
        }
        events.append(Event("hand_ended", None, data))

    # -------------------------------------------------------------------------------- 5. match

    def _after_hand(self, counted: bool, events: list[Event]) -> None:
        """What follows a hand, a void one (not `counted`) too: the end, choices, or the next deal."""
        options = self.options
        by_points = options.match == "points"
        ended = self.hand - (not counted) + self.voids
        past = [side for side in self._sides_in() if by_points and self.scores[side] >= options.target]
        one_left = len(self._sides_in()) - len(past) == 1
        if one_left or (counted and self._is_decided()) or ended >= options.max_hands:
            if not options.partners:
                self._leave(past)
            self._end_match(self._outcome(), events)
            return
        self.hand += counted
        asked = [seat for seat in past if self.entries[seat] - 1 < options.reentry]
        self._leave([seat for seat in past if seat not in asked])
        if asked:
            self.phase = "reentry"
            self.choices = ["" if seat in asked else None for seat in range(options.seats)]
        else:
            self._to_next_deal()

    def _sides_in(self) -> list[int]:
        return [0, 1] if self.options.partners else self._playing

    def _is_decided(self) -> bool:
        """A match of hands: nobody can catch up, or there are no more."""
        options = self.options
        if options.match == "points":
            return False
        best, second = sorted(self.scores, reverse=True)[:2]
        return self.hand >= options.hands or best > second + options.hands - self.hand

    def _leave(self, seats: Iterable[int]) -> None:
        """These leave the match: who has more points first, of equal ones the higher seat."""
        self.out += sorted(seats, key=lambda seat: (-self.scores[seat], -seat))

    def _to_next_deal(self) -> None:
        self.phase = "deal"
        self.dealer = self._next(self.dealer)

    def _rank(self, side: int) -> tuple[int, int]:
        """The lower, the better."""
        if self.options.match == "points":
            return self.scores[side], 0
        return -self.scores[side], self.penalty[side]

    def _outcome(self, offender: int | None = None) -> Outcome:
        """Sides that are in by rank, then who is out from the last to leave; an offender last of all."""
        options = self.options
        lost = None if offender is None else options.side(offender)
        ranks = {side: self._rank(side) for side in self._sides_in() if side != lost}
        places = [options.sides] * options.sides
        for side, rank in ranks.items():
            places[side] = 1 + sum(other < rank for other in ranks.values())
        for place, seat in enumerate(reversed(self.out), start=len(ranks) + 1):
            places[seat] = place
        winner = places.index(1) if places.count(1) == 1 else None
        ended_by: Any = "abandon" if offender is not None else "score" if winner is not None else "draw"
        return Outcome(winner, tuple(places), ended_by, offender)

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        data = {**outcome.to_json(), "scores": list(self.scores), "out": list(self.out)}
        events.append(Event("match_ended", None, data))

    def _choose(self, seat: int, move: Step) -> Applied:
        """`reenter` or `leave`: nobody learns it before all have chosen."""
        self.choices[seat] = move.verb
        events = [Event("choice_made", seat, {}, {seat: {"choice": move.verb}})]
        self._end_choices(events)
        return Applied(move.text, events)

    def _end_choices(self, events: list[Event]) -> None:
        """Once all have chosen: who re-enters gets the highest score of those who were below the target."""
        if "" in self.choices:
            return
        asked = [seat for seat in self._playing if self.choices[seat] is not None]
        staying = [seat for seat in asked if self.choices[seat] == "reenter"]
        worst = max(self.scores[seat] for seat in self._playing if seat not in asked)
        self._leave_after_choices()
        for seat in staying:
            self.scores[seat] = worst
            self.entries[seat] += 1
        self.choices = [None] * self.options.seats
        data = {"reentered": staying, "scores": list(self.scores), "out": list(self.out)}
        events.append(Event("choices_shown", None, data))
        self._to_next_deal()

    def _leave_after_choices(self) -> None:
        """Who chose to leave goes out, in one order with those who left at the end of the same hand."""
        lost = self.hand_score["total"] if self.hand_score else [0] * self.options.seats
        together = [seat for seat in self.out if lost[seat]]
        self.out = [seat for seat in self.out if not lost[seat]]
        self._leave(together + [seat for seat, choice in enumerate(self.choices) if choice == "leave"])

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _may_abandon(self, seat: int) -> bool:
        return seat in self._playing and self.choices[seat] != "leave"

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        if self.choices[seat] is not None:
            self.choices[seat] = "leave"
            self._end_choices(events)
            return Applied("abandon", events)
        options = self.options
        side = options.side(seat)
        self._leave_after_choices()
        in_hand = self.hand_is_open
        partner = [
            other for other in self._playing if in_hand and other != seat and options.side(other) == side
        ]
        held, full = self._paid(partner, False)
        full[side] += _FULL_HAND
        if options.match == "points":
            total = [a + b for a, b in zip(held, full, strict=True)]
        else:
            total = [int(in_hand and options.sides == 2 and other != side) for other in range(options.sides)]
        self._score(held, full, total, events)
        others = [self.scores[other] for other in self._sides_in() if other != side]
        self.scores[side] = (
            max(self.scores[side], *others) if options.match == "points" else min(self.scores[side], *others)
        )
        self._end_match(self._outcome(seat), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        return self.phase == "reentry" and text in _CHOICES

    def openings(self, viewer: int | None) -> Sequence[int]:
        if not self.shuffled:
            return []
        return self._openings(viewer, self._turned(self.shuffled, HAND * len(self.dealt_to)))

    def public_view(self) -> View:
        last = self.discard[-1:]
        pile = Zone(
            "discard", "discard", "pile", tuple(self.deck.show(last)), len(self.discard), ordered=True
        )
        zones = [*self._shared_zones(), pile]
        facts: dict[str, Any] = {
            "opened": [self.has_opened(seat) for seat in range(self.options.seats)],
            "turns": list(self.turns),
            "penalty": list(self.penalty),
            "entries": list(self.entries),
            "out": list(self.out),
            "voids": self.voids,
        }
        asked = self.to_act
        prompts = [Prompt(asked, self.phase, _PROMPTS[self.phase])] if asked else []
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        zones: list[Zone] = []
        facts: dict[str, Any] = {}
        if self.hand_is_open:
            zones.append(self._hand_zone(seat, True))
            facts = {"layable": [], "opening": None} if seat in self.out else self._help(seat)
        elif self.choices[seat]:
            facts["choice"] = self.choices[seat]
        return self._view(zones, [], self.legal(seat), facts)

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy_rummy()
        new.penalty = list(self.penalty)
        new.out = list(self.out)
        new.entries = list(self.entries)
        new.voids = self.voids
        new.choices = list(self.choices)
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._rummy_json(),
            "penalty": list(self.penalty),
            "out": list(self.out),
            "entries": list(self.entries),
            "voids": self.voids,
            "choices": list(self.choices),
        }

    @classmethod
    def from_json(cls, options: Scala40Options, json: Mapping[str, Any]) -> Self:
        state = cls._rummy_from(options, json)
        state.penalty = list(json.get("penalty", state.penalty))
        state.out = list(json.get("out", []))
        state.entries = list(json.get("entries", state.entries))
        state.voids = json.get("voids", 0)
        state.choices = list(json.get("choices", state.choices))
        state._check_position()
        if state.phase == "reentry" and "choices" not in json:
            past = [seat for seat in state._playing if state.scores[seat] >= options.target]
            state.choices = ["" if seat in past else None for seat in range(options.seats)]
        state._read_turn(json, state._next(state.dealer), state._playing)
        if state.phase == "draw":
            state._begin_turn([])
        return state

    def _check_position(self) -> None:
        """PositionError unless a match can stand like this."""
        options = self.options
        if self.phase not in ("deal", "draw", "play", "reentry", "over"):
            raise PositionError("phase", "there is no such phase")
        if len(self.penalty) != options.sides:
            raise PositionError("penalty", f"must be {options.sides}, one a side")
        if len(self.entries) != options.seats:
            raise PositionError("entries", f"must be {options.seats}, one a seat")
        if len(set(self.out)) < len(self.out) or len(self._playing) < 2 - self.over:
            raise PositionError("out", "must be different seats, and leave two")
        if self.hand_is_open and any(self.hands[seat] for seat in self.out):
            raise PositionError("hands", "who is out holds no cards")


SCALA40 = Game(
    id="scala40",
    names={"it": "Scala 40", "en": "Scala Quaranta"},
    deck=FR108,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2, 3, 4, 5, 6)),
        flag_spec("partners", False, "Due contro due", "Two against two"),
        match_spec("points"),
        target_spec(101, 51, 1001),
        OptionSpec(
            "hands",
            "choice",
            3,
            {"it": "Numero di smazzate", "en": "Number of hands"},
            choices=(1, 3, 5, 7),
        ),
        OptionSpec("reentry", "int", 0, {"it": "Rientri per giocatore", "en": "Re-entries per seat"}, high=3),
        OptionSpec(
            "pickup",
            "choice",
            "open_with",
            {
                "it": "Dal pozzo prende chi apre con quella carta, o solo chi ha già aperto",
                "en": "The pile is for who opens with the card too, or only for who has opened",
            },
            choices=("open_with", "opened_only"),
        ),
        OptionSpec(
            "attachable_discard",
            "choice",
            "free",
            {
                "it": "Si può scartare una carta che si attacca, o no (regola FISCA)",
                "en": "A card that fits a meld may be discarded, or not (FISCA's rule)",
            },
            choices=("free", "fisca"),
        ),
        flag_spec(
            "in_hand_40", True, "Anche la chiusura in mano vuole i 40", "Closing in hand needs the 40 too"
        ),
        OptionSpec(
            "lone_ace",
            "choice",
            "one_ace",
            {
                "it": "L'asso vale 1 se è l'unico asso, o se è l'unica carta",
                "en": "A held ace counts 1 if it is the only ace, or the only card",
            },
            choices=("one_ace", "only_card"),
        ),
        max_turns_spec(),
        max_hands_spec(),
        KO,
    ),
    options_type=Scala40Options,
    state_type=Scala40,
)
