"""The engine's workers as the clock calls them: the owner of a table's shard, or anybody who passes it on."""

from collections.abc import Callable

import grpc
from tavolo.table.v1.table_pb2 import ReportTimeUpRequest
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from services.runtime.errors import from_rpc_error, unavailable
from services.runtime.leases import LeaseWatch
from services.runtime.shards import shard_of


class Workers:
    """`connect` makes a channel to an address; one is kept for each living worker."""

    def __init__(self, watch: LeaseWatch, connect: Callable[[str], grpc.aio.Channel]) -> None:
        self._watch = watch
        self._connect = connect
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def report(self, table: str, version: int) -> int | None:
        """Tells that the time of this fact is up; in how many ms to tell it again, if at all.

        TavoloError: nobody could decide.
        """
        stub = TableServiceStub(self._channel(self._address(table)))
        try:
            response = await stub.ReportTimeUp(ReportTimeUpRequest(table=table, version=version))
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        return response.again_in_ms if response.HasField("again_in_ms") else None

    async def sweep(self) -> None:
        """Closes the channels to workers that are gone."""
        living = set(self._watch.members().values())
        for address in [address for address in self._channels if address not in living]:
            await self._channels.pop(address).close()

    async def close(self) -> None:
        """Closes all channels."""
        for channel in self._channels.values():
            await channel.close()

    def _address(self, table: str) -> str:
        owner = self._watch.owner(shard_of(table))
        if owner is not None:
            return owner.address
        for address in self._watch.members().values():
            return address
        raise unavailable("no worker of the table engine is there")

    def _channel(self, address: str) -> grpc.aio.Channel:
        if address not in self._channels:
            self._channels[address] = self._connect(address)
        return self._channels[address]
