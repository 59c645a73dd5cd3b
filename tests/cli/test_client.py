"""The client SDK: its README's example, and what it does when the wire breaks, is slow, or is taken over."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tavolo.chat.v1.chat_pb2 import ChatMessage, SayRequest
from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.gateway.v1.gateway_pb2 import Notice, TableClosed
from tavolo.lobby.v1.account_pb2 import Tokens
from tavolo.lobby.v1.lobby_pb2 import JoinTableRequest, OpenTableRequest
from tavolo.table.v1.view_pb2 import (
    TABLE_STATE_OVER,
    TABLE_STATE_PLAY,
    TABLE_STATE_READY,
    TableInfo,
    TableUpdate,
)

from services.bots.seat import Habits, SeatPlayer
from services.cli.cluster import Cluster
from services.cli.guests import sign_in_guest
from services.cli.play_session import SavedSession
from services.client import Connection, Event, Gateway, Lost, Refused, Resumed, Session
from services.client.inbox import Inbox
from tests.support.proxy import Proxy

ONE_HAND = json.dumps({"match": "hands", "hands": 1, "tie_hands": 0})
README = Path(__file__).parents[2] / "services" / "client" / "README.md"


@pytest_asyncio.fixture(loop_scope="session")
async def gateway(cluster: Cluster) -> AsyncIterator[Gateway]:
    async with Gateway(cluster.address("gateway")) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def proxy(cluster: Cluster) -> AsyncIterator[Proxy]:
    made = Proxy(cluster.address("gateway"))
    await made.start()
    yield made
    await made.stop()


async def open_table(session: Session, *, computers: int = 1, options: str = ONE_HAND) -> str:
    opening = OpenTableRequest(request_id="one", game="scopa", options=options, computers=computers)
    return (await session.call(session.gateway.lobby.OpenTable, opening)).table.id


async def first(connection: Connection, kind: type[Event]) -> Event:
    """The next event of this kind."""
    async with asyncio.timeout(20):
        async for event in connection:
            if isinstance(event, kind):
                return event
    raise AssertionError("events end with an error only")


async def update_of(connection: Connection, state: int) -> TableUpdate:
    """The next update of a table in this state."""
    while True:
        update = await first(connection, TableUpdate)
        assert isinstance(update, TableUpdate)
        if update.public.state == state:
            return update


async def test_the_example_of_the_readme_plays_a_hand(cluster: Cluster, tmp_path: Path) -> None:
    example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert example
    program = tmp_path / "example.py"
    program.write_text(example[1], encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(program), cluster.address("gateway"), "Esempio del README"),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert re.fullmatch(r"scores: \d+ \d+\n", out.decode())


async def test_who_cannot_pay_the_stake_is_told_instead_of_waiting(gateway: Gateway) -> None:
    session = await sign_in_guest(gateway, "test")
    async with Connection(session) as connection, asyncio.timeout(20):
        await spend(session, connection)
        opening = OpenTableRequest(request_id="two", game="scopa", options=ONE_HAND, computers=1)
        opening.stake.cents = 100_000  # as much as the house gives, before the loss
        table = (await session.call(session.gateway.lobby.OpenTable, opening)).table.id
        with pytest.raises(Refused, match="does not cover the stake") as refused:
            await connection.match_started(table)
    assert refused.value.reason == error_pb2.ERROR_REASON_NOT_SEATED


async def spend(session: Session, connection: Connection) -> None:
    """Loses a match on purpose, so that the wallet holds less than the greatest stake."""
    table = await open_table(session)
    await connection.match_started(table)
    await connection.attach(table)
    await connection.act(table, "abandon", turn=0)
    settled = await first(connection, Notice)
    while not (isinstance(settled, Notice) and settled.HasField("match_settled")):
        settled = await first(connection, Notice)


async def test_a_match_goes_on_over_a_wire_that_breaks_again_and_again(proxy: Proxy) -> None:
    async with Gateway(proxy.address) as gateway:
        session = await sign_in_guest(gateway, "test")
        table = await open_table(session, options=json.dumps({"target": 11}))
        breaks = 0
        async with Connection(session) as connection, asyncio.TaskGroup() as work:
            await connection.match_started(table)
            problems: list[str] = []
            habits = Habits(refused=lambda what, refused: problems.append(f"{what}: {refused}"))
            seat = SeatPlayer(connection, table, work.create_task, habits)
            await connection.attach(table)
            moves = 0
            settled = None
            async for event in connection:
                match event:
                    case TableUpdate():
                        seat.look(event)
                        moves += bool(event.own.moves)
                        if moves % 20 == 10:  # in the middle of a command
                            moves += 1
                            breaks += 1
                            proxy.cut()
                            proxy.heal()
                    case Notice() if event.HasField("match_settled"):
                        settled = event.match_settled
                        break
        assert breaks > 1
        assert problems == []
        assert settled is not None
        assert settled.table == table


async def test_a_command_whose_answer_was_lost_is_sent_again_and_counts_once(proxy: Proxy) -> None:
    async with Gateway(proxy.address) as gateway:
        session = await sign_in_guest(gateway, "test")
        table = await open_table(session)
        async with Connection(session) as connection:
            await connection.match_started(table)
            await connection.attach(table)
            ready = await update_of(connection, TABLE_STATE_READY)
            await connection.ready(table, ready.public.hand)
            update = await update_of(connection, TABLE_STATE_PLAY)
            while not update.own.moves:
                update = await update_of(connection, TABLE_STATE_PLAY)
            proxy.stall()
            move, turn = update.own.moves[0].text, update.own.turn
            acting = asyncio.create_task(connection.act(table, move, turn, command_id="only-once"))
            await asyncio.sleep(0)
            proxy.cut()
            proxy.heal()
            accepted = await acting
            again = await connection.act(table, move, turn, command_id="only-once")
            assert again == accepted
            assert accepted.move == move


async def test_after_a_break_it_says_so_and_no_chat_is_missed(proxy: Proxy, gateway: Gateway) -> None:
    watcher = await sign_in_guest(gateway, "test")
    async with Gateway(proxy.address) as behind:
        session = await sign_in_guest(behind, "test")
        table = await open_table(session)
        async with Connection(session) as connection:
            await connection.match_started(table)
            await connection.attach(table)
            await say(session, table, "one")
            message = await first(connection, ChatMessage)
            assert isinstance(message, ChatMessage)
            proxy.cut()
            assert isinstance(await first(connection, Lost), Lost)
            assert not connection.is_open
            await say(watcher, table, "two")
            await say(watcher, table, "three")
            proxy.heal()
            assert isinstance(await first(connection, Resumed), Resumed)
            texts: list[str] = []
            while len(texts) < 2:
                message = await first(connection, ChatMessage)
                assert isinstance(message, ChatMessage)
                texts.append(message.text)
            assert texts == ["two", "three"]


async def say(session: Session, room: str, text: str) -> None:
    request = SayRequest(room=room, text=text, message_id=text)
    await session.call(session.gateway.chat.Say, request)


async def test_a_newer_connection_takes_the_seat_and_the_old_one_does_not_fight_back(
    gateway: Gateway,
) -> None:
    session = await sign_in_guest(gateway, "test")
    table = await open_table(session)
    async with Connection(session) as old, Connection(session) as new:
        await old.match_started(table)
        assert await old.attach(table) == await new.attach(table)
        closed = await first(old, TableClosed)
        assert isinstance(closed, TableClosed)
        assert closed.reason == gateway_pb2.CLOSE_REASON_REPLACED
        with pytest.raises(Refused) as refused:
            await old.act(table, "abandon", 0)
        assert refused.value.reason == error_pb2.ERROR_REASON_NOT_ATTACHED
        await new.act(table, "abandon", 0)
        assert (await update_of(new, TABLE_STATE_OVER)).public.outcome.ended_by == "abandon"


async def test_what_the_rules_refuse_is_a_typed_error_with_their_code(gateway: Gateway) -> None:
    session = await sign_in_guest(gateway, "test")
    table = await open_table(session)
    async with Connection(session) as connection:
        await connection.match_started(table)
        await connection.attach(table)
        ready = await update_of(connection, TABLE_STATE_READY)
        await connection.ready(table, ready.public.hand)
        update = await update_of(connection, TABLE_STATE_PLAY)
        while not update.own.moves:
            update = await update_of(connection, TABLE_STATE_PLAY)
        with pytest.raises(Refused) as refused:
            await connection.act(table, "play everything", update.own.turn)
        assert refused.value.reason == error_pb2.ERROR_REASON_ILLEGAL_MOVE
        assert refused.value.detail.rule == "unparsable"
        assert not refused.value.passes


async def test_errors_of_calls_are_typed_too(gateway: Gateway) -> None:
    session = await sign_in_guest(gateway, "test")
    with pytest.raises(Refused) as refused:
        await session.call(gateway.lobby.JoinTable, JoinTableRequest(table="tbl_00000000000000000000"))
    assert refused.value.reason == error_pb2.ERROR_REASON_NOT_FOUND
    with pytest.raises(Refused) as refused:
        await gateway.sign_in_guest(session.account.nickname)
    assert refused.value.reason == error_pb2.ERROR_REASON_NICKNAME_TAKEN


async def test_a_gateway_that_is_not_there_is_given_up_after_the_limit(
    gateway: Gateway, proxy: Proxy
) -> None:
    session = await sign_in_guest(gateway, "test")
    proxy.cut()
    async with Gateway(proxy.address) as nowhere:
        connection = Connection(Session(nowhere, session.account, session.tokens, session._renew))
        with pytest.raises(Refused) as refused:
            await connection.open(limit_s=1.0)
        assert refused.value.reason == error_pb2.ERROR_REASON_UNAVAILABLE


async def test_a_session_that_is_over_ends_the_connection(gateway: Gateway) -> None:
    session = await sign_in_guest(gateway, "test")
    forged = Session(gateway, session.account, Tokens(access="no token", refresh="no token"), session._renew)
    with pytest.raises(Refused) as refused:
        await Connection(forged).open()
    assert refused.value.reason == error_pb2.ERROR_REASON_UNAUTHENTICATED


async def test_a_token_is_renewed_on_the_open_connection(gateway: Gateway) -> None:
    session = await sign_in_guest(gateway, "test")
    table = await open_table(session)
    async with Connection(session) as connection:
        old = session.tokens.access
        session.tokens.access_expires.FromJsonString("2020-01-01T00:00:00Z")
        connection._wire.end(Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "cut by the test"))  # type: ignore[union-attr]
        await first(connection, Resumed)
        await connection.match_started(table)
        assert await connection.attach(table) is not None
        assert session.tokens.access != old


async def test_two_programs_of_one_nickname_share_the_kept_tokens(gateway: Gateway, tmp_path: Path) -> None:
    nickname = (await sign_in_guest(gateway, "test")).account.nickname + "x"
    saved = SavedSession(tmp_path, nickname)
    one = await saved.create(gateway, nickname)
    other = await SavedSession(tmp_path, nickname).open(gateway)
    assert other is not None
    tokens = await asyncio.gather(one.access(renew=True), other.access(renew=True))
    assert tokens[0] == tokens[1]  # whoever came second took what the first had written
    assert other.account.id == one.account.id
    saved.keep_notice(7)
    saved.keep_notice(3)
    assert SavedSession(tmp_path, nickname.upper()).last_notice == 7


def update(version: int, table: str = "tbl_a", *, info: bool = False) -> TableUpdate:
    return TableUpdate(table=table, version=version, info=TableInfo(game="scopa") if info else None)


async def test_of_updates_only_the_newest_of_a_table_waits_and_who_sits_there_is_kept() -> None:
    inbox = Inbox()
    inbox.put_update(update(1, info=True))
    inbox.put(Lost("gone"))
    inbox.put_update(update(2))
    inbox.put_update(update(5, "tbl_b"))
    inbox.put_update(update(3))
    events = [await inbox.get() for _ in range(3)]
    newest, lost, other = events
    assert isinstance(newest, TableUpdate)
    assert (newest.version, newest.info.game) == (3, "scopa")
    assert isinstance(lost, Lost)
    assert isinstance(other, TableUpdate)
    assert other.version == 5


async def test_a_full_inbox_says_so_throws_nothing_away_and_has_room_when_half_is_read() -> None:
    inbox = Inbox(most=4)
    assert [inbox.put(Notice(number=number)) for number in range(5)] == [True, True, True, False, False]
    waiting = asyncio.create_task(inbox.has_room())
    got = [await inbox.get() for _ in range(2)]
    assert not waiting.done()
    got += [await inbox.get()]
    await waiting
    got += [await inbox.get(), await inbox.get()]
    assert [event.number for event in got if isinstance(event, Notice)] == [0, 1, 2, 3, 4]


async def test_what_waits_is_read_before_the_end() -> None:
    inbox = Inbox()
    inbox.put(Lost("gone"))
    inbox.end(Refused.of(error_pb2.ERROR_REASON_UNAUTHENTICATED, "over"))
    assert isinstance(await inbox.get(), Lost)
    with pytest.raises(Refused):
        await inbox.get()
