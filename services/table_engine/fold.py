"""From a log entry to the table: the only code that changes a table.

A new entry is folded before it is appended (`write`), because its facts and its proofs follow from the
state after it; if the append then fails the table leaves memory and comes back from its log (`replay`).
Both ways run the same functions, so a table in memory is what its log says.
"""

from collections.abc import Sequence
from functools import lru_cache

from google.protobuf.internal.containers import RepeatedScalarFieldContainer
from google.protobuf.message import DecodeError
from tavolo.table.v1 import log_pb2

from services.rules import time_control
from services.rules.clock import LEAD_IN_DEAL_MS, Clock, ClockRefusal
from services.rules.core.errors import OptionsError, Refused, UnknownGame
from services.rules.core.moves import ABANDON, Applied, Event
from services.rules.core.options import Options
from services.rules.core.registry import game
from services.runtime.messages import StoredMessage
from services.runtime.sealing import Sealer, SealError, move_place
from services.runtime.shards import log_subject
from services.table_engine import deal
from services.table_engine.table import Table
from services.table_engine.text import json_object


class FoldError(Exception):
    """A log that these rules cannot fold; the text names the entry and what is wrong with it."""


class Folder:
    """Folds entries. `ready_wait_ms`: how long a hand that is committed to waits for the seats."""

    def __init__(self, sealer: Sealer, ready_wait_ms: int) -> None:
        self.sealer = sealer
        self._ready_wait_ms = ready_wait_ms

    # ------------------------------------------------------------------------------- both ways in

    def write(self, table: Table, entry: log_pb2.LogEntry) -> list[Event]:
        """Folds an entry that is about to be appended, and completes it with what follows from the state.

        Returns what happened. `table.sequence` is to be set when the entry is stored.
        """
        events: list[Event] = []
        for record in entry.records:
            events += self._apply(table, entry.at_ms, record, writing=True)
        if table.waiting and not table.uncovered and table.hand is None:
            record = entry.records.add(committed=deal.commit(table, self.sealer))
            self._apply(table, entry.at_ms, record, writing=True)
        self._stamp(table, entry)
        return events

    def start(self, opened: log_pb2.MatchOpened) -> Table:
        """The table of a first record. FoldError."""
        try:
            return _opened(opened)
        except (OptionsError, UnknownGame, ValueError, TypeError) as error:
            raise FoldError(f"entry 1: {error}") from error

    def fold(self, stored: Sequence[StoredMessage]) -> Table:
        """The table of a log with at least one entry. FoldError."""
        table = self.replay(None, stored[0].data, stored[0].sequence)
        for message in stored[1:]:
            self.replay(table, message.data, message.sequence)
        return table

    def replay(self, table: Table | None, data: bytes, sequence: int) -> Table:
        """Folds a stored entry; the first one makes the table. FoldError."""
        number = table.version + 1 if table else 1
        try:
            entry = log_pb2.LogEntry.FromString(data)
            if not entry.records or not entry.worker:
                raise ValueError("an entry that says nothing, or not whose it is")
            if table is None:
                table = _opened(entry.records[0].opened)
            for record in entry.records:
                self._apply(table, entry.at_ms, record, writing=False)
        except (
            DecodeError, Refused, ClockRefusal, SealError, OptionsError, UnknownGame, ValueError, TypeError,
            LookupError,
        ) as error:  # fmt: skip
            raise FoldError(f"entry {number}: {error}") from error
        self._stamp(table, entry)
        table.sequence = sequence
        return table

    def _stamp(self, table: Table, entry: log_pb2.LogEntry) -> None:
        table.version += 1
        table.at = entry.at_ms
        table.worker, table.worker_ms = entry.worker, entry.worker_ms
        table.base = entry.worker_ms - entry.at_ms

    # ------------------------------------------------------------------------------------ records

    def _apply(self, table: Table, at: int, record: log_pb2.LogRecord, *, writing: bool) -> list[Event]:
        match record.WhichOneof("kind"):
            case "opened" if table.version == 0:
                pass
            case "moved":
                return self._moved(table, at, record.moved, writing=writing)
            case "ready":
                if table.ready is None:
                    raise ValueError("nobody was asked to be ready")
                table.ready[record.ready.seat] = record.ready.contribution
            case "dealt":
                return _dealt(table, at, record.dealt, writing=writing)
            case "committed":
                if not table.waiting or table.uncovered:
                    raise ValueError("no hand is about to be dealt")
                table.hand = deal.open_hand(table, record.committed, at + self._ready_wait_ms, self.sealer)
                table.ready = {}
            case "covered":
                return _covered(table, record.covered)
            case "connected":
                table.clock.back(at, record.connected.seat)
                table.seen |= {record.connected.seat}
            case "disconnected":
                table.clock.drop(at, record.disconnected.seat)
            case "resumed":
                table.clock.down(record.resumed.down_at_ms)
                table.clock.up(at, record.resumed.present)
            case "voided":
                table.void_reason = record.voided.reason
                table.uncovered = False
            case "published":
                table.published = True
            case kind:
                raise ValueError(f"a record that this version does not know ({kind})")
        return []

    def _moved(self, table: Table, at: int, move: log_pb2.MoveMade, *, writing: bool) -> list[Event]:
        state, seat = table.state, move.seat
        text = move.move or self.open_move(table.match, table.version + 1, move)
        before = state.to_act
        if move.expired:
            expire(table.clock, at, move)
        elif text != ABANDON.text:
            credit = judge(table.clock, at, move)
            if writing:
                move.lag_credit_ms = credit
        applied = state.apply(seat, text)
        events = applied.events
        if not table.over and state.phase != "deal" and table.hand is not None and table.hand.dealt:
            shuffled, roots = deal.shuffle(table, table.hand)
            events = events + shuffled
            _record(move.roots, roots, writing=writing)
        table.tally.follow(state)
        _turn_over(table, at, seat, applied)
        table.turn += 1
        _name_turns(table, before, seat)
        if move.command_id:
            table.commands.add(seat, move.command_id, table.version + 1)
        if table.waiting:
            table.hand, table.ended = None, table.hand
            if table.by_hand:
                table.hands += 1
                table.uncovered = True
        return events

    def seal_move(self, match: str, version: int, move: log_pb2.MoveMade, text: str) -> None:
        """Puts the text of a move that the game hides from somebody under seal."""
        move.key_id, move.sealed_move = self.sealer.seal(text.encode(), move_place(match, version, move.seat))

    def open_move(self, match: str, version: int, move: log_pb2.MoveMade) -> str:
        """The text of a sealed move of entry `version`. SealError."""
        return self.sealer.open(move.key_id, move.sealed_move, move_place(match, version, move.seat)).decode()


def judge(clock: Clock, at: int, move: log_pb2.MoveMade) -> int:
    """Asks the clock whether the move is in time; the lag credit. ClockRefusal."""
    if move.HasField("think_ms"):
        return clock.step(at, move.seat, think_ms=move.think_ms, rtt_ms=move.rtt_ms)
    return clock.step(at, move.seat)


def expire(clock: Clock, at: int, move: log_pb2.MoveMade) -> None:
    """The seat's time was up: fetch what was due, or judge the late move again that showed it."""
    expired = {each.seat for each in clock.expire(at)}
    if move.seat not in expired and move.seat in clock.running():
        try:
            judge(clock, at, move)
        except ClockRefusal:
            clock.expire(at)
        else:
            raise ValueError(f"seat {move.seat} had time left")


def _opened(opened: log_pb2.MatchOpened) -> Table:
    played = game(opened.game)
    if played.rules_version != opened.rules_version:
        raise ValueError(f"{opened.game} was played under rules version {opened.rules_version}")
    clock = Clock(_control(opened.control), len(opened.seats))
    for seat in range(len(opened.seats)):
        clock.drop(0, seat)
    return Table(opened, log_subject(opened.table), played, _options(played.id, opened.options), clock)


# Most tables are opened with the same few texts: they share what these say.
@lru_cache(maxsize=256)
def _control(text: str) -> time_control.Control:
    return time_control.Control(**json_object(text))


@lru_cache(maxsize=256)
def _options(game_id: str, text: str) -> Options:
    return game(game_id).options(json_object(text))


def _dealt(table: Table, at: int, dealt: log_pb2.HandDealt, *, writing: bool) -> list[Event]:
    hand = table.hand
    if hand is None or hand.dealt:
        raise ValueError("a deal without a commitment before it")
    deal.mix(table, hand, tuple(dealt.contributions))
    if hand.hand > 1 or hand.tie_break:
        table.clock.hand(at)
    events, roots = deal.shuffle(table, hand)
    _record(dealt.roots, roots, writing=writing)
    table.ready = table.ended = None
    table.clock.start(at, table.state.to_act, LEAD_IN_DEAL_MS)
    _name_turns(table, (), None)
    return events


def _covered(table: Table, covered: log_pb2.HandCovered) -> list[Event]:
    """The hand that ended is settled; if a seat cannot cover the next one, the match ends as it stands."""
    if not table.uncovered or covered.hand != table.hands:
        raise ValueError("it is another hand that is to be covered")
    table.uncovered = False
    table.missing = tuple(covered.missing)
    if not table.missing:
        return []
    events = [Event("hand_not_covered", None, {"seats": list(table.missing)}), *table.state.break_off()]
    table.tally.follow(table.state)
    return events


def _record(field: RepeatedScalarFieldContainer[bytes], roots: Sequence[bytes], *, writing: bool) -> None:
    if writing:
        field.extend(roots)
    elif list(field) != list(roots):
        raise ValueError("another deck than the log says")


def _turn_over(table: Table, at: int, seat: int, applied: Applied) -> None:
    """Stops and starts clocks as the move says (clock.md, section 1). After the match no clock matters."""
    if table.state.over:
        return
    clock, to_act = table.clock, table.state.to_act
    if seat in clock.running():
        if applied.suspended:
            clock.step(at, seat, suspend=True)
        elif applied.turn_ended or seat not in to_act:
            clock.move(at, seat)
    if applied.resumed is not None:
        clock.go(at, applied.resumed)
    for other in clock.running():
        if other not in to_act:
            clock.stop(at, other)
    running = clock.running()
    clock.start(at, [other for other in to_act if other not in running], applied.lead_in_ms)


def _name_turns(table: Table, before: Sequence[int], mover: int | None) -> None:
    """Gives a new number to the decision of each seat that has become able to act, or has moved."""
    for seat in table.state.to_act:
        if seat == mover or seat not in before:
            table.turns[seat] = table.turn
    if mover is not None:
        table.turns[mover] = table.turn
