"""All games are in play when the worker of some of them dies (fault matrix, row 3)."""

import asyncio
import json
import random
import secrets
from collections.abc import Mapping
from typing import Any

import pytest

from services.bots.seat import Habits
from services.cli.cluster import Cluster
from services.cli.smoke import Report, smoke
from services.rules.core.registry import games

# Long enough that every table is still playing when the worker dies, and no longer.
ONE_HAND = {"match": "hands", "hands": 1}
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("scopa", "scopone", "asso_pigliatutto", "cirulla", "tresette", "hearts"), ONE_HAND),
    **dict.fromkeys(("burraco", "scala40"), ONE_HAND),
    "canasta": {"target": 1},
    "bestia": {"hands": 8},
    "poker": {"hands": 6},
    "tarocco": {"hands": 2},
}
MOST_DECISIONS = 12
"""After so many a match with these options is nowhere near its end."""


class Killer:
    """Kills a worker when so many moves were made at all tables together.

    Until every table is in play none goes past its first decision, and until the worker is dead none past a
    number of decisions: so all are in play when it dies.
    """

    def __init__(self, cluster: Cluster, tables: int, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - a repeatable choice
        self._cluster = cluster
        self._tables = tables
        self._decisions: dict[str, int] = {}
        self._begun = asyncio.Event()
        self._killed = asyncio.Event()
        self._victim = chance.choice(cluster.workers)
        self._most = chance.randint(1, MOST_DECISIONS)
        self._left = chance.randint(1, self._most * tables)
        print(f"seed {seed}: {self._victim} dies at move {self._left}")  # noqa: T201 - pytest shows it

    def habits(self, game: str) -> Habits:
        """Of all seats of this game."""

        async def think() -> None:
            self._decisions[game] = self._decisions.get(game, 0) + 1
            if len(self._decisions) == self._tables:
                self._begun.set()
            await self._begun.wait()
            if self._decisions[game] > self._most:
                await self._killed.wait()

        return Habits(think=think, moved=self._moved)

    def _moved(self, _: str) -> None:
        self._left -= 1
        if not self._left:
            self._cluster.kill(self._victim)
            self._killed.set()

    @property
    def has_killed(self) -> bool:
        return self._killed.is_set()


@pytest.mark.timeout(240)
async def test_every_game_survives_the_death_of_a_worker(own_cluster: Cluster) -> None:
    seed = secrets.randbelow(1 << 32)
    reports = [Report(each.id) for each in games()]
    killer = Killer(own_cluster, len(reports), seed)
    target = own_cluster.address("gateway")
    async with asyncio.TaskGroup() as playing:
        for report in reports:
            options = json.dumps(OPTIONS.get(report.game, {}))
            playing.create_task(smoke(target, report, options, habits=killer.habits(report.game)))
    assert killer.has_killed
    assert [report.line() for report in reports if report.problems] == []
