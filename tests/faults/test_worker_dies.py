"""kill -9, SIGSTOP and SIGTERM of the worker that owns tables in play (fault matrix, rows 3, 8 and 35)."""

import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio

from services.cli.cluster import Cluster, Plan, temporary_folder
from tests.conftest import FAST
from tests.support import seams
from tests.support.checkers import check_tables
from tests.support.crowd import ENDLESS, Crowd, Sitting, crowd
from tests.support.processes import ignore
from tests.support.traps import arm
from tests.support.waiting import wait_for

ROOT = str(Path(__file__).resolve().parents[2])
TABLES = 100
# A table's moves are so far apart: the players share the two cores, and the logs grow from test to test.
PACE_S = 1.0
# A match of scopa has about so many moves.
LONGEST = 150
# With the default lease of 3 s: from the signal to the first acknowledged move of the last table.
TAKE_OVER_S = 5.0
HAND_OVER_S = 1.0


@pytest_asyncio.fixture(scope="module")
async def trapped(traps: Path) -> AsyncIterator[Cluster]:
    """A cluster whose workers can be killed at a stage of a move."""
    launcher = [sys.executable, "-m", "tests.support.seams", str(traps)]
    with temporary_folder() as place:
        plan = Plan(
            place, env=FAST | {"PYTHONPATH": ROOT}, launchers={"table-engine": launcher}, observer=True
        )
        cluster = Cluster(plan, ignore)
        await cluster.start()
        yield cluster
        await cluster.stop()


class Room:
    """A hundred tables that play on from test to test, until they are as long as matches are."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._stack = AsyncExitStack()
        self._crowd: Crowd | None = None

    async def crowd(self) -> Crowd:
        if self._crowd is None or max(len(each.acknowledged) for each in self._crowd.tables) > LONGEST:
            await self.close()
            self._crowd = await self._stack.enter_async_context(crowd(self._cluster, TABLES, ENDLESS, PACE_S))
        return self._crowd

    async def close(self) -> None:
        await self._stack.aclose()


@pytest_asyncio.fixture(scope="module")
async def room(trapped: Cluster) -> AsyncIterator[Room]:
    made = Room(trapped)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def playing(room: Room) -> Crowd:
    return await room.crowd()


async def _killed(cluster: Cluster, traps: Path, stage: str, seed: int) -> float:
    """Kills a worker at a stage after a random number of moves; when it was dead (monotonic)."""
    chance = random.Random(f"{stage}/{seed}")  # noqa: S311 - a repeatable choice
    victim = chance.choice(cluster.workers)
    pid = cluster.pid(victim)
    arm(traps, pid, stage, chance.randint(1, 60))
    await wait_for(lambda: cluster.pids().get(victim) != pid, 20, f"{victim} dies at {stage}")
    return time.monotonic()


@pytest.mark.timeout(180)
async def test_a_stopping_worker_hands_its_tables_over_at_once(trapped: Cluster, playing: Crowd) -> None:
    victim = trapped.workers[-1]
    trapped.supervise(victim, False)
    trapped.kill(victim, signal.SIGTERM)
    told_at = time.monotonic()
    for _ in range(2):  # the first move after the signal may still have been made at the old owner
        await playing.all_move_again(time.monotonic(), PACE_S + TAKE_OVER_S)
    late = max(_lateness(sitting, told_at) for sitting in playing.tables)
    assert late < HAND_OVER_S, f"a table could not be moved at for {late:.2f} s"
    await wait_for(lambda: victim not in trapped.pids(), 15, "the worker ends by itself")
    await check_tables(trapped, playing.tables)
    trapped.supervise(victim, True)
    await trapped.start_again(victim)
    await trapped.ready(victim)


@pytest.mark.timeout(180)
async def test_a_worker_that_was_paused_past_its_lease_cannot_write(trapped: Cluster, playing: Crowd) -> None:
    victim = trapped.workers[0]
    trapped.kill(victim, signal.SIGSTOP)
    paused_at = time.monotonic()
    try:
        await playing.all_move_again(paused_at, TAKE_OVER_S + 1)
    finally:
        trapped.kill(victim, signal.SIGCONT)
    woke_at = time.monotonic()
    await playing.all_move_again(woke_at, TAKE_OVER_S)
    await check_tables(trapped, playing.tables)


def _lateness(sitting: Sitting, since: float) -> float:
    """By how much a table's moves have come later than its players' pace since then, at the most, seconds."""
    times = [move.at for move in sitting.acknowledged]
    return max(at - max(before + sitting.pace_s, since) for before, at in pairwise(times) if at > since)


RUNS = [pytest.param(seed, marks=[pytest.mark.long] if seed >= 2 else []) for seed in range(20)]


@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", RUNS)
@pytest.mark.parametrize("stage", seams.STAGES)
async def test_a_killed_worker_loses_no_move_and_charges_nobody(
    trapped: Cluster, playing: Crowd, traps: Path, stage: str, seed: int
) -> None:
    dead_at = await _killed(trapped, traps, stage, seed)
    await playing.all_move_again(dead_at, TAKE_OVER_S)
    await check_tables(trapped, playing.tables)
    await trapped.wait_ready()
