"""Appending and reading on a real NATS: OPERATIONS.md, findings 1 and 2."""

import asyncio
import secrets
from pathlib import Path

import pytest
from nats.aio.client import Client

from services.runtime.bus import Bus
from services.runtime.bus_errors import AppendNotSent, AppendUnknown, BusError, WrongLastSequence
from services.runtime.messages import read_lines
from services.runtime.streams import DiscardPolicy, StorageType, StreamConfig, UnsafeStream
from services.runtime.wire import NotConnected, Refused
from tests.support.processes import NatsServer, connect_bus
from tests.support.waiting import wait_for


def config(name: str) -> StreamConfig:
    return StreamConfig(
        name=name,
        subjects=[f"{name}.>"],
        storage=StorageType.FILE,
        discard=DiscardPolicy.NEW,
        deny_delete=True,
        deny_purge=True,
        allow_direct=True,
        duplicate_window=120,
    )


@pytest.fixture
def name() -> str:
    return f"BUS_{secrets.token_hex(4)}"


async def test_an_append_is_numbered_and_can_be_read_back(bus: Bus, name: str) -> None:
    await bus.ensure_stream(config(name))
    first = await bus.append(f"{name}.a", b"one", {"Kind": "first"}, msg_id="1", expected_last=0)
    await bus.append(f"{name}.b", b"other")
    second = await bus.append(f"{name}.a", b"two", msg_id="2", expected_last=first)
    last = await bus.last(name, f"{name}.a")
    assert last is not None
    assert (last.sequence, last.data, last.header("Nats-Msg-Id")) == (second, b"two", "2")
    read = await bus.read_subject(name, f"{name}.a")
    assert [(each.sequence, each.data) for each in read] == [(first, b"one"), (second, b"two")]
    assert read[0].header("Kind") == "first"
    assert read[0].header("Missing") is None
    assert [each.data for each in await bus.read_subject(name, f"{name}.a", after=first)] == [b"two"]
    assert await bus.read_subject(name, f"{name}.a", after=second) == []
    assert await bus.last(name, f"{name}.nothing") is None
    assert await bus.read_subject(name, f"{name}.nothing") == []


async def test_a_subject_longer_than_a_batch_is_read_whole(bus: Bus, name: str) -> None:
    await bus.ensure_stream(config(name))
    await asyncio.gather(
        *(bus.append(f"{name}.{number % 2}", b"%d" % number, timeout=60) for number in range(1500))
    )
    read = await bus.read_subject(name, f"{name}.0")
    assert len(read) == 750
    assert [each.sequence for each in read] == sorted(each.sequence for each in read)


async def test_a_second_writer_is_refused_by_the_expected_sequence(bus: Bus, name: str) -> None:
    await bus.ensure_stream(config(name))
    first = await bus.append(f"{name}.a", b"one", expected_last=0)
    with pytest.raises(WrongLastSequence):
        await bus.append(f"{name}.a", b"mine", expected_last=0)
    # Even the retry of what is stored: the expectation is checked before the duplicate table.
    stored = await bus.append(f"{name}.a", b"two", msg_id="two", expected_last=first)
    with pytest.raises(WrongLastSequence):
        await bus.append(f"{name}.a", b"two", msg_id="two", expected_last=first)
    last = await bus.last(name, f"{name}.a")
    assert last is not None
    assert (last.sequence, last.header("Nats-Msg-Id")) == (stored, "two")


async def test_an_append_that_no_stream_takes_is_not_sent(bus: Bus) -> None:
    with pytest.raises(AppendNotSent):
        await bus.append("nobody.listens.here", b"")


async def test_a_stream_that_is_less_safe_stops_the_start(bus: Bus, name: str) -> None:
    unsafe = config(name)
    unsafe.deny_delete = False
    await bus.ensure_stream(unsafe)
    with pytest.raises(UnsafeStream, match="deny_delete"):
        await bus.ensure_stream(config(name))


async def test_an_unknown_stream_is_a_bus_error(bus: Bus) -> None:
    with pytest.raises(BusError):
        await bus.api("STREAM.INFO.NO_SUCH_STREAM")


async def test_messages_reach_a_subscription_in_order_with_their_headers(bus: Bus, name: str) -> None:
    got: list[tuple[str, dict[str, str], bytes]] = []
    handle = await bus.subscribe(
        f"{name}.>", lambda subject, _reply, headers, data: got.append((subject, dict(headers), data))
    )
    big = secrets.token_bytes(300_000)
    await bus.publish(f"{name}.x", b"plain")
    await bus.publish(f"{name}.y", big, {"A": "1", "B": "zwei"})
    await bus.publish(f"{name}.z", b"")
    await wait_for(lambda: len(got) == 3)
    assert got == [
        (f"{name}.x", {}, b"plain"),
        (f"{name}.y", {"A": "1", "B": "zwei"}, big),
        (f"{name}.z", {}, b""),
    ]
    await bus.unsubscribe(handle)
    await bus.publish(f"{name}.x", b"unheard")
    await bus.api("INFO")
    assert len(got) == 3


async def test_a_header_cannot_smuggle_a_line(bus: Bus, name: str) -> None:
    got: list[dict[str, str]] = []
    await bus.subscribe(name, lambda _subject, _reply, headers, _data: got.append(dict(headers)))
    await bus.publish(name, b"", {"A": "1\r\nNats-Msg-Id: forged"})
    await wait_for(lambda: bool(got))
    assert "Nats-Msg-Id" not in got[0]


async def test_a_lost_connection_makes_appends_unknown_and_later_ones_not_sent(
    tmp_path: Path, name: str
) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    bus = await connect_bus(server.url)
    try:
        await bus.ensure_stream(config(name))
        server.pause()
        waiting = asyncio.create_task(
            bus.append(f"{name}.a", b"one", msg_id="one", expected_last=0, timeout=30)
        )
        await asyncio.sleep(0)  # it is sent
        server.resume()
        assert await waiting == 1
        server.pause()
        waiting = asyncio.create_task(
            bus.append(f"{name}.a", b"two", msg_id="two", expected_last=1, timeout=3)
        )
        await asyncio.sleep(0)
        await server.kill()
        with pytest.raises(AppendUnknown) as unknown:
            await waiting
        assert not isinstance(unknown.value, AppendNotSent)
        await wait_for(lambda: not bus.connected)
        with pytest.raises(AppendNotSent):
            await bus.append(f"{name}.a", b"three")
        with pytest.raises(NotConnected):
            await bus.publish("plain", b"")
        await server.start()
        await wait_for(lambda: bus.connected)
        # What was sent while the connection was lost is not sent later.
        last = await bus.last(name, f"{name}.a")
        assert last is not None
        assert last.data in (b"one", b"two")
        assert await bus.append(f"{name}.a", b"four", expected_last=last.sequence) == last.sequence + 1
    finally:
        await bus.close()
        await server.stop()


async def test_a_silent_server_is_noticed(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    bus = await connect_bus(server.url)
    try:
        server.pause()
        await wait_for(lambda: not bus.connected, 15, "the paused server is given up")
        server.resume()
        await wait_for(lambda: bus.connected, 15)
    finally:
        await bus.close()
        await server.stop()


async def test_subscriptions_survive_a_restart(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    await server.start()
    bus = await connect_bus(server.url)
    try:
        got: list[bytes] = []
        await bus.subscribe("hello", lambda _subject, _reply, _headers, data: got.append(data))
        await server.kill()
        await wait_for(lambda: not bus.connected)
        await server.start()
        await wait_for(lambda: bus.connected)
        await bus.publish("hello", b"again")
        await wait_for(lambda: got == [b"again"])
    finally:
        await bus.close()
        await server.stop()


async def test_wrong_credentials_are_refused_not_retried(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    config_file = tmp_path / "nats.conf"
    config_file.write_text(config_file.read_text() + 'authorization { user: "a", password: "right" }\n')
    await server.start()
    try:
        with pytest.raises(Refused):
            await connect_bus(server.url.replace("nats://", "nats://a:wrong@"))
        bus = await connect_bus(server.url.replace("nats://", "nats://a:right@"))
        assert bus.connected
        await bus.close()
    finally:
        await server.stop()


async def test_a_start_waits_for_the_server(tmp_path: Path) -> None:
    server = NatsServer(tmp_path)
    connecting = asyncio.create_task(connect_bus(server.url))
    await server.start()
    bus = await asyncio.wait_for(connecting, 10)
    assert bus.connected
    await bus.close()
    await server.stop()


def test_headers_are_read_as_nats_py_reads_them() -> None:
    block = b"Tavolo-Version: 12\r\nTavolo-To-Act: 0,2\r\nEmpty:\r\nUrl: a:b\r\n"
    block += b"Tavolo-Name:\tperch\xc3\xa9 \r\n\r\n"
    assert read_lines(block.decode().split("\r\n")) == Client._parse_header_lines(block)


async def test_the_last_sequence_of_a_stream_and_of_none(bus: Bus) -> None:
    name = f"LAST_{secrets.token_hex(4)}"
    assert await bus.last_sequence(name) == 0
    await bus.ensure_stream(StreamConfig(name=name, subjects=[f"{name}.>"], storage=StorageType.MEMORY))
    assert await bus.last_sequence(name) == 0
    assert await bus.append(f"{name}.a", b"") == await bus.last_sequence(name) == 1
