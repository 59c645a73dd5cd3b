"""Matches in this process, each table kept as it was after every entry of its log."""

import copy
from typing import Any, Literal, NamedTuple

from tavolo.table.v1 import log_pb2

from services.rules.core.moves import ABANDON, Event
from services.rules.core.state import State
from services.table_engine.table import Hand, Table
from tests.security.knowledge import Knowledge
from tests.table_engine.matches import FOLDER, steps

Ending = Literal["abandon", "void"]


class Moment(NamedTuple):
    """One entry of a log: the table before it (None: it is the first) and after it, and what happened."""

    before: Table | None
    after: Table
    entry: log_pb2.LogEntry
    events: list[Event]


def moments(seed: int, ending: tuple[Ending, int] | None = None, **options: object) -> list[Moment]:
    """A match with random moves, whole, or as far as so many entries and then ended in another way."""
    found: list[Moment] = []
    before = None
    for step in steps(seed, **options):
        after = fork(step.table)
        found.append(Moment(before, after, step.entry, step.events))
        before = after
        if ending and ending[1] == len(found) and not after.over:
            found.append(_ended(after, ending[0], seed % len(after.seats)))
            break
    return found


def _ended(table: Table, ending: Ending, seat: int) -> Moment:
    if ending == "abandon":
        record = log_pb2.LogRecord(moved=log_pb2.MoveMade(seat=seat, move=ABANDON.text))
    else:
        record = log_pb2.LogRecord(voided=log_pb2.MatchVoided(reason="a test"))
    entry = log_pb2.LogEntry(at_ms=table.at, worker=table.worker, worker_ms=table.worker_ms, records=[record])
    after = fork(table)
    return Moment(table, after, entry, FOLDER.write(after, entry))


def fork(table: Table, state: State[Any] | None = None) -> Table:
    """A table of its own that is equal, or has this state."""
    new = copy.copy(table)
    new.state = state or table.state.copy()
    new.clock = table.clock.copy()
    new.turns = list(table.turns)
    new.commands = copy.deepcopy(table.commands)
    new.hand, new.ended = _hand(table.hand), _hand(table.ended)
    new.ready = None if table.ready is None else dict(table.ready)
    return new


def _hand(hand: Hand | None) -> Hand | None:
    if hand is None:
        return None
    new = copy.copy(hand)
    new.roots, new.cards = list(hand.roots), list(hand.cards)
    new.proof = b""
    return new


def knowledge(match: list[Moment]) -> Knowledge:
    """What is hidden from whom after each entry."""
    hands = [moment.after.hand for moment in match if moment.after.hand]
    return Knowledge([moment.entry for moment in match], {hand.commitment: hand.house_seed for hand in hands})
