"""`tavolo play`: sit down at a table and play it out, in a terminal. Knows no rules: the view says all."""

import argparse
import asyncio
import json
import secrets
import sys
from contextlib import suppress

from rich.console import Console
from tavolo.common.v1 import error_pb2
from tavolo.lobby.v1 import lobby_pb2
from tavolo.lobby.v1.lobby_pb2 import (
    GameInfo,
    GetSeatsRequest,
    JoinTableRequest,
    LeaveTableRequest,
    ListGamesRequest,
    ListTablesRequest,
    OpenTableRequest,
    Table,
)

from services.cli.connection import NoGatewayError, add_gateway_arguments, gateway_target
from services.cli.play_options import option_lines
from services.cli.play_session import SavedSession
from services.cli.play_table import Result, TablePlay
from services.cli.play_terminal import LiveTerminal, PlainTerminal, read_line
from services.cli.play_words import Words, language, stakes
from services.client import Connection, Gateway, Refused, Session

_STATES = {
    lobby_pb2.ROOM_STATE_OPEN: "state_open",
    lobby_pb2.ROOM_STATE_STARTING: "state_starting",
    lobby_pb2.ROOM_STATE_PLAYING: "state_playing",
}


class NotPlayedError(Exception):
    """The player cannot go on, and why, in words."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_gateway_arguments(parser)
    parser.add_argument(
        "--nickname", metavar="NAME", help="the same nickname again takes up its seat where it left"
    )
    parser.add_argument("--game", default="scopa", help="default: scopa")
    parser.add_argument(
        "--options", default="{}", metavar="JSON", help="options of the game, such as '{\"target\": 5}'"
    )
    parser.add_argument("--stake", type=_cents, metavar="CENTS", help="stake of each seat; default: 100")
    parser.add_argument(
        "--chip",
        type=_cents,
        metavar="CENTS",
        help="what a chip is worth (bestia, poker, sette e mezzo); 0: nothing; default: 1",
    )
    parser.add_argument(
        "--against",
        choices=("computer", "people"),
        default="computer",
        help="who has the other seats; people: join an open table or wait at an own one",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--table", metavar="ID", help="join this table")
    where.add_argument("--watch", metavar="ID", help="watch this table")
    where.add_argument("--tables", action="store_true", help="list the tables and leave")
    where.add_argument("--show-options", action="store_true", help="list the options of the game and leave")
    parser.add_argument("--auto", action="store_true", help="let the computer choose the moves")
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON (the table goes to stderr)"
    )


def _cents(text: str) -> int:
    """Whole cents as a request can carry them; whether they are allowed is the lobby's to say."""
    cents = int(text)
    if cents.bit_length() > 63:
        raise ValueError(text)
    return cents


def run(args: argparse.Namespace) -> int:
    """0: played, or left with the seat kept; 1: not to be had; 2: wrong usage."""
    try:
        options = json.loads(args.options)
        if not isinstance(options, dict):
            raise ValueError("not an object")
        target = gateway_target(args)
    except NoGatewayError as error:
        print(f"tavolo play: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"tavolo play: --options: {error}", file=sys.stderr)
        return 2
    try:
        asyncio.run(Player(args, options).play(target))
    except (KeyboardInterrupt, EOFError):
        return 0
    except (Refused, NotPlayedError) as error:
        print(f"tavolo play: {error.text if isinstance(error, Refused) else error}", file=sys.stderr)
        return 1
    except BaseExceptionGroup as group:
        known, rest = group.split((Refused, BrokenPipeError))
        if rest or known is None:
            raise
        print(f"tavolo play: {known.exceptions[0]}", file=sys.stderr)
        return 1
    return 0


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError("nobody reads the output any more")


class Player:
    """One run of the command: who, where, and the match."""

    def __init__(self, args: argparse.Namespace, options: dict[str, object]) -> None:
        self._args = args
        self._options = options
        self._words = Words(language())
        self._console = _Console(stderr=args.json, highlight=False)
        self._is_live = self._console.is_terminal and sys.stdin.isatty()

    async def play(self, target: str) -> None:
        """Refused, NotPlayedError: why not."""
        async with Gateway(target) as gateway:
            session, saved = await self._sign_in(gateway)
            if self._args.tables:
                self._print_tables(await self._tables(session, lobby_pb2.ROOM_STATE_UNSPECIFIED))
                return
            if self._args.show_options:
                for line in option_lines(await self._game(session), self._words):
                    self._console.print(line, soft_wrap=True)
                return
            async with Connection(session, saved.last_notice) as connection:
                table = self._args.watch or await self._seat(connection)
                terminal = LiveTerminal(self._console) if self._is_live else PlainTerminal(self._console)
                at_table = TablePlay(
                    connection,
                    table,
                    terminal,
                    self._words,
                    watch=bool(self._args.watch),
                    auto=self._args.auto,
                    keep_notice=saved.keep_notice,
                )
                result = await at_table.run()
            self._print_result(result, at_table)

    # ------------------------------------------------------------------------------------ signing in

    async def _sign_in(self, gateway: Gateway) -> tuple[Session, SavedSession]:
        words = self._words
        nickname = self._args.nickname or await self._ask_nickname()
        while True:
            saved = SavedSession(self._args.data, nickname)
            session = await saved.open(gateway)
            if session:
                self._say(words("welcome", name=session.account.nickname))
                return session, saved
            try:
                session = await saved.create(gateway, nickname)
            except Refused as refused:
                if refused.reason == error_pb2.ERROR_REASON_NICKNAME_TAKEN:
                    self._say(words("nickname_taken", name=nickname), style="bold yellow")
                elif refused.reason == error_pb2.ERROR_REASON_NICKNAME_REFUSED:
                    self._say(refused.text, style="bold yellow")
                else:
                    raise
                nickname = await self._ask(words("nickname"))
            else:
                self._say(words("welcome", name=session.account.nickname))
                return session, saved

    async def _ask_nickname(self) -> str:
        if sys.stdin.isatty():
            return await self._ask(self._words("nickname"))
        return f"Ospite {secrets.randbelow(900_000) + 100_000}"

    async def _ask(self, question: str) -> str:
        """A line of input. NotPlayedError: there is nobody to ask."""
        self._console.print(question, end="")
        line = await asyncio.to_thread(read_line)
        if line is None:
            raise NotPlayedError(question)
        return line.strip()

    # --------------------------------------------------------------------------------- finding a seat

    async def _seat(self, connection: Connection) -> str:
        """The table at which the account sits, once its match has begun."""
        session = connection.session
        table = await self._table(session)
        if table.state == lobby_pb2.ROOM_STATE_OPEN:
            self._say(self._words("opened", table=table.id))
            self._say(self._words("waiting"), style="dim")
        try:
            await connection.match_started(table.id)
        except Refused as refused:
            if refused.reason != error_pb2.ERROR_REASON_NOT_SEATED:
                raise
            raise NotPlayedError(self._words("seat_lost", why=refused.text)) from refused
        except asyncio.CancelledError:
            with suppress(Refused):  # the match may just have begun: the seat stays taken
                await session.call(session.gateway.lobby.LeaveTable, LeaveTableRequest(table=table.id))
            raise
        return table.id

    async def _table(self, session: Session) -> Table:
        lobby = session.gateway.lobby
        seats = await session.call(lobby.GetSeats, GetSeatsRequest())
        if seats.tables and self._args.table in {None, seats.tables[0].id}:
            self._say(self._words("back", name=session.account.nickname, game=seats.tables[0].game))
            return seats.tables[0]
        if self._args.table:
            return (await session.call(lobby.JoinTable, JoinTableRequest(table=self._args.table))).table
        if self._args.against == "people" and sys.stdin.isatty():
            chosen = await self._choose_table(session)
            if chosen:
                return (await session.call(lobby.JoinTable, JoinTableRequest(table=chosen.id))).table
        opening = OpenTableRequest(
            request_id=secrets.token_urlsafe(12), game=self._args.game, options=json.dumps(self._options)
        )
        for name in ("stake", "chip"):
            if (cents := getattr(self._args, name)) is not None:
                getattr(opening, name).cents = cents
        if self._args.against == "computer":
            opening.computers = await self._other_seats(session)
        return (await session.call(lobby.OpenTable, opening)).table

    async def _other_seats(self, session: Session) -> int:
        """How many seats the table will have besides the player's."""
        seats = self._options.get("seats")
        for option in (await self._game(session)).options:
            if option.name == "seats" and seats is None:
                seats = json.loads(option.default)
        return seats - 1 if isinstance(seats, int) else 1

    async def _game(self, session: Session) -> GameInfo:
        """What the lobby tells of the game. NotPlayedError: there is none of this name."""
        games = (await session.call(session.gateway.lobby.ListGames, ListGamesRequest())).games
        known = {game.id: game for game in games}
        if self._args.game not in known:
            raise NotPlayedError(self._words("no_game", game=self._args.game, games=", ".join(known)))
        return known[self._args.game]

    async def _choose_table(self, session: Session) -> Table | None:
        tables = await self._tables(session, lobby_pb2.ROOM_STATE_OPEN)
        if not tables:
            return None
        self._say(self._words("open_tables"))
        self._print_tables(tables, numbered=True)
        answer = await self._ask("> ")
        return tables[int(answer) - 1] if answer.isdecimal() and 0 < int(answer) <= len(tables) else None

    async def _tables(self, session: Session, state: lobby_pb2.RoomState.ValueType) -> list[Table]:
        request = ListTablesRequest(game=self._args.game, state=state)
        return list((await session.call(session.gateway.lobby.ListTables, request)).tables)

    # ---------------------------------------------------------------------------------------- printing

    def _print_tables(self, tables: list[Table], *, numbered: bool = False) -> None:
        if self._args.json and not numbered:
            found = [
                {
                    "table": table.id,
                    "game": table.game,
                    "state": lobby_pb2.RoomState.Name(table.state).removeprefix("ROOM_STATE_").lower(),
                    "stake_cents": table.stake.cents,
                    "chip_cents": table.chip.cents,
                    "nicknames": [seat.nickname for seat in table.seats],
                }
                for table in tables
            ]
            print(json.dumps(found, ensure_ascii=False))
            return
        for number, table in enumerate(tables, start=1):
            who = ", ".join(seat.nickname or "–" for seat in table.seats)
            state = self._words(_STATES[table.state]) if table.state in _STATES else ""
            start = f"{number:>3}  " if numbered else ""
            stake = stakes(self._words, table)
            self._say(f"{start}{table.id}  {table.game}  {state}  {stake}  {who}")
        if not tables:
            self._say(self._words("no_tables"))

    def _print_result(self, result: Result, at_table: TablePlay) -> None:
        if self._is_live:
            for line in at_table.last_words():
                self._console.print(line)
        if self._args.json:
            print(json.dumps(result.to_json(), ensure_ascii=False))

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, soft_wrap=True)
