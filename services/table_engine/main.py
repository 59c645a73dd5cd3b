"""The table engine: `tavolo table-engine`."""

from collections import Counter
from functools import partial
from pathlib import Path

import grpc
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from tavolo.table.v1.table_pb2_grpc import add_TableServiceServicer_to_server

from services.runtime.app import App, run
from services.runtime.leases import LeaseWatch
from services.runtime.sealing import Sealer
from services.runtime.shards import STREAMS, log_stream
from services.runtime.streams import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from services.table_engine import attach, evict, metrics, outage, results
from services.table_engine.engine import Engine
from services.table_engine.fold import Folder
from services.table_engine.forward import Forwarder
from services.table_engine.service import TableService
from services.table_engine.settings import Settings

_PART = "table_engine"
_DUPLICATES_S = 120.0
_SIGNS_KEPT_S = 3600.0


def main() -> int:
    return run(_PART, Settings, bind)


async def bind(app: App[Settings]) -> None:
    settings = app.settings
    bus = await app.nats()
    for config in streams(settings.nats_replicas):
        await bus.ensure_stream(config)
    folder = Folder(Sealer.from_file(Path(settings.seal_keys_file)), round(settings.ready_wait_s * 1000))
    scoring: grpc.aio.Channel = app.channel(settings.scoring_target, "scoring")
    engine = Engine(settings, bus, folder, app.address, ScoringServiceStub(scoring))
    _count_tables(engine)

    forwarder = Forwarder(engine.shards, lambda address: app.channel(address, _PART))
    engine.shards.leases.watch.on_member(forwarder.member_changed)
    service = TableService(engine, forwarder, app.players)
    app.add_service(add_TableServiceServicer_to_server, service, "tavolo.table.v1.TableService")
    gateways = LeaseWatch(bus, "gateways")
    gateways.on_member(
        lambda gateway, alive: None if alive else attach.gateway_lost(engine, gateways, gateway)
    )

    app.health.set("shards", False, "waiting until every shard has an owner")

    async def start() -> None:
        await engine.shards.leases.start()
        app.spawn(engine.shards.leases.failure(), "leases")
        app.spawn(engine.life.run(engine.interrupted), "sign-of-life")
        app.spawn(gateways.run(), "gateways-watch")
        app.spawn(evict.run(engine), "evict")
        app.spawn(_say_ready(app, engine), "shards-watch")

    async def drain() -> None:
        engine.life.end()
        await engine.shards.leases.stop()
        service.go_away()

    app.on_start(start)
    app.on_drain(drain)
    app.on_stop(forwarder.close)


async def _say_ready(app: App[Settings], engine: Engine) -> None:
    await engine.shards.all_owned()
    app.health.set("shards", True)


def streams(replicas: int) -> list[StreamConfig]:
    """The streams that the engine owns. A log never forgets: when its disk is full it refuses."""
    logs = [
        StreamConfig(
            name=log_stream(number),
            subjects=[f"tavolo.table.log.{number}.>"],
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            discard=DiscardPolicy.NEW,
            deny_delete=True,
            deny_purge=True,
            allow_direct=True,
            duplicate_window=_DUPLICATES_S,
            num_replicas=replicas,
        )
        for number in range(STREAMS)
    ]
    signs = StreamConfig(
        name=outage.STREAM,
        subjects=["tavolo.table.alive.*"],
        storage=StorageType.FILE,
        max_msgs_per_subject=1,
        max_age=_SIGNS_KEPT_S,
        allow_direct=True,
        num_replicas=replicas,
    )
    found = StreamConfig(
        name=results.STREAM,
        subjects=["tavolo.table.result.>"],
        storage=StorageType.FILE,
        discard=DiscardPolicy.NEW,
        duplicate_window=_DUPLICATES_S,
        num_replicas=replicas,
    )
    return [*logs, signs, found]


def _count_tables(engine: Engine) -> None:
    """Tables and attachments are counted when somebody asks, not at every move."""

    def tables(state: str) -> int:
        return Counter(hosted.state for hosted in engine.hosted())[state]

    def attachments(watching: bool) -> int:
        return sum(
            (attachment.seat is None) == watching
            for hosted in engine.hosted()
            for attachment in hosted.attachments.values()
        )

    for state in ("cover", "ready", "play", "over", "parked"):
        metrics.TABLES.labels(state).set_function(partial(tables, state))
    metrics.ATTACHMENTS.labels("seat").set_function(lambda: attachments(False))
    metrics.ATTACHMENTS.labels("spectator").set_function(lambda: attachments(True))
