"""`tavolo up`: the local cluster, until Ctrl-C."""

import argparse
import asyncio
import signal
import sys
import time
from pathlib import Path

import uvloop

from services.cli.cluster import Cluster, ClusterError, ClusterRuns, Plan
from services.cli.connection import DATA

GATEWAY_PORTS = (7400, 7401)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, default=2, help="table-engine workers (2)")
    parser.add_argument(
        "--data",
        type=Path,
        default=DATA,
        metavar="DIR",
        help="folder of data, keys, logs (.tavolo)",
    )
    parser.add_argument(
        "--nats-sync",
        default="always",
        metavar="WHEN",
        help="when NATS flushes to disk: `always` (default) or an interval, `2m`",
    )


def run(args: argparse.Namespace) -> int:
    """0: stopped when told to; 1: could not start; 2: wrong usage, or a cluster runs on this folder
    already."""
    if args.workers < 1:
        print("tavolo up: at least one worker is needed", file=sys.stderr)
        return 2
    plan = Plan(args.data, args.workers, GATEWAY_PORTS, args.nats_sync)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_up(plan))


async def _up(plan: Plan) -> int:
    told = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, told.set)
    cluster = Cluster(plan, _say)
    started = time.monotonic()
    _say("starting NATS, PostgreSQL and the services …")
    starting = asyncio.create_task(cluster.start())
    telling = asyncio.create_task(told.wait())
    await asyncio.wait({starting, telling}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return 0
    try:
        starting.result()
    except ClusterError as error:
        print(f"tavolo up: {error}", file=sys.stderr)
        return 2 if isinstance(error, ClusterRuns) else 1
    took = time.monotonic() - started
    _say(f"Tavolo runs (started in {took:.1f} s, {plan.workers} workers, data in {plan.data})")
    _say(f"  gateway: http://{cluster.address('gateway', 'http')}  gRPC {cluster.address('gateway')}")
    _say("  play in a second terminal: make play")
    _say("  Ctrl-C stops it")
    await telling
    _say("stopping …")
    await cluster.stop()
    _say("stopped")
    return 0


def _say(text: str) -> None:
    print(text, flush=True)
