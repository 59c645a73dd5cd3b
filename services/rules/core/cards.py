"""Decks: the text of a card at every edge, a small int inside (CONVENTIONS.md, section 2).

A card's number is the place of its face among the different faces in deck order, so sorting numbers sorts
into deck order. Two copies of a face have one number: nobody can tell them apart. Where every face is there
once, a set of cards may be one int with bit n set for card n.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache


@dataclass(frozen=True, eq=False)  # there is one of each: it is itself, and quickly looked up
class Deck:
    """A whole deck: `cards` has the number of every card in deck order, copies side by side."""

    id: str
    faces: tuple[str, ...]
    cards: tuple[int, ...]

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of each face."""
        return {face: number for number, face in enumerate(self.faces)}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every card, in deck order."""
        return tuple(self.faces[card] for card in self.cards)

    def show(self, cards: Iterable[int]) -> list[str]:
        """The texts of these cards, in the order given."""
        faces = self.faces
        return [faces[card] for card in cards]

    def show_set(self, cards: int) -> list[str]:
        """The texts of a set of cards, in deck order."""
        faces = self.faces
        return [faces[card] for card in members(cards)]

    def read(self, texts: Iterable[str]) -> list[int]:
        """The numbers of these cards. KeyError: not a face of this deck."""
        number = self.number
        return [number[text] for text in texts]


@lru_cache(maxsize=4096)  # a hand and the table are looked at many times before they change
def members(cards: int) -> tuple[int, ...]:
    """The cards of a set of cards, in deck order."""
    found: tuple[int, ...] = ()
    place = 0
    while cards:
        if part := cards & 0xFF:
            found += _EIGHTS[place][part]
        cards >>= 8
        place += 1
    return found


_EIGHTS = tuple(
    tuple(tuple(first + n for n in range(8) if part >> n & 1) for part in range(256))
    for first in range(0, 128, 8)
)
"""For each eight numbers in turn: the members of every set of them. A set may tell the copies of a face
apart: 128 are enough for two of each."""


def as_set(cards: Iterable[int]) -> int:
    """These cards, all different, as a set."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def _suited(suits: Sequence[str], ranks: Sequence[str]) -> tuple[str, ...]:
    return tuple(rank + suit for suit in suits for rank in ranks)


def _deck(deck_id: str, faces: Sequence[str], copies: Mapping[str, int], usual: int = 1) -> Deck:
    """`copies` says how many there are of the faces of which there are not the `usual` number."""
    cards = (n for n, face in enumerate(faces) for _ in range(copies.get(face, usual)))
    return Deck(deck_id, tuple(faces), tuple(cards))


_FRENCH = _suited("hdcs", "A23456789TJQK")
_TAROCCHI = ("T1", *(f"T{n}" for n in range(4, 23)))
_TAROCCO_SUITS = {"h": "AJCQK", "d": "AJCQK", "c": ("10", *"JCQK"), "s": ("10", *"JCQK")}
_UNO = [colour + sign for colour in "rygb" for sign in (*"0123456789", "S", "R", "+2")]

IT40 = _deck("it40", _suited("dcbs", "A234567JQK"), {})
FR52 = _deck("fr52", _FRENCH, {})
FR108 = _deck("fr108", (*_FRENCH, "X"), {"X": 4}, usual=2)
FR110 = _deck("fr110", (*_FRENCH, "X"), {"X": 6}, usual=2)
TAROCCO40 = _deck(
    "tarocco40",
    (*_TAROCCHI, *(f for suit, ranks in _TAROCCO_SUITS.items() for f in _suited(suit, ranks))),
    {},
)
UNO108 = _deck("uno108", (*_UNO, "W", "W4"), {**{c + "0": 1 for c in "rygb"}, "W": 4, "W4": 4}, usual=2)

DECKS: Mapping[str, Deck] = {d.id: d for d in (IT40, FR52, FR108, FR110, TAROCCO40, UNO108)}
