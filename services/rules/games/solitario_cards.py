"""The cards of solitario (solitario.md, sections 1 and 3): the deck `fr52`, ace low; what goes on what.

A card's number is 13 times its suit (h d c s) and its rank, 0 the ace. Tables have one entry a card.
"""

from services.rules.core.cards import FR52

RANKS = 13
SUITS = 4
COLUMNS = 7

_CARDS = range(len(FR52.faces))
SUIT = tuple(card // RANKS for card in _CARDS)
RANK = tuple(card % RANKS for card in _CARDS)
KINGS = tuple(suit * RANKS + RANKS - 1 for suit in range(SUITS))
NO_CARD = len(FR52.faces)


def _going_on(card: int) -> tuple[int, int]:
    suit, rank = divmod(card, RANKS)
    one, other = (2, 3) if suit < 2 else (0, 1)
    return (one * RANKS + rank - 1, other * RANKS + rank - 1) if rank else (NO_CARD, NO_CARD)


GOING_ON = tuple(_going_on(card) for card in _CARDS)
"""The two cards that go on each in a column: one lower, of the other colour. NO_CARD goes on an ace."""
END_OF_COLUMN = tuple((*GOING_ON[card], SUIT[card], RANK[card]) for card in _CARDS)
"""What the last card of a column is looked at for: the two that go on it, its suit and its rank."""
