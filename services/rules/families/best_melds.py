"""The most that a hand could lay at once: `opening` of a seat's view (CONVENTIONS.md, section 8)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from services.rules.core.cards import members
from services.rules.families.double_hands import RANKS, SUITS, faces, jokers_of, twins
from services.rules.families.melds import LAST, MeldRules, place_value, set_value


class _Piece(NamedTuple):
    """A set, or a run of three to five cards: every longer run falls into such.

    `need`: its natural cards as `_at` places them; `worth`: its points; `alone`: the most that its natural
    cards can be worth one by one; `wild`: how many jokers it has.
    """

    need: int
    worth: int
    alone: int
    wild: int


def _at(place: int, suit: int) -> int:
    """Where the copies of a card are counted, with two bits: by place, those of a place by suit."""
    return 2 * (place * SUITS + suit)


_ACE_UP = _at(LAST, 0) - _at(1, 0)
_SECOND_PLACE = _at(2, 0)


def _most_of(place: int, rules: MeldRules) -> int:
    """The most that the card of this place can be worth in any meld."""
    rank = (place - 1) % RANKS
    return set_value(rank, rules) if rank else max(rules.ace_of_set, rules.high_ace)


@lru_cache(maxsize=8)
def _pieces(rules: MeldRules) -> tuple[_Piece, ...]:
    """All pieces, but of those of the same cards only the best."""
    best: dict[tuple[int, int], _Piece] = {}
    for piece in (*_runs(rules), *_sets(rules)):
        key = piece.need, piece.wild
        best[key] = max(piece, best.get(key, piece), key=lambda it: it.worth)
    return tuple(best.values())


def _runs(rules: MeldRules) -> list[_Piece]:
    found = []
    for length in (3, 4, 5):
        patterns = [it for it in range(1 << length) if not it & it >> 1]
        for low in range(1, LAST + 2 - length):
            worth = sum(place_value(place, rules) for place in range(low, low + length))
            for jokers in patterns:
                wild = jokers.bit_count()
                natural = [low + step for step in range(length) if not jokers >> step & 1]
                alone = sum(_most_of(place, rules) for place in natural)
                for suit in range(SUITS) if wild <= rules.run_jokers else ():
                    need = sum(1 << _at(place, suit) for place in natural)
                    found.append(_Piece(need, worth, alone, wild))
    return found


def _sets(rules: MeldRules) -> list[_Piece]:
    """Those of aces lie on the place above the king."""
    found = []
    for place in range(2, LAST + 1):
        each, most = set_value((place - 1) % RANKS, rules), _most_of(place, rules)
        for suits in map(members, range(1 << SUITS)):
            need, count = sum(1 << _at(place, suit) for suit in suits), len(suits)
            if count >= 3:
                found.append(_Piece(need, count * each, count * most, 0))
            if count in (2, 3):
                found.append(_Piece(need, (count + 1) * each, count * most, 1))
    return found


@lru_cache(maxsize=4096)
def most_points(hand: int, rules: MeldRules) -> int:
    """The most that melds of the hand are worth together, no card used twice."""
    left = alone = 0
    for cards in (faces(hand), twins(hand)):
        for card in members(cards):
            suit, rank = divmod(card, RANKS)
            left += 1 << _at(rank + 1, suit)
            alone += _most_of(rank + 1, rules)
    held = left | left >> 1
    held |= (held & (1 << _SECOND_PLACE) - 1) << _ACE_UP
    wild = jokers_of(hand)
    pieces = [piece for piece in _pieces(rules) if piece.need & held == piece.need and piece.wild <= wild]
    return _most(left, wild, alone, pieces, rules) if pieces else 0


def _most(left: int, wild: int, alone: int, pieces: Sequence[_Piece], rules: MeldRules) -> int:
    """What pieces of these cards and jokers are worth together at most; `alone`: what the cards are, one by
    one.

    The cards are taken from the lowest place up. Each is left over, or is the first natural card of a piece;
    an ace that begins no run waits for the place above the king. What could come at most is counted down:
    each card at its most, each joker at what it adds to a piece at the most, less what every choice loses of
    that. A choice is not followed if it could not lead to more than the best so far, or leaves the same cards
    as another one that has laid as much.
    """
    of_joker = max((-((it.alone - it.worth) // it.wild) for it in pieces if it.wild), default=0)
    begun_by: list[list[tuple[int, int, int, int]]] = [[] for _ in range(_at(LAST + 1, 0))]
    for piece in pieces:
        loss = piece.alone + piece.wild * of_joker - piece.worth
        begun_by[_first(piece.need)].append((loss, piece.need, piece.worth, piece.wild))
    for begun in begun_by:
        begun.sort()
    most_of = [_most_of(at // _at(1, 0), rules) for at in range(_at(LAST + 1, 0))]
    laid_before: dict[tuple[int, int], int] = {}
    best = 0

    def go_on(left: int, wild: int, laid: int, could: int) -> None:
        nonlocal best
        best = max(best, laid)
        while left and could > best:
            if laid_before.get((left, wild), -1) >= laid:
                return
            laid_before[left, wild] = laid
            first = _first(left)
            held = left | left >> 1
            for loss, need, worth, used in begun_by[first]:
                if could - loss <= best:
                    break
                if used <= wild and need & held == need:
                    go_on(left - need, wild - used, laid + worth, could - loss)
            left -= 1 << first
            if first < _SECOND_PLACE:
                left += 1 << first + _ACE_UP
            else:
                could -= most_of[first]

    go_on(left, wild, 0, alone + wild * of_joker)
    return best


def _first(cards: int) -> int:
    """Where the lowest of these cards are counted."""
    return (cards & -cards).bit_length() - 1 & ~1
