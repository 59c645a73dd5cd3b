"""A place to play: NATS of its own, workers of the table engine, and a client that acts as a gateway."""

import asyncio
import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import aiohttp
from tavolo.table.v1 import log_pb2, table_pb2, view_pb2

from services.rules import time_control
from services.rules.core.moves import Event
from services.runtime.bus import Bus
from services.runtime.ids import new_id
from services.runtime.lease_map import Owner, rightful
from services.runtime.leases import LeaseWatch
from services.runtime.messages import StoredMessage
from services.runtime.sealing import Sealer
from services.runtime.shards import SHARDS, log_stream, log_subject, shard_of, stream_of
from services.table_engine import match
from services.table_engine.fold import Folder
from services.table_engine.table import Table
from services.table_engine.text import json_text
from tests.support.processes import (
    Identities,
    NatsServer,
    PostgresServer,
    Service,
    Services,
    connect_bus,
)  # fmt: skip
from tests.support.waiting import wait_for
from tests.table_engine.players import LinkClient, Player, start_request

READY_WAIT_MS = 15_000
_UNUSED_DATABASE = "postgresql://127.0.0.1:1/none"


class Ground:
    """NATS, workers and a gateway's client of one test or module."""

    def __init__(self, folder: Path, identities: Identities) -> None:
        self.identities = identities
        self.nats = NatsServer(folder)
        self._services = Services(folder, identities, self.nats, PostgresServer(folder, _UNUSED_DATABASE))
        self.workers: list[Service] = []
        self.bus: Bus
        self.gateway: LinkClient

    async def start(self) -> Self:
        """Starts NATS and connects to it."""
        await self.nats.start()
        self.bus = await connect_bus(self.nats.url)
        self.gateway = await LinkClient(self.bus, self.identities).listen()
        self._leases = LeaseWatch(self.bus, "tables")
        self._watching = asyncio.create_task(self._leases.run())
        return self

    async def stop(self) -> None:
        """Ends everything."""
        self._watching.cancel()
        await self.gateway.close()
        await self._services.stop()
        await self.bus.close()
        await self.nats.stop()

    async def worker(self, env: Mapping[str, str] | None = None) -> Service:
        """One more worker, ready, and the shards spread over all."""
        worker = await self._services("table_engine", env)
        self.workers.append(worker)
        await wait_for(self._is_spread, what="every shard is where it belongs")
        return worker

    def owner(self, table: str) -> Owner | None:
        """Who has the table."""
        return self._leases.owner(shard_of(table))

    def _is_spread(self) -> bool:
        members = self._leases.members()
        candidates = self._leases.map.candidates()
        return len(members) >= len(self.workers) and all(
            (owner := self._leases.owner(shard)) is not None and owner.id == rightful(shard, candidates)
            for shard in range(SHARDS)
        )

    @property
    def address(self) -> str:
        """The gRPC address of the first worker."""
        return self.workers[0].grpc

    async def open(self, forms: str = "pp", address: str = "", **options: object) -> list[Player]:
        """Starts a match of scopa with a player on every seat, one a letter of `forms`, all attached."""
        address = address or self.address
        accounts = [new_id("ply") for _ in forms]
        request = start_request(accounts, seats=len(forms), **options)
        lobby: Any = self.gateway.service(address, "lobby")
        await lobby.StartMatch(request)
        players = [
            Player(self.gateway, request.table, account, form, seed)
            for seed, (account, form) in enumerate(zip(accounts, forms, strict=True))
        ]
        for player in players:
            await player.attach(address)
        return players

    async def deal(self, players: list[Player], address: str = "") -> None:
        """Has every player say that it is ready, and waits until all see the deal."""
        for player in players:
            await player.ready(address or self.address, b"mine")
        for player in players:
            await player.is_in(view_pb2.TABLE_STATE_PLAY)

    async def metrics(self, worker: Service) -> str:
        """What the worker exports."""
        url = f"http://{worker.http}/metrics"
        async with aiohttp.ClientSession() as session, session.get(url) as response:
            return await response.text()

    async def log(self, table: str) -> list[StoredMessage]:
        """The table's log."""
        return await self.bus.read_subject(log_stream(stream_of(shard_of(table))), log_subject(table))

    async def entries(self, table: str) -> list[log_pb2.LogEntry]:
        """The table's log, read."""
        return [log_pb2.LogEntry.FromString(message.data) for message in await self.log(table)]

    def folder(self) -> Folder:
        """What folds logs as the workers do, with their keys."""
        return Folder(Sealer.from_file(self.identities.keys.seal_keys), READY_WAIT_MS)


class Writer:
    """Writes a table's log as a worker of another time would have: for tables with a history."""

    def __init__(self, ground: Ground, worker: str = "", **control: int) -> None:
        self._ground = ground
        self._folder = ground.folder()
        self._numbers = itertools.count(1)
        self.worker = worker or new_id("wrk")
        self.accounts = [new_id("ply"), new_id("ply")]
        self.opened = match.opened(start_request(self.accounts))
        if control:
            self.opened.control = json_text(time_control.control_from_json(control).to_json())
        self.table: Table = self._folder.start(self.opened)

    async def put(self, at_ms: int, *records: log_pb2.LogRecord) -> list[Event]:
        """Folds and appends one entry."""
        entry = log_pb2.LogEntry(at_ms=at_ms, worker=self.worker, worker_ms=at_ms, records=records)
        events = self._folder.write(self.table, entry)
        await self.append(entry.SerializeToString())
        return events

    async def append(self, data: bytes) -> None:
        """Appends anything."""
        self.table.sequence = await self._ground.bus.append(
            self.table.subject, data, {"Tavolo-Version": str(self.table.version)},
            f"{self.table.id}.w{next(self._numbers)}", expected_last=self.table.sequence,
        )  # fmt: skip

    async def dealt(self) -> Self:
        """Opens the match with both seats connected, and deals its first hand at once."""
        await self.put(0, log_pb2.LogRecord(opened=self.opened))
        both = (log_pb2.LogRecord(connected=log_pb2.SeatConnected(seat=seat)) for seat in range(2))
        await self.put(0, *both)
        await self.put(0, log_pb2.LogRecord(dealt=log_pb2.HandDealt(contributions=[b"", b""])))
        return self

    async def players(self, address: str) -> list[Player]:
        """Both players, attached through this worker."""
        return [
            await Player(self._ground.gateway, self.table.id, account, seed=seat).attach(address)
            for seat, account in enumerate(self.accounts)
        ]


def moved(seat: int, move: str, command_id: str = "") -> log_pb2.LogRecord:
    """The record of a move."""
    return log_pb2.LogRecord(moved=log_pb2.MoveMade(seat=seat, move=move, command_id=command_id))


def report(table: str, version: int) -> table_pb2.ReportTimeUpRequest:
    """The clock service's report."""
    return table_pb2.ReportTimeUpRequest(table=table, version=version)
