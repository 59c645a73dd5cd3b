"""Deadlines as a plain value: compared with a dictionary that is searched whole."""

from hypothesis import given
from hypothesis import strategies as st

from services.clock.deadlines import Deadlines, Due

TABLES = st.sampled_from("abc")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), TABLES, st.integers(0, 30)),
        st.tuples(st.just("forget"), TABLES, st.just(0)),
        st.tuples(st.just("again"), TABLES, st.integers(0, 30)),
        st.tuples(st.just("pass"), st.just(""), st.integers(1, 12)),
    ),
    max_size=60,
)


@given(STEPS)
def test_every_deadline_is_told_once_at_its_time_and_the_nearest_first(
    steps: list[tuple[str, str, int]],
) -> None:
    deadlines = Deadlines()
    wanted: dict[str, Due] = {}
    told: dict[str, Due] = {}
    now = version = 0
    for kind, table, number in steps:
        if kind == "put":
            version += 1
            deadlines.put(table, version, now + number)
            wanted[table] = Due(table, version, now + number)
            told.pop(table, None)
        elif kind == "forget":
            deadlines.forget(table)
            wanted.pop(table, None)
            told.pop(table, None)
        elif kind == "again" and table in told:
            due = told.pop(table)
            deadlines.again(table, due.version, now + number)
            wanted[table] = Due(table, due.version, now + number)
        elif kind == "pass":
            now += number
            expected = sorted(
                (due for due in wanted.values() if due.at <= now), key=lambda due: (due.at, due.table)
            )
            found = []
            while (taken := deadlines.take(now)) is not None:
                found.append(taken)
            assert sorted(found, key=lambda due: (due.at, due.table)) == expected
            for one in found:
                told[one.table] = wanted.pop(one.table)
        nearest = min((due.at for due in wanted.values()), default=None)
        assert deadlines.nearest() == nearest
        next_at = deadlines.next_at()
        assert nearest is None or (next_at is not None and next_at <= nearest)
        assert len(deadlines) == len(wanted) + len(told)


def test_a_later_deadline_costs_no_place_in_the_heap() -> None:
    deadlines = Deadlines()
    assert deadlines.put("a", 1, 10.0)
    assert not any(deadlines.put("a", version, 10.0 + version) for version in range(2, 1000))
    assert deadlines.take(10.5) is None
    assert deadlines.next_at() == 10.0 + 999
    assert deadlines.take(2000.0) == Due("a", 999, 1009.0)
    assert deadlines.take(3000.0) is None


def test_an_answer_to_an_old_fact_changes_nothing() -> None:
    deadlines = Deadlines()
    deadlines.put("a", 1, 1.0)
    assert deadlines.take(1.0) == Due("a", 1, 1.0)
    deadlines.put("a", 2, 5.0)
    deadlines.again("a", 1, 2.0)
    deadlines.forget("a", 1)
    assert deadlines.take(4.0) is None
    assert deadlines.take(5.0) == Due("a", 2, 5.0)


def test_tables_that_somebody_else_looks_after_are_forgotten() -> None:
    deadlines = Deadlines()
    for number, table in enumerate("abcd"):
        deadlines.put(table, 1, number)
    deadlines.forget_all(lambda table: table in "ac")
    assert [due.table for due in iter(lambda: deadlines.take(9.0), None) if due] == ["b", "d"]
