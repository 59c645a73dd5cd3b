"""The moves of poker (poker.md, section 3): their forms, and the lists of them that come again and again."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import overload

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
    for step in range(len(ladder), end):
        ladder.append(Act(f"{verb} {step * cip}", verb, chips=step * cip))
    return ladder[-(-least // cip) : end]


@lru_cache(maxsize=4096)
def _change_of(cards: tuple[int, ...]) -> Act:
    """Change these cards, which are in deck order; one may be named twice."""
    faces = tuple(FR52.show(cards))
    return Act(" ".join(("change", *faces)), "change", faces, (), "discard", 0, as_set(cards))


_CHOICES = tuple(
    tuple(some for size in range(most + 1) for some in combinations(range(5), size))
    for most in range(MOST_CHANGED + 1)
)
"""For each number: the places of the cards that may be chosen of five, at most so many, fewest first."""


class Exchanges(Sequence[Act]):
    """The 31 exchanges of a hand (fewer where so many cards cannot be drawn), each made when it is wanted."""

    __slots__ = ("_cards", "_choices")

    def __init__(self, hand: int, most: int) -> None:
        self._cards = members(hand)
        self._choices = _CHOICES[most]

    def __len__(self) -> int:
        return len(self._choices)

    @overload
    def __getitem__(self, index: int) -> Act: ...
    @overload
    def __getitem__(self, index: slice) -> list[Act]: ...
    def __getitem__(self, index: int | slice) -> Act | list[Act]:
        if isinstance(index, slice):
            return [self._of(places) for places in self._choices[index]]
        return self._of(self._choices[index])

    def _of(self, places: Sequence[int]) -> Act:
        return _change_of(tuple([self._cards[place] for place in places]))


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
            return _change_of(tuple(sorted(FR52.read(faces))))
    return None
