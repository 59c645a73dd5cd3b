"""How long to wait before trying again."""

import random


class Backoff:
    """Growing waits with full jitter, so that many clients that lost one gateway do not come back at once."""

    def __init__(self, first_s: float = 0.1, most_s: float = 5.0) -> None:
        self._first = first_s
        self._most = most_s
        self._next = first_s

    def reset(self) -> None:
        """After a success: the next wait is the first again."""
        self._next = self._first

    def wait_s(self, least_s: float = 0.0) -> float:
        """The next wait, seconds, and never less than `least_s`."""
        wait = random.uniform(self._first / 2, self._next)  # noqa: S311  spreads load, guards nothing
        self._next = min(self._next * 2, self._most)
        return max(wait, least_s)
