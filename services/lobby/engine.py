"""The table engine as the lobby calls it: any worker will do, the owner of the table's shard saves a hop."""

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import orjson
from tavolo.table.v1 import table_pb2, view_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from services.lobby.rooms import Room
from services.rules.core.registry import game as find_game
from services.runtime.errors import from_rpc_error, unavailable
from services.runtime.leases import LeaseWatch
from services.runtime.shards import shard_of


class Engine:
    """target: a fixed gRPC target, or empty for the workers that `workers` knows."""

    def __init__(self, channel: Callable[[str, str], Any], target: str, workers: LeaseWatch) -> None:
        self._channel = channel
        self._target = target
        self._workers = workers
        self._changed = asyncio.Event()
        workers.on_change(lambda _part, _owner: self._changed.set())

    async def start(self, room: Room) -> None:
        """Starts the match of a full table; idempotent. Raises TavoloError."""
        game = find_game(room.row["game"])
        options = game.options(orjson.loads(room.row["options"]))
        request = table_pb2.StartMatchRequest(
            table=room.id,
            match=room.match or "",
            game=game.id,
            options=room.row["options"],
            seats=[
                view_pb2.Seat(
                    account=each.account,
                    nickname=each.nickname,
                    side=game.side(options, each.seat),
                    computer=each.computer,
                )
                for each in room.seated
            ],
            stake=room.stake,
            chip=room.chip,
            speed=room.row["speed"],
        )
        worker: grpc.aio.Channel = self._channel(self._worker(room.id), "table_engine")
        try:
            await TableServiceStub(worker).StartMatch(request)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error

    async def change_or(self, seconds: float) -> None:
        """Waits until a shard has another owner, at most so long."""
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return

    def _worker(self, table: str) -> str:
        if self._target:
            return self._target
        owner = self._workers.owner(shard_of(table))
        if owner is not None:
            return owner.address
        for address in self._workers.members().values():
            return address
        raise unavailable("no table engine is there")
