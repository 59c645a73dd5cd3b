"""Hands and melds of two packs with jokers, for burraco and canasta: cards that are there twice, wild cards
(*matte*), and what a hand could lay.

Cards are numbers of the deck `fr108`. A hand is its cards in deck order as `bytes`: counted, searched and
looked up at the speed of the machine, since what it gives is asked far more often than it changes.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from services.rules.core.cards import FR108
from services.rules.core.errors import PositionError
from services.rules.core.match import KO_TIE_HANDS, Outcome, verdict
from services.rules.core.position import read_zones
from services.rules.core.view import Zone
from services.rules.core.zones import open_zone

JOKER = FR108.number["X"]
RANK = bytes((*(card % 13 for card in range(JOKER)), 13))
"""The rank of each card: 0 the ace, 1 the two, … 12 the king; 13 the joker."""
ACE, TWO, THREE = 0, 1, 2
WILDS = bytes((*range(TWO, JOKER, 13), JOKER))
"""The faces that are wild: the twos (*pinelle*) and the joker."""
NATURALS = bytes(card for card in range(JOKER) if card not in WILDS)
MELD_RANKS = tuple(rank for rank in range(13) if rank != TWO)

ONE = tuple(bytes((card,)) for card in range(JOKER + 1))
"""Each card alone."""
_OTHER_RANKS = tuple(bytes(card for card in range(JOKER + 1) if RANK[card] != rank) for rank in range(13))

_MOST_DIGITS = 3  # of the number of a meld

NOBODY, EVERYBODY = -1, -2
"""Who has seen the card at a place of the shuffled deck, if not one seat alone."""


class Meld(NamedTuple):
    """A meld on the table: the seat that laid it, and its cards in their order."""

    seat: int
    cards: bytes


class Worth(NamedTuple):
    """A meld that a hand could lay: its cards in their order, and what they count."""

    cards: bytes
    value: int


# ---------------------------------------------------------------------------------------- hands


def in_order(cards: Iterable[int]) -> bytes:
    """These cards in deck order."""
    return bytes(sorted(cards))


def laying_order(cards: bytes) -> bytes:
    """Naturals in deck order, then twos in deck order, then jokers."""
    return in_order(naturals(cards)) + in_order(wilds(cards))


def without(hand: bytes, cards: bytes) -> bytes:
    """A hand after these cards, which it holds, have left it."""
    for card in cards:
        hand = hand.replace(ONE[card], b"", 1)
    return hand


def lacking(hand: bytes, cards: bytes) -> int | None:
    """The first of these cards that the hand does not hold as often as it is named."""
    for card in cards:
        if hand.count(card) < cards.count(card):
            return card
    return None


def naturals(cards: bytes) -> bytes:
    """The cards that are not wild, in the order given."""
    return cards.translate(None, WILDS)


def wilds(cards: bytes) -> bytes:
    """The twos and jokers, in the order given."""
    return cards.translate(None, NATURALS)


def of_rank(hand: bytes, rank: int) -> bytes:
    """The cards of a rank, in deck order."""
    return hand.translate(None, _OTHER_RANKS[rank])


def different(cards: bytes) -> bytes:
    """One card of each face."""
    return bytes(dict.fromkeys(cards))


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


def read_number(word: str) -> int | None:
    """The number of the meld that a word of a move names: `m0`, `m1`, …"""
    digits = word[1:]
    if word[:1] != "m" or not digits.isascii() or not digits.isdigit() or len(digits) > _MOST_DIGITS:
        return None
    return int(digits) if digits == "0" or digits[0] != "0" else None


def layable(melds: Iterable[Worth]) -> list[dict[str, Any]]:
    """These melds as a seat's view shows them (CONVENTIONS.md, section 8)."""
    listed = [(-len(meld.cards), -meld.value, f"meld {' '.join(FR108.show(meld.cards))}") for meld in melds]
    return [{"move": text, "value": -value} for _, value, text in sorted(listed)]


# ------------------------------------------------------------------------------------- the match


def after_hand(
    scores: Sequence[int],
    *,
    is_due: bool,
    is_last: bool,
    tie_break: int,
    tie_hands: int,
    ko_order: Sequence[int] | None,
) -> Outcome | None:
    """The outcome after a hand, None while the match goes on.

    `is_due`: the match should end with this hand; `is_last`: no other may follow, it ends as it stands.
    """
    if is_last:
        return verdict(scores, tie_break=KO_TIE_HANDS, tie_hands=0, ko_order=ko_order)
    if is_due:
        return verdict(scores, tie_break=tie_break, tie_hands=tie_hands, ko_order=ko_order)
    return None


def places_seen(seen_by: Sequence[int], viewer: int | None) -> list[int]:
    """The places of the shuffled deck whose cards the viewer (None: everybody) has seen."""
    return [place for place, who in enumerate(seen_by) if who in (EVERYBODY, viewer)]


# --------------------------------------------------------------------- views, positions, snapshots


def meld_zones(melds: Sequence[Meld], sides: int) -> list[Zone]:
    """Each meld as a zone."""
    return [
        open_zone(
            FR108, f"melds.{number}", "melds", "melds", tuple(meld.cards), meld.seat, meld.seat % sides, True
        )
        for number, meld in enumerate(melds)
    ]


def melds_json(melds: Sequence[Meld]) -> list[dict[str, Any]]:
    return [{"seat": meld.seat, "cards": FR108.show(meld.cards)} for meld in melds]


def read_table(
    json: Mapping[str, Any], seats: int, *, whole: Sequence[str], parted: Sequence[str]
) -> tuple[dict[str, list[bytes]], list[Meld]]:
    """The zones of a position as `read_zones` gives them, cards as bytes; and its melds, cards as given."""
    owners, cards = owners_and_cards(json)
    if any(owner not in range(seats) for owner in owners):
        raise PositionError("melds", "laid by a seat that is not there")
    read = read_zones({**json, "melds": cards}, FR108, whole=whole, parted=[*parted, "melds"])
    zones = {name: [bytes(part) for part in parts] for name, parts in read.items()}
    return zones, [Meld(owner, meld) for owner, meld in zip(owners, zones.pop("melds"), strict=True)]


def owners_and_cards(json: Mapping[str, Any]) -> tuple[list[int], list[Any]]:
    """Of each meld of a position the seat that laid it, and its cards."""
    melds = json.get("melds", [])
    try:
        return [meld["seat"] for meld in melds], [meld["cards"] for meld in melds]
    except (TypeError, KeyError):
        raise PositionError("melds", "each must have a seat and cards") from None
