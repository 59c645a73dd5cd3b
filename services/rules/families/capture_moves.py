"""The moves of the games of scopa's kind: a card is laid down, or takes cards of the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from services.rules.core.cards import IT40, as_set
from services.rules.core.moves import Move
from services.rules.core.notation import words


@dataclass(frozen=True, slots=True)
class Play(Move):
    """`play C` or `play C take X …`: the card, and the set of cards that it takes."""

    card: int = 0
    taken: int = 0


@lru_cache(maxsize=16384)  # the same few thousand moves come again and again
def play_of(card: int, taken: int) -> Play:
    """The move that plays this card and takes this set of cards."""
    return _named(card, IT40.show_set(taken), taken)


def _named(card: int, takes: Sequence[str], taken: int) -> Play:
    """The move with the texts of the cards that it takes, in deck order; one may be named twice."""
    played = IT40.faces[card]
    text = f"play {played} take {' '.join(takes)}" if takes else f"play {played}"
    return Play(text, "play", (played,), tuple(takes), "table", card, taken)


@lru_cache(maxsize=4096)
def read_play(text: str) -> Play | None:
    """The move of this text, if it has the form of one."""
    verb, *rest = words(text) or [""]
    number = IT40.number
    if verb != "play" or not all(word in number for word in (*rest[:1], *rest[2:])):
        return None
    match rest:
        case [card]:
            return play_of(number[card], 0)
        case [card, "take", _, *_]:
            takes = sorted(IT40.read(rest[2:]))
            return _named(number[card], IT40.show(takes), as_set(takes))
    return None
