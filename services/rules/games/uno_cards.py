"""The cards of uno (uno.md, sections 1 and 3): the deck `uno108`, what fits on what, what cards count.

A card's number is 13 times its colour (r y g b) and its sign; jolly and jolly +4 come last.
"""

from services.rules.core.cards import UNO108

COLOURS = "rygb"
SIGNS = 13
SALTO, INVERTI, PLUS_TWO = 10, 11, 12
JOLLY, JOLLY_FOUR = 52, 53

_FACES = range(len(UNO108.faces))
POINTS = tuple(50 if card >= JOLLY else 20 if card % SIGNS >= SALTO else card % SIGNS for card in _FACES)


def _fits(card: int, top: int, colour: int) -> bool:
    if card >= JOLLY:
        return card == JOLLY
    return card // SIGNS == colour or (top < JOLLY and card % SIGNS == top % SIGNS)


OF_COLOUR = tuple(frozenset(range(colour * SIGNS, (colour + 1) * SIGNS)) for colour in range(4))
"""The cards of each colour."""
FITTING = tuple(
    tuple(frozenset(card for card in _FACES if _fits(card, top, colour)) for colour in range(4))
    for top in _FACES
)
"""The cards that fit on each top card while each colour is current, but for the jolly +4."""
FITTING_WITH_FOUR = tuple(tuple(cards | {JOLLY_FOUR} for cards in by_colour) for by_colour in FITTING)
"""The same where the jolly +4 fits too."""
