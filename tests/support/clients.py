"""Clients of the gateway for tests: the three transports, one interface. They share no code with the gateway.

async with await GatewayClient.open("json", addresses) as client:
    await client.hello(token)
    await client.attach(table)
    update = await client.update(table)
    accepted = await client.act(table, update.own.moves[0].text, update.own.turn)
"""

import asyncio
import itertools
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeVar

import aiohttp
import grpc
from google.protobuf import json_format
from google.protobuf.message import Message
from tavolo.common.v1.error_pb2 import ErrorDetail, ErrorReason
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.table.v1.table_pb2 import MoveAccepted
from tavolo.table.v1.view_pb2 import TableUpdate

Kind = Literal["grpc", "proto", "json"]
KINDS: tuple[Kind, ...] = ("grpc", "proto", "json")
LIMIT_S = 15.0
# The gateway's answers are far smaller than what the libraries take by themselves.
_MESSAGE_BYTES = 4 << 20

Response = TypeVar("Response", bound=Message)


class Refused(Exception):
    """The gateway answered with an error."""

    def __init__(self, detail: ErrorDetail) -> None:
        super().__init__(f"{ErrorReason.Name(detail.reason)} {detail.rule} {detail.field}: {detail.text}")
        self.detail = detail
        self.reason = ErrorReason.Name(detail.reason).removeprefix("ERROR_REASON_")


class Ended(Exception):
    """The connection has ended: by the gateway's goodbye (`reason`), or without one (`reason` empty)."""

    def __init__(self, goodbye: pb.Goodbye | None) -> None:
        self.reason = (
            "" if goodbye is None else pb.CloseReason.Name(goodbye.reason).removeprefix("CLOSE_REASON_")
        )
        super().__init__(f"{self.reason or 'no goodbye'}: {'' if goodbye is None else goodbye.text}")


class Transport(Protocol):
    """Frames there and back."""

    async def send(self, messages: Sequence[pb.ClientMessage]) -> None:
        """Sends one frame."""

    async def receive(self) -> tuple[bytes, Sequence[pb.ServerMessage]] | None:
        """The next frame, as it came and as messages; None when the connection has ended."""

    async def close(self) -> None:
        """Ends the connection."""


class WebSocketTransport:
    """The WebSocket in one of its two forms."""

    def __init__(
        self, session: aiohttp.ClientSession, ws: aiohttp.ClientWebSocketResponse, kind: Kind
    ) -> None:
        self._session = session
        self.ws = ws
        self.kind = kind

    @classmethod
    async def open(cls, http: str, kind: Kind, **options: Any) -> Self:
        """Connects to the gateway's HTTP address."""
        session = aiohttp.ClientSession()
        try:
            ws = await session.ws_connect(
                f"ws://{http}/ws",
                protocols=(f"tavolo.v1.{kind}",),
                compress=0,
                max_msg_size=_MESSAGE_BYTES,
                **options,
            )
        except BaseException:
            await session.close()
            raise
        return cls(session, ws, kind)

    async def send(self, messages: Sequence[pb.ClientMessage]) -> None:
        request = pb.ConnectRequest(messages=messages)
        if self.kind == "json":
            await self.ws.send_str(
                json_format.MessageToJson(request, preserving_proto_field_name=True, indent=None)
            )
        else:
            await self.ws.send_bytes(request.SerializeToString())

    async def receive(self) -> tuple[bytes, Sequence[pb.ServerMessage]] | None:
        frame = await self.ws.receive()
        if frame.type is aiohttp.WSMsgType.TEXT:
            found = json_format.Parse(frame.data, pb.ConnectResponse())
            return frame.data.encode(), found.messages
        if frame.type is aiohttp.WSMsgType.BINARY:
            return frame.data, pb.ConnectResponse.FromString(frame.data).messages
        return None

    async def close(self) -> None:
        await self.ws.close()
        await self._session.close()


class GrpcTransport:
    """Connect by gRPC."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel
        # Of one call only one write may be under way.
        self._writing = asyncio.Lock()
        self.call: Any = channel.stream_stream("/tavolo.gateway.v1.GatewayService/Connect")()

    @classmethod
    async def open(cls, address: str) -> Self:
        """Connects to the gateway's gRPC address."""
        return cls(grpc.aio.insecure_channel(address))

    async def send(self, messages: Sequence[pb.ClientMessage]) -> None:
        async with self._writing:
            await self.call.write(pb.ConnectRequest(messages=messages).SerializeToString())

    async def receive(self) -> tuple[bytes, Sequence[pb.ServerMessage]] | None:
        try:
            data = await self.call.read()
        except grpc.aio.AioRpcError:
            return None
        if data is grpc.aio.EOF:
            return None
        return data, pb.ConnectResponse.FromString(data).messages

    async def close(self) -> None:
        self.call.cancel()
        await self._channel.close()


class GatewayClient:
    """A client that does nothing by itself but answer pings.

    What is not an answer lies in `events`, oldest first; `updates` holds the newest update of each table.
    `frames` gets every frame as it came, when it is set.
    """

    def __init__(
        self, transport: Transport, *, pongs: bool = True, frames: Callable[[bytes], None] | None = None
    ) -> None:
        self.transport = transport
        self.events: list[pb.ServerMessage] = []
        self.updates: dict[str, TableUpdate] = {}
        self.infos: dict[str, Any] = {}
        self.ended: Ended | None = None
        self._pongs = pongs
        self._frames = frames
        self._calls = itertools.count(1)
        self._asked: dict[int, asyncio.Future[pb.Answer]] = {}
        self._changed = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, kind: Kind, addresses: dict[str, str], **options: Any) -> Self:
        """Connects to the gateway at `addresses` (`grpc` and `http`, host:port)."""
        transport: Transport
        if kind == "grpc":
            transport = await GrpcTransport.open(addresses["grpc"])
        else:
            transport = await WebSocketTransport.open(addresses["http"], kind)
        return cls(transport, **options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self.transport.close()

    # ----------------------------------------------------------------------------------------- asking

    async def ask(self, message: pb.ClientMessage) -> pb.Answer:
        """Sends a message and waits for its answer. Raises Refused, Ended."""
        (answer,) = await self.ask_all([message])
        return answer

    async def ask_all(self, messages: Sequence[pb.ClientMessage]) -> list[pb.Answer]:
        """The same with several messages in one frame."""
        asked = []
        for message in messages:
            message.call = next(self._calls)
            future: asyncio.Future[pb.Answer] = asyncio.get_running_loop().create_future()
            self._asked[message.call] = future
            asked.append(future)
        if self.ended is not None:
            raise self.ended
        await self.transport.send(messages)
        async with asyncio.timeout(LIMIT_S):
            answers = await asyncio.gather(*asked)
        for answer in answers:
            if answer.HasField("error"):
                raise Refused(answer.error)
        return answers

    async def hello(
        self, token: str, last_notice: int = 0, chat: Sequence[tuple[str, int]] = ()
    ) -> pb.Welcome:
        """Opens the connection, or renews its token."""
        positions = [pb.ChatPosition(room=room, last=last) for room, last in chat]
        self.events = [event for event in self.events if not event.HasField("welcome")]
        await self.ask(pb.ClientMessage(hello=pb.Hello(token=token, last_notice=last_notice, chat=positions)))
        return (await self.event("welcome")).welcome

    async def call(self, method: str, request: Message, response: type[Response]) -> Response:
        """Calls a method of a service behind the gateway over the connection."""
        rpc = pb.Call(method=method)
        as_json = isinstance(self.transport, WebSocketTransport) and self.transport.kind == "json"
        if as_json:
            rpc.json = json_format.MessageToJson(request)
        else:
            rpc.request = request.SerializeToString()
        answer = await self.ask(pb.ClientMessage(rpc=rpc))
        if as_json:
            return json_format.Parse(answer.json, response())
        return response.FromString(answer.response)

    async def attach(self, table: str, *, watch: bool = False) -> pb.TableAttached:
        """Takes the account's seat at a table, or watches."""
        return (await self.ask(pb.ClientMessage(attach=pb.AttachTable(table=table, watch=watch)))).attached

    async def detach(self, table: str) -> None:
        """Leaves a table."""
        await self.ask(pb.ClientMessage(detach=pb.DetachTable(table=table)))

    async def sync(self, table: str) -> None:
        """Wants the newest view again."""
        await self.ask(pb.ClientMessage(sync=pb.SyncTable(table=table)))

    async def act(self, table: str, move: str, turn: int, command_id: str = "") -> MoveAccepted:
        """Makes a move."""
        act = pb.Act(table=table, command_id=command_id or secrets.token_hex(8), move=move, turn=turn)
        return (await self.ask(pb.ClientMessage(act=act))).accepted

    async def ready(self, table: str, hand: int, contribution: bytes = b"") -> None:
        """Is ready for the next deal."""
        await self.ask(pb.ClientMessage(ready=pb.Ready(table=table, hand=hand, contribution=contribution)))

    # ---------------------------------------------------------------------------------------- waiting

    async def until(self, condition: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
        """Waits until what has come makes the condition true, and returns what it gives. Raises Ended."""
        async with asyncio.timeout(limit_s), self._changed:
            while not (found := condition()):
                if self.ended is not None:
                    raise self.ended
                await self._changed.wait()
        return found

    async def event(self, kind: str, limit_s: float = LIMIT_S) -> pb.ServerMessage:
        """The oldest event of a kind, which is taken out."""

        def find() -> pb.ServerMessage | None:
            return next((event for event in self.events if event.HasField(kind)), None)  # type: ignore[arg-type]

        found: pb.ServerMessage = await self.until(find, limit_s)
        self.events.remove(found)
        return found

    async def update(self, table: str, after: int = 0, limit_s: float = LIMIT_S) -> TableUpdate:
        """The newest update of a table, once it is newer than version `after`."""
        found: TableUpdate = await self.until(
            lambda: table in self.updates and self.updates[table].version > after and self.updates[table],
            limit_s,
        )
        return found

    async def end(self, limit_s: float = LIMIT_S) -> Ended:
        """Waits until the gateway has ended the connection."""
        async with asyncio.timeout(limit_s):
            await asyncio.shield(self._reader)
        assert self.ended is not None
        return self.ended

    # ---------------------------------------------------------------------------------------- reading

    async def _read(self) -> None:
        goodbye: pb.Goodbye | None = None
        while (frame := await self.transport.receive()) is not None:
            data, messages = frame
            if self._frames is not None:
                self._frames(data)
            for message in messages:
                if message.HasField("goodbye"):
                    goodbye = message.goodbye
                else:
                    await self._take(message)
            async with self._changed:
                self._changed.notify_all()
        self.ended = Ended(goodbye)
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(self.ended)
                asked.exception()
        async with self._changed:
            self._changed.notify_all()

    async def _take(self, message: pb.ServerMessage) -> None:
        if message.HasField("answer"):
            asked = self._asked.pop(message.answer.call, None)
            if asked is not None and not asked.done():
                asked.set_result(message.answer)
        elif message.HasField("ping"):
            if self._pongs:
                await self.transport.send([pb.ClientMessage(pong=pb.Pong(ping=message.ping.number))])
        elif message.HasField("table"):
            self.updates[message.table.table] = message.table
            if message.table.HasField("info"):
                self.infos[message.table.table] = message.table.info
            self.events.append(message)
        else:
            self.events.append(message)
