"""Real processes for tests: NATS, PostgreSQL, single services. Free ports, temporary folders, gone with the
test process."""

import asyncio
import itertools
import json
import os
import secrets
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import grpc

from services.cli import postgres
from services.cli.cluster import nats_server
from services.cli.keys import PARTS, Keys
from services.cli.ports import Ports
from services.cli.supervisor import Child, Program
from services.runtime.app import write_atomically
from services.runtime.auth import ServiceSigner, read_private_key, write_keys
from services.runtime.bus import Bus
from services.runtime.grpc_client import make_channel
from services.runtime.health import Health
from services.runtime.logs import Secret
from services.runtime.wire import Access
from tests.support.waiting import wait_for

STOP_S = 15.0
READY_S = 30.0
_PORTS = Ports()
_ROOT = Path(__file__).resolve().parents[2]


def ignore(_text: str) -> None:
    """For what a supervisor would say."""


class NatsServer:
    """A NATS server with JetStream that a test may kill, pause and start again on the same data and port.

    sync: `always` (default), or an interval. One without a process is the server that TAVOLO_NATS_URL names.
    """

    def __init__(self, folder: Path, url: str = "", sync: str = "always") -> None:
        self.child: Child | None = None
        self.monitor = ""
        if url:
            self.url = url
            return
        port, monitor = _PORTS.any(), _PORTS.any()
        self.url, self.monitor = f"nats://127.0.0.1:{port}", f"127.0.0.1:{monitor}"
        config = folder / "nats.conf"
        config.write_text(
            f'host: 127.0.0.1\nport: {port}\nhttp: "{self.monitor}"\n'
            f'jetstream {{ store_dir: "{folder}/nats", sync_interval: {sync} }}\n'
        )
        program = Program("nats", [nats_server(), "-c", str(config)], os.environ, folder, folder / "nats.log")
        self.child = Child(program, ignore)

    async def start(self) -> None:
        """Starts it (again) and waits until it answers."""
        if self.child is not None:
            await self.child.start()
            self.child.supervised = False
        await wait_for(self._answers, READY_S, "NATS answers")

    async def kill(self) -> None:
        """kill -9, and waits for the end."""
        child = self._own()
        child.kill()
        await child.ended()

    async def stop(self) -> None:
        """Ends it."""
        if self.child is not None:
            await self.child.stop(STOP_S)

    def pause(self) -> None:
        """SIGSTOP."""
        self._own().kill(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT."""
        self._own().kill(signal.SIGCONT)

    async def _answers(self) -> bool:
        parts = urlsplit(self.url)
        try:
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
        except OSError:
            return False
        writer.close()
        return True

    def _own(self) -> Child:
        if self.child is None:
            raise LookupError("this NATS server is not ours")
        return self.child


class PostgresServer:
    """A PostgreSQL server that a test may kill and start again. One without a process is what
    TAVOLO_DATABASE_URL names."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.child: Child | None = None
        self.url = url
        self._free: list[str] = []
        if not url:
            password = secrets.token_urlsafe(16)
            server = postgres.prepare(folder, _PORTS.any(), password)
            self.url = server.url(postgres.SUPERUSER, password)
            # What tests write has to outlive the process, not the machine.
            command = [*server.command, "-c", "fsync=off"]
            program = Program(
                "postgres", command, {}, Path("/"), folder / "postgres.log", signal.SIGINT, server.user
            )
            self.child = Child(program, ignore)

    async def start(self) -> None:
        """Starts it (again) and waits until it answers."""
        if self.child is not None:
            await self.child.start()
            self.child.supervised = False
        await wait_for(self._answers, READY_S, "PostgreSQL answers")

    async def kill(self) -> None:
        """kill -9 of the server's first process, and waits for its end; the others follow it."""
        if self.child is None:
            raise LookupError("this PostgreSQL server is not ours")
        self.child.kill()
        await self.child.ended()

    async def stop(self) -> None:
        """Ends it."""
        if self.child is not None:
            await self.child.stop(STOP_S)

    async def new_database(self) -> str:
        """The address of an empty database; where none may be made, of the one that there is."""
        if self._free:
            return self._free.pop()
        name = f"test_{secrets.token_hex(6)}"
        connection = await asyncpg.connect(self.url)
        try:
            await connection.execute(f"CREATE DATABASE {name}")
        except asyncpg.InsufficientPrivilegeError:
            return self.url
        finally:
            await connection.close()
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))

    async def give_back(self, url: str) -> None:
        """Empties a database of `new_database` for the next test: a new one is 300 files to write and to
        remove. One whose server has ended goes with it."""
        if url == self.url or not (self.child is None or self.child.running):
            return
        connection = await asyncpg.connect(url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        schemas = await connection.fetch(
            "SELECT quote_ident(nspname) FROM pg_namespace "
            "WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'"
        )
        for (schema,) in schemas:
            await connection.execute(f"DROP SCHEMA {schema} CASCADE")
        await connection.execute("CREATE SCHEMA public")
        await connection.close()
        self._free.append(url)

    async def _answers(self) -> bool:
        try:
            connection = await asyncpg.connect(self.url, timeout=2)
        except (OSError, asyncpg.PostgresError, TimeoutError):
            return False
        await connection.close()
        return True


class Identities:
    """Keys of all services and of the players' tokens, for services that run without a lobby."""

    def __init__(self, folder: Path) -> None:
        self.keys = Keys(folder)
        self.player_key_file = next(self.keys.player_keys.glob("*.pem"))
        self.player_key = read_private_key(self.player_key_file)
        self.player_key_id = self.player_key_file.stem
        self.player_keys_file = folder / "players.jwks.json"
        write_atomically(
            self.player_keys_file, write_keys({self.player_key_id: self.player_key.public_key()})
        )
        self._signers = {
            part: ServiceSigner(part, read_private_key(self.keys.service_key(part))) for part in PARTS
        }

    def environment(self, part: str) -> dict[str, str]:
        """The settings that give a service its key and the keys that it trusts."""
        return {
            "TAVOLO_SERVICE_KEY_FILE": str(self.keys.service_key(part)),
            "TAVOLO_TRUSTED_SERVICES_FILE": str(self.keys.trusted_services),
            "TAVOLO_PLAYER_KEYS_FILE": str(self.player_keys_file),
            "TAVOLO_LOBBY_SIGNING_KEYS_DIR": str(self.keys.player_keys),
            "TAVOLO_TABLE_ENGINE_SEAL_KEYS_FILE": str(self.keys.seal_keys),
        }

    def signer(self, part: str) -> ServiceSigner:
        """Signs tokens as the service `part`."""
        return self._signers[part]

    def channel(self, address: str, service: str, as_part: str | None = None) -> grpc.aio.Channel:
        """A channel to the part `service`; with the tokens of the part `as_part`, or without any."""
        signer = None if as_part is None else self._signers[as_part]
        return make_channel(address, service, signer, 5.0, "")


class Service:
    """One service as a process."""

    def __init__(self, part: str, program: Program, address_file: Path) -> None:
        self.part = part
        self.child = Child(program, ignore)
        self.addresses: dict[str, str] = {}
        self._address_file = address_file

    async def start(self, *, ready: bool = True) -> None:
        """Starts it (again); waits until it is ready, unless told not to."""
        self._address_file.unlink(missing_ok=True)
        await self.child.start()
        self.child.supervised = False
        if ready:
            await self.ready()

    async def ready(self, limit_s: float = READY_S) -> None:
        """Waits until it has said that it is ready."""
        await wait_for(self._is_ready, limit_s, f"{self.part} is ready; its log:\n{self.log}")
        self.addresses = json.loads(self._address_file.read_text())

    def _is_ready(self) -> bool:
        if not self.child.running:
            raise AssertionError(f"{self.part} ended:\n{self.log}")
        return self._address_file.exists()

    @property
    def grpc(self) -> str:
        """host:port of its gRPC."""
        return self.addresses["grpc"]

    @property
    def http(self) -> str:
        """host:port of its HTTP."""
        return self.addresses["http"]

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.child.pid

    @property
    def log(self) -> str:
        """All that it has logged."""
        path = self.child.program.log
        return path.read_text() if path.exists() else ""

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        """Its log, parsed; what is no JSON is passed over."""
        return [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]

    def signal(self, sign: signal.Signals) -> None:
        """Sends a signal."""
        self.child.kill(sign)

    async def kill(self) -> None:
        """kill -9, and waits for the end."""
        self.child.kill()
        await self.child.ended()

    async def stop(self) -> int:
        """SIGTERM; its exit status."""
        await self.child.stop(STOP_S)
        return await self.child.ended()


class Services:
    """Makes services for one test module or test; all are stopped at its end."""

    def __init__(
        self, folder: Path, identities: Identities, nats: NatsServer, postgres: PostgresServer
    ) -> None:
        self._folder = folder
        self._identities = identities
        self._nats = nats
        self._postgres = postgres
        self._numbers = itertools.count()
        self._made: list[Service] = []
        self._databases: list[str] = []

    async def __call__(
        self,
        part: str,
        env: Mapping[str, str] | None = None,
        *,
        launcher: list[str] | None = None,
        start: bool = True,
    ) -> Service:
        """A service (`table_engine`, `chat`, …), ready. env: settings beside those of the fixtures; launcher:
        another command line.

        Its ports stay the same when it is started again. Services with a database get an empty one each,
        unless `env` names one.
        """
        name = f"{part}-{next(self._numbers)}"
        address_file = self._folder / f"{name}.json"
        prefix = f"TAVOLO_{part.upper()}"
        settings = {
            "TAVOLO_NATS_URL": self._nats.url,
            f"{prefix}_GRPC_PORT": str(_PORTS.any()),
            f"{prefix}_HTTP_PORT": str(_PORTS.any()),
            "TAVOLO_ADDRESS_FILE": str(address_file),
            **self._identities.environment(part),
            **(env or {}),
        }
        if part in postgres.SCHEMAS and "TAVOLO_DATABASE_URL" not in settings:
            settings["TAVOLO_DATABASE_URL"] = await self._postgres.new_database()
            self._databases.append(settings["TAVOLO_DATABASE_URL"])
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("TAVOLO_")}
        command = launcher or [sys.executable, "-m", "services.cli.main", part.replace("_", "-")]
        program = Program(name, command, {**inherited, **settings}, _ROOT, self._folder / f"{name}.log")
        service = Service(part, program, address_file)
        self._made.append(service)
        if start:
            await service.start()
        return service

    async def stop(self) -> None:
        """Stops all that were made."""
        await asyncio.gather(*(service.child.stop(STOP_S) for service in self._made))
        for database in self._databases:
            await self._postgres.give_back(database)


async def connect_bus(url: str, name: str = "test") -> Bus:
    """A connection of the test's own to NATS, as the services have it; close it after use."""
    bus = Bus(Access((url,), name, "", Secret("")), Health())
    await bus.connect()
    return bus
