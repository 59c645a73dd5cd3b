"""The money of a match: what it is played for, what must be covered, who has won what so far. Whole cents.

A game of points is played for a stake of the table, which the winners take. Bestia, poker and sette e mezzo
count in chips, each worth what the table says; tarocco and canasta settle in cents themselves, by their own
options (CONVENTIONS.md, section 5, `settlement`).
"""

from collections.abc import Mapping
from typing import Any

from services.rules.core.game import Game
from services.rules.core.options import Options
from services.rules.core.state import State


def deposit(game: Game, options: Options, stake: int, chip: int) -> int:
    """What each seat puts into escrow before the match begins.

    The stake (of each seat) or the value of a chip is what the table says. Where every hand is settled by
    itself it is enough for the first one, whoever deals.
    """
    if game.money == "stake":
        return stake
    return max(covers(game, game.start(options, 0), chip))


def covers(game: Game, state: State[Any], chip: int) -> list[int]:
    """What each seat must have in escrow for the unit of settlement that begins with this state."""
    value = chip if game.money == "chips" else 1
    return [state.max_loss(seat) * value for seat in range(state.options.seats)]


class Tally:
    """What each seat has won since the match began, as of the hand that ended last."""

    __slots__ = ("_chip", "_game", "_settlement", "commission", "gains")

    def __init__(self, game: Game, options: Options, chip: int) -> None:
        self._game = game
        self._chip = chip
        self._settlement: Mapping[str, Any] | None = None
        self.gains = [0] * options.seats
        """By seat; below zero: lost. What is missing to zero lies in a pot."""
        self.commission = 0
        """What the house has got."""

    def follow(self, state: State[Any]) -> None:
        """Looks at the state after a move; to be called after every one."""
        if self._game.money == "chips":
            if state.phase in ("deal", "over"):
                self.gains = [chips * self._chip for chips in state.gains]
        elif (money := state.settlement) is not None and money is not self._settlement:
            self._settlement = money
            self.gains = [sum(cents) for cents in zip(self.gains, money["delta"], strict=True)]
            self.commission += money["commission"]

    def to_json(self) -> dict[str, Any]:
        """In the shape of a settlement: all of the match so far."""
        return {"commission": self.commission, "delta": list(self.gains)}
