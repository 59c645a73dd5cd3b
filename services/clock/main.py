"""The clock service: facts in, expired deadlines out."""

from collections.abc import AsyncIterator, Awaitable, Callable

from tavolo.clock.v1.clock_pb2_grpc import add_ClockServiceServicer_to_server

from services.clock.keeper import Keeper
from services.clock.service import Service
from services.clock.settings import Settings
from services.clock.workers import Workers
from services.runtime.app import App, run
from services.runtime.grpc_client import make_channel
from services.runtime.ids import new_id
from services.runtime.leases import Leases, LeaseWatch
from services.runtime.messages import StoredMessage
from services.runtime.shards import STREAMS, log_stream

# A deadline moves at every move, nearly always to later: only one that is as near as this is told late.
_REST_S = 0.1


async def bind(app: App[Settings]) -> None:
    """Joins the group of clocks, and looks after the log streams that fall to this replica."""
    settings = app.settings
    bus = await app.nats()
    tables = LeaseWatch(bus, "tables")
    workers = Workers(
        tables,
        lambda address: make_channel(
            address, "table_engine", app.signer, settings.call_deadline_s, settings.tls_ca_file
        ),
    )

    def follow(stream: int, on_reset: Callable[[], None]) -> AsyncIterator[StoredMessage]:
        return bus.follow(
            log_stream(stream),
            f"tavolo.table.log.{stream}.>",
            headers_only=True,
            rest_s=_REST_S,
            on_reset=on_reset,
        )

    def last_sequence(stream: int) -> Awaitable[int]:
        return bus.last_sequence(log_stream(stream))

    keeper = Keeper(
        follow,
        last_sequence,
        workers.report,
        app.spawn,
        in_flight=settings.in_flight,
        retry_most_s=settings.retry_most_s,
    )

    def member_changed(_member: str, alive: bool) -> None:
        if not alive:
            app.spawn(workers.sweep(), "sweep")

    tables.on_member(member_changed)
    app.spawn(tables.run(), "lease-watch")
    app.on_stop(workers.close)
    leases = Leases(
        bus,
        "clocks",
        STREAMS,
        new_id("clk"),
        app.address,
        keeper.acquire,
        keeper.release,
        settings.nats_replicas,
    )
    await leases.start()
    app.spawn(leases.failure(), "leases")
    app.on_drain(leases.stop)
    app.add_service(add_ClockServiceServicer_to_server, Service(keeper), "tavolo.clock.v1.ClockService")


def main() -> int:
    """`tavolo clock`; the exit status."""
    return run("clock", Settings, bind)
