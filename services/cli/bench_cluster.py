"""`tavolo bench cluster`.

Tables in play through gateway, engine and NATS, with the clients in a process of their own.
"""

import argparse
import json
import sys
from dataclasses import dataclass, field
from typing import Any

import uvloop

from services.cli.bench_appends import appends_per_second
from services.cli.bench_generator import BenchError, Generator
from services.cli.bench_grpc import messages_per_second
from services.cli.bench_load import Load
from services.cli.bench_processes import Usage, cpu_between, usage
from services.cli.bench_report import additions_per_second, machine
from services.cli.bench_tables import print_idle, print_runs
from services.cli.cluster import WORKER, Cluster, ClusterError, Plan, temporary_folder

# Limits protect the platform from one client; here one machine is all of them. They stay in force, raised.
RAISED = {
    "TAVOLO_GATEWAY_CONNECTIONS_PER_ADDRESS": "20000",
    "TAVOLO_GATEWAY_MESSAGES_PER_S": "10000",
    "TAVOLO_GATEWAY_MESSAGES_BURST": "10000",
    "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_PER_S": "10000",
    "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_BURST": "10000",
    "TAVOLO_GATEWAY_CALLS_PER_S": "10000",
    "TAVOLO_GATEWAY_CALLS_BURST": "10000",
    "TAVOLO_LOBBY_SIGN_UP_BURST": "100000",
}
# Tables stay in memory however long nothing happens at them.
NO_EVICTION = {"TAVOLO_TABLE_ENGINE_EVICT_AFTER_S": "0"}

SYNCS = {"always": "always", "default": "2m"}
IDLE_TABLES = 2_000
WARM_UP_TABLES = 20


@dataclass(frozen=True)
class Run:
    """One run of the suite.

    `sync`: a key of SYNCS; `pace`: moves per second and table, 0 = as fast as they can.
    """

    tables: int
    seconds: float
    pace: float = 0.0
    edge: str = "ws"
    sync: str = "always"

    @property
    def name(self) -> str:
        pace = f"{self.pace:g}/s each" if self.pace else "closed loop"
        return f"{self.tables} tables, {pace}, {self.edge}, sync {self.sync}"


# What `make bench` runs: the figures that the project aims at.
SUITE = (
    Run(100, 10.0),
    Run(500, 15.0, pace=1.0),
    Run(100, 10.0, edge="grpc"),
    Run(100, 10.0, sync="default"),
)


@dataclass
class Results:
    """All that was measured.

    RSS in bytes, CPU in seconds per 1,000 moves by part, latencies in milliseconds.
    """

    workers: int
    machine: str = field(default_factory=machine)
    settings: dict[str, str] = field(default_factory=lambda: dict(RAISED))
    runs: list[dict[str, Any]] = field(default_factory=list)
    idle: dict[str, Any] | None = None


def run_cluster(args: argparse.Namespace) -> int:
    """0: measured; 1: a run could not be made; 2: wrong usage."""
    for option in ("tables", "workers"):
        if (number := getattr(args, option)) is not None and number < 1:
            print(f"tavolo bench cluster: --{option} must be at least 1", file=sys.stderr)
            return 2
    if args.tables is None:
        runs: tuple[Run, ...] = SUITE
    else:
        runs = (Run(args.tables, args.seconds, args.pace or 0.0, args.edge, args.sync),)
    results = Results(workers=args.workers)
    try:
        uvloop.run(_measure_all(runs, results, with_idle=args.tables is None))
    except (BenchError, ClusterError, TimeoutError) as error:
        print(f"tavolo bench cluster: {error}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(vars(results)))
        return 0
    print(results.machine)
    print(f"table-engine workers: {results.workers}")
    print("rate limits, raised: " + ", ".join(f"{name}={value}" for name, value in results.settings.items()))
    print_runs(results.runs)
    if results.idle:
        print_idle(results.idle)
    return 0


async def _measure_all(runs: tuple[Run, ...], results: Results, *, with_idle: bool) -> None:
    """One cluster for each way of flushing, and one for the idle tables."""
    for sync in dict.fromkeys(run.sync for run in runs):
        with temporary_folder() as folder:
            cluster = Cluster(Plan(folder, workers=results.workers, sync=SYNCS[sync], env=RAISED), _say)
            await cluster.start()
            try:
                for run in runs:
                    if run.sync == sync:
                        _say(f"{run.name} …")
                        results.runs.append(await _measure(cluster, run))
            finally:
                await cluster.stop()
    if with_idle:
        with temporary_folder() as folder:
            cluster = Cluster(Plan(folder, workers=results.workers, env={**RAISED, **NO_EVICTION}), _say)
            await cluster.start()
            try:
                _say(f"{IDLE_TABLES} idle tables …")
                results.idle = await measure_idle(cluster, IDLE_TABLES)
            finally:
                await cluster.stop()


async def _measure(cluster: Cluster, run: Run) -> dict[str, Any]:
    """One run on a cluster that is there."""
    additions = additions_per_second()
    bare = await appends_per_second(SYNCS[run.sync])
    messages = await messages_per_second()
    load = _load(cluster, run.tables, run.seconds, run.pace, run.edge)
    before: dict[str, Usage] = {}
    after: dict[str, Usage] = {}
    found: dict[str, Any] = {}
    async with Generator(load) as generator:
        async for stage in generator:
            if stage["stage"] == "measuring":
                before = usage(_parts(cluster, generator.pid))
            elif stage["stage"] == "measured":
                after = usage(_parts(cluster, generator.pid))
                found = stage
    moves, seconds = found["moves"], found["seconds"]
    cpu = {part: spent / max(1, moves) * 1000 for part, spent in cpu_between(before, after).items()}
    return {
        "name": run.name,
        "tables": run.tables,
        "edge": run.edge,
        "sync": run.sync,
        "pace": run.pace,
        "moves_per_s": moves / seconds,
        "ack_ms": found["ack_ms"],
        "both_ms": found["both_ms"],
        "bare_appends_per_s": bare,
        "bare_grpc_messages_per_s": messages,
        "python_additions_per_s": additions,
        "cpu_s_per_1000_moves": cpu,
        "cpu_s_per_1000_moves_all_services": sum(spent for part, spent in cpu.items() if part != "generator"),
        "rss": {part: each.rss for part, each in after.items()},
        "refusals": found["refusals"],
        "connections_lost": found["lost"],
    }


async def measure_idle(cluster: Cluster, tables: int) -> dict[str, Any]:
    """Memory of connections that say nothing, then of tables in play at which nobody moves.

    A few tables come first, so that what is loaded once is not counted. Per connection: what the gateway grew
    by; per table: what the engine's workers grew by, and what all services and NATS grew by.
    """
    async with Generator(_load(cluster, WARM_UP_TABLES, 0.0, 0.0, "ws")) as warm_up:
        async for _ in warm_up:
            pass
    empty = usage(_parts(cluster))
    connected = attached = empty
    found: dict[str, Any] = {}
    async with Generator(_load(cluster, tables, 0.0, 0.0, "ws")) as generator:
        async for stage in generator:
            if stage["stage"] == "connected":
                connected = usage(_parts(cluster))
                found["connections"] = stage["connections"]
            else:
                attached = usage(_parts(cluster))
                found["tables_opened_per_s"] = tables / stage["seconds"]

    def growth(of: dict[str, Usage], *parts: str) -> int:
        return sum(of[part].rss - empty[part].rss for part in parts)

    services = [part for part in empty if part != "postgres"]
    return {
        "tables": tables,
        **found,
        "bytes_per_idle_connection": growth(connected, "gateway") / found["connections"],
        "bytes_per_idle_table": growth(attached, WORKER) / tables,
        "bytes_per_idle_table_all_services": growth(attached, *services) / tables,
        "bytes_per_attached_connection": growth(attached, "gateway") / found["connections"],
        "rss_with_none": {part: each.rss for part, each in empty.items()},
        "rss_with_all": {part: each.rss for part, each in attached.items()},
    }


def _load(cluster: Cluster, tables: int, seconds: float, pace: float, edge: str) -> Load:
    return Load(
        cluster.address("gateway", "grpc"), cluster.address("gateway", "http"), tables, seconds, pace, edge
    )


def _parts(cluster: Cluster, generator: int | None = None) -> dict[str, list[int]]:
    """Process ids by part, the engine's workers together."""
    parts: dict[str, list[int]] = {}
    for name, pid in cluster.pids().items():
        parts.setdefault(WORKER if name.startswith(WORKER) else name, []).append(pid)
    if generator is not None:
        parts["generator"] = [generator]
    return parts


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
