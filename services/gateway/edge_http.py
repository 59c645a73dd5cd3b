"""HTTP to the outside: the WebSocket, health, and what `/` says until the page exists."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable

from aiohttp import WSCloseCode, WSMsgType, web
from tavolo.gateway.v1 import gateway_pb2 as pb

from services.gateway.forms import JSON, PROTO
from services.gateway.hub import Hub
from services.gateway.limits import client_address
from services.gateway.session import Session
from services.gateway.welcome import how_to_play
from services.runtime.errors import TavoloError
from services.runtime.health import Health

MESSAGE_BYTES = 64 * 1024
# A message that is a little too large is answered with a goodbye; beyond this the reader ends it (1009).
_READER_BYTES = 4 * MESSAGE_BYTES
_FORMS = {"tavolo.v1.proto": PROTO, "tavolo.v1.json": JSON}
# What the kernel and the transport hold of a slow client's frames: stale views are better dropped than kept.
_SEND_BYTES = 64 * 1024
_CLOSE_S = 2.0

_CLOSE_CODES = {
    pb.CLOSE_REASON_GOING_AWAY: WSCloseCode.GOING_AWAY,
    pb.CLOSE_REASON_UNAUTHENTICATED: WSCloseCode.POLICY_VIOLATION,
    pb.CLOSE_REASON_BAD_MESSAGE: WSCloseCode.UNSUPPORTED_DATA,
    pb.CLOSE_REASON_RATE_LIMITED: WSCloseCode.POLICY_VIOLATION,
    pb.CLOSE_REASON_TOO_SLOW: WSCloseCode.TRY_AGAIN_LATER,
    pb.CLOSE_REASON_SILENT: WSCloseCode.TRY_AGAIN_LATER,
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HttpEdge:
    """The public HTTP server. `start`, then `stop`."""

    def __init__(self, hub: Hub, health: Health, grpc_address: str) -> None:
        self._hub = hub
        self._health = health
        self._grpc_address = grpc_address
        self._origins = frozenset(each.strip() for each in hub.settings.origins.split(",") if each.strip())
        self._served: set[asyncio.BaseProtocol] = set()
        app = web.Application(middlewares=[self._serve], client_max_size=MESSAGE_BYTES)
        app.router.add_get("/", self._root)
        app.router.add_get("/healthz", self._alive)
        app.router.add_get("/readyz", self._ready)
        app.router.add_get("/ws", self._websocket)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False)
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listens; the port. Raises OSError if it is taken."""
        await self._runner.setup()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, host, port, backlog=1024)
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def stop(self) -> None:
        """Stops listening and ends what is left."""
        if self._server is not None:
            self._server.close()
        await self._runner.cleanup()

    def _accept(self) -> asyncio.BaseProtocol:
        """A new TCP connection, which must ask for something in time."""
        server = self._runner.server
        assert server is not None  # noqa: S101 - set up before listening
        protocol = server()
        asyncio.get_running_loop().call_later(self._hub.settings.handshake_s, self._end_silent, protocol)
        return protocol

    def _end_silent(self, protocol: web.RequestHandler) -> None:
        if protocol in self._served:
            self._served.discard(protocol)
        elif protocol.transport is not None:
            protocol.transport.abort()

    @web.middleware
    async def _serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self._served.add(request.protocol)
        response = await handler(request)
        # One request a connection: a second one whose headers never end would escape the time limit.
        if not response.prepared:
            response.force_close()
        return response

    async def _root(self, request: web.Request) -> web.Response:
        return web.Response(text=how_to_play(request.host, self._grpc_address))

    async def _alive(self, _: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def _ready(self, _: web.Request) -> web.Response:
        reasons = self._health.reasons()
        return web.json_response({"ready": not reasons, "reasons": reasons}, status=503 if reasons else 200)

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is not None and "*" not in self._origins and origin not in self._origins:
            raise web.HTTPForbidden(text="this origin may not connect")
        ws = web.WebSocketResponse(
            protocols=tuple(_FORMS),
            compress=False,
            max_msg_size=_READER_BYTES,
            timeout=_CLOSE_S,
            writer_limit=0,
            decode_text=False,
        )
        form = _FORMS.get(ws.can_prepare(request).protocol or "")
        if form is None:
            raise web.HTTPBadRequest(
                text=f"a WebSocket with one of the sub-protocols {', '.join(_FORMS)} is needed"
            )
        transport = request.transport
        if transport is None:
            raise web.HTTPBadRequest
        address = client_address(
            request.remote or "", request.headers.get("X-Forwarded-For", ""), self._hub.settings.proxies
        )
        try:
            session = self._hub.open("websocket", form, address, transport.abort)
        except TavoloError as error:
            raise web.HTTPServiceUnavailable(text=error.text, headers={"Retry-After": "5"}) from error
        writer: asyncio.Task[None] | None = None
        try:
            _bound_buffers(transport)
            await ws.prepare(request)
            opcode = WSMsgType.BINARY if form is PROTO else WSMsgType.TEXT
            writer = asyncio.create_task(_write(session, ws, opcode), name=f"writer {session.id}")
            await _read(session, ws, opcode)
        finally:
            session.close()
            if writer is not None:
                await _end_writer(writer)
        return ws


async def _read(session: Session, ws: web.WebSocketResponse, opcode: WSMsgType) -> None:
    async for message in ws:
        read_at = time.monotonic()
        if message.type is not opcode:
            session.say_goodbye(
                pb.CLOSE_REASON_BAD_MESSAGE, "text belongs to tavolo.v1.json, binary to tavolo.v1.proto"
            )
        elif len(message.data) > MESSAGE_BYTES:
            session.say_goodbye(pb.CLOSE_REASON_BAD_MESSAGE, f"more than {MESSAGE_BYTES} bytes")
        else:
            await session.receive(message.data, read_at)


async def _write(session: Session, ws: web.WebSocketResponse, opcode: WSMsgType) -> None:
    try:
        while (frame := await session.outbox.next()) is not None:
            await ws.send_frame(frame, opcode)
        await ws.close(code=_CLOSE_CODES.get(session.goodbye, WSCloseCode.OK))
    except ConnectionError:
        return  # the client has gone; the reader sees it too


async def _end_writer(writer: asyncio.Task[None]) -> None:
    writer.cancel()
    await asyncio.wait({writer})


def _bound_buffers(transport: asyncio.Transport) -> None:
    transport.set_write_buffer_limits(high=_SEND_BYTES)
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
