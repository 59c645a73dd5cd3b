"""The course of a match that all games share: who is ahead, when it is decided, what leaving does.

Scores are lists with one number a side, and the higher is the better (CONVENTIONS.md, sections 4 and 5).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

TargetRule = Literal["past", "reach"]
EndedBy = Literal["score", "draw", "ko_rule", "abandon"]

KO_TIE_HANDS = 3


class Outcome(NamedTuple):
    """How a match ended (CONVENTIONS.md, section 5): `winner` is a side, `offender` a seat."""

    winner: int | None
    places: tuple[int, ...]
    ended_by: EndedBy
    offender: int | None = None
    settlement: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "places": list(self.places)}

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> "Outcome":
        return cls(**{**json, "places": tuple(json["places"])})


def places(scores: Sequence[int]) -> list[int]:
    """1 plus the number of sides that are better; level sides share the better place."""
    return [1 + sum(other > mine for other in scores) for mine in scores]


def is_past_target(scores: Sequence[int], target: int, rule: TargetRule) -> bool:
    """Whether some side has passed the target ("past"), or at least reached it ("reach")."""
    best = max(scores)
    return best > target or (rule == "reach" and best == target)


def verdict(
    scores: Sequence[int], *, tie_break: int, tie_hands: int, ko: bool, last_side: int
) -> Outcome | None:
    """The outcome of a match that should end after this hand, or None if a tie-break hand is to be played.

    `tie_break` hands have been played to break the tie, of at most `tie_hands` (with `ko` three). `last_side`
    is the side to which the KO rule looks: that of the last capture, the last trick, … It is one of the two
    that are level.
    """
    ranking = places(scores)
    if ranking.count(1) == 1:
        return Outcome(ranking.index(1), tuple(ranking), "score")
    if tie_break < (KO_TIE_HANDS if ko else tie_hands):
        return None
    if not ko:
        return Outcome(None, tuple(ranking), "draw")
    (winner,) = (side for side, place in enumerate(ranking) if place == 1 and side != last_side)
    ranking[last_side] = 2
    return Outcome(winner, tuple(ranking), "ko_rule")


def abandoned(scores: list[int], seat: int, side: int) -> Outcome:
    """The outcome after `seat` of `side` has left; lowers the side's score to the lowest of the others.

    `scores` already hold what the game gives to the opponents (section 4, "abandon", steps 2 and 3).
    """
    others = [score for other, score in enumerate(scores) if other != side]
    scores[side] = min(scores[side], *others)
    ranking = [1 + sum(other > mine for other in others) for mine in scores]
    ranking[side] = len(scores)
    winner = ranking.index(1) if ranking.count(1) == 1 else None
    return Outcome(winner, tuple(ranking), "abandon", seat)
