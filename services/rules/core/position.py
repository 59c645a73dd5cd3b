"""Reading the cards of a position or snapshot (CONVENTIONS.md, section 9)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from services.rules.core.cards import Deck
from services.rules.core.errors import PositionError


def read_zones(
    json: Mapping[str, Any], deck: Deck, *, whole: Sequence[str], parted: Sequence[str]
) -> dict[str, list[list[int]]]:
    """The card numbers of these zones, those left out missing.

    A `whole` zone is one list of cards and comes as a list of that one; a `parted` one is a list per seat
    or side. One list may be "any": the cards of the deck that are named nowhere else, in deck order.
    PositionError: no list of faces of the deck, a card more often than the deck has it, "any" twice.
    """
    texts = {name: [json[name]] for name in whole if name in json}
    texts |= {name: list(json[name]) for name in parted if name in json}
    left = Counter(deck.cards)
    anywhere = 0
    zones: dict[str, list[list[int] | None]] = {}
    for name, lists in texts.items():
        zones[name] = [None if cards == "any" else read_cards(name, cards, deck) for cards in lists]
        for numbers in zones[name]:
            anywhere += numbers is None
            left.subtract(numbers or ())
    if over := [deck.faces[card] for card, times in left.items() if times < 0]:
        raise PositionError("cards", f"more often than the deck has them: {', '.join(over)}")
    if anywhere > 1:
        raise PositionError("cards", '"any" may stand once')
    rest = sorted(left.elements())
    return {
        name: [rest if numbers is None else numbers for numbers in lists] for name, lists in zones.items()
    }


def read_cards(name: str, cards: Any, deck: Deck) -> list[int]:
    """The numbers of a list of cards. PositionError, of the key `name`: it is none."""
    if not isinstance(cards, list):
        raise PositionError(name, "must be a list of cards")
    try:
        return deck.read(cards)
    except KeyError as error:
        raise PositionError(name, f"{error.args[0]!r} is not a card of the deck {deck.id}") from None
