"""Starts the chat so that it is killed with its first message in the stream and not yet marked so."""

import os
import signal
import sys

from services.chat import main, messages


async def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    messages.mark_published = _die  # type: ignore[assignment]
    sys.exit(main.main())
