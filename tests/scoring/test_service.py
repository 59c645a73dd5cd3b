"""Scoring as a process: results by JetStream, calls by gRPC, and what survives its death."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from nats.js.api import StorageType, StreamConfig
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.money_pb2 import Money
from tavolo.gateway.v1.gateway_pb2 import MatchSettled, Notice
from tavolo.scoring.v1 import scoring_pb2 as pb
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from tavolo.table.v1.result_pb2 import MatchResult

from services.runtime import notices
from services.runtime.bus import Bus
from services.runtime.errors import from_rpc_error
from services.runtime.shards import result_subject
from tests.scoring import matches
from tests.scoring.conftest import Token
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services, connect_bus
from tests.support.waiting import wait_for

RESULTS = StreamConfig(name="TABLE_RESULTS", subjects=["tavolo.table.result.>"], storage=StorageType.FILE)
FAST = {"TAVOLO_SCORING_RECONCILE_S": "0.2", "TAVOLO_SCORING_TRIES": "2"}


class Room:
    """Scoring, and what stands around it: the results stream, the lobby's calls, the notices."""

    def __init__(self, service: Service, bus: Bus, identities: Identities, token: Token) -> None:
        self.service = service
        self.bus = bus
        self._token = token
        self.as_lobby = ScoringServiceStub(identities.channel(service.grpc, "scoring", "lobby"))
        self.plain = ScoringServiceStub(identities.channel(service.grpc, "scoring"))

    async def hold(self, result: MatchResult) -> None:
        seats = [pb.StakeSeat(account=seat.account, computer=seat.computer) for seat in result.seats]
        request = pb.HoldStakesRequest(match=result.match, seats=seats, stake=result.stake)
        await self.as_lobby.HoldStakes(request, wait_for_ready=True)

    async def publish(self, result: MatchResult, msg_id: str | None = None) -> None:
        data = result.SerializeToString()
        await self.bus.append(result_subject(result.table), data, msg_id=msg_id or result.match)

    def player(self, account: str, *roles: str) -> dict[str, Any]:
        return {"metadata": (("authorization", f"Bearer {self._token(account, *roles)}"),)}

    async def balance(self, account: str) -> tuple[int, int]:
        wallet = await self.plain.GetWallet(pb.GetWalletRequest(), **self.player(account))
        return wallet.balance.cents, wallet.held.cents

    async def archived(self, match: str, limit_s: float = 20.0) -> pb.ArchivedMatch:
        async def fetch() -> pb.ArchivedMatch | None:
            try:
                response = await self.as_lobby.GetMatch(pb.GetMatchRequest(match=match), wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                if from_rpc_error(error).reason != error_pb2.ERROR_REASON_NOT_FOUND:
                    raise
                return None
            return response.match

        found: pb.ArchivedMatch = await wait_for(fetch, limit_s, f"{match} is archived")
        return found

    async def told(self, account: str) -> list[MatchSettled]:
        """The notices to an account."""
        stored = await self.bus.read_subject(notices.STREAM, notices.subject("scoring", account))
        return [Notice.FromString(each.data).match_settled for each in stored]

    async def settled(self, result: MatchResult, deltas: list[int]) -> None:
        """The match is settled as it should be, once, and everybody was told once."""
        archived = await self.archived(result.match)
        assert list(archived.delta_cents) == deltas
        assert len(archived.settlement_transactions) == 1
        for seat, delta in zip(result.seats, deltas, strict=True):
            assert await self.balance(seat.account) == (100_000 + delta, 0)
            await wait_for(partial(self.told, seat.account), 20, "the notice is published")
            assert [one.match for one in await self.told(seat.account)] == [result.match]
        check = await self.as_lobby.CheckLedger(pb.CheckLedgerRequest())
        assert (check.sum_cents, check.open_escrows, check.bad_settlements, check.wrong_balances) == (
            0,
            0,
            0,
            0,
        )


@pytest_asyncio.fixture
async def own_nats(tmp_path: Path) -> AsyncIterator[NatsServer]:
    """A NATS server of the test's own: what one leaves in the results stream is no result of another."""
    server = NatsServer(tmp_path)
    await server.start()
    yield server
    await server.stop()


@pytest_asyncio.fixture
async def services(
    tmp_path: Path, identities: Identities, own_nats: NatsServer, postgres: PostgresServer
) -> AsyncIterator[Services]:
    made = Services(tmp_path, identities, own_nats, postgres)
    yield made
    await made.stop()


@pytest_asyncio.fixture
async def own_bus(own_nats: NatsServer) -> AsyncIterator[Bus]:
    bus = await connect_bus(own_nats.url)
    await bus.ensure_stream(RESULTS)
    yield bus
    await bus.close()


@pytest_asyncio.fixture
async def room(services: Services, own_bus: Bus, identities: Identities, token: Token) -> Room:
    return Room(await services("scoring", FAST), own_bus, identities, token)


async def refusal(call: Any) -> error_pb2.ErrorReason.ValueType:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return from_rpc_error(refused.value).reason


async def metric(service: Service, name: str) -> float:
    """The sum over all labels of a metric."""
    reader, writer = await asyncio.open_connection(*service.http.split(":"))
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


async def test_from_the_hold_to_the_notice(room: Room) -> None:
    result = matches.result(matches.accounts(2), stake=250)
    await room.hold(result)
    assert await room.balance(result.seats[0].account) == (99_750, 250)
    await room.publish(result)
    await room.settled(result, [250, -250])
    entries = await room.plain.ListEntries(pb.ListEntriesRequest(), **room.player(result.seats[0].account))
    assert [(entry.purpose, entry.amount.cents, entry.match) for entry in entries.entries] == [
        ("settlement", 500, result.match), ("stake", -250, result.match), ("welcome", 100_000, ""),
    ]  # fmt: skip
    (summary,) = (
        await room.plain.ListMatches(pb.ListMatchesRequest(), **room.player(result.seats[1].account))
    ).matches
    assert (summary.match, summary.winner, list(summary.scores)) == (result.match, 0, [12, 9])
    board = await room.plain.GetLeaderboard(
        pb.GetLeaderboardRequest(game="scopa"), **room.player(result.seats[1].account)
    )
    assert [(one.account, one.place) for one in board.standings] == [
        (result.seats[0].account, 1), (result.seats[1].account, 2),
    ]  # fmt: skip


async def test_a_result_that_is_published_again_settles_once(room: Room) -> None:
    result = matches.result(matches.accounts(2))
    await room.hold(result)
    for number in range(5):
        await room.publish(result, f"{result.match}.{number}")
    await room.settled(result, [100, -100])
    await wait_for(lambda: metric(room.service, 'tavolo_scoring_results_total{result="repeated"}'), 20)


async def test_killed_between_commit_and_acknowledgement_it_settles_once(
    services: Services, own_bus: Bus, identities: Identities, token: Token
) -> None:
    doomed = await services(
        "scoring", FAST, launcher=[sys.executable, "-m", "tests.scoring.killed_before_ack"]
    )
    room = Room(doomed, own_bus, identities, token)
    result = matches.result(matches.accounts(2))
    await room.hold(result)
    await room.publish(result)
    await doomed.child.ended()
    database = doomed.child.program.env["TAVOLO_DATABASE_URL"]
    room = Room(
        await services("scoring", {**FAST, "TAVOLO_DATABASE_URL": database}), own_bus, identities, token
    )
    await room.settled(result, [100, -100])
    # What was not acknowledged comes again when JetStream has waited for it; the next result does not wait.
    other = matches.result(matches.accounts(2))
    await room.hold(other)
    await room.publish(other)
    await room.settled(other, [100, -100])


async def test_a_poison_result_goes_to_the_dead_letters_and_the_others_go_on(room: Room) -> None:
    poison = matches.result(matches.accounts(2))
    poison.game = "tombola"
    good = matches.result(matches.accounts(2))
    await room.hold(good)
    await room.publish(poison)
    await room.publish(good)
    await room.settled(good, [100, -100])
    assert await metric(room.service, 'tavolo_scoring_results_total{result="refused"}') >= 1
    dead = await wait_for(
        lambda: room.bus.last("DEAD_LETTERS", "tavolo.dead.TABLE_RESULTS.scoring"), 30, "it is a dead letter"
    )
    assert MatchResult.FromString(dead.data) == poison


async def test_another_result_of_the_same_match_is_an_alarm(room: Room) -> None:
    result = matches.result(matches.accounts(2))
    await room.hold(result)
    await room.publish(result)
    await room.archived(result.match)
    other = matches.result([seat.account for seat in result.seats], winner=1, match=result.match)
    other.table = result.table
    await room.publish(other, "another")
    await wait_for(lambda: metric(room.service, "tavolo_scoring_alarms_total{"), 20, "the alarm is raised")
    await room.settled(result, [100, -100])
    assert [line["kind"] for line in room.service.log_lines if line["event"] == "result_alarm"] == [
        "different_result"
    ]


async def test_it_goes_on_after_a_restart_of_postgresql(
    services: Services, own_bus: Bus, identities: Identities, token: Token, folder: Path
) -> None:
    place = folder / "own-postgres"
    place.mkdir(mode=0o755)
    server = PostgresServer(place)
    await server.start()
    database = await server.new_database()
    room = Room(
        await services("scoring", {**FAST, "TAVOLO_DATABASE_URL": database}), own_bus, identities, token
    )
    result = matches.result(matches.accounts(2))
    await room.hold(result)
    await server.kill()
    await room.publish(result)
    assert await refusal(room.as_lobby.GetMatch(pb.GetMatchRequest(match=result.match))) == (
        error_pb2.ERROR_REASON_UNAVAILABLE
    )
    await server.start()
    await room.service.ready()
    await room.settled(result, [100, -100])
    await room.service.stop()
    await server.stop()


async def test_a_stop_ends_it_well(room: Room) -> None:
    result = matches.result(matches.accounts(2))
    await room.hold(result)
    await room.publish(result)
    await room.archived(result.match)
    room.service.signal(signal.SIGTERM)
    assert await room.service.child.ended() == 0


# ------------------------------------------------------------------------------------- who may do what


async def test_only_the_lobby_holds_and_releases_stakes(room: Room, identities: Identities) -> None:
    (account,) = matches.accounts(1)
    match = matches.result(matches.accounts(2)).match
    as_chat = ScoringServiceStub(identities.channel(room.service.grpc, "scoring", "chat"))
    hold = pb.HoldStakesRequest(match=match, seats=[pb.StakeSeat(account=account)], stake=Money(cents=5))
    release = pb.ReleaseStakesRequest(match=match)
    for stub, options, reason in (
        (room.plain, {}, error_pb2.ERROR_REASON_UNAUTHENTICATED),
        (room.plain, room.player(account, "auditor"), error_pb2.ERROR_REASON_NOT_PERMITTED),
        (as_chat, {}, error_pb2.ERROR_REASON_NOT_PERMITTED),
    ):
        assert await refusal(stub.HoldStakes(hold, **options)) == reason
        assert await refusal(stub.ReleaseStakes(release, **options)) == reason
    assert await room.balance(account) == (100_000, 0)


async def test_only_the_table_engine_settles_hands_and_raises_stakes(
    room: Room, identities: Identities
) -> None:
    result = matches.result(matches.accounts(2), stake=50)
    await room.hold(result)
    as_engine = ScoringServiceStub(identities.channel(room.service.grpc, "scoring", "table_engine"))
    settle = pb.SettleHandRequest(match=result.match, hand=1, gains=[30, -30], cover=[40, 60])
    raised = pb.RaiseStakesRequest(match=result.match, stake=Money(cents=70))
    for stub, options, reason in (
        (room.plain, {}, error_pb2.ERROR_REASON_UNAUTHENTICATED),
        (room.plain, room.player(result.seats[0].account, "auditor"), error_pb2.ERROR_REASON_NOT_PERMITTED),
        (room.as_lobby, {}, error_pb2.ERROR_REASON_NOT_PERMITTED),
    ):
        assert await refusal(stub.SettleHand(settle, **options)) == reason
        assert await refusal(stub.RaiseStakes(raised, **options)) == reason
    answers = await asyncio.gather(*(as_engine.SettleHand(settle) for _ in range(4)))
    assert [list(answer.missing) for answer in answers] == [[]] * 4
    assert [await room.balance(seat.account) for seat in result.seats] == [(99_990, 40), (99_910, 60)]
    await as_engine.RaiseStakes(raised)
    assert [await room.balance(seat.account) for seat in result.seats] == [(99_960, 70), (99_900, 70)]
    for request, field in (
        (pb.SettleHandRequest(match="x", hand=2), "match"),
        (pb.SettleHandRequest(match=result.match), "hand"),
        (pb.SettleHandRequest(match=result.match, hand=2, gains=[0], cover=[1]), "gains"),
        (pb.SettleHandRequest(match=result.match, hand=2, gains=[0, 10**13], cover=[1, 1]), "gains"),
        (pb.SettleHandRequest(match=result.match, hand=2, gains=[30, -30], cover=[1, -1]), "cover"),
        (pb.SettleHandRequest(match=result.match, hand=2, gains=[101, -101], cover=[1, 1]), "gains"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await as_engine.SettleHand(request)
        assert from_rpc_error(refused.value).field == field


async def test_nobody_unknown_reads_anything(room: Room) -> None:
    match = matches.result(matches.accounts(2)).match
    for call in (
        room.plain.GetWallet(pb.GetWalletRequest()),
        room.plain.ListEntries(pb.ListEntriesRequest()),
        room.plain.GetMatch(pb.GetMatchRequest(match=match)),
        room.plain.ListMatches(pb.ListMatchesRequest()),
        room.plain.GetLeaderboard(pb.GetLeaderboardRequest(game="scopa")),
        room.plain.CheckLedger(pb.CheckLedgerRequest()),
    ):
        assert await refusal(call) == error_pb2.ERROR_REASON_UNAUTHENTICATED


async def test_the_whole_ledger_and_sealed_parts_are_for_the_auditor(room: Room) -> None:
    result = matches.played(1, {"target": 3}, abandon_at=5)
    await room.hold(result)
    await room.publish(result)
    await room.archived(result.match)
    account = result.seats[0].account
    request = pb.GetMatchRequest(match=result.match)
    for roles, shown in (((), False), (("moderator",), False), (("auditor",), True)):
        found = (await room.plain.GetMatch(request, **room.player(account, *roles))).match.result
        assert bool(found.hands[-1].sealed_seed) == shown
    check = pb.CheckLedgerRequest()
    assert await refusal(room.plain.CheckLedger(check, **room.player(account))) == (
        error_pb2.ERROR_REASON_NOT_PERMITTED
    )
    assert (await room.plain.CheckLedger(check, **room.player(account, "auditor"))).sum_cents == 0


async def test_malformed_requests_are_refused_by_field(room: Room) -> None:
    (account,) = matches.accounts(1)
    seat = pb.StakeSeat(account=account)
    match = matches.result(matches.accounts(2)).match
    for request, field in (
        (pb.HoldStakesRequest(match="x", seats=[seat]), "match"),
        (pb.HoldStakesRequest(match=match), "seats"),
        (pb.HoldStakesRequest(match=match, seats=[seat] * 17), "seats"),
        (pb.HoldStakesRequest(match=match, seats=[seat, seat]), "seats[1].account"),
        (pb.HoldStakesRequest(match=match, seats=[pb.StakeSeat(account="ply_*")]), "seats[0].account"),
        (pb.HoldStakesRequest(match=match, seats=[seat], stake=Money(cents=-1)), "stake.cents"),
        (
            pb.HoldStakesRequest(match=match, seats=[seat], stake=Money(cents=1, currency="EUR")),
            "stake.currency",
        ),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await room.as_lobby.HoldStakes(request)
        assert from_rpc_error(refused.value).field == field
    options = room.player(account)
    unknown = room.plain.GetLeaderboard(pb.GetLeaderboardRequest(game="tombola"), **options)
    assert await refusal(unknown) == error_pb2.ERROR_REASON_UNKNOWN_GAME
    strange = room.plain.ListMatches(pb.ListMatchesRequest(account="'; --"), **options)
    assert await refusal(strange) == error_pb2.ERROR_REASON_INVALID_FIELD
    absent = room.plain.GetMatch(pb.GetMatchRequest(match=match), **options)
    assert await refusal(absent) == error_pb2.ERROR_REASON_NOT_FOUND
