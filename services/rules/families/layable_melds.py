"""The melds that a hand gives: `layable` of a seat's view (CONVENTIONS.md, section 8).

Their order is the same in all rummies; those themselves are here for the runs and sets of `melds.py`.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from services.rules.core.cards import members
from services.rules.families.double_hands import JOKER, ONE_SUIT, RANKS, SUITS, faces, jokers_of, twins
from services.rules.families.melds import (
    LAST,
    Meld,
    MeldRules,
    held_places,
    meld_texts,
    run_of,
    stateable,
    suits_of_ranks,
    value,
)

_LOW_ACE, _HIGH_ACE = 1 << 1, 1 << LAST
_BOTH_ACES = _LOW_ACE | _HIGH_ACE


class Layable(NamedTuple):
    """A meld of the hand as its viewer sees it: the text of the move that lays it, and what it is worth."""

    move: str
    value: int


def in_view_order(found: Iterable[Layable]) -> tuple[Layable, ...]:
    """The melds that a hand gives in the order of the view: the longest first, then the greater value, then
    by text."""
    return tuple(sorted(found, key=lambda it: (-it.move.count(" "), -it.value, it.move)))


@lru_cache(maxsize=4096)
def layable(hand: int, rules: MeldRules) -> tuple[Layable, ...]:
    """The melds that the hand gives, the longest first, then the greater value, then by text; without those
    whose cards are all among those of a longer one.

    A run is never among the cards of a set, or of a run of another suit; and the other way round.
    """
    natural, twin, wild = faces(hand), twins(hand), jokers_of(hand)
    found: list[Layable] = []
    for suit in range(SUITS):
        ranks = natural >> suit * RANKS & ONE_SUIT
        if ranks:
            aces = (ranks & 1) + (twin >> suit * RANKS & 1)
            found += _runs_layable(ranks, aces, min(wild, rules.run_jokers), suit, rules)
    for rank, suits in suits_of_ranks(natural):
        found += _sets_layable(suits, wild > 0, rank, rules)
    return in_view_order(found)


def _listed(meld: Meld, rules: MeldRules) -> Layable:
    return Layable("meld " + " ".join(meld_texts(meld)), value(meld, rules))


@lru_cache(maxsize=4096)
def _sets_layable(suits: int, wild: bool, rank: int, rules: MeldRules) -> tuple[Layable, ...]:
    longest = min(suits.bit_count() + wild, SUITS)
    if longest < 3:
        return ()
    found = []
    for chosen in range(1 << SUITS):
        if chosen & ~suits:
            continue
        natural = tuple(suit * RANKS + rank for suit in members(chosen))
        if len(natural) == longest:
            found.append(Meld(natural, 0, -1))
        elif len(natural) == longest - 1 and wild:
            found += [Meld((*natural, JOKER), 0, suit) for suit in stateable(chosen, rules)]
    return tuple(_listed(meld, rules) for meld in found)


@lru_cache(maxsize=8192)
def _runs_layable(ranks: int, aces: int, wild: int, suit: int, rules: MeldRules) -> tuple[Layable, ...]:
    runs = _runs_that_cannot_grow(ranks, aces, wild, rules)
    return tuple(_listed(run_of(low, high, jokers, suit), rules) for low, high, jokers in runs)


@lru_cache(maxsize=8192)
def _runs_that_cannot_grow(
    ranks: int, aces: int, wild: int, rules: MeldRules
) -> tuple[tuple[int, int, int], ...]:
    """The runs of one suit (first and last place, places of the jokers) whose cards are not all among those
    of a longer one."""
    held = held_places(ranks)
    both_aces = aces > 1 and rules.two_aces
    runs = {
        (low, high, jokers)
        for low, high, gaps in _spans(held, wild, both_aces)
        for jokers in _joker_places(low, high, gaps, wild)
        if not _grows(low, high, jokers, held, wild, both_aces)
    }
    kept = sorted(runs)
    return tuple(run for run in kept if not any(_is_among(run, longer) for longer in kept))


def _spans(held: int, wild: int, both_aces: bool) -> Iterator[tuple[int, int, int]]:
    """First and last place of every possible run, and where it must have jokers."""
    for low in range(1, LAST - 1):
        for high in range(low + 2, LAST + 1):
            gaps = (1 << high + 1) - (1 << low) & ~held
            if gaps & gaps >> 1 or gaps.bit_count() > wild:
                break  # a longer one has them too
            if high - low == LAST - 1 and not gaps & _BOTH_ACES and not both_aces:
                for gap in (_LOW_ACE, _HIGH_ACE):  # one natural ace cannot be at both ends
                    more = gaps | gap
                    if not more & more >> 1 and more.bit_count() <= wild:
                        yield low, high, more
            else:
                yield low, high, gaps


def _joker_places(low: int, high: int, gaps: int, wild: int) -> Iterator[int]:
    """Where the jokers of a run may be so that it may be one that cannot grow.

    A joker may lie where the natural card is held; but then that card may take its place and the joker go to
    an end of the run, which makes it longer, unless both ends are the last place or a joker.
    """
    yield gaps
    if (low > 1 and not gaps >> low & 1) or (high < LAST and not gaps >> high & 1):
        return
    found = [gaps]
    while found:
        jokers = found.pop()
        if jokers.bit_count() == wild:
            continue
        above = (jokers & ~gaps).bit_length()  # each set of places once: what is added is added upwards
        for place in range(max(low, above), high + 1):
            if not jokers & 0b111 << place - 1:
                more = jokers | 1 << place
                yield more
                found.append(more)


def _grows(low: int, high: int, jokers: int, held: int, wild: int, both_aces: bool) -> bool:
    """Whether a card of the hand can be added at an end of a run."""
    if jokers.bit_count() < wild and (
        (low > 1 and not jokers >> low & 1) or (high < LAST and not jokers >> high & 1)
    ):
        return True
    natural = held & ~jokers
    if low > 1 and held >> low - 1 & 1 and not (low == 2 and high == LAST and natural & _HIGH_ACE):
        return True
    if low == 2 and high == LAST and both_aces:
        return True
    if high < LAST and held >> high + 1 & 1:
        return both_aces or not (low == 1 and high == LAST - 1 and natural & _LOW_ACE)
    return False


def _is_among(run: tuple[int, int, int], longer: tuple[int, int, int]) -> bool:
    """Whether the cards of a run are all among those of a longer one of the suit."""
    low, high, jokers = run
    low_of_longer, high_of_longer, jokers_of_longer = longer
    if high_of_longer - low_of_longer <= high - low or jokers.bit_count() > jokers_of_longer.bit_count():
        return False
    mine = (1 << high + 1) - (1 << low) & ~jokers
    theirs = (1 << high_of_longer + 1) - (1 << low_of_longer) & ~jokers_of_longer
    if (mine & _BOTH_ACES).bit_count() > (theirs & _BOTH_ACES).bit_count():
        return False
    return not mine & ~_BOTH_ACES & ~theirs
