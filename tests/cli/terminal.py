"""A program in a terminal of its own.

A pseudo-terminal with a size, what it shows without colours, keys to type.
"""

import asyncio
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

_CONTROL = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])|\r|\x07")
_HOME = "\x1b[H"
_PAGE = "\f"
_ROWS, _COLUMNS = 50, 160


class Terminal:
    """`tavolo …` in a pseudo-terminal. As a context manager it ends the program."""

    def __init__(self, *arguments: str, folder: Path, language: str = "en_US.UTF-8") -> None:
        self._arguments = arguments
        self._folder = folder
        self._env = {
            **os.environ,
            "LANG": language,
            "LC_ALL": language,
            "TERM": "xterm-256color",
            "COLUMNS": "160",
        }
        self._seen = ""
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

    async def see(self, *texts: str, limit_s: float = 40.0) -> str:
        """Waits until one of the texts is on the screen; the screen then."""
        return await self.until(
            lambda screen: any(text in screen for text in texts), f"any of {texts}", limit_s
        )

    async def until(self, holds: Callable[[str], bool], what: str, limit_s: float = 40.0) -> str:
        """Waits until what is on the screen is so; the screen then."""
        try:
            async with asyncio.timeout(limit_s):
                while not holds(self.screen):
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError as error:
            raise AssertionError(f"not shown: {what}; the screen is:\n{self.screen[-4000:]}") from error
        return self.screen

    @property
    def screen(self) -> str:
        """The last whole page of a program that draws pages, else all that it has printed."""
        pages = self._seen.rsplit(_PAGE, 2)
        return self._seen if len(pages) < 3 else pages[1] + pages[2]

    def type(self, line: str) -> None:
        """Types a line and Enter."""
        os.write(self._master, f"{line}\r".encode())

    async def ends(self, limit_s: float = 30.0) -> int:
        """Waits for the end of the program; its exit status."""
        async with asyncio.timeout(limit_s):
            return await self.process.wait()

    def _read(self) -> None:
        try:
            got = os.read(self._master, 65536)
        except BlockingIOError:
            return
        except OSError:  # the program has closed its side
            got = b""
        if not got:
            self._stop_reading()
        self._seen += _CONTROL.sub("", got.decode(errors="replace").replace(_HOME, _PAGE))
        self._more.set()

    def _stop_reading(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
