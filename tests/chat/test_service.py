"""Chat as a process, on real NATS and PostgreSQL, with a real lobby for its tables."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from tavolo.chat.v1 import chat_pb2 as pb
from tavolo.chat.v1.chat_pb2_grpc import ChatServiceStub
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.page_pb2 import PageRequest

from services.chat.publisher import STREAM, subject
from services.runtime.bus import Bus
from services.runtime.errors import TavoloError, from_rpc_error
from services.runtime.ids import new_id
from tests.lobby.conftest import NOWHERE
from tests.lobby.people import People, Player
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services, connect_bus
from tests.support.waiting import wait_for

LIMIT_S = 20
FAST = {"TAVOLO_CHAT_FLOOD_BURST": "10000"}


class Talk:
    """Chat, its lobby, NATS of their own, and people."""

    def __init__(
        self, nats: NatsServer, services: Services, bus: Bus, lobby: Service, people: People
    ) -> None:
        self.nats = nats
        self.services = services
        self.bus = bus
        self.lobby = lobby
        self.people = people
        self.chat: Any = None
        self.service: Service

    async def start(self, identities: Identities, launcher: str = "", **env: str) -> Service:
        """Starts a chat, or another one in its place on the same record."""
        settings = {**FAST, "TAVOLO_LOBBY_TARGET": self.lobby.grpc, **env}
        if self.chat is not None:
            settings["TAVOLO_DATABASE_URL"] = self.service.child.program.env["TAVOLO_DATABASE_URL"]
        line = [sys.executable, "-m", launcher] if launcher else None
        self.service = await self.services("chat", settings, launcher=line)
        self.chat = ChatServiceStub(identities.channel(self.service.grpc, "chat"))
        return self.service

    async def say(self, who: Player, room: str, text: str, message_id: str = "") -> pb.ChatMessage:
        request = pb.SayRequest(room=room, text=text, message_id=message_id or new_id("msg"))
        response = await self.chat.Say(request, metadata=who.metadata)
        found: pb.ChatMessage = response.message
        return found

    async def history(self, who: Player, room: str, after: int = 0, size: int = 0, token: str = "") -> Any:
        request = pb.ListMessagesRequest(room=room, after=after, page=PageRequest(size=size, token=token))
        return await self.chat.ListMessages(request, metadata=who.metadata)

    async def published(self, room: str) -> list[pb.ChatMessage]:
        """What the stream has of a room."""
        await wait_for(lambda: self.bus.connected, LIMIT_S, "the test is connected to NATS")
        return [
            pb.ChatMessage.FromString(each.data)
            for each in await self.bus.read_subject(STREAM, subject(room))
        ]

    async def publishes(self, room: str, texts: list[str]) -> None:
        """The stream gets exactly this, in this order, with numbers from 1 on."""

        async def complete() -> bool:
            return len(await self.published(room)) >= len(texts)

        await wait_for(complete, LIMIT_S, f"{len(texts)} messages are published")
        found = await self.published(room)
        assert [each.text for each in found] == texts
        assert [each.number for each in found] == list(range(1, len(texts) + 1))


@pytest_asyncio.fixture
async def talk(tmp_path: Path, identities: Identities, postgres: PostgresServer) -> AsyncIterator[Talk]:
    nats = NatsServer(tmp_path)
    await nats.start()
    services = Services(tmp_path, identities, nats, postgres)
    lobby = await services("lobby", NOWHERE)
    bus = await connect_bus(nats.url)
    async with identities.channel(lobby.grpc, "lobby") as channel:
        yield Talk(nats, services, bus, lobby, People(channel))
    await services.stop()
    await bus.close()
    await nats.stop()


@pytest_asyncio.fixture
async def chat(talk: Talk, identities: Identities) -> Talk:
    await talk.start(identities)
    return talk


async def refusal(call: Any) -> TavoloError:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return from_rpc_error(refused.value)


async def test_what_is_said_is_shown_recorded_and_published_in_order(chat: Talk) -> None:
    anna, bruno = await chat.people.guest(), await chat.people.guest()
    first = await chat.say(anna, "lobby", "  ciao   a\u200b tutti ")
    assert (first.room, first.number, first.text) == ("lobby", 1, "ciao a tutti")
    assert (first.account, first.nickname) == (anna.id, anna.account.nickname)
    assert first.time.seconds > 0
    second = await chat.say(bruno, "lobby", "che cazzo di carte")
    assert (second.number, second.text) == (2, "che c**** di carte")
    history = await chat.history(anna, "lobby")
    assert list(history.messages) == [first, second]
    await chat.publishes("lobby", ["ciao a tutti", "che c**** di carte"])
    assert (await chat.published("lobby"))[0] == first


async def test_a_message_id_counts_once_an_account(chat: Talk) -> None:
    anna, bruno = await chat.people.guest(), await chat.people.guest()
    results = await asyncio.gather(*(chat.say(anna, "lobby", "una volta", "m1") for _ in range(5)))
    assert len({each.SerializeToString() for each in results}) == 1
    reused = await refusal(chat.say(anna, "lobby", "altro", "m1"))
    assert (reused.reason, reused.field) == (error_pb2.ERROR_REASON_ID_REUSED, "message_id")
    assert (await chat.say(bruno, "lobby", "altro", "m1")).number == 2
    await chat.publishes("lobby", ["una volta", "altro"])


async def test_many_at_once_get_numbers_without_gap_or_repetition(chat: Talk) -> None:
    crowd = [await chat.people.guest() for _ in range(5)]
    said = await asyncio.gather(*(chat.say(who, "lobby", f"{n}") for n in range(8) for who in crowd))
    assert sorted(each.number for each in said) == list(range(1, 41))
    by_number = {each.number: each.text for each in said}
    await chat.publishes("lobby", [by_number[number] for number in range(1, 41)])


async def test_each_table_has_a_room_and_other_rooms_are_not_there(chat: Talk) -> None:
    anna, bruno = await chat.people.guest(), await chat.people.guest()
    table = (await anna.open()).id
    assert (await chat.history(bruno, table)).messages == []
    assert (await chat.say(bruno, table, "posso?")).number == 1
    assert (await chat.say(anna, "lobby", "chi gioca?")).number == 1
    await chat.lobby.kill()
    assert (await chat.say(anna, table, "certo")).number == 2
    assert [each.text for each in (await chat.history(anna, table)).messages] == ["posso?", "certo"]
    other = await refusal(chat.say(anna, new_id("tbl"), "c'è qualcuno?"))
    assert other.reason == error_pb2.ERROR_REASON_UNAVAILABLE
    await chat.lobby.start()

    async def answered() -> bool:
        found = await refusal(chat.say(anna, new_id("tbl"), "c'è qualcuno?"))
        return (found.reason, found.field) == (error_pb2.ERROR_REASON_NOT_FOUND, "room")

    await wait_for(answered, LIMIT_S)
    for room in ("", "tbl_*", "lobby.>", "LOBBY", "x" * 500):
        assert (await refusal(chat.say(anna, room, "ciao"))).reason == error_pb2.ERROR_REASON_NOT_FOUND
        assert (await refusal(chat.history(anna, room))).reason == error_pb2.ERROR_REASON_NOT_FOUND


async def test_refused_messages_are_not_shown_and_refused_again_with_the_same_id(chat: Talk) -> None:
    anna = await chat.people.guest()
    for text in ("guardate www.trucchi.com", "frocio", "", "\u200b", "x y " * 100):
        for _ in range(2):
            refused = await refusal(chat.say(anna, "lobby", text, f"m{len(text)}"))
            assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_MESSAGE_REFUSED, "text")
    assert (await chat.say(anna, "lobby", "scusate")).number == 1
    assert [each.text for each in (await chat.history(anna, "lobby")).messages] == ["scusate"]
    await chat.publishes("lobby", ["scusate"])


async def test_a_flood_is_stopped_by_account_and_room_and_costs_nothing_else(
    talk: Talk, identities: Identities
) -> None:
    await talk.start(identities, TAVOLO_CHAT_FLOOD_BURST="3", TAVOLO_CHAT_FLOOD_WINDOW_S="600")
    anna, bruno = await talk.people.guest(), await talk.people.guest()
    table = (await anna.open()).id
    results = await asyncio.gather(
        *(talk.say(anna, "lobby", f"{n}", f"m{n}") for n in range(6)), return_exceptions=True
    )
    accepted = [each for each in results if isinstance(each, pb.ChatMessage)]
    assert len(accepted) == 3
    limited = await refusal(talk.say(anna, "lobby", "ancora"))
    assert limited.reason == error_pb2.ERROR_REASON_RATE_LIMITED
    assert limited.retry_after_s is not None
    assert 0 < limited.retry_after_s <= 600
    again = accepted[0]
    repeated = await talk.say(anna, "lobby", again.text, f"m{again.text}")
    assert repeated == again
    await talk.say(anna, table, "qui sì")
    await talk.say(bruno, "lobby", "ciao")
    await talk.service.kill()
    await talk.start(identities, TAVOLO_CHAT_FLOOD_BURST="3", TAVOLO_CHAT_FLOOD_WINDOW_S="600")
    assert (await refusal(talk.say(anna, "lobby", "ora?"))).reason == error_pb2.ERROR_REASON_RATE_LIMITED


async def test_only_who_is_signed_in_speaks_and_reads(chat: Talk) -> None:
    say, read = pb.SayRequest(room="lobby", text="x", message_id="m"), pb.ListMessagesRequest(room="lobby")
    for call in (chat.chat.Say(say), chat.chat.ListMessages(read)):
        assert (await refusal(call)).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED
    forged = (("authorization", "Bearer a.b.c"),)
    assert (
        await refusal(chat.chat.Say(say, metadata=forged))
    ).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED


@pytest.mark.parametrize("message_id", ["", "x" * 65, "a b", "ü"])
async def test_a_message_needs_a_usable_id(chat: Talk, message_id: str) -> None:
    anna = await chat.people.guest()
    request = pb.SayRequest(room="lobby", text="ciao", message_id=message_id)
    refused = await refusal(chat.chat.Say(request, metadata=anna.metadata))
    assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, "message_id")


async def test_history_comes_page_by_page_and_from_a_number_on(chat: Talk) -> None:
    anna = await chat.people.guest()
    for number in range(1, 8):
        await chat.say(anna, "lobby", f"messaggio {number}")
    pages, token = [], ""
    while True:
        found = await chat.history(anna, "lobby", after=1, size=3, token=token)
        pages.append([each.number for each in found.messages])
        token = found.page.next
        if not token:
            break
    assert pages == [[2, 3, 4], [5, 6, 7]]
    assert not (await chat.history(anna, "lobby", after=2**64 - 1)).messages
    refused = await refusal(chat.history(anna, "lobby", token="nonsense"))
    assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, "page.token")


@pytest.mark.parametrize("launcher", ["tests.chat.killed_before_publish", "tests.chat.killed_after_publish"])
async def test_a_chat_that_dies_between_record_and_stream_publishes_once_in_order(
    talk: Talk, identities: Identities, launcher: str
) -> None:
    dying = await talk.start(identities, launcher)
    anna = await talk.people.guest()
    said = [f"messaggio {number}" for number in range(3)]
    sent = talk.say(anna, "lobby", said[0], "m0")
    await asyncio.gather(sent, return_exceptions=True)
    await wait_for(lambda: not dying.child.running, LIMIT_S, "the chat was killed")
    await talk.start(identities)
    for number, text in enumerate(said):
        assert (await talk.say(anna, "lobby", text, f"m{number}")).number == number + 1
    await talk.publishes("lobby", said)


async def test_messages_wait_for_nats_and_then_come_once_in_order(chat: Talk) -> None:
    anna = await chat.people.guest()
    said = [f"messaggio {number}" for number in range(6)]
    await chat.say(anna, "lobby", said[0])
    await chat.publishes("lobby", said[:1])
    await chat.nats.kill()
    for text in said[1:]:
        await chat.say(anna, "lobby", text)
    await chat.nats.start()
    await chat.publishes("lobby", said)


async def test_two_chats_on_one_record_publish_once_in_order(chat: Talk, identities: Identities) -> None:
    first = chat.chat
    await chat.start(identities)
    anna, bruno = await chat.people.guest(), await chat.people.guest()
    second = chat.chat

    async def talk_on(stub: Any, who: Player) -> list[pb.ChatMessage]:
        said = []
        for number in range(15):
            request = pb.SayRequest(room="lobby", text=f"{who.id} {number}", message_id=f"m{number}")
            said.append((await stub.Say(request, metadata=who.metadata)).message)
        return said

    results = await asyncio.gather(talk_on(first, anna), talk_on(second, bruno))
    texts = {each.number: each.text for said in results for each in said}
    await chat.publishes("lobby", [texts[number] for number in sorted(texts)])
