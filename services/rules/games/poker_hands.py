"""What five cards are worth in Italian poker (poker.md, section 4). Cards are numbers of the deck `fr52`."""

from collections.abc import Mapping
from functools import lru_cache

from services.rules.core.cards import FR52, members

HIGH_CARD, PAIR, TWO_PAIRS, STRAIGHT, FLUSH, STRAIGHT_FLUSH = 0, 1, 2, 4, 6, 8
ACE = 13
"""The ace is high; a rank is its place in the deck's order, the two 1, the king 12."""

_RANKS = tuple(card % 13 or ACE for card in FR52.cards)
_SUITS = tuple(3 - card // 13 for card in FR52.cards)  # the better the greater
_COUNTED = tuple(1 << 3 * rank for rank in _RANKS)
"""A card in a sum that counts the cards of each rank, three bits a rank."""
_MINIMA, _MASSIMA, _MEDIA = 0, 1, 2  # each of these straight flushes beats the next one, the last the first
_KINDS = 3
_BY_COUNTS = {(4, 1): 7, (3, 2): 5, (3, 1, 1): 3, (2, 2, 1): TWO_PAIRS, (2, 1, 1, 1): PAIR}


@lru_cache(maxsize=1024)
def strength(hand: int, lowest: int) -> tuple[int, ...]:
    """A tuple that is greater for the better of two hands; `lowest` is the lowest rank of the deck.

    The combination comes first. Of a straight flush its kind comes next, and kinds are not simply greater or
    less: see `best`.
    """
    cards = members(hand)
    combination, deciding = _by_ranks(sum([_COUNTED[card] for card in cards]), lowest)
    first = deciding[0]
    for card in cards:  # the best suit comes first
        if _RANKS[card] == first:
            break
    suit = _SUITS[card]
    if _SUITS[cards[0]] == _SUITS[cards[-1]]:
        if combination == STRAIGHT:
            is_minima = first != ACE and any(_RANKS[card] == ACE for card in cards)
            kind = _MASSIMA if first == ACE else _MINIMA if is_minima else _MEDIA
            return (STRAIGHT_FLUSH, kind, first, suit)
        combination = FLUSH
    return (combination, *deciding, suit)


@lru_cache(maxsize=8192)  # 6 175 times five ranks
def _by_ranks(counted: int, lowest: int) -> tuple[int, tuple[int, ...]]:
    """What five cards counted by rank are worth, suits aside: the combination, and the ranks that decide
    between two of the kind, in this order."""
    counts = [(counted >> 3 * rank & 7, rank) for rank in range(ACE, 0, -1)]
    groups = sorted([group for group in counts if group[0]], reverse=True)
    deciding = tuple(rank for _, rank in groups)
    if len(groups) < 5:
        return _BY_COUNTS[tuple(count for count, _ in groups)], deciding
    top = _straight_to(deciding, lowest)
    return (STRAIGHT, (top,)) if top else (HIGH_CARD, deciding)


def _straight_to(ranks: tuple[int, ...], lowest: int) -> int:
    """The highest rank of a straight, 0 if these five different ranks are none."""
    if ranks[0] - ranks[4] == 4:
        return ranks[0]
    return lowest + 3 if ranks == (ACE, *range(lowest + 3, lowest - 1, -1)) else 0


def opens(hand: int, lowest: int, least_pair: int) -> bool:
    """Whether a hand has openers: a pair of at least this rank, or more than a pair."""
    combination, rank, *_ = strength(hand, lowest)
    return combination > PAIR or (combination == PAIR and rank >= least_pair)


def best(hands: Mapping[int, int], lowest: int) -> list[int]:
    """The seat with the best of these hands; with all three kinds of straight flush the best of each kind."""
    worth = {seat: strength(hand, lowest) for seat, hand in hands.items()}
    greatest = max(worth, key=worth.__getitem__)
    if worth[greatest][0] != STRAIGHT_FLUSH:
        return [greatest]
    of_kind: dict[int, int] = {}
    for seat in sorted(worth, key=worth.__getitem__):
        combination, kind, *_ = worth[seat]
        if combination == STRAIGHT_FLUSH:
            of_kind[kind] = seat
    if len(of_kind) == _KINDS:
        return sorted(of_kind.values())
    return [seat for kind, seat in of_kind.items() if (kind - 1) % _KINDS not in of_kind]
