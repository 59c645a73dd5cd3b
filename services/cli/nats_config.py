"""Who may do what on NATS, one user a service, and the server's configuration; the same on one machine and on
Kubernetes.

Permissions are prefixes. Only the engine writes and reads the tables' logs; the clock may make consumers on
them (it asks for headers only; the seeds and hidden moves in the rest are sealed); a gateway reads views;
nobody but the owner writes a stream.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.runtime.shards import STREAMS, log_stream

LOGS = tuple(log_stream(number) for number in range(STREAMS))


@dataclass(frozen=True, slots=True)
class Rights:
    """What a user may do. Streams are named; `own` adds plain subjects to publish, `hear` plain subjects to
    subscribe."""

    own: tuple[str, ...] = ()
    hear: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()  # streams that it creates
    reads: tuple[str, ...] = ()  # streams whose messages it gets one by one
    follows: tuple[str, ...] = ()  # streams on which it makes its own short-lived consumers
    consumes: tuple[str, ...] = ()  # streams on which it has a durable consumer of its own name


RIGHTS: Mapping[str, Rights] = {
    "table_engine": Rights(
        own=("tavolo.table.>", "tavolo.view.>", "tavolo.gone.>", "$KV.LEASES.tables.>"),
        makes=(*LOGS, "TABLE_ALIVE", "TABLE_RESULTS", "KV_LEASES"),
        reads=(*LOGS, "TABLE_ALIVE", "TABLE_RESULTS", "KV_LEASES"),
        follows=("KV_LEASES",),
    ),
    "clock": Rights(
        own=("$KV.LEASES.clocks.>",),
        makes=("KV_LEASES",),
        reads=("KV_LEASES",),
        follows=(*LOGS, "KV_LEASES"),
    ),
    "gateway": Rights(
        own=("$KV.LEASES.gateways.>",),
        hear=("tavolo.view.>", "tavolo.gone.>"),
        makes=("KV_LEASES",),
        reads=("KV_LEASES", "NOTICES", "CHAT"),
        follows=("KV_LEASES", "NOTICES", "CHAT"),
    ),
    "lobby": Rights(
        own=("tavolo.notice.lobby.*", "tavolo.dead.TABLE_RESULTS.lobby"),
        makes=("NOTICES", "DEAD_LETTERS"),
        reads=("NOTICES",),
        follows=("KV_LEASES",),
        consumes=("TABLE_RESULTS",),
    ),
    "scoring": Rights(
        own=("tavolo.notice.scoring.*", "tavolo.dead.TABLE_RESULTS.scoring"),
        makes=("NOTICES", "DEAD_LETTERS"),
        reads=("NOTICES",),
        consumes=("TABLE_RESULTS",),
    ),
    "chat": Rights(own=("tavolo.chat.message.*",), makes=("CHAT",), reads=("CHAT",)),
}


def permissions(user: str) -> dict[str, dict[str, list[str]]]:
    """The `permissions` of a user in the server's configuration."""
    rights = RIGHTS[user]
    known = {*rights.makes, *rights.reads, *rights.follows, *rights.consumes}
    publish = [*rights.own, *(f"$JS.API.STREAM.INFO.{stream}" for stream in sorted(known))]
    publish += [f"$JS.API.STREAM.CREATE.{stream}" for stream in rights.makes]
    for stream in rights.reads:
        publish += [
            f"$JS.API.STREAM.MSG.GET.{stream}",
            f"$JS.API.DIRECT.GET.{stream}",
            f"$JS.API.DIRECT.GET.{stream}.>",
        ]
    for stream in rights.follows:
        publish += [f"$JS.API.CONSUMER.CREATE.{stream}.>", f"$JS.API.CONSUMER.MSG.NEXT.{stream}.>"]
    for stream in rights.consumes:
        publish += [
            f"$JS.API.CONSUMER.CREATE.{stream}.{user}.>",
            f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{user}",
            f"$JS.ACK.{stream}.{user}.>",
        ]
    return {"publish": {"allow": publish}, "subscribe": {"allow": [f"_INBOX.{user}.>", *rights.hear]}}


def users(passwords: Mapping[str, str], observers: Iterable[tuple[str, str]] = ()) -> str:
    """The `authorization`-like user list as JSON (which the server's configuration language contains).

    passwords: user -> password, or a reference such as `$TAVOLO_NATS_PASSWORD_LOBBY`. observers: (user,
    password) of users that may listen to everything and publish nothing; for tests.
    """
    found: list[dict[str, object]] = [
        {"user": user, "password": password, "permissions": permissions(user)}
        for user, password in passwords.items()
    ]
    found += [
        {
            "user": user,
            "password": password,
            "permissions": {"publish": {"deny": [">"]}, "subscribe": {"allow": [">"]}},
        }
        for user, password in observers
    ]
    return json.dumps(found, indent=2)


def local_config(*, port: int, monitor_port: int, store: str, sync: str, user_list: str) -> str:
    """The configuration of a single server on this machine. sync: `always`, or the interval of the server's
    own flushing."""
    return f"""# Made by `tavolo up`; written anew at every start.
server_name: tavolo
host: 127.0.0.1
port: {port}
http: "127.0.0.1:{monitor_port}"
max_payload: 1MB
max_connections: 1000
ping_interval: "10s"
write_deadline: "5s"
jetstream {{
  store_dir: {json.dumps(store)}
  sync_interval: {sync}
}}
accounts {{
  TAVOLO {{
    jetstream: enabled
    users: {user_list}
  }}
}}
"""
