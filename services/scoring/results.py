"""What a result does: settlement, points, ratings, archive and notices, in one database transaction and once.

The inbox decides: a result whose row is there has been handled. The acknowledgement to JetStream comes after
the commit, so a crash between the two brings the result again, harmlessly.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import asyncpg
from google.protobuf.message import DecodeError
from tavolo.gateway.v1.gateway_pb2 import MatchSettled, Notice
from tavolo.table.v1.result_pb2 import MatchResult

from services.rules import victory_points
from services.rules.core.errors import UnknownGame
from services.rules.core.registry import game
from services.runtime import outbox
from services.runtime.ids import valid_id
from services.scoring import archive, hands, holds, ledger, ratings
from services.scoring.archive import Booked
from services.scoring.holds import Hold
from services.scoring.shares import BadResultError, Shares, computed, forfeited, given_back, with_pot, won

VOID = "void"
ACTOR = "table_engine"


class Alarm(StrEnum):
    """What must never happen and needs a person; the stakes stay where they are."""

    DIFFERENT_RESULT = "different_result"
    """A result came again with another content: the first one stands."""
    NOT_HELD = "not_held"
    """A result names a stake that was never put in escrow: no money is made from nothing."""
    HELD_OTHERWISE = "held_otherwise"
    """What is in escrow is not what the result names."""
    RELEASED = "released"
    """The stakes were given back before the result came."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a result: whether it came for the first time, and what is wrong, if anything."""

    match: str
    fresh: bool
    void: bool
    alarm: Alarm | None = None


def read(data: bytes) -> MatchResult:
    """The result in a message of the results stream. BadResultError: it cannot be one."""
    try:
        result = MatchResult.FromString(data)
        rules = game(result.game)
        options = rules.options(json.loads(result.options))
    except (DecodeError, UnknownGame, ValueError) as error:
        raise BadResultError(f"not a result: {error}") from error
    if rules.id != result.game:
        raise BadResultError(f"a result names its game by its id {rules.id}, not as {result.game}")
    if not valid_id(result.match, "mch") or not valid_id(result.table, "tbl") or result.stake.cents < 0:
        raise BadResultError("a result names its match and table, and a stake of at least 0")
    accounts = {seat.account for seat in result.seats if valid_id(seat.account, "ply")}
    if not len(accounts) == len(result.seats) == rules.seats(options):
        raise BadResultError(
            f"a match of {result.game} has {rules.seats(options)} seats with an account each"
        )
    sides = rules.sides(options)
    if any(seat.side != rules.side(options, number) for number, seat in enumerate(result.seats)):
        raise BadResultError("the seats do not play for the sides of the game")
    if not is_void(result) and (len(result.scores) != sides or len(result.outcome.places) != sides):
        raise BadResultError(f"a match of {result.game} has scores and places of {sides} sides")
    return result


def is_void(result: MatchResult) -> bool:
    """The platform ended the match without a result."""
    return result.outcome.ended_by == VOID


def winner_of(result: MatchResult) -> int | None:
    """The winning side; None in a draw and in a void match."""
    return result.outcome.winner if result.outcome.HasField("winner") else None


def shares_of(result: MatchResult) -> Shares:
    """What the whole match has brought whom. BadResultError: its settlement cannot be booked.

    In a void match hands that were settled stay so; a pot is given back.
    """
    seats, winner = len(result.seats), winner_of(result)
    if result.settlement:
        found = computed(result.settlement, seats)
        if is_void(result):
            return with_pot(found)
        if found.pot:
            raise BadResultError(f"delta and commission do not sum to 0: {result.settlement}")
        return found
    sides = [seat.side for seat in result.seats]
    if is_void(result):
        return given_back(seats)
    if winner is not None:
        return won(result.stake.cents, sides, winner)
    if result.outcome.HasField("offender"):
        first = [side for side, place in enumerate(result.outcome.places) if place == 1]
        return forfeited(result.stake.cents, sides, sides[result.outcome.offender], first)
    return given_back(seats)


def points_of(result: MatchResult) -> victory_points.Points:
    """Victory points and match points; none for a void match."""
    if is_void(result):
        return victory_points.NO_POINTS
    outcome: dict[str, Any] = {
        "winner": winner_of(result),
        "places": list(result.outcome.places),
        "ended_by": result.outcome.ended_by,
        "offender": result.outcome.offender if result.outcome.HasField("offender") else None,
    }
    rules = game(result.game)
    options = rules.options_json(rules.options(json.loads(result.options)))
    return victory_points.points(result.game, options, list(result.scores), outcome)


async def handle(pool: asyncpg.Pool, data: bytes) -> Handled:
    """Settles and archives a result, or finds that this was done. BadResultError: it never can be."""
    result = read(data)
    shares, points = shares_of(result), points_of(result)
    accounts = [seat.account for seat in result.seats]
    digest = hashlib.sha256(result.SerializeToString(deterministic=True)).digest()
    await ledger.welcome(pool, accounts, ACTOR)
    async with ledger.transaction(pool) as db:
        known = await _receive(db, result.match, digest)
        if known is not None:
            return Handled(
                result.match, False, is_void(result), None if known == digest else Alarm.DIFFERENT_RESULT
            )
        hold = await holds.lock(db, result.match)
        alarm = _alarm(hold, result, accounts)
        booked = archive.unbooked(result)
        if hold is not None and alarm is None and hold.state == "held":
            booked = await _settle(db, result, shares, hold)
        after = await _rate(db, result, accounts)
        await archive.store(db, result, booked, points)
        balances = await ledger.balances(db, accounts)
        await outbox.put(db, _notices(result, booked.deltas, points, after, balances))
    return Handled(result.match, True, is_void(result), alarm)


async def _receive(db: asyncpg.Connection, unit: str, digest: bytes) -> bytes | None:
    """Enters the unit into the inbox; the digest of the result that is there already, if one is."""
    new = await db.fetchval(
        "INSERT INTO inbox (unit, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING unit", unit, digest
    )
    if new is not None:
        return None
    known: bytes = await db.fetchval("SELECT digest FROM inbox WHERE unit = $1", unit)
    return known


def _alarm(hold: Hold | None, result: MatchResult, accounts: list[str]) -> Alarm | None:
    """What is wrong if the hold of a result is not the one that the result names."""
    if hold is None:
        return Alarm.NOT_HELD if result.stake.cents else None
    if hold.state == "released":
        return Alarm.RELEASED if result.stake.cents else None
    return None if (hold.accounts, hold.stake) == (accounts, result.stake.cents) else Alarm.HELD_OTHERWISE


async def _settle(db: asyncpg.Connection, result: MatchResult, shares: Shares, hold: Hold) -> Booked:
    """Closes the hold: pays out all that is in the escrow. Nothing is, where nobody has put anything in."""
    await db.execute(
        "UPDATE holds SET state = 'settled', held = $2, changed = now() WHERE unit = $1",
        hold.match,
        [0] * len(hold.held),
    )
    if not result.stake.cents:
        return archive.unbooked(result)
    accounts = await ledger.lock(db, hold.accounts, hold.match)
    fact = hands.unit(hold.match, hold.hands + 1) if game(result.game).by_hand else hold.match
    purpose: ledger.Purpose = "refund" if is_void(result) else "settlement"
    is_paid = await hands.pay(db, hold, shares, accounts, purpose, fact, result.rules_version, ACTOR)
    return Booked(shares.deltas, hold.put, hold.hands + is_paid)


async def _rate(db: asyncpg.Connection, result: MatchResult, accounts: list[str]) -> list[ratings.Rating]:
    """The ratings of the seats after the match; a void match changes none."""
    before = await ratings.read(db, result.game, accounts)
    if is_void(result):
        return before
    after = ratings.rated(before, [seat.side for seat in result.seats], result.outcome.places)
    await ratings.write(db, result.game, result.seats, after, winner_of(result))
    return after


def _notices(
    result: MatchResult,
    deltas: Sequence[int],
    points: victory_points.Points,
    after: Sequence[ratings.Rating],
    balances: dict[str, int],
) -> list[outbox.Message]:
    """One notice a seat's account: the line of its ledger."""
    messages = []
    for seat, delta, rating in zip(result.seats, deltas, after, strict=True):
        settled = MatchSettled(
            table=result.table,
            match=result.match,
            delta_cents=delta,
            balance_cents=balances[seat.account],
            victory_points=None if points.vp is None else points.vp[seat.side],
            match_points=None if points.mp is None else points.mp[seat.side],
            rating=rating.ordinal,
        )
        messages.append(
            outbox.Message(
                seat.account, f"settled:{result.match}:{seat.account}", Notice(match_settled=settled)
            )
        )
    return messages
