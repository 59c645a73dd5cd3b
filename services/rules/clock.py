"""The table's clock (clock.md): a pure value, driven by the times of what happened.

All times are whole milliseconds of table time, given by the caller. An event that is stamped before the
clock's last one (messages may overtake each other on their way) counts as simultaneous with it.

Expiries that fell due before an event's time are applied first; those due in the same millisecond come
after it (section 3). Whoever drives the clock learns of them from `expire`, and when to call it from
`next_due`.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, Literal, NamedTuple, Self

from services.rules.time_control import Control, control, control_from_json

__all__ = [
    "LEAD_IN_CAPTURE_MS", "LEAD_IN_DEAL_MS", "Clock", "ClockRefusal", "Control", "Expired", "Face", "control",
    "control_from_json",
]  # fmt: skip

LEAD_IN_DEAL_MS = 2500
"""How long clients show a deal before the next clock starts (section 5)."""
LEAD_IN_CAPTURE_MS = 800
"""How long they show a trick or capture."""


class ClockRefusal(Exception):
    """The clock does not accept a move or step: `not_running`, `out_of_time` or `paused` (section 11)."""

    def __init__(self, code: Literal["not_running", "out_of_time", "paused"]) -> None:
        super().__init__(code)
        self.code = code


class Expired(NamedTuple):
    """A seat's clock ran out; `at` is when that was declared."""

    seat: int
    at: int


class Face(NamedTuple):
    """What a clock shows (section 9): time left for the turn if it runs, else the bank; whether it runs; the
    grace that the seat has left; whether the bonus is still to be had; what is left of the lead-in."""

    left: int
    running: bool
    grace: int
    bonus: bool
    lead_in: int


class _Turn(IntEnum):
    NONE = 0
    RUNNING = 1
    SUSPENDED = 2


_NONE, _RUNNING, _SUSPENDED = _Turn


class Clock:
    """The clocks of one table. The attributes are per seat and for reading only."""

    __slots__ = (
        "_down", "_expired", "_graced", "_lead", "_step", "_turn", "_used", "_wait", "banks", "connected",
        "control", "grace", "now", "paused", "quota",
    )  # fmt: skip

    def __init__(self, control: Control, seats: int) -> None:
        self.control = control
        self.banks = [control.bank] * seats
        self.quota = [control.lag_start] * seats
        self.grace = [control.grace] * seats
        self.connected = [True] * seats
        self.now = 0  # the time up to which everything below has been reckoned
        self.paused = False
        self._down = False
        self._wait = 0  # what is left of the wait for players after an outage
        self._turn = [_NONE] * seats
        self._lead = [0] * seats  # what is left of the lead-in
        self._used = [0] * seats  # charged to this turn
        self._step = [0] * seats  # of it, what was charged up to the last step
        self._graced = [0] * seats  # grace used in this turn
        self._expired: list[Expired] = []  # not yet fetched by `expire`

    # ----------------------------------------------------------------------- events of section 13

    def start(self, t_ms: int, seats: Iterable[int], lead_in_ms: int = 0) -> None:
        """Turns of these seats begin; their clocks start after the lead-in."""
        self._reach(t_ms)
        self._begin(seats, lead_in_ms)

    def step(
        self, t_ms: int, seat: int, *, think_ms: int | None = None, rtt_ms: int | None = None,
        suspend: bool = False, next_seats: Iterable[int] = (),
    ) -> int:  # fmt: skip
        """A step of a turn, which goes on or is suspended for the answer of others. Returns the lag credit.

        ClockRefusal: as `move`.
        """
        credit = self._charge(t_ms, seat, think_ms, rtt_ms)
        self._step[seat] = self._used[seat]
        if suspend:
            self._turn[seat] = _SUSPENDED
        self._begin(next_seats, 0)
        return credit

    def go(self, t_ms: int, seat: int) -> None:
        """A suspended turn goes on."""
        self._reach(t_ms)
        if self._turn[seat] is not _SUSPENDED:
            raise ValueError(f"the turn of seat {seat} is not suspended")
        self._turn[seat] = _RUNNING

    def move(
        self, t_ms: int, seat: int, *, think_ms: int | None = None, rtt_ms: int | None = None,
        next_seats: Iterable[int] = (), lead_in_ms: int = 0,
    ) -> int:  # fmt: skip
        """The move that ends the turn; turns of `next_seats` begin. Returns the lag credit (section 2).

        ClockRefusal: `paused`; `not_running`; `out_of_time`, and then the seat has expired at this instant.
        """
        credit = self._charge(t_ms, seat, think_ms, rtt_ms)
        control = self.control
        used = self._used[seat]
        bank = self.banks[seat] - max(0, used - control.free)
        if used <= control.threshold and not self._graced[seat]:
            bank = min(control.cap, bank + control.bonus)
        self.banks[seat] = bank
        self.quota[seat] = min(control.lag_max, self.quota[seat] + control.lag_gain)
        self._turn[seat] = _NONE
        self._begin(next_seats, lead_in_ms)
        return credit

    def stop(self, t_ms: int, seat: int) -> None:
        """A turn ends without a move of its seat: somebody else's has ended the hand. What it used is
        charged, and it earns nothing."""
        self._reach(t_ms)
        if self._turn[seat] is not _NONE:
            self.banks[seat] = max(0, self.banks[seat] - max(0, self._used[seat] - self.control.free))
            self._turn[seat] = _NONE

    def drop(self, t_ms: int, seat: int) -> None:
        """The seat is disconnected."""
        self._reach(t_ms)
        self.connected[seat] = False

    def back(self, t_ms: int, seat: int) -> None:
        """The seat's client has loaded the position again."""
        self._reach(t_ms)
        self.connected[seat] = True
        if all(self.connected):
            self._wait = 0

    def down(self, t_ms: int) -> None:
        """The last moment of which a stored record shows that the table was served (section 7)."""
        self._reach(t_ms)
        self._down = True

    def up(self, t_ms: int, present: Iterable[int]) -> None:
        """The table is open again, with these seats connected; clocks wait for the others."""
        self._reach(t_ms)
        self._down = False
        here = set(present)
        self.connected = [seat in here for seat in range(len(self.connected))]
        self._wait = 0 if all(self.connected) else self.control.resume

    def hand(self, t_ms: int) -> None:
        """A further hand of the match is dealt."""
        self._reach(t_ms)
        for seat in range(len(self.banks)):
            self._give(seat, self.control.hand)

    def pause(self, t_ms: int) -> None:
        """A director, or the platform, stops all clocks."""
        self._reach(t_ms)
        self.paused = True

    def resume(self, t_ms: int) -> None:
        """The pause is over."""
        self._reach(t_ms)
        self.paused = False

    def extend(self, t_ms: int, seat: int, ms: int) -> None:
        """A director gives a seat more time, within the cap."""
        self._reach(t_ms)
        self._give(seat, ms)

    def expire(self, t_ms: int) -> list[Expired]:
        """Apply what is due up to and including this time; all expiries since the last call, in order."""
        self._apply_due(t_ms)
        self._settle(t_ms)
        expired, self._expired = self._expired, []
        return expired

    # ------------------------------------------------------------------------------ what it shows

    def next_due(self) -> int | None:
        """When `expire` must be called next unless something happens before; None when no clock runs."""
        if self._expired:
            return self.now
        if self.paused or self._down:
            return None
        return min((self._due(seat) for seat in self.running()), default=None)

    def running(self) -> list[int]:
        """The seats whose clocks run, ascending; they keep their turns while the table is paused or waits."""
        return [seat for seat, turn in enumerate(self._turn) if turn is _RUNNING]

    def used(self, t_ms: int) -> list[int]:
        """Time charged to each seat's turn at `t_ms`, 0 without a turn."""
        return [self._passed(seat, t_ms)[2] if turn else 0 for seat, turn in enumerate(self._turn)]

    def left(self, t_ms: int) -> list[int]:
        """What each clock shows at `t_ms` (section 9): time left for the turn if it runs, else the bank."""
        return [
            max(0, self._most(seat) - used) if turn is _RUNNING else self.banks[seat]
            for seat, (turn, used) in enumerate(zip(self._turn, self.used(t_ms), strict=True))
        ]

    def faces(self, t_ms: int) -> list[Face]:
        """What each clock shows at `t_ms`, all at once."""
        return [
            self._face(seat, t_ms)
            if turn is _RUNNING
            else Face(self.banks[seat], False, self.grace[seat], False, 0)
            for seat, turn in enumerate(self._turn)
        ]

    def _face(self, seat: int, t_ms: int) -> Face:
        lead, graced, used = self._passed(seat, t_ms)
        return Face(
            max(0, self._most(seat) - used),
            True,
            self.grace[seat] - (graced - self._graced[seat]),
            used <= self.control.threshold and not graced,
            lead,
        )

    def show(self, t_ms: int) -> list[str]:
        """The same as text: M:SS, below ten seconds seconds and tenths, rounded up."""
        return [_text(ms) for ms in self.left(t_ms)]

    def grace_left(self, t_ms: int) -> list[int]:
        """The grace that each seat still has in this match at `t_ms`."""
        return [
            grace - (self._passed(seat, t_ms)[1] - self._graced[seat])
            for seat, grace in enumerate(self.grace)
        ]

    def bonus(self, t_ms: int) -> list[bool]:
        """Whether each running seat would still earn the bonus with a move at `t_ms`."""
        passed = [self._passed(seat, t_ms) for seat in range(len(self._turn))]
        return [
            turn is _RUNNING and used <= self.control.threshold and not graced
            for turn, (_, graced, used) in zip(self._turn, passed, strict=True)
        ]

    def lead_in(self, t_ms: int) -> int:
        """What is left at `t_ms` of the longest lead-in of a running seat."""
        return max((self._passed(seat, t_ms)[0] for seat in self.running()), default=0)

    def waiting(self, t_ms: int) -> int:
        """How long the table still waits for players after an outage."""
        return max(0, self._wait - self._elapsed(t_ms))

    # ------------------------------------------------------------------------------------ reckoning

    def _most(self, seat: int) -> int:
        """A of section 2: the most that the turn of a seat may use."""
        most = self.banks[seat] + self.control.free
        return most if self.control.move is None else min(most, self.control.move)

    def _elapsed(self, t_ms: int) -> int:
        """Time that counts, for anything, between `now` and a later time."""
        return 0 if self.paused or self._down else max(0, t_ms - self.now)

    def _passed(self, seat: int, t_ms: int) -> tuple[int, int, int]:
        """Lead-in left, grace used and time charged in the turn of a seat at a time not before `now`."""
        lead, graced, used = self._lead[seat], self._graced[seat], self._used[seat]
        passed = self._elapsed(t_ms) - self._wait
        if passed <= 0 or self._turn[seat] is not _RUNNING:
            return lead, graced, used
        shown = min(lead, passed)
        spared = 0 if self.connected[seat] else min(self._spare(seat), passed - shown)
        return lead - shown, graced + spared, used + passed - shown - spared

    def _spare(self, seat: int) -> int:
        """The grace that a disconnected seat may still use in its turn."""
        return min(self.grace[seat], self.control.grace_turn - self._graced[seat])

    def _due(self, seat: int) -> int:
        """When a running seat expires, lag allowance included, if nothing happens before (section 4)."""
        allowed = self._most(seat) + min(self.quota[seat], self.control.lag_move)
        spared = 0 if self.connected[seat] else self._spare(seat)
        return self.now + self._wait + self._lead[seat] + spared + max(0, allowed - self._used[seat])

    def _settle(self, t_ms: int) -> None:
        """Reckon everything up to this time."""
        if t_ms <= self.now:
            return
        for seat in self.running():
            lead, graced, used = self._passed(seat, t_ms)
            self.grace[seat] -= graced - self._graced[seat]
            self._lead[seat], self._graced[seat], self._used[seat] = lead, graced, used
        self._wait = self.waiting(t_ms)
        self.now = t_ms

    def _apply_due(self, t_ms: int) -> None:
        """Apply the expiries that fall due up to and including this time, one after another (section 8)."""
        while not (self.paused or self._down):
            due = [(self._due(seat), seat) for seat in self.running()]
            if not due or (first := min(due)[0]) > t_ms:
                return
            self._settle(first)
            together = [seat for at, seat in due if at == first]
            self._expire(max(together, key=lambda seat: (self._used[seat], -seat)))

    def _reach(self, t_ms: int) -> None:
        """Come to the time of an event: what fell due before it is applied, what falls due with it is not."""
        if t_ms <= self.now:
            return
        self._apply_due(t_ms - 1)
        self._settle(t_ms)

    def _expire(self, seat: int) -> None:
        """The seat expires now; the clocks of the table stop, or only its own."""
        control = self.control
        self.banks[seat] = max(0, self.banks[seat] - max(0, self._most(seat) - control.free))
        self._expired.append(Expired(seat, self.now))
        for other in range(len(self._turn)) if control.expiry == "table" else (seat,):
            self._turn[other] = _NONE

    def _charge(self, t_ms: int, seat: int, think_ms: int | None, rtt_ms: int | None) -> int:
        """Judge a move or step by section 2 and take its lag credit (section 4) off; returns the credit."""
        self._reach(t_ms)
        if self.paused:
            raise ClockRefusal("paused")
        if self._turn[seat] is not _RUNNING:
            raise ClockRefusal("not_running")
        credit = 0
        if think_ms is not None and rtt_ms is not None:
            lag = min(self._used[seat] - self._step[seat] - think_ms, rtt_ms)
            credit = min(max(0, lag), self.quota[seat], self.control.lag_move)
        if self._used[seat] - credit > self._most(seat):
            self._expire(seat)
            raise ClockRefusal("out_of_time")
        self._used[seat] -= credit
        self.quota[seat] -= credit
        return credit

    def _begin(self, seats: Iterable[int], lead_in_ms: int) -> None:
        for seat in seats:
            if self._turn[seat] is not _NONE:
                raise ValueError(f"seat {seat} has a turn already")
            self._turn[seat] = _RUNNING
            self._lead[seat] = lead_in_ms
            self._used[seat] = self._step[seat] = self._graced[seat] = 0

    def _give(self, seat: int, ms: int) -> None:
        self.banks[seat] = min(self.control.cap, self.banks[seat] + ms)

    # ---------------------------------------------------------------------------------------- JSON

    def copy(self) -> Self:
        """An independent clock, equal in every respect."""
        new = object.__new__(type(self))
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(new, name, list(value) if isinstance(value, list) else value)
        return new

    def to_json(self) -> dict[str, Any]:
        """A snapshot; `from_json` gives an equal clock."""
        copy = self.copy()
        return {
            **{name.lstrip("_"): getattr(copy, name) for name in self.__slots__},
            "control": self.control.to_json(),
            "turn": [int(turn) for turn in self._turn],
            "expired": [list(expired) for expired in self._expired],
        }

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Self:
        """A clock from its snapshot."""
        new = object.__new__(cls)
        for name in cls.__slots__:
            value = json[name.lstrip("_")]
            setattr(new, name, list(value) if isinstance(value, list) else value)
        new.control = Control(**json["control"])
        new._turn = [_Turn(turn) for turn in json["turn"]]
        new._expired = [Expired(*expired) for expired in json["expired"]]
        return new


def _text(ms: int) -> str:
    if ms < 10_000:
        tenths = -(-ms // 100)
        return f"{tenths // 10}.{tenths % 10}"
    seconds = -(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"
