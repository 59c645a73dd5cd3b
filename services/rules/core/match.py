"""The course of a match that all games share: who is ahead, when it is decided, what leaving does.

Scores are lists with one number a side; the higher is the better unless `low_wins` says that the lower is
(CONVENTIONS.md, sections 4 and 5).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

TargetRule = Literal["past", "reach"]
EndedBy = Literal["score", "draw", "ko_rule", "abandon", "cappotto", "resign"]

KO_TIE_HANDS = 3


class Outcome(NamedTuple):
    """How a match ended (CONVENTIONS.md, section 5): `winner` is a side, `offender` a seat."""

    winner: int | None
    places: tuple[int, ...]
    ended_by: EndedBy
    offender: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "places": list(self.places),
            "ended_by": self.ended_by,
            "offender": self.offender,
        }

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> "Outcome":
        return cls(**{**json, "places": tuple(json["places"])})


def places(scores: Sequence[int], *, low_wins: bool = False) -> list[int]:
    """1 plus the number of sides that are better; level sides share the better place."""
    best_first = sorted(scores, reverse=not low_wins)
    return [best_first.index(score) + 1 for score in scores]


def is_past_target(scores: Sequence[int], target: int, rule: TargetRule) -> bool:
    """Whether some side has passed the target ("past"), or at least reached it ("reach")."""
    best = max(scores)
    return best > target or (rule == "reach" and best == target)


def verdict(
    scores: Sequence[int],
    *,
    tie_break: int,
    tie_hands: int,
    ko_order: Sequence[int] | None,
    low_wins: bool = False,
    is_last: bool = False,
) -> Outcome | None:
    """The outcome of a match that should end after this hand, or None if a tie-break hand is to be played.

    `tie_break` hands have been played to break the tie, of at most `tie_hands`; `is_last`: no other hand may
    follow, the match ends as it stands. `ko_order`: None without `ko`; with it three tie-break hands may be
    played, and then the level sides are ranked in this order (in most games the side of the last capture,
    trick or discard comes last of them).
    """
    ranking = places(scores, low_wins=low_wins)
    if ranking.count(1) == 1:
        return Outcome(ranking.index(1), tuple(ranking), "score")
    most = tie_hands if ko_order is None else KO_TIE_HANDS
    if tie_break < most and not is_last:
        return None
    if ko_order is None:
        return Outcome(None, tuple(ranking), "draw")
    return ko_ruling(ranking, ko_order)


def as_it_stands(scores: Sequence[int], ko_order: Sequence[int] | None) -> Outcome:
    """The outcome of a match that no further hand follows: alone in front wins, level is a draw, or ranked in
    this order (see `verdict`) with `ko`."""
    found = verdict(scores, tie_break=0, tie_hands=0, ko_order=ko_order, is_last=True)
    if found is None:
        raise ValueError("a match that no hand follows is decided")
    return found


def ko_ruling(ranking: Sequence[int], ko_order: Sequence[int]) -> Outcome:
    """The outcome where the sides that share the first place are ranked in this order."""
    ranked = list(ranking)
    level = [side for side in ko_order if ranking[side] == 1]
    for place, side in enumerate(level, start=1):
        ranked[side] = place
    return Outcome(level[0], tuple(ranked), "ko_rule")


def abandoned(
    scores: list[int],
    seat: int,
    side: int,
    *,
    low_wins: bool = False,
    standing: Sequence[int] | None = None,
) -> Outcome:
    """The outcome after `seat` of `side` has left; sets the side's score to the worst of the others if it is
    better than that.

    `scores` already hold what the game gives to the opponents (section 4, "abandon", steps 2 and 3).
    `standing` ranks the sides where the scores alone do not.
    """
    others = [score for other, score in enumerate(scores) if other != side]
    scores[side] = max(scores[side], *others) if low_wins else min(scores[side], *others)
    return after_leaving(scores if standing is None else standing, seat, side, low_wins=low_wins)


def after_leaving(scores: Sequence[int], seat: int, side: int, *, low_wins: bool = False) -> Outcome:
    """The outcome where these are the scores: the side that left is last, the others are ranked between
    themselves."""
    others = [score for other, score in enumerate(scores) if other != side]
    ranking = [1 + sum(other < mine if low_wins else other > mine for other in others) for mine in scores]
    ranking[side] = len(scores)
    winner = ranking.index(1) if ranking.count(1) == 1 else None
    return Outcome(winner, tuple(ranking), "abandon", seat)
