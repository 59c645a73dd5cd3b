"""A program in a terminal of its own: a pseudo-terminal with a size, what it shows without colours, keys to type."""

import asyncio
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path
from types import TracebackType
from typing import Self

_CONTROL = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])|\r|\x07")
_ROWS, _COLUMNS = 50, 160


class Terminal:
    """`tavolo …` in a pseudo-terminal. As a context manager it ends the program."""

    def __init__(self, *arguments: str, folder: Path, language: str = "en_US.UTF-8") -> None:
        self._arguments = arguments
        self._folder = folder
        self._env = {**os.environ, "LANG": language, "LC_ALL": language, "TERM": "xterm-256color", "COLUMNS": "160"}
        self._seen = ""
        self._read_to = 0
        self._more = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        os.set_blocking(self._master, False)
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.cli.main", *self._arguments,
            stdin=slave, stdout=slave, stderr=slave, cwd=self._folder, env=self._env, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        self._stop_reading()
        os.close(self._master)

    async def see(self, *texts: str, limit_s: float = 30.0) -> str:
        """Waits until one of the texts is shown after what was seen before; which one."""
        try:
            async with asyncio.timeout(limit_s):
                while True:
                    found = [(self._seen.find(text, self._read_to), text) for text in texts]
                    there = [(at, text) for at, text in found if at >= 0]
                    if there:
                        at, text = min(there)
                        self._read_to = at + len(text)
                        return text
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError as error:
            raise AssertionError(f"none of {texts} was shown; the end of it was: {self._seen[-3000:]}") from error

    def type(self, line: str) -> None:
        """Types a line and Enter."""
        os.write(self._master, f"{line}\r".encode())

    async def ends(self, limit_s: float = 30.0) -> int:
        """Waits for the end of the program; its exit status."""
        async with asyncio.timeout(limit_s):
            return await self.process.wait()

    @property
    def shown(self) -> str:
        """All that was shown."""
        return self._seen

    def forget(self) -> None:
        """What was shown up to now has been seen."""
        self._read_to = len(self._seen)

    def _read(self) -> None:
        try:
            got = os.read(self._master, 65536)
        except BlockingIOError:
            return
        except OSError:  # the program has closed its side
            got = b""
        if not got:
            self._stop_reading()
        self._seen += _CONTROL.sub("", got.decode(errors="replace"))
        self._more.set()

    def _stop_reading(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
