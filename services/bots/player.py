"""One computer player: one account, one connection, any number of tables."""

import asyncio

from tavolo.gateway.v1.gateway_pb2 import Notice, TableClosed
from tavolo.table.v1.view_pb2 import TABLE_STATE_OVER, TableUpdate

from services.bots.seat import Habits, SeatPlayer
from services.client import Connection, Refused, Resumed, Session


class Player:
    """Takes every seat that its account is given, and plays it to the end.

    After a restart, of itself or of a gateway, it finds its running matches in the welcome and goes on.
    """

    def __init__(self, session: Session, habits: Habits) -> None:
        self._connection = Connection(session)
        self._habits = habits
        self.seats: dict[str, SeatPlayer] = {}

    @property
    def is_connected(self) -> bool:
        return self._connection.is_open

    async def run(self) -> None:
        """Plays until it is cancelled. Refused: the account may not sign in (any more)."""
        self._connection.start()
        try:
            async with asyncio.TaskGroup() as work:
                async for event in self._connection:
                    match event:
                        case TableUpdate():
                            self._look(event, work)
                        case Resumed():
                            for table in event.welcome.tables:
                                self._sit(table, work)
                        case Notice() if event.HasField("match_started"):
                            self._sit(event.match_started.table, work)
                        case TableClosed():
                            self.seats.pop(event.table, None)
        finally:
            await self._connection.close()

    def _sit(self, table: str, work: asyncio.TaskGroup) -> None:
        if table not in self.seats:
            self.seats[table] = SeatPlayer(self._connection, table, work.create_task, self._habits)
            work.create_task(self._attach(table))

    async def _attach(self, table: str) -> None:
        try:
            await self._connection.attach(table)
        except Refused as refused:
            self._habits.refused("attach", refused)
            self.seats.pop(table, None)

    def _look(self, update: TableUpdate, work: asyncio.TaskGroup) -> None:
        seat = self.seats.get(update.table)
        if seat is None:
            return
        seat.look(update)
        if update.public.state == TABLE_STATE_OVER:
            del self.seats[update.table]
            work.create_task(self._detach(update.table))

    async def _detach(self, table: str) -> None:
        try:
            await self._connection.detach(table)
        except Refused as refused:
            if not refused.passes:  # a lost wire is not attached to anything either
                self._habits.refused("detach", refused)
