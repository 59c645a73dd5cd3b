"""Stakes in escrow: held before a match, raised in it, given back if it never begins.

(What a hand does: hands.py; what a result does: results.py.)
"""

from collections.abc import Sequence

import asyncpg
from tavolo.common.v1 import error_pb2

from services.runtime.errors import TavoloError, id_reused, wrong_state
from services.scoring import hands, holds, ledger
from services.scoring.holds import Staker
from services.scoring.shares import with_pot


async def hold(pool: asyncpg.Pool, match: str, seats: Sequence[Staker], stake: int, actor: str) -> None:
    """Moves `stake` cents of each seat into the escrow of a match: all seats or none. Idempotent by match.

    INSUFFICIENT_FUNDS: names the first seat that cannot pay; ID_REUSED: held before with another content;
    WRONG_STATE: given back, or settled, already.
    """
    accounts = [seat.account for seat in seats]
    await ledger.welcome(pool, accounts, actor)
    async with ledger.transaction(pool) as db:
        new = await db.fetchval(
            "INSERT INTO holds (unit, match, accounts, computers, stake, held, put, gains, state) "
            "VALUES ($1, $1, $2, $3, $4, $5, $5, $6, 'held') ON CONFLICT DO NOTHING RETURNING unit",
            match,
            accounts,
            [seat.computer for seat in seats],
            stake,
            [stake] * len(seats),
            [0] * len(seats),
        )
        if new is None:
            there = await db.fetchrow("SELECT accounts, stake, state FROM holds WHERE unit = $1", match)
            if there["state"] == "released":
                raise wrong_state(f"the stakes of {match} were given back")
            if (there["accounts"], there["stake"]) != (accounts, stake):
                raise id_reused(f"other stakes are held for {match}", "match")
        elif stake:
            await ledger.open_accounts(db, "escrow", [match])
            locked = await ledger.lock(db, accounts, match)
            missing = await holds.fill(db, match, match, seats, [stake] * len(seats), locked, actor)
            _require_none(missing, stake)


async def raise_to(pool: asyncpg.Pool, match: str, stake: int, actor: str) -> None:
    """Raises what is held of each seat to at least this: all seats or none. Idempotent.

    INSUFFICIENT_FUNDS: names the first seat that cannot pay; WRONG_STATE: nothing is held for this match.
    """
    async with ledger.transaction(pool) as db:
        there = await holds.lock(db, match)
        if there is None or there.state != "held":
            raise wrong_state(f"no stakes are held for {match}")
        more = [max(0, stake - cents) for cents in there.held]
        locked = await ledger.lock(db, there.accounts, match)
        missing = await holds.fill(db, match, f"{match}/to-{stake}", there.seats, more, locked, actor)
        _require_none(missing, stake)
        await db.execute(
            "UPDATE holds SET held = $2, put = $3, changed = now() WHERE unit = $1",
            match,
            _sums(there.held, more),
            _sums(there.put, more),
        )


def _require_none(missing: list[int], stake: int) -> None:
    if missing:
        raise TavoloError(
            error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS,
            f"the wallet does not cover the stake of {stake} cents",
            f"seats[{missing[0]}]",
        )


def _sums(cents: Sequence[int], more: Sequence[int]) -> list[int]:
    return [one + other for one, other in zip(cents, more, strict=True)]


async def release(pool: asyncpg.Pool, match: str, actor: str) -> None:
    """Gives what is in escrow of a match back: it never began, or cannot go on. Idempotent by match.

    Hands that are settled stay so; a pot is given back in equal parts. A match that nothing is held for is
    marked as released: a hold that was sent before and arrives after comes too late. WRONG_STATE: it is
    settled already.
    """
    async with ledger.transaction(pool) as db:
        new = await db.fetchval(
            "INSERT INTO holds (unit, match, accounts, stake, state) VALUES ($1, $1, '{}', 0, 'released') "
            "ON CONFLICT DO NOTHING RETURNING unit",
            match,
        )
        there = await holds.lock(db, match)
        if new is not None or there is None or there.state == "released":
            return
        if there.state == "settled":
            raise wrong_state(f"the match {match} is settled")
        await db.execute(
            "UPDATE holds SET state = 'released', held = $2, changed = now() WHERE unit = $1",
            match,
            [0] * len(there.held),
        )
        if there.stake:
            accounts = await ledger.lock(db, there.accounts, match)
            fact = hands.unit(match, there.hands + 1) if there.hands else match
            await hands.pay(db, there, with_pot(there.shares), accounts, "refund", fact, None, actor)
