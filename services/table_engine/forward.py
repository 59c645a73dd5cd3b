"""Commands and calls for tables of other workers are passed on, once, to the shard's owner."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
from tavolo.table.v1 import table_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from services.runtime.errors import from_detail
from services.runtime.frames import gather_more
from services.runtime.logs import logger
from services.runtime.shards import shard_of
from services.table_engine import metrics
from services.table_engine.engine import clock_ms, not_owner
from services.table_engine.hosted import Request
from services.table_engine.shards import Shards

Channel = Callable[[str], grpc.aio.Channel]


class Forwarder:
    """The ways to the other workers: a link each, opened at the first command and kept until it breaks."""

    def __init__(self, shards: Shards, channel: Channel) -> None:
        self._shards = shards
        self._channel = channel
        self._links: dict[str, _OwnerLink] = {}

    def is_ours(self, table: str) -> bool:
        """Whether this worker serves the table."""
        return self._shards.serves(shard_of(table))

    def owner(self, table: str) -> TableServiceStub:
        """The owner's service. NOT_OWNER: nobody else is known to have the table."""
        return TableServiceStub(self._channel(self._address(table)))

    def forward(self, request: Request) -> None:
        """Passes a command on; its answer comes back as if it were ours."""
        owner = self._shards.owner(shard_of(request.table))
        if owner is None or owner.id == self._shards.member:
            metrics.FORWARDED.labels("no_owner").inc()
            request.fail(not_owner())
            return
        link = self._links.get(owner.id)
        if link is None:
            link = self._links[owner.id] = _OwnerLink(self._channel(owner.address))
            link.task.add_done_callback(lambda _: self._closed(owner.id, link))
        link.send(request)

    def member_changed(self, worker: str, alive: bool) -> None:
        """A worker whose lease has ended may be paused with its connections open: nobody waits for it
        any more."""
        link = self._links.get(worker)
        if link is not None and not alive:
            link.task.cancel()

    async def close(self) -> None:
        """Ends all links; what was not answered fails."""
        tasks = [link.task for link in self._links.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _address(self, table: str) -> str:
        owner = self._shards.owner(shard_of(table))
        if owner is None or owner.id == self._shards.member:
            raise not_owner()
        return owner.address

    def _closed(self, worker: str, link: "_OwnerLink") -> None:
        if self._links.get(worker) is link:
            del self._links[worker]
        link.fail_all()


class _OwnerLink:
    """A link to one worker."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = TableServiceStub(channel)
        self._waiting: list[table_pb2.Command] = []
        self._wake = asyncio.Event()
        self._calls: dict[int, Request] = {}
        self._next = 1
        self.task = asyncio.create_task(self._run(), name="owner-link")

    def send(self, request: Request) -> None:
        """Sends the command with the next frame."""
        command = table_pb2.Command()
        command.CopyFrom(request.command)
        command.call = self._next
        command.forwarded = True
        command.age_ms = max(0, clock_ms() - request.arrived_ms)
        self._calls[self._next] = request
        self._next += 1
        self._waiting.append(command)
        self._wake.set()

    def fail_all(self) -> None:
        """The link is gone: the callers may ask again, with the same ids."""
        calls, self._calls = self._calls, {}
        for request in calls.values():
            metrics.FORWARDED.labels("broken").inc()
            request.fail(not_owner())

    async def _run(self) -> None:
        call: Any = self._stub.Link(self._frames())
        try:
            async for frame in call:
                for answer in frame.answers:
                    self._take(answer)
        except grpc.aio.AioRpcError as error:
            logger().debug("owner_link_broken", code=error.code().name)
        finally:
            call.cancel()

    async def _frames(self) -> AsyncIterator[table_pb2.LinkRequest]:
        commands: list[table_pb2.Command] = []
        while True:
            await self._wake.wait()
            await gather_more(len(commands))
            self._wake.clear()
            commands, self._waiting = self._waiting, []
            yield table_pb2.LinkRequest(commands=commands)

    def _take(self, answer: table_pb2.Answer) -> None:
        request = self._calls.pop(answer.call, None)
        if request is None:
            return
        metrics.FORWARDED.labels("answered").inc()
        kind = answer.WhichOneof("kind")
        if kind == "error":
            request.fail(from_detail(answer.error))
        elif kind == "accepted":
            request.answer(answer.accepted, [(each.subject, each.payload) for each in answer.shown])
        elif kind is not None:
            request.answer(getattr(answer, kind))
