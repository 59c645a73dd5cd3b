"""PostgreSQL: one schema a service, a pool with limits, and migrations that are applied once and never
change.

Migrations are files `NNNN_name.sql` in the service's `migrations` folder, applied in order, each in a
transaction of its own, under an advisory lock, so that replicas that start together do not apply one twice.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from services.runtime.health import Health
from services.runtime.logs import Secret, logger

# Names the advisory lock under which migrations run ("tavo").
_MIGRATION_LOCK = 0x7461766F
_FILE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_RETRY_S = 0.5
_SAY_AGAIN_S = 5.0
_CHECK_S = 2.0
_SCHEMA = re.compile(r"[a-z_]{1,32}")

# The server is not there, is starting, stopping or recovering: worth waiting for.
AWAY = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    # What asyncpg makes of a connection that broke in the middle of its set-up or reset.
    asyncpg.InternalClientError,
)
# The server is there and could not do it in time: a lock was not free, a statement took too long, two waited
# for each other.
BUSY = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
    TimeoutError,
)
# Everything after which the same thing may be tried again.
TROUBLE = (*AWAY, *BUSY, asyncpg.InterfaceError)


class MigrationError(Exception):
    """The migrations of the folder and those of the database do not fit together; the text says how."""


async def open_pool(
    url: Secret, schema: str, migrations: Path, most_connections: int, health: Health
) -> asyncpg.Pool:
    """Waits for the server (and says so), creates the schema, applies the migrations; a pool whose search
    path is the schema.

    Raises MigrationError, or what asyncpg raises for a refused password or a missing right: those do not heal
    by waiting.
    """
    if _SCHEMA.fullmatch(schema) is None:
        raise ValueError(f"not a schema name: {schema!r}")
    pool = await _wait_for(lambda: _create_pool(url, schema, most_connections), health)
    async with pool.acquire() as connection:
        await _migrate(connection, schema, _read(migrations))
    health.set("database", True)
    return pool


async def watch(pool: asyncpg.Pool, health: Health) -> None:
    """Keeps the readiness condition `database` true to the facts, for ever. PostgreSQL tells nobody when it
    goes."""
    while True:
        try:
            await pool.fetchval("SELECT 1", timeout=_CHECK_S)
        except TROUBLE as error:
            health.set("database", False, f"PostgreSQL does not answer: {type(error).__name__}")
        else:
            health.set("database", True)
        await asyncio.sleep(_CHECK_S)


async def _create_pool(url: Secret, schema: str, most_connections: int) -> asyncpg.Pool:
    return await asyncpg.create_pool(
        url.value,
        min_size=1,
        max_size=most_connections,
        timeout=5,
        command_timeout=10,
        max_inactive_connection_lifetime=60,
        server_settings={"search_path": schema, "application_name": f"tavolo-{schema}", "lock_timeout": "3s"},
    )


async def _wait_for(create: Callable[[], Awaitable[asyncpg.Pool]], health: Health) -> asyncpg.Pool:
    loop = asyncio.get_running_loop()
    said_at = float("-inf")
    while True:
        try:
            return await create()
        except (*AWAY, TimeoutError) as error:
            health.set("database", False, "waiting for PostgreSQL")
            if loop.time() - said_at >= _SAY_AGAIN_S:
                said_at = loop.time()
                logger().warning("waiting_for", what="PostgreSQL", error=repr(error))
        await asyncio.sleep(_RETRY_S)


@dataclass(frozen=True, slots=True)
class _Migration:
    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def _read(folder: Path) -> list[_Migration]:
    found = []
    for path in sorted(folder.glob("*.sql")):
        match = _FILE.fullmatch(path.name)
        if match is None:
            raise MigrationError(f"{path.name} is not named NNNN_name.sql")
        found.append(_Migration(int(match[1]), path.name, path.read_text()))
    return found


async def _migrate(connection: asyncpg.Connection, schema: str, migrations: list[_Migration]) -> None:
    await connection.execute("SELECT pg_advisory_lock($1)", _MIGRATION_LOCK)
    try:
        if await connection.fetchval("SELECT to_regnamespace($1) IS NULL", schema):
            await connection.execute(f"CREATE SCHEMA {schema}")
        await connection.execute(
            f"CREATE TABLE IF NOT EXISTS {schema}.schema_migrations ("
            "number integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL,"
            " applied_at timestamptz NOT NULL DEFAULT now())"
        )
        applied = {
            row["number"]: row
            for row in await connection.fetch(f"SELECT number, name, sha256 FROM {schema}.schema_migrations")  # noqa: S608
        }
        for migration in migrations:
            await _apply(connection, schema, migration, applied)
    finally:
        await connection.execute("SELECT pg_advisory_unlock($1)", _MIGRATION_LOCK)


async def _apply(
    connection: asyncpg.Connection, schema: str, migration: _Migration, applied: dict[int, asyncpg.Record]
) -> None:
    known = applied.get(migration.number)
    if known is not None:
        if known["sha256"] != migration.digest:
            raise MigrationError(
                f"{migration.name} was changed after it was applied as {known['name']}: add a new migration"
            )
        return
    if applied and migration.number < max(applied):
        raise MigrationError(
            f"{migration.name} comes before migration {max(applied)}, which is applied already"
        )
    async with connection.transaction():
        await connection.execute(migration.sql)
        await connection.execute(
            f"INSERT INTO {schema}.schema_migrations (number, name, sha256) VALUES ($1, $2, $3)",  # noqa: S608
            migration.number,
            migration.name,
            migration.digest,
        )
    logger().info("migration_applied", schema=schema, migration=migration.name)
