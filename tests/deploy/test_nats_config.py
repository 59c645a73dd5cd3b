"""The component nats makes a cluster of three that keeps the services apart: real servers, its very files."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client
from nats.errors import Error
from nats.js.api import StreamConfig
from nats.js.errors import ServiceUnavailableError

from deploy.checks.build import DEPLOY
from deploy.make_secrets import LOCAL_DATABASE, secrets
from services.cli.keys import Keys

COMPONENT = DEPLOY / "components" / "nats"
SERVERS = 3
LIMIT_S = 60.0


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def on_this_machine(config: str, folder: Path, port: int, monitor: int, cluster: int) -> str:
    """The pod's configuration with addresses and folders of this machine."""
    for old, new in {
        "\nport: 4222": f"\nhost: 127.0.0.1\nport: {port}",
        "http_port: 8222": f'http: "127.0.0.1:{monitor}"',
        "port: 6222": f"listen: 127.0.0.1:{cluster}",
        "/var/run/nats/nats.pid": str(folder / "nats.pid"),
        "store_dir: /data": f'store_dir: "{folder / "data"}"',
    }.items():
        config = config.replace(old, new)
    return config


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[list[int], dict[str, str]]]:
    """Three servers; their client ports and the passwords."""
    passwords = secrets(Keys(tmp_path / "keys"), LOCAL_DATABASE)["nats-secrets"]
    free = free_ports(3 * SERVERS)  # all at once: a port that was let go may be given again
    ports, monitors, routes = free[::3], free[1::3], free[2::3]
    secret = passwords["NATS_PASSWORD_CLUSTER"]
    addresses = {
        f"NATS_ROUTE_{n}": f"nats://cluster:{secret}@127.0.0.1:{port}" for n, port in enumerate(routes)
    }
    running = []
    for number in range(SERVERS):
        folder = tmp_path / f"nats-{number}"
        shutil.copytree(COMPONENT, folder)
        for path in folder.glob("*.conf"):
            own = (ports[number], monitors[number], routes[number])
            path.write_text(on_this_machine(path.read_text(), folder, *own))
        environment = os.environ | passwords | addresses | {"POD_NAME": f"nats-{number}"}
        command = [str(Path(sys.executable).with_name("nats-server")), "--config", str(folder / "nats.conf")]
        with (folder / "log").open("w") as log:
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
    yield ports, passwords
    for each in running:
        each.terminate()
    for each in running:
        each.wait(LIMIT_S)


async def as_user(ports: list[int], passwords: dict[str, str], user: str, refusals: list[str]) -> Client:
    """A connection; what the server refuses it is put into `refusals`."""

    async def refused(error: Exception) -> None:
        if "permissions violation" in str(error):
            refusals.append(str(error))

    return await nats.connect(
        [f"nats://127.0.0.1:{port}" for port in ports],
        user=user,
        password=passwords[f"NATS_PASSWORD_{user.upper()}"],
        inbox_prefix=f"_INBOX.{user}",
        error_cb=refused,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
    )


async def test_three_servers_keep_three_copies_and_the_services_apart(
    cluster: tuple[list[int], dict[str, str]],
) -> None:
    ports, passwords = cluster
    refusals: list[str] = []
    engine = await as_user(ports, passwords, "table_engine", refusals)
    chat = await as_user(ports, passwords, "chat", refusals)
    try:
        async with asyncio.timeout(LIMIT_S):
            await _add_stream(engine)
            await engine.jetstream().publish("tavolo.table.log.0.0.tbl_a", b"sealed")
            info = await engine.jetstream().stream_info("TABLE_LOG_0")
            assert info.cluster is not None
            assert len(info.cluster.replicas or []) == SERVERS - 1
            assert refusals == []

            await chat.publish("tavolo.table.log.0.0.tbl_a", b"forged")
            with pytest.raises((Error, TimeoutError)):
                await chat.request("$JS.API.DIRECT.GET.TABLE_LOG_0", b'{"seq":1}', timeout=1)
            await chat.flush()
            assert any("tavolo.table.log" in each for each in refusals)
            assert any("$js.api.direct.get" in each.lower() for each in refusals)
            state = (await engine.jetstream().stream_info("TABLE_LOG_0")).state
            assert state.messages == 1
    finally:
        await engine.close()
        await chat.close()


async def _add_stream(engine: Client) -> None:
    """Creates the stream as soon as the three have elected who decides."""
    config = StreamConfig(name="TABLE_LOG_0", subjects=["tavolo.table.log.0.>"], num_replicas=SERVERS)
    while True:
        try:
            await engine.jetstream().add_stream(config)
        except (ServiceUnavailableError, Error, TimeoutError):
            await engine.flush()
        else:
            return
