"""Plain play for the rummies (burraco, canasta, jolly, scala 40), from what its seat sees.

It opens when it can, lays all that it can, the longest meld first, takes the pile only for a card that makes
a meld, and discards what has the least to do with the rest of its hand. It takes none of its own steps back,
and wins no joker, which in scala 40 it would have to lay again: so every turn brings the hand nearer its end.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tavolo.table.v1.view_pb2 import LegalMove, OwnView, PublicView, Zone

RANKS = "A23456789TJQK"
CHEAPEST_FIRST = "23456789TJQKA"
LONG = 7
"""So many cards are a burraco, or a canasta."""
ENOUGH = 2
"""With so many cards left a seat can always discard."""
ANSWERS = frozenset({"close", "accept", "reenter"})
"""Given whenever the game offers them."""
DRAWS = frozenset({"draw", "pass"})
"""How a turn begins."""


@dataclass(frozen=True, slots=True)
class Style:
    """What is particular to a game.

    `wild`: the ranks that stand for other cards; `runs`: melds are runs too, not only sets; `twins`: a set
    may hold a card twice; `draws_pile`: the pile is worth a draw; `canasta_to_close`: who has no canasta must
    keep cards.
    """

    wild: str = "X"
    runs: bool = True
    twins: bool = False
    draws_pile: bool = True
    canasta_to_close: bool = False

    def is_wild(self, card: str) -> bool:
        """Whether the card stands for others."""
        return card[0] in self.wild

    def fits(self, card: str, other: str) -> bool:
        """Whether both could lie in a meld of three: of one rank, or of one suit and near each other."""
        if card[0] == other[0]:
            return self.twins or card != other
        return self.runs and card[1:] == other[1:] and _distance(card, other) <= 2

    def makes_meld(self, card: str, hand: Iterable[str]) -> bool:
        """Whether the card is a meld with two natural cards of the hand; a wild card always."""
        if self.is_wild(card):
            return True
        others = [other for other in hand if not self.is_wild(other) and self.fits(card, other)]
        same = [other for other in others if other[0] == card[0]]
        near = {place for other in others if other[0] != card[0] for place in _places(other)}
        return len(same if self.twins else set(same)) > 1 or any(
            {place + one for one in ends} <= near
            for place in _places(card)
            for ends in ((-2, -1), (-1, 1), (1, 2))
        )

    def choose(self, public: PublicView, own: OwnView) -> str:
        """The text of a move that the game accepts from the seat, which is to act."""
        turn = _Turn(self, public, own)
        return turn.answer() or turn.draw() or turn.meld() or turn.add() or turn.discard()


BURRACO = Style(wild="2X", twins=True)
CANASTA = Style(wild="2X", runs=False, twins=True, canasta_to_close=True)
JOLLY = Style()
SCALA40 = Style(draws_pile=False)  # the card that is taken would have to be laid in the same turn


class Layable(NamedTuple):
    """A meld that the hand gives, and what it counts towards the opening."""

    move: str
    cards: tuple[str, ...]
    value: int


class _Turn:
    """What a seat sees when it is to act."""

    def __init__(self, style: Style, public: PublicView, own: OwnView) -> None:
        facts = json.loads(own.facts or "{}")
        self.style = style
        self.moves = own.moves
        self.hand = _cards(own.zones, f"hands.{own.seat}")
        self.pile = _cards(public.zones, "discard")
        self.melds = [zone for zone in public.zones if zone.kind == "melds"]
        self.own_melds = [zone for zone in self.melds if zone.seat == own.seat]
        self.layable = [_layable(it) for it in facts.get("layable", ())]
        self.opening = facts.get("opening")

    def listed(self, verb: str) -> list[LegalMove]:
        return [move for move in self.moves if move.verb == verb]

    def answer(self) -> str | None:
        return next((move.text for move in self.moves if move.verb in ANSWERS), None)

    def draw(self) -> str | None:
        """From the pile if that helps; in canasta, where it is taken with a combination, once opened."""
        if not any(move.verb in DRAWS for move in self.moves):
            return None
        if not self.opening and (takes := self.listed("take")):
            return takes[0].text
        stock, *piles = (move.text for move in self.moves if move.verb in DRAWS)
        if not piles or not self.pile or not self.style.draws_pile:
            return stock
        return piles[0] if self.style.makes_meld(self.pile[-1], self.hand) else stock

    def meld(self) -> str | None:
        if self.opening:
            return self._open(self.opening["ready"], self.opening["needed"])
        listed = [move.text for move in self.listed("meld")]
        for meld in self.layable:
            if self._can_go_on(len(meld.cards), len(meld.cards), is_listed=meld.move in listed):
                return meld.move
        return None if self.style.canasta_to_close else next(iter(listed), None)

    def _open(self, ready: int, needed: int) -> str | None:
        """The first of the melds that open together; if one is laid already, the next of them."""
        value, melds = most_valuable(self.layable, Counter(self.hand), len(self.hand) - ENOUGH)
        is_enough = ready >= needed if self.listed("undo") else value >= needed
        return melds[0].move if melds and is_enough else None

    def add(self) -> str | None:
        """A natural card before a wild one, and no wild one to a meld that is long already."""
        lengths = {zone.id: len(zone.cards) for zone in self.melds}
        found = [
            move
            for move in self.listed("add")
            if self._can_go_on(1, lengths[move.target] + 1, is_listed=True)
            and not (self.style.is_wild(move.cards[0]) and lengths[move.target] >= LONG)
        ]
        return min(found, key=lambda move: self.style.is_wild(move.cards[0])).text if found else None

    def _can_go_on(self, laid: int, length: int, *, is_listed: bool) -> bool:
        """Whether the seat can end its turn after laying so many cards, in a meld that is then so long."""
        if len(self.hand) - laid >= ENOUGH:
            return True
        if not self.style.canasta_to_close:
            return is_listed
        return length >= LONG or any(len(zone.cards) >= LONG for zone in self.own_melds)

    def discard(self) -> str:
        """The natural card that fits the fewest others, of those the dearest.

        Who came to a turn that somebody else has begun, and may not end it so, takes back what was laid.
        """
        discards = self.listed("discard")
        if not discards:
            return [*self.listed("undo"), *self.moves][0].text

        def use(move: LegalMove) -> tuple[bool, int, int]:
            (card,) = move.cards
            fitting = sum(self.style.fits(card, other) for other in self.hand)
            return self.style.is_wild(card), fitting, -CHEAPEST_FIRST.find(card[0])

        return min(discards, key=use).text


def most_valuable(
    melds: Sequence[Layable], hand: Counter[str], most_cards: int
) -> tuple[int, tuple[Layable, ...]]:
    """Of these melds those that together count most, and what they count.

    No card of the hand is used twice, and no more than `most_cards` are.
    """
    best: tuple[int, tuple[Layable, ...]] = (0, ())
    for number, meld in enumerate(melds):
        cards = Counter(meld.cards)
        if len(meld.cards) <= most_cards and cards <= hand:
            value, others = most_valuable(melds[number + 1 :], hand - cards, most_cards - len(meld.cards))
            best = max(best, (meld.value + value, (meld, *others)), key=lambda found: found[0])
    return best


def _layable(fact: dict[str, Any]) -> Layable:
    """In the text of a meld a joker may say what it stands for: it is a joker all the same."""
    _, *cards = fact["move"].split()
    return Layable(fact["move"], tuple(card.partition("=")[0] for card in cards), fact["value"])


def _cards(zones: Iterable[Zone], name: str) -> list[str]:
    return [card for zone in zones if zone.id == name for card in zone.cards]


def _places(card: str) -> tuple[int, ...]:
    """Where the card can stand in a run: the ace at both ends."""
    return (1, 14) if card[0] == "A" else (RANKS.find(card[0]) + 1,)


def _distance(card: str, other: str) -> int:
    return min(abs(one - another) for one in _places(card) for another in _places(other))
