"""Pulling messages from one JetStream consumer: credit, heartbeats, and a plain end when anything is amiss.

The loop that uses it makes the consumer anew, from the last message that it saw, and goes on: NATS may be
killed, restarted, or lose its memory streams at any time.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Self

import orjson
from nats.aio.subscription import Subscription

from services.runtime.wire import DESCRIPTION, STATUS

if TYPE_CHECKING:
    from services.runtime.bus import Bus

_SECOND = 10**9
_EXPIRES_S = 30
_HEARTBEAT_S = 1.5
_SILENCE_S = 5.0


class PullEnded(Exception):
    """The consumer gives no more: it is gone, its server changed, or nothing was heard. The text says
    which."""


class PulledMessage:
    """As it came: subject, reply subject (to acknowledge; it holds the sequences), headers, data."""

    __slots__ = ("data", "headers", "reply", "subject")

    def __init__(self, subject: str, reply: str, headers: Mapping[str, str], data: bytes) -> None:
        self.subject = subject
        self.reply = reply
        self.headers = headers
        self.data = data

    @property
    def sequence(self) -> int:
        """Sequence in the stream."""
        return int(self._numbers()[-4])

    @property
    def deliveries(self) -> int:
        """How often it was delivered, this time included."""
        return int(self._numbers()[-5])

    @property
    def behind(self) -> int:
        """How many messages waited behind it when it was sent."""
        return int(self._numbers()[-1])

    def _numbers(self) -> list[str]:
        # $JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<deliveries>.<stream seq>.<consumer
        # seq>.<time>.<pending>[.<random>]
        words = self.reply.split(".")
        return words if len(words) <= 9 else words[:-1]


class Pull:
    """The messages of consumer `name` on `stream`, as a context.

    rest_s: where some delay does not matter, the seconds of rest after each batch, so that a busy stream
    costs a waking a batch and not one a message. What comes after a quiet time still comes at once.
    """

    def __init__(self, bus: "Bus", stream: str, name: str, batch: int, rest_s: float = 0.0) -> None:
        self._bus = bus
        self._next = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}"
        self._batch = batch
        self._rest_s = rest_s
        self._behind = 0
        self._credit = 0
        self._arrived: list[PulledMessage] = []
        self._wake = asyncio.Event()
        self._ended = ""
        self._heard = asyncio.get_running_loop().time()
        self._inbox = bus.inbox()
        self._handle: Subscription | None = None
        self._stop_watching = bus.on_state(self._state_changed)

    async def __aenter__(self) -> Self:
        self._handle = await self._bus.subscribe(self._inbox, self._receive)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._stop_watching()
        if self._handle is not None:
            await self._bus.unsubscribe(self._handle)

    async def batches(self) -> AsyncIterator[list[PulledMessage]]:
        """What has arrived since the last time, oldest first, for ever. Raises PullEnded; NotConnected."""
        loop = asyncio.get_running_loop()
        while True:
            if self._ended:
                raise PullEnded(self._ended)
            if self._rest_s:
                if self._credit == 0 and not self._arrived:
                    await self._pull(max(1, min(self._behind, self._batch)))
            elif self._credit <= self._batch // 2:
                await self._pull(self._batch)
            if not self._arrived:
                self._wake.clear()
                timer = loop.call_later(_SILENCE_S, self._wake.set)
                try:
                    await self._wake.wait()
                finally:
                    timer.cancel()
                if not self._arrived and loop.time() - self._heard >= _SILENCE_S:
                    raise PullEnded("nothing was heard")
                continue
            arrived, self._arrived = self._arrived, []
            yield arrived
            if self._rest_s and self._credit == 0:
                await self._rest(arrived[-1].behind)

    async def _rest(self, behind: int) -> None:
        """Rests, unless more waits already: what waits behind the first message comes without a rest, and a
        reader that is far behind catches up."""
        first = self._behind == 0
        self._behind = behind if first or behind > self._batch else 0
        if self._behind == 0:
            await asyncio.sleep(self._rest_s)

    async def _pull(self, count: int) -> None:
        body = {
            "batch": count,
            "expires": _EXPIRES_S * _SECOND,
            "idle_heartbeat": int(_HEARTBEAT_S * _SECOND),
        }
        await self._bus.publish(self._next, orjson.dumps(body), reply=self._inbox)
        self._credit += count

    def _receive(self, subject: str, reply: str, headers: Mapping[str, str], data: bytes) -> None:
        self._heard = asyncio.get_running_loop().time()
        if not reply.startswith("$JS.ACK"):
            self._status(headers)
            return
        self._credit -= 1
        self._arrived.append(PulledMessage(subject, reply, headers, data))
        self._wake.set()

    def _state_changed(self, connected: bool) -> None:
        if not connected:
            self._ended = "the connection was lost"
            self._wake.set()

    def _status(self, headers: Mapping[str, str]) -> None:
        status = headers.get(STATUS, "")
        if status == "100":
            return
        if status == "408":
            self._credit -= int(headers.get("Nats-Pending-Messages", self._credit))
        else:
            self._ended = f"{status} {headers.get(DESCRIPTION, '')}"
        self._wake.set()
