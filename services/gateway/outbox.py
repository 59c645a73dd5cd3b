"""What waits to be written to one client.

Two kinds of things wait. Messages that must not be skipped (answers, notices, chat, ends of tables) queue up
to a limit; when there is no room the connection has to end, to be resumed. Of each table only the newest view
waits: it takes the place of an older one.
"""

import asyncio
import time

from tavolo.gateway.v1.gateway_pb2 import Ping, ServerMessage

from services.gateway import metrics
from services.gateway.forms import Form


class Outbox:
    """The two queues of a connection, and the writer's end of them (`next`)."""

    __slots__ = (
        "_bytes",
        "_empty",
        "_form",
        "_last",
        "_most",
        "_most_bytes",
        "_must",
        "_ping",
        "_views",
        "_waiter",
        "pinged_at",
    )

    def __init__(self, form: Form, most: int, most_bytes: int) -> None:
        self._form = form
        self._most = most
        self._most_bytes = most_bytes
        self._must: list[bytes] = []
        self._bytes = 0
        self._views: dict[object, bytes] = {}
        self._ping = 0
        self._last: bytes | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._empty: asyncio.Future[None] | None = None
        # When the newest ping was handed to the writer, monotonic seconds.
        self.pinged_at = 0.0

    @property
    def ending(self) -> bool:
        """Nothing is taken any more."""
        return self._last is not None

    def put(self, item: bytes) -> bool:
        """Adds what must not be skipped; False: there is no room, the connection has to end."""
        if self._last is not None:
            return True
        if len(self._must) >= self._most or self._bytes + len(item) > self._most_bytes:
            return False
        self._must.append(item)
        self._bytes += len(item)
        if self._waiter is not None:
            self._wake()
        return True

    def put_view(self, table: object, item: bytes) -> None:
        """Adds a view, in the place of an older one of the same table that still waits."""
        if self._last is not None:
            return
        if table in self._views:
            metrics.VIEWS_DROPPED.inc()
        self._views[table] = item
        if self._waiter is not None:
            self._wake()

    def drop_view(self, table: object) -> None:
        """Forgets a view that waits: the table was left."""
        self._views.pop(table, None)

    def ping(self, number: int) -> None:
        """Adds a ping, in the place of one that still waits."""
        self._ping = number
        if self._waiter is not None:
            self._wake()

    def end(self, goodbye: bytes = b"", *, at_once: bool = False) -> None:
        """Takes no more: what waits is written (not with `at_once`), then the goodbye, and that is all."""
        if self._last is not None:
            return
        self._last = goodbye
        self._views.clear()
        if at_once:
            self._must.clear()
        if self._waiter is not None:
            self._wake()
        self._emptied()

    async def emptied(self) -> None:
        """Waits until nothing that must not be skipped waits; at once when the connection is ending."""
        if self._must and self._last is None:
            if self._empty is None:
                self._empty = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._empty)

    async def next(self) -> bytes | None:
        """The next frame, with everything that waits now; None at the end. For one writer."""
        while not (self._must or self._views or self._ping or self._last is not None):
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        items, self._must = self._must, []
        if items:
            self._bytes = 0
            self._emptied()
        if self._ping:
            items.append(self._form.item(ServerMessage(ping=Ping(number=self._ping))))
            self._ping = 0
            self.pinged_at = time.monotonic()
        if self._views:
            items.extend(self._views.values())
            self._views.clear()
        if self._last:
            items.append(self._last)
            self._last = b""
        if not items:
            return None
        metrics.FRAMES_OUT.inc()
        return self._form.frame(items)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _emptied(self) -> None:
        if self._empty is not None:
            self._empty.set_result(None)
            self._empty = None
