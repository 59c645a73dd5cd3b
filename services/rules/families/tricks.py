"""Following and taking, for the games of tricks.

Cards are numbers of the game's deck, hands are sets of cards (one int with bit n set for card n). A game has
two tables over its deck: the suit of each card, and its strength among cards of its suit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from services.rules.core.cards import Deck
from services.rules.core.moves import Move


@dataclass(frozen=True, slots=True)
class Play(Move):
    """`play C`: the card goes to the trick."""

    card: int = 0


@cache
def plays(deck: Deck) -> tuple[Play, ...]:
    """`play C` for every card of the deck, in deck order."""
    return tuple(
        Play(f"play {face}", "play", (face,), (), "trick", card) for card, face in enumerate(deck.faces)
    )


@cache
def plays_by_text(deck: Deck) -> Mapping[str, Play]:
    """The same by their texts: `play C` has one spelling."""
    return {play.text: play for play in plays(deck)}


def taker(
    trick: Sequence[int], suits: Sequence[int], strengths: Sequence[int], trump: int | None = None
) -> int:
    """Which card of the trick takes it (its place in the trick): the strongest trump, else the strongest of
    the suit led."""
    led = suits[trick[0]]
    best = 0
    for place, card in enumerate(trick):
        ahead = trick[best]
        if suits[card] == suits[ahead]:
            if strengths[card] > strengths[ahead]:
                best = place
        elif suits[card] == trump and suits[ahead] in (led, trump):
            best = place
    return best


def following(hand: int, of_suit: int, trumps: int = 0) -> int:
    """The cards of a hand that may be played where the suit led (`of_suit`: all its cards) must be followed
    by whoever can; with `trumps` who cannot must play one of those."""
    return hand & of_suit or hand & trumps or hand
