"""Fixtures of real servers and services, one set a test run; and the rule that nothing is skipped in CI."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings

from services.cli.cluster import Cluster, Plan, temporary_folder
from services.runtime.bus import Bus
from tests.support.processes import Identities, NatsServer, PostgresServer, Services, connect_bus, ignore

# Computers think no time and rate limits are out of the way: tests are about what happens, not when.
FAST = {
    "TAVOLO_BOTS_THINK_MS": "0",
    "TAVOLO_GATEWAY_MESSAGES_PER_S": "100000",
    "TAVOLO_GATEWAY_MESSAGES_BURST": "100000",
    "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_PER_S": "100000",
    "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_BURST": "100000",
    "TAVOLO_GATEWAY_CALLS_PER_S": "100000",
    "TAVOLO_GATEWAY_CALLS_BURST": "100000",
    "TAVOLO_GATEWAY_CONNECTIONS_PER_ADDRESS": "10000",
    "TAVOLO_LOBBY_SIGN_UP_BURST": "100000",
}

# How long an example takes, or how large it is, says nothing of its truth.
settings.register_profile(
    "tavolo",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("tavolo")


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A temporary folder of this test run that other users may pass through."""
    with temporary_folder() as made:
        yield made


@pytest.fixture(scope="session")
def identities(folder: Path) -> Identities:
    """Keys of all services and of players' tokens."""
    return Identities(folder / "keys")


@pytest_asyncio.fixture(scope="session")
async def nats_server(folder: Path) -> AsyncIterator[NatsServer]:
    """The NATS server that tests share: do not kill it (make one of your own: NatsServer(folder))."""
    place = folder / "nats-shared"
    place.mkdir()
    server = NatsServer(place, os.environ.get("TAVOLO_NATS_URL", ""))
    await server.start()
    yield server
    await server.stop()


@pytest_asyncio.fixture(scope="session")
async def postgres(folder: Path) -> AsyncIterator[PostgresServer]:
    """The PostgreSQL server that tests share: do not kill it. Each test takes a `new_database()`."""
    server = PostgresServer(folder, os.environ.get("TAVOLO_DATABASE_URL", ""))
    await server.start()
    yield server
    await server.stop()


@pytest_asyncio.fixture
async def bus(nats_server: NatsServer) -> AsyncIterator[Bus]:
    """A connection of the test's own to the shared NATS."""
    made = await connect_bus(nats_server.url)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def service(
    tmp_path: Path, identities: Identities, nats_server: NatsServer, postgres: PostgresServer
) -> AsyncIterator[Services]:
    """`await service("chat", {"TAVOLO_…": "…"})`: a service as a process on the shared servers, stopped after
    the test."""
    services = Services(tmp_path, identities, nats_server, postgres)
    yield services
    await services.stop()


@pytest_asyncio.fixture(scope="session")
async def cluster() -> AsyncIterator[Cluster]:
    """A whole cluster on free ports; computers think no time. Leave it as you found it: kill nothing (see
    `own_cluster`)."""
    with temporary_folder() as place:
        made = Cluster(Plan(place, env=FAST, observer=True), ignore)
        await made.start()
        yield made
        await made.stop()


@pytest_asyncio.fixture
async def own_cluster() -> AsyncIterator[Cluster]:
    """A whole cluster of the test's own, to do to it whatever the test is about."""
    with temporary_folder() as place:
        made = Cluster(Plan(place, env=FAST, observer=True), ignore)
        await made.start()
        yield made
        await made.stop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """In CI a skipped test has not shown what it is there to show: it fails."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()  # type: ignore[attr-defined]  # pluggy's result
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped in CI: {report.longrepr}"
