"""The image cannot be built here; what it would hold can: the wheel in an empty environment, each service by
the command, settings and files of its manifest, as the manifest's user, on a root that cannot be written."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from deploy.checks.build import DEPLOY, PARTS, Build, build, folders, pod_spec
from deploy.make_secrets import LOCAL_DATABASE, Secrets, secrets
from services.cli import postgres as schemas
from services.cli.keys import Keys
from services.cli.ports import Ports
from tests.deploy.pod import STOP_S, Pod, can_contain
from tests.support.processes import PostgresServer

ROOT = DEPLOY.parent
INSTALL_S = 300
PORTS = Ports()


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that others may pass through, and not below /tmp: a pod has a /tmp of its own."""
    made = Path(tempfile.mkdtemp(prefix="tavolo-image-", dir="/var/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def programs(place: Path) -> Path:
    """The folder with `tavolo`, of an environment with the wheel and what it needs, as in the Dockerfile."""
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [
        sys.executable,
        *pip,
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(place),
        str(ROOT),
    ]
    subprocess.run(wheel, check=True, timeout=INSTALL_S)
    subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True, timeout=INSTALL_S)
    lock = ["--constraint", str(ROOT / "requirements.lock")]
    install = [str(place / "venv" / "bin" / "python"), *pip, "install", *lock, *map(str, place.glob("*.whl"))]
    subprocess.run(install, check=True, timeout=INSTALL_S, cwd=place)
    return place / "venv" / "bin"


@pytest.fixture(scope="module")
def local() -> Build:
    return build(next(each for each in folders() if each.name == "local"))


@pytest.fixture(scope="module")
def given(place: Path) -> Secrets:
    return secrets(Keys(place / "keys"), LOCAL_DATABASE)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def database(place: Path, postgres: PostgresServer) -> dict[str, str]:
    """Part -> address of an empty database with its own role, as the component postgres-local makes them."""
    keys = Keys(place / "keys")
    passwords = {schema: keys.password(f"postgres-{schema}") for schema in schemas.SCHEMAS}
    return await schemas.open_schemas(await postgres.new_database(), passwords)


@pytest.fixture(scope="module")
def nats(place: Path, local: Build, given: Secrets) -> Iterator[str]:
    """The address of one server with the configuration that the pod gets, users and permissions included."""
    folder = place / "nats"
    folder.mkdir()
    config = next(
        each for each in local.of("ConfigMap") if each["metadata"]["name"].startswith("nats-config")
    )
    port, monitor = PORTS.any(), PORTS.any()
    for name, text in config["data"].items():
        text = text.replace("\nport: 4222", f"\nhost: 127.0.0.1\nport: {port}")
        text = text.replace("http_port: 8222", f'http: "127.0.0.1:{monitor}"')
        text = text.replace("/var/run/nats/nats.pid", str(folder / "nats.pid"))
        (folder / name).write_text(text.replace("store_dir: /data", f'store_dir: "{folder}/data"'))
    command = [str(Path(sys.executable).with_name("nats-server")), "--config", str(folder / "nats.conf")]
    with (folder / "log").open("wb") as log:
        environment = os.environ | given["nats-secrets"] | {"POD_NAME": "nats-0"}
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    yield f"nats://127.0.0.1:{port}"
    server.terminate()
    server.wait(STOP_S)


class Room:
    """All pods of ours on this machine: each Service's ports are ports of 127.0.0.1."""

    def __init__(self, pods: list[Pod], nats: str, database: dict[str, str]) -> None:
        self.pods = pods
        self._nats = nats
        self._database = database
        self._ports = {
            (pod.part, port["name"]): PORTS.any() for pod in pods for port in pod.container.spec["ports"]
        }

    def address(self, part: str, port: str) -> str:
        """host:port of a pod's named port."""
        return f"127.0.0.1:{self._ports[part, port]}"

    def placed(self, pod: Pod, values: dict[str, str]) -> dict[str, str]:
        """The pod's environment with the addresses of this machine, everything else as it is."""
        named = {str(port["containerPort"]): port["name"] for port in pod.container.spec["ports"]}
        placed = values | {"TAVOLO_ADVERTISED_HOST": "127.0.0.1"}
        for name, value in values.items():
            target = re.fullmatch(r"dns:///([a-z-]+):7401", value)
            if target:
                placed[name] = self.address(target[1], "grpc")
            elif value == "0.0.0.0":  # noqa: S104
                placed[name] = "127.0.0.1"
            elif name.endswith("_PORT"):
                placed[name] = str(self._ports[pod.part, named[value]])
            elif name == "TAVOLO_NATS_URL":
                placed[name] = self._nats
            elif name == "TAVOLO_DATABASE_URL":
                placed[name] = self._database[pod.part]
        return placed


@pytest.fixture
def room(
    place: Path, programs: Path, local: Build, given: Secrets, nats: str, database: dict[str, str]
) -> Iterator[Room]:
    ours = [container for container in local.containers() if container.is_ours]
    made = Room([Pod(container, place, programs) for container in ours], nats, database)
    yield made
    for pod in made.pods:
        pod.kill()


@pytest.mark.timeout(2 * INSTALL_S)
async def test_every_service_starts_from_the_wheel_by_the_command_of_its_manifest(
    room: Room, programs: Path, local: Build, given: Secrets
) -> None:
    contained = can_contain()
    for pod in room.pods:
        pod.write_files(given)
        pod.start(room.placed(pod, pod.settings(local, given)), contained=contained)
    for pod in room.pods:
        await pod.ready(room.address(pod.part, "metrics"))
    assert {pod.part for pod in room.pods} == set(PARTS)

    if contained:
        for pod in room.pods:
            user = str(pod_spec(pod.container.workload)["securityContext"]["runAsUser"])
            assert pod.status["Uid"].split() == [user] * 4
            assert int(pod.status["CapBnd"], 16) == 0
            assert pod.writable_mounts & {"/", "/tmp"} == {"/tmp"}  # noqa: S108

    command = ["smoke", "--gateway", room.address("gateway", "grpc"), "--json"]
    smoke = await asyncio.create_subprocess_exec(
        programs / "tavolo", *command, cwd="/", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, failed = await smoke.communicate()
    assert smoke.returncode == 0, said + failed
    assert json.loads(said)["problems"] == []

    assert {pod.part: pod.stop() for pod in room.pods} == dict.fromkeys(PARTS, 0)


def test_the_image_has_the_user_and_the_files_of_the_manifests(local: Build) -> None:
    dockerfile = (DEPLOY / "image" / "Dockerfile").read_text()
    users = {pod_spec(local.one("Deployment", part) or {})["securityContext"]["runAsUser"] for part in PARTS}
    assert re.findall(r"^USER (\d+):\d+$", dockerfile, re.MULTILINE) == [str(user) for user in users]
    copied = {
        name
        for line in re.findall(r"^COPY (?!--)(.+) \S+$", dockerfile, re.MULTILINE)
        for name in line.split()
    }
    sent = (DEPLOY / "image" / "Dockerfile.dockerignore").read_text().splitlines()
    assert {line[1:] for line in sent if line.startswith("!")} == copied
    assert [name for name in sorted(copied) if not (ROOT / name).exists()] == []
