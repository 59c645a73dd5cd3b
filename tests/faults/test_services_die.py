"""kill -9 of each service, of NATS and of PostgreSQL under matches in play (fault matrix, rows 1 to 6, 11
and 16): the matches end, and settle once."""

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
from tavolo.chat.v1.chat_pb2 import ListMessagesRequest
from tavolo.lobby.v1.lobby_pb2 import ListGamesRequest
from tavolo.table.v1.view_pb2 import TABLE_STATE_READY

from services.cli.cluster import Cluster, Plan, temporary_folder
from services.cli.guests import sign_in_guest
from services.client import Gateway
from services.rules.core.registry import games
from tests.conftest import FAST
from tests.support.checkers import READY_WAIT, check_settled, check_tables
from tests.support.crowd import ONE_HAND, Crowd, Sitting, crowd, say
from tests.support.processes import ignore
from tests.support.scoring_seams import BEFORE_ACKNOWLEDGEMENT
from tests.support.traps import arm
from tests.support.waiting import wait_for

ROOT = str(Path(__file__).resolve().parents[2])
TABLES = 4
# Slow enough to be killed in the middle of.
PACE_S = 0.05
MOVES = 36
FINISH_S = 60.0
SETTINGS = FAST | {"PYTHONPATH": ROOT, READY_WAIT: "4"}
SERVICES = ("gateway", "clock", "scoring", "lobby", "chat")


@pytest_asyncio.fixture(scope="module")
async def room(traps: Path) -> AsyncIterator[Cluster]:
    """A cluster of which anything may be killed."""
    launcher = [sys.executable, "-m", "tests.support.scoring_seams", str(traps)]
    with temporary_folder() as place:
        cluster = Cluster(Plan(place, env=SETTINGS, launchers={"scoring": launcher}), ignore)
        await cluster.start()
        yield cluster
        await cluster.stop()


async def _restarted(cluster: Cluster, victim: str, pid: int) -> None:
    await wait_for(lambda: cluster.pids().get(victim, pid) != pid, 20, f"{victim} is started again")


async def _kill(cluster: Cluster, victim: str) -> None:
    """kill -9, and waits until the supervisor has started another one, ready or not."""
    pid = cluster.pid(victim)
    cluster.kill(victim)
    await _restarted(cluster, victim, pid)


async def _all_ready(cluster: Cluster) -> None:
    """Waits until every service says that it is ready (again)."""
    async with aiohttp.ClientSession() as session:

        async def ready(name: str) -> bool:
            try:
                async with session.get(f"http://{cluster.address(name, 'http')}/readyz") as response:
                    return response.status == 200
            except aiohttp.ClientConnectionError:
                return False

        for name in (*SERVICES, *cluster.workers):
            await wait_for(partial(ready, name), 30, f"{name} is ready")


async def _end_well(cluster: Cluster, made: Crowd) -> None:
    await made.finish(FINISH_S)
    await check_tables(cluster, made.tables)
    await check_settled(cluster, made.tables)
    await _all_ready(cluster)


RUNS = [pytest.param(seed, marks=[pytest.mark.long] if seed else []) for seed in range(10)]


@pytest.mark.parametrize("seed", RUNS)
@pytest.mark.parametrize("victim", [*SERVICES, "nats", "postgres"])
async def test_matches_end_and_settle_once_though_it_is_killed(room: Cluster, victim: str, seed: int) -> None:
    moment = random.Random(f"{victim}/{seed}").randint(TABLES, TABLES * MOVES)  # noqa: S311 - repeatable
    async with crowd(room, TABLES, ONE_HAND, PACE_S) as made:
        await made.until(lambda: sum(len(each.acknowledged) for each in made.tables) >= moment, FINISH_S)
        await _kill(room, victim)
        await _end_well(room, made)


async def test_a_call_waits_for_a_part_that_is_started_again(room: Cluster) -> None:
    async with Gateway(room.address("gateway"), deadline_s=15) as gateway:
        session = await sign_in_guest(gateway, "w")
        room.kill("lobby")
        answer = await session.call(gateway.lobby.ListGames, ListGamesRequest())
        assert sorted(game.id for game in answer.games) == sorted(game.id for game in games())
    await _all_ready(room)


async def test_scoring_that_dies_between_commit_and_acknowledgement_settles_once(
    room: Cluster, traps: Path
) -> None:
    async with crowd(room, TABLES, ONE_HAND, PACE_S) as made:
        pid = room.pid("scoring")
        arm(traps, pid, BEFORE_ACKNOWLEDGEMENT, 2)
        await _restarted(room, "scoring", pid)
        await _end_well(room, made)


async def test_what_runs_out_while_the_clock_is_dead_is_told_after_it(room: Cluster) -> None:
    async with crowd(room, TABLES, ONE_HAND, hesitant=True) as made:
        await made.until(lambda: all(_waits_for_the_clock(sitting) for sitting in made.tables), 20)
        await _kill(room, "clock")
        assert not any(sitting.acknowledged for sitting in made.tables), "the kill comes too late"
        await _end_well(room, made)


def _waits_for_the_clock(sitting: Sitting) -> bool:
    public = [update.public for update in sitting.newest.values()]
    return len(public) == 2 and all(
        each.state == TABLE_STATE_READY and list(each.ready) == [0] for each in public
    )


async def test_what_was_said_before_chat_died_is_read_once_and_in_order(room: Cluster) -> None:
    async with crowd(room, TABLES, ONE_HAND, PACE_S) as made:
        for number in range(3):
            await asyncio.gather(*(say(each, number % 2, f"before {number}") for each in made.tables))
        await _kill(room, "chat")
        await room.ready("chat")
        for number in range(2):
            await asyncio.gather(*(say(each, number % 2, f"after {number}") for each in made.tables))
        said = ["before 0", "before 1", "before 2", "after 0", "after 1"]
        await made.until(lambda: all(each.heard == [said, said] for each in made.tables), 20)
        for sitting in made.tables:
            reader = sitting.players[0]
            request = ListMessagesRequest(room=sitting.table)
            history = await reader.call(reader.gateway.chat.ListMessages, request)
            assert [(each.number, each.text) for each in history.messages] == list(enumerate(said, 1))
        await _end_well(room, made)
