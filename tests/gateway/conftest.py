"""A gateway that tests share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services


@pytest_asyncio.fixture(scope="session")
async def gateway(
    folder: Path, identities: Identities, nats_server: NatsServer, postgres: PostgresServer
) -> AsyncIterator[Service]:
    """A gateway alone: no lobby, no engine. Do not stop it."""
    place = folder / "gateway"
    place.mkdir()
    services = Services(place, identities, nats_server, postgres)
    yield await services("gateway")
    await services.stop()
