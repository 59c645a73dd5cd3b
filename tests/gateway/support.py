"""What tests of the gateway share: tokens, gateways with own settings, tables, a client that never reads."""

import asyncio
import base64
import itertools
import os
import secrets
import socket
import struct
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.lobby.v1 import account_pb2, lobby_pb2
from tavolo.table.v1.view_pb2 import TABLE_STATE_OVER, TABLE_STATE_READY, TableUpdate

from services.cli.cluster import Cluster
from services.cli.supervisor import Program
from services.runtime.ids import new_id
from tests.support.clients import GatewayClient, Kind, Refused
from tests.support.processes import Identities, Service

ACCOUNTS = "/tavolo.lobby.v1.AccountService/"
LOBBY = "/tavolo.lobby.v1.LobbyService/"
CHAT = "/tavolo.chat.v1.ChatService/"
SCORING = "/tavolo.scoring.v1.ScoringService/"


def token(identities: Identities, account: str, **claims: Any) -> str:
    """A player's access token as the lobby makes them, with some claims changed (None: left out)."""
    now = int(time.time())
    found: dict[str, Any] = {
        "iss": "tavolo",
        "aud": "tavolo",
        "sub": account,
        "iat": now,
        "exp": now + 900,
        "jti": secrets.token_hex(8),
        "typ": "access",
        "name": "Nina",
        "roles": ["player"],
        **claims,
    }
    kept = {key: value for key, value in found.items() if value is not None}
    return jwt.encode(
        kept, identities.player_key, algorithm="EdDSA", headers={"kid": identities.player_key_id}
    )


def addresses_of(cluster: Cluster) -> dict[str, str]:
    """Where the cluster's gateway is."""
    return {kind: cluster.address("gateway", kind) for kind in ("grpc", "http", "metrics")}


_ROOT = Path(__file__).resolve().parents[2]
_numbers = itertools.count()


async def extra_gateway(cluster: Cluster, folder: Path, env: Mapping[str, str]) -> Service:
    """One more gateway of a cluster, with settings of its own. To be stopped."""
    url, user, password = cluster.nats_access("gateway")
    name = f"gateway-{next(_numbers)}"
    address_file = folder / f"{name}.json"
    settings = {
        "TAVOLO_NATS_URL": url,
        "TAVOLO_NATS_USER": user,
        "TAVOLO_NATS_PASSWORD": password,
        "TAVOLO_SERVICE_KEY_FILE": str(cluster.service_key("gateway")),
        "TAVOLO_LOBBY_TARGET": cluster.address("lobby"),
        "TAVOLO_CHAT_TARGET": cluster.address("chat"),
        "TAVOLO_SCORING_TARGET": cluster.address("scoring"),
        "TAVOLO_ADDRESS_FILE": str(address_file),
        **env,
    }
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("TAVOLO_")}
    command = [sys.executable, "-m", "services.cli.main", "gateway"]
    program = Program(name, command, {**inherited, **settings}, _ROOT, folder / f"{name}.log")
    service = Service("gateway", program, address_file)
    await service.start()
    return service


@dataclass
class Guest:
    """Somebody who has signed in."""

    account: str
    token: str
    client: GatewayClient


async def guest(kind: Kind, addresses: dict[str, str], **options: Any) -> Guest:
    """A new guest with an open connection. To be closed."""
    client = await GatewayClient.open(kind, addresses, **options)
    request = account_pb2.SignInGuestRequest(nickname=f"g {secrets.token_hex(6)}")
    signed_in = await client.call(f"{ACCOUNTS}SignInGuest", request, account_pb2.SignInGuestResponse)
    await client.hello(signed_in.tokens.access)
    return Guest(signed_in.account.id, signed_in.tokens.access, client)


async def seated(one: Guest, other: Guest, options: str = "") -> str:
    """A table of scopa at which both sit, attached, with its match begun."""
    opened = await one.client.call(
        f"{LOBBY}OpenTable",
        lobby_pb2.OpenTableRequest(request_id=secrets.token_hex(8), game="scopa", options=options),
        lobby_pb2.OpenTableResponse,
    )
    table = opened.table.id
    await other.client.call(
        f"{LOBBY}JoinTable", lobby_pb2.JoinTableRequest(table=table), lobby_pb2.JoinTableResponse
    )
    for player in (one, other):
        await started(player.client)
        await player.client.attach(table)
    return table


async def started(client: GatewayClient) -> str:
    """Waits for the notice that a match has begun; its table."""
    while not (notice := (await client.event("notice")).notice).HasField("match_started"):
        pass
    return notice.match_started.table


async def step(client: GatewayClient, table: str, update: TableUpdate) -> None:
    """Does what the update asks of its seat, if anything: is ready, or makes the first legal move."""
    seat = update.own.seat
    if update.public.state == TABLE_STATE_READY and seat not in update.public.ready:
        await client.ready(table, update.public.hand, os.urandom(8))
    elif update.own.moves:
        try:
            await client.act(table, update.own.moves[0].text, update.own.turn)
        except Refused as refused:
            # The view was overtaken: the newer one says what is asked now.
            if refused.reason != "STALE_TURN":
                raise


async def play_out(client: GatewayClient, table: str) -> TableUpdate:
    """Plays a seat to the end of the match; the last update."""
    version = 0
    while True:
        update = await client.update(table, version)
        version = update.version
        if update.public.state == TABLE_STATE_OVER:
            return update
        await step(client, table, update)


async def until_play(one: Guest, other: Guest, table: str) -> tuple[Guest, Guest, TableUpdate]:
    """Both are ready; who is to act, who is not, and the update that asks for the first move."""
    for player in (one, other):
        update = await player.client.update(table)
        await player.client.ready(table, update.public.hand)

    def asked(player: Guest) -> bool:
        return bool(player.client.updates[table].own.moves)

    await one.client.until(lambda: one.client.updates[table].public.to_act)
    await other.client.until(lambda: other.client.updates[table].public.to_act)
    first, second = (one, other) if asked(one) else (other, one)
    return first, second, first.client.updates[table]


class DeafClient:
    """A WebSocket client, by hand, that reads only when told to, with small buffers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, http: str) -> "DeafClient":
        """Connects in the binary form."""
        host, _, port = http.rpartition(":")
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, (host, int(port)))
        reader, writer = await asyncio.open_connection(sock=sock, limit=4096)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /ws HTTP/1.1\r\nHost: {http}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tavolo.v1.proto\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        return cls(reader, writer)

    async def send(self, *messages: pb.ClientMessage) -> None:
        """Sends one frame, masked with zeros as the standard allows."""
        data = pb.ConnectRequest(messages=messages).SerializeToString()
        size = len(data)
        short = struct.pack("!BB", 0x82, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x82, 0xFE, size)
        self._writer.write(short + b"\0\0\0\0" + data)
        await self._writer.drain()

    async def frame(self) -> list[pb.ServerMessage] | int:
        """The next frame's messages, or the code of the closing. Raises IncompleteReadError at the end."""
        async with asyncio.timeout(15):
            opcode, length = struct.unpack("!BB", await self._reader.readexactly(2))
            if length == 126:
                (length,) = struct.unpack("!H", await self._reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self._reader.readexactly(8))
            data = await self._reader.readexactly(length)
        if opcode == 0x88:
            return int.from_bytes(data[:2], "big")
        assert opcode == 0x82
        return list(pb.ConnectResponse.FromString(data).messages)

    async def close(self) -> None:
        """Ends the connection."""
        self._writer.close()


def account() -> str:
    """The id of an account that nobody else has."""
    return new_id("ply")
