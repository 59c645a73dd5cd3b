"""The moves of poker (poker.md, section 3): their forms, and the lists of them that come again and again."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from services.rules.core.cards import FR52, as_set, members
from services.rules.core.moves import Move
from services.rules.core.notation import amount, words

MOST_CHANGED = 4


@dataclass(frozen=True, slots=True)
class Act(Move):
    """A move: its chips, or the set of cards that it changes."""

    chips: int = 0
    named: int = 0


BLIND, NOBLIND, CHECK, PAROLA, FOLD, CALL = (
    Act(verb, verb) for verb in ("blind", "noblind", "check", "parola", "fold", "call")
)
_PLAIN = {act.text: act for act in (BLIND, NOBLIND, CHECK, PAROLA, FOLD, CALL)}


@lru_cache(maxsize=4096)
def wager(verb: str, chips: int) -> Act:
    """`bet` or `raise` so many chips."""
    return Act(f"{verb} {chips}", verb, chips=chips)


@lru_cache(maxsize=64)
def _ladder(verb: str, cip: int) -> list[Act]:
    """The wagers of 0, 1, 2 … cips, as many as have been asked for yet: every list of amounts is a part."""
    return []


def wagers(verb: str, cip: int, least: int, most: int) -> list[Act]:
    """The wagers of all multiples of the cip between these amounts."""
    ladder = _ladder(verb, cip)
    end = most // cip + 1
    ladder.extend(Act(f"{verb} {step * cip}", verb, chips=step * cip) for step in range(len(ladder), end))
    return ladder[-(-least // cip) : end]


def _change(cards: Sequence[int]) -> Act:
    """Change these cards, which are in deck order; one may be named twice."""
    faces = tuple(FR52.show(cards))
    return Act(" ".join(("change", *faces)), "change", faces, (), "discard", 0, as_set(cards))


@lru_cache(maxsize=32768)  # four seats play with 41 449 sets of at most four cards, the small ones most often
def _change_of(cards: int) -> Act:
    return _change(members(cards))


@lru_cache(maxsize=64)  # a hand is looked at several times in a row, and then seldom again
def changes(hand: int, most: int) -> Sequence[Act]:
    """The 31 exchanges of a hand (fewer where so many cards cannot be drawn)."""
    cards = [1 << card for card in members(hand)]
    return [_change_of(sum(some)) for size in range(most + 1) for some in combinations(cards, size)]


@lru_cache(maxsize=4096)
def read(text: str) -> Act | None:
    """The move of this text, if it has the form of one. A card may be named twice."""
    match words(text):
        case [verb] if verb in _PLAIN:
            return _PLAIN[verb]
        case [("bet" | "raise") as verb, word]:
            chips = amount(word)
            return None if chips is None else wager(verb, chips)
        case ["change", *faces] if all(face in FR52.number for face in faces):
            return _change(sorted(FR52.read(faces)))
    return None
