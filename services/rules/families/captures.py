"""Capture by equal value or by sum, and the points of a pile, for the games of scopa's kind.

Cards are numbers of the deck `it40`. Sources: scopa.md, sections 3 and 4; the other games of the family say
the same of these parts.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from services.rules.core.cards import IT40, as_set, members
from services.rules.core.errors import Refusal

VALUE = tuple(card % 10 + 1 for card in range(40))
"""What each card counts in captures: its number, fante 8, donna 9, re 10; suits do not matter."""

OF_VALUE = (0, *(as_set(range(value - 1, 40, 10)) for value in range(1, 11)))
"""The set of the four cards of each value."""

ACES = OF_VALUE[1]
SETTEBELLO = IT40.number["7d"]
ALL_CARDS = as_set(range(40))

_UP_TO = tuple(sum(OF_VALUE[: value + 1]) for value in range(11))
"""The set of the cards that count no more than so many."""
_FIFTEEN = 15
_NOTHING: Mapping[int, Sequence[int]] = {0: (0,)}
_ONE_OF = {
    as_set(cards): tuple([1 << card for card in cards])
    for equal in map(members, OF_VALUE)
    for number in range(5)
    for cards in combinations(equal, number)
}
"""Every set of cards of one value: its cards one by one, in deck order."""

_SUIT = 0x3FF
DENARI = _SUIT
_PRIMIERA = (16, 12, 13, 14, 15, 18, 21, 10, 10, 10)
_BEST = tuple(max((_PRIMIERA[card] for card in members(cards)), default=0) for cards in range(_SUIT + 1))
"""What the best card for the primiera counts among any cards of a suit, moved down to the first; 0: none."""


def equal_or_sums(table: int, value: int) -> tuple[int, ...]:
    """All that a card of this value takes: one equal card, or else any cards that add up to it.

    The table and each capture are sets of cards; captures are in deck order of their cards.
    """
    equal = table & OF_VALUE[value]
    return _ONE_OF[equal] if equal else _sums(table & _UP_TO[value], value)


@lru_cache(maxsize=8192)  # every card of a hand asks for two totals of one table
def by_total(table: int) -> Mapping[int, Sequence[int]]:
    """All sets of cards of the table, of one card too, by what they add up to: less than fifteen.

    Those of one total are in deck order of their cards.
    """
    if not table:
        return _NOTHING
    first = table & -table
    value = VALUE[first.bit_length() - 1]
    without = by_total(table ^ first)
    found = dict(without)
    for total, others in without.items():
        if (higher := total + value) < _FIFTEEN:
            found[higher] = (*[first | cards for cards in others], *without.get(higher, ()))
    return found


def ace_or_all(table: int) -> tuple[int, ...]:
    """All that an ace takes where it takes everything: one ace, or else the whole table."""
    if aces := table & ACES:
        return _ONE_OF[aces]
    return (table,) if table else ()


def no_equal_or_sum(table: int, card: int, taken: int) -> Refusal:
    """Why these cards of the table are not among `equal_or_sums`."""
    played, value = IT40.faces[card], VALUE[card]
    equal = members(table & OF_VALUE[value])
    if equal and sum(VALUE[each] for each in members(taken)) == value:
        face = IT40.faces[equal[0]]
        return Refusal("must_take_equal", f"{played} must take a card of its own value: {face}", face)
    first = IT40.faces[members(taken)[0]]
    return Refusal("not_a_capture", f"{played} counts {value}, these cards do not", first)


def not_all(table: int, card: int, taken: int) -> Refusal:
    """Why these cards are not what an ace takes where no ace lies on the table: some are left."""
    left = IT40.faces[members(table & ~taken)[0]]
    return Refusal("must_take_all", f"{IT40.faces[card]} must take the whole table, {left} too", left)


@lru_cache(maxsize=8192)  # few cards count at a time: the same small sets come again and again
def _sums(table: int, total: int) -> tuple[int, ...]:
    """All sets of these cards, none of which counts more than `total`, that add up to it."""
    if not table:
        return () if total else (0,)
    first = table & -table
    rest = table ^ first
    missing = total - VALUE[first.bit_length() - 1]
    with_first = [first | others for others in _sums(rest & _UP_TO[missing], missing)]
    return (*with_first, *_sums(rest, total))


def primiera(pile: int) -> int | None:
    """The primiera of a pile (a set of cards): its best card in each suit, added; None without some suit."""
    best = [_BEST[pile >> suit & _SUIT] for suit in range(0, 40, 10)]
    return sum(best) if all(best) else None


def pile_points(piles: Sequence[int]) -> dict[str, list[int]]:
    """The four points of the deck for two piles: item to points per side (section 4)."""
    mine, theirs = (primiera(pile) or 0 for pile in piles)
    return {
        "settebello": [pile >> SETTEBELLO & 1 for pile in piles],
        "primiera": [int(mine > theirs), int(theirs > mine)],
        "denari": [int((pile & DENARI).bit_count() >= 6) for pile in piles],
        "carte": [int(pile.bit_count() >= 21) for pile in piles],
    }
