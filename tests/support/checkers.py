"""What must be true of the tables after any fault (OPERATIONS.md, section 12, the checkers)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import asyncpg
from tavolo.table.v1.log_pb2 import LogEntry

from services.cli.cluster import Cluster
from services.runtime.bus import Bus
from services.runtime.health import Health
from services.runtime.logs import Secret
from services.runtime.messages import StoredMessage
from services.runtime.sealing import Sealer
from services.runtime.shards import log_stream, log_subject, shard_of, stream_of
from services.runtime.wire import Access
from services.table_engine.fold import Folder
from services.table_engine.table import Table
from tests.support.crowd import Acknowledged, Sitting

READY_WAIT = "TAVOLO_TABLE_ENGINE_READY_WAIT_S"
_SIGN_OF_LIFE_MS = 1_000
_SLACK_MS = 1_000


@dataclass
class TableLog:
    """The log of one table, read back, and what it folds to."""

    stored: list[StoredMessage]
    entries: list[LogEntry]
    folded: Table


async def engine_bus(cluster: Cluster) -> Bus:
    """A connection to the cluster's NATS with the engine's rights: the only ones that read the logs."""
    url, user, password = cluster.nats_access("table_engine")
    bus = Bus(Access((url,), "table_engine", user, Secret(password)), Health())
    await bus.connect()
    return bus


def folder(cluster: Cluster) -> Folder:
    """Folds the logs of a cluster as its workers do."""
    keys = Path(cluster.data) / "keys"
    wait_s = float(cluster.plan.env.get(READY_WAIT, 15))
    return Folder(Sealer.from_file(next(keys.glob("*seal*"))), round(wait_s * 1000))


async def read_log(bus: Bus, fold: Folder, table: str) -> TableLog:
    """The table's log; that it folds at all is checker (b)'s first half."""
    stored = await bus.read_subject(log_stream(stream_of(shard_of(table))), log_subject(table))
    return TableLog(stored, [LogEntry.FromString(m.data) for m in stored], fold.fold(stored))


def check_table(sitting: Sitting, acknowledged: Iterable[Acknowledged], log: TableLog) -> None:
    """Every acknowledged move is in the log once, at its place; views rose; nobody's clock paid for us."""
    commands = Counter(
        (record.moved.seat, record.moved.command_id)
        for entry in log.entries
        for record in entry.records
        if record.HasField("moved")
    )
    assert not [command for command, times in commands.items() if times > 1], "a command was applied twice"
    for move in acknowledged:
        records = log.entries[move.version - 1].records
        assert any(
            record.moved.command_id == move.command_id and record.moved.move == move.move
            for record in records
        ), f"{sitting.table}: an acknowledged move is not at entry {move.version}"
    for versions in sitting.versions.values():
        assert versions == sorted(set(versions)), "a client's views went back, or came twice"
    assert not any(record.moved.move == "abandon" for entry in log.entries for record in entry.records), (
        "somebody lost a match by our fault"
    )
    _check_owners(log.entries)
    _check_outages(sitting, log.entries)
    assert not sitting.refusals, sitting.refusals


async def check_tables(cluster: Cluster, sittings: Iterable[Sitting]) -> None:
    """`check_table` of each with what is acknowledged now; the log may grow meanwhile."""
    bus = await engine_bus(cluster)
    try:
        fold = folder(cluster)
        for sitting in sittings:
            acknowledged = list(sitting.acknowledged)
            check_table(sitting, acknowledged, await read_log(bus, fold, sitting.table))
    finally:
        await bus.close()


async def check_settled(cluster: Cluster, sittings: Iterable[Sitting]) -> None:
    """Each match is settled once, in the ledger and towards its players, and the ledger sums to zero."""
    ledger = await asyncpg.connect(
        cluster.database_url("scoring"), server_settings={"search_path": "scoring"}
    )
    try:
        for sitting in sittings:
            told = [(line.match, line.table) for line in sitting.settled]
            assert told == [(sitting.match, sitting.table)] * 2
            booked = await ledger.fetch(
                "SELECT purpose, sum(amount) AS cents, count(DISTINCT transactions.id) AS times "
                "FROM transactions JOIN entries ON entries.transaction = transactions.id "
                "WHERE match = $1 GROUP BY purpose ORDER BY purpose",
                sitting.match,
            )
            assert [tuple(row) for row in booked] == [("settlement", 0, 1), ("stake", 0, 1)]
            archived = await ledger.fetchrow("SELECT deltas FROM matches WHERE match = $1", sitting.match)
            assert sorted(archived["deltas"]) == sorted(line.delta_cents for line in sitting.settled)
        assert await ledger.fetchval("SELECT sum(amount) FROM entries") == 0
    finally:
        await ledger.close()


def _check_owners(entries: list[LogEntry]) -> None:
    """Who writes after another worker has read the table anew: its first entry says so. One that goes on from
    what it had in memory has written although it had lost the table."""
    for before, entry in pairwise(entries):
        if entry.worker != before.worker:
            kinds = {record.WhichOneof("kind") for record in entry.records}
            assert kinds <= {"resumed", "published"}, f"{entry.worker} wrote {kinds} after {before.worker}"


def _check_outages(sitting: Sitting, entries: list[LogEntry]) -> None:
    """An outage ends the time that is charged at the last sign of life, at most a second after the kill. The
    players may have thought until then."""
    most = round(sitting.pace_s * 1000) + _SIGN_OF_LIFE_MS + _SLACK_MS
    for before, entry in pairwise(entries):
        for record in entry.records:
            if record.HasField("resumed"):
                charged = record.resumed.down_at_ms - before.at_ms
                assert 0 <= charged <= most, (
                    f"{sitting.table}: {charged} ms were charged between\n{before}and\n{entry}"
                )
                assert entry.at_ms - record.resumed.down_at_ms <= _SLACK_MS, (
                    f"{sitting.table}: time ran during the outage"
                )
