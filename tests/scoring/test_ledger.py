"""The ledger refuses what must never be, whatever the code does: by direct SQL, races and repetition."""

import asyncio
import random

import asyncpg
import pytest
from tavolo.common.v1 import error_pb2

from services.runtime.errors import TavoloError
from services.runtime.ids import new_id
from services.scoring import ledger, reconcile, results, stakes, wallets
from services.scoring.holds import Staker
from tests.scoring import matches


def people(*accounts: str) -> list[Staker]:
    return [Staker(account, computer=False) for account in accounts]


async def balance(pool: asyncpg.Pool, account: str) -> int:
    return (await wallets.wallet(pool, account))[0]


async def booked(pool: asyncpg.Pool) -> int:
    """A ledger with two wallets and one escrow; the number of its last transaction."""
    accounts = matches.accounts(2)
    await stakes.hold(pool, new_id("mch"), people(*accounts), 100, "lobby")
    number: int = await pool.fetchval("SELECT max(id) FROM transactions")
    return number


async def check(pool: asyncpg.Pool) -> reconcile.Check:
    found = await reconcile.check(pool)
    assert found.good, found
    return found


# ------------------------------------------------------------------------------------- by direct SQL


async def insert(pool: asyncpg.Pool, number: int | None, *entries: tuple[str, int]) -> None:
    """Entries of a new transaction, or of one that is booked: amounts by the kind of some account."""
    async with pool.acquire() as db, db.transaction():
        if number is None:
            number = await db.fetchval(
                "INSERT INTO transactions (purpose, fact, actor) VALUES ('stake', 'x', 'test') RETURNING id"
            )
        for kind, amount in entries:
            await db.execute(
                "INSERT INTO entries (transaction, account, amount) "
                "SELECT $1, max(id), $3 FROM accounts WHERE kind = $2",
                number,
                kind,
                amount,
            )


async def test_entries_that_do_not_sum_to_zero_are_refused_at_the_commit(pool: asyncpg.Pool) -> None:
    await booked(pool)
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="does not sum to zero"):
        await insert(pool, None, ("wallet", -3), ("escrow", 5))
    await insert(pool, None, ("wallet", -3), ("escrow", 3))
    await check(pool)


async def test_a_transaction_without_entries_is_refused(pool: asyncpg.Pool) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="does not sum to zero"):
        await insert(pool, None)


async def test_nothing_is_added_to_a_transaction_that_is_booked(pool: asyncpg.Pool) -> None:
    welcome = await booked(pool) - 1
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="is booked"):
        await insert(pool, welcome, ("escrow", 7))
    await check(pool)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET amount = amount + 1",
        "DELETE FROM entries",
        "TRUNCATE entries",
        "UPDATE transactions SET purpose = 'refund'",
        "DELETE FROM transactions",
        "TRUNCATE transactions CASCADE",
        "UPDATE accounts SET balance = balance + 1",
        "UPDATE accounts SET owner = 'me'",
        "DELETE FROM accounts",
        "TRUNCATE accounts CASCADE",
        "INSERT INTO accounts (kind, owner, balance) VALUES ('wallet', 'me', 1000000)",
    ],
)
async def test_what_is_booked_is_never_changed(pool: asyncpg.Pool, statement: str) -> None:
    await booked(pool)
    with pytest.raises((asyncpg.IntegrityConstraintViolationError, asyncpg.InsufficientPrivilegeError)):
        await pool.execute(statement)
    await check(pool)


@pytest.mark.parametrize(("poor", "rich"), [("wallet", "escrow"), ("escrow", "wallet")])
async def test_no_wallet_and_no_escrow_goes_below_zero(pool: asyncpg.Pool, poor: str, rich: str) -> None:
    await booked(pool)
    with pytest.raises(asyncpg.CheckViolationError):
        await insert(pool, None, (poor, -200_000), (rich, 200_000))
    await check(pool)


async def test_a_fact_is_booked_once_and_an_escrow_closed_once(pool: asyncpg.Pool) -> None:
    await booked(pool)
    (wallet,) = await pool.fetch("SELECT id FROM accounts WHERE kind = 'wallet' LIMIT 1")
    amounts = {ledger.HOUSE: -5, wallet["id"]: 5}

    async def post(purpose: ledger.Purpose) -> None:
        async with ledger.transaction(pool) as db:
            await ledger.post(db, purpose, "a fact", amounts, actor="test")

    await post("settlement")
    for purpose in ("settlement", "refund"):
        with pytest.raises(asyncpg.UniqueViolationError):
            await post(purpose)
    await check(pool)


# -------------------------------------------------------------------------------------------- wallets


async def test_an_account_is_welcomed_once_however_often_it_is_seen(pool: asyncpg.Pool) -> None:
    accounts = matches.accounts(3)
    await asyncio.gather(*(ledger.welcome(pool, random.sample(accounts, 3), "test") for _ in range(16)))
    assert [await balance(pool, account) for account in accounts] == [100_000] * 3
    assert (await check(pool)).transactions == 3


# --------------------------------------------------------------------------------------------- stakes


async def test_a_hold_is_repeated_without_effect(pool: asyncpg.Pool) -> None:
    first, second = matches.accounts(2)
    match = new_id("mch")
    await asyncio.gather(*(stakes.hold(pool, match, people(first, second), 250, "lobby") for _ in range(8)))
    assert await wallets.wallet(pool, first) == (99_750, 250)
    assert await wallets.wallet(pool, second) == (99_750, 250)
    await check(pool)


async def test_a_hold_with_another_content_is_refused(pool: asyncpg.Pool) -> None:
    first, second, third = matches.accounts(3)
    match = new_id("mch")
    await stakes.hold(pool, match, people(first, second), 250, "lobby")
    for seats, stake in (
        (people(first, third), 250),
        (people(second, first), 250),
        (people(first, second), 251),
    ):
        with pytest.raises(TavoloError) as refused:
            await stakes.hold(pool, match, seats, stake, "lobby")
        assert refused.value.reason == error_pb2.ERROR_REASON_ID_REUSED
    await check(pool)


async def test_who_cannot_pay_is_named_and_nobody_pays(pool: asyncpg.Pool) -> None:
    rich, poor = matches.accounts(2)
    await stakes.hold(pool, new_id("mch"), people(poor), 99_950, "lobby")
    match = new_id("mch")
    with pytest.raises(TavoloError) as refused:
        await stakes.hold(pool, match, people(rich, poor), 100, "lobby")
    assert refused.value.reason == error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS
    assert refused.value.field == "seats[1]"
    assert await wallets.wallet(pool, rich) == (100_000, 0)
    await stakes.hold(pool, match, people(rich, *matches.accounts(1)), 100, "lobby")
    await check(pool)


async def test_money_for_one_of_two_racing_matches_is_spent_once(pool: asyncpg.Pool) -> None:
    account, *others = matches.accounts(5)
    tries = [stakes.hold(pool, new_id("mch"), people(other, account), 60_000, "lobby") for other in others]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    refused = [each for each in outcomes if isinstance(each, TavoloError)]
    assert outcomes.count(None) == 1
    assert {each.reason for each in refused} == {error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS}
    assert await wallets.wallet(pool, account) == (40_000, 60_000)
    await check(pool)


async def test_the_house_covers_what_a_computer_lacks(pool: asyncpg.Pool) -> None:
    person, computer = matches.accounts(2)
    await stakes.hold(pool, new_id("mch"), [Staker(person, False), Staker(computer, True)], 99_990, "lobby")
    await stakes.hold(pool, new_id("mch"), [Staker(computer, True)], 100, "lobby")
    assert await wallets.wallet(pool, computer) == (0, 100_090)
    owed = await pool.fetchval("SELECT sum(amount) FROM entries WHERE account = $1", ledger.HOUSE)
    assert owed == -2 * ledger.WELCOME_CENTS - 90
    await check(pool)


async def test_without_a_stake_nothing_is_booked(pool: asyncpg.Pool) -> None:
    accounts = matches.accounts(2)
    await stakes.hold(pool, new_id("mch"), people(*accounts), 0, "lobby")
    assert (await check(pool)).transactions == 2


async def test_a_match_that_never_began_gives_the_stakes_back_once(pool: asyncpg.Pool) -> None:
    first, second = matches.accounts(2)
    match = new_id("mch")
    await stakes.hold(pool, match, people(first, second), 250, "lobby")
    await asyncio.gather(*(stakes.release(pool, match, "lobby") for _ in range(8)))
    assert await wallets.wallet(pool, first) == (100_000, 0)
    entries, _ = await wallets.list_entries(pool, first, matches.first_page())
    assert [(entry.purpose, entry.amount.cents) for entry in entries] == [
        ("refund", 250), ("stake", -250), ("welcome", 100_000),
    ]  # fmt: skip
    await check(pool)


async def test_a_hold_that_arrives_after_its_release_holds_nothing(pool: asyncpg.Pool) -> None:
    account, match = new_id("ply"), new_id("mch")
    await stakes.release(pool, match, "lobby")
    with pytest.raises(TavoloError) as refused:
        await stakes.hold(pool, match, people(account), 100, "lobby")
    assert refused.value.reason == error_pb2.ERROR_REASON_WRONG_STATE
    assert await wallets.wallet(pool, account) == (100_000, 0)


async def test_a_settled_match_is_not_released(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2))
    await stakes.hold(pool, result.match, people(*(seat.account for seat in result.seats)), 100, "lobby")
    await results.handle(pool, result.SerializeToString())
    with pytest.raises(TavoloError) as refused:
        await stakes.release(pool, result.match, "lobby")
    assert refused.value.reason == error_pb2.ERROR_REASON_WRONG_STATE


# ------------------------------------------------------------------------------------------- together


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_happens_at_once_no_cent_is_made_or_lost(pool: asyncpg.Pool, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    accounts = matches.accounts(5)

    async def match() -> None:
        seats = rng.sample(accounts, 2)
        stake = rng.choice((0, 1, 99, 30_000, 70_000))
        result = matches.result(seats, winner=rng.choice((0, 1, None)), stake=stake)
        if rng.random() < 0.2:
            result = matches.void(seats, stake=stake)
        try:
            await stakes.hold(pool, result.match, people(*seats), stake, "lobby")
        except TavoloError as error:
            assert error.reason == error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS  # noqa: PT017
            return
        if rng.random() < 0.2:
            await stakes.release(pool, result.match, "lobby")
            return
        data = result.SerializeToString()
        handled = await asyncio.gather(*(results.handle(pool, data) for _ in range(rng.randint(1, 3))))
        assert sum(each.fresh for each in handled) == 1
        assert {each.alarm for each in handled} == {None}

    await asyncio.gather(*(match() for _ in range(25)))
    await check(pool)
    purses = [await wallets.wallet(pool, account) for account in accounts]
    assert sum(spendable for spendable, _ in purses) == 5 * ledger.WELCOME_CENTS
    assert all(spendable >= 0 and held == 0 for spendable, held in purses)
