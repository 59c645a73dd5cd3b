"""ClockService: what this replica holds."""

from typing import Any

import grpc
from tavolo.clock.v1 import clock_pb2 as pb
from tavolo.clock.v1.clock_pb2_grpc import ClockServiceServicer

from services.clock.keeper import Keeper
from services.runtime.auth import caller, require_role, require_service


class Service(ClockServiceServicer):
    """Every RPC of clock.proto."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def GetDeadlines(  # noqa: N802
        self, request: pb.GetDeadlinesRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.GetDeadlinesResponse:
        if caller().kind == "player":
            require_role("operator")
        else:
            require_service()
        return pb.GetDeadlinesResponse(
            held=self._keeper.held, nearest_ms=self._keeper.nearest_ms(), streams=self._keeper.streams
        )
