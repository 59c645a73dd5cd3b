"""Runs a scoring service that can be killed between commit and acknowledgement of a result (see traps).

`python -m tests.support.scoring_seams FOLDER`.
"""

import sys
from pathlib import Path

from services.runtime.messages import StoredMessage
from services.scoring import main
from services.scoring.consume import Results
from tests.support.traps import Trap

BEFORE_ACKNOWLEDGEMENT = "before_acknowledgement"


def _wrap(trap: Trap) -> None:
    handle = Results.handle

    async def trapped(self: Results, message: StoredMessage) -> None:
        await handle(self, message)
        trap.visit(BEFORE_ACKNOWLEDGEMENT)

    Results.handle = trapped  # type: ignore[method-assign]


if __name__ == "__main__":
    _wrap(Trap(Path(sys.argv[1])))
    sys.exit(main.main())
