"""Services that are there before NATS and PostgreSQL: they wait, say for what, and are ready when they have
what they need (fault matrix, row 38)."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio

from services.cli.cluster import temporary_folder
from services.cli.postgres import SCHEMAS
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services
from tests.support.waiting import wait_for

NATS, POSTGRES = "NATS", "PostgreSQL"
NEEDS = {
    part: {NATS, POSTGRES} if part in SCHEMAS else {NATS}
    for part in ("lobby", "scoring", "chat", "table_engine", "gateway", "clock")
}


class House:
    """All services that need one of the two, started while neither of them runs."""

    def __init__(self, servers: dict[str, NatsServer | PostgresServer], services: dict[str, Service]) -> None:
        self.servers = servers
        self.services = services

    async def wait_for(self, missing: set[str]) -> None:
        """Waits until each service that needs one of the missing servers has said so, and none of these is
        ready; the others are."""
        for part, service in self.services.items():
            if NEEDS[part] & missing:
                await wait_for(partial(_waits_for_one_of, missing, service), 30, f"{part} says so")
                assert "service_started" not in [line["event"] for line in service.log_lines]
            else:
                await service.ready()


def _waits_for_one_of(missing: set[str], service: Service) -> bool:
    """Whether the service has said that it waits for one of these, and that it is not ready for this
    reason."""
    lines = service.log_lines
    said = {line["what"] for line in lines if line["event"] == "waiting_for"}
    reasons = {line["why"] for line in lines if line["event"] == "readiness_changed" and not line["holds"]}
    return any(what in said and f"waiting for {what}" in reasons for what in missing)


@pytest_asyncio.fixture
async def house(identities: Identities) -> AsyncIterator[House]:
    with temporary_folder() as place:
        nats, postgres = NatsServer(place), PostgresServer(place)
        services = Services(place, identities, nats, postgres)
        database = {"TAVOLO_DATABASE_URL": postgres.url}
        made = {part: await services(part, database, start=False) for part in NEEDS}
        await asyncio.gather(*(each.start(ready=False) for each in made.values()))
        yield House({NATS: nats, POSTGRES: postgres}, made)
        await services.stop()
        await nats.stop()
        await postgres.stop()


@pytest.mark.parametrize("order", [(NATS, POSTGRES), (POSTGRES, NATS)], ids=["nats-first", "postgres-first"])
async def test_services_wait_for_what_they_need_and_say_so(house: House, order: tuple[str, str]) -> None:
    missing = set(order)
    await house.wait_for(missing)
    for server in order:
        await house.servers[server].start()
        missing.remove(server)
        await house.wait_for(missing)
