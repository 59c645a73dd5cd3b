"""The course of a match of hands (CONVENTIONS.md, sections 4 and 5): a hand that has ended is added to the
scores; then the match is over, or the next hand is to be dealt."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.rules.core.match import verdict
from services.rules.core.moves import Event
from services.rules.core.state import M, State, hand_score


class Course(State[M]):
    """A match in which every hand is counted in items, and the deal passes on after each."""

    __slots__ = ()

    def _score(self, items: Mapping[str, Sequence[int]], events: list[Event]) -> None:
        """A hand has ended with these items, each a number a side: add their sums to the scores."""
        total = [sum(points) for points in zip(*items.values(), strict=True)]
        self._add_total({**items, "total": total})
        events.append(Event("hand_ended", None, self._scored_json()))

    def _add_total(self, items: Mapping[str, Sequence[int]]) -> None:
        """A hand has ended with these items, of which only the `total` is added to the scores."""
        self.hand_score = hand_score(items)
        self.scores = [score + more for score, more in zip(self.scores, items["total"], strict=True)]

    def _scored_json(self) -> dict[str, Any]:
        """What the event of a hand that has been scored shows in every game."""
        return {"hand_score": self._hand_score_json(), "scores": list(self.scores)}

    def _after_hand(
        self,
        events: list[Event],
        *,
        is_due: bool,
        tie_hands: int,
        ko_order: Sequence[int] | None,
        is_last: bool = False,
        standing: Sequence[int] | None = None,
    ) -> None:
        """After a hand that has been scored: the end of the match if it is decided, else the next deal.

        `is_due`: the match should end with this hand; it should with every tie-break hand. `standing`
        ranks the sides where the scores alone do not. The rest as `verdict` has it.
        """
        is_due = is_due or self.tie_break > 0
        if is_due or is_last:
            outcome = verdict(
                self.scores if standing is None else standing,
                tie_break=self.tie_break,
                tie_hands=tie_hands,
                ko_order=ko_order,
                low_wins=self.options.low_wins,
                is_last=is_last,
            )
            if outcome:
                self._end_match(outcome, events)
                return
        if is_due:
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % self.options.seats
