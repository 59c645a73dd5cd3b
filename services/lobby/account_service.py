"""AccountService: decode, authorise, do, encode."""

from typing import Any

import grpc
from tavolo.lobby.v1 import account_pb2 as pb
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceServicer

from services.lobby.accounts import Accounts
from services.lobby.keys import SigningKeys
from services.runtime.auth import caller, require_player, require_service

Context = grpc.aio.ServicerContext[Any, Any]

_FORWARDED_FOR = "x-forwarded-for"


class AccountRpc(AccountServiceServicer):
    """The RPCs of protos/tavolo/lobby/v1/account.proto."""

    def __init__(self, accounts: Accounts, keys: SigningKeys) -> None:
        self._accounts = accounts
        self._keys = keys

    async def SignUp(self, request: pb.SignUpRequest, context: Context) -> pb.SignUpResponse:  # noqa: N802
        account, tokens = await self._accounts.sign_up(request.nickname, request.password, _address(context))
        return pb.SignUpResponse(account=account, tokens=tokens)

    async def SignIn(self, request: pb.SignInRequest, context: Context) -> pb.SignInResponse:  # noqa: N802
        account, tokens = await self._accounts.sign_in(request.nickname, request.password)
        return pb.SignInResponse(account=account, tokens=tokens)

    async def SignInGuest(self, request: pb.SignInGuestRequest, context: Context) -> pb.SignInGuestResponse:  # noqa: N802
        account, tokens = await self._accounts.enter_guest(request.nickname, _address(context))
        return pb.SignInGuestResponse(account=account, tokens=tokens)

    async def KeepGuest(self, request: pb.KeepGuestRequest, context: Context) -> pb.KeepGuestResponse:  # noqa: N802
        account = await self._accounts.keep_guest(require_player().id, request.password)
        return pb.KeepGuestResponse(account=account)

    async def Refresh(self, request: pb.RefreshRequest, context: Context) -> pb.RefreshResponse:  # noqa: N802
        account, tokens = await self._accounts.refresh(request.refresh)
        return pb.RefreshResponse(account=account, tokens=tokens)

    async def SignInComputers(  # noqa: N802
        self, request: pb.SignInComputersRequest, context: Context
    ) -> pb.SignInComputersResponse:
        require_service("bots")
        signed_in = await self._accounts.computers()
        return pb.SignInComputersResponse(
            computers=[pb.ComputerSignIn(account=account, tokens=tokens) for account, tokens in signed_in]
        )

    async def GetMe(self, request: pb.GetMeRequest, context: Context) -> pb.GetMeResponse:  # noqa: N802
        return pb.GetMeResponse(account=await self._accounts.get(require_player().id))

    async def GetKeys(self, request: pb.GetKeysRequest, context: Context) -> pb.GetKeysResponse:  # noqa: N802
        return pb.GetKeysResponse(jwks=self._keys.jwks())


def _address(context: Context) -> str:
    """Whose address a sign-up counts for: the one that the gateway names, else that of the connection."""
    if caller().id == "gateway":
        for key, value in context.invocation_metadata() or ():
            if key == _FORWARDED_FOR and isinstance(value, str):
                return value
    return context.peer().rpartition(":")[0]
