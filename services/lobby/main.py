"""The lobby service: `tavolo lobby`."""

import asyncio
import signal
from pathlib import Path

import asyncpg
import grpc
from tavolo.lobby.v1.account_pb2_grpc import add_AccountServiceServicer_to_server
from tavolo.lobby.v1.lobby_pb2_grpc import add_LobbyServiceServicer_to_server
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceStub

from services.lobby import metrics, results
from services.lobby.account_service import AccountRpc
from services.lobby.accounts import Accounts, seed_computers
from services.lobby.computers import COMPUTERS
from services.lobby.engine import Engine
from services.lobby.keys import SigningKeys, SigningKeysError
from services.lobby.limits import Limit, Limits
from services.lobby.passwords import Passwords
from services.lobby.service import LobbyRpc
from services.lobby.settings import Settings
from services.lobby.starter import Starter
from services.lobby.tables import Tables
from services.lobby.tokens import Tokens
from services.runtime import db, notices
from services.runtime.app import App, run
from services.runtime.consumer import Consumer
from services.runtime.leases import LeaseWatch
from services.runtime.logs import logger
from services.runtime.outbox import Outbox

_COUNT_EVERY_S = 10.0
_STATES = ("OPEN", "STARTING", "PLAYING")


def main() -> int:
    """Runs the service; the exit status."""
    return run("lobby", Settings, bind)


async def bind(app: App[Settings]) -> None:
    """Accounts first, then tables with what works behind them."""
    settings = app.settings
    keys = SigningKeys(Path(settings.signing_keys_dir))
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, _reload, keys)
    app.use_player_keys(lambda: _own_keys(keys))
    pool = await app.database("lobby", Path(__file__).parent / "migrations")
    bus = await app.nats()
    await bus.ensure_stream(notices.stream(settings.nats_replicas))
    await seed_computers(pool, COMPUTERS)

    app.add_service(
        add_AccountServiceServicer_to_server,
        AccountRpc(_accounts(app, pool, keys), keys),
        "tavolo.lobby.v1.AccountService",
    )
    outbox = Outbox(pool, bus, "lobby", settings.retry_most_s)
    workers = LeaseWatch(bus, "tables")
    scoring: grpc.aio.Channel = app.channel(settings.scoring_target, "scoring")
    starter = Starter(
        pool,
        ScoringServiceStub(scoring),
        Engine(app.channel, settings.table_target, workers),
        outbox.wake,
        settings.retry_most_s,
    )
    tables = Tables(pool, outbox.wake, starter.wake)
    app.add_service(
        add_LobbyServiceServicer_to_server,
        LobbyRpc(pool, tables, settings.most_stake_cents),
        "tavolo.lobby.v1.LobbyService",
    )
    closing = Consumer(
        bus,
        results.STREAM,
        results.DURABLE,
        results.SUBJECT,
        results.Results(pool).close_table,
        replicas=settings.nats_replicas,
    )
    app.spawn(workers.run(), "lease-watch")
    app.spawn(outbox.run(), "outbox")
    app.spawn(starter.run(), "starter")
    app.spawn(closing.run(), "results")
    app.spawn(_count_tables(pool), "count-tables")


def _accounts(app: App[Settings], pool: asyncpg.Pool, keys: SigningKeys) -> Accounts:
    settings = app.settings
    passwords = Passwords(settings.password_threads, settings.password_queue)
    app.on_stop(passwords.close)
    return Accounts(
        pool,
        Tokens(pool, keys, settings.access_s, settings.refresh_s),
        passwords,
        Limits(pool),
        sign_ups=Limit(
            "sign-up",
            settings.sign_up_burst,
            settings.sign_ups_a_minute,
            "too many new accounts from this address: try again a little later",
        ),
        sign_ins=Limit(
            "sign-in",
            settings.sign_in_burst,
            settings.sign_ins_a_minute,
            "too many wrong passwords for this nickname: try again a little later",
        ),
    )


async def _own_keys(keys: SigningKeys) -> str:
    return keys.jwks()


def _reload(keys: SigningKeys) -> None:
    try:
        keys.reload()
    except SigningKeysError as error:
        logger().error("signing_keys_not_read", error=str(error))


async def _count_tables(pool: asyncpg.Pool) -> None:
    """Keeps the gauge of tables true to the database: other replicas change it too."""
    while True:
        try:
            rows = await pool.fetch(
                "SELECT state, count(*) AS n FROM tables WHERE state <> 'CLOSED' GROUP BY state"
            )
        except db.TROUBLE:
            logger().debug("tables_not_counted")
        else:
            counts = {row["state"]: row["n"] for row in rows}
            for state in _STATES:
                metrics.TABLES.labels(state).set(counts.get(state, 0))
        await asyncio.sleep(_COUNT_EVERY_S)
