"""Running deadlines: which table wants to be looked at when. Pure, in the caller's monotonic seconds.

A table's deadline moves at every move, nearly always to later, and is due at hardly any of them. So a move
only changes the table's own entry; the heap keeps the earlier time that it knew, and looks again when that
has come.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple

_TOLD = float("inf")


class Due(NamedTuple):
    """A deadline that has passed: the fact that gave it, and when it was due (monotonic seconds)."""

    table: str
    version: int
    at: float


class Deadlines:
    """One deadline a table."""

    __slots__ = ("_entries", "_heap", "_queued")

    def __init__(self) -> None:
        self._entries: dict[str, tuple[float, int]] = {}
        self._heap: list[tuple[float, str]] = []
        # When the heap looks at a table next. Other places of the table in the heap are passed over.
        self._queued: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, table: str, version: int, at: float) -> bool:
        """The newest fact of a table: time may change it at `at`. Whether the heap looks earlier now."""
        self._entries[table] = (at, version)
        queued = self._queued.get(table)
        if queued is not None and queued <= at:
            return False
        self._queued[table] = at
        heappush(self._heap, (at, table))
        return True

    def again(self, table: str, version: int, at: float) -> None:
        """A deadline that was told is to be told again at `at`, unless a newer fact has come since."""
        entry = self._entries.get(table)
        if entry is not None and entry[1] == version:
            self.put(table, version, at)

    def forget(self, table: str, version: int | None = None) -> None:
        """Nothing runs at the table any more; with `version`: unless a newer fact says otherwise."""
        entry = self._entries.get(table)
        if entry is not None and version in (None, entry[1]):
            del self._entries[table]

    def forget_all(self, which: Callable[[str], bool]) -> None:
        """Somebody else looks after these tables."""
        for table in [table for table in self._entries if which(table)]:
            del self._entries[table]

    def next_at(self) -> float | None:
        """When `take` should be called; never later than the nearest deadline. None if there is none."""
        return self._heap[0][0] if self._heap else None

    def nearest(self) -> float | None:
        """The nearest deadline that has not been told."""
        nearest = min((at for at, _ in self._entries.values()), default=_TOLD)
        return None if nearest == _TOLD else nearest

    def take(self, now: float) -> Due | None:
        """The nearest deadline if it has passed. It stays, as told, until `put`, `again` or `forget`."""
        heap, queued = self._heap, self._queued
        while heap and heap[0][0] <= now:
            looked_at, table = heappop(heap)
            if queued.get(table) != looked_at:
                continue
            del queued[table]
            entry = self._entries.get(table)
            if entry is None or entry[0] == _TOLD:
                continue
            at, version = entry
            if at <= now:
                self._entries[table] = (_TOLD, version)
                return Due(table, version, at)
            queued[table] = at
            heappush(heap, (at, table))
        return None
