"""The archive of finished matches: stored with their settlement, fetched whole or listed by account."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import asyncpg
from google.protobuf.timestamp_pb2 import Timestamp
from tavolo.common.v1.page_pb2 import PageInfo, PageRequest
from tavolo.scoring.v1.scoring_pb2 import ArchivedMatch, MatchPoints, MatchSummary
from tavolo.table.v1.result_pb2 import MatchResult

from services.rules.victory_points import Points
from services.runtime import paging
from services.runtime.errors import not_found


class Booked(NamedTuple):
    """What the ledger says of a match, by seat: cents won (below zero: lost) and put in; and the number of
    transactions that settled it."""

    deltas: Sequence[int]
    put: Sequence[int]
    settlements: int


def unbooked(result: MatchResult) -> Booked:
    """Of a match without money, or one whose money an alarm left where it was: each stake should have come
    back."""
    seats, stake = len(result.seats), result.stake.cents
    return Booked([0] * seats, [stake] * seats, 1 if stake else 0)


async def store(db: asyncpg.Connection, result: MatchResult, booked: Booked, points: Points) -> None:
    """Archives a result with what it came to, in the transaction that settles it."""
    number = await db.fetchval(
        "INSERT INTO matches "
        "(match, game, result, nicknames, scores, winner, ended_by, stake, deltas, put, settlements, "
        "diff, vp, mp) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING number",
        result.match,
        result.game,
        result.SerializeToString(deterministic=True),
        [seat.nickname for seat in result.seats],
        list(result.scores),
        result.outcome.winner if result.outcome.HasField("winner") else None,
        result.outcome.ended_by,
        result.stake.cents,
        list(booked.deltas),
        list(booked.put),
        booked.settlements,
        None if points.diff is None else int(points.diff),
        points.vp,
        points.mp,
    )
    await db.executemany(
        "INSERT INTO match_seats (match, seat, account, number, game) VALUES ($1, $2, $3, $4, $5)",
        [(result.match, seat, one.account, number, result.game) for seat, one in enumerate(result.seats)],
    )


async def fetch(pool: asyncpg.Pool, match: str, with_sealed: bool) -> ArchivedMatch:
    """A match as the archive has it; sealed parts only for the auditor. NOT_FOUND: not archived (yet)."""
    row = await pool.fetchrow(
        "SELECT result, deltas, diff, vp, mp, settled, "
        "(SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM transactions "
        "WHERE transactions.match = matches.match AND purpose IN ('settlement', 'refund')) AS closings "
        "FROM matches WHERE match = $1",
        match,
    )
    if row is None:
        raise not_found(f"no finished match {match!r}", "match")
    result = MatchResult.FromString(row["result"])
    if not with_sealed:
        for hand in result.hands:
            hand.ClearField("sealed_seed")
            hand.ClearField("key_id")
            for move in hand.moves:
                move.ClearField("sealed_move")
                move.ClearField("key_id")
    points = None
    if row["vp"] is not None:
        points = MatchPoints(diff=row["diff"], vp=row["vp"], mp=row["mp"])
    return ArchivedMatch(
        result=result,
        points=points,
        delta_cents=row["deltas"],
        settlement_transactions=row["closings"],
        settled=timestamp(row["settled"]),
    )


async def list_matches(
    pool: asyncpg.Pool, account: str, game: str, page: PageRequest
) -> tuple[list[MatchSummary], PageInfo]:
    """The finished matches of an account, the newest first; `game` "" = of every game."""
    listing = f"matches {account} {game}"
    wanted, after = paging.size(page), paging.position(page, listing, [int])
    rows = await pool.fetch(
        "SELECT matches.* FROM match_seats JOIN matches USING (match) "
        "WHERE account = $1 AND ($2 = '' OR match_seats.game = $2) "
        "AND ($3::bigint IS NULL OR match_seats.number < $3) "
        "ORDER BY match_seats.number DESC LIMIT $4",
        account,
        game,
        after and after[0],
        wanted + 1,
    )
    shown, info = paging.cut(rows, wanted, listing, lambda row: [row["number"]])
    summaries = [
        MatchSummary(
            match=row["match"],
            game=row["game"],
            nicknames=row["nicknames"],
            scores=row["scores"],
            winner=row["winner"],
            ended_by=row["ended_by"],
            settled=timestamp(row["settled"]),
        )
        for row in shown
    ]
    return summaries, info


def timestamp(moment: datetime) -> Timestamp:
    """A moment of the database (with its zone) as the protos have it."""
    found = Timestamp()
    found.FromDatetime(moment)
    return found
