"""What a state asks of chance. The core has no randomness: the caller answers, and logs the answer."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

Purpose = Literal["deal", "redeal", "stock"]


class Shuffle(NamedTuple):
    """Cards to be shuffled, in deck order.

    The answer is a permutation `order` of `range(len(cards))`: the i-th card is then `cards[order[i]]`.
    `purpose`: a new hand, the same hand again after a deal that the rules throw back, or discards that
    become a new stock. A deal of no cards at all needs no chance, only the word to begin: the hand is dealt
    from the stock that is there, and the answer is empty.
    """

    cards: tuple[str, ...]
    purpose: Purpose


def check_order(order: Sequence[int], size: int) -> None:
    """ValueError unless `order` is a permutation of `range(size)`."""
    if len(order) != size or _all_below(size) != set(order):
        raise ValueError(f"not a permutation of range({size})")


@lru_cache(maxsize=128)
def _all_below(size: int) -> frozenset[int]:
    return frozenset(range(size))
