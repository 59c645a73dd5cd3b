"""The clock beyond its cases (clock.md): ties, lag, outages, pauses, and what always holds."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.clock import (
    LEAD_IN_CAPTURE_MS,
    LEAD_IN_DEAL_MS,
    Clock,
    ClockRefusal,
    Control,
    Expired,
    control,
    control_from_json,
)

NO_LAG = control_from_json({"lag_start": 0, "lag_gain": 0})


def running(seats: int = 2, use: Control = NO_LAG, **start: Any) -> Clock:
    """A clock with seat 0 on turn since time 0."""
    clock = Clock(use, seats)
    clock.start(0, [0], **start)
    return clock


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(ClockRefusal) as refusal:
        act()
    assert refusal.value.code == code


# --------------------------------------------------------------------------------------- ties


@pytest.mark.parametrize(("used", "left"), [(10_000, 120_000), (10_001, 109_999), (9_999, 120_000)])
def test_the_bonus_is_earned_up_to_the_threshold(used: int, left: int) -> None:
    clock = running()
    clock.move(used, 0)
    assert clock.banks[0] == left


def test_a_move_in_the_last_millisecond_stands_and_one_later_does_not() -> None:
    clock = running()
    clock.move(120_000, 0, next_seats=[1])
    assert (clock.banks[0], clock.expire(120_000), clock.running()) == (0, [], [1])
    late = running()
    refused("not_running", lambda: late.move(120_001, 0))
    assert late.expire(120_001) == [Expired(0, 120_000)]


def test_a_move_stamped_before_the_last_event_counts_as_simultaneous_with_it() -> None:
    clock = Clock(NO_LAG, 2)
    clock.start(0, [0, 1])
    clock.move(30_000, 0)
    clock.move(29_000, 1)
    assert clock.banks == [90_000, 90_000]
    assert clock.now == 30_000


def test_out_of_time_ends_the_turn_and_stops_the_others() -> None:
    clock = Clock(control("tarocco"), 2)
    clock.start(0, [0, 1])
    refused("out_of_time", lambda: clock.move(120_500, 0))
    assert clock.running() == []
    assert clock.banks == [0, 120_000]
    refused("not_running", lambda: clock.move(120_500, 1))
    assert clock.next_due() == 120_500
    assert clock.expire(120_500) == [Expired(0, 120_500)]
    assert clock.next_due() is None


def test_a_step_out_of_time_is_refused_too() -> None:
    clock = Clock(control("burraco"), 2)
    clock.start(0, [0])
    refused("out_of_time", lambda: clock.step(120_500, 0))
    assert clock.expire(120_500) == [Expired(0, 120_500)]
    assert clock.banks[0] == 60_000


@given(seats=st.integers(2, 6), banks=st.lists(st.integers(10_000, 50_000), min_size=6, max_size=6))
def test_one_seat_expires_at_a_time(seats: int, banks: list[int]) -> None:
    clock = Clock(NO_LAG, seats)
    clock.banks = banks[:seats]
    clock.start(0, range(seats))
    first = min(banks[:seats])
    assert clock.next_due() == first
    assert clock.expire(10**6) == [Expired(banks.index(first), first)]
    assert clock.running() == []


def test_a_turn_that_another_seat_ends_is_charged_and_earns_nothing() -> None:
    clock = running()
    clock.stop(4000, 0)
    assert clock.running() == []
    assert clock.banks[0] == NO_LAG.bank - 4000
    assert clock.next_due() is None
    clock.stop(5000, 0)
    assert clock.banks[0] == NO_LAG.bank - 4000


def test_with_expiry_seat_each_expires_by_itself_and_play_goes_on() -> None:
    clock = Clock(control("solitario"), 3)
    clock.start(0, [0, 1, 2])
    clock.banks[1] = 500_000
    assert clock.next_due() == 501_000
    assert clock.expire(10**6) == [Expired(1, 501_000), Expired(0, 901_000), Expired(2, 901_000)]
    assert clock.banks == [0, 0, 0]


def test_after_an_expiry_new_turns_may_begin() -> None:
    clock = running(use=control("poker"))
    assert clock.expire(61_000) == [Expired(0, 61_000)]
    clock.start(61_000, [0])
    assert clock.left(61_000) == [15_000, 45_000]


# ---------------------------------------------------------------------------------------- lag


@pytest.mark.parametrize(
    ("think", "rtt", "credit"),
    [
        (29_900, 80, 80),
        (29_900, 500, 100),
        (None, 500, 0),
        (29_900, None, 0),
        (40_000, 500, 0),
        (0, 9_000, 1_000),
    ],
)
def test_credit(think: int | None, rtt: int | None, credit: int) -> None:
    clock = running(use=control("tarocco"))
    assert clock.move(30_000, 0, think_ms=think, rtt_ms=rtt) == credit
    assert clock.banks[0] == 90_000 + credit
    assert clock.quota[0] == min(4_000, 2_500 - credit)


def test_a_report_is_judged_by_what_this_step_added() -> None:
    clock = running(use=control("canasta"))
    assert clock.step(10_000, 0, think_ms=9_000, rtt_ms=600) == 600
    assert clock.step(12_000, 0, think_ms=1_500, rtt_ms=600) == 500
    assert clock.move(12_100, 0, think_ms=0, rtt_ms=600) == 100
    assert clock.banks[0] == 180_000


def test_no_delay_earns_more_than_the_quota() -> None:
    clock = Clock(control("tarocco"), 1)
    total = 0
    for turn in range(20):
        clock.start(turn * 20_000, [0])
        total += clock.move(turn * 20_000 + 2_000, 0, think_ms=0, rtt_ms=60_000)
    assert total <= 2_000 + 20 * 500


def test_a_refused_report_is_not_credited() -> None:
    clock = running(use=control("tarocco"))
    refused("out_of_time", lambda: clock.move(120_900, 0, think_ms=120_800, rtt_ms=90))
    assert clock.quota[0] == 2_000


# ----------------------------------------------------------------------- lead-in, steps, suspension


def test_a_lead_in_is_not_charged_and_uses_no_grace() -> None:
    clock = running(lead_in_ms=2_500)
    clock.drop(1_000, 0)
    assert (clock.lead_in(1_000), clock.next_due()) == (1_500, 2_500 + 45_000 + 120_000)
    clock.back(2_500, 0)
    assert clock.grace_left(2_500) == [90_000, 90_000]
    assert clock.lead_in(2_500) == 0
    assert clock.used(3_000) == [500, 0]


def test_a_suspended_turn_keeps_what_was_used() -> None:
    clock = running(use=control("canasta"))
    clock.step(8_000, 0, suspend=True, next_seats=[1])
    assert clock.running() == [1]
    assert clock.left(20_000) == [180_000, 108_000]
    refused("not_running", lambda: clock.step(20_000, 0))
    clock.move(20_000, 1)
    clock.go(20_000, 0)
    assert clock.left(20_000)[0] == 112_000
    clock.move(30_000, 0)
    assert clock.banks == [180_000, 180_000]


def test_a_turn_is_not_begun_twice_nor_resumed_without_suspension() -> None:
    clock = running()
    with pytest.raises(ValueError, match="has a turn already"):
        clock.start(0, [0])
    with pytest.raises(ValueError, match="not suspended"):
        clock.go(0, 0)


# --------------------------------------------------------------------- connection, outage, pause


def test_grace_comes_before_the_bank_and_costs_the_bonus() -> None:
    clock = running()
    clock.drop(1_000, 0)
    assert clock.bonus(1_000) == [True, False]
    assert (clock.used(5_000), clock.grace_left(5_000)) == ([1_000, 0], [86_000, 90_000])
    assert clock.bonus(5_000) == [False, False]
    clock.back(5_000, 0)
    clock.move(6_000, 0)
    assert clock.banks[0] == 118_000


def test_being_away_while_another_is_on_turn_is_free() -> None:
    clock = running()
    clock.drop(0, 1)
    clock.move(60_000, 0, next_seats=[1])
    clock.back(60_000, 1)
    assert clock.grace_left(60_000) == [90_000, 90_000]


@pytest.mark.parametrize("resume", [0, 20_000])
def test_an_outage_costs_nothing_and_the_wait_is_bounded(resume: int) -> None:
    clock = running(use=control_from_json({"lag_start": 0, "resume": resume}))
    clock.down(119_000)
    assert clock.next_due() is None
    assert clock.expire(10**6) == []
    clock.up(10**6, [0])
    assert clock.waiting(10**6) == resume
    assert clock.next_due() == 10**6 + resume + 1_000
    assert clock.connected == [True, False]
    assert clock.expire(10**6 + resume + 1_000) == [Expired(0, 10**6 + resume + 1_000)]


def test_the_wait_ends_when_everybody_is_back() -> None:
    clock = running()
    clock.down(5_000)
    clock.up(100_000, [])
    clock.back(101_000, 0)
    assert clock.waiting(101_000) == 19_000
    clock.back(102_000, 1)
    assert clock.waiting(102_000) == 0
    assert clock.used(103_000) == [6_000, 0]


def test_a_pause_stops_time_grace_and_moves() -> None:
    clock = running()
    clock.drop(1_000, 0)
    clock.pause(2_000)
    refused("paused", lambda: clock.move(3_000, 0))
    refused("paused", lambda: clock.step(3_000, 1))
    assert clock.next_due() is None
    assert clock.expire(10**7) == []
    clock.resume(10**7)
    assert clock.grace_left(10**7) == [89_000, 90_000]
    assert clock.used(10**7) == [1_000, 0]


def test_what_fell_due_before_a_pause_is_declared() -> None:
    clock = running()
    clock.pause(120_001)
    assert clock.expire(120_001) == [Expired(0, 120_000)]


def test_more_time_never_passes_the_cap() -> None:
    clock = Clock(control("sette_e_mezzo"), 2)
    clock.hand(0)
    assert clock.banks == [30_000, 30_000]
    clock.start(0, [0])
    clock.move(30_000, 0)
    clock.hand(30_000)
    clock.extend(30_000, 0, 1_000)
    assert clock.banks == [16_000, 30_000]


# ----------------------------------------------------------------------------------- what it shows


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (0, "0.0"),
        (1, "0.1"),
        (100, "0.1"),
        (101, "0.2"),
        (9_900, "9.9"),
        (9_901, "10.0"),
        (9_999, "10.0"),
        (10_000, "0:10"),
        (10_001, "0:11"),
        (59_001, "1:00"),
        (60_000, "1:00"),
        (119_999, "2:00"),
        (3_600_000, "60:00"),
    ],
)
def test_show(left: int, text: str) -> None:
    clock = Clock(Control(bank=left, cap=3_600_000), 1)
    assert clock.show(0) == [text]


def test_how_long_clients_show_what_happened() -> None:
    assert (LEAD_IN_DEAL_MS, LEAD_IN_CAPTURE_MS) == (2_500, 800)


def test_a_snapshot_keeps_expiries_that_were_not_fetched() -> None:
    clock = running()
    clock.pause(120_001)
    back = Clock.from_json(json.loads(json.dumps(clock.to_json())))
    (expired,) = back.expire(120_001)
    assert (expired.seat, expired.at) == (0, 120_000)


def test_no_clock_shows_less_than_nothing() -> None:
    clock = running(use=control("tarocco"))
    assert clock.left(120_700) == [0, 120_000]
    assert clock.next_due() == 121_000


# ------------------------------------------------------------------------------- any course of events

EVENTS = st.lists(
    st.tuples(
        st.integers(0, 30_000),
        st.sampled_from(
            [
                "start",
                "move",
                "step",
                "suspend",
                "go",
                "drop",
                "back",
                "pause",
                "resume",
                "outage",
                "hand",
                "extend",
            ]
        ),
        st.integers(0, 2),
        st.integers(0, 5_000),
    ),
    max_size=40,
)
CONTROLS = st.sampled_from([*map(control, ("scopa", "poker", "solitario", "canasta", "uno")), NO_LAG])


def happen(clock: Clock, t_ms: int, event: str, seat: int, n: int) -> None:
    """Let one event happen; what the clock refuses, or the order of events excludes, does not."""
    try:
        match event:
            case "start":
                clock.start(t_ms, [seat], n)
            case "move":
                clock.move(t_ms, seat, think_ms=n, rtt_ms=300, next_seats=[seat], lead_in_ms=n % 3 * 400)
            case "step":
                clock.step(t_ms, seat, think_ms=n, rtt_ms=300)
            case "suspend":
                clock.step(t_ms, seat, suspend=True)
            case "outage":
                clock.down(t_ms)
                clock.up(t_ms + n, [seat])
            case "extend":
                clock.extend(t_ms, seat, n)
            case "go" | "drop" | "back":
                getattr(clock, event)(t_ms, seat)
            case _:
                getattr(clock, event)(t_ms)
    except (ClockRefusal, ValueError):
        return


def told(clock: Clock, t_ms: int) -> Any:
    shown = [clock.left(t_ms), clock.used(t_ms), clock.grace_left(t_ms), clock.bonus(t_ms), clock.show(t_ms)]
    return [*shown, clock.lead_in(t_ms), clock.waiting(t_ms), clock.running(), clock.next_due()]


@given(use=CONTROLS, events=EVENTS)
def test_what_always_holds(use: Control, events: list[tuple[int, str, int, int]]) -> None:
    clock, t_ms = Clock(use, 3), 0
    for wait, event, seat, n in events:
        t_ms += wait
        happen(clock, t_ms, event, seat, n)
        t_ms = max(t_ms, clock.now)
        assert all(0 <= bank <= use.cap for bank in clock.banks)
        assert all(0 <= quota <= use.lag_max for quota in clock.quota)
        assert all(0 <= grace <= use.grace for grace in clock.grace)
        assert all(left >= 0 for left in clock.left(t_ms + n))
        assert told(Clock.from_json(json.loads(json.dumps(clock.to_json()))), t_ms + n) == told(
            clock, t_ms + n
        )
        assert clock.copy().to_json() == clock.to_json()
        due = clock.next_due()
        assert (due is None) == (not clock.to_json()["expired"] and (clock.paused or not clock.running()))


@given(use=CONTROLS, events=EVENTS, looks=st.lists(st.integers(0, 10**6), max_size=20))
def test_looking_in_between_changes_nothing(
    use: Control, events: list[tuple[int, str, int, int]], looks: list[int]
) -> None:
    """Time reckoned in pieces is time reckoned at once, as long as nothing falls due with an event."""
    plain, watched, t_ms = Clock(use, 3), Clock(use, 3), 0
    expired: list[Expired] = []
    for wait, event, seat, n in events:
        for look in sorted(look % (wait + 1) for look in looks):
            if look < wait:
                before = told(plain, t_ms + look)[:5]
                expired += watched.expire(t_ms + look)
                if not plain.copy().expire(t_ms + look):
                    assert told(watched, t_ms + look)[:5] == before
        t_ms += wait
        happen(plain, t_ms, event, seat, n)
        happen(watched, t_ms, event, seat, n)
        t_ms = max(t_ms, plain.now)
    assert expired + watched.expire(t_ms) == plain.expire(t_ms)
    assert watched.to_json() == plain.to_json()


@given(use=CONTROLS, events=EVENTS)
def test_nothing_expires_before_it_is_due(use: Control, events: list[tuple[int, str, int, int]]) -> None:
    clock, t_ms = Clock(use, 3), 0
    for wait, event, seat, n in events:
        t_ms += wait
        happen(clock, t_ms, event, seat, n)
        t_ms = max(t_ms, clock.now)
        due = clock.next_due()
        if due is not None and not clock.to_json()["expired"]:
            assert clock.copy().expire(due - 1) == []
            first = clock.copy().expire(due)
            assert first
            assert {each.at for each in first} == {due}
        elif due is None:
            assert clock.copy().expire(t_ms + 10**9) == []


def test_a_copy_is_independent() -> None:
    clock = running()
    other = clock.copy()
    before = clock.to_json()
    other.move(30_000, 0, next_seats=[1])
    assert clock.to_json() == before
    spoiled = clock.to_json()
    spoiled["banks"].clear()
    assert clock.to_json() == before
