"""Sets and runs with at most one wild card, as burraco has them (burraco.md, section 3): how the cards of a
meld lie, which melds a hand gives.

Runs stand on places 1 … 14: the ace low, two … king, the ace high. A set of places is one int with bit n set
for place n. Cards and hands: `combinations.py`.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from services.rules.core.cards import members
from services.rules.families.combinations import (
    ACE,
    JOKER,
    MELD_RANKS,
    RANK,
    TWO,
    Worth,
    choices,
    different,
    in_order,
    naturals,
    of_rank,
    points,
    wilds,
)

RUN = -1
"""Instead of the rank of a set."""

CLEAN, SEMICLEAN, DIRTY = 200, 150, 100
"""The points of a burraco (section 4)."""
_BURRACO = 7
_LONGEST_SET, _LONGEST_RUN = 9, 14
_ACE_LOW, _ACE_HIGH = 1 << 1, 1 << 14
_OTHER_SUITS = tuple(bytes(card for card in range(JOKER + 1) if card // 13 != suit) for suit in range(4))
_SECOND = 64  # the bit of a face's second copy, after that of the first


class Arranged(NamedTuple):
    """A meld: its cards as they lie, the rank of a set or RUN, its points as a burraco (0: it is none)."""

    cards: bytes
    rank: int
    burraco: int


@lru_cache(maxsize=65536)
def arranged(cards: bytes) -> Arranged | None:
    """These cards, given in deck order, as a meld; None if they are none."""
    plain = naturals(cards)
    if not 3 <= len(cards) <= _LONGEST_RUN or not plain:
        return None
    rank = RANK[plain[0]]
    if len(plain) > 1 and of_rank(plain, rank) == plain:
        return _set(plain, wilds(cards), rank)
    suit = plain[0] // 13
    if _of_suit(plain, suit) != plain or len(set(plain)) < len(plain):
        return None
    return min(_runs(plain, wilds(cards), suit), default=(None,))[-1]


def _set(plain: bytes, spare: bytes, rank: int) -> Arranged | None:
    size = len(plain) + len(spare)
    if len(spare) > 1 or size > _LONGEST_SET:
        return None
    burraco = 0
    if size >= _BURRACO:
        burraco = DIRTY if spare and size == _BURRACO else SEMICLEAN if spare else CLEAN
    return Arranged(plain + spare, rank, burraco)


def _runs(plain: bytes, spare: bytes, suit: int) -> Iterator[tuple[int, int, int, bool, Arranged]]:
    """Every way in which the cards lie as a run, each after what makes it better than another (the least)."""
    two = suit * 13 + TWO
    without_ace = sum(1 << RANK[card] + 1 for card in plain if RANK[card] != ACE)
    aces = (_ACE_LOW, _ACE_HIGH) if RANK[plain[0]] == ACE else (0,)
    for natural_two in (True, False) if two in spare else (False,):
        wild = spare.replace(bytes((two,)), b"", 1) if natural_two else spare
        if len(wild) > 1:
            continue
        for ace in aces:
            places = without_ace | ace | natural_two << 2
            for first, missing in _stretches(places, bool(wild)):
                cards = _lay(places, suit, wild, first, missing)
                burraco = _burraco(len(cards), first, missing)
                yield len(wild), -burraco, first, ace == _ACE_HIGH, Arranged(cards, RUN, burraco)


def _stretches(places: int, has_wild: bool) -> Iterator[tuple[int, int]]:
    """Where a run on these places begins and where its wild lies (0: it has none)."""
    first, last = _ends(places)
    gaps = last - first + 1 - places.bit_count()
    if gaps != has_wild and (gaps or not has_wild):
        return
    if not has_wild:
        yield first, 0
    elif gaps:
        yield first, next(place for place in range(first, last) if not places >> place & 1)
    else:
        if first > 1:
            yield first - 1, first - 1
        if last < _LONGEST_RUN:
            yield first, last + 1


def _ends(places: int) -> tuple[int, int]:
    return (places & -places).bit_length() - 1, places.bit_length() - 1


def _lay(places: int, suit: int, wild: bytes, first: int, missing: int) -> bytes:
    """The cards of a run in their order."""
    size = places.bit_count() + len(wild)
    return bytes(
        wild[0] if place == missing else suit * 13 + (place - 1) % 13 for place in range(first, first + size)
    )


def _burraco(size: int, first: int, missing: int) -> int:
    """The points of a run of this size as a burraco; its wild is on the place `missing` (0: it has none)."""
    if size < _BURRACO:
        return 0
    if not missing:
        return CLEAN
    before = missing - first
    return SEMICLEAN if max(before, size - 1 - before) >= _BURRACO else DIRTY


@lru_cache(maxsize=65536)
def joined(meld: bytes, cards: bytes) -> Arranged | None:
    """A meld after these cards were added to it; None if they do not fit."""
    return arranged(in_order(meld + cards))


# ----------------------------------------------------------------------------- what a hand gives


@lru_cache(maxsize=1024)
def short_melds(hand: bytes) -> tuple[Arranged, ...]:
    """Every meld of three cards that the hand gives, in deck order of their cards."""
    found = {*_short_sets(hand)}
    for suit in range(4):
        found.update(_short_runs(hand, suit))
    return tuple(meld for cards in sorted(found) if (meld := arranged(cards)))


def _short_sets(hand: bytes) -> Iterator[bytes]:
    wild = different(wilds(hand))
    for rank in MELD_RANKS:
        same = of_rank(hand, rank)
        if len(same) > 1:
            yield from choices(same, 3)
            for pair in choices(same, 2):
                for card in wild:
                    yield in_order((*pair, card))


def _short_runs(hand: bytes, suit: int) -> Iterator[bytes]:
    """Three in a row; and two, next to each other or one apart, with each wild."""
    places = _places(hand, suit)
    wild = different(wilds(hand))
    two = suit * 13 + TWO
    for first in range(1, _LONGEST_RUN):
        if not places >> first & 1:
            continue
        for second in (first + 1, first + 2):
            if not places >> second & 1:
                continue
            pair = (suit * 13 + first - 1, suit * 13 + (second - 1) % 13)
            if second == first + 1 and places >> second + 1 & 1:
                yield in_order((*pair, suit * 13 + second % 13))
            for card in wild:
                if card != two or two not in pair or hand.count(two) > 1:
                    yield in_order((*pair, card))


def _of_suit(cards: bytes, suit: int) -> bytes:
    return cards.translate(None, _OTHER_SUITS[suit])


def _places(hand: bytes, suit: int) -> int:
    """The places on which naturals of this suit could lie, the ace on both."""
    places = 0
    for card in _of_suit(hand, suit):
        places |= 1 << RANK[card] + 1
    return places | (_ACE_HIGH if places & _ACE_LOW else 0)


@lru_cache(maxsize=1024)
def largest_melds(hand: bytes, values: bytes) -> tuple[tuple[Arranged, Worth], ...]:
    """The melds that the hand gives, those left out whose cards are all among those of another one."""
    found = [*_largest_sets(hand)]
    for suit in range(4):
        found += _largest_runs(hand, suit)
    return tuple(
        (meld, Worth(meld.cards, points(meld.cards, values))) for meld in map(arranged, found) if meld
    )


def _largest_sets(hand: bytes) -> Iterator[bytes]:
    wild = different(wilds(hand))
    for rank in MELD_RANKS:
        same = of_rank(hand, rank)
        if len(same) > 1:
            for card in wild:
                yield in_order((*same, card))
            if not wild:
                yield same


def _largest_runs(hand: bytes, suit: int) -> Iterator[bytes]:
    """Runs of a suit, none of which is part of another. A run is here the set of its cards, the second copy
    of a two (one natural, one wild) counted as a card of its own."""
    both = _places(hand, suit)
    found: set[int] = set()
    for places in {both & ~_ACE_LOW, both & ~_ACE_HIGH}:
        found.update(_widest(places, suit))
        for wild in different(wilds(hand)):
            is_own_two = wild == suit * 13 + TWO
            lone = is_own_two and hand.count(wild) == 1
            for run in _widest_with_wild(places & ~(1 << 2) if lone else places, suit, lone):
                found.add(run | (1 << wild + _SECOND if run >> wild & 1 else 1 << wild))
    for run in found:
        if not any(run & other == run and run != other for other in found):
            yield in_order(bit % _SECOND for bit in members(run))


def _widest(places: int, suit: int) -> Iterator[int]:
    """The naturals of each longest stretch of three places or more without a gap."""
    while places:
        first = places & -places
        after = places + first
        stretch = places & ~after
        places &= after
        if stretch.bit_count() >= 3:
            yield _faces(stretch, suit)


def _widest_with_wild(places: int, suit: int, lone_two: bool) -> Iterator[int]:
    """The naturals of each longest run of three cards or more with a wild on a place that is free."""
    for wild in range(1, _LONGEST_RUN + 1):
        if places >> wild & 1 or (lone_two and wild == 2):
            continue
        first = last = wild
        while places >> first - 1 & 1:
            first -= 1
        while places >> last + 1 & 1:
            last += 1
        if last - first >= 2:
            yield _faces(places & (2 << last) - (1 << first), suit)


def _faces(places: int, suit: int) -> int:
    """The faces of a suit on these places, as a set of cards."""
    return (places >> 1 & 0x1FFF | places >> 14) << suit * 13
