"""The match of scala 40 (scala40.md, sections 4 to 6): what a hand costs, who is out and who comes back in,
how it ends."""

from collections.abc import Iterable, Sequence
from typing import Any

from services.rules.core.match import Outcome
from services.rules.core.moves import Applied, Event
from services.rules.core.state import hand_score
from services.rules.families.double_hands import OF_RANK, size
from services.rules.families.rummies import Rummy
from services.rules.families.rummy_moves import Step
from services.rules.families.rummy_table import points_in_hand
from services.rules.games.scala40_options import Scala40Options

_FULL_HAND = 100
_JOKER_HELD = 25
_ACE_HELD = 11
CHOICES = {word: Step(word, word) for word in ("reenter", "leave")}


def held_points(hand: int, lone_ace: str) -> int:
    """Section 4: what the cards of a hand count against their seat."""
    points = points_in_hand(hand, _JOKER_HELD, _ACE_HELD)
    has_one = (hand & OF_RANK[0]).bit_count() == 1
    counts_1 = has_one and (lone_ace == "one_ace" or size(hand) == 1)
    return points + 1 - _ACE_HELD if counts_1 else points


class Scala40Match(Rummy):
    """A match of scala 40 between and after its hands.

    `out`: first to leave first; `choices`: in phase `reentry` what each seat has said, "" while it is asked,
    None for who is not.
    """

    __slots__ = ("choices", "entries", "out", "penalty", "voids")

    options: Scala40Options

    def __init__(self, options: Scala40Options, dealer: int) -> None:
        super().__init__(options, dealer)
        self.penalty = [0] * options.sides
        self.out: list[int] = []
        self.entries = [1] * options.seats
        self.voids = 0
        self.choices: list[str | None] = [None] * options.seats

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

    # ------------------------------------------------------------------- 4. end of hand and scoring

    def _end_unclosed(self, events: list[Event]) -> None:
        """Section 3.7: the hand is void."""
        self.voids += 1
        nothing = [0] * self.options.sides
        self._score(nothing, nothing, nothing, events)
        self._after_hand(False, events)

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
        }
        events.append(self._showing_hands(Event("hand_ended", None, data)))

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
