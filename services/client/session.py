"""Somebody who is signed in: an account, its tokens, calls in its name."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import grpc
from google.protobuf.message import Message
from tavolo.lobby.v1.account_pb2 import Account, Tokens

from services.client.backoff import Backoff
from services.client.errors import from_rpc

if TYPE_CHECKING:
    from services.client.gateway import Gateway

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

RENEW_BEFORE_S = 60.0
TRIES = 4


Renew = Callable[[Tokens], Awaitable[Tokens]]


class Session:
    """An account that is signed in at a gateway.

    Renews its access token by itself, by `renew` (old -> new tokens).
    """

    def __init__(self, gateway: "Gateway", account: Account, tokens: Tokens, renew: Renew) -> None:
        self.gateway = gateway
        self.account = account
        self.tokens = tokens
        self._renew = renew
        self._renewing = asyncio.Lock()

    @property
    def renew_in_s(self) -> float:
        """Seconds until the access token should be renewed; 0 when it should be now."""
        expires = self.tokens.access_expires
        return max(0.0, expires.seconds + expires.nanos / 1e9 - RENEW_BEFORE_S - time.time())

    async def access(self, *, renew: bool = False) -> str:
        """An access token that is good for a while.

        With `renew` a new one in any case. Refused: signed out.
        """
        stale = self.tokens.access
        if not renew and self.renew_in_s > 0:
            return stale
        async with self._renewing:
            if self.tokens.access == stale:
                self.tokens = await self._renew(self.tokens)
        return self.tokens.access

    async def call(
        self, method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]", request: Request
    ) -> Response:
        """Calls a method of a service behind the gateway in the account's name.

        `call(gateway.lobby.ListGames, …)`. Asks again a few times while a part of the platform is away; the
        public methods are idempotent. Refused: the platform's typed error.
        """
        backoff = Backoff()
        for last in (False,) * (TRIES - 1) + (True,):
            metadata = (("authorization", f"Bearer {await self.access()}"),)
            try:
                return await method(
                    request, timeout=self.gateway.deadline_s, metadata=metadata, wait_for_ready=True
                )
            except grpc.aio.AioRpcError as error:
                refused = from_rpc(error)
                if last or not refused.passes:
                    raise refused from error
            await asyncio.sleep(backoff.wait_s(refused.wait_s))
        raise AssertionError("the last try returns or raises")
