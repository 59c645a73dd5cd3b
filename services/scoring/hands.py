"""A hand of a game that is settled by the hand: what it changed is booked, what the next may cost is held."""

from collections.abc import Sequence

import asyncpg

from services.runtime.errors import id_reused, invalid, wrong_state
from services.scoring import holds, ledger
from services.scoring.holds import Hold
from services.scoring.ledger import Purpose
from services.scoring.shares import BadResultError, Shares, payouts


def unit(match: str, hand: int) -> str:
    """The unit of settlement of a hand, 1 for the first: the name of the facts that the ledger books."""
    return f"{match}/{hand}"


async def settle(
    pool: asyncpg.Pool,
    match: str,
    hand: int,
    shares: Shares,
    cover: Sequence[int],
    rules_version: int,
    actor: str,
) -> list[int]:
    """Books hand `hand` (`shares`: of all hands so far) and holds `cover` of each seat for the next.

    The seats that cannot cover it; nothing is held then but the pot. Idempotent by match and hand.
    WRONG_STATE: it is not the next hand, or the match is over; ID_REUSED: booked otherwise;
    INVALID_FIELD: it takes more of a seat than was held.
    """
    async with ledger.transaction(pool) as db:
        hold = await holds.lock(db, match)
        if hold is None or hold.state != "held":
            raise wrong_state(f"no stakes are held for {match}")
        if not len(shares.deltas) == len(cover) == len(hold.seats):
            raise invalid("gains", f"must be, as the covers, {len(hold.seats)}, one a seat")
        if hand == hold.hands:
            if shares != hold.shares or not (hold.missing or hold.held == list(cover)):
                raise id_reused(f"hand {hand} is settled otherwise", "hand")
            return hold.missing
        if hand != hold.hands + 1 or hold.missing:
            raise wrong_state(f"hand {hold.hands} was the last that was settled")
        accounts = await ledger.lock(db, hold.accounts, match)
        try:
            await pay(db, hold, shares, accounts, "settlement", unit(match, hand), rules_version, actor)
        except BadResultError as error:
            raise invalid("gains", str(error)) from error
        accounts = await ledger.lock(db, hold.accounts, match)
        missing = await holds.fill(db, match, unit(match, hand + 1), hold.seats, cover, accounts, actor)
        held = [0] * len(cover) if missing else list(cover)
        await db.execute(
            "UPDATE holds SET hands = $2, gains = $3, commission = $4, missing = $5, held = $6, put = $7, "
            "changed = now() WHERE unit = $1",
            match,
            hand,
            list(shares.deltas),
            shares.commission,
            missing,
            held,
            [old + new for old, new in zip(hold.put, held, strict=True)],
        )
    return missing


async def pay(
    db: asyncpg.Connection,
    hold: Hold,
    shares: Shares,
    accounts: ledger.Accounts,
    purpose: Purpose,
    fact: str,
    rules_version: int | None,
    actor: str,
) -> bool:
    """Pays out of the escrow, to each seat what is held of it and what it has won since the hand before, to
    the house its commission; whether there was anything to pay. BadResultError, and nothing is booked."""
    paid = payouts(hold.held, hold.shares, shares)
    amounts = {
        accounts["wallet", account].id: cents for account, cents in zip(hold.accounts, paid, strict=True)
    }
    amounts[ledger.HOUSE] = shares.commission - hold.shares.commission
    amounts[accounts["escrow", hold.match].id] = -sum(amounts.values())
    if not any(amounts.values()):
        return False
    await ledger.post(db, purpose, fact, amounts, actor=actor, match=hold.match, rules_version=rules_version)
    return True
