"""The pots of a hand of poker (poker.md, section 4): what each holds, and who plays for it."""

from collections.abc import Sequence


def unanswered(put: Sequence[int]) -> tuple[int, int]:
    """The seat that has put in most, and what that is above the second most."""
    second, first = sorted(put)[-2:]
    return put.index(first), first - second


def side_pots(put: Sequence[int], staying: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The pots, from the lowest sum that a seat still in has put in: chips, and who plays for them.

    What others have put in above the last sum goes to the last pot.
    """
    pots: list[tuple[int, list[int]]] = []
    below = 0
    *lower, highest = sorted({put[seat] for seat in staying})
    for top in lower:
        upto = sum([min(chips, top) for chips in put])
        pots.append((upto - below, [seat for seat in staying if put[seat] >= top]))
        below = upto
    pots.append((sum(put) - below, [seat for seat in staying if put[seat] == highest]))
    return pots
