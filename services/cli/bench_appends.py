"""Bare appends: what JetStream takes on this machine in this minute with nothing else in the way."""

import asyncio
import time

from services.cli.cluster import nats_server, temporary_folder
from services.cli.nats_config import local_config
from services.cli.ports import Ports
from services.cli.supervisor import Child, Program
from services.runtime.bus import Bus
from services.runtime.health import Health
from services.runtime.logs import Secret, configure
from services.runtime.streams import StreamConfig
from services.runtime.wire import Access

STREAMS = 8
IN_FLIGHT = 64
BYTES = 256
SECONDS = 3.0
_STOP_S = 5.0
_USERS = '[{"user": "bench", "password": "bench"}]'  # on a server of its own, on loopback, for seconds


async def appends_per_second(sync: str, seconds: float = SECONDS) -> float:
    """Appends a second to a server of its own that flushes as the cluster's.

    Eight streams, 64 in flight, each with the
    expected last sequence of its subject, as the log of a table has it."""
    configure("bench", "error", "console")
    with temporary_folder() as folder:
        port, monitor = Ports().any(), Ports().any()
        config = folder / "nats.conf"
        text = local_config(
            port=port, monitor_port=monitor, store=str(folder / "nats"), sync=sync, user_list=_USERS
        )
        await asyncio.to_thread(config.write_text, text)
        program = Program("nats", [nats_server(), "-c", str(config)], {}, folder, folder / "nats.log")
        server = Child(program, say=lambda _: None)
        await server.start()
        try:
            return await _measure(f"nats://127.0.0.1:{port}", seconds)
        finally:
            await server.stop(_STOP_S)


async def _measure(url: str, seconds: float) -> float:
    bus = Bus(Access((url,), "bench", "bench", Secret("bench")), Health())
    await bus.connect()
    try:
        for number in range(STREAMS):
            await bus.ensure_stream(StreamConfig(name=f"BENCH_{number}", subjects=[f"bench.{number}.*"]))
        until = time.perf_counter() + seconds
        counts = await asyncio.gather(*(_append(bus, writer, until) for writer in range(IN_FLIGHT)))
        return sum(counts) / seconds
    finally:
        await bus.close()


async def _append(bus: Bus, writer: int, until: float) -> int:
    subject, data = f"bench.{writer % STREAMS}.{writer}", bytes(BYTES)
    last = count = 0
    while time.perf_counter() < until:
        last = await bus.append(subject, data, msg_id=f"{writer}-{count}", expected_last=last)
        count += 1
    return count
