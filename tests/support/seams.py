"""Runs a table-engine worker that can be killed at a named stage of a move.

`python -m tests.support.seams FOLDER`: the worker looks into FOLDER for a file named after its process id
with "STAGE COUNT" in it; from then on the COUNT-th time that it comes to the stage it kills itself with
SIGKILL. The stages are the functions of `services.table_engine.act`, wrapped here: the shipped service knows
nothing of this.
"""

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from services.table_engine import act, main

STAGES = ("before_check", "before_append", "after_append", "before_answer", "before_views")


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


def _wrap(trap: Trap) -> None:
    check, append, answer, publish = act.check, act.append, act.answer, act.publish_views

    def trapped_check(*args: Any) -> str:
        trap.visit("before_check")
        return check(*args)

    async def trapped_append(*args: Any) -> None:
        trap.visit("before_append")
        await append(*args)
        trap.visit("after_append")

    def trapped_answer(*args: Any) -> None:
        trap.visit("before_answer")
        answer(*args)

    stages: dict[str, Callable[..., Any]] = {
        "check": trapped_check,
        "append": trapped_append,
        "answer": trapped_answer,
        "publish_views": _before(trap, "before_views", publish),
    }
    for name, stage in stages.items():
        setattr(act, name, stage)


def _before(
    trap: Trap, stage: str, function: Callable[..., Awaitable[None]]
) -> Callable[..., Awaitable[None]]:
    async def trapped(*args: Any) -> None:
        trap.visit(stage)
        await function(*args)

    return trapped


if __name__ == "__main__":
    _wrap(Trap(Path(sys.argv[1])))
    sys.exit(main.main())
