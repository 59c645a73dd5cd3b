"""Passwords: argon2id in a few threads, so that nobody can take the event loop or the memory."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from services.lobby.metrics import PASSWORD_SECONDS
from services.runtime.errors import invalid, rate_limited

LEAST, MOST = 8, 128

T = TypeVar("T")


class Passwords:
    """Hashes and checks with the parameters of RFC 9106 for little memory (argon2-cffi's defaults)."""

    def __init__(self, threads: int, queue: int) -> None:
        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(threads, "password")
        self._room = threads + queue
        self._nobody = self._hasher.hash(secrets.token_urlsafe())

    async def hash(self, password: str) -> str:
        """The text to store. Raises INVALID_FIELD for one that is too short or too long, RATE_LIMITED when
        too many wait.
        """
        if not LEAST <= len(password) <= MOST:
            raise invalid("password", f"a password has {LEAST} to {MOST} characters")
        return await self._run(lambda: self._hasher.hash(password))

    async def check(self, password: str, stored: str | None) -> bool:
        """Whether it is the right one; no stored one (no such account, or a guest) takes as long and is never
        right.
        """
        right = await self._run(lambda: self._matches(stored or self._nobody, password[:MOST]))
        return right and stored is not None and len(password) <= MOST

    def is_outdated(self, stored: str) -> bool:
        """Whether it was hashed with weaker parameters than those of today."""
        return self._hasher.check_needs_rehash(stored)

    async def close(self) -> None:
        """Ends the threads; what waits is not done."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _matches(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except VerifyMismatchError:
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._room == 0:
            raise rate_limited("too many people are signing in; try again in a moment", 2.0)
        self._room -= 1
        try:
            with PASSWORD_SECONDS.time():
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._room += 1
