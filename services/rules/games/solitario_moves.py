"""The moves of solitario (solitario.md, section 3) and the places of a board between which cards go.

A place is a column, 1 to 7, or one of the two below.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from services.rules.core.cards import FR52
from services.rules.core.moves import Move
from services.rules.games.solitario_cards import COLUMNS, SUIT

WASTE, BASE = 8, 9


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move; of one with a card also `key`: 16 times the card, and the place where it goes."""

    key: int = -1


DRAW = Step("draw", "draw")
RECYCLE = Step("recycle", "recycle")
UNDO = Step("undo", "undo")
STOP = Step("stop", "stop")


def place_name(place: int) -> str:
    """The word of a move for where its card goes."""
    return "base" if place == BASE else str(place)


@cache
def zone_id(seat: int, place: int, card: int) -> str:
    """The zone of a seat where a card lies at this place."""
    if place == BASE:
        return f"bases.{seat}.{SUIT[card]}"
    return f"waste.{seat}" if place == WASTE else f"columns.{seat}.{place}"


@cache
def card_steps(seat: int) -> Mapping[int, Step]:
    """All moves of a card on the board of this seat, by their keys."""
    found = {}
    for card, face in enumerate(FR52.faces):
        for place in (*range(1, COLUMNS + 1), BASE):
            key = card * 16 + place
            text = f"move {face} {place_name(place)}"
            found[key] = Step(text, "move", (face,), (), zone_id(seat, place, card), key)
    return found


@cache
def steps_by_text(seat: int) -> Mapping[str, Step]:
    """All moves on the board of this seat."""
    return {step.text: step for step in (*card_steps(seat).values(), DRAW, RECYCLE, UNDO, STOP)}
