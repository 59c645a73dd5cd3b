"""The terminal as players have it.

A screen that is drawn again and again with a line to type on, or plain lines where
the output is no terminal."""

import asyncio
import codecs
import os
import signal
import sys
import termios
import tty
from types import TracebackType
from typing import Any, Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from services.cli.play_draw import move_lines, question, table_lines
from services.cli.play_scene import Scene

QUIT = "/quit"
REDRAW_S = 0.2
_ENTER = "\r\n"
_ERASE = "\x7f\b"
_ERASE_LINE = "\x15"
_END = "\x04"
_ESCAPE = "\x1b"


class Terminal(Protocol):
    """Where a table is shown and lines are typed. A context manager."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exception: Any) -> None: ...

    async def line(self) -> str | None:
        """The next line that was typed; None at the end of the input."""

    def show(self, scene: Scene) -> None:
        """The table has changed."""

    def tell(self, line: Text, *, urgent: bool = False) -> None:
        """Something happened, or has to be said; `urgent` also rings the bell."""


class PlainTerminal:
    """Plain lines: the table is printed when the player is asked for something, events as they happen."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._asked: tuple[int, int, int] | None = None
        self._rest = b""

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(sys.stdin.fileno(), self._read)
        except (PermissionError, ValueError):  # a regular file, /dev/null, or no input at all
            self._read_to_the_end()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not sys.stdin.closed:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())

    async def line(self) -> str | None:
        return await self._lines.get()

    def show(self, scene: Scene) -> None:
        if scene.update is None:
            return
        public, own = scene.update.public, scene.update.own
        asked = (public.state, own.turn if own.moves else -1, public.hand * 100 + public.tie_break)
        if not (scene.moves or scene.wants_ready or scene.is_over) or asked == self._asked:
            return
        self._asked = asked
        for line in (*table_lines(scene), *move_lines(scene, self._console.width), question(scene)):
            self._console.print(line, soft_wrap=True)

    def tell(self, line: Text, *, urgent: bool = False) -> None:
        self._console.print(line, soft_wrap=True)

    def _read(self) -> None:
        got = os.read(sys.stdin.fileno(), 4096)
        if not got:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        self._take(got)

    def _read_to_the_end(self) -> None:
        while got := b"" if sys.stdin.closed else os.read(sys.stdin.fileno(), 4096):
            self._take(got)
        self._take(b"")

    def _take(self, got: bytes) -> None:
        *lines, self._rest = (self._rest + got).split(b"\n")
        for line in lines:
            self._lines.put_nowait(line.decode(errors="replace"))
        if not got:
            self._lines.put_nowait(None)


class LiveTerminal:
    """A full screen: the table with running clocks, the last lines, the moves, and the line being typed."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop")
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._typed = ""
        self._in_escape = False
        self._scene: Scene | None = None
        self._clock: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._input = sys.stdin.fileno()
        self._saved = termios.tcgetattr(self._input)
        tty.setcbreak(self._input)
        loop = asyncio.get_running_loop()
        loop.add_reader(self._input, self._read)
        loop.add_signal_handler(signal.SIGINT, self._lines.put_nowait, QUIT)
        self._live.start()
        self._clock = asyncio.create_task(self._redraw())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._input)
        loop.remove_signal_handler(signal.SIGINT)
        if self._clock:
            self._clock.cancel()
            await asyncio.gather(self._clock, return_exceptions=True)
        self._live.stop()
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved)

    async def line(self) -> str | None:
        return await self._lines.get()

    def show(self, scene: Scene) -> None:
        self._scene = scene
        self._draw()

    def tell(self, line: Text, *, urgent: bool = False) -> None:
        if urgent:
            self._console.bell()
        self._draw()

    async def _redraw(self) -> None:
        """The clocks run between two views."""
        while True:
            await asyncio.sleep(REDRAW_S)
            self._draw()

    def _draw(self) -> None:
        scene = self._scene
        if scene is None:
            return
        width, height = self._console.size
        below = [*move_lines(scene, width), question(scene), Text(f"> {self._typed}▏")]
        above = [*table_lines(scene), Text()]
        room = max(1, height - len(above) - len(below) - 1)
        said = list(scene.lines)[-room:]
        rows = [*above, *said, *[Text()] * (room - len(said)), *below]
        for row in rows:
            row.truncate(width, overflow="ellipsis")
        self._live.update(Group(*rows), refresh=True)

    def _read(self) -> None:
        got = os.read(self._input, 1024)
        if not got:
            asyncio.get_running_loop().remove_reader(self._input)
            self._lines.put_nowait(None)
        for character in self._decoder.decode(got):
            self._key(character)
        self._draw()

    def _key(self, key: str) -> None:
        if self._in_escape:  # arrows and the like mean nothing here
            self._in_escape = not (key.isalpha() or key == "~")
        elif key == _ESCAPE:
            self._in_escape = True
        elif key in _ENTER:
            self._lines.put_nowait(self._typed)
            self._typed = ""
        elif key in _ERASE:
            self._typed = self._typed[:-1]
        elif key == _ERASE_LINE:
            self._typed = ""
        elif key == _END and not self._typed:
            self._lines.put_nowait(QUIT)
        elif key.isprintable():
            self._typed += key


def read_line() -> str | None:
    """A line of the input, and not a byte more: what follows is for the table. None at the end."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            break
        line += byte
    return line.decode(errors="replace") if line else None
