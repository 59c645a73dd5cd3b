"""Starts the chat so that it is killed with its first message recorded and not yet published."""

import os
import signal
import sys

from services.chat import main
from services.chat.messages import Recorded
from services.chat.publisher import Publisher


async def _die(self: Publisher, room: str, waiting: list[Recorded]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    Publisher._append = _die  # type: ignore[method-assign]
    sys.exit(main.main())
