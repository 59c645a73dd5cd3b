"""Reconciliation: what must hold of the whole ledger, counted by the database."""

from dataclasses import dataclass

import asyncpg


@dataclass(frozen=True, slots=True)
class Check:
    """Anything but 0 is wrong, save for `transactions`. See CheckLedgerResponse."""

    sum_cents: int
    open_escrows: int
    bad_settlements: int
    wrong_balances: int
    transactions: int

    @property
    def good(self) -> bool:
        """Nothing is wrong."""
        return not (self.sum_cents or self.open_escrows or self.bad_settlements or self.wrong_balances)


async def check(pool: asyncpg.Pool) -> Check:
    """Checks the whole ledger at one moment (one statement sees one state of the database)."""
    row = await pool.fetchrow(
        """
        WITH escrow AS (
            SELECT owner AS unit, balance FROM accounts WHERE kind = 'escrow'
        ), closing AS (
            SELECT match, count(*) AS closings FROM transactions
            WHERE purpose IN ('settlement', 'refund') GROUP BY match
        ), paid AS (
            SELECT transactions.match, accounts.owner, sum(entries.amount) AS cents
            FROM transactions JOIN entries ON entries.transaction = transactions.id
            JOIN accounts ON accounts.id = entries.account AND accounts.kind = 'wallet'
            WHERE transactions.purpose IN ('settlement', 'refund') GROUP BY transactions.match, accounts.owner
        ), wrongly_paid AS (
            SELECT DISTINCT matches.match FROM matches
            JOIN match_seats USING (match)
            LEFT JOIN paid ON paid.match = matches.match AND paid.owner = match_seats.account
            WHERE coalesce(paid.cents, 0)
                <> matches.put[match_seats.seat + 1] + matches.deltas[match_seats.seat + 1]
        )
        SELECT
            (SELECT coalesce(sum(amount), 0)::bigint FROM entries) AS sum_cents,
            (SELECT count(*) FROM escrow WHERE balance <> 0 AND (
                EXISTS (SELECT FROM matches WHERE match = unit)
                OR EXISTS (SELECT FROM holds WHERE holds.unit = escrow.unit AND state <> 'held'))
            ) AS open_escrows,
            (SELECT count(*) FROM matches LEFT JOIN closing USING (match)
             WHERE coalesce(closings, 0) <> settlements
             OR match IN (SELECT match FROM wrongly_paid)) AS bad_settlements,
            (SELECT count(*) FROM accounts WHERE kind <> 'house' AND balance <>
                coalesce((SELECT sum(amount) FROM entries WHERE account = accounts.id), 0)) AS wrong_balances,
            (SELECT count(*) FROM transactions) AS transactions
        """
    )
    return Check(**row)
