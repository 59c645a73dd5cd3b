"""Ratings (openskill's Plackett–Luce), one a game: sides are teams.

Every match that is not void is rated, those with computer players too: a computer has a rating like anybody,
and is marked in the leaderboard.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg
from openskill.models import PlackettLuce
from tavolo.table.v1.view_pb2 import Seat

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's skill in one game."""

    mean: float = _MODEL.mu
    deviation: float = _MODEL.sigma

    @property
    def ordinal(self) -> float:
        """The skill is above it with 99.9 %: what the leaderboard is ordered by."""
        return self.mean - 3 * self.deviation


def rated(before: Sequence[Rating], sides: Sequence[int], places: Sequence[int]) -> list[Rating]:
    """The ratings after a match; `before` and `sides` by seat, `places` by side (1 = best, equal = level)."""
    seats_of = [[seat for seat, side in enumerate(sides) if side == team] for team in range(len(places))]
    teams = [
        [_MODEL.rating(before[seat].mean, before[seat].deviation) for seat in seats] for seats in seats_of
    ]
    after = list(before)
    for seats, team in zip(
        seats_of, _MODEL.rate(teams, ranks=[float(place) for place in places]), strict=True
    ):
        for seat, found in zip(seats, team, strict=True):
            after[seat] = Rating(found.mu, found.sigma)
    return after


async def read(db: asyncpg.Connection, game: str, accounts: Sequence[str]) -> list[Rating]:
    """The ratings of these accounts, in order; a new one for those without. Lock their wallets first."""
    rows = await db.fetch(
        "SELECT account, mean, deviation FROM ratings WHERE game = $1 AND account = ANY($2)", game, accounts
    )
    found = {row["account"]: Rating(row["mean"], row["deviation"]) for row in rows}
    return [found.get(account, Rating()) for account in accounts]


async def write(
    db: asyncpg.Connection, game: str, seats: Sequence[Seat], after: Sequence[Rating], winner: int | None
) -> None:
    """Stores the ratings after a rated match, and counts it. `winner`: the winning side, None = drawn."""
    await db.executemany(
        "INSERT INTO ratings (game, account, nickname, computer, mean, deviation, matches, wins) "
        "VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT (game, account) DO UPDATE SET "
        "nickname = excluded.nickname, computer = excluded.computer, mean = excluded.mean, "
        "deviation = excluded.deviation, matches = ratings.matches + 1, wins = ratings.wins + excluded.wins",
        [
            (
                game,
                seat.account,
                seat.nickname,
                seat.computer,
                one.mean,
                one.deviation,
                int(seat.side == winner),
            )
            for seat, one in zip(seats, after, strict=True)
        ],
    )
