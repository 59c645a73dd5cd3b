"""A table in memory is what its log says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tavolo.table.v1 import log_pb2

from services.runtime.sealing import Sealer, SealError
from services.table_engine.fold import Folder, FoldError
from services.table_engine.table import Commands, Table
from tests.table_engine.matches import FOLDER, steps

SEATS = st.sampled_from([2, 4])


def snapshot(table: Table) -> dict[str, Any]:
    """All of a table that can be compared."""
    hand = table.hand
    return {
        "state": table.state.to_json(),
        "clock": table.clock.to_json(),
        "times": (table.at, table.base, table.version, table.worker, table.worker_ms),
        "turns": (table.turn, table.turns),
        "ready": table.ready,
        "seen": table.seen,
        "hand": hand and (hand.hand, hand.tie_break, hand.house_seed, hand.seed, hand.roots, hand.until),
        "ended": table.ended and table.ended.seed,
        "who": (table.seats, table.stake, table.options_json),
    }


@given(seed=st.integers(0, 2**32), seats=SEATS)
@settings(max_examples=15)
def test_a_log_folds_to_the_table_that_wrote_it(seed: int, seats: int) -> None:
    again: Table | None = None
    for sequence, step in enumerate(steps(seed, seats=seats, target=3), 1):
        again = FOLDER.replay(again, step.entry.SerializeToString(), sequence)
        assert snapshot(again) == snapshot(step.table)
        assert again.sequence == sequence


def test_the_commands_of_a_match_are_known_from_its_log() -> None:
    again: Table | None = None
    made = []
    for sequence, step in enumerate(steps(3, target=1), 1):
        again = FOLDER.replay(again, step.entry.SerializeToString(), sequence)
        made += [
            (record.moved.seat, record.moved.command_id, sequence)
            for record in step.entry.records
            if record.HasField("moved")
        ]
    assert again is not None
    assert len(made) >= 36
    for seat, command_id, version in made:
        assert again.commands.find(seat, command_id) == version
        assert again.commands.find(1 - seat, command_id) == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.text(min_size=1, max_size=8)), unique=True, max_size=60))
def test_commands_are_found_where_they_were_put_and_nowhere_else(given_: list[tuple[int, str]]) -> None:
    commands = Commands()
    for version, (seat, command_id) in enumerate(given_[: len(given_) // 2], 1):
        commands.add(seat, command_id, version)
    for version, (seat, command_id) in enumerate(given_, 1):
        known = version <= len(given_) // 2
        assert commands.find(seat, command_id) == (version if known else 0)


def logged(seed: int = 1) -> list[log_pb2.LogEntry]:
    """A log of some length."""
    return [step.entry for step in steps(seed, target=1)]


def replay(entries: list[log_pb2.LogEntry], folder: Folder = FOLDER) -> Table:
    table: Table | None = None
    for sequence, entry in enumerate(entries, 1):
        table = folder.replay(table, entry.SerializeToString(), sequence)
    assert table is not None
    return table


def first(entries: list[log_pb2.LogEntry], kind: str) -> tuple[int, log_pb2.LogRecord]:
    """Number of the first entry with such a record, and the record."""
    return next(
        (number, record)
        for number, entry in enumerate(entries, 1)
        for record in entry.records
        if record.HasField(kind)  # type: ignore[arg-type]  # one of the kinds
    )


@pytest.mark.parametrize(
    ("kind", "change", "text"),
    [
        ("moved", lambda record: record.moved.__setattr__("move", "play 1x"), "unparsable"),
        ("moved", lambda record: record.moved.__setattr__("seat", 1 - record.moved.seat), "not_running"),
        ("dealt", lambda record: record.dealt.roots.__setitem__(0, b"other"), "another deck"),
        ("dealt", lambda record: record.dealt.contributions.__setitem__(0, b"other"), "another deck"),
        ("dealt", lambda record: record.Clear(), "does not know"),
        ("opened", lambda record: record.opened.__setattr__("rules_version", 99), "rules version 99"),
        ("opened", lambda record: record.opened.__setattr__("game", "scoppa"), "scoppa"),
        (
            "committed",
            lambda record: record.committed.__setattr__("house_commitment", b"x" * 32),
            "committed",
        ),
        ("committed", lambda record: record.committed.__setattr__("key_id", "lost"), "lost"),
    ],
)
def test_a_log_that_says_something_else_is_refused_with_the_entry_named(
    kind: str, change: Any, text: str
) -> None:
    entries = logged()
    number, record = first(entries, kind)
    change(record)
    with pytest.raises(FoldError, match=text) as refused:
        replay(entries)
    assert f"entry {number}" in str(refused.value)


def test_a_log_cannot_be_folded_without_the_key_that_seals_its_seeds() -> None:
    with pytest.raises(FoldError, match="entry 1"):
        replay(logged(), Folder(Sealer({"one": b"2" * 32}, "one"), 15_000))


def test_a_sealed_seed_of_another_table_is_refused() -> None:
    entries, others = logged(1), logged(2)
    number, record = first(entries, "committed")
    record.CopyFrom(first(others, "committed")[1])
    with pytest.raises(FoldError, match=f"entry {number}"):
        replay(entries)


def test_a_sealed_move_opens_in_its_place_only() -> None:
    move = log_pb2.MoveMade(seat=1)
    FOLDER.seal_move("mch_a", 7, move, "give Kc")
    assert b"give" not in move.SerializeToString()
    assert FOLDER.open_move("mch_a", 7, move) == "give Kc"
    for match, version, seat in (("mch_b", 7, 1), ("mch_a", 8, 1), ("mch_a", 7, 0)):
        move.seat = seat
        with pytest.raises(SealError):
            FOLDER.open_move(match, version, move)


def test_a_cut_entry_is_refused() -> None:
    entries = logged()
    data = entries[0].SerializeToString()
    with pytest.raises(FoldError, match="entry 1"):
        FOLDER.replay(None, data[:-3], 1)
