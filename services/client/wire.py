"""One physical connection to the gateway: frames out, frames in, until it breaks."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

import grpc
from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.gateway.v1.gateway_pb2 import (
    Answer,
    ClientMessage,
    ConnectRequest,
    ConnectResponse,
    Goodbye,
    Hello,
    Pong,
    ServerMessage,
    Welcome,
)

from services.client.errors import Refused, from_rpc

HELLO_LIMIT_S = 10.0
_SILENCE_MARGIN_S = 5.0

_GOODBYES = {
    gateway_pb2.CLOSE_REASON_UNAUTHENTICATED: error_pb2.ERROR_REASON_UNAUTHENTICATED,
    gateway_pb2.CLOSE_REASON_BAD_MESSAGE: error_pb2.ERROR_REASON_INVALID_FIELD,
    gateway_pb2.CLOSE_REASON_RATE_LIMITED: error_pb2.ERROR_REASON_RATE_LIMITED,
}


class Wire:
    """One Connect stream. As a context manager it ends the stream and its tasks.

    What waits when the last write returns goes out in one frame. Messages that are no answers go to
    `deliver`.
    """

    def __init__(
        self,
        connect: "grpc.aio.StreamStreamMultiCallable[ConnectRequest, ConnectResponse]",
        deliver: Callable[[ServerMessage], None],
    ) -> None:
        self._connect = connect
        self._deliver = deliver
        self._calls = 0
        self._asked: dict[int, asyncio.Future[Answer]] = {}
        self._waiting: list[ClientMessage] = []
        self._work = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._welcome: asyncio.Future[Welcome] = loop.create_future()
        self._broken: asyncio.Future[None] = loop.create_future()
        self._last_read = loop.time()
        self._tasks: list[asyncio.Task[None]] = []
        self._watched = False

    async def __aenter__(self) -> Self:
        self._stream = self._connect()
        self._tasks = [asyncio.create_task(work) for work in (self._write(), self._read())]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end(Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the connection was closed"))
        self._broken.exception()  # whoever wanted to know has been told
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._stream.cancel()

    async def hello(self, hello: Hello) -> Welcome:
        """Opens the connection, or renews its token. Refused: not accepted, or no answer in time."""
        self._welcome = asyncio.get_running_loop().create_future()
        asked = asyncio.create_task(self.ask(ClientMessage(hello=hello)))
        try:
            async with asyncio.timeout(HELLO_LIMIT_S):
                await asyncio.wait((asked, self._welcome), return_when=asyncio.FIRST_COMPLETED)
                if not self._welcome.done():
                    await asked  # refused, or the welcome comes after it
                welcome = await self._welcome
        except TimeoutError as error:
            raise Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the gateway did not answer") from error
        finally:
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        if welcome.heartbeat_ms and not self._watched:
            self._watched = True
            silence = 2 * welcome.heartbeat_ms / 1000 + _SILENCE_MARGIN_S
            self._tasks.append(asyncio.create_task(self._watch(silence)))
        return welcome

    async def ask(self, message: ClientMessage) -> Answer:
        """Sends a message and waits for its answer.

        Refused: by the platform, or UNAVAILABLE if the wire breaks.
        """
        if self._broken.done():
            raise Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the connection is broken")
        self._calls += 1
        message.call = self._calls
        asked = asyncio.get_running_loop().create_future()
        self._asked[message.call] = asked
        self._send(message)
        try:
            answer: Answer = await asked
        finally:
            self._asked.pop(message.call, None)
        if answer.HasField("error"):
            raise Refused(answer.error)
        return answer

    async def until_broken(self) -> None:
        """Waits for the end of the connection. Refused: why it ended."""
        await asyncio.shield(self._broken)

    def _send(self, message: ClientMessage) -> None:
        self._waiting.append(message)
        self._work.set()

    async def _write(self) -> None:
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                waiting, self._waiting = self._waiting, []
                await self._stream.write(ConnectRequest(messages=waiting))
        except grpc.aio.AioRpcError as error:
            self.end(from_rpc(error))
        except asyncio.InvalidStateError:  # grpc says so when the stream has ended; the reader knows why
            return

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            async for response in self._stream:
                self._last_read = loop.time()
                for message in response.messages:
                    self._take(message)
            self.end(Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the gateway ended the connection"))
        except grpc.aio.AioRpcError as error:
            self.end(from_rpc(error))

    async def _watch(self, silence_s: float) -> None:
        """Breaks a connection on which not even a ping has come for so long."""
        loop = asyncio.get_running_loop()
        left = silence_s
        while left > 0:
            await asyncio.sleep(left)
            left = self._last_read + silence_s - loop.time()
        self.end(Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the gateway has fallen silent"))

    def _take(self, message: ServerMessage) -> None:
        match message.WhichOneof("kind"):
            case "answer":
                asked = self._asked.get(message.answer.call)
                if asked and not asked.done():
                    asked.set_result(message.answer)
            case "ping":
                self._send(ClientMessage(pong=Pong(ping=message.ping.number)))
            case "welcome":
                if not self._welcome.done():
                    self._welcome.set_result(message.welcome)
            case "goodbye":
                self.end(_refusal(message.goodbye))
            case _:
                self._deliver(message)

    def end(self, why: Refused) -> None:
        """Breaks the connection off: who waits for an answer gets UNAVAILABLE, `until_broken` this reason."""
        if self._broken.done():
            return
        self._broken.set_exception(why)
        lost = Refused.of(error_pb2.ERROR_REASON_UNAVAILABLE, "the connection broke before the answer came")
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(lost)
        if not self._welcome.done():
            self._welcome.set_exception(why)
            self._welcome.exception()  # nobody may be waiting for it any more


def _refusal(goodbye: Goodbye) -> Refused:
    return Refused.of(_GOODBYES.get(goodbye.reason, error_pb2.ERROR_REASON_UNAVAILABLE), goodbye.text)
