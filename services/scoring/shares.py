"""Who gets what out of the escrow: pure arithmetic in whole cents. What goes in comes out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass


class BadResultError(ValueError):
    """A result that cannot be settled as it is, for example a settlement that does not sum to zero."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What each seat gets beyond its stake (below zero: gives of it) and what the house gets; sums to 0."""

    deltas: tuple[int, ...]
    commission: int = 0


def given_back(seats: int) -> Shares:
    """A draw, or a match without a result: everybody has the own stake again."""
    return Shares((0,) * seats)


def won(stake: int, sides: Sequence[int], winner: int) -> Shares:
    """The stakes of the others go to the seats of side `winner` in equal parts, odd cents to the lowest seat.

    `sides`: the side of each seat. BadResultError: nobody sits on the winning side.
    """
    winners = [seat for seat, side in enumerate(sides) if side == winner]
    if not winners:
        raise BadResultError(f"nobody sits on the winning side {winner}")
    share, odd = divmod(stake * (len(sides) - len(winners)), len(winners))
    deltas = [share if side == winner else -stake for side in sides]
    deltas[winners[0]] += odd
    return Shares(tuple(deltas))


def computed(settlement: str, stake: int, seats: int) -> Shares:
    """The settlement that the game itself computed (CONVENTIONS.md, section 5), a JSON object.

    BadResultError: malformed, does not sum to zero, or takes more from a seat than its stake.
    """
    try:
        found = json.loads(settlement)
        deltas, commission = found["delta"], found["commission"]
    except (ValueError, TypeError, KeyError) as error:
        raise BadResultError(f"not a settlement: {settlement}") from error
    if not isinstance(deltas, list) or len(deltas) != seats:
        raise BadResultError(f"a settlement needs one delta a seat: {settlement}")
    if any(type(cents) is not int for cents in (*deltas, commission)):
        raise BadResultError(f"a settlement is in whole cents: {settlement}")
    if sum(deltas) + commission:
        raise BadResultError(f"delta and commission do not sum to 0: {settlement}")
    if commission < 0 or min(deltas) < -stake:
        raise BadResultError(f"a settlement takes at most the stake of {stake} from a seat: {settlement}")
    return Shares(tuple(deltas), commission)
