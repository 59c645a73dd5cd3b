"""What waits for a client: nothing that must not be skipped is, and of views only the newest waits."""

import asyncio

from tavolo.gateway.v1 import gateway_pb2 as pb

from services.gateway.forms import JSON, PROTO
from services.gateway.outbox import Outbox


def _item(number: int) -> bytes:
    return PROTO.item(pb.ServerMessage(notice=pb.Notice(number=number)))


def _numbers(frame: bytes | None) -> list[int]:
    assert frame is not None
    return [message.notice.number for message in pb.ConnectResponse.FromString(frame).messages]


async def test_everything_that_waits_goes_out_in_one_frame() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    for number in (1, 2, 3):
        assert outbox.put(_item(number))
    assert _numbers(await outbox.next()) == [1, 2, 3]


async def test_a_newer_view_takes_the_place_of_an_older_one() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    outbox.put_view("one", _item(1))
    outbox.put_view("other", _item(2))
    outbox.put_view("one", _item(3))
    outbox.put(_item(4))
    assert _numbers(await outbox.next()) == [4, 3, 2]


async def test_a_view_of_a_table_that_was_left_is_not_sent() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    outbox.put_view("one", _item(1))
    outbox.put(_item(2))
    outbox.drop_view("one")
    assert _numbers(await outbox.next()) == [2]


async def test_a_full_queue_says_so_and_keeps_what_it_has() -> None:
    by_count = Outbox(PROTO, 2, 10_000)
    assert [by_count.put(_item(number)) for number in (1, 2, 3)] == [True, True, False]
    assert _numbers(await by_count.next()) == [1, 2]
    by_size = Outbox(PROTO, 10, len(_item(1)) * 2)
    assert [by_size.put(_item(number)) for number in (1, 2, 3)] == [True, True, False]
    assert _numbers(await by_size.next()) == [1, 2]
    assert by_size.put(_item(4))


async def test_the_writer_is_woken_by_what_comes() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    writing = asyncio.create_task(outbox.next())
    await asyncio.sleep(0)
    assert not writing.done()
    outbox.put(_item(1))
    assert _numbers(await writing) == [1]


async def test_after_the_goodbye_comes_the_end() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    outbox.put(_item(1))
    outbox.end(_item(2))
    outbox.put(_item(3))
    outbox.put_view("one", _item(4))
    assert _numbers(await outbox.next()) == [1, 2]
    assert await outbox.next() is None


async def test_an_end_at_once_sends_nothing_but_the_goodbye() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    outbox.put(_item(1))
    outbox.end(_item(2), at_once=True)
    assert _numbers(await outbox.next()) == [2]
    assert await outbox.next() is None


async def test_only_the_newest_ping_waits() -> None:
    outbox = Outbox(JSON, 10, 10_000)
    outbox.ping(1)
    outbox.ping(2)
    assert outbox.pinged_at == 0
    assert await outbox.next() == b'{"messages":[{"ping":{"number":"2"}}]}'
    assert outbox.pinged_at > 0


async def test_a_waiter_learns_that_nothing_waits_any_more() -> None:
    outbox = Outbox(PROTO, 10, 10_000)
    await outbox.emptied()
    outbox.put(_item(1))
    waiting = asyncio.create_task(outbox.emptied())
    await asyncio.sleep(0)
    assert not waiting.done()
    await outbox.next()
    await waiting
    outbox.put(_item(2))
    waiting = asyncio.create_task(outbox.emptied())
    await asyncio.sleep(0)
    outbox.end()
    await waiting
