"""Scoring's tables in a schema of the test's own, and players' tokens."""

import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import asyncpg
import jwt
import pytest
import pytest_asyncio

from services import scoring
from services.runtime import db
from services.runtime.health import Health
from services.runtime.ids import new_id
from services.runtime.logs import Secret
from tests.support.processes import Identities, PostgresServer

MIGRATIONS = Path(scoring.__file__).parent / "migrations"

Token = Callable[..., str]


@pytest_asyncio.fixture(scope="session")
async def scoring_database(postgres: PostgresServer) -> str:
    """The address of the database that these tests share; each has a schema of its own."""
    return await postgres.new_database()


@pytest_asyncio.fixture
async def pool(scoring_database: str) -> AsyncIterator[asyncpg.Pool]:
    """A pool on a new schema with scoring's migrations."""
    schema = new_id("sc").translate(str.maketrans("234567", "______"))
    made = await db.open_pool(Secret(scoring_database), schema, MIGRATIONS, 16, Health())
    yield made
    await made.close()


@pytest.fixture
def token(identities: Identities) -> Token:
    """`token(account, *roles)`: a player's access token."""

    def make(account: str, *roles: str) -> str:
        now = int(time.time())
        claims = {
            "iss": "tavolo", "aud": "tavolo", "sub": account, "iat": now, "exp": now + 600,
            "jti": new_id("jti"), "typ": "access", "name": "Nick", "roles": list(roles),
        }  # fmt: skip
        headers = {"kid": identities.player_key_id}
        return jwt.encode(claims, identities.player_key, algorithm="EdDSA", headers=headers)

    return make
