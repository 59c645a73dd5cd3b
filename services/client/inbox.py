"""What waits for the owner of a connection to be read."""

import asyncio
from collections import deque
from dataclasses import dataclass

from tavolo.chat.v1.chat_pb2 import ChatMessage
from tavolo.gateway.v1.gateway_pb2 import Notice, TableClosed, Welcome
from tavolo.table.v1.view_pb2 import TableUpdate


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection broke; it is being opened again."""

    text: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The connection is open (again)."""

    welcome: Welcome


Event = TableUpdate | Notice | ChatMessage | TableClosed | Lost | Resumed


class Inbox:
    """A queue of events with a size.

    Every table has one update in it at most: a newer one takes the place of an older one that nobody has
    read. The other events are never thrown away; from `most` waiting ones on `put` says that it is time to
    stop the source.
    """

    def __init__(self, most: int = 1000) -> None:
        self._most = most
        self._waiting: deque[Event | str] = deque()  # a table's id stands for its update
        self._updates: dict[str, TableUpdate] = {}
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()
        self._emptied.set()
        self._end: BaseException | None = None

    def put(self, event: Notice | ChatMessage | TableClosed | Lost | Resumed) -> bool:
        """Adds an event; False: this one was still taken, but too many wait."""
        self._waiting.append(event)
        self._filled.set()
        if len(self._waiting) < self._most:
            return True
        self._emptied.clear()
        return False

    def put_update(self, update: TableUpdate) -> None:
        """Adds an update of a table, or puts it in the place of the one that waits."""
        waiting = self._updates.get(update.table)
        if waiting is None:
            self._waiting.append(update.table)
            self._filled.set()
        elif waiting.HasField("info") and not update.HasField("info"):
            update.info.CopyFrom(waiting.info)
        self._updates[update.table] = update

    def end(self, error: BaseException) -> None:
        """No more events: who reads gets what waits, then the error."""
        self._end = error
        self._filled.set()

    async def has_room(self) -> None:
        """Waits while too many events wait."""
        await self._emptied.wait()

    async def get(self) -> Event:
        """The oldest event. Raises what `end` was given when nothing waits any more."""
        while not self._waiting:
            if self._end:
                raise self._end
            self._filled.clear()
            await self._filled.wait()
        event = self._waiting.popleft()
        if len(self._waiting) <= self._most // 2:
            self._emptied.set()
        return self._updates.pop(event) if isinstance(event, str) else event
