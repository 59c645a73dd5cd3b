"""The outbox: what a transaction wrote is told once, an account's notices in order, whoever else cannot be
told."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio
from tavolo.gateway.v1.gateway_pb2 import Notice, TableChanged

from services.runtime import notices
from services.runtime.bus import Bus
from services.runtime.db import open_pool
from services.runtime.health import Health
from services.runtime.logs import Secret
from services.runtime.metrics import NOTICE_FAILURES, NOTICES_PUBLISHED
from services.runtime.outbox import Message, Outbox, put
from tests.support.processes import PostgresServer
from tests.support.waiting import wait_for

LIMIT_S = 20
TABLE = """
CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account text NOT NULL,
    message_id text NOT NULL UNIQUE, notice bytea NOT NULL
);
CREATE INDEX outbox_by_account ON outbox (account, id);
"""


@pytest.fixture
def part() -> str:
    """A writer's name that no other test has."""
    return f"test_{os.urandom(4).hex()}"


@pytest_asyncio.fixture
async def pool(tmp_path: Path, postgres: PostgresServer, bus: Bus) -> AsyncIterator[asyncpg.Pool]:
    await bus.ensure_stream(notices.stream(1))
    (tmp_path / "0001_outbox.sql").write_text(TABLE)
    made = await open_pool(Secret(await postgres.new_database()), "told", tmp_path, 6, Health())
    yield made
    await made.close()


async def write(pool: asyncpg.Pool, part: str, account: str, texts: Iterable[str]) -> None:
    async with pool.acquire() as db, db.transaction():
        await put(
            db,
            [
                Message(account, f"{part}:{account}:{text}", Notice(table_changed=TableChanged(text=text)))
                for text in texts
            ],
        )


async def told(bus: Bus, part: str, account: str) -> list[str]:
    stored = await bus.read_subject(notices.STREAM, notices.subject(part, account))
    return [Notice.FromString(message.data).table_changed.text for message in stored]


async def until_left(pool: asyncpg.Pool, rows: int) -> None:
    """Waits until so many notices are still to be told."""

    async def left() -> bool:
        return bool(await pool.fetchval("SELECT count(*) FROM outbox") == rows)

    await wait_for(left, LIMIT_S, f"{rows} notices are left")


async def test_replicas_tell_every_notice_once_and_in_order(pool: asyncpg.Pool, bus: Bus, part: str) -> None:
    texts = [str(number) for number in range(20)]
    for account in ("ann", "ben"):
        await write(pool, part, account, texts[:10])
    outboxes = [Outbox(pool, bus, part) for _ in range(3)]
    running = [asyncio.create_task(outbox.run()) for outbox in outboxes]
    try:
        for account in ("ann", "ben"):
            await write(pool, part, account, texts[10:])
            for outbox in outboxes:
                outbox.wake()
        await until_left(pool, 0)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    for account in ("ann", "ben"):
        assert await told(bus, part, account) == texts
    assert NOTICES_PUBLISHED.labels(part)._value.get() == 40


async def test_a_notice_that_cannot_be_published_keeps_nobody_elses_back(
    pool: asyncpg.Pool, bus: Bus, part: str
) -> None:
    await write(pool, part, "no.stream.for.this", ["lost"])
    await write(pool, part, "ann", ["one", "two", "three"])
    running = asyncio.create_task(Outbox(pool, bus, part, retry_most_s=0.1).run())
    try:
        await until_left(pool, 1)
        assert await told(bus, part, "ann") == ["one", "two", "three"]
        await wait_for(lambda: NOTICE_FAILURES.labels(part)._value.get() >= 4, LIMIT_S, "it is tried again")
        assert not running.done()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert await pool.fetchval("SELECT account FROM outbox") == "no.stream.for.this"


async def test_what_a_killed_writer_has_told_is_not_told_again(
    pool: asyncpg.Pool, bus: Bus, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor sent again: the stream itself knows a repeated message for two minutes only."""
    await write(pool, part, "ann", ["one", "two"])
    row = await pool.fetchrow("SELECT message_id, notice FROM outbox ORDER BY id LIMIT 1")
    assert row is not None
    await bus.append(notices.subject(part, "ann"), row["notice"], msg_id=row["message_id"])
    sent = []
    append = bus.append

    async def noted(subject: str, data: bytes, **options: Any) -> int:
        sent.append(options["msg_id"])
        return await append(subject, data, **options)

    monkeypatch.setattr(bus, "append", noted)
    running = asyncio.create_task(Outbox(pool, bus, part).run())
    try:
        await until_left(pool, 0)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert sent == [f"{part}:ann:two"]
    assert await told(bus, part, "ann") == ["one", "two"]
