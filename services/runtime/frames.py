"""How a stream that carries many messages a frame is paced."""

import asyncio

_BUSY_MESSAGES = 2
_MOMENT_S = 0.001


async def gather_more(carried: int) -> None:
    """Awaited between "something waits" and writing it; `carried`: how many messages the last frame held.

    A frame costs as much as several messages, at both ends and at the hops behind it. On a busy stream, whose
    last frame held several, waiting a moment about doubles what the next one holds; a stream whose messages
    come one by one does not wait.
    """
    if carried >= _BUSY_MESSAGES:
        await asyncio.sleep(_MOMENT_S)
