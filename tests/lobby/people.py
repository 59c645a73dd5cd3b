"""People at the lobby: one class a caller, short words for what they do."""

import itertools
import secrets
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from tavolo.common.v1.money_pb2 import Money
from tavolo.lobby.v1 import account_pb2, lobby_pb2
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceStub
from tavolo.lobby.v1.lobby_pb2_grpc import LobbyServiceStub

from services.runtime.errors import TavoloError, from_rpc_error

T = TypeVar("T")

_requests = itertools.count()


def nickname(prefix: str = "gio") -> str:
    """A nickname that no other test has and that looks like no other one."""
    return prefix + "".join(secrets.choice("abdegkptxz") for _ in range(12))


async def refusal(call: Any) -> TavoloError:
    """The error that a call ends with."""
    try:
        found = await call
    except grpc.aio.AioRpcError as error:
        return from_rpc_error(error)
    raise AssertionError(f"was not refused: {found}")


async def outcome(call: Awaitable[T]) -> T | int:
    """What a call gives, or the reason of its refusal."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        return from_rpc_error(error).reason


@dataclass
class Player:
    """A signed-in account and its stubs."""

    lobby: Any
    account: account_pb2.Account
    tokens: account_pb2.Tokens

    @property
    def id(self) -> str:
        return self.account.id

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.tokens.access}"),)

    async def open(self, request_id: str = "", **fields: Any) -> lobby_pb2.Table:
        request_id = request_id or f"r{next(_requests)}"
        if isinstance(fields.get("stake"), int):
            fields["stake"] = Money(cents=fields["stake"])
        request = lobby_pb2.OpenTableRequest(request_id=request_id, **{"game": "scopa", **fields})
        response = await self.lobby.OpenTable(request, metadata=self.metadata)
        found: lobby_pb2.Table = response.table
        return found

    async def join(self, table: str, seat: int | None = None) -> lobby_pb2.JoinTableResponse:
        request = lobby_pb2.JoinTableRequest(table=table, seat=seat)
        found: lobby_pb2.JoinTableResponse = await self.lobby.JoinTable(request, metadata=self.metadata)
        return found

    async def leave(self, table: str) -> None:
        await self.lobby.LeaveTable(lobby_pb2.LeaveTableRequest(table=table), metadata=self.metadata)

    async def add_computer(self, table: str) -> lobby_pb2.AddComputerResponse:
        request = lobby_pb2.AddComputerRequest(table=table)
        found: lobby_pb2.AddComputerResponse = await self.lobby.AddComputer(request, metadata=self.metadata)
        return found

    async def get(self, table: str) -> lobby_pb2.Table:
        response = await self.lobby.GetTable(lobby_pb2.GetTableRequest(table=table), metadata=self.metadata)
        found: lobby_pb2.Table = response.table
        return found

    async def tables(self, **fields: Any) -> lobby_pb2.ListTablesResponse:
        request = lobby_pb2.ListTablesRequest(**fields)
        found: lobby_pb2.ListTablesResponse = await self.lobby.ListTables(request, metadata=self.metadata)
        return found

    async def seats(self) -> list[str]:
        response = await self.lobby.GetSeats(lobby_pb2.GetSeatsRequest(), metadata=self.metadata)
        return [table.id for table in response.tables]

    async def is_in(self, table: str, state: str) -> bool:
        """Whether a table is in this state (`PLAYING`, ...) now."""
        return (await self.get(table)).state == lobby_pb2.RoomState.Value(f"ROOM_STATE_{state}")


class People:
    """Who comes to one lobby."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.accounts: Any = AccountServiceStub(channel)
        self.lobby: Any = LobbyServiceStub(channel)

    async def guest(self, name: str = "") -> Player:
        """A new guest."""
        request = account_pb2.SignInGuestRequest(nickname=name or nickname())
        response = await self.accounts.SignInGuest(request)
        return Player(self.lobby, response.account, response.tokens)

    async def sign_up(self, name: str, password: str) -> Player:
        """A new account."""
        response = await self.accounts.SignUp(account_pb2.SignUpRequest(nickname=name, password=password))
        return Player(self.lobby, response.account, response.tokens)

    async def sign_in(self, name: str, password: str) -> Player:
        """An old account."""
        response = await self.accounts.SignIn(account_pb2.SignInRequest(nickname=name, password=password))
        return Player(self.lobby, response.account, response.tokens)

    async def refresh(self, refresh: str) -> Player:
        """The same account with new tokens."""
        response = await self.accounts.Refresh(account_pb2.RefreshRequest(refresh=refresh))
        return Player(self.lobby, response.account, response.tokens)
