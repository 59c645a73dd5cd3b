"""Hand by hand: a hand is booked once and the next one covered, all seats or none, whoever asks how often."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import asyncpg
import pytest
from tavolo.common.v1 import error_pb2
from tavolo.table.v1.result_pb2 import MatchResult
from tavolo.table.v1.view_pb2 import Outcome, Seat

from services.rules.core.registry import game
from services.runtime.errors import TavoloError
from services.runtime.ids import new_id
from services.scoring import archive, hands, reconcile, results, stakes, wallets
from services.scoring.holds import Staker
from services.scoring.shares import Shares
from tests.scoring import matches

STAKE = 300


class Room:
    """A match of bestia with stakes held, as the engine and the lobby see it."""

    def __init__(self, pool: asyncpg.Pool, seats: int, computers: Sequence[int] = ()) -> None:
        self.pool = pool
        self.match = new_id("mch")
        self.seats = [
            Staker(account, seat in computers) for seat, account in enumerate(matches.accounts(seats))
        ]

    async def hold(self, stake: int = STAKE) -> "Room":
        await stakes.hold(self.pool, self.match, self.seats, stake, "lobby")
        return self

    async def settle(
        self, hand: int, gains: Sequence[int], cover: Sequence[int], commission: int = 0
    ) -> list[int]:
        shares = Shares(tuple(gains), commission)
        return await hands.settle(self.pool, self.match, hand, shares, cover, 1, "table_engine")

    def result(self, gains: Sequence[int], *, void: bool = False, missing: Sequence[int] = ()) -> MatchResult:
        places = [1 + sum(other > mine for other in gains) for mine in gains]
        winner = places.index(1) if places.count(1) == 1 and not void else None
        outcome = Outcome(places=[] if void else places, ended_by="void" if void else "score", winner=winner)
        found = MatchResult(
            match=self.match,
            table=new_id("tbl"),
            game="bestia",
            options=json.dumps({"seats": len(self.seats)}),
            rules_version=game("bestia").rules_version,
            seats=[
                Seat(account=seat.account, nickname="Nick", side=number, computer=seat.computer)
                for number, seat in enumerate(self.seats)
            ],
            scores=gains,
            outcome=outcome,
            settlement=json.dumps({"delta": list(gains), "commission": 0}),
            missing=missing,
        )
        found.stake.cents = STAKE
        return found

    async def end(self, gains: Sequence[int], **how: Any) -> list[int]:
        """The match is over: what it has brought each seat, by the archive."""
        handled = await results.handle(self.pool, self.result(gains, **how).SerializeToString())
        assert (handled.fresh, handled.alarm) == (True, None)
        archived = await archive.fetch(self.pool, self.match, with_sealed=False)
        assert (await reconcile.check(self.pool)).good
        return list(archived.delta_cents)

    async def wallets(self) -> list[tuple[int, int]]:
        return [await wallets.wallet(self.pool, seat.account) for seat in self.seats]

    async def escrow(self) -> int:
        found: int = await self.pool.fetchval(
            "SELECT balance FROM accounts WHERE kind = 'escrow' AND owner = $1", self.match
        )
        return found

    async def booked(self) -> list[tuple[str, str]]:
        rows = await self.pool.fetch(
            "SELECT purpose, fact FROM transactions WHERE match = $1 ORDER BY id", self.match
        )
        return [(row["purpose"], row["fact"].removeprefix(self.match)) for row in rows]


async def patient(call: Callable[[], Awaitable[Any]]) -> Any:
    """What a call answers, made again while others are at the same rows for too long, as its callers do."""
    while True:
        try:
            return await call()
        except asyncpg.LockNotAvailableError:
            continue


async def refused(call: Any, reason: int) -> None:
    with pytest.raises(TavoloError) as error:
        await call
    assert error.value.reason == reason


async def test_a_hand_is_booked_the_next_one_covered_and_the_pot_stays(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    assert await room.settle(1, [50, -80, -30], [200, 120, 120]) == []
    assert await room.wallets() == [(99_850, 200), (99_800, 120), (99_850, 120)]
    assert await room.escrow() == 200 + 120 + 120 + 60
    assert await room.settle(2, [-20, 60, -40], [10, 20, 30]) == []
    assert await room.escrow() == 60
    assert await room.booked() == [
        ("stake", ""), ("settlement", "/1"), ("stake", "/2"), ("settlement", "/2"), ("stake", "/3"),
    ]  # fmt: skip
    assert await room.end([-30, 80, -50]) == [-30, 80, -50]
    assert await room.wallets() == [(99_970, 0), (100_080, 0), (99_950, 0)]
    assert await room.escrow() == 0


async def test_a_hand_that_is_asked_for_again_and_at_once_is_booked_once(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    answers = await asyncio.gather(*(room.settle(1, [50, -20, -30], [99, 98, 97]) for _ in range(8)))
    assert answers == [[]] * 8
    assert await room.wallets() == [(99_951, 99), (99_882, 98), (99_873, 97)]
    assert len(await room.booked()) == 3
    await refused(room.settle(1, [50, -30, -20], [99, 98, 97]), error_pb2.ERROR_REASON_ID_REUSED)
    await refused(room.settle(1, [50, -20, -30], [99, 98, 96]), error_pb2.ERROR_REASON_ID_REUSED)
    await refused(room.settle(3, [50, -20, -30], [99, 98, 97]), error_pb2.ERROR_REASON_WRONG_STATE)
    await room.settle(2, [50, -20, -30], [1, 1, 1])
    await refused(room.settle(1, [50, -20, -30], [99, 98, 97]), error_pb2.ERROR_REASON_WRONG_STATE)


async def test_who_cannot_cover_is_named_and_nothing_but_the_pot_is_held(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    wanted = [100_000, 100_000, 99_000]
    for _ in range(2):  # the same answer again
        assert await room.settle(1, [50, -80, -30], wanted) == [1]
    assert await room.wallets() == [(100_050, 0), (99_920, 0), (99_970, 0)]
    assert await room.escrow() == 60
    await refused(room.settle(2, [50, -80, -30], [1, 1, 1]), error_pb2.ERROR_REASON_WRONG_STATE)
    assert await room.end([70, -60, -10], missing=[1]) == [70, -60, -10]
    assert await room.escrow() == 0


async def test_the_house_covers_what_a_computer_lacks(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3, computers=[2]).hold()
    assert await room.settle(1, [50, -20, -30], [10, 10, 150_000]) == []
    assert (await room.wallets())[2] == (0, 150_000)
    assert await room.end([50_000, 100_000, -150_000]) == [50_000, 100_000, -150_000]
    assert await room.wallets() == [(150_000, 0), (200_000, 0), (30, 0)]


async def test_what_was_not_held_is_not_taken(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    for gains, commission in (([301, -301, 0], 0), ([1, 0, 0], 0), ([0, 0], 0), ([100, -50, -50], 1)):
        wrong = room.settle(1, gains, [1] * len(gains), commission)
        await refused(wrong, error_pb2.ERROR_REASON_INVALID_FIELD)
    assert await room.booked() == [("stake", "")]
    assert await room.escrow() == 900


async def test_a_hand_of_a_match_that_is_over_or_never_began_is_refused(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    await room.end([50, -20, -30])
    await refused(room.settle(1, [50, -20, -30], [1, 1, 1]), error_pb2.ERROR_REASON_WRONG_STATE)
    other = Room(pool, 3)
    await refused(other.settle(1, [0, 0, 0], [1, 1, 1]), error_pb2.ERROR_REASON_WRONG_STATE)
    await other.hold()
    await stakes.release(pool, other.match, "lobby")
    await refused(other.settle(1, [0, 0, 0], [1, 1, 1]), error_pb2.ERROR_REASON_WRONG_STATE)


@pytest.mark.parametrize("is_booked", [True, False])
async def test_a_void_match_keeps_its_settled_hands_and_gives_the_pot_back(
    pool: asyncpg.Pool, is_booked: bool
) -> None:
    room = await Room(pool, 3).hold()
    if is_booked:  # else the result was faster than the hand
        await room.settle(1, [50, -80, -30], [200, 120, 120])
    assert await room.end([50, -80, -30], void=True) == [70, -60, -10]
    assert await room.wallets() == [(100_070, 0), (99_940, 0), (99_990, 0)]
    assert await room.escrow() == 0


async def test_a_match_that_is_given_back_keeps_its_settled_hands(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    await room.settle(1, [50, -80, -30], [200, 120, 120])
    for _ in range(2):
        await stakes.release(pool, room.match, "lobby")
    assert await room.wallets() == [(100_070, 0), (99_940, 0), (99_990, 0)]
    assert await room.escrow() == 0
    assert (await reconcile.check(pool)).good


async def test_a_stake_is_raised_once_for_all_seats_or_none(pool: asyncpg.Pool) -> None:
    room = await Room(pool, 3).hold()
    for cents in (700, 700, 500):
        await stakes.raise_to(pool, room.match, cents, "table_engine")
    assert await room.wallets() == [(99_300, 700)] * 3
    poor = stakes.raise_to(pool, room.match, 100_001, "table_engine")
    await refused(poor, error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS)
    assert await room.wallets() == [(99_300, 700)] * 3
    assert await room.end([600, -600, 0]) == [600, -600, 0]
    assert await room.wallets() == [(100_600, 0), (99_400, 0), (100_000, 0)]
    over = stakes.raise_to(pool, room.match, 800, "table_engine")
    await refused(over, error_pb2.ERROR_REASON_WRONG_STATE)


@pytest.mark.parametrize("seed", range(3))
async def test_hands_results_and_repetitions_in_any_order_book_each_once(
    pool: asyncpg.Pool, seed: int
) -> None:
    """Several matches at once with the same computer, every call made more than once, results that race."""
    rng = random.Random(seed)  # noqa: S311
    shared = matches.accounts(1)[0]

    async def one() -> None:
        room = Room(pool, 3)
        room.seats[2] = Staker(shared, True)
        await patient(room.hold)
        gains, cover = [0, 0, 0], [STAKE] * 3
        for hand in range(1, 4):
            loser = rng.randrange(3)
            lost = rng.randint(0, cover[loser])
            gains = [mine - lost if seat == loser else mine for seat, mine in enumerate(gains)]
            gains[(loser + 1) % 3] += lost
            cover = [rng.randint(1, 500) for _ in range(3)]
            settle = partial(room.settle, hand, gains, cover)
            asked = [patient(settle) for _ in range(rng.randint(1, 3))]
            assert await asyncio.gather(*asked) == [[]] * len(asked)
        result = room.result(gains).SerializeToString()
        handle = partial(results.handle, pool, result)
        handled = await asyncio.gather(*(patient(handle) for _ in range(3)))
        assert sorted(each.fresh for each in handled) == [False, False, True]
        assert await room.escrow() == 0
        people = await room.wallets()
        assert [people[seat][0] - 100_000 for seat in (0, 1)] == gains[:2]

    await asyncio.gather(*(one() for _ in range(3)))
    assert (await reconcile.check(pool)).good
