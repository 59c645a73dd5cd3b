"""What Kubernetes makes of a manifest, as far as one machine can: command, settings, files and user of a
container, with a read-only root and a /tmp of its own where this machine allows that."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp

from deploy.checks.build import Build, Container, Resource, pod_spec
from deploy.checks.settings import environment
from deploy.make_secrets import Secrets

READY_S = 60.0
STOP_S = 30.0

# As root: Python, where it lies in a folder closed to others, is shown to them; then / is read-only, /tmp is
# small and empty, and the process has the container's user and not one privilege.
_CONTAINED = """
set -eu
closed=$1 python=$2 aside=$3 size=$4 uid=$5 gid=$6
shift 6
if [ -n "$closed" ]; then
    mount --bind "$python" "$aside"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$python"
    mount --bind "$aside" "$python"
    umount "$aside"
    mount -o remount,ro "$closed"
fi
mount -o remount,bind,ro /
mount -t tmpfs -o "size=$size,mode=1777" tmpfs /tmp
exec setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs \\
    --inh-caps=-all --bounding-set=-all -- "$@"
"""


def can_contain() -> bool:
    """Whether this machine lets us make a root that is read-only for one process."""
    if os.geteuid() != 0:
        return False
    trial = ["unshare", "--mount", "--", "mount", "-o", "remount,bind,ro", "/"]
    return subprocess.run(trial, check=False, capture_output=True).returncode == 0


class Pod:
    """The container of a workload of ours as a process."""

    def __init__(self, container: Container, folder: Path, programs: Path) -> None:
        self.container = container
        self.part = container.part
        self._folder = folder / self.part
        self._programs = programs
        self._folder.mkdir()
        self._log = self._folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def write_files(self, secrets: Secrets) -> None:
        """The files of the mounted Secrets, as the pod's volumes place them."""
        volumes = {each["name"]: each for each in pod_spec(self.container.workload)["volumes"]}
        gid = self._security["runAsGroup"]
        for mount in self.container.spec["volumeMounts"]:
            place = self._place(mount["mountPath"])
            for name, text in _files(volumes[mount["name"]], secrets).items():
                place.mkdir(parents=True, exist_ok=True)
                file = place / name
                file.write_text(text)
                if os.geteuid() == 0:
                    os.chown(file, 0, gid)
                file.chmod(0o440)

    def settings(self, build: Build, secrets: Secrets) -> dict[str, str]:
        """The container's environment, with paths below our folder."""
        values = environment(build, self.container)
        for each in self.container.spec["env"]:
            source = each.get("valueFrom", {}).get("secretKeyRef")
            if source:
                values[each["name"]] = secrets[source["name"]][source["key"]]
        mounts = [each["mountPath"] for each in self.container.spec["volumeMounts"]]
        for name, value in values.items():
            if any(value.startswith(f"{mount}/") or value == mount for mount in mounts):
                values[name] = str(self._place(value))
        return values

    def start(self, values: dict[str, str], *, contained: bool) -> None:
        """Starts the manifest's command, within the environment of the image (deploy/image/Dockerfile)."""
        command = [
            str(self._programs / self.container.spec["command"][0]),
            *self.container.spec["command"][1:],
        ]
        image = {
            "PATH": f"{self._programs}:/usr/bin:/bin",
            "HOME": "/tmp",  # noqa: S108
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._contain(command) if contained else command,
                env=image | values,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _contain(self, command: list[str]) -> list[str]:
        python = Path(sys.base_prefix)
        closed = next((each for each in reversed(python.parents) if not each.stat().st_mode & 0o001), "")
        aside = self._folder / "python"
        aside.mkdir(exist_ok=True)
        volumes = {each["name"]: each for each in pod_spec(self.container.workload)["volumes"]}
        size = volumes["tmp"]["emptyDir"]["sizeLimit"].replace("Mi", "m")
        arguments = [closed, python, aside, size, self._security["runAsUser"], self._security["runAsGroup"]]
        script = ["unshare", "--mount", "--", "sh", "-c", _CONTAINED, "sh"]
        return [*script, *map(str, arguments), *command]

    async def ready(self, address: str) -> None:
        """Waits until the readiness probe of the manifest succeeds at `address`."""
        path = self.container.spec["readinessProbe"]["httpGet"]["path"]
        async with asyncio.timeout(READY_S), aiohttp.ClientSession() as session:
            while True:
                assert self.running, f"{self.part} has ended:\n{self.log}"
                try:
                    async with session.get(f"http://{address}{path}") as answer:
                        if answer.status == 200:
                            return
                except aiohttp.ClientConnectionError:
                    pass
                await asyncio.sleep(0.1)

    def stop(self) -> int:
        """SIGTERM; the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(STOP_S)

    def kill(self) -> None:
        """Ends what is left."""
        if self._process is not None and self.running:
            self._process.kill()
            self._process.wait(STOP_S)

    @property
    def running(self) -> bool:
        """It has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """What it printed."""
        return self._log.read_text()

    @property
    def status(self) -> dict[str, str]:
        """/proc's status of the process."""
        assert self._process is not None
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}

    @property
    def writable_mounts(self) -> set[str]:
        """The mounts of the process that are on a disk or in memory and may be written."""
        assert self._process is not None
        lines = Path(f"/proc/{self._process.pid}/mountinfo").read_text().splitlines()
        mounts = {fields[4]: fields for fields in (line.split() for line in lines)}
        kinds = {place: fields[fields.index("-") + 1] for place, fields in mounts.items()}
        return {
            place
            for place, fields in mounts.items()
            if kinds[place] in {"ext4", "xfs", "btrfs", "overlay", "tmpfs"} and "rw" in fields[5].split(",")
        }

    @property
    def _security(self) -> Resource:
        context: Resource = pod_spec(self.container.workload)["securityContext"]
        return context

    def _place(self, path: str) -> Path:
        return self._folder / "mounts" / path.lstrip("/")


def _files(volume: Resource, secrets: Secrets) -> dict[str, str]:
    """Name -> text of the files in a volume of Secrets; none for others."""
    if "secret" in volume:
        return secrets[volume["secret"]["secretName"]]
    return {
        item["path"]: secrets[source["secret"]["name"]][item["key"]]
        for source in volume.get("projected", {}).get("sources", [])
        for item in source["secret"]["items"]
    }
