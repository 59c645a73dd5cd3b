"""Starts scoring so that it is killed between the commit of its first settlement and the acknowledgement."""

import os
import signal
import sys

from services.runtime.messages import StoredMessage
from services.scoring import main
from services.scoring.consume import Results

_handle = Results.handle


async def _handle_and_die(self: Results, message: StoredMessage) -> None:
    await _handle(self, message)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    Results.handle = _handle_and_die  # type: ignore[method-assign]
    sys.exit(main.main())
