"""The computer players of the house: signs all of them in and keeps each one playing."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import grpc
from tavolo.lobby.v1.account_pb2 import Account, SignInComputersRequest, Tokens

from services.bots.player import Player
from services.bots.seat import Habits
from services.client import Gateway, Refused, Session
from services.client.backoff import Backoff
from services.client.errors import from_rpc
from services.runtime.health import Health
from services.runtime.logs import logger

if TYPE_CHECKING:
    from tavolo.lobby.v1.account_pb2_grpc import AccountServiceAsyncStub


class Roster:
    """`accounts` is a stub on a channel that carries this service's own token.

    Computer players have no passwords.
    """

    def __init__(
        self, gateway: Gateway, accounts: "AccountServiceAsyncStub", habits: Habits, health: Health
    ) -> None:
        self._gateway = gateway
        self._accounts = accounts
        self._habits = habits
        self._health = health
        self._tokens: dict[str, Tokens] = {}
        self._signing_in = asyncio.Lock()
        self.players: list[Player] = []
        health.set("sign_in", False, "the computers have not signed in yet")

    async def run(self) -> None:
        """Plays until it is cancelled; waits for the gateway and the lobby as long as it takes."""
        accounts = await self._first_sign_in()
        async with asyncio.TaskGroup() as work:
            for account in accounts:
                session = Session(
                    self._gateway, account, self._tokens[account.id], partial(self._renew, account.id)
                )
                player = Player(session, self._habits)
                self.players.append(player)
                work.create_task(player.run())
            logger().info("computers_signed_in", players=len(accounts))

    async def _first_sign_in(self) -> list[Account]:
        backoff = Backoff()
        while True:
            try:
                accounts = await self._sign_in()
            except Refused as refused:
                self._health.set("sign_in", False, f"cannot sign the computers in: {refused.text}")
            else:
                self._health.set("sign_in", True)
                return accounts
            await asyncio.sleep(backoff.wait_s())

    async def _sign_in(self) -> list[Account]:
        try:
            answer = await self._accounts.SignInComputers(SignInComputersRequest())
        except grpc.aio.AioRpcError as error:
            raise from_rpc(error) from error
        self._tokens = {each.account.id: each.tokens for each in answer.computers}
        return [each.account for each in answer.computers]

    async def _renew(self, account: str, old: Tokens) -> Tokens:
        """One call renews the tokens of all: whoever asks first."""
        async with self._signing_in:
            if self._tokens[account] == old:
                await self._sign_in()
            return self._tokens[account]
