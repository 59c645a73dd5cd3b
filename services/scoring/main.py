"""The scoring service: results in, settlement out."""

import asyncio
import time
from dataclasses import asdict
from pathlib import Path

import asyncpg
from tavolo.scoring.v1.scoring_pb2_grpc import add_ScoringServiceServicer_to_server

from services.runtime import notices
from services.runtime.app import App, run
from services.runtime.consumer import Consumer
from services.runtime.db import AWAY
from services.runtime.logs import logger
from services.runtime.outbox import Outbox
from services.scoring import consume, metrics, reconcile
from services.scoring.consume import Results
from services.scoring.service import Service
from services.scoring.settings import Settings


async def bind(app: App[Settings]) -> None:
    """Opens what scoring needs, and starts to consume results."""
    settings = app.settings
    bus = await app.nats()
    await bus.ensure_stream(notices.stream(settings.nats_replicas))
    pool = await app.database("scoring", Path(__file__).parent / "migrations")
    app.add_service(add_ScoringServiceServicer_to_server, Service(pool), "tavolo.scoring.v1.ScoringService")
    outbox = Outbox(pool, bus, "scoring")
    results = Results(pool, outbox.wake)
    consumer = Consumer(
        bus,
        consume.STREAM,
        consume.DURABLE,
        consume.SUBJECT,
        results.handle,
        most_tries=settings.tries,
        replicas=settings.nats_replicas,
    )
    app.spawn(outbox.run(), "outbox")
    app.spawn(consumer.run(), "results")
    app.spawn(_reconcile(pool, settings.reconcile_s), "reconcile")


async def _reconcile(pool: asyncpg.Pool, every_s: float) -> None:
    """Checks the whole ledger from time to time: the metrics say what was found, the log if it is wrong."""
    while True:
        try:
            found = await reconcile.check(pool)
        except (asyncpg.InterfaceError, asyncpg.QueryCanceledError, TimeoutError, *AWAY) as error:
            logger().warning("ledger_not_checked", error=repr(error))
        else:
            metrics.LEDGER_SUM_CENTS.set(found.sum_cents)
            metrics.LEDGER_OPEN_ESCROWS.set(found.open_escrows)
            metrics.LEDGER_BAD_SETTLEMENTS.set(found.bad_settlements)
            metrics.LEDGER_WRONG_BALANCES.set(found.wrong_balances)
            metrics.LEDGER_CHECKED.set(time.time())
            if not found.good:
                logger().error("ledger_wrong", **asdict(found))
        await asyncio.sleep(every_s)


def main() -> int:
    """`tavolo scoring`; the exit status."""
    return run("scoring", Settings, bind)
