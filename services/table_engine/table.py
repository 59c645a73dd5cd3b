"""One match in memory: the fold of its log so far, and nothing that is not in the log."""

from array import array
from typing import Any, NamedTuple

from tavolo.table.v1 import log_pb2

from services.rules.clock import Clock
from services.rules.core.game import Game
from services.rules.core.options import Options
from services.rules.core.state import State
from services.rules.money import Tally

RESULT_RETRY_MS = 2_000
"""A table whose result is not yet with the results stream wants to be woken after so long."""
COVER_RETRY_MS = 2_000
"""The same of a table whose last hand is not known to be settled."""
_KEY_BYTES = 8


class Sitter(NamedTuple):
    """Who sits on a seat."""

    account: str
    nickname: str
    side: int
    computer: bool


class Hand:
    """A hand that is about to be dealt, in play, or ended: the seeds of its deal and what is published
    of it."""

    __slots__ = (
        "cards", "commitment", "contributions", "hand", "house_seed", "proof", "roots", "seed",
        "tie_break", "until",
    )  # fmt: skip

    def __init__(self, hand: int, tie_break: int, house_seed: bytes, commitment: bytes, until: int) -> None:
        self.hand = hand
        self.tie_break = tie_break
        self.house_seed = house_seed
        self.commitment = commitment
        self.until = until
        """Table time at which the hand is dealt whoever is ready."""
        self.contributions: tuple[bytes, ...] = ()
        self.seed = b""
        """House seed and contributions mixed; empty until the hand is dealt."""
        self.roots: list[bytes] = []
        self.cards: list[tuple[str, ...]] = []
        """The cards of each shuffle in the order before it."""
        self.proof = b""
        """The proof that is shown while the hand is played, serialised."""

    @property
    def dealt(self) -> bool:
        return bool(self.seed)


class Commands:
    """The commands of a match by a hash of seat and id, each with the entry that holds it: twelve bytes a
    command.

    The hash is keyed by this process and says only where to look: the log has the command itself.
    """

    __slots__ = ("_keys", "_versions")

    def __init__(self) -> None:
        self._keys = bytearray()
        self._versions = array("I")

    def add(self, seat: int, command_id: str, version: int) -> None:
        """Remembers that entry `version` holds this command."""
        self._keys += _key(seat, command_id)
        self._versions.append(version)

    def find(self, seat: int, command_id: str) -> int:
        """The entry that seems to hold this command, or 0."""
        key = _key(seat, command_id)
        at = self._keys.find(key)
        while at % _KEY_BYTES and at >= 0:
            at = self._keys.find(key, at + 1)
        return 0 if at < 0 else self._versions[at // _KEY_BYTES]


def _key(seat: int, command_id: str) -> bytes:
    return hash((seat, command_id)).to_bytes(_KEY_BYTES, "little", signed=True)


class Table:
    """A match, its clock, and what the engine keeps of its log. Changed by `fold` only.

    Times are table time in ms: the time since the table was opened during which it was served.
    """

    __slots__ = (
        "at", "base", "chip", "clock", "commands", "dealer", "ended", "game", "hand", "hands", "id", "match",
        "missing", "options", "options_json", "published", "ready", "seats", "seen", "sequence", "stake",
        "state", "subject", "tally", "turn", "turns", "uncovered", "version", "void_reason", "worker",
        "worker_ms",
    )  # fmt: skip

    def __init__(
        self, opened: log_pb2.MatchOpened, subject: str, game: Game, options: Options, clock: Clock
    ) -> None:
        self.id = opened.table
        self.match = opened.match
        self.subject = subject
        self.game = game
        self.options = options
        self.options_json = opened.options
        self.seats = tuple(Sitter(s.account, s.nickname, s.side, s.computer) for s in opened.seats)
        self.stake = (opened.stake.cents, opened.stake.currency)
        self.chip = opened.chip.cents
        """What a chip is worth, cents."""
        self.tally = Tally(game, options, self.chip)
        self.dealer = opened.dealer
        self.state: State[Any] = game.start(options, opened.dealer)
        self.clock = clock

        self.version = 0
        """Number of the last entry."""
        self.sequence = 0
        """Its sequence in the log stream: what the next append expects."""
        self.at = 0
        """Its table time."""
        self.worker = ""
        """The incarnation that wrote it, and"""
        self.worker_ms = 0
        """that worker's own clock then."""
        self.base = 0
        """The serving worker's clock minus table time."""

        self.turn = 1
        """Counts moves; a seat's decision is named by it."""
        self.turns = [0] * len(self.seats)
        """The turn at which each seat last became able to act, or moved."""
        self.commands = Commands()
        self.seen: frozenset[int] = frozenset()
        """The seats that have been connected at any time. (Which are now: `clock.connected`.)"""
        self.hand: Hand | None = None
        self.ended: Hand | None = None
        """The hand before, while the next one waits to be dealt."""
        self.ready: dict[int, bytes] | None = None
        """Contributions of the seats that are ready for the next deal."""
        self.hands = 0
        """How many hands have ended, where each is settled by itself."""
        self.uncovered = False
        """The last of them is not known to be settled, nor the next one to be covered."""
        self.missing: tuple[int, ...] = ()
        """The seats that could not cover the next hand: the match ended for them."""
        self.void_reason: str | None = None
        self.published = False

    @property
    def over(self) -> bool:
        """The match has ended, or was ended without a result."""
        return self.state.over or self.void_reason is not None

    @property
    def waiting(self) -> bool:
        """A hand is about to be dealt."""
        return self.state.phase == "deal" and not self.over

    @property
    def by_hand(self) -> bool:
        """There is money, and every hand is settled by itself."""
        return self.game.by_hand and self.stake[0] > 0

    @property
    def mode(self) -> str:
        """The state that the facts and the view tell: `cover`, `ready`, `play` or `over`."""
        if self.over:
            return "over"
        if self.uncovered:
            return "cover"
        return "ready" if self.state.phase == "deal" else "play"

    def time(self, worker_ms: int) -> int:
        """Table time at a moment of the worker's clock; never before what has happened already."""
        return max(worker_ms - self.base, self.at, self.clock.now)

    def seat_of(self, account: str) -> int | None:
        """The seat of an account, if it has one."""
        for seat, sitter in enumerate(self.seats):
            if sitter.account == account:
                return seat
        return None

    def left_ms(self, at: int) -> int | None:
        """How long from `at` until time alone may change the table; None when nothing runs."""
        if self.over:
            return None if self.published else RESULT_RETRY_MS
        if self.uncovered:
            return COVER_RETRY_MS
        if self.waiting:
            return max(0, self.hand.until - at) if self.hand else 0
        due = self.clock.next_due()
        return None if due is None else max(0, due - at)
