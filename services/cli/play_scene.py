"""What a player at the terminal knows of the table: the newest view, when it came, and what was said."""

import time
from collections import deque
from collections.abc import Callable

from rich.text import Text
from tavolo.table.v1.view_pb2 import (
    TABLE_STATE_OVER,
    TABLE_STATE_READY,
    Event,
    LegalMove,
    OwnView,
    PublicView,
    SeatClock,
    TableInfo,
    TableUpdate,
    Zone,
)

from services.cli.play_cards import Faces
from services.cli.play_words import Words, object_of

KEPT_LINES = 200


class Scene:
    """A table as this client sees it. Times are monotonic seconds."""

    def __init__(self, words: Words, now: Callable[[], float] = time.monotonic) -> None:
        self.words = words
        self.faces = Faces("")
        self.info = TableInfo()
        self.update: TableUpdate | None = None
        self.lines: deque[Text] = deque(maxlen=KEPT_LINES)
        self._now = now
        self._came = 0.0

    # ------------------------------------------------------------------------------------- changes

    def take(self, update: TableUpdate) -> list[Text]:
        """The table after something has happened; the lines that tell what."""
        if update.HasField("info"):
            self.info = update.info
            self.faces = Faces(update.info.game)
        is_new = self.update is None or update.version > self.update.version
        self.update = update
        self._came = self._now()
        if not is_new:
            return []
        return [self._told(event) for event in _all_events(update)]

    def _told(self, event: Event) -> Text:
        seat = event.seat if event.HasField("seat") else None
        return self.faces.move(self.words.event(event.kind, seat, object_of(event.data), self.name))

    def say(self, line: Text) -> None:
        self.lines.append(line)

    # --------------------------------------------------------------------------------------- facts

    @property
    def seat(self) -> int | None:
        """The player's seat; None for a spectator."""
        return self.info.your_seat if self.info.HasField("your_seat") else None

    @property
    def public(self) -> PublicView:
        """What everybody sees; empty before the first view."""
        return self.update.public if self.update else PublicView()

    @property
    def own(self) -> OwnView:
        """What the seat sees besides."""
        return self.update.own if self.update else OwnView()

    @property
    def is_over(self) -> bool:
        return self.public.state == TABLE_STATE_OVER

    @property
    def moves(self) -> list[LegalMove]:
        """What the seat may do now."""
        return list(self.own.moves)

    @property
    def wants_ready(self) -> bool:
        """Whether the table waits for this seat's Ready."""
        public = self.public
        return public.state == TABLE_STATE_READY and self.seat is not None and self.seat not in public.ready

    @property
    def zones(self) -> list[Zone]:
        """The places of cards, the seat's own view of them where it has one."""
        own = {zone.id: zone for zone in self.own.zones}
        zones = [own.pop(zone.id, zone) for zone in self.public.zones]
        return [*zones, *own.values()]

    def name(self, seat: int) -> str:
        """The nickname on a seat."""
        return self.info.seats[seat].nickname if seat < len(self.info.seats) else str(seat)

    def side(self, side: int) -> str:
        """The nicknames of a side."""
        return " + ".join(each.nickname for each in self.info.seats if each.side == side) or str(side)

    def move_of(self, text: str) -> LegalMove | None:
        """The listed move that a short answer means: its number, or a card that only one of them plays."""
        moves = self.moves
        if text.isdecimal():
            return moves[int(text) - 1] if 0 < int(text) <= len(moves) else None
        of_card = [move for move in moves if text in move.cards]
        return of_card[0] if len(of_card) == 1 else None

    # -------------------------------------------------------------------------------------- clocks

    @property
    def age_ms(self) -> int:
        """Milliseconds since the view came."""
        return int((self._now() - self._came) * 1000)

    def left_ms(self, clock: SeatClock) -> int:
        """What a clock shows now: it is counted down from the view's arrival, after its lead-in."""
        if not clock.running:
            return int(clock.left_ms)
        clocks = self.public.clocks
        running_ms = 0 if clocks.paused else self.age_ms - clocks.lead_in_ms - clocks.resume_wait_ms
        return max(0, int(clock.left_ms) - max(0, running_ms))

    @property
    def resume_wait_ms(self) -> int:
        """How long the clocks of a table that is served again wait at most for its players."""
        return max(0, int(self.public.clocks.resume_wait_ms) - self.age_ms)

    @property
    def ready_wait_ms(self) -> int:
        """How long the deal waits at most."""
        return max(0, int(self.public.ready_wait_ms) - self.age_ms)


def _all_events(update: TableUpdate) -> list[Event]:
    """What has just happened.

    For everybody, with what only the seat may know in the place of the same event.
    """
    own = {(event.kind, event.seat): event for event in update.own.events}
    events = [own.pop((event.kind, event.seat), event) for event in update.public.events]
    return [*events, *own.values()]


def clock_text(ms: int) -> str:
    """A clock (clock.md, section 9): `M:SS` rounded up, below ten seconds `S.T` rounded up."""
    if ms < 10_000:
        tenths = -(-ms // 100)
        return f"{tenths // 10}.{tenths % 10}"
    seconds = -(-ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"
