"""Traps: a service that a launcher of the tests has wrapped kills itself with SIGKILL at a named stage.

It looks into a folder for a file named after its process id with "STAGE COUNT" in it; from then on the
COUNT-th time that it comes to the stage it dies.
"""

import os
import signal
from pathlib import Path


class Trap:
    """Counts the visits of the armed stage and kills the process at the wanted one."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / str(os.getpid())
        self._left: int | None = None
        self._stage = ""

    def visit(self, stage: str) -> None:
        if self._left is None:
            if not self._file.exists():
                return
            self._stage, count = self._file.read_text().split()
            self._left = int(count)
        if stage == self._stage:
            self._left -= 1
            if self._left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)


def arm(folder: Path, pid: int, stage: str, count: int) -> None:
    """Sets the trap of a running worker."""
    written = folder / f"{pid}.new"
    written.write_text(f"{stage} {count}")
    written.rename(folder / str(pid))
