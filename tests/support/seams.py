"""Runs a table-engine worker that can be killed at a named stage of a move (see traps).

`python -m tests.support.seams FOLDER`. The stages are the functions of `services.table_engine.act`, wrapped
here: the shipped service knows nothing of this.
"""

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from services.table_engine import act, main
from tests.support.traps import Trap

STAGES = ("before_check", "before_append", "after_append", "before_answer", "before_views")


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
