"""Runs a scoring service that can be killed between commit and acknowledgement of a result, or between commit
and answer of a hand (see traps).

`python -m tests.support.scoring_seams FOLDER`.
"""

import sys
from pathlib import Path
from typing import Any

from services.runtime.messages import StoredMessage
from services.scoring import hands, main
from services.scoring.consume import Results
from tests.support.traps import Trap

BEFORE_ACKNOWLEDGEMENT = "before_acknowledgement"
BEFORE_ANSWER = "before_answer"


def _wrap(trap: Trap) -> None:
    handle, settle = Results.handle, hands.settle

    async def trapped(self: Results, message: StoredMessage) -> None:
        await handle(self, message)
        trap.visit(BEFORE_ACKNOWLEDGEMENT)

    async def trapped_settle(*args: Any) -> list[int]:
        missing = await settle(*args)
        trap.visit(BEFORE_ANSWER)
        return missing

    Results.handle = trapped  # type: ignore[method-assign]
    hands.settle = trapped_settle  # type: ignore[assignment]


if __name__ == "__main__":
    _wrap(Trap(Path(sys.argv[1])))
    sys.exit(main.main())
