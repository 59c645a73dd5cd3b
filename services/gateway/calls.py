"""Calls of the services behind the gateway: of clients over their connection (`Call`) or by gRPC, and of its
own.

A call goes on with the player's token, the request id and what is left of the deadline; errors come back as
the callee made them.
"""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import json_format
from tavolo.chat.v1.chat_pb2 import ListMessagesRequest, ListMessagesResponse, SayRequest
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.lobby.v1.lobby_pb2 import ROOM_STATE_PLAYING, GetSeatsRequest, GetSeatsResponse

from services.gateway import metrics
from services.gateway.forms import JSON
from services.gateway.limits import Buckets
from services.gateway.methods import CODECS, PARTS, PUBLIC, SIGN_IN, Codec, service_of
from services.runtime.auth import PLAYER_TOKEN_KEY
from services.runtime.errors import (
    from_rpc_error,
    invalid,
    not_found,
    not_permitted,
    rate_limited,
    unauthenticated,
)
from services.runtime.logs import logger

if TYPE_CHECKING:
    from services.gateway.session import Session

SEATS_LIMIT_S = 1.0
CALL_LIMIT_S = 5.0

# Tells the callee whose address it is that a call counts for (the lobby limits new accounts by it).
FORWARDED_FOR_KEY = "x-forwarded-for"

_CHAT = "/tavolo.chat.v1.ChatService/"
_LIST_MESSAGES = f"{_CHAT}ListMessages"
_SAY = f"{_CHAT}Say"
_GET_SEATS = "/tavolo.lobby.v1.LobbyService/GetSeats"

Metadata = Sequence[tuple[str, str | bytes]]


class Calls:
    """The services behind the gateway. `channels`: a channel for each part in methods.PARTS."""

    def __init__(self, channels: dict[str, Any], buckets: Buckets) -> None:
        self._channels = channels
        self._buckets = buckets
        self._methods: dict[str, Callable[..., Any]] = {}

    async def pass_on(
        self, method: str, request: bytes, metadata: Metadata, limit_s: float, *, wait: bool = True
    ) -> bytes:
        """Calls a method with a serialised request. Raises grpc.aio.AioRpcError as the callee made it.

        `wait`: for a part that is being restarted, within the limit; UNAVAILABLE when it did not come.
        """
        channel = self._channels[PARTS[service_of(method)]]
        call = self._methods.get(method)
        if call is None:
            call = self._methods[method] = channel.unary_unary(method)
        service = service_of(method).rpartition(".")[2]
        try:
            response: bytes = await call(request, timeout=limit_s, metadata=metadata, wait_for_ready=wait)
        except grpc.aio.AioRpcError as error:
            metrics.CALLS_PASSED.labels(service, error.code().name).inc()
            if (
                error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
                and channel.get_state() != grpc.ChannelConnectivity.READY
            ):
                raise _away(service) from error
            raise
        metrics.CALLS_PASSED.labels(service, "OK").inc()
        return response

    def within_limits(self, key: str) -> None:
        """Counts a call of an account or address. Raises RATE_LIMITED."""
        wait = self._buckets.take(key, time.monotonic())
        if wait:
            metrics.RATE_LIMITED.labels("calls").inc()
            raise rate_limited("too many calls", wait)

    async def call(self, session: "Session", rpc: pb.Call) -> pb.Answer:
        """Does a client's `Call`; the answer without its number. Raises TavoloError, the callee's own too."""
        method = rpc.method
        if method not in PUBLIC:
            if service_of(method) in PARTS:
                raise not_permitted("not a method that the gateway passes on")
            raise not_found("no such method", "method")
        if session.account is None and method not in SIGN_IN:
            raise unauthenticated("say hello first")
        self.within_limits(session.account.id if session.account else session.address)
        as_json = session.form is JSON
        codec = CODECS[method]
        request = _request_from_json(rpc.json, codec) if as_json else rpc.request
        try:
            metadata = (*_metadata(session.token), (FORWARDED_FOR_KEY, session.address))
            response = await self.pass_on(method, request, metadata, CALL_LIMIT_S)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        if method in (_LIST_MESSAGES, _SAY):
            chat_request = codec.request.FromString(request)
            if isinstance(chat_request, ListMessagesRequest | SayRequest):
                session.reads(chat_request.room)
        if not as_json:
            return pb.Answer(response=response)
        text = json_format.MessageToJson(
            codec.response.FromString(response), preserving_proto_field_name=True, indent=None
        )
        return pb.Answer(json=text)

    async def seats(self, token: str) -> list[str]:
        """The tables at which the account's matches run; none when the lobby cannot be asked now."""
        request = GetSeatsRequest().SerializeToString()
        try:
            # Nobody's welcome waits for a lobby that is away.
            response = await self.pass_on(_GET_SEATS, request, _metadata(token), SEATS_LIMIT_S, wait=False)
        except grpc.aio.AioRpcError as error:
            logger().warning("seats_not_known", code=error.code().name)
            return []
        return [
            table.id
            for table in GetSeatsResponse.FromString(response).tables
            if table.state == ROOM_STATE_PLAYING
        ]

    async def list_messages(self, token: str, request: ListMessagesRequest) -> ListMessagesResponse:
        """A page of a room's messages in the name of the token's account. Raises TavoloError."""
        try:
            response = await self.pass_on(
                _LIST_MESSAGES, request.SerializeToString(), _metadata(token), CALL_LIMIT_S
            )
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from error
        return ListMessagesResponse.FromString(response)


def _away(service: str) -> grpc.aio.AioRpcError:
    text = f"{service} is away; ask again"
    return grpc.aio.AioRpcError(
        grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), details=text
    )


def _request_from_json(text: str, codec: Codec) -> bytes:
    request = codec.request()
    try:
        json_format.Parse(text or "{}", request, max_recursion_depth=20)
    except json_format.ParseError as error:
        raise invalid("json", str(error)[:200]) from error
    return request.SerializeToString()


def _metadata(token: str) -> Metadata:
    return ((PLAYER_TOKEN_KEY, f"Bearer {token}"),) if token else ()
