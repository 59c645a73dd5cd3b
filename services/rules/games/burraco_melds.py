"""The melds of burraco (burraco.md, sections 3 and 4): how the cards of a set or a run lie, what it counts as
a burraco, what fits it, and which melds a hand gives.

Runs stand on places 1 … 14: the ace low, two … king, the ace high. A set of places is one int with bit n set
for place n. `semiclean` is everywhere what a *burraco semipulito* counts.
"""

from collections.abc import Container, Iterator
from functools import lru_cache

from services.rules.core.cards import as_set, members
from services.rules.families.double_hands import (
    JOKER,
    OF_RANK,
    ONE_SUIT,
    RANKS,
    SUITS,
    cards_of,
    faces,
    held,
    kinds,
)
from services.rules.families.matte import ACE, RANK, TWO, WILD_SET, choices, in_order, naturals, wilds
from services.rules.families.pile_rummies import RUN, Meld, Step, card_move

CLEAN, SEMICLEAN, DIRTY = 200, 150, 100
_BURRACO = 7
_LONGEST_SET, _LONGEST_RUN = 9, 14
_ACE_LOW, _ACE_HIGH = 1 << 1, 1 << 14
_SETS = tuple((rank, OF_RANK[rank]) for rank in range(RANKS) if rank != TWO)
_SECOND = 64  # the bit of a face's second copy, after that of the first


# ------------------------------------------------------------------------------- how a meld lies


@lru_cache(maxsize=65536)
def arranged(cards: bytes, semiclean: int) -> Meld | None:
    """These cards, given in deck order, as a meld; None if they are none."""
    plain, spare = naturals(cards), wilds(cards)
    if not 3 <= len(cards) <= _LONGEST_RUN or not plain:
        return None
    first = plain[0]
    if len(plain) > 1 and all(RANK[card] == RANK[first] for card in plain):
        return _set(plain, spare, semiclean)
    suit = first // RANKS
    if plain[-1] // RANKS != suit or len(set(plain)) < len(plain):
        return None
    return min(_runs(plain, spare, suit, semiclean), default=(None,))[-1]


def _set(plain: bytes, spare: bytes, semiclean: int) -> Meld | None:
    size = len(plain) + len(spare)
    if len(spare) > 1 or size > _LONGEST_SET:
        return None
    burraco = 0
    if size >= _BURRACO:
        burraco = CLEAN if not spare else DIRTY if size == _BURRACO else semiclean
    return Meld(plain + spare, RANK[plain[0]], burraco)


def _runs(
    plain: bytes, spare: bytes, suit: int, semiclean: int
) -> Iterator[tuple[int, int, int, bool, Meld]]:
    """Every way in which the cards lie as a run, each after what makes it better than another (the least)."""
    two = suit * RANKS + TWO
    others = sum(1 << RANK[card] + 1 for card in plain if RANK[card] != ACE)
    aces = (_ACE_LOW, _ACE_HIGH) if RANK[plain[0]] == ACE else (0,)
    for natural_two in (True, False) if two in spare else (False,):
        wild = spare.replace(bytes((two,)), b"", 1) if natural_two else spare
        if len(wild) > 1:
            continue
        for ace in aces:
            places = others | ace | natural_two << 2
            for first, missing in _stretches(places, bool(wild)):
                size = places.bit_count() + len(wild)
                cards = _lay(suit, first, size, wild, missing)
                burraco = _burraco(size, first, missing, semiclean)
                yield len(wild), -burraco, first, ace == _ACE_HIGH, Meld(cards, RUN, burraco)


def _stretches(places: int, has_wild: bool) -> Iterator[tuple[int, int]]:
    """Where a run on these places begins and where its wild lies (0: it has none)."""
    first, last = (places & -places).bit_length() - 1, places.bit_length() - 1
    gaps = last - first + 1 - places.bit_count()
    if gaps > has_wild:
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


def _lay(suit: int, first: int, size: int, wild: bytes, missing: int) -> bytes:
    """The cards of a run in their order."""
    return bytes(
        [
            wild[0] if place == missing else suit * RANKS + (place - 1) % RANKS
            for place in range(first, first + size)
        ]
    )


def _burraco(size: int, first: int, missing: int, semiclean: int) -> int:
    """The points of a run of this size as a burraco; its wild is on the place `missing` (0: it has none)."""
    if size < _BURRACO:
        return 0
    if not missing:
        return CLEAN
    before = missing - first
    return semiclean if max(before, size - 1 - before) >= _BURRACO else DIRTY


# ----------------------------------------------------------------------------- what is added to it


@lru_cache(maxsize=65536)
def joined(meld: Meld, cards: bytes, semiclean: int) -> Meld | None:
    """A meld after these cards were added to it; None if they do not fit."""
    return arranged(in_order(meld.cards + cards), semiclean)


@lru_cache(maxsize=8192)
def _candidates(meld: Meld) -> int:
    """The cards of which alone some may fit a meld: all others are of another rank or suit, or would be a
    second wild."""
    plain, spare = naturals(meld.cards), wilds(meld.cards)
    if meld.rank != RUN:
        same = as_set(range(meld.rank, JOKER, RANKS))
        return same if spare else same | WILD_SET
    suit = plain[0] // RANKS
    own = ONE_SUIT << suit * RANKS
    return own if spare and spare[0] != suit * RANKS + TWO else own | WILD_SET


def fitting(meld: Meld, hand: int) -> tuple[int, ...]:
    """The cards of the hand that may be added to a meld alone, in deck order."""
    return _fitting(meld, kinds(hand) & _candidates(meld))


@lru_cache(maxsize=65536)
def _fitting(meld: Meld, cards: int) -> tuple[int, ...]:
    return tuple(card for card in members(cards) if joined(meld, bytes((card,)), SEMICLEAN))


# ----------------------------------------------------------------------------- what a hand gives


def short_melds(hand: int, down: Container[int]) -> list[Step]:
    """The moves that lay a meld of three cards of the hand, in deck order of the cards; no set of a rank that
    is down."""
    wild = kinds(hand) & WILD_SET
    natural = faces(hand)
    found: list[tuple[bytes, Step]] = []
    for rank, all_of_rank in _SETS:
        same = hand & all_of_rank
        if same & same - 1 and rank not in down:
            found += _short_sets(same, wild)
    for suit in range(SUITS):
        ranks = natural >> suit * RANKS & ONE_SUIT
        if ranks & ranks - 1:
            found += _short_runs(ranks, suit, wild, held(hand, suit * RANKS + TWO) > 1)
    found.sort()
    return [move for _, move in found]


def _laying(found: Iterator[bytes]) -> tuple[tuple[bytes, Step], ...]:
    """These melds in deck order, each once, as cards in deck order and as the move that lays them."""
    every = sorted({in_order(cards) for cards in found})
    melds = ((cards, arranged(cards, SEMICLEAN)) for cards in every)
    return tuple((cards, card_move("meld", meld.cards)) for cards, meld in melds if meld)


@lru_cache(maxsize=8192)
def _short_sets(same: int, wild: int) -> tuple[tuple[bytes, Step], ...]:
    return _laying(_threes_of(bytes(cards_of(same)), wild))


def _threes_of(same: bytes, wild: int) -> Iterator[bytes]:
    """Three of these cards of a rank; and two with each wild."""
    yield from choices(same, 3)
    for pair in choices(same, 2):
        for card in members(wild):
            yield bytes((*pair, card))


@lru_cache(maxsize=8192)
def _short_runs(ranks: int, suit: int, wild: int, has_two_twos: bool) -> tuple[tuple[bytes, Step], ...]:
    return _laying(_threes_in_a_row(ranks, suit, wild, has_two_twos))


def _threes_in_a_row(ranks: int, suit: int, wild: int, has_two_twos: bool) -> Iterator[bytes]:
    """Three in a row of these ranks of a suit; and two, next to each other or one apart, with each wild."""
    places = _places(ranks)
    two = suit * RANKS + TWO
    for first in range(1, _LONGEST_RUN):
        if not places >> first & 1:
            continue
        for second in (first + 1, first + 2):
            if not places >> second & 1:
                continue
            pair = (suit * RANKS + first - 1, suit * RANKS + (second - 1) % RANKS)
            if second == first + 1 and places >> second + 1 & 1:
                yield bytes((*pair, suit * RANKS + second % RANKS))
            for card in members(wild):
                if card != two or two not in pair or has_two_twos:
                    yield bytes((*pair, card))


def _places(ranks: int) -> int:
    """The places on which cards of these ranks could lie, the ace on both."""
    return ranks << 1 | (ranks & 1) << _LONGEST_RUN


@lru_cache(maxsize=1024)
def largest_melds(hand: int, semiclean: int) -> tuple[Meld, ...]:
    """The melds that the hand gives, those left out whose cards are all among those of another one."""
    found = [*_largest_sets(hand)]
    for suit in range(SUITS):
        found += _largest_runs(hand, suit)
    return tuple(meld for cards in found if (meld := arranged(in_order(cards), semiclean)))


def _largest_sets(hand: int) -> Iterator[bytes]:
    wild = members(kinds(hand) & WILD_SET)
    for _, all_of_rank in _SETS:
        same = bytes(cards_of(hand & all_of_rank))
        if len(same) > 1:
            for card in wild:
                yield bytes((*same, card))
            if not wild:
                yield same


def _largest_runs(hand: int, suit: int) -> Iterator[bytes]:
    """Runs of a suit, none of which is part of another. A run is here the set of its cards, the second copy
    of a two (one natural, one wild) counted as a card of its own."""
    both = _places(faces(hand) >> suit * RANKS & ONE_SUIT)
    two = suit * RANKS + TWO
    found: set[int] = set()
    for places in {both & ~_ACE_LOW, both & ~_ACE_HIGH}:
        found.update(_widest(places, suit))
        for wild in members(kinds(hand) & WILD_SET):
            lone = wild == two and held(hand, two) == 1
            for run in _widest_with_wild(places & ~(1 << 2) if lone else places, suit, lone):
                found.add(run | (1 << wild + _SECOND if run >> wild & 1 else 1 << wild))
    for run in found:
        if not any(run & other == run and run != other for other in found):
            yield bytes(bit % _SECOND for bit in members(run))


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
    return (places >> 1 & ONE_SUIT | places >> _LONGEST_RUN) << suit * RANKS
