"""What an account may see of the ledger: its balance, what is held, and its lines."""

import asyncpg
from tavolo.common.v1.money_pb2 import Money
from tavolo.common.v1.page_pb2 import PageInfo, PageRequest
from tavolo.scoring.v1.scoring_pb2 import Entry

from services.runtime import paging
from services.scoring import ledger
from services.scoring.archive import timestamp


def money(cents: int) -> Money:
    """An amount of play money."""
    return Money(cents=cents, currency=ledger.CURRENCY)


async def wallet(pool: asyncpg.Pool, account: str) -> tuple[int, int]:
    """Cents that can be spent, and cents in the escrow of running matches."""
    row = await pool.fetchrow(
        "SELECT balance, (SELECT coalesce(sum(held[array_position(accounts, $1)]), 0)::bigint "
        "FROM holds WHERE state = 'held' AND accounts @> ARRAY[$1]) AS held "
        "FROM accounts WHERE kind = 'wallet' AND owner = $1 AND currency = $2",
        account,
        ledger.CURRENCY,
    )
    return row["balance"], row["held"]


async def list_entries(pool: asyncpg.Pool, account: str, page: PageRequest) -> tuple[list[Entry], PageInfo]:
    """The lines of an account's wallet, the newest first."""
    listing = f"entries {account}"
    wanted, after = paging.size(page), paging.position(page, listing, [int])
    rows = await pool.fetch(
        "SELECT transaction, purpose, match, amount, created FROM entries "
        "JOIN transactions ON transactions.id = entries.transaction "
        "WHERE account = (SELECT id FROM accounts WHERE kind = 'wallet' AND owner = $1 AND currency = $2) "
        "AND ($3::bigint IS NULL OR transaction < $3) ORDER BY transaction DESC LIMIT $4",
        account,
        ledger.CURRENCY,
        after and after[0],
        wanted + 1,
    )
    shown, info = paging.cut(rows, wanted, listing, lambda row: [row["transaction"]])
    entries = [
        Entry(
            transaction=row["transaction"],
            purpose=row["purpose"],
            match=row["match"] or "",
            amount=money(row["amount"]),
            time=timestamp(row["created"]),
        )
        for row in shown
    ]
    return entries, info
