"""Who gets what out of the escrow: pure arithmetic in whole cents. What goes in comes out."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass


class BadResultError(ValueError):
    """A result that cannot be settled as it is, for example a settlement that does not sum to zero."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What each seat has got beyond what it put in (below zero: gave of it) and what the house has got.

    Of a whole match they sum to 0; between hands what is missing to that lies in a pot.
    """

    deltas: tuple[int, ...]
    commission: int = 0

    @property
    def pot(self) -> int:
        """What is nobody's yet."""
        return -sum(self.deltas) - self.commission


def given_back(seats: int) -> Shares:
    """A draw, or a match without a result: everybody has the own stake again."""
    return Shares((0,) * seats)


def won(stake: int, sides: Sequence[int], winner: int) -> Shares:
    """The stakes of the others go to the seats of side `winner` in equal parts, odd cents to the lowest seat.

    `sides`: the side of each seat. BadResultError: nobody sits on the winning side.
    """
    return _moved(stake, sides, set(sides) - {winner}, {winner})


def forfeited(stake: int, sides: Sequence[int], offender: int, first: Collection[int]) -> Shares:
    """A draw among those who stayed, at the cost of who left.

    The stakes of side `offender` go to the seats of the sides that are level for the `first` place in equal
    parts, odd cents to the lowest seat; all others have their own again. BadResultError: nobody sits there.
    """
    return _moved(stake, sides, {offender}, set(first) - {offender})


def _moved(stake: int, sides: Sequence[int], losers: Collection[int], winners: Collection[int]) -> Shares:
    getting = [seat for seat, side in enumerate(sides) if side in winners]
    if not getting:
        raise BadResultError(f"nobody sits on the winning sides {sorted(winners)}")
    share, odd = divmod(stake * sum(side in losers for side in sides), len(getting))
    deltas = [share if side in winners else -stake if side in losers else 0 for side in sides]
    deltas[getting[0]] += odd
    return Shares(tuple(deltas))


def computed(settlement: str, seats: int) -> Shares:
    """The settlement that the engine worked out, a JSON object (see MatchResult.settlement).

    BadResultError: malformed, or it gives more than it takes.
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
    shares = Shares(tuple(deltas), commission)
    if commission < 0 or shares.pot < 0:
        raise BadResultError(f"a settlement gives what it takes, and no more: {settlement}")
    return shares


def with_pot(shares: Shares) -> Shares:
    """The pot given back in equal parts, odd cents to the lowest seat: a match that ends without a result."""
    share, odd = divmod(shares.pot, len(shares.deltas))
    first, *others = (cents + share for cents in shares.deltas)
    return Shares((first + odd, *others), shares.commission)


def payouts(held: Sequence[int], before: Shares, after: Shares) -> list[int]:
    """What each seat is paid of what is held of it, and of the pot, when the shares change so.

    BadResultError: more is taken from a seat, or from the house, than there is.
    """
    paid = [cents + new - old for cents, old, new in zip(held, before.deltas, after.deltas, strict=True)]
    if min(paid) < 0 or after.commission < before.commission or after.pot < 0:
        raise BadResultError(
            f"held {list(held)}: from {before} to {after} takes more from a seat than it has put in"
        )
    return paid
