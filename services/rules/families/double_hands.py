"""Hands of two packs with jokers as one int (`fr108`, `fr110`).

Bit n is set when card n is held, bit 52 + n when both of its copies are, and what stands above bit 104 is how
many jokers there are. So a hand is a value that can be compared, kept and looked up, and its cards without
copies and jokers are a set of cards as anywhere else.
"""

from collections.abc import Iterable
from functools import lru_cache

from services.rules.core.cards import members

JOKER = 52
RANKS = 13
SUITS = 4
ONE_SUIT = (1 << RANKS) - 1

_NATURAL = (1 << 52) - 1
_TWIN = 52
_JOKERS = 104
_ONE_JOKER = 1 << _JOKERS
OF_RANK = (
    *((1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS) * (1 | 1 << _TWIN) << rank for rank in range(RANKS)),
    -1 << _JOKERS,
)
"""What a hand may have of each rank: 0 the ace, … 12 the king, 13 the joker."""


def held(hand: int, card: int) -> int:
    """How many copies of the card the hand has."""
    if card == JOKER:
        return hand >> _JOKERS
    return (hand >> card & 1) + (hand >> _TWIN + card & 1)


def jokers_of(hand: int) -> int:
    return hand >> _JOKERS


def faces(hand: int) -> int:
    """The natural cards of the hand, each once, as a set of cards."""
    return hand & _NATURAL


def twins(hand: int) -> int:
    """The cards of which the hand has both copies."""
    return hand >> _TWIN & _NATURAL


def size(hand: int) -> int:
    return (hand & _ONE_JOKER - 1).bit_count() + (hand >> _JOKERS)


def with_card(hand: int, card: int) -> int:
    if card == JOKER:
        return hand + _ONE_JOKER
    return hand | 1 << (card + _TWIN if hand >> card & 1 else card)


def without_card(hand: int, card: int) -> int:
    """The hand without one copy of a card that it has."""
    if card == JOKER:
        return hand - _ONE_JOKER
    return hand ^ 1 << (card + _TWIN if hand >> _TWIN + card & 1 else card)


def with_cards(hand: int, cards: Iterable[int]) -> int:
    for card in cards:
        hand = with_card(hand, card)
    return hand


def without_cards(hand: int, cards: Iterable[int]) -> int:
    for card in cards:
        hand = without_card(hand, card)
    return hand


def lacking(hand: int, cards: Iterable[int]) -> int | None:
    """The first of these cards that the hand does not hold as often as it is named."""
    for card in cards:
        if not held(hand, card):
            return card
        hand = without_card(hand, card)
    return None


@lru_cache(maxsize=4096)
def cards_of(hand: int) -> tuple[int, ...]:
    """All cards of the hand, in deck order."""
    return (*sorted(members(faces(hand)) + members(twins(hand))), *(JOKER,) * jokers_of(hand))


def kinds(hand: int) -> int:
    """The cards of the hand, each once, as a set of cards; the joker is one of them."""
    return hand & _NATURAL | (hand >> _JOKERS > 0) << JOKER
