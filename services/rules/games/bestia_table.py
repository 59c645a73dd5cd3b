"""The table of bestia: cards, statuses, the pot; who sees what; positions (bestia.md, sections 7 and 10)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, Self

from services.rules.core.cards import IT40, as_set
from services.rules.core.chance import Shuffle
from services.rules.core.errors import PositionError
from services.rules.core.view import View
from services.rules.core.zones import open_set, open_zone
from services.rules.families.chip_tables import ClosedHands
from services.rules.games.bestia_moves import Act
from services.rules.games.bestia_options import TRICKS, BestiaOptions

Status = Literal["?", "in", "passed", "blind", "out"]

ACTIVE = ("in", "blind")
_NEW_DECK = Shuffle(IT40.texts, "deal")


class BestiaTable(ClosedHands[Act]):
    """The cards of complete tricks are a set. `scores` are balances: they and the pot are always 0 in all."""

    __slots__ = (
        "briscola", "complete", "leader", "played", "pot", "status", "thrown", "trick", "tricks",
    )  # fmt: skip

    deck = IT40
    prompts = MappingProxyType(
        {
            "join": (
                "join_or_pass",
                {"it": "Gioca, cambiando fino a tre carte, o passa", "en": "Join, or pass"},
            ),
            "blind": ("blind_or_pass", {"it": "Gioca al buio o passa", "en": "Play blind, or pass"}),
            "play": ("play_card", {"it": "Gioca una carta", "en": "Play a card"}),
        }
    )

    options: BestiaOptions

    def __init__(self, options: BestiaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.pot = 0
        self._clear()

    def _clear(self) -> None:
        """No card of a hand is on the table; the seat after the dealer speaks first."""
        seats = self.options.seats
        self.hands = [0] * seats
        self.discard = 0
        self.thrown = [0] * seats  # which of the discards each seat knows, because it threw them
        self.briscola: int | None = None
        self.status: list[Status] = ["?"] * seats
        self.leader = self.turn = self._ring[0]
        self.trick: list[int] = []
        self.complete: list[tuple[int, int, tuple[int, ...]]] = []  # leader, winner and cards of each trick
        self.played = 0
        self.tricks = [0] * seats

    @property
    def _active(self) -> list[int]:
        """The seats that play, in ring order."""
        return [seat for seat in self._ring if self.status[seat] in ACTIVE]

    def _after(self, seat: int) -> int:
        """The next active seat."""
        seats = self.options.seats
        seat = (seat + 1) % seats
        while self.status[seat] not in ACTIVE:
            seat = (seat + 1) % seats
        return seat

    def _asked_for_deal(self) -> Shuffle:
        return _NEW_DECK

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        return text.startswith("join ")  # which cards are exchanged only the seat itself knows

    def _cards_shown(self, viewer: int | None) -> int:
        shown = self.played | as_set(self.trick)
        if self.briscola is not None:
            shown |= 1 << self.briscola
        if viewer is not None:
            shown |= self.hands[viewer] | self.thrown[viewer]
        return shown

    def public_view(self) -> View:
        turned = 0 if self.briscola is None else 1 << self.briscola
        zones = [
            *self._hand_zones(),
            self._stock_zone(),
            open_set(IT40, "briscola", "briscola", "row", turned),
            open_zone(IT40, "trick", "trick", "trick", tuple(self.trick), ordered=True),
            open_set(IT40, "played", "played", "pile", self.played),
            self._discard_zone(),
        ]
        return self._view(zones, self._prompts(), [], self._facts_json())

    def _facts_json(self) -> dict[str, Any]:
        """What everybody knows besides the zones."""
        return {
            "briscola": None if self.briscola is None else IT40.faces[self.briscola],
            "status": list(self.status),
            "pot": self.pot,
            "tricks": list(self.tricks),
            "leader": self.leader,
            "complete": [
                {"leader": leader, "winner": winner, "cards": IT40.show(cards)}
                for leader, winner, cards in self.complete
            ],
        }

    # ------------------------------------------------------------------- 10. positions, snapshots

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            **self._facts_json(),
            "trick": IT40.show(self.trick),
            "played": IT40.show_set(self.played),
            "thrown": [IT40.show_set(cards) for cards in self.thrown],
        }

    @classmethod
    def from_json(cls, options: BestiaOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        seats = options.seats
        is_open = state.phase not in ("deal", "over")
        if "scores" not in json and is_open:
            state.scores = [-options.ante] * seats
        state.pot = json.get("pot", seats * options.ante if is_open else 0)
        turned = [json["briscola"]] if json.get("briscola") else []  # in no zone, but nowhere else either
        zones = state._read_zones({**json, "briscola": turned}, IT40, ["trick", "played", "briscola"])
        state.trick = zones.get("trick", [[]])[0]
        state.played = as_set(zones.get("played", [[]])[0])
        state.thrown = [as_set(IT40.read(cards)) for cards in json.get("thrown", [[]] * seats)]
        state.briscola = next(iter(zones["briscola"][0]), None)
        state.status = list(json.get("status", state.status))
        state.tricks = list(json.get("tricks", state.tricks))
        state.complete = [
            (each["leader"], each["winner"], tuple(IT40.read(each["cards"])))
            for each in json.get("complete", [])
        ]
        if is_open:
            state._check_position("status" in json)
            state._read_turn(json)
        else:
            state.leader = json.get("leader", state.leader)
        return state

    def _check_position(self, is_declared: bool) -> None:
        """PositionError unless a hand in play can stand like this."""
        seats = self.options.seats
        for name, parts in (("status", self.status), ("tricks", self.tricks)):
            if len(parts) != seats:
                raise PositionError(name, f"must be {seats}, one a seat")
        if self.briscola is None:
            raise PositionError("briscola", "must be given")
        known = ("?", "in", "passed", "blind", "out")
        if not is_declared or any(status not in known for status in self.status):
            raise PositionError("status", f"must be one of {', '.join(known)} for each seat")
        if self.pot % TRICKS:
            raise PositionError("pot", "must be a multiple of 3")

    def _read_turn(self, json: Mapping[str, Any]) -> None:
        """Who is to act, by the rules; PositionError: nobody can be."""
        asked = {"join": ("?",), "blind": ("passed",), "play": ACTIVE}.get(self.phase)
        if asked is None:
            raise PositionError("phase", "must be deal, join, blind, play or over")
        waiting = [seat for seat in self._ring if self.status[seat] in asked]
        if self.phase != "play":
            if not waiting or ("?" in self.status and self.phase == "blind"):
                raise PositionError("status", f"does not belong to the phase {self.phase}")
            self.turn = waiting[0]
        else:
            if len(waiting) < 2 or not len(self.trick) < len(waiting):
                raise PositionError("status", "two seats or more must be active, one to play to the trick")
            self.leader = json.get("leader", waiting[0])
            if self.leader not in waiting:
                raise PositionError("leader", "must be an active seat")
            self.turn = self.leader
            for _ in self.trick:
                self.turn = self._after(self.turn)
            self._check_cards(waiting)
        if list(json.get("to_act", [self.turn])) != [self.turn]:
            raise PositionError("to_act", f"must be seat {self.turn}")

    def _check_cards(self, active: list[int]) -> None:
        """PositionError unless every active seat holds as many cards as there are tricks to come for it."""
        has_played = set()
        seat = self.leader
        while seat != self.turn:
            has_played.add(seat)
            seat = self._after(seat)
        for seat in active:
            if self.hands[seat].bit_count() != TRICKS - sum(self.tricks) - (seat in has_played):
                raise PositionError("hands", f"seat {seat} cannot hold so many cards at this trick")
