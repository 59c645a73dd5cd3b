"""What the tests of the games say again and again: make these moves, why is it refused, what lies there."""

from typing import TypeVar

from services.rules.core.state import State
from services.rules.core.view import View

S = TypeVar("S", bound=State)  # type: ignore[type-arg]  # of any moves


def played(state: S, *moves: str | tuple[int, str]) -> S:
    """The state after these moves: of a seat, or a text alone of the first who is to act."""
    for move in moves:
        seat, text = (state.to_act[0], move) if isinstance(move, str) else move
        state.apply(seat, text)
    return state


def code(state: S, text: str, seat: int = 0) -> str | None:
    """The code by which the seat's move is refused; None: it is not."""
    refusal = state.check(seat, text)
    return refusal and refusal.code


def zone(view: View, name: str) -> list[str] | int:
    """The cards of a zone, or how many they are."""
    (found,) = (zone for zone in view.zones if zone.id == name)
    return found.count if found.cards is None else list(found.cards)
