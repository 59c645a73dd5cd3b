"""Money by the hand and by the match: every balance is what the game has counted, whoever dies meanwhile."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio
from tavolo.scoring.v1.scoring_pb2 import ArchivedMatch, GetMatchRequest

from services.cli.cluster import Cluster, Plan, temporary_folder
from services.cli.guests import sign_in_guest
from services.cli.smoke import Report, smoke
from services.client import Gateway
from services.runtime.bus import Bus
from services.runtime.shards import log_stream, log_subject, shard_of, stream_of
from tests.conftest import FAST
from tests.support.checkers import engine_bus
from tests.support.processes import ignore
from tests.support.scoring_seams import BEFORE_ANSWER
from tests.support.traps import arm
from tests.support.waiting import wait_for

ROOT = str(Path(__file__).resolve().parents[2])
LIMIT_S = 60.0


@pytest_asyncio.fixture(scope="module")
async def room(traps: Path) -> AsyncIterator[Cluster]:
    """A cluster of which anything may be killed."""
    launcher = [sys.executable, "-m", "tests.support.scoring_seams", str(traps)]
    env = FAST | {"PYTHONPATH": ROOT}
    with temporary_folder() as place:
        cluster = Cluster(Plan(place, env=env, launchers={"scoring": launcher}), ignore)
        await cluster.start()
        yield cluster
        await cluster.stop()


async def play(
    cluster: Cluster,
    game: str,
    options: dict[str, Any],
    chip: int | None = None,
    report: Report | None = None,
) -> ArchivedMatch:
    """A match of guests, played to the line of its ledger and checked; as it is archived."""
    report = report or Report(game)
    async with asyncio.timeout(LIMIT_S):
        await smoke(cluster.address("gateway"), report, json.dumps(options), chip)
    assert report.problems == []
    async with Gateway(cluster.address("gateway")) as gateway:
        session = await sign_in_guest(gateway, "test")
        return (await session.call(gateway.scoring.GetMatch, GetMatchRequest(match=report.match))).match


async def check_books(cluster: Cluster, archived: ArchivedMatch) -> None:
    """Nothing is left in escrow, and wallets changed by what the archive says."""
    ledger = await asyncpg.connect(
        cluster.database_url("scoring"), server_settings={"search_path": "scoring"}
    )
    try:
        match = archived.result.match
        assert await ledger.fetchval("SELECT balance FROM accounts WHERE owner = $1", match) == 0
        for seat, delta in zip(archived.result.seats, archived.delta_cents, strict=True):
            wallet = "SELECT balance FROM accounts WHERE owner = $1"
            assert await ledger.fetchval(wallet, seat.account) == 100_000 + delta
        assert await ledger.fetchval("SELECT sum(amount) FROM entries") == 0
    finally:
        await ledger.close()


# ------------------------------------------------------------------------------- one match of every kind


@pytest.mark.parametrize(
    ("game", "options", "chip"),
    [
        ("bestia", {"seats": 3, "hands": 6}, 7),
        ("bestia", {"seats": 4, "hands": 5, "carry": True}, 3),
        ("sette_e_mezzo", {"seats": 3, "hands": 6, "betting": "free"}, 25),
    ],
)
async def test_balances_are_the_scores_in_chips_hand_by_hand(
    room: Cluster, game: str, options: dict[str, Any], chip: int
) -> None:
    archived = await play(room, game, options, chip)
    assert list(archived.delta_cents) == [chip * score for score in archived.result.scores]
    assert len(archived.settlement_transactions) == len(archived.result.hands)
    await check_books(room, archived)


async def test_at_poker_each_seat_gets_its_chips_for_the_buy_in(room: Cluster) -> None:
    options = {"seats": 3, "match": "hands", "hands": 4, "stack": 500}
    archived = await play(room, "poker", options, 4)
    assert archived.result.stake.cents == 2_000
    assert list(archived.delta_cents) == [4 * score - 2_000 for score in archived.result.scores]
    assert len(archived.settlement_transactions) == 1
    await check_books(room, archived)


async def test_tarocco_is_settled_hand_by_hand_with_its_commission(room: Cluster) -> None:
    archived = await play(room, "tarocco", {"hands": 3, "stake": 50})
    assert archived.result.stake.cents == 3 * 194 * 50
    settlement = json.loads(archived.result.settlement)
    assert settlement["delta"] == list(archived.delta_cents)
    assert settlement["commission"] > 0
    assert len(archived.settlement_transactions) == 3
    await check_books(room, archived)


@pytest.mark.parametrize(("limit", "held"), [(400, 400), (None, 50)])
async def test_canasta_pays_the_doubled_stake(room: Cluster, limit: int | None, held: int) -> None:
    archived = await play(room, "canasta", {"target": 1, "stake": 50, "limit": limit})
    assert archived.result.stake.cents == held
    moves = [move.move for hand in archived.result.hands for move in hand.moves]
    stake = 50 * 2 ** moves.count("accept")
    winner = archived.result.outcome.winner
    assert archived.delta_cents[winner] == stake
    assert archived.delta_cents[1 - winner] == -stake
    await check_books(room, archived)


async def test_a_chip_may_be_worth_nothing(room: Cluster) -> None:
    archived = await play(room, "bestia", {"seats": 3, "hands": 3}, 0)
    assert list(archived.delta_cents) == [0, 0, 0]
    assert list(archived.settlement_transactions) == []


# ------------------------------------------------------------------------------------- who cannot cover


@pytest.mark.parametrize(
    ("game", "options", "chip"),
    [
        # Twelve chips of the first hand take all that a wallet has, or nearly: who loses cannot go on.
        ("bestia", {"seats": 3, "hands": 20}, 8_300),
        ("tarocco", {"hands": 40, "stake": 1_100, "limit": 33_000}, None),
    ],
)
async def test_who_cannot_cover_the_next_hand_ends_the_match_before_the_deal(
    room: Cluster, game: str, options: dict[str, Any], chip: int | None
) -> None:
    archived = await play(room, game, options, chip)
    result = archived.result
    assert result.missing
    assert len(result.hands) < options["hands"]
    assert result.outcome.ended_by in ("score", "draw")
    assert not result.outcome.HasField("offender")
    best = max(result.scores)
    assert [place == 1 for place in result.outcome.places] == [score == best for score in result.scores]
    if chip:
        assert list(archived.delta_cents) == [chip * score for score in result.scores]
    await check_books(room, archived)


# ------------------------------------------------------------------------------------------------ deaths


async def _state(bus: Bus, table: str) -> str:
    """The state that the newest fact of a table tells."""
    last = await bus.last(log_stream(stream_of(shard_of(table))), log_subject(table))
    return "" if last is None else last.header("Tavolo-State") or ""


async def test_scoring_that_dies_between_commit_and_answer_books_the_hand_once(
    room: Cluster, traps: Path
) -> None:
    pid = room.pid("scoring")
    arm(traps, pid, BEFORE_ANSWER, 2)
    archived = await play(room, "sette_e_mezzo", {"hands": 5}, 10)
    assert room.pid("scoring") != pid, "it was not killed"
    assert list(archived.delta_cents) == [10 * score for score in archived.result.scores]
    await check_books(room, archived)


async def test_workers_that_die_while_a_hand_waits_to_be_covered_lose_nothing(room: Cluster) -> None:
    report = Report("sette_e_mezzo")
    bus = await engine_bus(room)

    async def is_in(*states: str) -> bool:
        return bool(report.table) and await _state(bus, report.table) in states

    playing = asyncio.create_task(play(room, "sette_e_mezzo", {"hands": 3}, 10, report))
    await wait_for(partial(is_in, "ready", "play"), 30, "the match has begun")
    room.supervise("scoring", False)
    room.kill("scoring")
    await wait_for(partial(is_in, "cover"), 30, "a hand waits to be covered")
    for worker in room.workers:
        pid = room.pid(worker)
        room.kill(worker)
        await wait_for(lambda worker=worker, pid=pid: room.pids().get(worker, pid) != pid, 20)  # type: ignore[misc]
    assert await _state(bus, report.table) == "cover"
    room.supervise("scoring", True)
    await room.start_again("scoring")
    archived = await playing
    await bus.close()
    assert list(archived.delta_cents) == [10 * score for score in archived.result.scores]
    assert archived.result.outcome.ended_by in ("score", "draw")  # nobody's clock has run out
    assert not any(move.expired for hand in archived.result.hands for move in hand.moves)
    await check_books(room, archived)
