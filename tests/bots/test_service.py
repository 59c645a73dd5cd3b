"""The bots service against a whole cluster.

It takes seats, plays, and comes back after every kind of death.
"""

import asyncio
import json
import secrets

import pytest
from tavolo.gateway.v1.gateway_pb2 import MatchSettled, Notice
from tavolo.lobby.v1.lobby_pb2 import OpenTableRequest
from tavolo.table.v1.view_pb2 import TableUpdate

from services.bots.seat import Habits, SeatPlayer
from services.cli.cluster import Cluster
from services.cli.guests import sign_in_guest
from services.client import Connection, Gateway


class Match:
    """A guest against computers, to the end; `moves` says how far it is."""

    def __init__(self, gateway: Gateway, options: dict[str, object]) -> None:
        self._gateway = gateway
        self._options = options
        self.moves = 0
        self._moved = asyncio.Event()

    async def play(self) -> MatchSettled:
        session = await sign_in_guest(self._gateway, "test")
        opening = OpenTableRequest(
            request_id=secrets.token_urlsafe(12),
            game="scopa",
            options=json.dumps(self._options),
            computers=int(str(self._options.get("seats", 2))) - 1,
        )
        table = (await session.call(self._gateway.lobby.OpenTable, opening)).table.id
        async with Connection(session) as connection, asyncio.TaskGroup() as work:
            await connection.match_started(table)
            seat = SeatPlayer(connection, table, work.create_task, Habits(moved=self._made_a_move))
            await connection.attach(table)
            async for event in connection:
                match event:
                    case TableUpdate():
                        seat.look(event)
                    case Notice() if event.HasField("match_settled"):
                        return event.match_settled
        raise AssertionError("events end with an error only")

    async def until_moves(self, number: int) -> None:
        async with asyncio.timeout(40):
            while self.moves < number:
                self._moved.clear()
                await self._moved.wait()

    def _made_a_move(self, _game: str) -> None:
        self.moves += 1
        self._moved.set()


async def test_computers_take_the_other_seats_of_a_table_of_four(cluster: Cluster) -> None:
    async with Gateway(cluster.address("gateway")) as gateway:
        match = Match(gateway, {"seats": 4, "match": "hands", "hands": 2})
        settled = await match.play()
    assert match.moves >= 17  # nine a hand; the news of the last one may come after the end
    assert abs(settled.delta_cents) in {0, 100}


async def test_many_tables_are_played_at_once(cluster: Cluster) -> None:
    async with Gateway(cluster.address("gateway")) as gateway:
        short: dict[str, object] = {"match": "hands", "hands": 1, "tie_hands": 0}
        matches = [Match(gateway, short) for _ in range(15)]  # more than there are computers
        settled = await asyncio.gather(*(match.play() for match in matches))
    assert len({each.match for each in settled}) == len(matches)


@pytest.mark.parametrize("part", ["bots", "gateway", "lobby"])
async def test_a_match_with_a_computer_goes_on_after_a_death(part: str, own_cluster: Cluster) -> None:
    async with Gateway(own_cluster.address("gateway")) as gateway:
        match = Match(gateway, {"target": 21})
        playing = asyncio.create_task(match.play())
        await match.until_moves(10)
        own_cluster.kill(part)
        async with asyncio.timeout(90):
            settled = await playing
    assert settled.match
    assert match.moves > 30
