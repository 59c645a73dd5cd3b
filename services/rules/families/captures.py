"""Capture by equal value or by sum, and the points of a pile, for the games of scopa's kind.

Cards are numbers of the deck `it40`. Sources: scopa.md, sections 3 and 4; the other games of the family say
the same of these parts.
"""

from collections.abc import Iterable, Sequence

from services.rules.core.cards import IT40, as_set

VALUE = tuple(card % 10 + 1 for card in range(40))
"""What each card counts in captures: its number, fante 8, donna 9, re 10; suits do not matter."""

SETTEBELLO = IT40.number["7d"]
ALL_CARDS = as_set(range(40))

_SUITS = [range(first, first + 10) for first in range(0, 40, 10)]
_DENARI = as_set(_SUITS[0])
_PRIMIERA = (16, 12, 13, 14, 15, 18, 21, 10, 10, 10)
_BEST_FIRST = [
    [(_PRIMIERA[card % 10], 1 << card) for card in sorted(suit, key=lambda c: -_PRIMIERA[c % 10])]
    for suit in _SUITS
]


def equals(table: Iterable[int], value: int) -> list[int]:
    """The cards of the table with this value."""
    return [card for card in table if VALUE[card] == value]


def can_sum(table: Iterable[int], total: int) -> bool:
    """Whether some cards of the table add up to `total`."""
    reached = 1  # bit n: some of the cards looked at so far add up to n
    for card in table:
        reached |= reached << VALUE[card]
    return bool(reached >> total & 1)


def sums(table: Iterable[int], total: int) -> list[tuple[int, ...]]:
    """All sets of one or more cards of the table that add up to `total`; each, and the list, in deck order."""
    found = []
    open_sets: list[tuple[int, tuple[int, ...]]] = [(total, ())]  # what is still missing, the cards so far
    for card in sorted(table):
        value = VALUE[card]
        grown = []
        for missing, cards in open_sets:
            if missing > value:
                grown.append((missing - value, (*cards, card)))
            elif missing == value:
                found.append((*cards, card))
        open_sets += grown
    return sorted(found)


def primiera(pile: int) -> int | None:
    """The primiera of a pile (a set of cards): its best card in each suit, added; None without some suit."""
    points = 0
    for suit in _BEST_FIRST:
        best = next((worth for worth, card in suit if pile & card), None)
        if best is None:
            return None
        points += best
    return points


def pile_points(piles: Sequence[int]) -> dict[str, list[int]]:
    """The four points of the deck for two piles that hold it all: item to points per side (section 4)."""
    mine, theirs = (primiera(pile) or 0 for pile in piles)
    return {
        "settebello": [pile >> SETTEBELLO & 1 for pile in piles],
        "primiera": [int(mine > theirs), int(theirs > mine)],
        "denari": [int((pile & _DENARI).bit_count() >= 6) for pile in piles],
        "carte": [int(pile.bit_count() >= 21) for pile in piles],
    }
