"""What five cards are worth in Italian poker (poker.md, section 4). Cards are numbers of the deck `fr52`."""

from collections.abc import Mapping
from functools import lru_cache

from services.rules.core.cards import members

PAIR, TWO_PAIRS, STRAIGHT, FLUSH, STRAIGHT_FLUSH = 1, 2, 4, 6, 8
ACE = 13
"""The ace is high; a rank is its place in the deck's order, the two 1, the king 12."""

_MINIMA, _MASSIMA, _MEDIA = 0, 1, 2  # each of these straight flushes beats the next one, the last the first
_KINDS = 3
_BY_COUNTS = {(4, 1): 7, (3, 2): 5, (3, 1, 1): 3, (2, 2, 1): TWO_PAIRS, (2, 1, 1, 1): PAIR}


@lru_cache(maxsize=4096)
def strength(hand: int, lowest: int) -> tuple[int, ...]:
    """A tuple that is greater for the better of two hands; `lowest` is the lowest rank of the deck.

    The combination comes first. Of a straight flush its kind comes next, and kinds are not simply greater or
    less: see `best`.
    """
    ranks = sorted((card % 13 or ACE for card in members(hand)), reverse=True)
    suits = {card % 13 or ACE: 3 - card // 13 for card in reversed(members(hand))}  # the best suit of a rank
    groups = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    in_order = [rank for _, rank in groups]
    if len(groups) < 5:
        combination = _BY_COUNTS[tuple(count for count, _ in groups)]
        return (combination, *in_order, suits[in_order[0]])
    top = _straight_to(ranks, lowest)
    is_flush = len({card // 13 for card in members(hand)}) == 1
    if top and is_flush:
        kind = _MASSIMA if top == ACE else _MINIMA if ACE in ranks else _MEDIA
        return (STRAIGHT_FLUSH, kind, top, suits[top])
    if top:
        return (STRAIGHT, top, suits[top])
    return (FLUSH if is_flush else 0, *ranks, suits[ranks[0]])


def _straight_to(ranks: list[int], lowest: int) -> int:
    """The highest rank of a straight, 0 if these five different ranks are none."""
    if ranks[0] - ranks[4] == 4:
        return ranks[0]
    return lowest + 3 if ranks == [ACE, *range(lowest + 3, lowest - 1, -1)] else 0


def opens(hand: int, lowest: int, least_pair: int) -> bool:
    """Whether a hand has openers: a pair of at least this rank, or more than a pair."""
    combination, rank, *_ = strength(hand, lowest)
    return combination > PAIR or (combination == PAIR and rank >= least_pair)


def best(hands: Mapping[int, int], lowest: int) -> list[int]:
    """The seat with the best of these hands; with all three kinds of straight flush the best of each kind."""
    worth = {seat: strength(hand, lowest) for seat, hand in hands.items()}
    of_kind: dict[int, int] = {}
    for seat in sorted(worth, key=worth.__getitem__):
        combination, kind, *_ = worth[seat]
        if combination == STRAIGHT_FLUSH:
            of_kind[kind] = seat
    if len(of_kind) == _KINDS:
        return sorted(of_kind.values())
    for kind, seat in of_kind.items():
        if (kind + _KINDS - 1) % _KINDS not in of_kind:
            return [seat]
    return [max(worth, key=worth.__getitem__)]
