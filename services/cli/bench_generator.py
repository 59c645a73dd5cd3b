"""The process of the load generator, as its caller sees it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self, cast

from services.cli.bench_load import Load

STAGE_LIMIT_S = 300.0


class BenchError(Exception):
    """A run could not be made; the text says why."""


class Generator:
    """Runs `bench_load` and goes through its stages.

    It goes on with the next one when the caller asks for it.
    """

    def __init__(self, load: Load) -> None:
        self._load = load

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "services.cli.bench_load",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self._input = cast("asyncio.StreamWriter", self._process.stdin)
        self._output = cast("asyncio.StreamReader", self._process.stdout)
        await self._tell(self._load.to_json())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        """The stages.

        BenchError: the generator failed; what it said is on stderr. TimeoutError: it is stuck.
        """
        while True:
            async with asyncio.timeout(STAGE_LIMIT_S):
                line = await self._output.readline()
            if not line:
                break
            yield json.loads(line)
            await self._tell("go on")
        if await self._process.wait():
            raise BenchError("the load generator failed")

    async def _tell(self, line: str) -> None:
        self._input.write(f"{line}\n".encode())
        await self._input.drain()
