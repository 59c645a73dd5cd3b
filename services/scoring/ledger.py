"""The double-entry ledger: accounts, and transactions whose entries sum to zero (migrations/0001_ledger.sql).

A transaction is named by its purpose and the fact that it books, so the same fact is booked once. Whoever
posts has locked the accounts first, once, in id order: two transactions never wait for each other.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

import asyncpg

Kind = Literal["wallet", "escrow"]
Purpose = Literal["welcome", "stake", "settlement", "refund"]

CURRENCY = "PLAY"
HOUSE = 0
"""Number of the house's account: it issues the play money, owes what it gave out, and is never locked."""
WELCOME_CENTS = 100_000
"""What the house gives to an account at its first sight."""


@dataclass(frozen=True, slots=True)
class Account:
    """A locked account of the ledger; `balance` in cents, as it was when it was locked."""

    id: int
    balance: int


Accounts = Mapping[tuple[Kind, str], Account]
"""Locked accounts by kind and owner."""


@asynccontextmanager
async def transaction(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    """A database transaction; it waits at most three seconds for a lock (asyncpg.LockNotAvailableError)."""
    async with pool.acquire() as connection, connection.transaction():
        yield connection


async def open_accounts(db: asyncpg.Connection, kind: Kind, owners: Iterable[str]) -> set[str]:
    """Makes the accounts that there are not yet; the owners whose account is new. Call it before any lock."""
    rows = await db.fetch(
        "INSERT INTO accounts (kind, owner) SELECT $1, owner FROM unnest($2::text[]) AS owner "
        "ON CONFLICT DO NOTHING RETURNING owner",
        kind,
        sorted(set(owners)),
    )
    return {row["owner"] for row in rows}


async def lock(db: asyncpg.Connection, wallets: Iterable[str], escrow: str | None = None) -> Accounts:
    """Locks these accounts until the transaction ends; those that there are, by kind and owner."""
    rows = await db.fetch(
        "SELECT id, kind, owner, balance FROM accounts WHERE currency = $1 AND ("
        "(kind = 'wallet' AND owner = ANY($2)) OR (kind = 'escrow' AND owner = $3)) "
        "ORDER BY id FOR UPDATE",
        CURRENCY,
        list(wallets),
        escrow,
    )
    return {(row["kind"], row["owner"]): Account(row["id"], row["balance"]) for row in rows}


async def balances(db: asyncpg.Connection, owners: Iterable[str]) -> dict[str, int]:
    """Cents in these wallets now."""
    rows = await db.fetch(
        "SELECT owner, balance FROM accounts WHERE kind = 'wallet' AND currency = $1 AND owner = ANY($2)",
        CURRENCY,
        list(owners),
    )
    return {row["owner"]: row["balance"] for row in rows}


async def post(
    db: asyncpg.Connection,
    purpose: Purpose,
    fact: str,
    amounts: Mapping[int, int],
    *,
    actor: str,
    match: str | None = None,
    rules_version: int | None = None,
) -> int:
    """Books a fact: `amounts` are cents by account id, + received, and sum to 0. The transaction's number.

    asyncpg.UniqueViolationError: the fact is booked already; asyncpg.CheckViolationError: a wallet or an
    escrow would go below zero. Nothing is booked then.
    """
    number: int = await db.fetchval(
        "INSERT INTO transactions (purpose, fact, match, rules_version, actor) "
        "VALUES ($1, $2, $3, $4, $5) RETURNING id",
        purpose,
        fact,
        match,
        rules_version,
        actor,
    )
    moved = {account: cents for account, cents in amounts.items() if cents}
    await db.execute(
        "INSERT INTO entries (transaction, account, amount) "
        "SELECT $1, * FROM unnest($2::bigint[], $3::bigint[])",
        number,
        list(moved),
        list(moved.values()),
    )
    return number


async def welcome(pool: asyncpg.Pool, owners: Iterable[str], actor: str) -> None:
    """Opens the wallets of accounts that are seen for the first time, each with the house's grant."""
    wanted = set(owners)
    known = await pool.fetchval(
        "SELECT count(*) FROM accounts WHERE kind = 'wallet' AND currency = $1 AND owner = ANY($2)",
        CURRENCY,
        list(wanted),
    )
    if known == len(wanted):
        return
    async with transaction(pool) as db:
        new = await open_accounts(db, "wallet", wanted)
        if not new:
            return
        for (_, owner), wallet in (await lock(db, new)).items():
            amounts = {HOUSE: -WELCOME_CENTS, wallet.id: WELCOME_CENTS}
            await post(db, "welcome", owner, amounts, actor=actor)
