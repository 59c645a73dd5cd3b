"""The table of poker: seats, chips and cards; who sees what; positions (poker.md, sections 7 and 10)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, Self

from services.rules.core.cards import FR52, Deck, as_set
from services.rules.core.chance import Shuffle
from services.rules.core.errors import PositionError
from services.rules.core.state import hand_score
from services.rules.core.view import View
from services.rules.families.chip_tables import ClosedHands, seats_from
from services.rules.games.poker_moves import Act
from services.rules.games.poker_options import PokerOptions

Status = Literal["in", "folded", "away"]  # away: not dealt in

HAND = 5
LEVELS = {"J": 10, "Q": 11, "K": 12}
"""The rank of the least pair that opens."""


def lowest_rank(dealt: int) -> int:
    """The lowest rank of the deck where so many are dealt in: 11 less their number."""
    return 10 - dealt


_DECKS = {
    dealt: Deck(
        FR52.id, FR52.faces, tuple(card for card in FR52.cards if (card % 13 or 13) >= lowest_rank(dealt))
    )
    for dealt in range(2, 7)
}
_DEALS = {dealt: Shuffle(deck.texts, "deal") for dealt, deck in _DECKS.items()}


class PokerTable(ClosedHands[Act]):
    """`scores` are the chips in front of each seat."""

    __slots__ = (
        "ante", "bets", "blinder", "carried", "changed", "cip", "ended", "held", "highest", "increase",
        "is_checked", "is_shown", "level", "opener", "placed", "pots", "put", "raiser", "spoken", "status",
        "taken", "throwing",
    )  # fmt: skip

    deck = FR52
    prompts = MappingProxyType(
        {
            "blind": ("blind", {"it": "Apri al buio o rinuncia", "en": "Open blind, or decline"}),
            "open": ("open", {"it": "Apri, busso o passo", "en": "Open, check or fold"}),
            "first": ("answer", {"it": "Vedi, rilancia o passo", "en": "Call, raise or fold"}),
            "change": ("change", {"it": "Cambia fino a quattro carte", "en": "Change up to four cards"}),
            "final": ("bet", {"it": "Punta o passa la parola", "en": "Bet, or leave the word"}),
        }
    )

    options: PokerOptions

    def __init__(self, options: PokerOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        seats = options.seats
        self.scores = [options.stack] * seats
        self.placed: list[int | None] = [None] * seats  # the place of each seat that is out or has left
        self.taken = [0] * seats  # chips that are a seat's own and have left the match
        self.level = "J"
        self.ante, self.cip = options.ante, options.cip  # of this hand
        self.carried = 0
        self.ended: str | None = None  # how the last hand ended
        self.pots: tuple[tuple[int, tuple[int, ...]], ...] = ()  # its pots: chips and winners
        self._clear()

    def _clear(self) -> None:
        """Nothing of a hand is on the table."""
        seats = self.options.seats
        self.status: list[Status] = ["away"] * seats
        self.hands = [0] * seats
        self.held = [0] * seats  # which cards of the last shuffle each seat has had
        self.discard = 0
        self.throwing = 0  # discards of the exchange being made: not shuffled into the new stock
        self.changed: list[int | None] = [None] * seats  # how many cards each has changed
        self.put = [0] * seats  # in this hand
        self.opener: int | None = None
        self.raiser: int | None = None  # who raised last in `first`
        self.blinder: int | None = None  # who bet the last blind
        self.is_shown = False  # the hands still in are open: a showdown
        self._new_round()

    def _new_round(self) -> None:
        seats = self.options.seats
        self.bets = [0] * seats  # in this round
        self.highest = 0  # of them
        self.increase = 0  # the last bet or raise went up by this
        self.spoken = [False] * seats  # in this round, while nobody has bet
        self.is_checked = False  # somebody has checked or bet in `final`: no more parola

    # ------------------------------------------------------------------------------ seats and chips

    @property
    def _staying(self) -> list[int]:
        """The seats that are in, in dealing order."""
        status = self.status
        return [seat for seat in seats_from(self.dealer + 1, len(status)) if status[seat] == "in"]

    def _able_from(self, first: int) -> list[int]:
        """The seats that are in and have chips, in seat order from this one."""
        status, chips = self.status, self.scores
        return [seat for seat in seats_from(first, len(chips)) if chips[seat] and status[seat] == "in"]

    @property
    def _lowest(self) -> int:
        """The lowest rank of the deck: those that are dealt in make it."""
        return lowest_rank(len(self.status) - self.status.count("away"))

    @property
    def _pot(self) -> int:
        return self.carried if self.phase in ("deal", "over") else self.carried + sum(self.put)

    def _bet(self, seat: int, chips: int) -> None:
        """From the seat into the pot, as a bet of this round."""
        self.scores[seat] -= chips
        self.put[seat] += chips
        self.bets[seat] += chips
        if self.bets[seat] > self.highest:
            self.highest = self.bets[seat]

    @property
    def gains(self) -> Sequence[int]:
        """What a seat takes along is its own; a lead that counts as zero is halved."""
        stack = self.options.stack
        return [chips + taken - stack for chips, taken in zip(self.scores, self.taken, strict=True)]

    def max_loss(self, seat: int) -> int:
        """The buy-in: the match is one unit."""
        return self.options.stack

    @property
    def places(self) -> Sequence[int | None]:
        return self.outcome.places if self.outcome else tuple(self.placed)

    def _asked_for_deal(self) -> Shuffle:
        return _DEALS[len(self.scores) - self.scores.count(0)]

    def _for_new_stock(self) -> int:
        return self.discard & ~self.throwing

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        return text.startswith("change ")  # which cards are changed only the seat itself knows

    def _is_open(self, seat: int) -> bool:
        return self.is_shown and self.status[seat] == "in"

    def _cards_shown(self, viewer: int | None) -> int:
        shown = 0 if viewer is None else self.held[viewer]
        for seat, hand in enumerate(self.hands):
            if self._is_open(seat):
                shown |= hand
        return shown

    def public_view(self) -> View:
        zones = [*self._hand_zones(), self._stock_zone(), self._discard_zone()]
        facts = {
            **self._facts_json(),
            "ante": self.ante,
            "cip": self.cip,
            "end": self.ended,
            "pots": self._pots_json(),
        }
        return self._view(zones, self._prompts(), [], facts)

    def _facts_json(self) -> dict[str, Any]:
        """What everybody knows besides the zones."""
        return {
            "pot": self._pot,
            "put": list(self.put),
            "bets": list(self.bets),
            "folded": [seat for seat, status in enumerate(self.status) if status == "folded"],
            "opener": self.opener,
            "raiser": self.raiser,
            "blinder": self.blinder,
            "level": self.level,
            "carried": self.carried,
            "changed": list(self.changed),
            "placed": list(self.placed),
        }

    def _hand_score_json(self) -> dict[str, Any] | None:
        score = super()._hand_score_json()
        return score and {"end": self.ended, "pots": self._pots_json(), **score}

    def _pots_json(self) -> list[dict[str, Any]]:
        return [{"chips": chips, "winners": list(winners)} for chips, winners in self.pots]

    # ------------------------------------------------------------------- 10. positions, snapshots

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            **self._facts_json(),
            "held": [FR52.show_set(cards) for cards in self.held],
            "throwing": FR52.show_set(self.throwing),
            "status": list(self.status),
            "taken": list(self.taken),
            "spoken": list(self.spoken),
            "is_checked": self.is_checked,
            "is_shown": self.is_shown,
            "increase": self.increase,
        }

    @classmethod
    def from_json(cls, options: PokerOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        if "scores" not in json:
            raise PositionError("scores", "must be given")
        state.phase = json.get("phase", "open")
        if score := json.get("hand_score"):
            state.hand_score = hand_score({"total": score["total"]})
            state.ended = score["end"]
            state.pots = tuple((pot["chips"], tuple(pot["winners"])) for pot in score["pots"])
        state.level = json.get("level", state.level)
        if state.level not in LEVELS:
            raise PositionError("level", "must be J, Q or K")
        state.carried = json.get("carried", 0)
        state.ante, state.cip = options.level(state.hand)
        state._read_seats(json)
        if "spoken" in json:
            state._read_snapshot(json)
        elif state.phase != "deal":
            state._read_turn(json)
        return state

    def _read_seats(self, json: Mapping[str, Any]) -> None:
        """Who is dealt in and with which cards, what each has put in, who is out."""
        hands, folded = json.get("hands", [[]] * len(self.scores)), json.get("folded", [])
        self.status = list(
            json.get("status")
            or ["folded" if seat in folded else "in" if hand else "away" for seat, hand in enumerate(hands)]
        )
        self._read_zones(json, _DECKS.get(len(self.status) - self.status.count("away"), FR52))
        usual = [0 if status == "away" else self.ante for status in self.status]
        self.put = list(json.get("put", usual))
        self.opener, self.raiser = json.get("opener"), json.get("raiser")
        self.blinder = json.get("blinder")
        if "placed" in json:
            self.placed = list(json["placed"])
            return
        is_out = [
            not chips if self.phase == "deal" else status == "away"
            for chips, status in zip(self.scores, self.status, strict=True)
        ]
        self.placed = [1 + is_out.count(False) if out else None for out in is_out]

    def _read_snapshot(self, json: Mapping[str, Any]) -> None:
        """What only an own snapshot says."""
        self.held = [as_set(FR52.read(cards)) for cards in json["held"]]
        self.throwing = as_set(FR52.read(json["throwing"]))
        for name in ("changed", "bets", "spoken", "taken"):
            setattr(self, name, list(json[name]))
        self.highest = max(self.bets)
        self.is_checked, self.is_shown = json["is_checked"], json["is_shown"]
        self.increase = json["increase"]

    def _read_turn(self, json: Mapping[str, Any]) -> None:
        """Who is to act in a bare position, at the beginning of its phase; or PositionError."""
        if self.phase not in ("open", "change", "final"):
            raise PositionError("phase", "must be deal, open, change or final")
        staying = self._staying
        if len(staying) < 2:
            raise PositionError("hands", "two seats must be in")
        for seat in staying:
            if self.hands[seat].bit_count() != HAND:
                raise PositionError("hands", f"seat {seat} must hold five cards")
        if self.phase == "change":
            self.turn = next(iter(json.get("to_act", staying)), staying[0])
        else:
            self._first_word()
        if list(json.get("to_act", self.to_act)) != list(self.to_act):
            raise PositionError("to_act", "must be the seat that is first to speak")
        if self.phase == "change" and self.turn not in staying:
            raise PositionError("to_act", "must be a seat that is in")

    @abstractmethod
    def _first_word(self) -> None:
        """Ask the seat that is first to speak in this round; where fewer than two can bet, the round is over
        before it begins."""
