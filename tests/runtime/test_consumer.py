"""A durable consumer: at least once, confirmed, poison put aside, what is away waited for."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from services.runtime.bus import Bus
from services.runtime.bus_errors import BusError
from services.runtime.consumer import DEAD_LETTERS, Consumer
from services.runtime.errors import unavailable
from services.runtime.messages import StoredMessage
from services.runtime.pull import PulledMessage
from services.runtime.streams import StorageType, StreamConfig
from tests.support.processes import NatsServer, connect_bus
from tests.support.waiting import wait_for

Handle = Callable[[StoredMessage], Awaitable[None]]


class Run:
    """Starts consumers and ends them."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.stream = f"CONSUME_{secrets.token_hex(4)}"
        self.tasks: list[asyncio.Task[None]] = []

    async def prepare(self, *messages: bytes) -> None:
        await self.bus.ensure_stream(
            StreamConfig(name=self.stream, subjects=[f"{self.stream}.>"], storage=StorageType.FILE)
        )
        for data in messages:
            await self.bus.append(f"{self.stream}.x", data)

    def start(self, handle: Handle, most_tries: int = 8) -> asyncio.Task[None]:
        consumer = Consumer(self.bus, self.stream, "test", f"{self.stream}.>", handle, most_tries=most_tries)
        task = asyncio.create_task(consumer.run())
        self.tasks.append(task)
        return task

    async def unacknowledged(self) -> int:
        info = await self.bus.api(f"CONSUMER.INFO.{self.stream}.test")
        return int(info["num_ack_pending"]) + int(info["num_pending"])

    async def settled(self) -> bool:
        try:
            return await self.unacknowledged() == 0
        except BusError:
            return False  # the consumer is not made yet

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest_asyncio.fixture
async def run(bus: Bus) -> AsyncIterator[Run]:
    made = Run(bus)
    yield made
    await made.stop()


async def test_messages_are_handled_in_order_and_acknowledged(run: Run) -> None:
    await run.prepare(b"1", b"2", b"3")
    got: list[bytes] = []

    async def handle(message: StoredMessage) -> None:
        got.append(message.data)

    run.start(handle)
    await wait_for(lambda: got == [b"1", b"2", b"3"])
    await wait_for(run.settled)


async def test_what_was_not_acknowledged_comes_again_after_a_restart(run: Run) -> None:
    await run.prepare(b"1", b"2")
    started = asyncio.Event()

    async def hang(message: StoredMessage) -> None:
        started.set()
        await asyncio.Event().wait()

    task = run.start(hang)
    await started.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await run.unacknowledged() == 2


async def test_a_failing_message_is_tried_again_and_the_others_go_on(run: Run) -> None:
    await run.prepare(b"bad", b"good")
    got: list[bytes] = []

    async def handle(message: StoredMessage) -> None:
        got.append(message.data)
        if got.count(b"bad") < 3 and message.data == b"bad":
            raise ValueError("not yet")

    run.start(handle)
    await wait_for(lambda: got.count(b"bad") == 3)
    assert got.count(b"good") == 1
    assert got.index(b"good") == 1
    await wait_for(run.settled)


async def test_poison_goes_to_the_dead_letters(run: Run) -> None:
    await run.prepare(b"poison", b"good")
    got: list[bytes] = []

    async def handle(message: StoredMessage) -> None:
        got.append(message.data)
        if message.data == b"poison":
            raise ValueError("never")

    run.start(handle, most_tries=2)
    await wait_for(run.settled)
    assert got == [b"poison", b"good", b"poison"]
    buried = await run.bus.read_subject(DEAD_LETTERS, f"tavolo.dead.{run.stream}.test")
    assert [each.data for each in buried] == [b"poison"]
    assert buried[0].header("Tavolo-Subject") == f"{run.stream}.x"
    assert buried[0].header("Tavolo-Sequence") == "1"


async def test_what_is_away_is_waited_for_and_counts_no_try(run: Run) -> None:
    await run.prepare(b"1")
    tries = 0

    async def handle(message: StoredMessage) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ConnectionRefusedError("database")
        if tries == 2:
            raise unavailable("lobby")

    run.start(handle, most_tries=1)
    await wait_for(run.settled)
    assert tries == 3


async def test_a_killed_server_delays_and_loses_nothing(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    bus = await connect_bus(server.url)
    run = Run(bus)
    try:
        await run.prepare(*(b"%d" % number for number in range(10)))
        got: list[bytes] = []
        half = asyncio.Event()

        async def handle(message: StoredMessage) -> None:
            got.append(message.data)
            if len(got) == 5:
                half.set()

        run.start(handle)
        await half.wait()
        await server.kill()
        await wait_for(lambda: not bus.connected)
        await server.start()
        await wait_for(lambda: bus.connected)
        await bus.append(f"{run.stream}.x", b"end")
        # What was in hand at the kill comes again after the time to acknowledge; the rest at once.
        await wait_for(lambda: set(got) == {b"%d" % number for number in range(10)} | {b"end"}, 45)
    finally:
        await run.stop()
        await bus.close()
        await server.stop()


@pytest.mark.parametrize("reply", ["$JS.ACK.S.C.3.77.5.1.0", "$JS.ACK._.HASH.S.C.3.77.5.1.0.rand"])
def test_sequences_are_read_from_the_reply_subject(reply: str) -> None:
    message = PulledMessage("s", reply, {}, b"")
    assert (message.deliveries, message.sequence) == (3, 77)
