"""Playing through a cluster's gateway: matches, resuming, taking over, slow clients, what is passed on."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from tavolo.chat.v1 import chat_pb2
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.lobby.v1 import account_pb2, lobby_pb2
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceStub
from tavolo.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from tavolo.scoring.v1 import scoring_pb2
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceStub

from services.cli.cluster import Cluster
from services.runtime.auth import ServiceSigner, read_private_key
from services.runtime.errors import from_rpc_error, reason_name
from services.runtime.ids import new_id
from tests.gateway.support import (
    CHAT,
    LOBBY,
    SCORING,
    DeafClient,
    Guest,
    addresses_of,
    extra_gateway,
    guest,
    play_out,
    seated,
    until_play,
)
from tests.support.clients import KINDS, GatewayClient, Kind, Refused


@pytest_asyncio.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    """Closes what a test opens."""
    async with AsyncExitStack() as found:
        yield found


async def enter(stack: AsyncExitStack, kind: Kind, cluster: Cluster) -> Guest:
    """A new guest, gone at the end of the test."""
    found = await guest(kind, addresses_of(cluster))
    await stack.enter_async_context(found.client)
    return found


async def again(stack: AsyncExitStack, kind: Kind, cluster: Cluster, who: Guest) -> Guest:
    """Another connection of the same account, before its hello."""
    client = await stack.enter_async_context(await GatewayClient.open(kind, addresses_of(cluster)))
    return Guest(who.account, who.token, client)


async def settled(client: GatewayClient) -> pb.MatchSettled:
    while not (notice := (await client.event("notice")).notice).HasField("match_settled"):
        pass
    return notice.match_settled


# ---------------------------------------------------------------------------------------------------- matches


@pytest.mark.parametrize(("one", "other"), [("grpc", "json"), ("json", "proto"), ("proto", "grpc")])
async def test_a_whole_match_is_played_and_settled_over_every_pair_of_transports(
    cluster: Cluster, stack: AsyncExitStack, one: Kind, other: Kind
) -> None:
    players = (await enter(stack, one, cluster), await enter(stack, other, cluster))
    table = await seated(*players)
    ends = await asyncio.gather(*(play_out(player.client, table) for player in players))
    assert ends[0].public.outcome == ends[1].public.outcome
    lines = [await settled(player.client) for player in players]
    assert sorted(line.delta_cents for line in lines) == [-100, 100]
    match = await players[0].client.call(
        f"{SCORING}GetMatch", scoring_pb2.GetMatchRequest(match=lines[0].match), scoring_pb2.GetMatchResponse
    )
    assert len(match.match.settlement_transactions) == 1
    assert match.match.result.outcome == ends[0].public.outcome


async def test_a_spectator_sees_the_public_view_and_nobodys_cards(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await enter(stack, "grpc", cluster), await enter(stack, "json", cluster)
    watchers = [await enter(stack, kind, cluster) for kind in KINDS]
    table = await seated(one, other)
    for watcher in watchers:
        assert not (await watcher.client.attach(table, watch=True)).HasField("seat")
    mover, _, update = await until_play(one, other, table)
    await mover.client.act(table, update.own.moves[0].text, update.own.turn)
    views = [await watcher.client.update(table, update.version) for watcher in watchers]
    for view in views:
        assert not view.HasField("own")
        assert all(not zone.cards for zone in view.public.zones if zone.kind == "hands")
        assert view.public.zones == views[0].public.zones
    with pytest.raises(Refused) as refused:
        await watchers[0].client.act(table, "7d", update.own.turn)
    assert refused.value.reason == "NOT_SEATED"


async def test_a_repeated_command_counts_once_and_a_wrong_one_is_refused(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await enter(stack, "proto", cluster), await enter(stack, "json", cluster)
    table = await seated(one, other)
    mover, waiter, update = await until_play(one, other, table)
    move = update.own.moves[0].text
    with pytest.raises(Refused) as refused:
        await mover.client.act(table, "nonsense", update.own.turn)
    assert (refused.value.reason, refused.value.detail.rule) == ("ILLEGAL_MOVE", "unparsable")
    waiting = waiter.client.updates[table].own.turn
    with pytest.raises(Refused) as refused:
        await waiter.client.act(table, move, waiting)
    assert refused.value.reason in ("ILLEGAL_MOVE", "STALE_TURN")
    first = await mover.client.act(table, move, update.own.turn, "the-command")
    assert await mover.client.act(table, move, update.own.turn, "the-command") == first
    with pytest.raises(Refused) as refused:
        await mover.client.act(table, move, update.own.turn, "another")
    assert refused.value.reason == "STALE_TURN"


# ----------------------------------------------------------------------------------- resuming, taking over


async def test_the_newest_connection_takes_the_seat_and_the_old_one_is_told(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await enter(stack, "json", cluster), await enter(stack, "grpc", cluster)
    table = await seated(one, other)
    before = await one.client.update(table)
    second = await again(stack, "proto", cluster, one)
    welcome = await second.client.hello(one.token)
    assert list(welcome.tables) == [table]
    attached = await second.client.attach(table)
    assert attached.seat == before.own.seat
    closed = (await one.client.event("closed")).closed
    assert (closed.table, closed.reason) == (table, pb.CLOSE_REASON_REPLACED)
    with pytest.raises(Refused) as refused:
        await one.client.act(table, "7d", 1)
    assert refused.value.reason == "NOT_ATTACHED"
    mover, _, update = await until_play(second, other, table)
    await mover.client.act(table, update.own.moves[0].text, update.own.turn)
    assert one.client.ended is None


async def test_the_view_is_the_same_after_a_break_whatever_the_form(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await enter(stack, "json", cluster), await enter(stack, "grpc", cluster)
    table = await seated(one, other)
    await until_play(one, other, table)
    before = one.client.updates[table]
    await one.client.close()
    for kind in KINDS:
        resumed = await again(stack, kind, cluster, one)
        await resumed.client.hello(one.token)
        await resumed.client.attach(table)
        update = await resumed.client.update(table)
        assert update.own.zones == before.own.zones
        assert update.own.moves == before.own.moves
        assert update.own.turn == before.own.turn
        assert update.public.zones == before.public.zones
        assert update.info.match


async def test_notices_and_chat_that_were_missed_come_first_and_once(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await enter(stack, "proto", cluster), await enter(stack, "grpc", cluster)
    table = await seated(one, other)
    has = max(
        event.notice.number for event in [pb.ServerMessage(notice=pb.Notice(number=1)), *one.client.events]
    )

    async def say(text: str) -> None:
        request = chat_pb2.SayRequest(room=table, text=text, message_id=secrets.token_hex(8))
        await other.client.call(f"{CHAT}Say", request, chat_pb2.SayResponse)

    await say("buongiorno")
    heard = (await one.client.event("chat")).chat
    assert (heard.room, heard.text) == (table, "buongiorno")
    await one.client.close()
    for text in ("uno", "due", "tre"):
        await say(text)
    update = await other.client.update(table)
    await other.client.act(table, "abandon", 0)
    await other.client.update(table, update.version)
    await settled(other.client)

    resumed = await again(stack, "json", cluster, one)
    await resumed.client.hello(one.token, last_notice=has, chat=[(table, heard.number)])
    line = await settled(resumed.client)
    assert line.delta_cents == 100
    await say("quattro")
    texts = [(await resumed.client.event("chat")).chat.text for _ in range(4)]
    assert texts == ["uno", "due", "tre", "quattro"]
    numbers = [event.notice.number for event in resumed.client.events if event.HasField("notice")]
    assert len(numbers) == len(set(numbers))


async def test_a_first_connection_gets_no_old_notices(cluster: Cluster, stack: AsyncExitStack) -> None:
    one, other = await enter(stack, "proto", cluster), await enter(stack, "grpc", cluster)
    await seated(one, other)
    fresh = await again(stack, "json", cluster, one)
    welcome = await fresh.client.hello(one.token)
    await fresh.client.detach(new_id("tbl"))
    assert not [event for event in fresh.client.events if event.HasField("notice")]
    later = await again(stack, "json", cluster, one)
    await later.client.hello(one.token, last_notice=welcome.last_notice)
    await later.client.detach(new_id("tbl"))
    assert not [event for event in later.client.events if event.HasField("notice")]


async def test_lobby_chat_comes_to_who_reads_it(cluster: Cluster, stack: AsyncExitStack) -> None:
    reader, sayer, stranger = [await enter(stack, kind, cluster) for kind in KINDS]
    await reader.client.call(
        f"{CHAT}ListMessages", chat_pb2.ListMessagesRequest(room="lobby"), chat_pb2.ListMessagesResponse
    )
    text = f"chi gioca {secrets.token_hex(4)}"
    request = chat_pb2.SayRequest(room="lobby", text=text, message_id="m1")
    said = await sayer.client.call(f"{CHAT}Say", request, chat_pb2.SayResponse)
    while (heard := (await reader.client.event("chat")).chat).number < said.message.number:
        pass
    assert heard.text == text
    await stranger.client.detach(new_id("tbl"))
    assert not [event for event in stranger.client.events if event.HasField("chat")]


# ------------------------------------------------------------------------------------------ slow clients


async def test_a_slow_client_gets_the_newest_view_and_ends_only_when_it_misses_what_it_must_have(
    cluster: Cluster, stack: AsyncExitStack, tmp_path: Path
) -> None:
    gateway = await extra_gateway(
        cluster,
        tmp_path,
        {
            "TAVOLO_GATEWAY_QUEUE_MESSAGES": "40",
            "TAVOLO_GATEWAY_MESSAGES_PER_S": "10000",
            "TAVOLO_GATEWAY_MESSAGES_BURST": "10000",
            "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_PER_S": "10000",
            "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_BURST": "10000",
            "TAVOLO_GATEWAY_GOODBYE_S": "20",
        },
    )
    stack.push_async_callback(gateway.stop)
    one, other = await enter(stack, "proto", cluster), await enter(stack, "proto", cluster)
    table = await seated(one, other, '{"target": 51}')
    watcher = await enter(stack, "grpc", cluster)
    deaf = await DeafClient.open(gateway.http)
    await deaf.send(
        pb.ClientMessage(call=1, hello=pb.Hello(token=watcher.token)),
        pb.ClientMessage(call=2, attach=pb.AttachTable(table=table, watch=True)),
    )
    versions: list[int] = []

    def take(frame: list[pb.ServerMessage] | int) -> list[pb.ServerMessage]:
        assert isinstance(frame, list)
        versions.extend(message.table.version for message in frame if message.HasField("table"))
        return frame

    while not versions:
        take(await deaf.frame())
    end, _ = await asyncio.gather(play_out(one.client, table), play_out(other.client, table))
    while versions[-1] < end.version:
        take(await deaf.frame())
    assert versions == sorted(versions)
    assert len(versions) < end.version - versions[0]

    for call in range(3, 400):
        await deaf.send(pb.ClientMessage(call=call, sync=pb.SyncTable(table=table)))
    while True:
        last = take(await deaf.frame())[-1]
        if last.HasField("goodbye"):
            break
    assert last.goodbye.reason == pb.CLOSE_REASON_TOO_SLOW
    await deaf.close()


# --------------------------------------------------------------------------------------- passing calls on


async def test_calls_are_passed_on_as_they_are_and_errors_too(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    me = await enter(stack, "grpc", cluster)
    bearer = (("authorization", f"Bearer {me.token}"),)
    async with grpc.aio.insecure_channel(cluster.address("gateway")) as channel:
        found = await AccountServiceStub(channel).GetMe(
            account_pb2.GetMeRequest(), metadata=bearer, timeout=5
        )
        assert found.account.id == me.account
        request = lobby_pb2.GetTableRequest(table=new_id("tbl"))
        async with grpc.aio.insecure_channel(cluster.address("lobby")) as direct:
            errors = []
            for way in (channel, direct):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await LobbyServiceStub(way).GetTable(request, metadata=bearer, timeout=5)
                errors.append(caught.value)
        assert errors[0].code() == errors[1].code() == grpc.StatusCode.NOT_FOUND
        assert errors[0].details() == errors[1].details()
        assert str(from_rpc_error(errors[0])) == str(from_rpc_error(errors[1]))


async def test_methods_for_services_need_a_services_own_token(
    cluster: Cluster, stack: AsyncExitStack
) -> None:
    me = await enter(stack, "grpc", cluster)
    bearer = ("authorization", f"Bearer {me.token}")
    bots = ServiceSigner("bots", read_private_key(cluster.service_key("bots")))
    chat = ServiceSigner("chat", read_private_key(cluster.service_key("chat")))
    async with grpc.aio.insecure_channel(cluster.address("gateway")) as channel:
        sign_in = AccountServiceStub(channel).SignInComputers
        hold = ScoringServiceStub(channel).HoldStakes
        for call in (
            sign_in(account_pb2.SignInComputersRequest(), metadata=(bearer,), timeout=5),
            sign_in(account_pb2.SignInComputersRequest(), timeout=5),
            hold(scoring_pb2.HoldStakesRequest(), metadata=(bearer,), timeout=5),
            sign_in(
                account_pb2.SignInComputersRequest(),
                metadata=(("x-tavolo-service", chat.token("lobby")),),
                timeout=5,
            ),
            sign_in(
                account_pb2.SignInComputersRequest(),
                metadata=(("x-tavolo-service", bots.token("scoring")),),
                timeout=5,
            ),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            assert reason_name(from_rpc_error(caught.value).reason) in ("NOT_PERMITTED", "UNAUTHENTICATED")
        signed_in = await sign_in(
            account_pb2.SignInComputersRequest(),
            metadata=(("x-tavolo-service", bots.token("lobby")),),
            timeout=5,
        )
        assert len(signed_in.computers) > 0


async def test_a_deadline_is_passed_on(cluster: Cluster) -> None:
    async with grpc.aio.insecure_channel(cluster.address("gateway")) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await AccountServiceStub(channel).GetKeys(account_pb2.GetKeysRequest(), timeout=1e-5)
        assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        assert (await AccountServiceStub(channel).GetKeys(account_pb2.GetKeysRequest(), timeout=5)).jwks


async def test_every_transport_calls_the_services_behind(cluster: Cluster, stack: AsyncExitStack) -> None:
    answers = []
    for kind in KINDS:
        me = await enter(stack, kind, cluster)
        found = await me.client.call(
            f"{LOBBY}ListGames", lobby_pb2.ListGamesRequest(), lobby_pb2.ListGamesResponse
        )
        answers.append(found)
        with pytest.raises(Refused) as refused:
            await me.client.call(
                f"{LOBBY}OpenTable",
                lobby_pb2.OpenTableRequest(request_id="x", game="no such game"),
                lobby_pb2.OpenTableResponse,
            )
        assert refused.value.reason == "UNKNOWN_GAME"
    assert answers[0] == answers[1] == answers[2]
    assert "scopa" in [game.id for game in answers[0].games]
