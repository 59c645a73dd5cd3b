"""A result settles once, rates, is archived and told of; what is wrong with one makes no money."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import asyncpg
import pytest
from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1.gateway_pb2 import Notice
from tavolo.table.v1.result_pb2 import MatchResult

from services.runtime.errors import TavoloError
from services.runtime.messages import StoredMessage
from services.scoring import archive, leaderboard, ledger, reconcile, results, stakes, wallets
from services.scoring.consume import Results
from services.scoring.holds import Staker
from services.scoring.results import Alarm
from services.scoring.shares import BadResultError
from tests.scoring import matches


async def hold(pool: asyncpg.Pool, result: MatchResult) -> None:
    seats = [Staker(seat.account, seat.computer) for seat in result.seats]
    await stakes.hold(pool, result.match, seats, result.stake.cents, "lobby")


async def handle(pool: asyncpg.Pool, result: MatchResult) -> results.Handled:
    return await results.handle(pool, result.SerializeToString())


async def balances(pool: asyncpg.Pool, result: MatchResult) -> list[int]:
    return [(await wallets.wallet(pool, seat.account))[0] for seat in result.seats]


async def notices(pool: asyncpg.Pool) -> dict[str, Any]:
    rows = await pool.fetch("SELECT account, message_id, notice FROM outbox ORDER BY id")
    return {
        row["account"]: (row["message_id"], Notice.FromString(row["notice"]).match_settled) for row in rows
    }


async def test_the_winner_gets_the_stake_of_the_loser(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2), winner=1, stake=300)
    await hold(pool, result)
    assert (await handle(pool, result)) == results.Handled(result.match, True, False, None)
    assert await balances(pool, result) == [99_700, 100_300]
    archived = await archive.fetch(pool, result.match, with_sealed=False)
    assert list(archived.delta_cents) == [-300, 300]
    assert len(archived.settlement_transactions) == 1
    assert archived.result == result
    assert (archived.points.diff, list(archived.points.vp), list(archived.points.mp)) == (0, [10, 10], [0, 0])
    assert (await reconcile.check(pool)).good


async def test_partners_share_what_the_others_lose_to_the_cent(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(4), winner=0, stake=101)
    await hold(pool, result)
    await handle(pool, result)
    assert await balances(pool, result) == [100_101, 99_899, 100_101, 99_899]


@pytest.mark.parametrize(
    "make", [lambda seats: matches.result(seats, winner=None, scores=(6, 6)), matches.void]
)
async def test_a_draw_and_a_void_match_give_all_back(
    pool: asyncpg.Pool, make: Callable[[list[str]], MatchResult]
) -> None:
    result = make(matches.accounts(2))
    await hold(pool, result)
    await handle(pool, result)
    assert await balances(pool, result) == [100_000, 100_000]
    archived = await archive.fetch(pool, result.match, with_sealed=False)
    assert list(archived.delta_cents) == [0, 0]
    assert len(archived.settlement_transactions) == 1
    assert (await reconcile.check(pool)).good


async def test_a_void_match_has_no_points_and_is_not_rated(pool: asyncpg.Pool) -> None:
    result = matches.void(matches.accounts(2))
    await hold(pool, result)
    await handle(pool, result)
    assert not (await archive.fetch(pool, result.match, with_sealed=False)).HasField("points")
    assert await leaderboard.standings(pool, "scopa", matches.first_page()) == ([], matches.no_page())
    for _, settled in (await notices(pool)).values():
        assert not settled.HasField("victory_points")


async def test_a_settlement_that_the_game_computed_is_booked_as_it_is(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2), stake=500)
    result.settlement = json.dumps({"amount": 120, "commission": 20, "delta": [100, -120]})
    await hold(pool, result)
    await handle(pool, result)
    assert await balances(pool, result) == [100_100, 99_880]
    assert await pool.fetchval("SELECT sum(amount) FROM entries WHERE account = 0") == 20 - 200_000
    assert (await reconcile.check(pool)).good


async def test_a_match_without_a_stake_is_rated_and_archived_too(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2), stake=0)
    assert (await handle(pool, result)).alarm is None
    archived = await archive.fetch(pool, result.match, with_sealed=False)
    assert list(archived.settlement_transactions) == []
    assert (await reconcile.check(pool)).good
    assert await balances(pool, result) == [100_000, 100_000]


async def test_a_result_that_arrives_again_and_at_once_pays_once(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2))
    await hold(pool, result)
    handled = await asyncio.gather(*(handle(pool, result) for _ in range(8)))
    assert sorted(each.fresh for each in handled) == [False] * 7 + [True]
    assert {each.alarm for each in handled} == {None}
    assert await balances(pool, result) == [100_100, 99_900]
    assert len(await notices(pool)) == 2
    standings, _ = await leaderboard.standings(pool, "scopa", matches.first_page())
    assert [one.matches for one in standings] == [1, 1]


async def test_every_account_is_told_the_line_of_its_ledger(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2), scores=(15, 3))
    await hold(pool, result)
    await handle(pool, result)
    told = await notices(pool)
    for seat, (delta, balance, vp, mp) in enumerate([(100, 100_100, 20, 12), (-100, 99_900, 0, -12)]):
        message_id, settled = told[result.seats[seat].account]
        assert message_id == f"settled:{result.match}:{result.seats[seat].account}"
        assert (settled.table, settled.match) == (result.table, result.match)
        assert (settled.delta_cents, settled.balance_cents) == (delta, balance)
        assert (settled.victory_points, settled.match_points) == (vp, mp)
    standings, _ = await leaderboard.standings(pool, "scopa", matches.first_page())
    assert {one.account: one.rating for one in standings} == {
        account: told[account][1].rating for account in told
    }


async def test_a_match_left_by_a_seat_gives_the_points_of_a_time_out(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2), winner=1, scores=(4, 12), ended_by="abandon")
    result.outcome.offender = 0
    await hold(pool, result)
    await handle(pool, result)
    archived = await archive.fetch(pool, result.match, with_sealed=False)
    assert (list(archived.points.vp), list(archived.points.mp)) == ([0, 18], [-10, 8])


async def test_who_leaves_while_the_others_are_level_does_not_play_for_nothing(pool: asyncpg.Pool) -> None:
    """CONVENTIONS.md, section 5: no side has won, the offender is last, the others share the first place."""
    result = matches.result(matches.accounts(4), winner=None, ended_by="abandon")
    result.game, result.options = "hearts", "{}"
    for side, seat in enumerate(result.seats):
        seat.side = side
    result.scores[:], result.outcome.places[:] = [36, 0, 0, 0], [4, 1, 1, 1]
    result.outcome.offender = 0
    await hold(pool, result)
    await handle(pool, result)
    archived = await archive.fetch(pool, result.match, with_sealed=False)
    assert list(archived.delta_cents) == [-100, 34, 33, 33]


# ------------------------------------------------------------------------------------------- ratings


async def test_who_wins_more_stands_higher_and_partners_are_rated_together(pool: asyncpg.Pool) -> None:
    seats = matches.accounts(4)
    for _ in range(3):
        await handle(pool, matches.result(seats, winner=0, stake=0, computers=(2,)))
    standings, _ = await leaderboard.standings(pool, "scopa", matches.first_page())
    by_account = {one.account: one for one in standings}
    winners, losers = [by_account[seats[n]] for n in (0, 2)], [by_account[seats[n]] for n in (1, 3)]
    assert {one.place for one in winners} == {1}
    assert {one.place for one in losers} == {3}
    assert [one.wins for one in winners] == [3, 3]
    assert [one.matches for one in losers] == [3, 3]
    assert min(one.rating for one in winners) > max(one.rating for one in losers)
    assert [one.computer for one in winners] == [False, True]


# --------------------------------------------------------------------------------------------- alarms


async def test_another_result_of_a_settled_match_is_an_alarm_and_changes_nothing(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2), winner=0)
    await hold(pool, result)
    await handle(pool, result)
    other = matches.result([seat.account for seat in result.seats], winner=1, match=result.match)
    assert (await handle(pool, other)).alarm is Alarm.DIFFERENT_RESULT
    assert await balances(pool, result) == [100_100, 99_900]
    assert (await archive.fetch(pool, result.match, with_sealed=False)).result == result


async def alarm_not_held(pool: asyncpg.Pool, result: MatchResult) -> None:
    await ledger.welcome(pool, [seat.account for seat in result.seats], "test")


async def alarm_held_otherwise(pool: asyncpg.Pool, result: MatchResult) -> None:
    changed = MatchResult()
    changed.CopyFrom(result)
    changed.stake.cents = 7
    await hold(pool, changed)


async def alarm_released(pool: asyncpg.Pool, result: MatchResult) -> None:
    await hold(pool, result)
    await stakes.release(pool, result.match, "lobby")


@pytest.mark.parametrize(
    ("before", "alarm", "left", "bad"),
    [
        (alarm_not_held, Alarm.NOT_HELD, 100_000, 1),
        (alarm_held_otherwise, Alarm.HELD_OTHERWISE, 99_993, 1),
        (alarm_released, Alarm.RELEASED, 100_000, 0),
    ],
)
async def test_no_money_is_made_of_a_stake_that_is_not_in_escrow_as_named(
    pool: asyncpg.Pool, before: Callable[..., Any], alarm: Alarm, left: int, bad: int
) -> None:
    result = matches.result(matches.accounts(2))
    await before(pool, result)
    handled = await handle(pool, result)
    assert (handled.fresh, handled.alarm) == (True, alarm)
    assert await balances(pool, result) == [left, left]
    archived = await archive.fetch(pool, result.match, with_sealed=False)
    assert list(archived.delta_cents) == [0, 0]
    found = await reconcile.check(pool)
    assert (found.sum_cents, found.wrong_balances, found.bad_settlements) == (0, 0, bad)
    assert found.open_escrows == (alarm is Alarm.HELD_OTHERWISE)


# ----------------------------------------------------------------------------------- what is no result


def change(**fields: Any) -> Callable[[MatchResult], None]:
    def apply(result: MatchResult) -> None:
        for name, value in fields.items():
            setattr(result, name, value)

    return apply


def same_account_twice(result: MatchResult) -> None:
    result.seats[1].account = result.seats[0].account


def seat_missing(result: MatchResult) -> None:
    del result.seats[1]


def wrong_side(result: MatchResult) -> None:
    result.seats[1].side = 0


def no_such_winner(result: MatchResult) -> None:
    result.outcome.winner = 5


def no_places(result: MatchResult) -> None:
    del result.outcome.places[:]


def account_with_a_wildcard(result: MatchResult) -> None:
    result.seats[0].account = "ply_>"


@pytest.mark.parametrize(
    "spoil",
    [
        change(game="tombola"), change(game="Broom"), change(options="{"), change(options='{"seats": 3}'),
        change(match=""), change(match="mch_*"), change(table="x"), change(settlement="{}"),
        change(settlement='{"delta": [1, 1]}'),
        same_account_twice, seat_missing, wrong_side, no_such_winner, no_places, account_with_a_wildcard,
    ],
)  # fmt: skip
async def test_what_is_no_result_is_refused_and_leaves_no_trace(
    pool: asyncpg.Pool, spoil: Callable[[MatchResult], None]
) -> None:
    result = matches.result(matches.accounts(2))
    await hold(pool, result)
    accounts = [seat.account for seat in result.seats]
    match = result.match
    spoil(result)
    with pytest.raises(BadResultError):
        await handle(pool, result)
    assert await pool.fetchval("SELECT count(*) FROM inbox") == 0
    assert [await wallets.wallet(pool, account) for account in accounts] == [(99_900, 100)] * 2
    assert await pool.fetchval("SELECT state FROM holds WHERE unit = $1", match) == "held"


async def test_bytes_that_are_no_message_are_refused(pool: asyncpg.Pool) -> None:
    for data in (b"", b"\xff" * 40):
        with pytest.raises(BadResultError):
            await results.handle(pool, data)


async def test_a_ledger_that_is_busy_is_no_fault_of_the_result(pool: asyncpg.Pool) -> None:
    result = matches.result(matches.accounts(2))
    await hold(pool, result)
    message = StoredMessage("tavolo.table.result.1.x", 1, result.SerializeToString(), {})
    handler = Results(pool, lambda: None)
    async with pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM accounts WHERE kind = 'wallet' FOR UPDATE")
        with pytest.raises(TavoloError) as refused:
            await handler.handle(message)
        assert refused.value.reason == error_pb2.ERROR_REASON_UNAVAILABLE
    await handler.handle(message)
    assert await balances(pool, result) == [100_100, 99_900]


# --------------------------------------------------------------------------------------------- archive


async def test_sealed_parts_of_the_archive_are_for_the_auditor(pool: asyncpg.Pool) -> None:
    result = matches.played(1, {"target": 3}, abandon_at=5)
    secret = result.hands[-1].moves[0]
    secret.move, secret.sealed_move, secret.key_id = "", b"sealed", "seal-1"
    await hold(pool, result)
    await handle(pool, result)
    for with_sealed in (False, True):
        archived = (await archive.fetch(pool, result.match, with_sealed)).result
        assert bool(archived.hands[-1].sealed_seed) == with_sealed
        assert bool(archived.hands[-1].key_id) == with_sealed
        move = archived.hands[-1].moves[0]
        assert (move.move, bool(move.sealed_move), bool(move.key_id)) == ("", with_sealed, with_sealed)
        assert len(archived.hands[-1].moves) == 5


async def test_matches_are_listed_page_by_page_the_newest_first(pool: asyncpg.Pool) -> None:
    me, *others = matches.accounts(8)
    played = []
    for other in others:
        result = matches.result([me, other], stake=0)
        await handle(pool, result)
        played.append(result.match)
    await handle(pool, matches.result(others[:2], stake=0))
    seen, page = [], matches.first_page(3)
    while True:
        summaries, info = await archive.list_matches(pool, me, "scopa", page)
        assert len(summaries) <= 3
        seen += [one.match for one in summaries]
        if not info.next:
            break
        page.token = info.next
    assert seen == played[::-1]


async def test_a_page_of_another_list_is_refused(pool: asyncpg.Pool) -> None:
    me, *others = matches.accounts(4)
    for other in others:
        await handle(pool, matches.result([me, other], stake=0))
    _, info = await archive.list_matches(pool, me, "", matches.first_page(1))
    page = matches.first_page(1)
    for token in (info.next, "nonsense", "W10="):
        page.token = token
        with pytest.raises(TavoloError) as refused:
            await leaderboard.standings(pool, "scopa", page)
        assert (refused.value.reason, refused.value.field) == (
            error_pb2.ERROR_REASON_INVALID_FIELD,
            "page.token",
        )
    page.token = info.next
    with pytest.raises(TavoloError):
        await archive.list_matches(pool, others[0], "", page)


async def test_equal_ratings_share_a_place_also_across_pages(pool: asyncpg.Pool) -> None:
    means = [30.0, 28.0, 28.0, 28.0, 28.0, 27.0, 26.0, 26.0]
    accounts = sorted(matches.accounts(len(means)))
    await pool.executemany(
        "INSERT INTO ratings (game, account, nickname, computer, mean, deviation, matches, wins) "
        "VALUES ('scopa', $1, 'Nick', false, $2, 1, 1, 0)",
        list(zip(accounts, means, strict=True)),
    )
    seen, page = [], matches.first_page(3)
    while True:
        standings, info = await leaderboard.standings(pool, "scopa", page)
        seen += [(one.account, one.place) for one in standings]
        if not info.next:
            break
        page.token = info.next
    assert seen == list(zip(accounts, [1, 2, 2, 2, 2, 6, 7, 7], strict=True))
    assert (await leaderboard.standings(pool, "briscola", matches.first_page()))[0] == []
