"""Nobody is told a card too early: neither a client, nor any subject of NATS but the engine's sealed log
(fault matrix, row 32a)."""

import asyncio
import json
import secrets
import sys
from pathlib import Path

import pytest
from tavolo.lobby.v1.lobby_pb2 import JoinTableRequest, OpenTableRequest
from tavolo.table.v1.view_pb2 import TABLE_STATE_OVER, TABLE_STATE_READY

from services.bots.choice import any_legal
from services.cli.cluster import Cluster, Plan, temporary_folder
from services.cli.guests import sign_in_guest
from services.client import Gateway
from tests.conftest import FAST
from tests.security.recorder import Recording, leaks, listening
from tests.support.clients import GatewayClient, Kind
from tests.support.processes import ignore

ROOT = str(Path(__file__).resolve().parents[2])
SEATS: tuple[Kind, ...] = ("grpc", "proto", "json", "proto")


async def recorded(cluster: Cluster, options: dict[str, object]) -> tuple[str, Recording]:
    """Plays a match with a spectator, and records all of it: the table and the recording."""
    recording = Recording()
    async with listening(cluster, recording), Gateway(cluster.address("gateway"), deadline_s=15) as gateway:
        seats = int(str(options.get("seats", 2)))
        sessions = [await sign_in_guest(gateway, "s") for _ in range(seats + 1)]
        opening = OpenTableRequest(request_id=secrets.token_hex(8), game="scopa", options=json.dumps(options))
        table = (await sessions[0].call(gateway.lobby.OpenTable, opening)).table.id
        clients = []
        viewers: list[int | None] = [*range(seats), None]
        for viewer, session in zip(viewers, sessions, strict=True):
            kind: Kind = "json" if viewer is None else SEATS[viewer]
            frames = recording.frames.setdefault(viewer, [])
            form = "json" if kind == "json" else "proto"
            client = await GatewayClient.open(
                kind,
                cluster.addresses["gateway"],
                frames=lambda data, frames=frames, form=form: frames.append((form, data)),
            )
            await client.hello(await session.access())
            clients.append(client)
        for session in sessions[1:seats]:
            await session.call(gateway.lobby.JoinTable, JoinTableRequest(table=table))
        for client in clients[:seats]:
            await client.event("notice", 30)
        players = [_sit(client, table, watch=False) for client in clients[:seats]]
        await asyncio.gather(*players, _sit(clients[seats], table, watch=True))
        for client in clients[:seats]:
            await client.event("notice", 30)  # of the settlement
        for client in clients:
            await client.close()
    return table, recording


async def _sit(client: GatewayClient, table: str, *, watch: bool) -> None:
    await client.attach(table, watch=watch)
    version = 0
    while True:
        update = await client.update(table, version, 60)
        version = update.version
        if update.public.state == TABLE_STATE_OVER:
            return
        if watch:
            continue
        if update.public.state == TABLE_STATE_READY and update.own.seat not in update.public.ready:
            await client.ready(table, update.public.hand)
        elif update.own.moves:
            await client.act(table, any_legal(update), update.own.turn)


@pytest.mark.parametrize(
    "options", [{"match": "hands", "hands": 2}, {"seats": 4, "match": "hands", "hands": 1}]
)
async def test_nobody_is_told_a_card_too_early(cluster: Cluster, options: dict[str, object]) -> None:
    table, recording = await recorded(cluster, options)
    assert await leaks(cluster, table, recording) == []


async def test_the_recorder_finds_a_leak() -> None:
    launcher = [sys.executable, "-m", "tests.support.leaky"]
    with temporary_folder() as place:
        plan = Plan(
            place, env=FAST | {"PYTHONPATH": ROOT}, launchers={"table-engine": launcher}, observer=True
        )
        made = Cluster(plan, ignore)
        await made.start()
        try:
            table, recording = await recorded(made, {"match": "hands", "hands": 1})
            found = await leaks(made, table, recording)
        finally:
            await made.stop()
    assert any("client of seat 0" in leak for leak in found)
    assert any("client of seat 1" in leak for leak in found)
    assert any(leak.startswith("tavolo.view.") for leak in found)
    assert not any("spectator" in leak for leak in found)
