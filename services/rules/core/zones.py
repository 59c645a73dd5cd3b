"""Zones of a view. They are values that come again and again, and so are looked up instead of made."""

from functools import lru_cache

from services.rules.core.cards import Deck, members
from services.rules.core.view import Layout, Zone


@lru_cache(maxsize=8192)
def open_zone(
    deck: Deck,
    id_: str,
    kind: str,
    layout: Layout,
    cards: tuple[int, ...],
    seat: int | None = None,
    side: int | None = None,
    ordered: bool = False,
) -> Zone:
    """A zone that holds these cards, in this order, and its viewer sees them."""
    return Zone(id_, kind, layout, tuple(deck.show(cards)), len(cards), seat, side, ordered)


def open_set(
    deck: Deck,
    id_: str,
    kind: str,
    layout: Layout,
    cards: int,
    seat: int | None = None,
    side: int | None = None,
) -> Zone:
    """A zone that holds this set of cards, and its viewer sees them."""
    return open_zone(deck, id_, kind, layout, members(cards), seat, side)


@lru_cache(maxsize=4096)
def closed_zone(
    id_: str, kind: str, layout: Layout, count: int, seat: int | None = None, side: int | None = None
) -> Zone:
    """A zone of which its viewer sees only how many cards there are."""
    return Zone(id_, kind, layout, None, count, seat, side, ordered=layout == "stack")


def seat_zone(
    deck: Deck, kind: str, layout: Layout, seat: int, cards: tuple[int, ...], is_open: bool
) -> Zone:
    """A zone of a seat that is a side of its own: these cards, or only how many they are."""
    if is_open:
        return open_zone(deck, f"{kind}.{seat}", kind, layout, cards, seat, seat)
    return closed_zone(f"{kind}.{seat}", kind, layout, len(cards), seat, seat)
