"""Waiting for a condition with a limit: tests never sleep to synchronise."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

_LOOK_S = 0.02


async def wait_for(condition: Callable[[], Any], limit_s: float = 10.0, what: str = "") -> Any:
    """The first true result of `condition` (plain or async). Fails the test after `limit_s`, saying what was
    waited for."""
    loop = asyncio.get_running_loop()
    until = loop.time() + limit_s
    while True:
        found = condition()
        result = await found if inspect.isawaitable(found) else found
        if result:
            return result
        if loop.time() > until:
            raise AssertionError(
                f"after {limit_s:g} s still not: {what or inspect.getsource(condition).strip()}"
            )
        await asyncio.sleep(_LOOK_S)
