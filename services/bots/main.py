"""The bots service: `tavolo bots`."""

import asyncio
import random
from pathlib import Path

import grpc
from tavolo.common.v1.error_pb2 import ErrorReason
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceStub

from services.bots import metrics
from services.bots.roster import Roster
from services.bots.seat import Habits
from services.bots.settings import Settings
from services.client import Gateway, Refused
from services.runtime.app import App, run
from services.runtime.logs import logger


def main() -> int:
    return run("bots", Settings, bind)


async def bind(app: App[Settings]) -> None:
    settings = app.settings
    gateway = Gateway(settings.gateway_target, credentials(settings))
    app.on_stop(gateway.close)
    # The gateway passes the service's own token on; who checks it is the lobby.
    accounts = AccountServiceStub(app.channel(settings.gateway_target, "lobby"))
    roster = Roster(gateway, accounts, habits(settings), app.health)
    metrics.PLAYERS.set_function(lambda: sum(player.is_connected for player in roster.players))
    metrics.SEATS.set_function(lambda: sum(len(player.seats) for player in roster.players))
    app.spawn(roster.run(), "roster")


def credentials(settings: Settings) -> grpc.ChannelCredentials | None:
    """TLS where a certificate authority is given."""
    if not settings.tls_ca_file:
        return None
    return grpc.ssl_channel_credentials(Path(settings.tls_ca_file).read_bytes())


def habits(settings: Settings) -> Habits:
    """Thinks about as long as a person, and counts what it does."""
    least, most = settings.think_ms * 2 / 3000, settings.think_ms * 4 / 3000

    def refused(what: str, refusal: Refused) -> None:
        metrics.REFUSALS.labels(reason=ErrorReason.Name(refusal.reason)).inc()
        logger().warning(
            "command_refused", command=what, text=refusal.text, request=refusal.detail.request_id
        )

    return Habits(
        think=lambda: asyncio.sleep(random.uniform(least, most)),  # noqa: S311  a pause, not a secret
        moved=lambda game: metrics.MOVES.labels(game=game).inc(),
        refused=refused,
    )
