"""Bare gRPC messages: what a stream between two Python processes carries on this machine in this minute.

Every move crosses such a stream twice. As a program of its own it is the server, which echoes.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from typing import Any, cast

import grpc
import uvloop

from services.cli.bench_processes import keep_on

IN_FLIGHT = 64
BYTES = 128
SECONDS = 2.0
_METHOD = "/bench/Echo"


async def messages_per_second(seconds: float = SECONDS) -> float:
    """Messages there and back a second, 64 in flight on one stream, server and client a process each, on a
    core each where there are two."""
    cores = sorted(os.sched_getaffinity(0))
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdout=asyncio.subprocess.PIPE
    )
    try:
        keep_on(cores[:1], [server.pid])
        keep_on(cores[-1:], [os.getpid()])
        port = int(await cast("asyncio.StreamReader", server.stdout).readline())
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            return await _measure(channel, seconds)
    finally:
        server.kill()
        await server.wait()
        keep_on(cores, [os.getpid()])


async def _measure(channel: grpc.aio.Channel, seconds: float) -> float:
    stream: Any = channel.stream_stream(_METHOD)()
    message, room = bytes(BYTES), asyncio.Semaphore(IN_FLIGHT)
    began = time.perf_counter()

    async def write() -> None:
        while time.perf_counter() - began < seconds:
            await room.acquire()
            await stream.write(message)
        await stream.done_writing()

    writer = asyncio.create_task(write())
    count = 0
    async for _ in stream:
        count += 1
        room.release()
    await writer
    return count / (time.perf_counter() - began)


class _Echo(grpc.GenericRpcHandler):
    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        async def echo(messages: AsyncIterator[bytes], _context: object) -> AsyncIterator[bytes]:
            async for message in messages:
                yield message

        return grpc.stream_stream_rpc_method_handler(echo)


async def _serve() -> None:
    server = grpc.aio.server(handlers=(_Echo(),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    uvloop.run(_serve())
