"""The way in: one gateway, the services behind it, and signing in."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

import grpc
from tavolo.chat.v1.chat_pb2_grpc import ChatServiceStub
from tavolo.gateway.v1.gateway_pb2_grpc import GatewayServiceStub
from tavolo.lobby.v1.account_pb2 import (
    Account,
    RefreshRequest,
    RefreshResponse,
    SignInGuestRequest,
    SignInRequest,
    SignUpRequest,
    Tokens,
)
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceStub
from tavolo.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceStub

from services.client.errors import from_rpc
from services.client.session import Session

_OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 4 << 20),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)

KeepTokens = Callable[[Tokens], None]


class Gateway:
    """A gateway by its gRPC address, with the stubs of all that it passes on.

    `deadline_s` bounds every unary call, which waits so long for a connection too. Use it as a context
    manager, or close it.
    """

    def __init__(
        self, target: str, credentials: grpc.ChannelCredentials | None = None, deadline_s: float = 5.0
    ) -> None:
        self.target = target
        self.deadline_s = deadline_s
        if credentials is None:
            self.channel = grpc.aio.insecure_channel(target, options=_OPTIONS)
        else:
            self.channel = grpc.aio.secure_channel(target, credentials, options=_OPTIONS)
        self.connect = GatewayServiceStub(self.channel)
        self.accounts = AccountServiceStub(self.channel)
        self.lobby = LobbyServiceStub(self.channel)
        self.scoring = ScoringServiceStub(self.channel)
        self.chat = ChatServiceStub(self.channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self.channel.close()

    async def sign_in_guest(self, nickname: str, on_tokens: KeepTokens | None = None) -> Session:
        """A new guest. Refused: NICKNAME_TAKEN, NICKNAME_REFUSED and the common ones."""
        request = SignInGuestRequest(nickname=nickname)
        try:
            answer = await self.accounts.SignInGuest(request, timeout=self.deadline_s, wait_for_ready=True)
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
        return self._session(answer.account, answer.tokens, on_tokens)

    async def sign_up(self, nickname: str, password: str, on_tokens: KeepTokens | None = None) -> Session:
        """A new account with a password. Refused: as `sign_in_guest`."""
        request = SignUpRequest(nickname=nickname, password=password)
        try:
            answer = await self.accounts.SignUp(request, timeout=self.deadline_s, wait_for_ready=True)
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
        return self._session(answer.account, answer.tokens, on_tokens)

    async def sign_in(self, nickname: str, password: str, on_tokens: KeepTokens | None = None) -> Session:
        """An account that is there already. Refused: BAD_CREDENTIALS and the common ones."""
        request = SignInRequest(nickname=nickname, password=password)
        try:
            answer = await self.accounts.SignIn(request, timeout=self.deadline_s, wait_for_ready=True)
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
        return self._session(answer.account, answer.tokens, on_tokens)

    async def sign_in_again(self, refresh: str, on_tokens: KeepTokens | None = None) -> Session:
        """The account of a refresh token that was kept.

        Refused: UNAUTHENTICATED when it is used up or too old.
        """
        answer = await self._refresh(refresh)
        return self._session(answer.account, answer.tokens, on_tokens)

    def _session(self, account: Account, tokens: Tokens, on_tokens: KeepTokens | None) -> Session:
        """A refresh token works once, so who keeps the tokens is given every new pair."""

        async def renew(old: Tokens) -> Tokens:
            new = (await self._refresh(old.refresh)).tokens
            if on_tokens:
                on_tokens(new)
            return new

        if on_tokens:
            on_tokens(tokens)
        return Session(self, account, tokens, renew)

    async def _refresh(self, refresh: str) -> RefreshResponse:
        try:
            return await self.accounts.Refresh(
                RefreshRequest(refresh=refresh), timeout=self.deadline_s, wait_for_ready=True
            )
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
