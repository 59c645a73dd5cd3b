"""`tavolo smoke`: one match with bots in all seats, through a gateway, and everything about it checked.

For a newcomer's first minute, and as a canary: it uses nothing but the gateway's public gRPC.
"""

import argparse
import asyncio
import json
import secrets
import sys
import time
from dataclasses import asdict, dataclass, field

import uvloop
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.page_pb2 import PageRequest
from tavolo.gateway.v1.gateway_pb2 import MatchSettled, Notice
from tavolo.lobby.v1.lobby_pb2 import JoinTableRequest, ListGamesRequest, OpenTableRequest, Table
from tavolo.scoring.v1.scoring_pb2 import ArchivedMatch, Entry, GetMatchRequest, ListEntriesRequest
from tavolo.table.v1.view_pb2 import TableUpdate

from services.bots.seat import Habits, SeatPlayer
from services.cli.audit import audit
from services.cli.cluster import Cluster, ClusterError, Plan, temporary_folder
from services.cli.deals import check_deals
from services.cli.guests import sign_in_guest
from services.cli.replay import replay
from services.client import Connection, Gateway, Refused, Session
from services.client.backoff import Backoff
from services.rules.core.registry import game

LIMIT_S = 60.0
_PLAYS_AT_ONCE = Habits()


@dataclass
class Report:
    """What the smoke test saw.

    `problems` is empty when all is well. `unshown`: why the archive could be played again only in part, "" if
    it was played whole; `audited`: it was, with what the auditor is shown besides. `seconds` is everything,
    the start included.
    """

    game: str
    table: str = ""
    match: str = ""
    scores: list[int] = field(default_factory=list)
    ended_by: str = ""
    moves: int = 0
    hands: int = 0
    cards_opened: int = 0
    unshown: str = ""
    audited: bool = False
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    def line(self) -> str:
        """All of it in one line."""
        if self.problems:
            return f"FAILED {self.game} {self.match or self.table}: {'; '.join(self.problems)}"
        scores = " – ".join(map(str, self.scores))
        replayed = f"replayed only in part ({self.unshown})" if self.unshown else "replays to the same"
        if self.audited:
            replayed = f"replays to the same for the auditor ({self.unshown})"
        checks = f"{replayed}, deals verify ({self.cards_opened} cards), settled once"
        played = f"{scores} ({self.ended_by}) after {self.hands} hands and {self.moves} moves"
        return f"ok: {self.game} {self.match}: {played}; {checks}; {self.seconds:.1f} s"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gateway", metavar="HOST:PORT", help="gRPC (default: a cluster of its own)")
    parser.add_argument("--game", default="scopa", help="default: scopa")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0: all is well; 1: something is not, or took longer than a minute."""
    began = time.monotonic()
    report = Report(args.game)
    try:
        uvloop.run(_within_limit(args.gateway, report))
    except TimeoutError:
        report.problems.append(f"not finished within {LIMIT_S:.0f} s")
    except (Refused, ClusterError) as error:
        report.problems.append(str(error))
    except BaseExceptionGroup as group:
        refused, rest = group.split(Refused)
        if rest or refused is None:
            raise
        report.problems.append(str(refused.exceptions[0]))
    report.seconds = time.monotonic() - began
    print(json.dumps(asdict(report), ensure_ascii=False) if args.json else report.line())
    return 1 if report.problems else 0


async def _within_limit(target: str | None, report: Report) -> None:
    async with asyncio.timeout(LIMIT_S):
        if target:
            await smoke(target, report)
            return
        with temporary_folder() as folder:
            cluster = Cluster(Plan(folder), say=lambda text: print(text, file=sys.stderr))
            await cluster.start()
            try:
                await smoke(cluster.address("gateway"), report)
                if report.unshown:
                    report.problems += [f"audit: {problem}" for problem in await audit(cluster, report.match)]
                    report.audited = True
            finally:
                await cluster.stop()


async def smoke(
    target: str,
    report: Report,
    options: str = "",
    chip: int | None = None,
    habits: Habits = _PLAYS_AT_ONCE,
) -> None:
    """Plays a match through the gateway at `target` and checks it; what it finds goes into the report.

    `options`: of the game, as JSON; empty: the defaults. `chip`: what one is worth, cents; None: the usual.
    """
    async with Gateway(target) as gateway:
        first = await sign_in_guest(gateway, "smoke")
        table = await _open_table(first, report, options, chip)
        if table is None:
            return
        report.table = table.id
        others = [await sign_in_guest(gateway, "smoke") for _ in table.seats[1:]]
        players = [_Player(session, table.id, habits) for session in (first, *others)]
        async with asyncio.TaskGroup() as playing:
            for player in players:
                playing.create_task(player.play())
        archived = await _archived(first, players[0].settled.match)
        report.match = archived.result.match
        _check_match(archived, report)
        for player in players:
            _check_entries(player.seat, player.settled, await _entries(player.session), archived, report)


class _Player:
    """One guest: sits down, plays to the end, waits for the line of the ledger."""

    def __init__(self, session: Session, table: str, habits: Habits) -> None:
        self.session = session
        self._habits = habits
        self.seat = 0
        self.settled = MatchSettled()
        self._table = table

    async def play(self) -> None:
        lobby = self.session.gateway.lobby
        async with Connection(self.session) as connection, asyncio.TaskGroup() as work:
            await self.session.call(lobby.JoinTable, JoinTableRequest(table=self._table))
            await connection.match_started(self._table)
            seat = SeatPlayer(connection, self._table, work.create_task, self._habits)
            self.seat = await connection.attach(self._table) or 0
            async for event in connection:
                match event:
                    case TableUpdate():
                        seat.look(event)
                    case Notice() if event.HasField("match_settled"):
                        self.settled = event.match_settled
                        return


async def _open_table(session: Session, report: Report, options: str, chip: int | None) -> Table | None:
    """A table of the game; None, and a problem, if the game is not there."""
    lobby = session.gateway.lobby
    games = (await session.call(lobby.ListGames, ListGamesRequest())).games
    if report.game not in {game.id for game in games}:
        report.problems.append(f"no game {report.game!r}; there are: {', '.join(game.id for game in games)}")
        return None
    opening = OpenTableRequest(request_id=secrets.token_urlsafe(12), game=report.game, options=options)
    if chip is not None:
        opening.chip.cents = chip
    return (await session.call(lobby.OpenTable, opening)).table


async def _archived(session: Session, match: str) -> ArchivedMatch:
    """The match from the archive.

    Settled and archived are one transaction, so it is there when the notice is.
    """
    scoring = session.gateway.scoring
    backoff = Backoff()
    while True:
        try:
            return (await session.call(scoring.GetMatch, GetMatchRequest(match=match))).match
        except Refused as refused:
            if refused.reason != error_pb2.ERROR_REASON_NOT_FOUND:
                raise
        await asyncio.sleep(backoff.wait_s())


async def _entries(session: Session) -> list[Entry]:
    """All lines of the account's ledger, the newest first."""
    found: list[Entry] = []
    page = PageRequest(size=200)
    while True:
        request = ListEntriesRequest(page=page)
        response = await session.call(session.gateway.scoring.ListEntries, request)
        found += response.entries
        if not response.page.next:
            return found
        page.token = response.page.next


def _check_match(archived: ArchivedMatch, report: Report) -> None:
    """The archive replays to the recorded result, and its deals are the committed ones."""
    result = archived.result
    report.scores, report.ended_by = list(result.scores), result.outcome.ended_by
    replayed = replay(result)
    report.moves, report.hands = sum(len(hand.moves) for hand in result.hands), len(result.hands)
    report.unshown = replayed.unshown
    report.problems += [f"replay: {problem}" for problem in replayed.problems]
    for deal in check_deals(result, replayed):
        report.cards_opened += deal.opened
        report.problems += [f"deal of hand {deal.hand}: {problem}" for problem in deal.problems]
    if not result.hands:
        report.problems.append("the archive has no hands")
    wanted = len(result.hands) if game(result.game).by_hand else 1
    if result.stake.cents and len(archived.settlement_transactions) != wanted:
        report.problems.append(f"{len(archived.settlement_transactions)} settlements instead of {wanted}")
    commission = json.loads(result.settlement)["commission"] if result.settlement else 0
    if sum(archived.delta_cents) + commission:
        report.problems.append(f"the settlement does not sum to zero: {list(archived.delta_cents)}")


def _check_entries(
    seat: int, settled: MatchSettled, entries: list[Entry], archived: ArchivedMatch, report: Report
) -> None:
    """A seat's ledger.

    What it put in (once, or before each hand) and what the settlements gave it; together what notice and
    archive say.
    """
    result = archived.result
    own = [entry for entry in entries if entry.match == result.match]
    stakes = [entry.amount.cents for entry in own if entry.purpose == "stake"]
    stake = result.stake.cents
    is_right = stakes[-1:] == [-stake] if game(result.game).by_hand else stakes == [-stake]
    if stake and not is_right:
        report.problems.append(f"seat {seat}: stakes {stakes} instead of {stake}")
    later = {entry.transaction for entry in own if entry.purpose != "stake"}
    if not later <= set(archived.settlement_transactions):
        report.problems.append(f"seat {seat}: entries outside the settlement: {sorted(later)}")
    total = sum(entry.amount.cents for entry in own)
    if not total == archived.delta_cents[seat] == settled.delta_cents:
        said = f"archive {archived.delta_cents[seat]}, notice {settled.delta_cents}"
        report.problems.append(f"seat {seat}: the ledger says {total}, {said}")
