"""Seats of the load generator.

Each answers every decision with a legal move and measures what comes of it.
"""

import asyncio
import time

from tavolo.gateway.v1.gateway_pb2 import (
    Act,
    Answer,
    AttachTable,
    ClientMessage,
    ConnectRequest,
    ConnectResponse,
    Hello,
    Pong,
    Ready,
)
from tavolo.table.v1.view_pb2 import TABLE_STATE_PLAY, TABLE_STATE_READY, TableUpdate

from services.cli.bench_wire import Wire

SEATS = 2
_CONTRIBUTION = bytes(16)


class Figures:
    """What the seats of all tables measure while `on`; times in seconds."""

    def __init__(self) -> None:
        self.on = False
        self.moves = 0
        self.to_ack: list[float] = []
        self.to_both: list[float] = []
        self.refusals: dict[str, int] = {}
        self.lost = 0

    def refused(self, answer: Answer) -> None:
        key = f"{answer.error.reason}: {answer.error.text}"
        self.refusals[key] = self.refusals.get(key, 0) + 1


class BenchTable:
    """One table in play: its moves that not everybody has seen yet, and when the next one may be made."""

    __slots__ = ("figures", "id", "next_at", "pace_s", "playing", "unseen")

    def __init__(self, figures: Figures, pace_s: float) -> None:
        self.figures = figures
        self.id = ""
        self.pace_s = pace_s
        self.next_at = 0.0
        self.playing = False
        self.unseen: list[
            list[float]
        ] = []  # version before the move, when it was sent, how many have seen it

    def sent(self, version: int, now: float) -> None:
        self.unseen.append([version, now, 0])

    def seen(self, previous: int, version: int, now: float) -> None:
        """A seat that had seen `previous` sees `version`."""
        for move in self.unseen:
            if previous <= move[0] < version:
                move[2] += 1
        while self.unseen and self.unseen[0][2] >= SEATS:
            _, sent_at, _ = self.unseen.pop(0)
            if self.figures.on:
                self.figures.moves += 1
                self.figures.to_both.append(now - sent_at)


class BenchSeat:
    """One account on one connection."""

    def __init__(self, table: BenchTable, prefix: str) -> None:
        self.table = table
        self.wire: Wire | None = None
        loop = asyncio.get_running_loop()
        self.welcomed: asyncio.Future[None] = loop.create_future()
        self.started: asyncio.Future[str] = loop.create_future()
        self.attached: asyncio.Future[None] = loop.create_future()
        self.dealt: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._prefix = prefix
        self._calls = 0
        self._sent: dict[int, float] = {}
        self._version = 0
        self._decided = -1
        self._ready_for = (0, 0)
        self._waiting: TableUpdate | None = None

    # ------------------------------------------------------------------------------------ getting there

    def hello(self, token: str) -> None:
        self._send(ClientMessage(hello=Hello(token=token)))

    def attach(self, table: str) -> None:
        self._send(ClientMessage(attach=AttachTable(table=table)))

    def play(self) -> None:
        """From now on it moves; the decision that waits is answered first."""
        update, self._waiting = self._waiting, None
        if update is not None:
            self._decide(update, time.perf_counter())

    def lost(self) -> None:
        """The connection ended before the bench did."""
        self.table.figures.lost += 1

    # ---------------------------------------------------------------------------------------- playing

    def take(self, frame: bytes) -> None:
        now = time.perf_counter()
        for message in ConnectResponse.FromString(frame).messages:
            match message.WhichOneof("kind"):
                case "table":
                    self._update(message.table, now)
                case "answer":
                    self._answer(message.answer, now)
                case "ping":
                    self._send(ClientMessage(pong=Pong(ping=message.ping.number)))
                case "welcome":
                    self.welcomed.set_result(None)
                case "notice" if message.notice.HasField("match_started") and not self.started.done():
                    self.started.set_result(message.notice.match_started.table)

    def _update(self, update: TableUpdate, now: float) -> None:
        version = update.version
        if version <= self._version:
            return
        if self._version:
            self.table.seen(self._version, version, now)
        self._version = version
        self._decide(update, now)

    def _decide(self, update: TableUpdate, now: float) -> None:
        table = self.table
        public, own = update.public, update.own
        if public.state == TABLE_STATE_PLAY:
            if not self.dealt.done():
                self.dealt.set_result(None)
            if not table.playing:
                self._waiting = update
            elif own.moves and own.turn != self._decided:
                self._decided = own.turn
                move = own.moves[own.turn % len(own.moves)].text
                if table.pace_s and table.next_at > now:
                    self._loop.call_later(table.next_at - now, self._move, move, own.turn)
                else:
                    self._move(move, own.turn)
        elif public.state == TABLE_STATE_READY:
            hand = (public.hand, public.tie_break)
            if hand != self._ready_for:
                self._ready_for = hand
                ready = Ready(table=table.id, hand=public.hand, contribution=_CONTRIBUTION)
                self._send(ClientMessage(ready=ready))

    def _move(self, move: str, turn: int) -> None:
        table = self.table
        now = time.perf_counter()
        table.next_at = max(now, table.next_at + table.pace_s)
        act = Act(table=table.id, command_id=f"{self._prefix}{turn}", move=move, turn=turn)
        self._sent[self._calls + 1] = now
        table.sent(self._version, now)
        self._send(ClientMessage(act=act))

    def _answer(self, answer: Answer, now: float) -> None:
        sent_at = self._sent.pop(answer.call, None)
        figures = self.table.figures
        if answer.HasField("error"):
            figures.refused(answer)
            if not self.attached.done():
                self.attached.set_exception(ConnectionError(answer.error.text))
        elif sent_at is not None:
            if figures.on:
                figures.to_ack.append(now - sent_at)
        elif answer.HasField("attached") and not self.attached.done():
            self.attached.set_result(None)

    def _send(self, message: ClientMessage) -> None:
        self._calls += 1
        message.call = self._calls
        if self.wire is not None:
            self.wire.send(ConnectRequest(messages=(message,)).SerializeToString())
