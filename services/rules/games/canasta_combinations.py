"""The combinations of canasta (canasta.md, sections 3 and 4): what is one, what it takes, which ones a hand
gives, and how many points a hand could lay."""

from collections.abc import Container
from functools import lru_cache

from services.rules.core.cards import FR108, as_set, members
from services.rules.families.double_hands import JOKER, OF_RANK, RANKS, cards_of, kinds
from services.rules.families.matte import (
    RANK,
    THREE,
    TWO,
    WILD_SET,
    choices,
    laying_order,
    naturals,
    points,
    wilds,
    wilds_of,
)
from services.rules.families.pile_rummies import Meld, Step, card_move

RED_THREES = bytes(FR108.read(("3h", "3d")))
VALUE = bytes((20, 20, 0, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 50)[rank] for rank in RANK)
_RANKS = tuple(rank for rank in range(RANKS) if rank not in (TWO, THREE))
_MOST_WILDS = 3
_MOST_BLACK_THREES = 4
_CANASTA = 7
_PURE, _DIRTY = 500, 300


@lru_cache(maxsize=65536)
def combined(cards: bytes) -> Meld | None:
    """These cards as a combination; None if they are none."""
    plain = naturals(cards)
    wild = len(cards) - len(plain)
    if len(cards) < 3 or not plain:
        return None
    rank = RANK[plain[0]]
    if any(RANK[card] != rank for card in plain):
        return None
    if rank == THREE:
        if wild or len(plain) > _MOST_BLACK_THREES or any(card in RED_THREES for card in plain):
            return None
    elif wild > min(_MOST_WILDS, len(plain)):
        return None
    bonus = 0 if len(cards) < _CANASTA else _DIRTY if wild else _PURE
    return Meld(laying_order(cards), rank, bonus)


@lru_cache(maxsize=8192)
def added(meld: Meld, cards: bytes) -> Meld | None:
    """A combination after these cards were added to it; None if they do not fit."""
    return None if meld.rank == THREE else combined(meld.cards + cards)


@lru_cache(maxsize=8192)
def fitting(meld: Meld) -> int:
    """The cards that may be added to a combination alone."""
    if meld.rank == THREE:
        return 0
    same = as_set(range(meld.rank, JOKER, RANKS))
    wild = len(wilds(meld.cards))
    return same | WILD_SET if wild < min(_MOST_WILDS, len(meld.cards) - wild) else same


# ----------------------------------------------------------------------------- what a hand gives


def short_combinations(hand: int, down: Container[int]) -> list[Step]:
    """The moves that lay three cards of the hand as a combination, none of a rank that is down; without the
    threes."""
    wild = kinds(hand) & WILD_SET
    found: list[Step] = []
    for rank in _RANKS:
        same = hand & OF_RANK[rank]
        if same & same - 1 and rank not in down:
            found += _short_of_rank(same, wild)
    return found


@lru_cache(maxsize=8192)
def _short_of_rank(same: int, wild: int) -> tuple[Step, ...]:
    cards = bytes(cards_of(same))
    found = [*choices(cards, 3)]
    found += [bytes((*pair, card)) for pair in choices(cards, 2) for card in members(wild)]
    return tuple(card_move("meld", laying_order(three)) for three in found)


@lru_cache(maxsize=1024)
def largest_combinations(hand: int) -> tuple[Meld, ...]:
    """The combinations that the hand gives, those left out whose cards are all among those of another one:
    all naturals of a rank, and the wilds that it takes, any choice of so many. Without the threes."""
    wild = wilds_of(hand)
    found: list[bytes] = []
    for rank in _RANKS:
        same = bytes(cards_of(hand & OF_RANK[rank]))
        most = min(_MOST_WILDS, len(same), len(wild))
        if len(same) > 1:
            found += [same + chosen for chosen in choices(wild, most)]
    return tuple(meld for cards in found if (meld := combined(cards)))


def most_points(hand: int, down: Container[int]) -> int:
    """The most that new combinations of the hand count together, none of a rank that is down.

    Of three naturals or more nothing is lost. Each pair needs a wild, and makes room for another; so as many
    of the best pairs as there are wilds, and then the best wilds as far as there is room.
    """
    wild = sorted((VALUE[card] for card in wilds_of(hand)), reverse=True)
    pairs: list[int] = []
    total = room = 0
    for rank in _RANKS:
        same = cards_of(hand & OF_RANK[rank])
        if rank in down or len(same) < 2:
            continue
        if len(same) == 2:
            pairs.append(points(same, VALUE))
        else:
            total += points(same, VALUE)
            room += _MOST_WILDS
    pairs = sorted(pairs, reverse=True)[: len(wild)]
    return total + sum(pairs) + sum(wild[: room + 2 * len(pairs)])
