"""A player that chooses among the legal moves at random, for benches and tests."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from services.rules.core.moves import Move

_UNDO = "undo"

M = TypeVar("M", bound=Move)


class RandomPlayer:
    """Takes a step back only where nothing else is left, and then all of the turn: who goes back by choice,
    or by one step, lays and takes back the same cards without end.

    `below(n)` chooses a number from 0 to n - 1.
    """

    __slots__ = ("_below", "_takes_back")

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below
        self._takes_back = False

    def choose(self, legal: Sequence[M]) -> M:
        """One of these moves."""
        if self._takes_back:
            for move in legal:
                if move.verb == _UNDO:
                    return move
            self._takes_back = False
        while True:
            move = legal[self._below(len(legal))]
            if move.verb != _UNDO:
                return move
            if len(legal) == 1:
                self._takes_back = True
                return move
