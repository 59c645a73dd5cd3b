"""A durable consumer: every message of a stream is handled at least once, and acknowledged, with
confirmation, after that.

What is away (a database, another service) is waited for with the message in hand: that is no fault of the
message. A message whose handling fails otherwise is tried again later; after the last try it goes to the
stream DEAD_LETTERS, where an operator looks at it, and the others go on.
"""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Awaitable, Callable

import asyncpg
from tavolo.common.v1 import error_pb2

from services.runtime import db, metrics
from services.runtime.bus import Bus
from services.runtime.bus_errors import AppendUnknown, BusError
from services.runtime.context import REQUEST_ID_HEADER, begin_request
from services.runtime.errors import TavoloError
from services.runtime.logs import logger
from services.runtime.messages import StoredMessage
from services.runtime.pull import Pull, PulledMessage, PullEnded
from services.runtime.streams import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from services.runtime.wire import NotConnected

Handle = Callable[[StoredMessage], Awaitable[None]]

DEAD_LETTERS = "DEAD_LETTERS"
_SECOND = 10**9
# A message that is not acknowledged or said to be in work for so long is delivered again: to whoever took
# over, or to us after NATS was restarted.
_ACK_WAIT_S = 5
_IN_WORK_S = 1.5
_BATCH = 16
_RETRY_LEAST_S = 0.1
_RETRY_MOST_S = 2.0
_AWAY = (*db.AWAY, asyncpg.InterfaceError, NotConnected, AppendUnknown, TimeoutError)


class Consumer:
    """The durable consumer `durable` of `stream` (messages that match `subject`); run it with
    `App.spawn(consumer.run(), name)`."""

    def __init__(
        self,
        bus: Bus,
        stream: str,
        durable: str,
        subject: str,
        handle: Handle,
        *,
        most_tries: int = 8,
        replicas: int = 1,
    ) -> None:
        self._bus = bus
        self._stream = stream
        self._durable = durable
        self._subject = subject
        self._handle = handle
        self._most_tries = most_tries
        self._replicas = replicas
        self._counted = metrics.CONSUMED

    async def run(self) -> None:
        """Handles messages for ever, one at a time, in order; survives restarts of NATS and waits for a
        stream that is not there."""
        wait = _RETRY_LEAST_S
        while True:
            try:
                await self._ensure()
                wait = _RETRY_LEAST_S
                await self._consume()
            except (PullEnded, NotConnected, TimeoutError, BusError) as error:
                logger().debug("consumer_begins_again", consumer=self._durable, why=repr(error))
            await asyncio.sleep(random.uniform(wait / 2, wait))  # noqa: S311 - jitter, no secret
            wait = min(wait * 2, _RETRY_MOST_S)

    async def _ensure(self) -> None:
        await self._bus.ensure_stream(dead_letters(self._replicas))
        await self._bus.api(
            f"CONSUMER.CREATE.{self._stream}.{self._durable}.{self._subject}",
            {
                "stream_name": self._stream,
                "config": {
                    "name": self._durable,
                    "durable_name": self._durable,
                    "filter_subject": self._subject,
                    "deliver_policy": "all",
                    "ack_policy": "explicit",
                    "replay_policy": "instant",
                    "ack_wait": _ACK_WAIT_S * _SECOND,
                    "max_ack_pending": _BATCH * 2,
                    "num_replicas": self._replicas,
                },
            },
        )

    async def _consume(self) -> None:
        in_hand: deque[PulledMessage] = deque()
        keeper = asyncio.create_task(self._say_in_work(in_hand), name=f"in-work-{self._durable}")
        try:
            async with Pull(self._bus, self._stream, self._durable, _BATCH) as pull:
                async for arrived in pull.batches():
                    in_hand.extend(arrived)
                    while in_hand:
                        await self._take(in_hand[0])
                        in_hand.popleft()
        finally:
            keeper.cancel()

    async def _say_in_work(self, in_hand: deque[PulledMessage]) -> None:
        """Keeps what has arrived from being delivered again while the first of it takes long."""
        while True:
            await asyncio.sleep(_IN_WORK_S)
            with contextlib.suppress(NotConnected):  # then all of it is delivered again anyway
                for pulled in list(in_hand):
                    await self._bus.publish(pulled.reply, b"+WPI")

    async def _take(self, pulled: PulledMessage) -> None:
        message = StoredMessage(pulled.subject, pulled.sequence, pulled.data, pulled.headers)
        begin_request(message.header(REQUEST_ID_HEADER))
        tries = pulled.deliveries
        if tries > self._most_tries:
            await self._bury(pulled, message, tries)
            return
        try:
            await self._handle_when_possible(message)
        except Exception as error:  # noqa: BLE001
            # Whatever it is, it is this message's: it is reported and tried again, and the others go on.
            logger().error(
                "message_failed", consumer=self._durable, subject=message.subject, tries=tries, exc_info=error
            )
            self._counted.labels(self._durable, "failed").inc()
            delay = min(_RETRY_LEAST_S * 2**tries, 30.0)
            await self._bus.publish(pulled.reply, b'-NAK {"delay": %d}' % int(delay * _SECOND))
            return
        await self._bus.request(pulled.reply, b"+ACK")
        self._counted.labels(self._durable, "handled").inc()

    async def _handle_when_possible(self, message: StoredMessage) -> None:
        wait = _RETRY_LEAST_S
        while True:
            try:
                await self._handle(message)
            except _AWAY as error:
                why = repr(error)
            except TavoloError as error:
                if error.reason not in (
                    error_pb2.ERROR_REASON_UNAVAILABLE,
                    error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
                ):
                    raise
                why = str(error)
            else:
                return
            logger().warning("message_waits", consumer=self._durable, subject=message.subject, why=why)
            self._counted.labels(self._durable, "waited").inc()
            await asyncio.sleep(random.uniform(wait / 2, wait))  # noqa: S311 - jitter, no secret
            wait = min(wait * 2, _RETRY_MOST_S)

    async def _bury(self, pulled: PulledMessage, message: StoredMessage, tries: int) -> None:
        headers = {
            "Tavolo-Subject": message.subject,
            "Tavolo-Sequence": str(message.sequence),
            "Tavolo-Tries": str(tries),
        }
        subject = f"tavolo.dead.{self._stream}.{self._durable}"
        await self._bus.append(subject, message.data, headers, msg_id=f"{self._durable}.{message.sequence}")
        await self._bus.request(pulled.reply, b"+TERM")
        logger().error(
            "message_given_up", consumer=self._durable, subject=message.subject, sequence=message.sequence
        )
        self._counted.labels(self._durable, "given_up").inc()


def dead_letters(replicas: int) -> StreamConfig:
    """The stream of messages that could not be handled: `tavolo.dead.<stream>.<consumer>`."""
    return StreamConfig(
        name=DEAD_LETTERS,
        subjects=["tavolo.dead.>"],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_bytes=256 * 1024 * 1024,
        num_replicas=replicas,
        duplicate_window=120,
    )
