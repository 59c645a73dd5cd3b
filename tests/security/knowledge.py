"""What a receiver may know of a scopa table after each entry of its log, by scopa.md, sections 2 and 7.

Written apart from `view` and from the rules core's state: it deals and follows the cards by itself, from the
unsealed log, and says which faces are hidden from whom. Only what a shuffle makes of a seed is taken from
`rules.deal`. It follows matches over a number of hands, because it does not count points.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tavolo.table.v1.log_pb2 import LogEntry, LogRecord, MatchOpened

from services.rules import deal

SUITS = "dcbs"
RANKS = "A234567JQK"
DECK = [rank + suit for suit in SUITS for rank in RANKS]


@dataclass
class Cards:
    """Where the cards of a hand are: `hands` a seat, `stock` with the next card first."""

    hands: list[list[str]] = field(default_factory=list)
    stock: list[str] = field(default_factory=list)
    seen_cards: bool = False
    open_partners: bool = False

    def hidden_from(self, seat: int | None) -> frozenset[str]:
        """The faces that a seat (None: everybody else) may not know: the stock and the hands of others."""
        others = [
            face for owner, hand in enumerate(self.hands) if not self._sees(seat, owner) for face in hand
        ]
        return frozenset([*others, *self.stock])

    def _sees(self, seat: int | None, owner: int) -> bool:
        if self.seen_cards and len(self.hands) == 2 and not self.stock:
            return True
        is_partner = self.open_partners and seat is not None and (seat + 2) % 4 == owner
        return seat == owner or is_partner


class Knowledge:
    """Follows one table. `hidden[version][seat or None]` are the faces hidden after that entry."""

    def __init__(self, entries: Iterable[LogEntry], house_seeds: Mapping[bytes, bytes]) -> None:
        """`house_seeds`: the unsealed seed of each house commitment. AssertionError: a match that ends at a
        score."""
        self.hidden: dict[int, dict[int | None, frozenset[str]]] = {}
        self._house_seeds = house_seeds
        self._opened = MatchOpened()
        self._commitment = b""
        self._cards = Cards()
        self._dealer = 0
        self._hand = 1
        self._hands = 0
        self._tie_break = 0
        for version, entry in enumerate(entries, start=1):
            for record in entry.records:
                self._take(record)
            viewers: list[int | None] = [None, *range(len(self._opened.seats))]
            self.hidden[version] = {viewer: self._cards.hidden_from(viewer) for viewer in viewers}

    def _take(self, record: LogRecord) -> None:
        kind = record.WhichOneof("kind")
        if kind == "opened":
            self._open(record.opened)
        elif kind == "committed":
            self._commitment = record.committed.house_commitment
        elif kind == "dealt":
            self._deal(list(record.dealt.contributions), len(record.dealt.roots))
        elif kind == "moved" and record.moved.move != "abandon":
            self._play(record.moved.seat, record.moved.move)

    def _open(self, opened: MatchOpened) -> None:
        options = json.loads(opened.options)
        assert options["match"] == "hands", "a match to a number of points cannot be followed: nobody counts"
        self._opened = opened
        self._dealer = opened.dealer
        self._hands = options["hands"]
        self._cards = Cards(seen_cards=options["seen_cards"], open_partners=options["open_partners"])

    def _deal(self, contributions: list[bytes], shuffles: int) -> None:
        """The last shuffle is the one that is played: those before it showed three kings (section 2)."""
        mixed = deal.seed(
            self._house_seeds[self._commitment],
            contributions,
            self._opened.table,
            self._opened.match,
            self._hand,
            self._opened.rules_version,
            self._tie_break,
        )
        deck = [DECK[card] for card in deal.order(mixed, 40, shuffles - 1)]
        seats = len(self._opened.seats)
        rest = deck[3 * seats + 4 :]
        self._cards.hands = [[] for _ in range(seats)]
        self._cards.stock = deck[: 3 * seats] + rest
        self._three_each()

    def _three_each(self) -> None:
        seats = len(self._cards.hands)
        for number in range(3 * seats):
            self._cards.hands[(self._dealer + 1 + number) % seats].append(self._cards.stock[number])
        del self._cards.stock[: 3 * seats]

    def _play(self, seat: int, move: str) -> None:
        self._cards.hands[seat].remove(move.split()[1])
        if any(self._cards.hands):
            return
        if self._cards.stock:
            self._three_each()
        else:
            self._end_hand()

    def _end_hand(self) -> None:
        """What follows the last hand breaks a tie: it does not count as a hand (section 5)."""
        self._dealer = (self._dealer + 1) % len(self._cards.hands)
        if self._hand < self._hands:
            self._hand += 1
        else:
            self._tie_break += 1
