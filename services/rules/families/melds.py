"""Melds of the rummies: runs and sets over two packs with jokers.

A run lies on consecutive places of a suit: 1 the ace below the two, 2 to 13 two to king, 14 the ace above the
king. A set has cards of one rank, all of different suits. What the games see differently about them says
`MeldRules`; nothing here knows a game.

There are few melds and hands meet them again and again, so what can be said about one is kept.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from services.rules.core.cards import FR108, members
from services.rules.families.double_hands import (
    JOKER,
    ONE_SUIT,
    RANKS,
    SUITS,
    faces,
    jokers_of,
    twins,
)

FACES = FR108.faces  # fr110 numbers its cards alike: it only has more jokers
_NUMBER = FR108.number
LAST = 14
"""The place of the ace above the king."""
_HIGH_ACE = 1 << LAST
_LOW_ACE = 1 << 1
_BOTH_ACES = _HIGH_ACE | _LOW_ACE
STATED = "X="
"""How a joker begins that is said to stand for a card."""


class MeldRules(NamedTuple):
    """What differs between the games."""

    run_jokers: int
    """The most jokers in one run; two never lie side by side."""
    two_aces: bool
    """A run of fourteen may have a natural ace at both ends."""
    stated_suit: bool
    """The joker of a set stands for a stated card, written `X=7s`; else for no suit in particular."""
    high_ace: int
    ace_of_set: int


class Meld(NamedTuple):
    """A meld as it lies: a run from low to high; the natural cards of a set in suit order, then its joker."""

    cards: tuple[int, ...]
    low: int
    """The place of a run's first card; 0: it is a set."""
    suit: int
    """That of a run; that which the joker of a set stands for, -1 if there is none or it is not stated."""


Fault = Literal["ambiguous", "not_a_meld"]


class Growth(NamedTuple):
    """A card that a meld takes: at which end of a run ("" for a set), what comes of it, where it lies."""

    card: int
    end: str
    meld: Meld
    place: int


class Swap(NamedTuple):
    """A natural card for a joker: what comes of it, where the joker lay and where the card lies."""

    card: int
    meld: Meld
    joker_place: int
    place: int


# ------------------------------------------------------------------------------------ texts and values


@lru_cache(maxsize=8192)
def meld_texts(meld: Meld) -> tuple[str, ...]:
    """The cards of a meld as it is written."""
    texts = tuple(FACES[card] for card in meld.cards)
    stated = stated_card(meld)
    return texts if stated is None else (*texts[:-1], STATED + FACES[stated])


def stated_card(meld: Meld) -> int | None:
    """The card that the joker of a set is said to stand for."""
    if meld.low or meld.suit < 0:
        return None
    return meld.suit * RANKS + meld.cards[0] % RANKS


def card_at(place: int, suit: int) -> int:
    """The natural card of a place in a suit."""
    return suit * RANKS + (place - 1) % RANKS


@lru_cache(maxsize=8192)
def card_values(meld: Meld, rules: MeldRules) -> tuple[int, ...]:
    """What each card of a meld is worth, a joker as much as the card that it stands for."""
    if meld.low:
        return tuple(place_value(meld.low + index, rules) for index in range(len(meld.cards)))
    return (set_value(meld.cards[0] % RANKS, rules),) * len(meld.cards)


def value(meld: Meld, rules: MeldRules) -> int:
    return sum(card_values(meld, rules))


def place_value(place: int, rules: MeldRules) -> int:
    return rules.high_ace if place == LAST else min(place, 10)


def set_value(rank: int, rules: MeldRules) -> int:
    return min(rank + 1, 10) if rank else rules.ace_of_set


# ------------------------------------------------------------------------------------ reading a meld


@lru_cache(maxsize=8192)
def read_meld(words: tuple[str, ...], rules: MeldRules) -> Meld | Fault | None:
    """The meld that these words are; why they are none; or None if they have not the form of one."""
    stated = [word[len(STATED) :] for word in words if word.startswith(STATED)]
    plain = [word for word in words if not word.startswith(STATED)]
    if len(words) < 3 or not all(word in _NUMBER for word in plain):
        return None
    if stated and not (rules.stated_suit and all(_NUMBER.get(word, JOKER) < JOKER for word in stated)):
        return None
    cards = [_NUMBER[word] for word in plain]
    natural = sorted(card for card in cards if card != JOKER)
    if len(natural) >= 2 and len({card % RANKS for card in natural}) == 1:
        return _read_set(natural, len(words) - len(natural), [_NUMBER[word] for word in stated], rules)
    return None if stated else _read_run(cards, rules)


def _read_set(natural: list[int], wild: int, stated: list[int], rules: MeldRules) -> Meld | Fault:
    suits = [card // RANKS for card in natural]
    if wild > 1 or not 3 <= len(natural) + wild <= SUITS or len(set(suits)) < len(suits):
        return "not_a_meld"
    if not wild:
        return Meld(tuple(natural), 0, -1)
    suit = -1
    if stated:
        suit = stated[0] // RANKS
        if stated[0] % RANKS != natural[0] % RANKS or suit in suits:
            return "not_a_meld"
    elif rules.stated_suit:
        if len(natural) == 2:
            return "ambiguous"
        (suit,) = set(range(SUITS)) - set(suits)
    return Meld((*natural, JOKER), 0, suit)


def _read_run(cards: list[int], rules: MeldRules) -> Meld | Fault:
    as_given = _runs_of(cards, rules)
    if as_given:
        return as_given[0]
    if JOKER in cards:
        return "not_a_meld"
    ordered = sorted(cards)
    if rules.two_aces and len(ordered) == LAST and ordered[0] == ordered[1]:
        return _first(_runs_of(ordered[1:] + ordered[:1], rules))
    low_first = _runs_of(ordered, rules)
    high_last = _runs_of(ordered[1:] + ordered[:1], rules)
    return "ambiguous" if low_first and high_last else _first(low_first + high_last)


def _first(melds: list[Meld]) -> Meld | Fault:
    return melds[0] if melds else "not_a_meld"


def _runs_of(cards: Sequence[int], rules: MeldRules) -> list[Meld]:
    """The run that these cards are in this order, if they are one: no order can be two."""
    natural = [(index, card) for index, card in enumerate(cards) if card != JOKER]
    if not natural:
        return []
    index, first = natural[0]
    suit, rank = divmod(first, RANKS)
    lows = (1 - index, LAST - index) if rank == 0 else (rank + 1 - index,)
    wild = [at for at, card in enumerate(cards) if card == JOKER]
    if len(wild) > rules.run_jokers or any(b - a == 1 for a, b in pairwise(wild)):
        return []
    return [
        Meld(tuple(cards), low, suit)
        for low in lows
        if low >= 1
        and low + len(cards) - 1 <= LAST
        and all(card == card_at(low + at, suit) for at, card in natural)
        and (rules.two_aces or not _has_two_aces(cards))
    ]


def _has_two_aces(cards: Sequence[int]) -> bool:
    """Whether a run has a natural ace at both ends."""
    return len(cards) == LAST and JOKER not in (cards[0], cards[-1])


# ------------------------------------------------------------------------- melds that lie on the table


@lru_cache(maxsize=8192)
def growths(meld: Meld, rules: MeldRules) -> tuple[Growth, ...]:
    """Every card that may be added to a meld, in deck order."""
    found = _run_growths(meld, rules) if meld.low else _set_growths(meld, rules)
    return tuple(sorted(found, key=lambda growth: (growth.card, growth.end != "low")))


def _run_growths(meld: Meld, rules: MeldRules) -> Iterator[Growth]:
    cards, low, suit = meld
    may_be_joker = cards.count(JOKER) < rules.run_jokers
    if low > 1:
        for card in (card_at(low - 1, suit), *(JOKER,) * (may_be_joker and cards[0] != JOKER)):
            longer = (card, *cards)
            if rules.two_aces or not _has_two_aces(longer):
                yield Growth(card, "low", Meld(longer, low - 1, suit), 0)
    after = low + len(cards)
    if after <= LAST:
        for card in (card_at(after, suit), *(JOKER,) * (may_be_joker and cards[-1] != JOKER)):
            longer = (*cards, card)
            if rules.two_aces or not _has_two_aces(longer):
                yield Growth(card, "high", Meld(longer, low, suit), len(cards))


def _set_growths(meld: Meld, rules: MeldRules) -> Iterator[Growth]:
    if len(meld.cards) == SUITS:
        return
    natural = tuple(card for card in meld.cards if card != JOKER)
    joker = meld.cards[len(natural) :]
    suits = {card // RANKS for card in natural}
    for suit in range(SUITS):
        card = suit * RANKS + natural[0] % RANKS
        if suit not in suits and suit != meld.suit:
            more = tuple(sorted((*natural, card)))
            yield Growth(card, "", Meld(more + joker, 0, meld.suit), more.index(card))
    if not joker:
        (missing,) = set(range(SUITS)) - suits
        suit = missing if rules.stated_suit else -1
        yield Growth(JOKER, "", Meld((*natural, JOKER), 0, suit), len(natural))


@lru_cache(maxsize=8192)
def swaps(meld: Meld, rules: MeldRules) -> tuple[Swap, ...]:
    """Every natural card that may take the place of a joker, in deck order; the lower of two jokers first.

    A joker of no particular suit is free only when its set is full.
    """
    cards, low, suit = meld
    if low:
        found = []
        for place, card in enumerate(cards):
            natural = card_at(low + place, suit)
            changed = (*cards[:place], natural, *cards[place + 1 :])
            if card == JOKER and (rules.two_aces or not _has_two_aces(changed)):
                found.append(Swap(natural, Meld(changed, low, suit), place, place))
        return tuple(sorted(found, key=lambda swap: swap.card))
    if JOKER not in cards or (suit < 0 and len(cards) < SUITS):
        return ()
    if suit < 0:
        (suit,) = set(range(SUITS)) - {card // RANKS for card in cards[:-1]}
    natural = suit * RANKS + cards[0] % RANKS
    full = tuple(sorted((*cards[:-1], natural)))
    return (Swap(natural, Meld(full, 0, -1), len(cards) - 1, full.index(natural)),)


# ---------------------------------------------------------------------------------- melds of a hand


@lru_cache(maxsize=4096)
def melds_of_three(natural: int, wild: int, rules: MeldRules) -> tuple[Meld, ...]:
    """The melds of three cards that a hand gives, in deck order: of its natural cards, each once, and its
    jokers."""
    found: list[Meld] = []
    for suit in range(SUITS):
        found += _runs_of_three(natural >> suit * RANKS & ONE_SUIT, min(wild, 2), suit, rules)
    for rank, suits in _suits_of_ranks(natural):
        found += _sets_of_three(suits, wild > 0, rank, rules)
    return tuple(sorted(found))


def _suits_of_ranks(natural: int) -> Iterator[tuple[int, int]]:
    """Every rank of which there are cards of two suits or more, and these suits."""
    for rank in range(RANKS):
        at = natural >> rank
        suits = at & 1 | at >> RANKS - 1 & 2 | at >> 2 * RANKS - 2 & 4 | at >> 3 * RANKS - 3 & 8
        if suits & suits - 1:
            yield rank, suits


_PATTERNS_OF_THREE = (0b000, 0b001, 0b010, 0b100, 0b101)
"""Where the jokers are in a run of three."""


@lru_cache(maxsize=8192)
def _runs_of_three(ranks: int, wild: int, suit: int, rules: MeldRules) -> tuple[Meld, ...]:
    held = _held_places(ranks)
    patterns = [it for it in _PATTERNS_OF_THREE if it.bit_count() <= min(wild, rules.run_jokers)]
    return tuple(
        _run(low, low + 2, pattern << low, suit)
        for low in range(1, LAST - 1)
        for pattern in patterns
        if not (0b111 ^ pattern) & ~(held >> low)
    )


def _held_places(ranks: int) -> int:
    """The places that these ranks of a suit (bit 0 the ace) can take: bit p for place p."""
    return ranks << 1 | (ranks & 1) << LAST


def _run(low: int, high: int, wild: int, suit: int) -> Meld:
    cards = (JOKER if wild >> place & 1 else card_at(place, suit) for place in range(low, high + 1))
    return Meld(tuple(cards), low, suit)


@lru_cache(maxsize=4096)
def _sets_of_three(suits: int, wild: bool, rank: int, rules: MeldRules) -> tuple[Meld, ...]:
    found = []
    for chosen in range(1 << SUITS):
        count = chosen.bit_count()
        if chosen & ~suits or count not in (2, 3) or (count == 2 and not wild):
            continue
        natural = tuple(suit * RANKS + rank for suit in members(chosen))
        if count == 3:
            found.append(Meld(natural, 0, -1))
        else:
            found += [Meld((*natural, JOKER), 0, suit) for suit in _stateable(chosen, rules)]
    return tuple(found)


def _stateable(chosen: int, rules: MeldRules) -> tuple[int, ...]:
    """The suits that a joker beside these may stand for."""
    return members(0b1111 & ~chosen) if rules.stated_suit else (-1,)


# --------------------------------------------------------------- layable (CONVENTIONS.md, section 8)


class Layable(NamedTuple):
    """A meld of the hand as its viewer sees it: the text of the move that lays it, and what it is worth."""

    move: str
    value: int


@lru_cache(maxsize=4096)
def layable(hand: int, rules: MeldRules) -> tuple[Layable, ...]:
    """The melds that the hand gives, the longest first, then the greater value, then by text; without those
    whose cards are all among those of a longer one.

    A run is never among the cards of a set, or of a run of another suit; and the other way round.
    """
    natural, twin, wild = faces(hand), twins(hand), jokers_of(hand)
    found: list[tuple[int, int, str]] = []
    for suit in range(SUITS):
        ranks = natural >> suit * RANKS & ONE_SUIT
        if ranks:
            aces = (ranks & 1) + (twin >> suit * RANKS & 1)
            found += _runs_layable(ranks, aces, min(wild, rules.run_jokers), suit, rules)
    for rank, suits in _suits_of_ranks(natural):
        found += _sets_layable(suits, wild > 0, rank, rules)
    return tuple(Layable(text, -minus_value) for _, minus_value, text in sorted(found))


def _listed(meld: Meld, rules: MeldRules) -> tuple[int, int, str]:
    return -len(meld.cards), -value(meld, rules), "meld " + " ".join(meld_texts(meld))


@lru_cache(maxsize=4096)
def _sets_layable(suits: int, wild: bool, rank: int, rules: MeldRules) -> tuple[tuple[int, int, str], ...]:
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
            found += [Meld((*natural, JOKER), 0, suit) for suit in _stateable(chosen, rules)]
    return tuple(_listed(meld, rules) for meld in found)


@lru_cache(maxsize=8192)
def _runs_layable(
    ranks: int, aces: int, wild: int, suit: int, rules: MeldRules
) -> tuple[tuple[int, int, str], ...]:
    runs = _runs_that_cannot_grow(ranks, aces, wild, rules)
    return tuple(_listed(_run(low, high, jokers, suit), rules) for low, high, jokers in runs)


@lru_cache(maxsize=8192)
def _runs_that_cannot_grow(
    ranks: int, aces: int, wild: int, rules: MeldRules
) -> tuple[tuple[int, int, int], ...]:
    """The runs of one suit (first and last place, places of the jokers) whose cards are not all among those
    of a longer one."""
    held = _held_places(ranks)
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
