"""The gRPC server of every service: one interceptor for request ids, tokens, errors, metrics and logs;
health; reflection."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.runtime import metrics
from services.runtime.auth import (
    PLAYER_TOKEN_KEY,
    SERVICE_TOKEN_KEY,
    ServiceVerifier,
    TokenVerifier,
    bearer,
    set_callers,
)
from services.runtime.context import REQUEST_ID_KEY, begin_request, request_id
from services.runtime.db import TROUBLE
from services.runtime.errors import (
    STATUS_DETAILS_KEY,
    TavoloError,
    from_rpc_error,
    internal,
    status_details,
    unavailable,
)
from services.runtime.logs import logger

Context = Any  # grpc.aio.ServicerContext, likewise
Handler = Any  # grpc.RpcMethodHandler, whose stubs are generic and whose class is not
Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Handler]]


def make_server(
    players: TokenVerifier, services: ServiceVerifier | None, receive_bytes: int
) -> grpc.aio.Server:
    """A server that takes messages up to `receive_bytes`; add services, then `listen`, then start it."""
    return grpc.aio.server(
        interceptors=[CallInterceptor(players, services)],
        options=[
            ("grpc.max_receive_message_length", receive_bytes),
            ("grpc.max_metadata_size", 8 * 1024),
            ("grpc.so_reuseport", 0),
            # As at the other end (grpc_client.py): what is not read yet makes the writer wait.
            ("grpc.http2.bdp_probe", 0),
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.keepalive_permit_without_calls", 0),
            ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
        ],
    )


def listen(server: grpc.aio.Server, host: str, port: int, cert_file: str, key_file: str) -> int:
    """Binds the server (with TLS when a certificate is given); the port that it got. Raises OSError if it is
    taken."""
    address = f"{host}:{port}"
    try:
        if cert_file:
            pair = (Path(key_file).read_bytes(), Path(cert_file).read_bytes())
            return server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
        return server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(f"cannot listen on {address}") from error


def add_health(server: grpc.aio.Server) -> health.aio.HealthServicer:
    """The standard health service: name "" is alive, "ready" is readiness."""
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    return servicer


def add_reflection(server: grpc.aio.Server, names: list[str]) -> None:
    """gRPC reflection for the named services."""
    own = [reflection.SERVICE_NAME, health.SERVICE_NAME]
    reflection.enable_server_reflection([*names, *own], server)


def serving(holds: bool) -> int:
    """The health protocol's word for a condition."""
    status = health_pb2.HealthCheckResponse
    return status.SERVING if holds else status.NOT_SERVING


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps every handler, generic ones too: who calls, under which request id, and what an exception is
    answered as."""

    def __init__(self, players: TokenVerifier, services: ServiceVerifier | None) -> None:
        self._players = players
        self._services = services

    async def intercept_service(
        self, continuation: Continuation, details: grpc.HandlerCallDetails
    ) -> Handler | None:
        handler = await continuation(details)
        if handler is None:
            return None
        call = _Call(self, details.method.rpartition("/")[2], handler)
        codec = {
            "request_deserializer": handler.request_deserializer,
            "response_serializer": handler.response_serializer,
        }
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(call.answer_one, **codec)
        if handler.stream_unary:
            return grpc.stream_unary_rpc_method_handler(call.answer_one, **codec)
        if handler.unary_stream:
            return grpc.unary_stream_rpc_method_handler(call.answer_many, **codec)
        return grpc.stream_stream_rpc_method_handler(call.answer_many, **codec)

    async def identify(self, context: Context) -> None:
        """Binds the call's ids and callers to the task. Raises UNAUTHENTICATED for a token that proves
        nothing."""
        metadata: dict[str, Any] = dict(context.invocation_metadata() or ())
        begin_request(metadata.get(REQUEST_ID_KEY), context.time_remaining())
        set_callers(None, None)
        service_token = metadata.get(SERVICE_TOKEN_KEY)
        player_token = metadata.get(PLAYER_TOKEN_KEY)
        service = (
            self._services.verify(service_token) if service_token is not None and self._services else None
        )
        player = None if player_token is None else await self._players.verify(bearer(player_token))
        set_callers(player, service)


class _Call:
    """One method's handler, wrapped."""

    def __init__(self, interceptor: CallInterceptor, method: str, handler: Handler) -> None:
        self._interceptor = interceptor
        self._method = method
        self._one = handler.unary_unary or handler.stream_unary
        self._many = handler.unary_stream or handler.stream_stream
        self._seconds = metrics.CALL_SECONDS.labels(method)
        self._open = metrics.STREAMS_OPEN.labels(method)

    async def answer_one(self, request: Any, context: Context) -> Any:
        started = time.perf_counter()
        try:
            await self._interceptor.identify(context)
            response = await self._one(request, context)
        except Exception as error:  # noqa: BLE001 - the edge: each becomes a status, ours is logged
            await self._refuse(error, context)
        else:
            self._count(grpc.StatusCode.OK)
            return response
        finally:
            self._seconds.observe(time.perf_counter() - started)

    async def answer_many(self, request: Any, context: Context) -> AsyncIterator[Any]:
        self._open.inc()
        try:
            await self._interceptor.identify(context)
            async for response in self._many(request, context):
                yield response
        except Exception as error:  # noqa: BLE001 - the edge: each becomes a status, ours is logged
            await self._refuse(error, context)
        else:
            self._count(grpc.StatusCode.OK)
        finally:
            self._open.dec()

    async def _refuse(self, error: Exception, context: Context) -> None:
        """Ends the call with the status that the exception stands for; the library's own abort passes
        through."""
        if isinstance(error, grpc.aio.AbortError):
            self._count(context.code() or grpc.StatusCode.UNKNOWN)
            raise error
        refusal = self._translate(error)
        self._count(refusal.code)
        trailer = (STATUS_DETAILS_KEY, status_details(refusal, request_id()))
        await context.abort(refusal.code, refusal.text, (trailer,))

    def _translate(self, error: Exception) -> TavoloError:
        if isinstance(error, TavoloError):
            logger().debug("call_refused", method=self._method, reason=error.reason, text=error.text)
            return error
        if isinstance(error, grpc.aio.AioRpcError):
            return from_rpc_error(error)
        if isinstance(error, TROUBLE):
            # A database that is away or busy is no fault of ours: the caller may try again.
            logger().warning("database_trouble", method=self._method, error=repr(error))
            return unavailable("the database is away or busy")
        logger().error("call_failed", method=self._method, exc_info=error)
        return internal()

    def _count(self, code: Any) -> None:
        name = code.name if isinstance(code, grpc.StatusCode) else str(code)
        metrics.CALLS.labels(self._method, name).inc()
