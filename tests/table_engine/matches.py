"""Matches in this process: the engine's fold without network, for tests of what it makes of an entry."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from tavolo.table.v1 import log_pb2

from services.rules.core.moves import Event
from services.runtime.ids import new_id
from services.runtime.sealing import Sealer
from services.table_engine import match, ready
from services.table_engine.fold import Folder
from services.table_engine.table import Table
from tests.table_engine.players import start_request

SEALER = Sealer({"one": b"1" * 32}, "one")
FOLDER = Folder(SEALER, ready_wait_ms=15_000)


class Step(NamedTuple):
    """A table after one entry, the entry, and what happened."""

    table: Table
    entry: log_pb2.LogEntry
    events: list[Event]


def steps(seed: int, **options: object) -> Iterator[Step]:
    """A whole match with random moves and times, entry by entry."""
    rnd = random.Random(seed)  # noqa: S311 - a choice that can be repeated
    request = start_request([new_id("ply") for _ in range(int(str(options.get("seats", 2))))], **options)
    opened = match.opened(request)
    opened.dealer = rnd.randrange(len(opened.seats))
    table = FOLDER.start(opened)
    at = 0

    def put(*records: log_pb2.LogRecord) -> Step:
        entry = log_pb2.LogEntry(at_ms=at, worker="wrk_a", worker_ms=at + 1000, records=records)
        return Step(table, entry, FOLDER.write(table, entry))

    yield put(log_pb2.LogRecord(opened=opened))
    for seat in range(len(opened.seats)):
        yield put(log_pb2.LogRecord(connected=log_pb2.SeatConnected(seat=seat)))
    while not table.over:
        at += rnd.randrange(8_000)
        if table.waiting:
            assert table.ready is not None
            seat = len(table.ready)
            said = log_pb2.LogRecord(
                ready=log_pb2.SeatReady(seat=seat, contribution=rnd.randbytes(rnd.randrange(33)))
            )
            if seat < len(opened.seats) - 1:
                yield put(said)
            else:
                yield put(said, ready.dealt(table, {**table.ready, seat: said.ready.contribution}))
            continue
        if rnd.random() < 0.05:
            seat = rnd.randrange(len(opened.seats))
            yield put(log_pb2.LogRecord(disconnected=log_pb2.SeatDisconnected(seat=seat)))
            yield put(log_pb2.LogRecord(connected=log_pb2.SeatConnected(seat=seat)))
        seat = table.state.to_act[0]
        move = log_pb2.MoveMade(
            seat=seat,
            move=rnd.choice(table.state.legal(seat)).text,
            command_id=f"c{table.version}",
            think_ms=rnd.randrange(4_000),
            rtt_ms=rnd.randrange(300),
        )
        yield put(log_pb2.LogRecord(moved=move))
