"""`tavolo up` and the cluster below it, as processes."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from services.cli.cluster import Cluster, ClusterRuns, Plan
from services.cli.keys import Keys
from services.cli.nats_config import RIGHTS, permissions
from services.cli.ports import Ports, is_free
from services.cli.supervisor import Child, Program
from tests.support.processes import ignore
from tests.support.waiting import wait_for


class Up:
    """`tavolo up` as a process."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "services.cli.main", "up", "--data", str(self.data), "--workers", "1"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    async def ended(self) -> tuple[int | None, str]:
        assert self.process is not None
        out, _ = await asyncio.wait_for(self.process.communicate(), 60)
        return self.process.returncode, out.decode()

    @property
    def addresses(self) -> dict[str, Any]:
        path = self.data / "cluster.json"
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return found


@pytest_asyncio.fixture
async def up(folder: Path) -> AsyncIterator[Up]:
    made = Up(folder / f"up-{os.urandom(4).hex()}")
    await made.start()
    await wait_for(lambda: made.addresses, 60, "tavolo up runs")
    yield made
    if made.process is not None and made.process.returncode is None:
        made.process.send_signal(signal.SIGINT)
        await made.process.communicate()


async def test_up_says_where_it_listens_and_refuses_a_second_one_and_stops_at_ctrl_c(up: Up) -> None:
    http = up.addresses["gateway"]["http"]
    host, _, port = http.rpartition(":")
    assert host == "127.0.0.1"
    assert int(port) >= 7400
    second = Up(up.data)
    await second.start()
    status, text = await second.ended()
    assert status == 2
    assert f"process {up.pid}" in text
    children = psutil.Process(up.pid).children(recursive=True)
    assert len(children) >= 9
    os.kill(up.pid, signal.SIGINT)
    status, text = await up.ended()
    assert status == 0
    assert http in text
    assert "make play" in text
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    assert not up.addresses
    for secret in (up.data / "keys").rglob("*"):
        assert secret.is_dir() or secret.name == "services.jwks.json" or secret.stat().st_mode & 0o077 == 0
    assert (up.data / "nats.conf").stat().st_mode & 0o077 == 0


async def test_children_do_not_survive_a_killed_up(up: Up) -> None:
    children = psutil.Process(up.pid).children(recursive=True)
    os.kill(up.pid, signal.SIGKILL)
    await up.ended()

    def gone() -> bool:
        return not [
            child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE
        ]

    await wait_for(gone, 40, "the children are gone")
    # And the folder is free for another one, which goes on with the same data.
    third = Up(up.data)
    await third.start()
    await wait_for(lambda: third.addresses.get("pid") == third.pid, 60, "tavolo up runs again")
    os.kill(third.pid, signal.SIGINT)
    assert (await third.ended())[0] == 0


async def test_what_dies_is_started_again_and_a_worker_may_come_and_go(own_cluster: Cluster) -> None:
    for name in ("lobby", own_cluster.workers[0], "nats", "postgres"):
        before = own_cluster.pid(name)
        own_cluster.kill(name)

        def back(name: str = name, before: int = before) -> bool:
            child = own_cluster.children[name]
            return child.running and child.pid != before

        await wait_for(back, 20, f"{name} is back")
    await own_cluster.wait_ready()
    added = await own_cluster.add_worker()
    assert added in own_cluster.workers
    await own_cluster.remove_worker(added)
    assert added not in own_cluster.workers
    written = json.loads((own_cluster.data / "cluster.json").read_text())
    assert set(own_cluster.workers) <= set(written)
    assert added not in written
    with pytest.raises(ClusterRuns):
        await Cluster(Plan(own_cluster.data), ignore).start()


async def test_no_service_is_refused_anything_by_nats(cluster: Cluster) -> None:
    """The permissions are enough for what the services do: NATS logs no violation of any of them."""
    await cluster.wait_ready()
    log = (cluster.data / "logs" / "nats.log").read_text()
    assert "Server is ready" in log
    assert [line for line in log.splitlines() if "iolation" in line] == []


def test_only_the_engine_may_publish_or_read_the_logs() -> None:
    for user in RIGHTS:
        allowed = permissions(user)
        assert ">" not in allowed["publish"]["allow"] + allowed["subscribe"]["allow"]
        writes = any(subject.startswith("tavolo.table.") for subject in allowed["publish"]["allow"])
        reads = any(
            "MSG.GET.TABLE_LOG" in subject or "DIRECT.GET.TABLE_LOG" in subject
            for subject in allowed["publish"]["allow"]
        )
        hears = any(subject.startswith(("tavolo.table.", "$JS")) for subject in allowed["subscribe"]["allow"])
        assert (writes, reads) == ((True, True) if user == "table_engine" else (False, False)), user
        assert not hears, user


async def test_a_child_that_keeps_dying_is_started_with_growing_waits(tmp_path: Path) -> None:
    told: list[str] = []
    program = Program("short", ["/bin/false"], {}, tmp_path, tmp_path / "short.log")
    child = Child(program, told.append)
    await child.start()
    await wait_for(lambda: len(told) == 3)
    await child.stop(1)
    assert [line.split("again in ")[1].split(" s")[0] for line in told] == ["0.2", "0.4", "0.8"]
    assert "ended with status 1" in told[0]


async def test_a_child_that_does_not_stop_is_killed_and_that_is_said(tmp_path: Path) -> None:
    told: list[str] = []
    code = "from signal import *; signal(SIGTERM, SIG_IGN); print('up', flush=True); pause()"
    program = Program("deaf", [sys.executable, "-c", code], dict(os.environ), tmp_path, tmp_path / "deaf.log")
    child = Child(program, told.append)
    await child.start()
    await wait_for(lambda: "up" in program.log.read_text())
    await child.stop(0.2)
    assert not child.running
    assert told == ["deaf did not stop within 0.2 s: killed"]


def test_ports_are_given_once_and_skip_what_is_taken() -> None:
    ports = Ports()
    first = ports.any()
    assert is_free(first)
    assert ports.from_(first) == first + 1 or ports.from_(first) > first
    assert ports.any() != first


def test_keys_are_made_once(tmp_path: Path) -> None:
    first, second = Keys(tmp_path / "keys"), Keys(tmp_path / "keys")
    for path in (first.service_key("lobby"), first.seal_keys, next(first.player_keys.glob("*.pem"))):
        assert path.stat().st_mode & 0o077 == 0
    made = first.password("nats-lobby")
    assert len(made) > 20
    assert Keys(tmp_path / "keys").password("nats-lobby") == made
    assert second.seal_keys.read_text() == first.seal_keys.read_text()
