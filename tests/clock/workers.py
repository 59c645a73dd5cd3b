"""A worker of the table engine that a test tells what to answer to the clock."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
from nats.js.api import StorageType, StreamConfig
from tavolo.table.v1.table_pb2 import ReportTimeUpRequest, ReportTimeUpResponse
from tavolo.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server

from services.runtime.bus import Bus
from services.runtime.ids import new_id
from services.runtime.leases import Leases
from services.runtime.shards import STREAMS, log_stream, log_subject

Answer = Callable[[str, int], int | None]
"""(table, version) -> ms after which it wants to be told again; may raise what `abort` takes."""


def nothing_more(_table: str, _version: int) -> int | None:
    """The engine is content."""
    return None


class Worker(TableServiceServicer):
    """Notes what is reported: (monotonic seconds, table, version), and how much of it at once."""

    def __init__(self, bus: Bus) -> None:
        self.reports: list[tuple[float, str, int]] = []
        self.answer: Answer = nothing_more
        self.status: grpc.StatusCode | None = None
        self.at_once = self.most_at_once = 0
        self._bus = bus
        self._server: grpc.aio.Server | None = None
        self._leases: Leases | None = None

    async def start(self) -> None:
        """Listens and registers among the workers."""
        self._server = grpc.aio.server()
        add_TableServiceServicer_to_server(self, self._server)
        port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()
        self._leases = Leases(self._bus, "tables", 0, new_id("wrk"), f"127.0.0.1:{port}")
        await self._leases.start()

    async def stop(self) -> None:
        """Leaves, and ends."""
        assert self._server is not None
        assert self._leases is not None
        await self._leases.stop()
        await self._server.stop(None)

    async def ReportTimeUp(self, request: ReportTimeUpRequest, context: Any) -> ReportTimeUpResponse:  # noqa: N802
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        for _ in range(20):
            await asyncio.sleep(0)  # lets other reports come in, if there are any
        self.at_once -= 1
        self.reports.append((time.monotonic(), request.table, request.version))
        if self.status is not None:
            await context.abort(self.status, "told so by the test")
        return ReportTimeUpResponse(again_in_ms=self.answer(request.table, request.version))

    def told(self, table: str) -> list[int]:
        """The versions that were reported of a table."""
        return [version for _, name, version in self.reports if name == table]


class Logs:
    """The logs of tables as far as the clock sees them: facts in headers."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._versions: dict[str, int] = {}

    async def make(self) -> None:
        """Makes the log streams."""
        for number in range(STREAMS):
            await self._bus.ensure_stream(
                StreamConfig(
                    name=log_stream(number),
                    subjects=[f"tavolo.table.log.{number}.>"],
                    storage=StorageType.FILE,
                )
            )

    async def fact(self, table: str, left_ms: int | None) -> float:
        """Appends an entry that leaves so much time; when that was (monotonic seconds)."""
        version = self._versions[table] = self._versions.get(table, 0) + 1
        headers = {"Tavolo-Version": str(version), "Tavolo-State": "play", "Tavolo-To-Act": "0"}
        if left_ms is not None:
            headers["Tavolo-Left-Ms"] = str(left_ms)
        before = time.monotonic()
        await self._bus.append(log_subject(table), b"sealed", headers)
        return before

    async def facts(self, tables: list[str], left_ms: int) -> None:
        """One for each table."""
        await asyncio.gather(*(self.fact(table, left_ms) for table in tables))
