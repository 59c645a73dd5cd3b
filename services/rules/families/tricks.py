"""Following and taking, for the games of tricks.

Cards are numbers of the game's deck, hands are sets of cards (one int with bit n set for card n). A game has
two tables over its deck: the suit of each card, and its strength among cards of its suit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from services.rules.core.cards import Deck, members
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


def plays_by_set(deck: Deck, suits: Sequence[int]) -> Callable[[int], list[Play]]:
    """What gives `play C` for every card of a set, in deck order; `suits` has all cards of each suit."""
    every = plays(deck)

    @cache  # the sets of cards of one suit are few, and come again and again
    def plays_of_suit(cards: int) -> tuple[Play, ...]:
        return tuple([every[card] for card in members(cards)])

    def plays_of(cards: int) -> list[Play]:
        found: list[Play] = []
        for suit in suits:
            if of_suit := cards & suit:
                found += plays_of_suit(of_suit)
        return found

    return plays_of


def taker(
    trick: Sequence[int], suits: Sequence[int], strengths: Sequence[int], trump: int | None = None
) -> int:
    """Which card of the trick takes it (its place in the trick): the strongest trump, else the strongest of
    the suit led."""
    best = trick[0]
    for card in trick:
        if suits[card] == suits[best]:
            if strengths[card] > strengths[best]:
                best = card
        elif suits[card] == trump:
            best = card
    return trick.index(best)


def following(hand: int, of_suit: int, trumps: int = 0) -> int:
    """The cards of a hand that may be played where the suit led (`of_suit`: all its cards) must be followed
    by whoever can; with `trumps` who cannot must play one of those."""
    return hand & of_suit or hand & trumps or hand
