"""From the last seat to the match, with real scoring and a real engine, through deaths and refusals."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest_asyncio
from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1.gateway_pb2 import Notice
from tavolo.lobby.v1 import lobby_pb2
from tavolo.scoring.v1.scoring_pb2 import GetWalletRequest
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from tavolo.table.v1 import view_pb2
from tavolo.table.v1.result_pb2 import MatchResult

from services.runtime import notices
from services.runtime.bus import Bus
from services.runtime.errors import TavoloError, invalid, unavailable
from services.runtime.ids import new_id
from services.runtime.shards import result_subject
from services.runtime.streams import StorageType, StreamConfig
from tests.lobby.conftest import NOWHERE
from tests.lobby.engines import failing_engine
from tests.lobby.people import People, Player, outcome, refusal
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services, connect_bus
from tests.support.waiting import wait_for

LIMIT_S = 20
RESULTS = StreamConfig(name="TABLE_RESULTS", subjects=["tavolo.table.result.>"], storage=StorageType.FILE)


class House:
    """NATS of its own, and the services of one test."""

    def __init__(self, nats: NatsServer, services: Services, bus: Bus, identities: Identities) -> None:
        self.nats = nats
        self.services = services
        self.bus = bus
        self.identities = identities

    async def scoring(self) -> Service:
        return await self.services("scoring")

    async def lobby(self, **env: str) -> Service:
        return await self.services("lobby", {**NOWHERE, **env})

    @asynccontextmanager
    async def people(self, lobby: Service) -> AsyncIterator[People]:
        async with self.identities.channel(lobby.grpc, "lobby") as channel:
            yield People(channel)

    async def told(self, account: str) -> list[Notice]:
        """The lobby's notices to an account, oldest first."""
        await wait_for(lambda: self.bus.connected, LIMIT_S, "the test is connected to NATS")
        stored = await self.bus.read_subject(notices.STREAM, notices.subject("lobby", account))
        return [Notice.FromString(each.data) for each in stored]

    async def starts(self, account: str) -> list[tuple[str, int]]:
        """(match, seat) of each match that the account was told to have begun."""
        told = await self.told(account)
        begun = [each.match_started for each in told if each.HasField("match_started")]
        return [(each.match, each.seat) for each in begun]

    async def changes(self, account: str) -> list[str]:
        """What the account was told of its tables."""
        return [
            each.table_changed.text for each in await self.told(account) if each.HasField("table_changed")
        ]

    async def wallet(self, scoring: Service, who: Player) -> tuple[int, int]:
        """Cents that the account may spend, and those that are held."""
        async with self.identities.channel(scoring.grpc, "scoring") as channel:
            found = await ScoringServiceStub(channel).GetWallet(GetWalletRequest(), metadata=who.metadata)
        return found.balance.cents, found.held.cents


@pytest_asyncio.fixture
async def house(tmp_path: Path, identities: Identities, postgres: PostgresServer) -> AsyncIterator[House]:
    nats = NatsServer(tmp_path)
    await nats.start()
    services = Services(tmp_path, identities, nats, postgres)
    bus = await connect_bus(nats.url)
    yield House(nats, services, bus, identities)
    await services.stop()
    await bus.close()
    await nats.stop()


async def pair(people: People, **fields: Any) -> tuple[Player, Player, str]:
    """Two people who have just filled a table."""
    host, guest = await people.guest(), await people.guest()
    table = await host.open(**fields)
    await guest.join(table.id)
    return host, guest, table.id


async def test_a_full_table_is_played_at_and_everybody_is_told_once(house: House) -> None:
    scoring = await house.scoring()
    await house.services("table_engine")
    lobby = await house.lobby(TAVOLO_SCORING_TARGET=scoring.grpc, TAVOLO_LOBBY_TABLE_TARGET="")
    async with house.people(lobby) as people:
        host, guest, table = await pair(people, stake=300)
        await wait_for(partial(host.is_in, table, "PLAYING"), LIMIT_S)
        match = (await host.get(table)).match
        for who, seat in ((host, 0), (guest, 1)):
            await wait_for(partial(house.starts, who.id), LIMIT_S)
            assert await house.starts(who.id) == [(match, seat)]
            assert await house.wallet(scoring, who) == (99_700, 300)
        assert len(await house.changes(host.id)) == 1
        assert await house.changes(guest.id) == []
        assert (await refusal(guest.leave(table))).reason == error_pb2.ERROR_REASON_TABLE_CLOSED


async def test_a_start_that_was_interrupted_goes_on_with_the_next_process(house: House) -> None:
    scoring = await house.services("scoring", start=False)
    port = scoring.child.program.env["TAVOLO_SCORING_GRPC_PORT"]
    lobby = await house.lobby(TAVOLO_SCORING_TARGET=f"127.0.0.1:{port}", TAVOLO_LOBBY_TABLE_TARGET="")
    async with house.people(lobby) as people:
        host, guest, table = await pair(people)
        assert await host.is_in(table, "STARTING")
    await lobby.kill()
    await house.services("table_engine")
    await scoring.start()
    await lobby.start()
    async with house.people(lobby) as people:
        host.lobby = guest.lobby = people.lobby
        await wait_for(partial(host.is_in, table, "PLAYING"), LIMIT_S)
        match = (await host.get(table)).match
        for who, seat in ((host, 0), (guest, 1)):
            await wait_for(partial(house.starts, who.id), LIMIT_S)
            assert await house.starts(who.id) == [(match, seat)]


async def test_an_engine_that_is_away_is_asked_again_for_the_same_match(house: House) -> None:
    scoring = await house.scoring()
    away = [
        unavailable("away"),
        TavoloError(error_pb2.ERROR_REASON_OUTCOME_UNKNOWN, "unknown"),
        unavailable("away"),
    ]
    async with failing_engine(*away) as engine:
        lobby = await house.lobby(
            TAVOLO_SCORING_TARGET=scoring.grpc, TAVOLO_LOBBY_TABLE_TARGET=engine.address
        )
        async with house.people(lobby) as people:
            host, guest, table = await pair(people)
            await wait_for(partial(host.is_in, table, "PLAYING"), LIMIT_S)
            assert len(engine.calls) == 4
            assert {call.SerializeToString() for call in engine.calls} == {
                engine.calls[0].SerializeToString()
            }
            assert [seat.side for seat in engine.calls[0].seats] == [0, 1]
            assert [seat.account for seat in engine.calls[0].seats] == [host.id, guest.id]
            assert await house.wallet(scoring, host) == (99_900, 100)


async def test_what_the_engine_refuses_for_good_closes_the_table_and_gives_the_stakes_back(
    house: House,
) -> None:
    scoring = await house.scoring()
    async with failing_engine(invalid("options", "cannot be played")) as engine:
        lobby = await house.lobby(
            TAVOLO_SCORING_TARGET=scoring.grpc, TAVOLO_LOBBY_TABLE_TARGET=engine.address
        )
        async with house.people(lobby) as people:
            host, guest, table = await pair(people, stake=500)
            await wait_for(partial(host.is_in, table, "CLOSED"), LIMIT_S)
            assert len(engine.calls) == 1
            for who in (host, guest):
                assert await house.wallet(scoring, who) == (100_000, 0)
                assert await who.seats() == []
                told = await wait_for(partial(house.changes, who.id), LIMIT_S)
                assert "could not be started" in told[-1]
            await host.open()


async def test_who_cannot_pay_loses_the_seat_and_the_table_is_open_again(house: House) -> None:
    scoring = await house.scoring()
    async with failing_engine() as engine:
        lobby = await house.lobby(
            TAVOLO_SCORING_TARGET=scoring.grpc,
            TAVOLO_LOBBY_TABLE_TARGET=engine.address,
            TAVOLO_LOBBY_MOST_STAKE_CENTS="1000000",
        )
        async with house.people(lobby) as people:
            host, guest, table = await pair(people, stake=100_001)
            await wait_for(partial(host.is_in, table, "OPEN"), LIMIT_S)
            found = await host.get(table)
            assert [seat.account for seat in found.seats] == ["", guest.id]
            assert (found.match, await host.seats()) == ("", [])
            assert "does not cover" in (await wait_for(partial(house.changes, host.id), LIMIT_S))[-1]
            assert host.account.nickname in (await wait_for(partial(house.changes, guest.id), LIMIT_S))[-1]
            assert engine.calls == []
            await host.open(stake=0)
            await guest.add_computer(table)
            await wait_for(partial(guest.is_in, table, "CLOSED"), LIMIT_S)
            assert await house.wallet(scoring, guest) == (100_000, 0)


async def test_a_result_closes_the_table_once_and_nonsense_does_not_stop_the_next(house: House) -> None:
    await house.bus.ensure_stream(RESULTS)
    scoring = await house.scoring()
    async with failing_engine() as engine:
        lobby = await house.lobby(
            TAVOLO_SCORING_TARGET=scoring.grpc, TAVOLO_LOBBY_TABLE_TARGET=engine.address
        )
        async with house.people(lobby) as people:
            host, guest, table = await pair(people)
            other_host, _, other_table = await pair(people)
            await wait_for(partial(host.is_in, table, "PLAYING"), LIMIT_S)
            await wait_for(partial(host.is_in, other_table, "PLAYING"), LIMIT_S)
            match = (await host.get(table)).match
            outcome = view_pb2.Outcome(ended_by="target")
            foreign = MatchResult(table=other_table, match=new_id("mch"), outcome=outcome)
            own = MatchResult(table=table, match=match, outcome=outcome)
            await house.bus.append(result_subject(table), b"\xff\xff no result")
            await house.bus.append(result_subject(other_table), foreign.SerializeToString())
            for _ in range(2):
                await house.bus.append(result_subject(table), own.SerializeToString())
            await wait_for(partial(host.is_in, table, "CLOSED"), LIMIT_S)
            assert await host.seats() == await guest.seats() == []
            assert await other_host.is_in(other_table, "PLAYING")
            assert (await host.open()).state == lobby_pb2.ROOM_STATE_OPEN


async def test_notices_wait_for_nats_and_then_come_once_in_order(house: House) -> None:
    lobby = await house.lobby()
    async with house.people(lobby) as people:
        host = await people.guest()
        table = await host.open(options='{"seats": 4}')
        await house.nats.kill()
        guest = await people.guest()
        await guest.join(table.id)
        await guest.leave(table.id)
        await house.nats.start()

        async def both() -> bool:
            return len(await house.changes(host.id)) >= 2

        await wait_for(both, LIMIT_S)
        name = guest.account.nickname
        assert await house.changes(host.id) == [f"{name} sat down.", f"{name} left."]


async def test_a_lobby_that_dies_with_its_notice_in_the_stream_does_not_tell_it_again(house: House) -> None:
    launcher = [sys.executable, "-m", "tests.lobby.killed_after_publish"]
    dying = await house.services("lobby", NOWHERE, launcher=launcher)
    async with house.people(dying) as people:
        host, guest = await people.guest(), await people.guest()
        table = await host.open(options='{"seats": 4}')
        await guest.join(table.id)
    await wait_for(lambda: not dying.child.running, LIMIT_S, "the lobby was killed")
    lobby = await house.lobby(TAVOLO_DATABASE_URL=dying.child.program.env["TAVOLO_DATABASE_URL"])
    async with house.people(lobby) as people:
        host.lobby = guest.lobby = people.lobby
        await guest.leave(table.id)

        async def left() -> bool:
            return any("left" in text for text in await house.changes(host.id))

        await wait_for(left, LIMIT_S)
        name = guest.account.nickname
        assert await house.changes(host.id) == [f"{name} sat down.", f"{name} left."]


async def test_a_lobby_whose_database_dies_says_so_and_goes_on_after_it(folder: Path, house: House) -> None:
    place = folder / "lobby-own-postgres"
    place.mkdir()
    database = PostgresServer(place)
    await database.start()
    try:
        lobby = await house.lobby(TAVOLO_DATABASE_URL=await database.new_database())
        async with house.people(lobby) as people:
            host = await people.guest()
            table = await host.open()
            await database.kill()
            assert (await refusal(host.get(table.id))).reason == error_pb2.ERROR_REASON_UNAVAILABLE
            await database.start()

            async def answers() -> bool:
                return not isinstance(await outcome(host.get(table.id)), int)

            await wait_for(answers, LIMIT_S)
            assert await host.seats() == [table.id]
        assert lobby.child.running
    finally:
        await database.stop()
