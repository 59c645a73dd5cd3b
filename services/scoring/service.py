"""ScoringService: decodes, authorises, calls the domain, encodes."""

from collections.abc import Sequence
from typing import Any

import asyncpg
import grpc
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.money_pb2 import Money
from tavolo.scoring.v1 import scoring_pb2 as pb
from tavolo.scoring.v1.scoring_pb2_grpc import ScoringServiceServicer

from services.rules.core.errors import UnknownGame
from services.rules.core.registry import game
from services.runtime.auth import caller, require_player, require_role, require_service
from services.runtime.errors import TavoloError, invalid
from services.runtime.ids import valid_id
from services.scoring import archive, hands, leaderboard, ledger, reconcile, stakes, wallets
from services.scoring.holds import Staker
from services.scoring.shares import Shares

MOST_SEATS = 16
MOST_STAKE_CENTS = 10**12

Context = grpc.aio.ServicerContext[Any, Any]


class Service(ScoringServiceServicer):
    """Every RPC of scoring.proto, over one pool."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def HoldStakes(self, request: pb.HoldStakesRequest, context: Context) -> pb.HoldStakesResponse:  # noqa: N802
        service = require_service("lobby")
        await stakes.hold(
            self._pool, _match(request.match), _seats(request.seats), _cents(request.stake), service.id
        )
        return pb.HoldStakesResponse()

    async def ReleaseStakes(  # noqa: N802
        self, request: pb.ReleaseStakesRequest, context: Context
    ) -> pb.ReleaseStakesResponse:
        service = require_service("lobby")
        await stakes.release(self._pool, _match(request.match), service.id)
        return pb.ReleaseStakesResponse()

    async def SettleHand(self, request: pb.SettleHandRequest, context: Context) -> pb.SettleHandResponse:  # noqa: N802
        service = require_service("table_engine")
        if request.hand < 1:
            raise invalid("hand", "must be 1 or more")
        if request.commission < 0 or any(abs(cents) > MOST_STAKE_CENTS for cents in request.gains):
            raise invalid("gains", f"must be within {MOST_STAKE_CENTS}, the commission at least 0")
        if not all(0 <= cents <= MOST_STAKE_CENTS for cents in request.cover):
            raise invalid("cover", f"must be from 0 to {MOST_STAKE_CENTS}")
        missing = await hands.settle(
            self._pool,
            _match(request.match),
            request.hand,
            Shares(tuple(request.gains), request.commission),
            request.cover,
            request.rules_version,
            service.id,
        )
        return pb.SettleHandResponse(missing=missing)

    async def RaiseStakes(self, request: pb.RaiseStakesRequest, context: Context) -> pb.RaiseStakesResponse:  # noqa: N802
        service = require_service("table_engine")
        await stakes.raise_to(self._pool, _match(request.match), _cents(request.stake), service.id)
        return pb.RaiseStakesResponse()

    async def GetWallet(self, request: pb.GetWalletRequest, context: Context) -> pb.GetWalletResponse:  # noqa: N802
        account = require_player().id
        await ledger.welcome(self._pool, [account], "scoring")
        balance, held = await wallets.wallet(self._pool, account)
        return pb.GetWalletResponse(balance=wallets.money(balance), held=wallets.money(held))

    async def ListEntries(self, request: pb.ListEntriesRequest, context: Context) -> pb.ListEntriesResponse:  # noqa: N802
        entries, page = await wallets.list_entries(self._pool, require_player().id, request.page)
        return pb.ListEntriesResponse(entries=entries, page=page)

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:  # noqa: N802
        _require_anybody()
        with_sealed = "auditor" in caller().roles
        return pb.GetMatchResponse(match=await archive.fetch(self._pool, _match(request.match), with_sealed))

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:  # noqa: N802
        _require_anybody()
        account = request.account or require_player().id
        if not valid_id(account, "ply"):
            raise invalid("account", "is not the id of an account")
        wanted = _game(request.game) if request.game else ""
        matches, page = await archive.list_matches(self._pool, account, wanted, request.page)
        return pb.ListMatchesResponse(matches=matches, page=page)

    async def GetLeaderboard(  # noqa: N802
        self, request: pb.GetLeaderboardRequest, context: Context
    ) -> pb.GetLeaderboardResponse:
        _require_anybody()
        standings, page = await leaderboard.standings(self._pool, _game(request.game), request.page)
        return pb.GetLeaderboardResponse(standings=standings, page=page)

    async def CheckLedger(self, request: pb.CheckLedgerRequest, context: Context) -> pb.CheckLedgerResponse:  # noqa: N802
        if caller().kind == "service":
            require_service()
        else:
            require_role("auditor")
        found = await reconcile.check(self._pool)
        return pb.CheckLedgerResponse(
            sum_cents=found.sum_cents,
            open_escrows=found.open_escrows,
            bad_settlements=found.bad_settlements,
            transactions=found.transactions,
            wrong_balances=found.wrong_balances,
        )


def _require_anybody() -> None:
    """A player or a service; UNAUTHENTICATED otherwise."""
    if caller().kind == "anonymous":
        require_player()


def _match(match: str) -> str:
    if not valid_id(match, "mch"):
        raise invalid("match", "is not the id of a match")
    return match


def _cents(stake: Money) -> int:
    if stake.currency not in ("", ledger.CURRENCY):
        raise invalid("stake.currency", f"only {ledger.CURRENCY} is held here")
    if not 0 <= stake.cents <= MOST_STAKE_CENTS:
        raise invalid("stake.cents", f"must be from 0 to {MOST_STAKE_CENTS}")
    return stake.cents


def _seats(seats: Sequence[pb.StakeSeat]) -> list[Staker]:
    if not 1 <= len(seats) <= MOST_SEATS:
        raise invalid("seats", f"must be 1 to {MOST_SEATS}")
    seen: set[str] = set()
    for number, seat in enumerate(seats):
        if not valid_id(seat.account, "ply"):
            raise invalid(f"seats[{number}].account", "is not the id of an account")
        if seat.account in seen:
            raise invalid(f"seats[{number}].account", "sits on another seat too")
        seen.add(seat.account)
    return [Staker(seat.account, seat.computer) for seat in seats]


def _game(name: str) -> str:
    try:
        return game(name).id
    except UnknownGame as error:
        raise TavoloError(error_pb2.ERROR_REASON_UNKNOWN_GAME, error.text, "game") from error
