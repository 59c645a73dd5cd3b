"""The database: waited for, migrated once, each schema with its own history."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from services.runtime.db import MigrationError, open_pool, watch
from services.runtime.health import Health
from services.runtime.logs import Secret
from tests.support.processes import PostgresServer
from tests.support.waiting import wait_for

FIRST = "CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL);"


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    (tmp_path / "migrations").mkdir()
    (tmp_path / "migrations" / "0001_notes.sql").write_text(FIRST)
    return tmp_path / "migrations"


async def opened(url: str, migrations: Path, schema: str = "notes") -> asyncpg.Pool:
    return await open_pool(Secret(url), schema, migrations, 4, Health())


async def test_migrations_are_applied_once_in_order_by_replicas_that_start_together(
    postgres: PostgresServer, migrations: Path
) -> None:
    url = await postgres.new_database()
    (migrations / "0002_more.sql").write_text("ALTER TABLE notes ADD COLUMN more integer;")
    pools = await asyncio.gather(*(opened(url, migrations) for _ in range(4)))
    await pools[0].execute("INSERT INTO notes VALUES (1, 'one', 2)")
    assert await pools[1].fetchval("SELECT more FROM notes") == 2
    names = [
        row["name"] for row in await pools[2].fetch("SELECT name FROM schema_migrations ORDER BY number")
    ]
    assert names == ["0001_notes.sql", "0002_more.sql"]
    for pool in pools:
        await pool.close()


async def test_a_changed_or_late_migration_stops_the_start(
    postgres: PostgresServer, migrations: Path
) -> None:
    url = await postgres.new_database()
    (migrations / "0003_more.sql").write_text("ALTER TABLE notes ADD COLUMN more integer;")
    await (await opened(url, migrations)).close()
    (migrations / "0001_notes.sql").write_text(FIRST + " -- changed")
    with pytest.raises(MigrationError, match="was changed after it was applied"):
        await opened(url, migrations)
    (migrations / "0001_notes.sql").write_text(FIRST)
    (migrations / "0002_late.sql").write_text("SELECT 1;")
    with pytest.raises(MigrationError, match="comes before migration 3"):
        await opened(url, migrations)
    (migrations / "0002_late.sql").rename(migrations / "late.sql")
    with pytest.raises(MigrationError, match="NNNN_name"):
        await opened(url, migrations)


async def test_a_failing_migration_leaves_nothing(postgres: PostgresServer, migrations: Path) -> None:
    url = await postgres.new_database()
    (migrations / "0002_bad.sql").write_text("CREATE TABLE half (id integer); SELECT nonsense;")
    with pytest.raises(asyncpg.UndefinedColumnError):
        await opened(url, migrations)
    (migrations / "0002_bad.sql").unlink()
    pool = await opened(url, migrations)
    assert await pool.fetchval("SELECT to_regclass('half') IS NULL")
    await pool.close()


async def test_schemas_do_not_see_each_other(postgres: PostgresServer, migrations: Path) -> None:
    url = await postgres.new_database()
    one, other = await opened(url, migrations, "one"), await opened(url, migrations, "other")
    await one.execute("INSERT INTO notes VALUES (1, 'mine')")
    assert await other.fetchval("SELECT count(*) FROM notes") == 0
    await one.close()
    await other.close()


async def test_the_server_is_waited_for_and_its_absence_is_said(folder: Path, migrations: Path) -> None:
    place = folder / "postgres-of-test-db"
    place.mkdir()
    server = PostgresServer(place)
    health = Health()
    health.set("start", True)
    opening = asyncio.create_task(open_pool(Secret(server.url), "notes", migrations, 4, health))
    await wait_for(lambda: health.reasons() == {"database": "waiting for PostgreSQL"})
    await server.start()
    pool = await opening
    watching = asyncio.create_task(watch(pool, health))
    assert health.ready
    await server.kill()
    await wait_for(lambda: not health.ready)
    await server.start()
    await wait_for(lambda: health.ready, 15)
    assert await pool.fetchval("SELECT count(*) FROM notes") == 0
    watching.cancel()
    await pool.close()
    await server.stop()
