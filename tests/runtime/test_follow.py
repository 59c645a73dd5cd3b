"""Following a stream through restarts of the server and of the stream."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.runtime.bus import Bus
from services.runtime.follow import Deliver
from services.runtime.messages import StoredMessage
from services.runtime.streams import StorageType, StreamConfig
from tests.support.processes import NatsServer, connect_bus
from tests.support.waiting import wait_for


class Follower:
    """Gathers what a follower gets."""

    def __init__(
        self, bus: Bus, stream: str, deliver: Deliver, *, headers_only: bool = False, rest_s: float = 0.0
    ) -> None:
        self.got: list[StoredMessage] = []
        self.resets = 0
        messages = bus.follow(
            stream, f"{stream}.>", deliver, headers_only=headers_only, rest_s=rest_s, on_reset=self._reset
        )
        self.task = asyncio.create_task(self._run(messages))

    async def _run(self, messages: AsyncIterator[StoredMessage]) -> None:
        async for message in messages:
            self.got.append(message)

    def _reset(self) -> None:
        self.resets += 1

    @property
    def data(self) -> list[bytes]:
        return [each.data for each in self.got]

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


@pytest.fixture
def name() -> str:
    return f"FOLLOW_{secrets.token_hex(4)}"


async def test_each_way_to_begin(bus: Bus, name: str) -> None:
    await bus.ensure_stream(StreamConfig(name=name, subjects=[f"{name}.>"], storage=StorageType.MEMORY))
    for number in range(4):
        await bus.append(f"{name}.{number % 2}", b"%d" % number)
    followers = {
        "all": Follower(bus, name, "all"),
        "last": Follower(bus, name, "last_per_subject"),
        "new": Follower(bus, name, "new"),
        "seq": Follower(bus, name, ("seq", 2)),
        "headers": Follower(bus, name, "all", headers_only=True),
    }
    await wait_for(
        lambda: (
            len(followers["all"].got) == 4
            and len(followers["last"].got) == 2
            and len(followers["seq"].got) == 3
        )
    )
    # "new" counts from when the follower looked at the stream; publish until it hears.
    await bus.append(f"{name}.0", b"new")
    await wait_for(lambda: followers["all"].data[-1:] == [b"new"])
    if not followers["new"].got:
        await bus.append(f"{name}.0", b"newer")
    await wait_for(lambda: followers["new"].got)
    assert followers["last"].data[:2] == [b"2", b"3"]
    assert followers["seq"].data[:3] == [b"1", b"2", b"3"]
    assert followers["headers"].data[:4] == [b"", b"", b"", b""]
    assert followers["headers"].got[0].header("Nats-Msg-Size") == "1"
    assert b"0" not in followers["new"].data
    for each in followers.values():
        await each.stop()


@pytest.mark.parametrize("rest_s", [0.0, 0.01])
async def test_more_than_the_credit_is_followed_without_a_gap(bus: Bus, name: str, rest_s: float) -> None:
    await bus.ensure_stream(StreamConfig(name=name, subjects=[f"{name}.>"], storage=StorageType.MEMORY))
    await asyncio.gather(*(bus.append(f"{name}.x", b"", timeout=60) for _ in range(3000)))
    follower = Follower(bus, name, "all", rest_s=rest_s)
    await wait_for(lambda: len(follower.got) == 3000)
    await asyncio.gather(*(bus.append(f"{name}.x", b"", timeout=60) for _ in range(3000)))
    await wait_for(lambda: len(follower.got) == 6000)
    assert [each.sequence for each in follower.got] == list(range(1, 6001))
    await follower.stop()


async def test_a_stream_that_is_not_there_yet_is_waited_for(bus: Bus, name: str) -> None:
    follower = Follower(bus, name, "all")
    await bus.api("INFO")
    await bus.ensure_stream(StreamConfig(name=name, subjects=[f"{name}.>"], storage=StorageType.MEMORY))
    await bus.append(f"{name}.x", b"one")
    await wait_for(lambda: follower.data == [b"one"])
    await follower.stop()


@pytest.mark.parametrize("rest_s", [0.0, 0.01])
async def test_a_killed_server_leaves_no_gap_and_no_repeat(tmp_path: Path, name: str, rest_s: float) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    bus = await connect_bus(server.url)
    try:
        await bus.ensure_stream(StreamConfig(name=name, subjects=[f"{name}.>"], storage=StorageType.FILE))
        follower = Follower(bus, name, "all", rest_s=rest_s)
        for round_number in range(3):
            for number in range(5):
                await bus.append(f"{name}.x", b"%d.%d" % (round_number, number))
            await server.kill()
            await wait_for(lambda: not bus.connected)
            await server.start()
            await wait_for(lambda: bus.connected)
        await bus.append(f"{name}.x", b"end")
        await wait_for(lambda: follower.data[-1:] == [b"end"])
        assert [each.sequence for each in follower.got] == list(range(1, 17))
        assert follower.resets == 0
        await follower.stop()
    finally:
        await bus.close()
        await server.stop()


async def test_a_memory_stream_that_is_made_anew_is_followed_from_its_start(
    tmp_path: Path, name: str
) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    bus = await connect_bus(server.url)
    config = StreamConfig(name=name, subjects=[f"{name}.>"], storage=StorageType.MEMORY)
    try:
        await bus.ensure_stream(config)
        follower = Follower(bus, name, "last_per_subject")
        for number in range(5):
            await bus.append(f"{name}.{number}", b"before")
        await wait_for(lambda: len(follower.got) == 5)
        await server.kill()
        await wait_for(lambda: not bus.connected)
        await server.start()
        await wait_for(lambda: bus.connected)
        await bus.ensure_stream(config)
        await bus.append(f"{name}.0", b"after")
        await wait_for(lambda: follower.data[5:] == [b"after"])
        assert follower.resets == 1
        await follower.stop()
    finally:
        await bus.close()
        await server.stop()
