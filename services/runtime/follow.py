"""Following a stream: every message once, in order, through restarts of NATS and of the stream."""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Literal

from services.runtime.bus_errors import BusError
from services.runtime.logs import logger
from services.runtime.messages import StoredMessage
from services.runtime.pull import Pull, PullEnded
from services.runtime.wire import NotConnected

if TYPE_CHECKING:
    from services.runtime.bus import Bus

# What comes first: the last message of each subject; only what is stored from now on; or everything from
# sequence n on.
Deliver = Literal["last_per_subject", "new", "all"] | tuple[Literal["seq"], int]

_BATCH = 1024
_RETRY_LEAST_S = 0.1
_RETRY_MOST_S = 1.0
_INACTIVE_S = 30
_SECOND = 10**9


async def follow(
    bus: "Bus",
    stream: str,
    subject: str,
    deliver: Deliver = "last_per_subject",
    *,
    headers_only: bool = False,
    rest_s: float = 0.0,
    on_reset: Callable[[], None] | None = None,
) -> AsyncIterator[StoredMessage]:
    """The messages of `stream` that match `subject`, for ever.

    After a broken connection it goes on behind the last message that it gave. A stream that does not exist
    yet is waited for. When the stream was made anew (a memory stream after a restart of NATS), `on_reset` is
    called and it begins again as at first. rest_s: see Pull.
    """
    place = _Place(deliver)
    wait = _RETRY_LEAST_S
    while True:
        name = f"follow_{secrets.token_hex(8)}"
        try:
            if await place.find(bus, stream) and on_reset is not None:
                on_reset()
            await bus.api(
                f"CONSUMER.CREATE.{stream}.{name}.{subject}",
                {
                    "stream_name": stream,
                    "config": place.config(name, subject, headers_only),
                    "action": "create",
                },
            )
        except (BusError, NotConnected, TimeoutError) as error:
            logger().debug("follow_waits", stream=stream, error=repr(error))
        else:
            wait = _RETRY_LEAST_S
            try:
                async with Pull(bus, stream, name, _BATCH, rest_s) as pull:
                    async for arrived in pull.batches():
                        for each in arrived:
                            sequence = each.sequence
                            yield StoredMessage(each.subject, sequence, each.data, each.headers)
                            place.seen = sequence
            except (PullEnded, NotConnected) as error:
                logger().debug("follow_begins_again", stream=stream, why=str(error))
        await asyncio.sleep(random.uniform(wait / 2, wait))  # noqa: S311 - jitter, no secret
        wait = min(wait * 2, _RETRY_MOST_S)


class _Place:
    """Where a follower is in its stream."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._created: str | None = None
        self.seen = 0

    async def find(self, bus: "Bus", stream: str) -> bool:
        """Looks at the stream; whether it was made anew since it was last looked at."""
        info = await bus.api(f"STREAM.INFO.{stream}")
        created, before = info["created"], self._created
        self._created = created
        if before is None:
            if self._deliver == "new":
                self.seen = info["state"]["last_seq"]
            return False
        if created != before:
            self.seen = 0
            return True
        return False

    def config(self, name: str, subject: str, headers_only: bool) -> dict[str, Any]:
        """The consumer that goes on from here."""
        found: dict[str, Any] = {
            "name": name,
            "filter_subject": subject,
            "ack_policy": "none",
            "replay_policy": "instant",
            "mem_storage": True,
            "num_replicas": 1,
            "headers_only": headers_only,
            "inactive_threshold": _INACTIVE_S * _SECOND,
            "max_waiting": 16,
        }
        if self.seen or self._deliver == "new":
            return {**found, "deliver_policy": "by_start_sequence", "opt_start_seq": self.seen + 1}
        if isinstance(self._deliver, tuple):
            return {**found, "deliver_policy": "by_start_sequence", "opt_start_seq": max(1, self._deliver[1])}
        return {**found, "deliver_policy": self._deliver}
