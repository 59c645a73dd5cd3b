"""The long-lived stream to one table worker: frames of commands out, frames of answers in.

A message per move costs five times the throughput; so one writer sends everything that waits.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
from tavolo.table.v1.table_pb2 import Answer, Command, LinkRequest
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from services.gateway import metrics
from services.runtime.frames import gather_more
from services.runtime.logs import logger

# A frame stays far below the 4 MiB that services take from each other.
_FRAME_COMMANDS = 512


class Link:
    """A link to the worker `worker` at `address`. Made, then `run` by a task until it ends."""

    def __init__(self, worker: str, address: str) -> None:
        self.worker = worker
        self.address = address
        self._queue: list[tuple[Command, float]] = []
        self._work = asyncio.Event()
        self._closing = False

    def send(self, command: Command, read_at: float) -> None:
        """Queues a command; `read_at` is when its last byte was read from the client, monotonic seconds."""
        self._queue.append((command, read_at))
        self._work.set()

    def close(self) -> None:
        """Lets the link end after everything that waits was written."""
        self._closing = True
        self._work.set()

    async def run(self, channel: grpc.aio.Channel, take: Callable[[Answer], None]) -> None:
        """Writes and reads until the link is closed or breaks; answers go to `take`."""
        # The stubs' type of a stream call hides write(), which only a call without a request iterator has.
        call: Any = TableServiceStub(channel).Link()
        writer = asyncio.create_task(self._write(call), name=f"link {self.worker}")
        metrics.LINKS.inc()
        try:
            async for response in call:
                for answer in response.answers:
                    take(answer)
        except grpc.aio.AioRpcError as error:
            if not self._closing:
                metrics.LINKS_LOST.inc()
                logger().warning(
                    "link_lost", worker=self.worker, code=error.code().name, text=error.details()
                )
        finally:
            metrics.LINKS.dec()
            writer.cancel()
            call.cancel()

    async def _write(self, call: Any) -> None:
        waiting: list[tuple[Command, float]] = []
        try:
            while True:
                await self._work.wait()
                await gather_more(len(waiting))
                self._work.clear()
                waiting, self._queue = self._queue, []
                for start in range(0, len(waiting), _FRAME_COMMANDS):
                    await call.write(self._frame(waiting[start : start + _FRAME_COMMANDS]))
                if self._closing and not self._queue:
                    await call.done_writing()
                    return
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return  # the stream has ended: the reader knows why

    @staticmethod
    def _frame(waiting: list[tuple[Command, float]]) -> LinkRequest:
        now = time.monotonic()
        for command, read_at in waiting:
            command.age_ms = int((now - read_at) * 1000)
        return LinkRequest(commands=[command for command, _ in waiting])
