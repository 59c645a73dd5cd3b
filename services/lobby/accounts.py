"""Accounts: people with a password, guests without, computer players of the house."""

from typing import Literal

import asyncpg
from tavolo.common.v1 import error_pb2
from tavolo.lobby.v1 import account_pb2

from services.lobby import nicknames
from services.lobby.limits import Limit, Limits
from services.lobby.metrics import SIGN_INS
from services.lobby.passwords import Passwords
from services.lobby.tokens import Identity, Tokens
from services.runtime.errors import TavoloError, not_found, unauthenticated, wrong_state
from services.runtime.ids import new_id
from services.runtime.logs import logger

Entered = tuple[account_pb2.Account, account_pb2.Tokens]

# A guest whose last session has ended is gone: its nickname is free again, unless it still sits somewhere.
_FREE_NICKNAMES = """
DELETE FROM nickname_keys WHERE account IN (
    SELECT a.id FROM nickname_keys k JOIN accounts a ON a.id = k.account
    WHERE k.key = any($1) AND a.kind = 'guest'
      AND NOT EXISTS (SELECT FROM sessions WHERE account = a.id AND expires > now())
      AND NOT EXISTS (SELECT FROM seats WHERE account = a.id AND live))
"""


class Accounts:
    """What AccountService does, on the database."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        tokens: Tokens,
        passwords: Passwords,
        limits: Limits,
        sign_ups: Limit,
        sign_ins: Limit,
    ) -> None:
        self._pool = pool
        self._tokens = tokens
        self._passwords = passwords
        self._limits = limits
        self._sign_ups = sign_ups
        self._sign_ins = sign_ins

    async def sign_up(self, nickname: str, password: str, address: str) -> Entered:
        """A new account. Raises NICKNAME_REFUSED, NICKNAME_TAKEN, INVALID_FIELD (password), RATE_LIMITED (by
        address).
        """
        name = nicknames.read(nickname)
        await self._limits.take(self._sign_ups, address)
        return await self._create(name, "person", await self._passwords.hash(password))

    async def enter_guest(self, nickname: str, address: str) -> Entered:
        """A new guest. Raises NICKNAME_REFUSED, NICKNAME_TAKEN, RATE_LIMITED (by address)."""
        name = nicknames.read(nickname)
        await self._limits.take(self._sign_ups, address)
        return await self._create(name, "guest", None)

    async def sign_in(self, nickname: str, password: str) -> Entered:
        """An old account. Raises BAD_CREDENTIALS, whatever is wrong, and RATE_LIMITED (by nickname)."""
        key = nicknames.key(nickname)
        await self._limits.take(self._sign_ins, key)
        row = await self._pool.fetchrow(
            "SELECT * FROM accounts WHERE id = (SELECT account FROM nickname_keys WHERE key = $1)",
            key,
        )
        stored = row["password_hash"] if row else None
        if not await self._passwords.check(password, stored) or row is None:
            SIGN_INS.labels("password", "refused").inc()
            raise TavoloError(error_pb2.ERROR_REASON_BAD_CREDENTIALS, "nickname or password is wrong")
        await self._limits.refill(self._sign_ins, key)
        if stored is not None and self._passwords.is_outdated(stored):
            fresh = await self._passwords.hash(password)
            await self._pool.execute("UPDATE accounts SET password_hash = $2 WHERE id = $1", row["id"], fresh)
        async with self._pool.acquire() as connection, connection.transaction():
            tokens = await self._tokens.begin(connection, _identity(row))
        SIGN_INS.labels("password", "accepted").inc()
        return _account(row), tokens

    async def keep_guest(self, account: str, password: str) -> account_pb2.Account:
        """Gives a guest a password. Raises WRONG_STATE for who has one, INVALID_FIELD (password)."""
        hashed = await self._passwords.hash(password)
        row = await self._pool.fetchrow(
            "UPDATE accounts SET kind = 'person', password_hash = $2 WHERE id = $1 AND kind = 'guest'"
            " AND EXISTS (SELECT FROM nickname_keys WHERE account = $1) RETURNING *",
            account,
            hashed,
        )
        if row is None:
            raise wrong_state("only a guest can be given a password")
        return _account(row)

    async def refresh(self, refresh: str) -> Entered:
        """New tokens. Raises UNAUTHENTICATED; a token that is used twice ends all sessions of its account."""
        try:
            account, session, secret = await self._tokens.rotate(refresh)
        except TavoloError:
            SIGN_INS.labels("refresh", "refused").inc()
            raise
        row = await self._pool.fetchrow("SELECT * FROM accounts WHERE id = $1", account)
        if row is None:
            raise unauthenticated("the account is gone")
        SIGN_INS.labels("refresh", "accepted").inc()
        return _account(row), self._tokens.renewed(_identity(row), session, secret)

    async def computers(self) -> list[Entered]:
        """Every computer player with an access token, by nickname."""
        rows = await self._pool.fetch("SELECT * FROM accounts WHERE kind = 'computer' ORDER BY nickname")
        return [(_account(row), self._tokens.access(_identity(row))) for row in rows]

    async def get(self, account: str) -> account_pb2.Account:
        """One account. Raises NOT_FOUND."""
        row = await self._pool.fetchrow("SELECT * FROM accounts WHERE id = $1", account)
        if row is None:
            raise not_found("no such account")
        return _account(row)

    async def _create(
        self, name: str, kind: Literal["person", "guest"], password_hash: str | None
    ) -> Entered:
        async with self._pool.acquire() as connection:
            try:
                async with connection.transaction():
                    row = await _insert(connection, new_id("ply"), name, kind, password_hash)
                    tokens = await self._tokens.begin(connection, _identity(row))
            except asyncpg.UniqueViolationError as error:
                SIGN_INS.labels(kind, "refused").inc()
                raise nicknames.taken() from error
        SIGN_INS.labels(kind, "accepted").inc()
        logger().info("account_created", player=row["id"], kind=kind)
        return _account(row), tokens


async def seed_computers(pool: asyncpg.Pool, computers: dict[str, str]) -> None:
    """Makes the accounts of the house's computer players (id -> nickname) where they are missing."""
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(hashtext('lobby computers'))")
        known = {
            row["id"] for row in await connection.fetch("SELECT id FROM accounts WHERE kind = 'computer'")
        }
        for account, nickname in computers.items():
            if account not in known:
                await _insert(connection, account, nickname, "computer", None)


async def _insert(
    connection: asyncpg.Connection, account: str, name: str, kind: str, password_hash: str | None
) -> asyncpg.Record:
    """Raises UniqueViolationError when somebody has a nickname that looks like it."""
    keys = nicknames.keys(name)
    await connection.execute(_FREE_NICKNAMES, keys)
    row = await connection.fetchrow(
        "INSERT INTO accounts (id, nickname, kind, password_hash) VALUES ($1, $2, $3, $4) RETURNING *",
        account, name, kind, password_hash,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO nickname_keys (key, account) SELECT unnest($1::text[]), $2", keys, account
    )
    return row


def _identity(row: asyncpg.Record) -> Identity:
    return Identity(row["id"], row["nickname"], row["kind"], tuple(row["roles"]))


def _account(row: asyncpg.Record) -> account_pb2.Account:
    kind = row["kind"]
    made = account_pb2.Account(
        id=row["id"], nickname=row["nickname"], guest=kind == "guest", computer=kind == "computer"
    )
    made.created.FromDatetime(row["created"])
    return made
