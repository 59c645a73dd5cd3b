"""A busy stream writes fuller frames."""

import asyncio

import pytest

from services.runtime.frames import gather_more


@pytest.mark.parametrize("carried", [0, 1])
def test_a_quiet_stream_writes_at_once(carried: int) -> None:
    with pytest.raises(StopIteration):  # it has run to its end without waiting for anything
        gather_more(carried).send(None)


async def test_what_comes_in_the_moment_that_a_busy_stream_waits_goes_out_with_the_rest() -> None:
    waiting = ["first"]
    asyncio.get_running_loop().call_soon(waiting.append, "second")
    await gather_more(len(("one", "two")))
    assert waiting == ["first", "second"]
