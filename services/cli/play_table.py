"""One match at the terminal: what comes from the table is shown, what is typed is sent."""

import asyncio
import hashlib
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.text import Text
from tavolo.chat.v1.chat_pb2 import ChatMessage, ListMessagesRequest, SayRequest
from tavolo.common.v1.error_pb2 import ErrorReason
from tavolo.gateway.v1 import gateway_pb2
from tavolo.gateway.v1.gateway_pb2 import MatchSettled, Notice, TableClosed
from tavolo.table.v1.view_pb2 import TableUpdate

from services.bots.seat import Habits, SeatPlayer
from services.cli.play_draw import score_lines
from services.cli.play_scene import Scene
from services.cli.play_terminal import QUIT, Terminal
from services.cli.play_words import YES, Words, money
from services.client import Connection, Event, Lost, Refused, Resumed

SETTLEMENT_LIMIT_S = 10.0
_LAST_LINES = 3
_WARNINGS = ((20_000, "time_20"), (10_000, "time_10"))


@dataclass
class Result:
    """What came of it, for people and programs. `ended_by` is empty when the player left before the end."""

    table: str
    match: str = ""
    game: str = ""
    seat: int | None = None
    nicknames: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    winner: int | None = None
    ended_by: str = ""
    settled: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class TablePlay:
    """Plays or watches one table to its end, or until the player leaves."""

    def __init__(
        self,
        connection: Connection,
        table: str,
        terminal: Terminal,
        words: Words,
        *,
        watch: bool,
        auto: bool,
        keep_notice: Callable[[int], None],
    ) -> None:
        self._connection = connection
        self._table = table
        self._terminal = terminal
        self._words = words
        self._watch = watch
        self._auto = auto
        self._keep_notice = keep_notice
        self._scene = Scene(words)
        self._result = Result(table)
        self._done = asyncio.Event()
        self._settled = asyncio.Event()
        self._sending = False
        self._confirming = False
        self._shown_at = time.monotonic()
        self._bot: SeatPlayer | None = None
        self._warnings: list[asyncio.TimerHandle] = []

    async def run(self) -> Result:
        """Refused: the table or the session is not to be had (any more)."""
        async with self._terminal, asyncio.TaskGroup() as work:
            self._work = work
            if self._auto:
                habits = Habits(refused=lambda _, refused: self._refuse(refused))
                self._bot = SeatPlayer(self._connection, self._table, work.create_task, habits)
            following = [work.create_task(self._follow()), work.create_task(self._listen())]
            await self._connection.attach(self._table, watch=self._watch)
            await self._read_chat()
            await self._done.wait()
            for task in following:
                task.cancel()
            for warning in self._warnings:
                warning.cancel()
        return self._result

    def last_words(self) -> list[Text]:
        """What should stay on the terminal when the screen of the table is gone.

        The score and the last lines.
        """
        return [*score_lines(self._scene), Text(), *list(self._scene.lines)[-_LAST_LINES:]]

    # ------------------------------------------------------------------------------- from the table

    async def _follow(self) -> None:
        async for event in self._connection:
            self._take(event)

    def _take(self, event: Event) -> None:
        words = self._words
        match event:
            case TableUpdate() if event.table == self._table:
                self._update(event)
            case Notice():
                self._keep_notice(event.number)
                if event.HasField("match_settled") and event.match_settled.table == self._table:
                    self._settle(event.match_settled)
            case ChatMessage() if event.room == self._table:
                self._tell(Text.assemble((f"{event.nickname}: ", "bold"), event.text))
            case TableClosed() if event.table == self._table:
                replaced = event.reason == gateway_pb2.CLOSE_REASON_REPLACED
                self._tell(words("replaced" if replaced else "table_gone"), urgent=True)
                self._done.set()
            case Lost():
                self._tell(words("lost", text=event.text))
            case Resumed() if self._scene.update is not None:
                self._tell(words("resumed"))

    def _update(self, update: TableUpdate) -> None:
        scene = self._scene
        was_over = scene.is_over
        for line in scene.take(update):
            self._tell(line)
        self._shown_at = time.monotonic()
        self._sending = False
        self._arm_warnings()
        self._terminal.show(scene)
        if self._bot:
            self._bot.look(update)
        if scene.is_over and not was_over:
            self._end(update)

    def _end(self, update: TableUpdate) -> None:
        public, scene, result = update.public, self._scene, self._result
        result.match, result.game, result.seat = scene.info.match, scene.info.game, scene.seat
        result.nicknames = [seat.nickname for seat in scene.info.seats]
        result.scores = list(public.scores)
        result.ended_by = public.outcome.ended_by
        if public.outcome.HasField("winner"):
            result.winner = public.outcome.winner
            self._tell(Text(self._words("won", names=scene.side(result.winner)), style="bold green"))
        elif public.void_reason:
            self._tell(self._words("void", text=public.void_reason))
        else:
            self._tell(Text(self._words("draw"), style="bold"))
        self._work.create_task(self._await_settlement())

    async def _await_settlement(self) -> None:
        """The line of the ledger comes a moment after the end; a spectator has none."""
        if self._scene.seat is not None:
            try:
                async with asyncio.timeout(SETTLEMENT_LIMIT_S):
                    await self._settled.wait()
            except TimeoutError:
                self._tell(self._words("unsettled"))
        self._done.set()

    def _settle(self, settled: MatchSettled) -> None:
        points = "".join(
            f" · {name} {value}"
            for name, field_name, value in (
                ("VP", "victory_points", settled.victory_points),
                ("MP", "match_points", settled.match_points),
            )
            if settled.HasField(field_name)  # type: ignore[arg-type]  # a literal of the message's fields
        )
        line = self._words(
            "settled",
            delta=money(settled.delta_cents, sign=True),
            balance=money(settled.balance_cents),
            points=points,
            rating=f"{settled.rating:.1f}",
        )
        self._result.settled = {each.name: value for each, value in settled.ListFields()}
        self._tell(Text(line, style="bold"))
        self._settled.set()

    def _arm_warnings(self) -> None:
        """Says once when the player's own running clock passes 20 and 10 seconds."""
        for warning in self._warnings:
            warning.cancel()
        self._warnings = []
        scene = self._scene
        clocks = scene.public.clocks
        if scene.seat is None or scene.seat >= len(clocks.seats) or not clocks.seats[scene.seat].running:
            return
        left = scene.left_ms(clocks.seats[scene.seat]) + clocks.lead_in_ms + clocks.resume_wait_ms
        loop = asyncio.get_running_loop()
        for limit, key in _WARNINGS:
            if left > limit:
                self._warnings.append(loop.call_later((left - limit) / 1000, self._warn, key))

    def _warn(self, key: str) -> None:
        self._tell(Text(self._words(key), style="bold red"), urgent=True)

    # ------------------------------------------------------------------------------ from the player

    async def _listen(self) -> None:
        while True:
            line = await self._terminal.line()
            if line is None:
                if not self._auto and not self._watch and self._scene.seat is not None:
                    self._leave()
                return
            self._typed(line.strip())

    def _typed(self, text: str) -> None:
        if self._confirming:
            self._confirming = False
            if text.casefold() in YES:
                self._send_move("abandon", turn=0)
            else:
                self._tell(self._words("not_abandoned"))
        elif text.startswith("/"):
            self._command(text)
        elif self._scene.wants_ready:
            self._work.create_task(self._ready(text))
        elif text and self._scene.seat is not None and not self._scene.is_over:
            self._play(text)

    def _command(self, text: str) -> None:
        command, _, rest = text.partition(" ")
        if command == QUIT:
            self._leave()
        elif command == "/help":
            self._tell(self._words("help"))
            self._tell(self._scene.faces.legend())
        elif command == "/say" and rest:
            self._work.create_task(self._say(rest))
        elif command == "/abandon" and self._scene.seat is not None and not self._scene.is_over:
            self._confirming = True
            self._tell(Text(self._words("confirm_abandon"), style="bold yellow"), urgent=True)
        else:
            self._tell(self._words("unknown_command", text=command))

    def _leave(self) -> None:
        if not self._watch and not self._scene.is_over:
            self._tell(self._words("quit"))
        self._done.set()

    def _play(self, text: str) -> None:
        move = self._scene.move_of(text)
        if move is None and text.isdecimal():
            self._tell(self._words("no_such_move", number=text))
            return
        self._send_move(move.text if move else text, self._scene.own.turn)

    def _send_move(self, move: str, turn: int) -> None:
        if self._sending:
            self._tell(self._words("sending"))
            return
        self._sending = True
        think_ms = int((time.monotonic() - self._shown_at) * 1000)
        self._work.create_task(self._act(move, turn, think_ms))

    async def _act(self, move: str, turn: int, think_ms: int) -> None:
        try:
            await self._connection.act(self._table, move, turn, think_ms=think_ms)
        except Refused as refused:
            self._refuse(refused)
        finally:
            self._sending = False

    async def _ready(self, typed: str) -> None:
        """The player's own randomness: fresh bytes, and whatever was typed."""
        contribution = hashlib.sha256(os.urandom(32) + typed.encode()).digest()
        try:
            await self._connection.ready(self._table, self._scene.public.hand, contribution)
        except Refused as refused:
            self._refuse(refused)

    # ----------------------------------------------------------------------------------------- chat

    async def _read_chat(self) -> None:
        """What was said at the table before; later messages come by themselves."""
        session = self._connection.session
        try:
            said = await session.call(
                session.gateway.chat.ListMessages, ListMessagesRequest(room=self._table)
            )
        except Refused as refused:
            self._refuse(refused)
            return
        for message in said.messages:
            self._connection.read_chat(self._table, message.number)
            self._take(message)

    async def _say(self, text: str) -> None:
        session = self._connection.session
        say = SayRequest(room=self._table, text=text, message_id=secrets.token_urlsafe(12))
        try:
            await session.call(session.gateway.chat.Say, say)
        except Refused as refused:
            self._refuse(refused)

    # -------------------------------------------------------------------------------------- telling

    def _refuse(self, refused: Refused) -> None:
        code = refused.detail.rule or ErrorReason.Name(refused.reason).removeprefix("ERROR_REASON_").lower()
        self._tell(Text(self._words("refused", text=refused.text, code=code), style="red"))

    def _tell(self, line: Text | str, *, urgent: bool = False) -> None:
        shown = Text(line) if isinstance(line, str) else line
        self._scene.say(shown)
        self._terminal.tell(shown, urgent=urgent)
