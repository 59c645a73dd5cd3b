"""Workers, NATS or the gateway go away under a connection: commands are answered, tables attached again."""

import asyncio
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial

import aiohttp
import pytest
import pytest_asyncio
from tavolo.table.v1.table_pb2 import MoveAccepted
from tavolo.table.v1.view_pb2 import TABLE_STATE_OVER

from services.cli.cluster import Cluster
from tests.gateway.support import Guest, addresses_of, guest, play_out, seated, step, until_play
from tests.support.clients import Ended, GatewayClient, Refused
from tests.support.waiting import wait_for

_COME_BACK = {"UNAVAILABLE", "OUTCOME_UNKNOWN", "NOT_OWNER"}


@pytest_asyncio.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    """Closes what a test opens."""
    async with AsyncExitStack() as found:
        yield found


async def pair(stack: AsyncExitStack, cluster: Cluster) -> tuple[Guest, Guest]:
    """Two guests."""
    one, other = await guest("proto", addresses_of(cluster)), await guest("json", addresses_of(cluster))
    for player in (one, other):
        await stack.enter_async_context(player.client)
    return one, other


async def until_accepted(move: Callable[[], Awaitable[MoveAccepted]]) -> MoveAccepted:
    """Sends the same command again while the platform says that it may be sent again."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await move()
            except Refused as refused:
                if refused.reason not in _COME_BACK:
                    raise


async def owner(cluster: Cluster, table: str) -> str:
    """The worker that has loaded the table, by its metrics of shards held and tables in play."""
    for name in cluster.workers:
        address = cluster.address(name, "http")
        async with aiohttp.ClientSession() as session, session.get(f"http://{address}/metrics") as response:
            text = await response.text()
        loaded = [line for line in text.splitlines() if line.startswith("tavolo_table_engine_tables")]
        if any(float(line.rpartition(" ")[2]) > 0 for line in loaded):
            return name
    raise AssertionError(f"nobody has {table}")


async def test_moves_are_answered_though_the_owner_is_killed(
    own_cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await pair(stack, own_cluster)
    table = await seated(one, other, '{"target": 51}')
    mover, _, update = await until_play(one, other, table)
    await mover.client.act(table, update.own.moves[0].text, update.own.turn)
    players = [asyncio.create_task(_play_through(player, table)) for player in (one, other)]
    await one.client.update(table, update.version + 4)
    victim = await owner(own_cluster, table)
    own_cluster.kill(victim)
    ends = await asyncio.gather(*players)
    assert ends[0] == ends[1]
    assert one.client.ended is None
    assert other.client.ended is None


async def _play_through(player: Guest, table: str) -> int:
    """Plays to the end, repeating what is said to be repeatable; the last version."""
    version = 0
    while True:
        update = await player.client.update(table, version)
        version = update.version
        if update.public.state == TABLE_STATE_OVER:
            return version
        if update.own.moves:
            command, turn = secrets.token_hex(8), update.own.turn
            text = update.own.moves[0].text
            try:
                await until_accepted(partial(player.client.act, table, text, turn, command))
            except Refused as refused:
                if refused.reason != "STALE_TURN":
                    raise
        else:
            await step(player.client, table, update)


async def test_a_command_without_an_answer_is_unknown_and_counts_once_when_repeated(
    own_cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await pair(stack, own_cluster)
    table = await seated(one, other)
    mover, waiter, update = await until_play(one, other, table)
    move = update.own.moves[0].text
    for name in own_cluster.workers:
        own_cluster.kill(name, signal.SIGSTOP)
    try:
        with pytest.raises(Refused) as refused:
            await mover.client.act(table, move, update.own.turn, "the-command")
        assert refused.value.reason == "OUTCOME_UNKNOWN"
    finally:
        for name in own_cluster.workers:
            own_cluster.kill(name, signal.SIGCONT)
    accepted = await until_accepted(lambda: mover.client.act(table, move, update.own.turn, "the-command"))
    seen = await waiter.client.update(table, update.version)
    assert seen.version >= accepted.version
    assert await mover.client.act(table, move, update.own.turn, "the-command") == accepted
    ends = await asyncio.gather(*(play_out(player.client, table) for player in (one, other)))
    assert ends[0].version == ends[1].version


async def test_play_goes_on_after_nats_was_killed(own_cluster: Cluster, stack: AsyncExitStack) -> None:
    one, other = await pair(stack, own_cluster)
    table = await seated(one, other, '{"target": 31}')
    await until_play(one, other, table)
    own_cluster.kill("nats")
    ends = await asyncio.gather(*(_play_through(player, table) for player in (one, other)))
    assert ends[0] == ends[1]


async def test_clients_resume_at_the_same_seats_after_the_gateway_was_killed(
    own_cluster: Cluster, stack: AsyncExitStack
) -> None:
    one, other = await pair(stack, own_cluster)
    table = await seated(one, other)
    await until_play(one, other, table)
    seats = {player.account: player.client.updates[table].own.seat for player in (one, other)}
    own_cluster.kill("gateway")
    for player in (one, other):
        assert (await player.client.end()).reason == ""
        with pytest.raises(Ended):
            await player.client.act(table, "7d", 1)
    await own_cluster.ready("gateway")
    resumed = []
    for player in (one, other):
        client = await stack.enter_async_context(await GatewayClient.open("grpc", addresses_of(own_cluster)))
        welcome = await wait_for(partial(_hello, client, player.token), 20, "the token is accepted")
        assert list(welcome.tables) == [table]
        assert (await client.attach(table)).seat == seats[player.account]
        resumed.append(client)
    ends = await asyncio.gather(*(play_out(client, table) for client in resumed))
    assert ends[0].version == ends[1].version


async def _hello(client: GatewayClient, token: str) -> object:
    try:
        return await client.hello(token)
    except Refused as refused:
        if refused.reason != "UNAVAILABLE":
            raise
        return None
