"""`tavolo smoke`: good on a good cluster, and says what is wrong otherwise."""

import asyncio
import json
import sys

import pytest
import pytest_asyncio
from tavolo.gateway.v1.gateway_pb2 import MatchSettled
from tavolo.scoring.v1.scoring_pb2 import ArchivedMatch, GetMatchRequest

from services.cli import smoke
from services.cli.audit import audit
from services.cli.cluster import Cluster
from services.cli.guests import sign_in_guest
from services.client import Gateway
from services.rules.core.registry import games


async def smoke_command(*arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "services.cli.main", "smoke", *arguments, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


@pytest.mark.timeout(120)
async def test_it_starts_a_cluster_of_its_own_and_finds_all_well() -> None:
    status, out = await smoke_command("--game", "jolly")
    assert status == 0, out
    assert out.count("\n") == 1
    assert out.startswith("ok: jolly mch_")
    assert "replays to the same for the auditor" in out
    assert "settled once" in out


async def test_through_a_gateway_that_runs_and_as_json(cluster: Cluster) -> None:
    status, out = await smoke_command("--gateway", cluster.address("gateway"), "--json")
    report = json.loads(out)
    assert (status, report["problems"]) == (0, [])
    # A deal that was thrown back (kings on the table) is opened too.
    assert report["cards_opened"] >= 40 * report["hands"]
    assert report["cards_opened"] % 40 == 0
    assert report["moves"] == 36 * report["hands"]


PLAYED_S = 150


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reports(cluster: Cluster) -> dict[str, smoke.Report]:
    """A match of every game, all at the same time."""
    made = {each.id: smoke.Report(each.id) for each in games()}

    async def play(report: smoke.Report) -> None:
        try:
            async with asyncio.timeout(PLAYED_S):
                await smoke.smoke(cluster.address("gateway"), report)
        except TimeoutError:
            report.problems.append(f"not played within {PLAYED_S} s")

    async with asyncio.TaskGroup() as playing:
        for report in made.values():
            playing.create_task(play(report))
    return made


@pytest.mark.timeout(180)
@pytest.mark.parametrize("game", [each.id for each in games()])
async def test_every_game_is_played_to_its_ledger_line(
    cluster: Cluster, reports: dict[str, smoke.Report], game: str
) -> None:
    report = reports[game]
    assert report.problems == []
    assert report.moves > 0
    if report.unshown:
        assert await audit(cluster, report.match) == []


async def test_a_game_that_is_not_there_fails(cluster: Cluster) -> None:
    status, out = await smoke_command("--gateway", cluster.address("gateway"), "--game", "tombola")
    assert status == 1
    assert out.startswith("FAILED tombola")
    assert "scopa" in out


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def played(cluster: Cluster) -> ArchivedMatch:
    """A match that was played and settled."""
    report = smoke.Report("scopa")
    await smoke.smoke(cluster.address("gateway"), report)
    assert report.problems == []
    async with Gateway(cluster.address("gateway")) as gateway:
        session = await sign_in_guest(gateway, "test")
        found = await session.call(gateway.scoring.GetMatch, GetMatchRequest(match=report.match))
    return found.match


def test_a_record_that_does_not_replay_is_a_problem(played: ArchivedMatch) -> None:
    forged = ArchivedMatch()
    forged.CopyFrom(played)
    forged.result.scores[0] += 1
    report = smoke.Report("scopa")
    smoke._check_match(forged, report)
    assert any(problem.startswith("replay:") for problem in report.problems)


def test_a_deck_that_was_not_committed_to_is_a_problem(played: ArchivedMatch) -> None:
    forged = ArchivedMatch()
    forged.CopyFrom(played)
    forged.result.hands[0].proof.house_seed = bytes(32)
    report = smoke.Report("scopa")
    smoke._check_match(forged, report)
    assert any(problem.startswith("deal of hand 1") for problem in report.problems)


def test_a_second_settlement_is_a_problem(played: ArchivedMatch) -> None:
    forged = ArchivedMatch()
    forged.CopyFrom(played)
    forged.settlement_transactions.append(forged.settlement_transactions[0] + 1)
    report = smoke.Report("scopa")
    smoke._check_match(forged, report)
    assert report.problems == ["2 settlements instead of 1"]


def test_a_ledger_without_the_stake_is_a_problem(played: ArchivedMatch) -> None:
    report = smoke.Report("scopa")
    smoke._check_entries(0, MatchSettled(delta_cents=played.delta_cents[0]), [], played, report)
    assert any("stakes []" in problem for problem in report.problems)
