"""A player that chooses among the legal moves at random, for benches and tests."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from services.rules.core.moves import Move

_UNDO = "undo"

M = TypeVar("M", bound=Move)


class RandomPlayer:
    """Takes a step back only where nothing else is left, and then all of the turn: who goes back by choice,
    or by one step, lays and takes back the same cards without end.

    `chance()` is a number from 0 to 1, 1 excluded.
    """

    __slots__ = ("_chance", "_takes_back")

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._takes_back = False

    def choose(self, legal: Sequence[M]) -> M:
        """One of these moves."""
        if self._takes_back:
            for move in legal:
                if move.verb == _UNDO:
                    return move
            self._takes_back = False
        while True:
            move = legal[int(self._chance() * len(legal))]
            if move.verb != _UNDO:
                return move
            if len(legal) == 1:
                self._takes_back = True
                return move
