"""Fixtures: workers of the table engine on a NATS of their own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.processes import Identities
from tests.table_engine.ground import Ground


@pytest_asyncio.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory, identities: Identities) -> AsyncIterator[Ground]:
    """One worker for the tests of a module: do it no harm."""
    ground = await Ground(tmp_path_factory.mktemp("ground"), identities).start()
    await ground.worker()
    yield ground
    await ground.stop()


@pytest_asyncio.fixture
async def ground(tmp_path: Path, identities: Identities) -> AsyncIterator[Ground]:
    """NATS without a worker yet, for one test to do with as it likes."""
    made = await Ground(tmp_path, identities).start()
    yield made
    await made.stop()
