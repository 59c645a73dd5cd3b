"""The one bootstrap: a service supplies `bind`, everything else (logs, metrics, health, signals, closing in
order) comes from here.

async def bind(app: App[Settings]) -> None:
    bus = await app.nats()
    pool = await app.database("chat", Path(__file__).parent / "migrations")
    app.add_service(add_ChatServiceServicer_to_server, ChatService(pool, bus), "tavolo.chat.v1.ChatService")

def main() -> int:
    return run("chat", Settings, bind)
"""

import asyncio
import contextlib
import gc
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Generic, TypeVar

import asyncpg
import uvloop
from tavolo.lobby.v1 import account_pb2, account_pb2_grpc

from services.runtime import db, grpc_server, metrics
from services.runtime.auth import FetchKeys, ServiceSigner, ServiceVerifier, TokenVerifier, read_private_key
from services.runtime.bus import Bus, tls_context
from services.runtime.grpc_client import make_channel
from services.runtime.health import Health
from services.runtime.logs import configure, logger
from services.runtime.ops import OpsServer
from services.runtime.settings import CommonSettings, SettingsError, load
from services.runtime.wire import Access

S = TypeVar("S", bound=CommonSettings)
Close = Callable[[], Awaitable[None]]

GOOD, FAILED, USAGE = 0, 1, 2
_YOUNG_OBJECTS = 10_000
# What open streams get to end by themselves after they were told (on_drain).
_STREAM_GRACE_S = 1.0


class App(Generic[S]):
    """One running service."""

    def __init__(self, part: str, settings: S) -> None:
        self.part = part
        self.settings = settings
        self.log = logger()
        self.health = Health()
        self.addresses: dict[str, str] = {}
        self.signer = self._make_signer()
        self.players = TokenVerifier(self._fetch_player_keys)
        trusted = settings.trusted_services_file
        self.services = ServiceVerifier(part, Path(trusted) if trusted else None)
        judges = None if settings.PASSES_SERVICE_TOKENS_ON else self.services
        self.server = grpc_server.make_server(self.players, judges, settings.GRPC_RECEIVE_BYTES)
        self._ops = OpsServer(self.health)
        self._names: list[str] = []
        self._channels: dict[tuple[str, str], Any] = {}
        self._starts: list[Close] = []
        self._drains: list[Close] = []
        self._stops: list[tuple[str, Close]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._status = GOOD
        self._bus: Bus | None = None

    # What `bind` uses

    @property
    def address(self) -> str:
        """host:port under which other services reach this process's gRPC."""
        return self.addresses["grpc"]

    def add_service(
        self, add_to_server: Callable[[Any, Any], None], servicer: object, full_name: str
    ) -> None:
        """Registers a gRPC service; `full_name` (`tavolo.chat.v1.ChatService`) is for reflection."""
        add_to_server(servicer, self.server)
        self._names.append(full_name)

    def offer(self, *full_names: str) -> None:
        """Names services that are served by generic handlers, for reflection."""
        self._names.extend(full_names)

    async def nats(self) -> Bus:
        """The connection to NATS; waits for the server and says so. One a process."""
        if self._bus is None:
            settings = self.settings
            access = Access(
                tuple(server.strip() for server in settings.nats_url.split(",")),
                settings.nats_user or self.part,
                settings.nats_user,
                settings.nats_password,
                tls_context(settings.tls_ca_file),
            )
            bus = Bus(access, self.health)
            await bus.connect()
            self._bus = bus
            self.spawn(bus.failure(), "bus")
            self.on_stop(bus.close)
        return self._bus

    async def database(self, schema: str, migrations: Path) -> asyncpg.Pool:
        """A pool of connections whose search path is `schema`; waits for the server and says so, and applies
        the migrations."""
        settings = self.settings
        pool = await db.open_pool(
            settings.database_url, schema, migrations, settings.database_connections, self.health
        )
        self.on_stop(pool.close)
        self.spawn(db.watch(pool, self.health), "database-watch")
        return pool

    def channel(self, target: str, service: str) -> Any:
        """The gRPC channel to the part `service` at `target` (host:port or dns:///…): made once, closed at
        the stop. Unary calls get a deadline; all carry the request id and this service's token."""
        key = (target, service)
        if key not in self._channels:
            settings = self.settings
            channel = make_channel(
                target, service, self.signer, settings.call_deadline_s, settings.tls_ca_file
            )
            self._channels[key] = channel
            self.on_stop(channel.close)
        return self._channels[key]

    def use_player_keys(self, fetch: FetchKeys) -> None:
        """Players' tokens are checked with the key set that `fetch` gives instead of the lobby's answer (for
        the lobby itself)."""
        self.players.use(fetch)

    def on_start(self, start: Close) -> None:
        """Awaited in order once the gRPC server answers."""
        self._starts.append(start)

    def on_drain(self, drain: Close) -> None:
        """Awaited first at a stop, all together: tell streams, hand over."""
        self._drains.append(drain)

    def on_stop(self, close: Close) -> None:
        """Awaited last at a stop, in reverse order: close what was opened."""
        self._stops.append((getattr(close, "__qualname__", repr(close)), close))

    def spawn(self, coroutine: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Runs in the background until the stop. If it raises, the process ends (and its supervisor starts
        another)."""
        task = asyncio.create_task(coroutine, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def fail(self, why: str) -> None:
        """Ends the process with status 1, gracefully."""
        self.log.error("service_fails", why=why)
        self._status = FAILED
        self._stopping.set()

    # Life

    async def live(self, bind: Callable[["App[S]"], Awaitable[None]]) -> int:
        """Starts, waits for SIGTERM or SIGINT, stops; the exit status."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self._stopping.set)
        try:
            await self._listen()
        except OSError as error:
            self.log.error("cannot_listen", error=str(error))
            return FAILED
        starting = asyncio.create_task(self._start(bind), name="start")
        stopping = asyncio.create_task(self._stopping.wait(), name="stop-signal")
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
        if (await asyncio.gather(starting, return_exceptions=True))[0] is not None and starting.done():
            self._report(starting)
        await stopping if self._status == GOOD else None
        await self._stop()
        return self._status

    async def _listen(self) -> None:
        settings = self.settings
        port = grpc_server.listen(
            self.server,
            settings.grpc_host,
            settings.grpc_port,
            settings.grpc_tls_cert_file,
            settings.grpc_tls_key_file,
        )
        self.addresses["grpc"] = f"{settings.advertised_host or settings.grpc_host}:{port}"
        ops_port = await self._ops.start(settings.http_host, getattr(settings, settings.OPS_PORT))
        self.addresses[settings.OPS_PORT.removesuffix("_port")] = f"{settings.http_host}:{ops_port}"
        self.on_stop(self._ops.stop)

    async def _start(self, bind: Callable[["App[S]"], Awaitable[None]]) -> None:
        health = grpc_server.add_health(self.server)
        await bind(self)
        grpc_server.add_reflection(self.server, self._names)
        self.health.on_change(lambda ready: self._readiness_changed(health, ready))
        await self.server.start()
        for start in self._starts:
            await start()
        # What is there now stays: no search for unused cycles goes through the modules again, nor every few
        # moves through what is new.
        gc.collect()
        gc.freeze()
        gc.set_threshold(_YOUNG_OBJECTS)
        self.log.info("service_started", pid=os.getpid(), **self.addresses)
        self.health.set("start", True)

    def _readiness_changed(self, health: Any, ready: bool) -> None:
        self.spawn(health.set("ready", grpc_server.serving(ready)), "health")
        if ready and self.settings.address_file:
            write_atomically(Path(self.settings.address_file), json.dumps(self.addresses))

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._report(task)

    def _report(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self.log.error("task_failed", task=task.get_name(), exc_info=task.exception())
            self.fail(task.get_name())

    async def _stop(self) -> None:
        """Not ready -> drain -> server -> tasks -> what was opened, in reverse; past the deadline the process
        just ends."""
        doing = ["drain"]
        watchdog = asyncio.get_running_loop().call_later(self.settings.stop_deadline_s, self._give_up, doing)
        self.health.set("stopping", False, "stopping")
        self.log.info("service_stopping")
        await self._each("drain", *(drain() for drain in self._drains))
        doing[0] = "grpc server"
        await self.server.stop(_STREAM_GRACE_S)
        doing[0] = "tasks"
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for name, close in reversed(self._stops):
            doing[0] = name
            await self._each(name, close())
        watchdog.cancel()
        self.log.info("service_stopped", status=self._status)

    async def _each(self, name: str, *steps: Awaitable[None]) -> None:
        """Awaits all; one that fails is reported and makes the exit status 1, the others are still done."""
        for result in await asyncio.gather(*steps, return_exceptions=True):
            if isinstance(result, BaseException):
                self.log.error("stop_step_failed", step=name, exc_info=result)
                self._status = FAILED

    def _give_up(self, doing: list[str]) -> None:
        hanging = sorted(task.get_name() for task in asyncio.all_tasks())
        self.log.error("stop_deadline_passed", step=doing[0], tasks=hanging)
        sys.stdout.flush()
        os._exit(FAILED)

    def _make_signer(self) -> ServiceSigner | None:
        path = self.settings.service_key_file
        return ServiceSigner(self.part, read_private_key(Path(path))) if path else None

    async def _fetch_player_keys(self) -> str:
        if self.settings.player_keys_file:
            return await asyncio.to_thread(Path(self.settings.player_keys_file).read_text)
        stub = account_pb2_grpc.AccountServiceStub(self.channel(self.settings.lobby_target, "lobby"))
        response = await stub.GetKeys(account_pb2.GetKeysRequest())
        return str(response.jwks)


async def serve(part: str, settings: S, bind: Callable[[App[S]], Awaitable[None]], rules: str = "") -> int:
    """Runs a service until it is told to stop; the exit status."""
    metrics.build_info(part, rules)
    return await App(part, settings).live(bind)


def run(
    part: str, settings_class: type[S], bind: Callable[[App[S]], Awaitable[None]], rules: str = ""
) -> int:
    """What a service's `main` returns: reads settings, sets up logs, runs on uvloop. 0 = stopped well, 1 =
    failed, 2 = bad settings."""
    try:
        settings = load(settings_class)
    except SettingsError as error:
        print(f"tavolo {part}: {error}", file=sys.stderr)  # noqa: T201 - logs are not set up yet
        return USAGE
    configure(part, settings.log_level, settings.log_format)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(serve(part, settings, bind, rules))


def write_atomically(path: Path, text: str, mode: int = 0o644) -> None:
    """Replaces a file as a whole: a reader sees the old text or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        temporary.unlink()
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
        file.write(text)
    temporary.replace(path)
