"""The best of a game, by the cautious estimate of their skill."""

import asyncpg
from tavolo.common.v1.page_pb2 import PageInfo, PageRequest
from tavolo.scoring.v1.scoring_pb2 import Standing

from services.runtime import paging


async def standings(pool: asyncpg.Pool, game: str, page: PageRequest) -> tuple[list[Standing], PageInfo]:
    """The players of a game from the best rating down; equal ratings share a place, and stand by account."""
    listing = f"leaderboard {game}"
    wanted, after = paging.size(page), paging.position(page, listing, [float, str])
    ordinal, account = after or (None, None)
    rows = await pool.fetch(
        "SELECT account, nickname, computer, ordinal, matches, wins FROM ratings WHERE game = $1 "
        "AND ($2::double precision IS NULL OR ordinal < $2 OR (ordinal = $2 AND account > $3::text)) "
        "ORDER BY ordinal DESC, account LIMIT $4",
        game,
        ordinal,
        account,
        wanted + 1,
    )
    shown, info = paging.cut(rows, wanted, listing, lambda row: [row["ordinal"], row["account"]])
    if not shown:
        return [], info
    counted = await pool.fetchrow(
        "SELECT count(*) FILTER (WHERE ordinal > $2) AS better, "
        "count(*) FILTER (WHERE ordinal = $2 AND account < $3) AS level "
        "FROM ratings WHERE game = $1 AND ordinal >= $2",
        game,
        shown[0]["ordinal"],
        shown[0]["account"],
    )
    found: list[Standing] = []
    place = counted["better"] + 1
    before = shown[0]["ordinal"]
    for number, row in enumerate(shown, counted["better"] + counted["level"] + 1):
        if row["ordinal"] != before:
            place, before = number, row["ordinal"]
        found.append(
            Standing(
                place=place,
                account=row["account"],
                nickname=row["nickname"],
                rating=row["ordinal"],
                matches=row["matches"],
                wins=row["wins"],
                computer=row["computer"],
            )
        )
    return found, info
