"""A match from its log: the state is a fold over chance and moves."""

from collections.abc import Iterable, Sequence
from typing import Any

from services.rules.core.game import Game
from services.rules.core.options import Options
from services.rules.core.state import State

Entry = int | Sequence[int] | tuple[int, str]
"""The first dealer (the first entry, once); the order of a shuffle; or a seat and the text of its move."""


def fold(game: Game, options: Options, entries: Iterable[Entry]) -> State[Any]:
    """The state after these entries.

    Refused: a move is not accepted; ValueError: an order was not asked for, or the first entry is no dealer.
    Either means that the log was not written under these rules.
    """
    rest = iter(entries)
    dealer = next(rest, None)
    if not isinstance(dealer, int):
        raise ValueError("a log begins with the first dealer")
    state = game.start(options, dealer)
    for entry in rest:
        match entry:
            case (int(seat), str(text)):
                state.apply(seat, text)
            case int():
                raise ValueError("the first dealer is drawn once")
            case order:
                state.supply(order)
    return state
