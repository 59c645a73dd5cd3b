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
