"""gRPC to the outside: Connect, and the public services passed on byte for byte."""

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any
from urllib.parse import unquote

import grpc

from services.gateway.calls import CALL_LIMIT_S, FORWARDED_FOR_KEY, Calls
from services.gateway.forms import PROTO
from services.gateway.hub import Hub
from services.gateway.limits import client_address
from services.gateway.methods import PUBLIC, service_of
from services.gateway.session import Session
from services.runtime.auth import PLAYER_TOKEN_KEY, SERVICE_TOKEN_KEY, caller
from services.runtime.context import REQUEST_ID_KEY, request_id
from services.runtime.errors import not_permitted

SERVICE = "tavolo.gateway.v1.GatewayService"
LONGEST_CALL_S = 15.0
_PASSED_KEYS = frozenset({PLAYER_TOKEN_KEY, SERVICE_TOKEN_KEY, "traceparent", "tracestate"})

Context = Any  # grpc.aio.ServicerContext, whose stubs are generic and whose class is not
Handler = Any  # grpc.RpcMethodHandler, likewise


class ConnectEdge(grpc.GenericRpcHandler):
    """GatewayService: frames go out as the bytes that they are."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        if handler_call_details.method != f"/{SERVICE}/Connect":
            return None
        return grpc.stream_stream_rpc_method_handler(self.connect)

    async def connect(self, requests: AsyncIterable[bytes], context: Context) -> AsyncIterator[bytes]:
        """One client's connection. Raises UNAVAILABLE or RATE_LIMITED when it is not let in."""
        handling = asyncio.current_task()

        def cut() -> None:
            if handling is not None:
                handling.cancel()

        session = self._hub.open("grpc", PROTO, _address(context, self._hub.settings.proxies), cut)
        # A client that goes away while a frame is being written leaves this generator where it stands.
        context.add_done_callback(lambda _: session.close())
        reader = asyncio.create_task(_read(session, requests), name=f"reader {session.id}")
        try:
            while (frame := await session.outbox.next()) is not None:
                yield frame
        finally:
            reader.cancel()
            session.close()


async def _read(session: Session, requests: AsyncIterable[bytes]) -> None:
    try:
        async for data in requests:
            await session.receive(data, time.monotonic())
    finally:
        session.outbox.end()


class PassOn(grpc.GenericRpcHandler):
    """One public service. What the callee answers, status and details of errors too, comes back unchanged."""

    def __init__(self, service: str, calls: Calls, proxies: int) -> None:
        self._service = service
        self._calls = calls
        self._proxies = proxies

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        method = handler_call_details.method
        if service_of(method) != self._service:
            return None

        async def answer(request: bytes, context: Context) -> bytes:
            return await self._answer(method, request, context)

        return grpc.unary_unary_rpc_method_handler(answer)

    async def _answer(self, method: str, request: bytes, context: Context) -> bytes:
        metadata = [(key, value) for key, value in context.invocation_metadata() or () if key in _PASSED_KEYS]
        # A method that is for services goes on only with a proof of who asks, which the callee judges.
        if method not in PUBLIC and not any(key == SERVICE_TOKEN_KEY for key, _ in metadata):
            raise not_permitted("not a method that the gateway passes on")
        address = _address(context, self._proxies)
        self._calls.within_limits(caller().id or address)
        metadata += [(REQUEST_ID_KEY, request_id()), (FORWARDED_FOR_KEY, address)]
        left = context.time_remaining()
        limit_s = CALL_LIMIT_S if left is None else min(left, LONGEST_CALL_S)
        try:
            return await self._calls.pass_on(method, request, metadata, limit_s)
        except grpc.aio.AioRpcError as error:
            trailers = tuple(error.trailing_metadata() or ())
            await context.abort(error.code(), error.details() or "", trailers)
            raise


def _address(context: Context, proxies: int) -> str:
    """`ipv4:10.0.0.1:50000` -> `10.0.0.1`."""
    metadata = dict(context.invocation_metadata() or ())
    peer = unquote(context.peer()).partition(":")[2].rpartition(":")[0]
    return client_address(peer, str(metadata.get(FORWARDED_FOR_KEY, "")), proxies)
