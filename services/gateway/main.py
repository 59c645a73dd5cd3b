"""The gateway service: `tavolo gateway`."""

import grpc

from services.gateway.calls import Calls
from services.gateway.chat import STREAM as CHAT_STREAM
from services.gateway.chat import Chat
from services.gateway.edge_grpc import SERVICE, ConnectEdge, PassOn
from services.gateway.edge_http import HttpEdge
from services.gateway.hub import Hub
from services.gateway.limits import Buckets
from services.gateway.methods import PARTS
from services.gateway.notices import Notices
from services.gateway.router import Router
from services.gateway.settings import Settings
from services.gateway.tables import Tables
from services.runtime.app import App, run
from services.runtime.bus import Bus
from services.runtime.bus_errors import BusError
from services.runtime.errors import unavailable
from services.runtime.grpc_client import make_channel
from services.runtime.ids import new_id
from services.runtime.leases import Leases, LeaseWatch
from services.runtime.messages import StoredMessage
from services.runtime.notices import STREAM as NOTICES_STREAM
from services.runtime.wire import NotConnected


def main() -> int:
    return run("gateway", Settings, bind)


async def bind(app: App[Settings]) -> None:
    settings = app.settings
    bus = await app.nats()
    gateway = new_id("gw")
    owners = LeaseWatch(bus, "tables")
    tables = Tables(gateway)

    def connect(address: str) -> grpc.aio.Channel:
        return make_channel(
            address, "table_engine", app.signer, settings.call_deadline_s, settings.tls_ca_file
        )

    router = Router(gateway, tables, owners, connect, settings.command_s)
    calls = _calls(app)
    notices = Notices(lambda account, after: _missed(bus, account, after))
    hub = Hub(settings, app.players, tables, router, notices, Chat(calls.list_messages), calls)

    await bus.subscribe(
        f"tavolo.view.{gateway}.>", lambda subject, _reply, _headers, data: tables.view(subject, data)
    )
    await bus.subscribe(
        f"tavolo.gone.{gateway}.>", lambda subject, _reply, _headers, _data: _gone(tables, subject)
    )
    # Views that were published while there was no connection are lost; who attaches again gets the newest.
    bus.on_state(lambda connected: router.refresh() if connected else None)
    owners.on_change(lambda shard, _owner: router.owner_changed(shard))
    app.spawn(owners.run(), "lease-watch")
    notices.position = await bus.last_sequence(NOTICES_STREAM) + 1
    app.spawn(
        notices.follow(bus.follow(NOTICES_STREAM, "tavolo.notice.>", ("seq", notices.position))), "notices"
    )
    app.spawn(hub.chat.take(bus.follow(CHAT_STREAM, "tavolo.chat.message.>", "new")), "chat")

    # Workers notice by this key that a gateway has died, and with it the connections of its clients.
    membership = Leases(bus, "gateways", 0, gateway, app.address, replicas=settings.nats_replicas)
    await membership.start()
    app.spawn(membership.failure(), "leases")
    app.on_stop(membership.stop)
    app.on_stop(router.close)

    app.add_service(_add_handler, ConnectEdge(hub), SERVICE)
    for service in PARTS:
        app.add_service(_add_handler, PassOn(service, calls, settings.proxies), service)
    http = HttpEdge(hub, app.health, app.address)
    port = await http.start(settings.http_host, settings.http_port)
    app.addresses["http"] = f"{settings.http_host}:{port}"
    app.on_stop(http.stop)
    app.on_drain(hub.drain)


def _add_handler(handler: grpc.GenericRpcHandler, server: grpc.aio.Server) -> None:
    server.add_generic_rpc_handlers((handler,))


def _calls(app: App[Settings]) -> Calls:
    settings = app.settings
    targets = {
        "lobby": settings.lobby_target,
        "chat": settings.chat_target,
        "scoring": settings.scoring_target,
    }
    channels = {part: app.channel(target, part) for part, target in targets.items()}
    return Calls(channels, Buckets(settings.calls_per_s, settings.calls_burst))


def _gone(tables: Tables, subject: str) -> None:
    table, attachment = subject.split(".")[3:5]
    tables.gone(table, attachment)


async def _missed(bus: Bus, account: str, after: int) -> list[StoredMessage]:
    try:
        return await bus.read_subject(NOTICES_STREAM, f"tavolo.notice.*.{account}", after)
    except (BusError, NotConnected, TimeoutError) as error:
        raise unavailable("the notices cannot be read now") from error
