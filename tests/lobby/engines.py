"""An engine that fails in chosen ways; what the real one does is tested with the real one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from tavolo.table.v1 import table_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server

from services.runtime.errors import STATUS_DETAILS_KEY, TavoloError, status_details


class FailingEngine(TableServiceServicer):
    """Refuses StartMatch with `failures`, one a call; then takes it."""

    def __init__(self, failures: list[TavoloError]) -> None:
        self.failures = failures
        self.calls: list[table_pb2.StartMatchRequest] = []
        self.address = ""

    async def StartMatch(  # noqa: N802
        self, request: table_pb2.StartMatchRequest, context: Any
    ) -> table_pb2.StartMatchResponse:
        self.calls.append(request)
        if self.failures:
            failure = self.failures.pop(0)
            await context.abort(failure.code, failure.text, ((STATUS_DETAILS_KEY, status_details(failure)),))
        return table_pb2.StartMatchResponse()


@asynccontextmanager
async def failing_engine(*failures: TavoloError) -> AsyncIterator[FailingEngine]:
    """The engine at an address of its own."""
    engine = FailingEngine(list(failures))  # type: ignore[abstract]  # the other methods answer UNIMPLEMENTED
    server = grpc.aio.server()
    add_TableServiceServicer_to_server(engine, server)
    engine.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield engine
    finally:
        await server.stop(None)
