"""Writing at once when little is to be written, and in turns when there is much.

A process that is woken for each message and writes each answer by itself costs its peer the same, and so on
along a move's path: most of the machine's time goes into waking. Who takes turns lets company gather, and the
whole path handles bursts.
"""

import asyncio

TURN_S = 0.003
"""Far below what a person notices; longer than the path needs for one message by itself."""


class Pace:
    """Turns of at least TURN_S; the first after a pause comes at once."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last = float("-inf")

    async def turn(self) -> None:
        """Waits until the turn before is TURN_S ago."""
        loop = asyncio.get_running_loop()
        wait = self._last + TURN_S - loop.time()
        if wait > 0:
            await asyncio.sleep(wait)
        self._last = loop.time()
