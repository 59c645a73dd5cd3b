"""Stakes in escrow: held before a match, given back if it never begins. (What a result does: results.py.)"""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg
from tavolo.common.v1 import error_pb2

from services.runtime.errors import TavoloError, id_reused, wrong_state
from services.scoring import ledger


@dataclass(frozen=True, slots=True)
class Staker:
    """A seat's account. For a computer the house covers what its wallet lacks."""

    account: str
    computer: bool


async def hold(pool: asyncpg.Pool, match: str, seats: Sequence[Staker], stake: int, actor: str) -> None:
    """Moves `stake` cents of each seat into the escrow of a match: all seats or none. Idempotent by match.

    INSUFFICIENT_FUNDS: names the first seat that cannot pay; ID_REUSED: held before with another content;
    WRONG_STATE: given back, or settled, already.
    """
    accounts = [seat.account for seat in seats]
    await ledger.welcome(pool, accounts, actor)
    async with ledger.transaction(pool) as db:
        new = await db.fetchval(
            "INSERT INTO holds (unit, match, accounts, stake, state) VALUES ($1, $1, $2, $3, 'held') "
            "ON CONFLICT DO NOTHING RETURNING unit",
            match,
            accounts,
            stake,
        )
        if new is None:
            held = await db.fetchrow("SELECT accounts, stake, state FROM holds WHERE unit = $1", match)
            if held["state"] == "released":
                raise wrong_state(f"the stakes of {match} were given back")
            if (held["accounts"], held["stake"]) != (accounts, stake):
                raise id_reused(f"other stakes are held for {match}", "match")
        elif stake:
            await _into_escrow(db, match, seats, stake, actor)


async def _into_escrow(
    db: asyncpg.Connection, match: str, seats: Sequence[Staker], stake: int, actor: str
) -> None:
    await ledger.open_accounts(db, "escrow", [match])
    accounts = await ledger.lock(db, [seat.account for seat in seats], match)
    amounts = {accounts["escrow", match].id: stake * len(seats)}
    for number, seat in enumerate(seats):
        wallet = accounts["wallet", seat.account]
        paid = min(wallet.balance, stake)
        if paid < stake:
            if not seat.computer:
                raise TavoloError(
                    error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS,
                    f"the wallet holds {wallet.balance} cents, the stake is {stake}",
                    f"seats[{number}]",
                )
            amounts[ledger.HOUSE] = amounts.get(ledger.HOUSE, 0) - (stake - paid)
        amounts[wallet.id] = -paid
    await ledger.post(db, "stake", match, amounts, actor=actor, match=match)


async def release(pool: asyncpg.Pool, match: str, actor: str) -> None:
    """Gives the stakes of a match that never began back. Idempotent by match.

    A match that nothing is held for is marked as released: a hold that was sent before and arrives after
    comes too late. WRONG_STATE: it is settled already.
    """
    async with ledger.transaction(pool) as db:
        new = await db.fetchval(
            "INSERT INTO holds (unit, match, accounts, stake, state) VALUES ($1, $1, '{}', 0, 'released') "
            "ON CONFLICT DO NOTHING RETURNING unit",
            match,
        )
        if new is not None:
            return
        held = await db.fetchrow("SELECT accounts, stake, state FROM holds WHERE unit = $1 FOR UPDATE", match)
        if held["state"] == "settled":
            raise wrong_state(f"the match {match} is settled")
        if held["state"] == "released":
            return
        await db.execute("UPDATE holds SET state = 'released', changed = now() WHERE unit = $1", match)
        if held["stake"]:
            accounts = await ledger.lock(db, held["accounts"], match)
            amounts = {accounts["wallet", account].id: held["stake"] for account in held["accounts"]}
            amounts[accounts["escrow", match].id] = -held["stake"] * len(held["accounts"])
            await ledger.post(db, "refund", match, amounts, actor=actor, match=match)
