"""Child processes: started with a log file, restarted with back-off when they end, gone when we go."""

import asyncio
import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

_BACK_OFF_LEAST_S = 0.2
_BACK_OFF_MOST_S = 5.0
# A process that lived so long was well: its next end counts as the first again.
_WELL_AFTER_S = 10.0
_LOG_BYTES = 10 * 1024 * 1024
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Program:
    """What a child is. stop_signal: what asks it to stop; user: uid and gid to run as, None = ours."""

    name: str
    command: list[str]
    env: Mapping[str, str]
    folder: Path
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    user: tuple[int, int] | None = None


class Child:
    """One supervised process."""

    def __init__(self, program: Program, say: Callable[[str], None]) -> None:
        self.program = program
        self.restarts = 0
        self.supervised = True
        self._say = say
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process id. Raises LookupError while it is not running."""
        if self._process is None or self._process.returncode is not None:
            raise LookupError(f"{self.program.name} is not running")
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Starts the process, and the task that starts it again."""
        if self._keeper is not None:
            # The one of a process that ended unsupervised may not have looked yet, and would start another.
            self._keeper.cancel()
        self.supervised = True
        await self._spawn()
        self._keeper = asyncio.create_task(self._keep(), name=f"keep-{self.program.name}")

    def kill(self, sign: signal.Signals = signal.SIGKILL) -> None:
        """Sends a signal; the process is started again when it ends, unless `supervised` was set to False."""
        os.kill(self.pid, sign)

    async def ended(self) -> int:
        """Waits for the end of the process that runs now; its exit status (minus the signal)."""
        return 0 if self._process is None else await self._process.wait()

    async def stop(self, limit_s: float) -> None:
        """Asks the process to stop and starts it no more; after the limit it is killed, and that is said."""
        self.supervised = False
        if self.running:
            self._send(self.program.stop_signal)
            self._send(signal.SIGCONT)  # a paused process would not hear the other one
            try:
                await asyncio.wait_for(self.ended(), limit_s)
            except TimeoutError:
                self._say(f"{self.program.name} did not stop within {limit_s:g} s: killed")
                self._send(signal.SIGKILL)
                await self.ended()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    def _send(self, sign: signal.Signals) -> None:
        """Sends a signal to a process that may just have ended by itself."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(sign)

    async def _spawn(self) -> None:
        program = self.program
        program.log.parent.mkdir(parents=True, exist_ok=True)
        _rotate(program.log)
        with program.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *program.command,
                cwd=program.folder,
                env=dict(program.env),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C goes to us alone, and we stop the children in order.
                start_new_session=True,
                preexec_fn=_prepared(program),
            )

    async def _keep(self) -> None:
        wait = _BACK_OFF_LEAST_S
        while True:
            started = time.monotonic()
            status = await self.ended()
            if not self.supervised:
                return
            if time.monotonic() - started > _WELL_AFTER_S:
                wait = _BACK_OFF_LEAST_S
            why = (
                f"was killed by {signal.Signals(-status).name}"
                if status < 0
                else f"ended with status {status}"
            )
            self._say(f"{self.program.name} {why}; it is started again in {wait:g} s ({self.program.log})")
            await asyncio.sleep(wait)
            wait = min(wait * 2, _BACK_OFF_MOST_S)
            if not self.supervised:
                return
            self.restarts += 1
            await self._spawn()


def _prepared(program: Program) -> Callable[[], None]:
    """For the child, before exec: its user, and its stop signal for when the process that started it dies,
    however that happens. (uvloop has no `user` argument; a change of user would also clear a death signal
    that was set before it.)"""
    parent = os.getpid()

    def prepare() -> None:
        if program.user is not None:
            uid, gid = program.user
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
        _libc.prctl(_PR_SET_PDEATHSIG, int(program.stop_signal), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def _rotate(log: Path) -> None:
    if log.exists() and log.stat().st_size > _LOG_BYTES:
        log.replace(log.with_name(log.name + ".1"))
