"""Rate limits that survive a restart and hold over all replicas: leaky buckets in the database, one statement
a take.

A bucket holds `burst` and refills at `rate` a second. Its row says when it will be full again (the generic
cell rate algorithm); a full bucket needs no row, and each take removes a few of those.
"""

from dataclasses import dataclass
from hashlib import sha256

import asyncpg

from services.runtime.errors import rate_limited

_TAKE = """
INSERT INTO limits AS l (key, full_at) VALUES ($1, now() + $2::float8 * interval '1 s')
ON CONFLICT (key) DO UPDATE SET full_at = greatest(l.full_at, now()) + $2::float8 * interval '1 s'
WHERE greatest(l.full_at, now()) + $2::float8 * interval '1 s' <= now() + $3::float8 * interval '1 s'
RETURNING 1
"""
_WAIT = "SELECT greatest(extract(epoch FROM full_at - now()) - $2, 0)::float8 FROM limits WHERE key = $1"
_TIDY = """
DELETE FROM limits WHERE key IN
    (SELECT key FROM limits WHERE full_at < now() ORDER BY full_at LIMIT 3 FOR UPDATE SKIP LOCKED)
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """`burst` at once, then `a_minute` more a minute; `text` is what a refused caller reads."""

    name: str
    burst: int
    a_minute: float
    text: str


class Limits:
    """The buckets of the database."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def take(self, limit: Limit, who: str) -> None:
        """Takes one from the bucket of `who`. Raises RATE_LIMITED with the time to wait; then nothing is
        taken.
        """
        each_s = 60.0 / limit.a_minute
        key = _key(limit, who)
        async with self._pool.acquire() as connection:
            await connection.execute(_TIDY)
            if await connection.fetchval(_TAKE, key, each_s, each_s * limit.burst) is None:
                wait_s = await connection.fetchval(_WAIT, key, each_s * (limit.burst - 1))
                raise rate_limited(limit.text, max(wait_s or 0.0, 0.1))

    async def refill(self, limit: Limit, who: str) -> None:
        """Makes the bucket of `who` full."""
        await self._pool.execute("DELETE FROM limits WHERE key = $1", _key(limit, who))


def _key(limit: Limit, who: str) -> str:
    return f"{limit.name}:{sha256(who.encode()).hexdigest()[:32]}"
