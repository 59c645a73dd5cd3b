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
from services.rules.core.notation import amount
from services.rules.families.double_hands import (
    JOKER,
    ONE_SUIT,
    RANKS,
    SUITS,
)

FACES = FR108.faces  # fr110 numbers its cards alike: it only has more jokers
_NUMBER = FR108.number
LAST = 14
"""The place of the ace above the king."""
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


def read_number(word: str) -> int | None:
    """The number of the meld that a word of a move names: `m0`, `m1`, …"""
    return amount(word[1:]) if word[:1] == "m" else None


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
    for rank, suits in suits_of_ranks(natural):
        found += _sets_of_three(suits, wild > 0, rank, rules)
    return tuple(sorted(found))


def suits_of_ranks(natural: int) -> Iterator[tuple[int, int]]:
    """Every rank of which there are cards of two suits or more, and these suits."""
    h, d, c, s = (natural >> suit * RANKS & ONE_SUIT for suit in range(SUITS))
    for rank in members(h & (d | c | s) | d & (c | s) | c & s):
        yield rank, h >> rank & 1 | (d >> rank & 1) << 1 | (c >> rank & 1) << 2 | (s >> rank & 1) << 3


_PATTERNS_OF_THREE = (0b000, 0b001, 0b010, 0b100, 0b101)
"""Where the jokers are in a run of three."""


@lru_cache(maxsize=8192)
def _runs_of_three(ranks: int, wild: int, suit: int, rules: MeldRules) -> tuple[Meld, ...]:
    held = held_places(ranks)
    patterns = [it for it in _PATTERNS_OF_THREE if it.bit_count() <= min(wild, rules.run_jokers)]
    return tuple(
        run_of(low, low + 2, pattern << low, suit)
        for low in range(1, LAST - 1)
        for pattern in patterns
        if not (0b111 ^ pattern) & ~(held >> low)
    )


def held_places(ranks: int) -> int:
    """The places that these ranks of a suit (bit 0 the ace) can take: bit p for place p."""
    return ranks << 1 | (ranks & 1) << LAST


def run_of(low: int, high: int, wild: int, suit: int) -> Meld:
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
            found += [Meld((*natural, JOKER), 0, suit) for suit in stateable(chosen, rules)]
    return tuple(found)


def stateable(chosen: int, rules: MeldRules) -> tuple[int, ...]:
    """The suits that a joker beside these may stand for."""
    return members(0b1111 & ~chosen) if rules.stated_suit else (-1,)
