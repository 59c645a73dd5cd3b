"""The log of a table: appending with a fence, reading, and the facts in the headers.

An append names the last sequence of its subject that the writer knows, so of two workers that believe they
own a table one is refused. What an append's fate is when no acknowledgement came is asked of the log, by
the message's id.
"""

import asyncio
import time

from tavolo.table.v1 import log_pb2

from services.runtime.bus import Bus
from services.runtime.bus_errors import AppendUnknown, BusError, WrongLastSequence
from services.runtime.errors import outcome_unknown, unavailable
from services.runtime.messages import StoredMessage
from services.runtime.shards import log_stream, shard_of, stream_of
from services.runtime.wire import NotConnected
from services.table_engine import metrics
from services.table_engine.table import Table

_RETRY_S = 0.05
_RETRY_MOST_S = 0.5


class Conflict(Exception):
    """Somebody else has written to the table's log: what is in memory is not the table."""


def stream(table: str) -> str:
    """The log stream of a table."""
    return log_stream(stream_of(shard_of(table)))


def facts(table: Table, at: int) -> dict[str, str]:
    """What everybody may know of the table after its newest entry, for the clock, the lobby and the chat."""
    found = {
        "Tavolo-Version": str(table.version),
        "Tavolo-State": table.mode,
        "Tavolo-Turn": str(table.turn),
        "Tavolo-To-Act": ",".join(map(str, table.state.to_act)),
    }
    left = table.left_ms(at)
    if left is not None:
        found["Tavolo-Left-Ms"] = str(left)
    return found


class Log:
    """Appends to and reads the logs. `resolve_s`: how long an append whose fate is not known is followed
    up."""

    def __init__(self, bus: Bus, resolve_s: float) -> None:
        self._bus = bus
        self._resolve_s = resolve_s

    async def append(
        self, table: Table, entry: log_pb2.LogEntry, message_id: str, headers: dict[str, str]
    ) -> None:
        """Stores the entry that the table has folded already, and sets the table's sequence.

        Conflict: somebody else wrote. TavoloError OUTCOME_UNKNOWN: it may or may not be stored;
        UNAVAILABLE: it is not. In each of these cases the table in memory is ahead of its log and must be
        dropped.
        """
        data = entry.SerializeToString()
        until = 0.0
        wait = _RETRY_S
        while True:
            try:
                table.sequence = await self._bus.append(
                    table.subject, data, headers, message_id, expected_last=table.sequence
                )
                return
            except WrongLastSequence:
                metrics.APPEND_CONFLICTS.inc()
                last = await self._newest(table)
                if last is None or last.header("Nats-Msg-Id") != message_id:
                    raise Conflict(table.id) from None
                table.sequence = last.sequence
                return
            except BusError as error:
                raise unavailable(f"the log refuses the entry: {error}") from error
            except AppendUnknown as error:
                # The same id with the same expectation again: stored once whatever became of the first try.
                now = time.monotonic()
                until = until or now + self._resolve_s
                if now >= until:
                    raise outcome_unknown(
                        "the log did not answer; repeat the command with the same id"
                    ) from error
            await asyncio.sleep(wait)
            wait = min(wait * 2, _RETRY_MOST_S)

    async def read(self, table: str, subject: str) -> list[StoredMessage]:
        """All entries of a table, oldest first; none if there is no such table. TavoloError UNAVAILABLE."""
        try:
            return await self._bus.read_subject(stream(table), subject)
        except (BusError, NotConnected, TimeoutError) as error:
            raise unavailable("the table's log cannot be read now") from error

    async def _newest(self, table: Table) -> StoredMessage | None:
        try:
            return await self._bus.last(stream(table.id), table.subject)
        except (BusError, NotConnected, TimeoutError) as error:
            raise outcome_unknown("the log did not answer; repeat the command with the same id") from error
