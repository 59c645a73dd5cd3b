"""A computer player's seat at one table: it looks at each update and does what is asked of it."""

import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from tavolo.common.v1 import error_pb2
from tavolo.table.v1.view_pb2 import TABLE_STATE_OVER, TABLE_STATE_READY, TableUpdate

from services.bots.choice import choose
from services.client import Connection, Refused

Spawn = Callable[[Coroutine[Any, Any, None]], object]

_SUPERSEDED = frozenset({error_pb2.ERROR_REASON_STALE_TURN, error_pb2.ERROR_REASON_OUT_OF_TIME})


async def _at_once() -> None:
    pass


@dataclass(frozen=True)
class Habits:
    """How a computer player plays: what it waits for before a move, and whom it tells what came of it."""

    think: Callable[[], Awaitable[None]] = _at_once
    moved: Callable[[str], None] = lambda game: None
    refused: Callable[[str, Refused], None] = lambda what, refused: None


class SeatPlayer:
    """Plays a seat to which `connection` is attached: hand it every update of the table.

    `spawn` starts what it does in the background, for example `TaskGroup.create_task`.
    """

    def __init__(self, connection: Connection, table: str, spawn: Spawn, habits: Habits) -> None:
        self._connection = connection
        self._table = table
        self._spawn = spawn
        self._habits = habits
        self._game = ""
        self._decided: int | None = None  # the turn that was answered last
        self._said_ready = (0, 0)  # hand and tie-break hand
        self.over = False

    def look(self, update: TableUpdate) -> None:
        """Sees the table after something has happened, and acts if it is asked to."""
        self._game = update.info.game or self._game
        public, own = update.public, update.own
        if public.state == TABLE_STATE_OVER:
            self.over = True
        elif public.state == TABLE_STATE_READY:
            hand = (public.hand, public.tie_break)
            if own.seat not in public.ready and self._said_ready != hand:
                self._said_ready = hand
                self._spawn(self._ready(public.hand))
        elif own.moves and own.turn != self._decided:
            self._decided = own.turn
            self._spawn(self._move(update))

    async def _ready(self, hand: int) -> None:
        try:
            await self._connection.ready(self._table, hand)
        except Refused as refused:
            if refused.reason != error_pb2.ERROR_REASON_WRONG_STATE:  # else the deal did not wait for this
                self._habits.refused("ready", refused)

    async def _move(self, update: TableUpdate) -> None:
        begun = time.monotonic()
        await self._habits.think()
        move = choose(self._game, update)
        think_ms = int((time.monotonic() - begun) * 1000)
        try:
            await self._connection.act(self._table, move, update.own.turn, think_ms=think_ms)
        except Refused as refused:
            if not self.over and refused.reason not in _SUPERSEDED:
                self._habits.refused(move, refused)
                await self._look_again()
        else:
            self._habits.moved(self._game)

    async def _look_again(self) -> None:
        """Nobody knows what became of the move: the newest view tells whether it is still to be made."""
        self._decided = None
        try:
            await self._connection.sync(self._table)
        except Refused as refused:
            self._habits.refused("sync", refused)
