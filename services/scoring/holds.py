"""What is in escrow of a match, as a row (migrations/0001_ledger.sql, 0003_hands.sql)."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from services.scoring import ledger
from services.scoring.shares import Shares


@dataclass(frozen=True, slots=True)
class Staker:
    """A seat's account. For a computer the house covers what its wallet lacks."""

    account: str
    computer: bool


@dataclass(frozen=True, slots=True)
class Hold:
    """`stake`: what each seat put in first; `held`: what is held of each now; `put`: all that was put in for
    each; `shares`: of the `hands` that are settled; `missing`: the seats that could not cover the next."""

    match: str
    seats: tuple[Staker, ...]
    stake: int
    state: str
    held: list[int]
    put: list[int]
    shares: Shares
    hands: int
    missing: list[int]

    @property
    def accounts(self) -> list[str]:
        return [seat.account for seat in self.seats]


async def lock(db: asyncpg.Connection, match: str) -> Hold | None:
    """The hold of a match, which nobody else changes until the transaction ends; None: there is none."""
    row = await db.fetchrow("SELECT * FROM holds WHERE unit = $1 FOR UPDATE", match)
    if row is None:
        return None
    return Hold(
        match=match,
        seats=tuple(map(Staker, row["accounts"], row["computers"])),
        stake=row["stake"],
        state=row["state"],
        held=row["held"],
        put=row["put"],
        shares=Shares(tuple(row["gains"]), row["commission"]),
        hands=row["hands"],
        missing=row["missing"],
    )


async def fill(
    db: asyncpg.Connection,
    match: str,
    fact: str,
    seats: Sequence[Staker],
    wanted: Sequence[int],
    accounts: ledger.Accounts,
    actor: str,
) -> list[int]:
    """Moves these cents of each seat from its wallet into the escrow; `accounts` are locked.

    All seats or none: the seats that cannot pay, and then nothing is moved.
    """
    balances = [accounts["wallet", seat.account].balance for seat in seats]
    both = list(zip(seats, balances, wanted, strict=True))
    missing = [number for number, (seat, has, cents) in enumerate(both) if has < cents and not seat.computer]
    if missing or not any(wanted):
        return missing
    amounts = {accounts["escrow", match].id: sum(wanted), ledger.HOUSE: 0}
    for seat, has, cents in both:
        paid = min(has, cents)
        amounts[accounts["wallet", seat.account].id] = -paid
        amounts[ledger.HOUSE] -= cents - paid
    await ledger.post(db, "stake", fact, amounts, actor=actor, match=match)
    return missing
