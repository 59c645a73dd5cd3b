"""The moves of bestia (bestia.md, section 3)."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from services.rules.core.cards import IT40, as_set, members
from services.rules.core.moves import Move
from services.rules.core.notation import words

HAND = 3


@dataclass(frozen=True, slots=True)
class Act(Move):
    """`play C`, `join C …`, `pass` or `blind`: the set of cards that it names."""

    named: int = 0


@lru_cache(maxsize=40)
def play_of(card: int) -> Act:
    face = IT40.faces[card]
    return Act(f"play {face}", "play", (face,), (), "trick", 1 << card)


@lru_cache(maxsize=16384)  # there are 10 701 sets of at most three cards
def _join_of(cards: tuple[int, ...]) -> Act:
    """Join and exchange these cards, which are in deck order; one may be named twice."""
    faces = tuple(IT40.show(cards))
    return Act(" ".join(("join", *faces)), "join", faces, (), "discard", as_set(cards))


PASS = Act("pass", "pass")
BLIND = Act("blind", "blind")


@lru_cache(maxsize=16384)  # and 9 880 hands
def declarations(hand: int, most: int) -> tuple[Act, ...]:
    """`pass`, and the eight ways to join with this hand (fewer where so many cards cannot be drawn)."""
    cards = members(hand)
    return (PASS, *(_join_of(some) for size in range(most + 1) for some in combinations(cards, size)))


@lru_cache(maxsize=4096)
def read(text: str) -> Act | None:
    """The move of this text, if it has the form of one."""
    number = IT40.number
    match words(text):
        case ["pass"]:
            return PASS
        case ["blind"]:
            return BLIND
        case ["play", card] if card in number:
            return play_of(number[card])
        case ["join", *cards] if len(cards) <= HAND and all(card in number for card in cards):
            return _join_of(tuple(sorted(IT40.read(cards))))
    return None
