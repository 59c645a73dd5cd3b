"""Not too much of one account in one room. The record itself is the memory: nothing to keep, nothing to tidy
up.
"""

from dataclasses import dataclass

import asyncpg

from services.runtime.errors import rate_limited

_AGE = """
SELECT extract(epoch FROM clock_timestamp() - time)::float8 FROM messages
WHERE room = $1 AND account = $2 ORDER BY id DESC OFFSET $3 LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Flood:
    """At most `burst` messages within any `window_s` seconds."""

    burst: int
    window_s: float

    async def check(self, connection: asyncpg.Connection, room: str, account: str) -> None:
        """With the room's row locked. Raises RATE_LIMITED with the time to wait."""
        age_s = await connection.fetchval(_AGE, room, account, self.burst - 1)
        if age_s is not None and age_s < self.window_s:
            raise rate_limited("too many messages at once: wait a moment", self.window_s - age_s)
