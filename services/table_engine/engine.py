"""The tables of one worker: their queues, loading, and what every handler works with."""

import asyncio
import contextvars
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import log_pb2

from services.rules.core.moves import Event
from services.runtime.bus import Bus
from services.runtime.context import REQUEST_ID_HEADER
from services.runtime.errors import TavoloError, internal, invalid, not_found, rate_limited, unavailable
from services.runtime.ids import new_id, valid_id
from services.runtime.logs import logger
from services.runtime.shards import log_subject, shard_of
from services.runtime.wire import NotConnected
from services.table_engine import cover, metrics, outage, results
from services.table_engine.fold import Folder, FoldError
from services.table_engine.hosted import Hosted, Request
from services.table_engine.log import Conflict, Log, facts
from services.table_engine.outage import SignOfLife
from services.table_engine.settings import Settings
from services.table_engine.shards import Shards
from services.table_engine.table import Table
from services.table_engine.views import Views

if TYPE_CHECKING:
    from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceAsyncStub

_FULL_RETRY_S = 0.5
_RELEASE_S = 0.5


def clock_ms() -> int:
    """This worker's own clock: monotonic, whole milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Engine:
    """One worker."""

    def __init__(
        self, settings: Settings, bus: Bus, folder: Folder, address: str, scoring: "ScoringServiceAsyncStub"
    ) -> None:
        self.settings = settings
        self.bus = bus
        self.folder = folder
        self.scoring = scoring
        self.log = Log(bus, settings.append_resolve_s)
        self.incarnation = new_id("wrk")
        """Names this run of the process in the log."""
        self.life = SignOfLife(bus, self.incarnation, clock_ms)
        self.shards = Shards(bus, self.life, address, settings.nats_replicas, self.release)
        self._hosted: dict[str, Hosted] = {}
        self._of_shard: defaultdict[int, set[Hosted]] = defaultdict(set)
        self._loading = asyncio.Semaphore(settings.loads_at_once)
        # Requests of many callers are handled here: none of them lends its request id or deadline to a
        # table's task.
        self.context = contextvars.Context()

    clock_ms = staticmethod(clock_ms)

    # -------------------------------------------------------------------------------------- queues

    def submit(self, request: Request) -> None:
        """Puts a request into its table's queue. It fails at once when the table is not ours or the
        queue is full."""
        hosted = self._hosted.get(request.table)
        if hosted is None:
            if not valid_id(request.table, "tbl"):
                request.fail(invalid("table", "not a table's id"))
                return
            hosted = Hosted(request.table, shard_of(request.table))
        if not self.shards.serves(hosted.shard):
            request.fail(not_owner())
            return
        waiting = hosted.waiting
        if waiting is None:
            waiting = hosted.waiting = deque()
        if len(waiting) >= self.settings.queue_length:
            request.fail(rate_limited("too many commands wait at this table", _FULL_RETRY_S))
            return
        waiting.append(request)
        if hosted.task is None:
            self._hosted[hosted.id] = hosted
            self._of_shard[hosted.shard].add(hosted)
            loop = asyncio.get_running_loop()
            hosted.task = loop.create_task(self._drain(hosted, waiting), context=self.context)

    def hosted(self) -> Iterator[Hosted]:
        """All tables that something is kept of."""
        return iter(list(self._hosted.values()))

    async def _drain(self, hosted: Hosted, waiting: deque[Request]) -> None:
        """Handles the table's requests until none waits."""
        try:
            while waiting:
                request = waiting[0]
                hosted.used_ms = request.arrived_ms
                await self._handle(hosted, request)
                waiting.popleft()
        finally:
            hosted.task = hosted.waiting = None
            self._forget_if_empty(hosted)

    async def _handle(self, hosted: Hosted, request: Request) -> None:
        # A conflict means that memory was wrong: once more with what the log says.
        for tries_left in (1, 0):
            try:
                self._admit(hosted)
                await request.handler(self, hosted, request)
                return
            except Conflict:
                logger().warning("log_conflict", table=hosted.id, shard=hosted.shard, kind=request.kind)
                if not tries_left:
                    request.fail(unavailable("another worker writes to this table"))
            except FoldError as error:
                self._park(hosted, str(error))
                request.fail(parked())
                return
            except TavoloError as error:
                request.fail(error)
                return
            except Exception as error:  # noqa: BLE001 - it stops this table, and only this one
                logger().error(
                    "table_failed", table=hosted.id, shard=hosted.shard, kind=request.kind, exc_info=error
                )
                self._park(hosted, repr(error))
                request.fail(internal())
                return

    def _admit(self, hosted: Hosted) -> None:
        if hosted.parked:
            raise parked()
        if not self.shards.serves(hosted.shard):
            raise not_owner()

    def _park(self, hosted: Hosted, why: str) -> None:
        """The table takes no more requests at this worker; an operator has to look (runbook of the alert)."""
        logger().error("table_parked", table=hosted.id, shard=hosted.shard, why=why)
        metrics.PARKED.inc()
        hosted.parked = why
        hosted.table = None

    # -------------------------------------------------------------------------------------- tables

    async def table(self, hosted: Hosted) -> Table:
        """The table, read from its log if it is not in memory. NOT_FOUND: there is no such table;
        FoldError."""
        return hosted.table or await self._load(hosted)

    def place(self, hosted: Hosted, table: Table) -> None:
        """Keeps a table in memory."""
        hosted.table = table
        if table.over and not table.published:
            results.publish_later(self, hosted)
        elif table.uncovered:
            cover.ask_later(self, hosted)

    def drop(self, hosted: Hosted) -> None:
        """Forgets what is in memory of the match; its connections stay attached."""
        hosted.table = None

    def evict(self, hosted: Hosted) -> None:
        """Takes a table out of memory that nobody uses."""
        self.drop(hosted)
        self._forget_if_empty(hosted)

    async def release(self, shard: int) -> None:
        """The shard is given up: its tables finish what they do, within a limit, and are forgotten with
        their connections.

        What has not finished by then is fenced by the log.
        """
        tables = self._of_shard.pop(shard, set())
        if tasks := [hosted.task for hosted in tables if hosted.task is not None]:
            await asyncio.wait(tasks, timeout=_RELEASE_S)
        for hosted in tables:
            self._hosted.pop(hosted.id, None)

    def interrupted(self, from_ms: int) -> None:
        """This worker did not serve from then until now: tables come back from their logs, which say so."""
        self.shards.interrupted(from_ms)
        for hosted in self.hosted():
            self.drop(hosted)
            if hosted.attachments:
                self.submit(Request.own("wake", hosted.id, _wake, clock_ms()))

    def _forget_if_empty(self, hosted: Hosted) -> None:
        if hosted.table is None and not hosted.attachments and not hosted.parked and hosted.task is None:
            if self._hosted.get(hosted.id) is hosted:
                del self._hosted[hosted.id]
            self._of_shard[hosted.shard].discard(hosted)

    async def _load(self, hosted: Hosted) -> Table:
        began = time.perf_counter()
        async with self._loading:
            stored = await self.log.read(hosted.id, log_subject(hosted.id))
        if not stored:
            raise not_found("no such table", "table")
        try:
            table = self.folder.fold(stored)
        except FoldError:
            metrics.LOADS.labels("failed").inc()
            raise
        await outage.resume(self, hosted, table)
        metrics.LOADS.labels("loaded").inc()
        metrics.LOAD_SECONDS.observe(time.perf_counter() - began)
        self.place(hosted, table)
        return table

    # ----------------------------------------------------------------------------- entries, views

    def entry(self, table: Table, at: int, *records: log_pb2.LogRecord) -> log_pb2.LogEntry:
        """An entry of this worker at table time `at`."""
        return log_pb2.LogEntry(at_ms=at, worker=self.incarnation, worker_ms=at + table.base, records=records)

    async def store(
        self,
        hosted: Hosted,
        table: Table,
        entry: log_pb2.LogEntry,
        message_id: str = "",
        request_id: str = "",
    ) -> None:
        """Appends an entry that the table has folded. When that fails, what is in memory is dropped: see
        Log.append."""
        headers = facts(table, table.time(clock_ms()))
        if request_id:
            headers[REQUEST_ID_HEADER] = request_id
        try:
            await self.log.append(
                table, entry, message_id or f"{table.id}.{table.version}.{self.incarnation}", headers
            )
        except BaseException:
            self.drop(hosted)
            raise

    async def note(self, hosted: Hosted, table: Table, record: log_pb2.LogRecord) -> None:
        """Folds and stores a record that nobody needs to see."""
        entry = self.entry(table, table.time(clock_ms()), record)
        self.folder.write(table, entry)
        await self.store(hosted, table, entry)

    async def commit(self, hosted: Hosted, table: Table, at: int, *records: log_pb2.LogRecord) -> None:
        """Folds these records, stores them as one entry, and shows everybody what came of it."""
        entry = self.entry(table, at, *records)
        events = self.folder.write(table, entry)
        await self.store(hosted, table, entry)
        self.place(hosted, table)
        await self.show(hosted, table, events)

    async def show(self, hosted: Hosted, table: Table, events: Sequence[Event]) -> None:
        """Publishes the table's views to all that are attached."""
        if hosted.receivers:
            await self.publish(hosted, Views(table, table.time(clock_ms()), events))

    async def publish(self, hosted: Hosted, views: Views, but: str = "") -> None:
        """Publishes views to all that are attached but to those at one gateway. One that is lost is repaired
        by the next."""
        try:
            for receiver in hosted.receivers:
                if receiver.gateway != but:
                    await self.bus.publish(receiver.subject, views.payload(receiver))
        except NotConnected:
            metrics.VIEWS_UNSENT.inc()


async def _wake(engine: Engine, hosted: Hosted, request: Request) -> None:
    """Brings a table back into memory."""
    await engine.table(hosted)
    request.answer(None)


def not_owner() -> TavoloError:
    """The shard is another worker's."""
    return TavoloError(
        error_pb2.ERROR_REASON_NOT_OWNER, "another worker has this table; ask again", retry_after_s=0.1
    )


def parked() -> TavoloError:
    """The table's log cannot be read."""
    return TavoloError(
        error_pb2.ERROR_REASON_TABLE_PARKED, "the table is parked; the operators know", retry_after_s=5.0
    )
