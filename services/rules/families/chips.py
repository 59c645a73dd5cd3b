"""Chips, for the games of stakes: whole numbers that pass between seats and pots."""

from collections.abc import Sequence


def shares(chips: int, among: Sequence[int]) -> dict[int, int]:
    """These chips divided equally among seats; odd ones go one each in the order given."""
    each, odd = divmod(chips, len(among))
    return {seat: each + (place < odd) for place, seat in enumerate(among)}


def cut_to(most: int, balances: list[int], seat: int, others: Sequence[int]) -> None:
    """Lower the balance of a seat to this if it is above; the others share what is taken off."""
    taken = balances[seat] - most
    if taken > 0:
        balances[seat] = most
        for other, chips in shares(taken, others).items():
            balances[other] += chips


def side_pots(put: Sequence[int], staying: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The pots of a hand, from the lowest sum that a seat still in has put in: chips, and who plays for them.

    What others have put in above the last sum goes to the last pot.
    """
    pots: list[tuple[int, list[int]]] = []
    below = 0
    sums = sorted({put[seat] for seat in staying})
    for top in sums:
        upto = max(put) if top == sums[-1] else top
        chips = sum(min(sum_, upto) - min(sum_, below) for sum_ in put)
        pots.append((chips, [seat for seat in staying if put[seat] >= top]))
        below = top
    return pots
