"""Wild cards (*matte*) as burraco and canasta have them: the jokers and the twos (*pinelle*).

Cards are numbers of the deck `fr108`. Some of them in an order are `bytes`, a hand is one int
(`double_hands.py`).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from services.rules.core.cards import FR108, as_set
from services.rules.families.double_hands import JOKER, OF_RANK, RANKS, cards_of

ACE, TWO, THREE = 0, 1, 2
RANK = bytes((*(card % RANKS for card in range(JOKER)), RANKS))
"""The rank of each card: 0 the ace, 1 the two, … 12 the king; 13 the joker."""
WILDS = bytes((*range(TWO, JOKER, RANKS), JOKER))
"""The faces that are wild."""
WILD_SET = as_set(WILDS)
_NATURALS = bytes(card for card in range(JOKER) if card not in WILDS)

ONE = tuple(bytes((card,)) for card in range(JOKER + 1))
"""Each card alone."""


def in_order(cards: Iterable[int]) -> bytes:
    """These cards in deck order."""
    return bytes(sorted(cards))


def naturals(cards: bytes) -> bytes:
    """The cards that are not wild, in the order given."""
    return cards.translate(None, WILDS)


def wilds(cards: bytes) -> bytes:
    """The twos and jokers, in the order given."""
    return cards.translate(None, _NATURALS)


def laying_order(cards: bytes) -> bytes:
    """Naturals in deck order, then twos in deck order, then jokers."""
    return in_order(naturals(cards)) + in_order(wilds(cards))


def wilds_of(hand: int) -> bytes:
    """The twos and jokers of a hand, in deck order."""
    return bytes(cards_of(hand & (OF_RANK[TWO] | OF_RANK[RANKS])))


@lru_cache(maxsize=4096)
def choices(cards: bytes, size: int) -> tuple[bytes, ...]:
    """All different ways to choose so many of these cards, each in the order given."""
    return tuple(map(bytes, dict.fromkeys(combinations(cards, size))))


def points(cards: Iterable[int], values: bytes) -> int:
    """What these cards count, if each counts what `values` says of its number."""
    return sum(values[card] for card in cards)


def read_cards(faces: Sequence[str]) -> bytes | None:
    """The cards that these words of a move name, in deck order; None if one is no face."""
    number = FR108.number
    return in_order(number[face] for face in faces) if all(face in number for face in faces) else None
