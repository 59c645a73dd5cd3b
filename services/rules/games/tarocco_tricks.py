"""The tricks of tarocco (tarocco.md, section 3.2): which cards may be played, which one takes.

Tarocks are a suit. In a solo di seme (`suit_solo`) they take no other.
"""

from collections.abc import Sequence
from typing import NamedTuple

from services.rules.core.cards import TAROCCO40
from services.rules.core.errors import Refusal
from services.rules.families.tricks import following, taker
from services.rules.games.tarocco_cards import (
    BAGATTO,
    OF_SUIT,
    STRENGTH,
    SUIT,
    SUIT_CARDS,
    TAROCK_SUIT,
    TAROCKS,
    TOUS_LES_TROIS,
)


class Trick(NamedTuple):
    """A complete trick: its cards as played, who led, who took it."""

    leader: int
    cards: tuple[int, ...]
    winner: int

    def player(self, card: int) -> int | None:
        """Who played this card, if it is in the trick."""
        return (self.leader + self.cards.index(card)) % 4 if card in self.cards else None


def playable(hand: int, trick: Sequence[int], *, suit_solo: bool, keeps_bagatto: bool) -> int:
    """The cards of a hand that may be played to a trick; `keeps_bagatto`: the announced one goes last."""
    if trick:
        cards = hand & OF_SUIT[SUIT[trick[0]]] or following(hand, TAROCKS)
    elif suit_solo:
        cards = following(hand, SUIT_CARDS)
    else:
        cards = hand
    if keeps_bagatto and cards >> BAGATTO & 1:
        return cards ^ 1 << BAGATTO or cards
    return cards


def why_not(card: int, hand: int, trick: Sequence[int], *, suit_solo: bool) -> Refusal:
    """Why a card of the hand, which is not playable, is not (section 8)."""
    face = TAROCCO40.faces[card]
    suit = SUIT[card]
    if not trick:
        if suit_solo and suit == TAROCK_SUIT and hand & SUIT_CARDS:
            return Refusal("no_tarock_lead", "in a solo di seme suit cards are led first", face)
    else:
        led = SUIT[trick[0]]
        if suit != led and hand & OF_SUIT[led]:
            return Refusal("must_follow_suit", "you must follow what was led", face)
        if suit not in (led, TAROCK_SUIT):
            return Refusal("must_trump", "without the suit led you must play a tarock", face)
    return Refusal("keep_bagatto", "you announced the bagatto: keep it as long as you can", face)


def taking_place(trick: Sequence[int], cards: int, *, suit_solo: bool) -> int:
    """Which card of a trick (`cards`: as a set) takes it, by its place: the bagatto if all of tous les trois
    are there."""
    if suit_solo:
        return taker(trick, SUIT, STRENGTH)
    if cards & TOUS_LES_TROIS == TOUS_LES_TROIS:
        return trick.index(BAGATTO)
    return taker(trick, SUIT, STRENGTH, TAROCK_SUIT)
