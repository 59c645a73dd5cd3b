"""One lobby for the tests that leave it as it is; nothing behind it, so full tables stay STARTING."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.lobby.people import People
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services

NOWHERE = {"TAVOLO_SCORING_TARGET": "127.0.0.1:1", "TAVOLO_LOBBY_TABLE_TARGET": "127.0.0.1:1"}


@pytest_asyncio.fixture(scope="session")
async def lobby(
    folder: Path, identities: Identities, nats_server: NatsServer, postgres: PostgresServer
) -> AsyncIterator[Service]:
    """The shared lobby's process."""
    place = folder / "lobby-shared"
    place.mkdir()
    services = Services(place, identities, nats_server, postgres)
    yield await services("lobby", {**NOWHERE, "TAVOLO_LOBBY_SIGN_UP_BURST": "100000"})
    await services.stop()


@pytest_asyncio.fixture
async def people(lobby: Service, identities: Identities) -> AsyncIterator[People]:
    """Who comes to the shared lobby."""
    async with identities.channel(lobby.grpc, "lobby") as channel:
        yield People(channel)
