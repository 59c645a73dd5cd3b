"""Matches of every game through the fold alone: clocks run for whoever is to act, and the log gives the same
table again."""

import json
import os
import random
from typing import Any

import pytest
from tavolo.table.v1 import log_pb2, view_pb2

from services.rules import time_control
from services.rules.core.game import Game
from services.rules.core.registry import games
from services.runtime.ids import new_id
from services.runtime.messages import StoredMessage
from services.runtime.sealing import Sealer
from services.table_engine.fold import Folder
from services.table_engine.table import Table

ENTRIES = 250


class Match:
    """A match whose seats are always there, and the log that it leaves."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        chosen = game.options(options)
        self.rng = random.Random(seed)  # noqa: S311 - a match that can be repeated
        self.folder = Folder(Sealer({"a": bytes(32)}, "a"), 15_000)
        self.at = 0
        self.log: list[bytes] = []
        opened = log_pb2.MatchOpened(
            table=new_id("tbl"),
            match=new_id("mch"),
            game=game.id,
            options=json.dumps(game.options_json(chosen)),
            rules_version=game.rules_version,
            dealer=self.rng.randrange(chosen.seats),
            control=json.dumps(time_control.control(game.id).to_json()),
            seats=[
                view_pb2.Seat(account=new_id("ply"), nickname=str(seat), side=chosen.side(seat))
                for seat in range(chosen.seats)
            ],
        )
        self.table: Table = self.folder.start(opened)
        self.write(log_pb2.LogRecord(opened=opened))
        for seat in range(chosen.seats):
            self.write(log_pb2.LogRecord(connected=log_pb2.SeatConnected(seat=seat)))

    def write(self, record: log_pb2.LogRecord) -> None:
        entry = log_pb2.LogEntry(at_ms=self.at, worker="wrk", worker_ms=self.at, records=[record])
        self.folder.write(self.table, entry)
        self.log.append(entry.SerializeToString())

    def step(self, leaver: int | None = None) -> None:
        """Deals, or lets a seat move, or leave."""
        table, state = self.table, self.table.state
        self.at += self.rng.randrange(1, 200)
        if table.waiting:
            given = [os.urandom(8) for _ in table.seats]
            self.write(log_pb2.LogRecord(dealt=log_pb2.HandDealt(contributions=given)))
            return
        seat = self.rng.choice(state.to_act) if leaver is None else leaver
        text = self.rng.choice(state.legal(seat)).text if leaver is None else "abandon"
        made = log_pb2.MoveMade(seat=seat, command_id=f"c{len(self.log)}")
        if state.sealed(seat, text):
            self.folder.seal_move(table.match, table.version + 1, made, text)
        else:
            made.move = text
        self.write(log_pb2.LogRecord(moved=made))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_clocks_run_for_whoever_is_to_act_and_the_log_gives_the_table_again(game: Game, seed: int) -> None:
    (seats,) = (spec.choices for spec in game.specs if spec.name == "seats")
    match = Match(game, {"seats": seats[min(seed, len(seats) - 1)]}, seed)
    for number in range(ENTRIES):
        if match.table.over:
            break
        leaves = seed and number % 60 == 59
        seat = match.rng.randrange(len(match.table.seats))
        allowed = leaves and match.table.state.check(seat, "abandon") is None
        match.step(seat if allowed else None)
        table = match.table
        running = set(table.clock.running())
        assert running <= set(table.state.to_act) or table.over
        if table.mode == "play" and game.id != "canasta":  # where a turn may wait for the other seat's answer
            assert running == set(table.state.to_act)
    again = match.folder.fold(
        [StoredMessage("log", number, data, {}) for number, data in enumerate(match.log, 1)]
    )
    assert again.state.to_json() == match.table.state.to_json()
    assert again.clock.to_json() == match.table.clock.to_json()
    assert again.turns == match.table.turns
