"""The moves of uno (uno.md, section 3)."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.core.cards import UNO108
from services.rules.core.moves import Move
from services.rules.games.uno_cards import COLOURS, JOLLY, SIGNS


@dataclass(frozen=True, slots=True)
class UnoMove(Move):
    """A move with the number of its card, the colour that it makes current, and whether it says "uno"."""

    card: int = -1
    colour: int = -1
    uno: bool = False


def _play_of(card: int, colour: int, uno: bool) -> UnoMove:
    face = UNO108.faces[card]
    named = f" {COLOURS[colour]}" if card >= JOLLY else ""
    text = f"play {face}{named}{' uno' if uno else ''}"
    return UnoMove(text, "play", (face,), (), "discard", card, colour, uno)


def _plays(card: int, *uno: bool) -> tuple[UnoMove, ...]:
    """The ways to play a card, silently or not."""
    colours = range(4) if card >= JOLLY else (card // SIGNS,)
    return tuple(_play_of(card, colour, said) for colour in colours for said in uno)


SILENT = tuple(_plays(card, False) for card in range(len(UNO108.faces)))
"""Per card the moves that play it without a word."""
SILENT_OR_NOT = tuple(_plays(card, False, True) for card in range(len(UNO108.faces)))
"""Per card the moves that play it, with "uno" or without."""
NAMINGS = tuple(UnoMove(f"colour {name}", "colour", colour=n) for n, name in enumerate(COLOURS))
DRAW = UnoMove("draw", "draw")
PASS = UnoMove("pass", "pass")
ANSWERS = (UnoMove("accept", "accept"), UnoMove("challenge", "challenge"))
MOVES: Mapping[str, UnoMove] = {
    move.text: move for moves in (*SILENT_OR_NOT, NAMINGS, (DRAW, PASS), ANSWERS) for move in moves
}
"""All moves by their texts."""
OF_PHASE: Mapping[str, frozenset[str]] = {
    "colour": frozenset(("colour",)),
    "play": frozenset(("play", "draw", "pass")),
    "drawn": frozenset(("play", "draw", "pass")),
    "challenge": frozenset(("accept", "challenge")),
}
"""The verbs of each phase in which somebody is to act."""
