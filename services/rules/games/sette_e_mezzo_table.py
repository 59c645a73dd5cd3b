"""The table of sette e mezzo: cards, stakes, who sees what; positions (sette_e_mezzo.md, 2, 7 and 10)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

from services.rules.core.cards import IT40, as_set
from services.rules.core.chance import Shuffle
from services.rules.core.errors import PositionError
from services.rules.core.view import View, Zone
from services.rules.core.zones import closed_zone, open_set, open_zone
from services.rules.families.chip_tables import ChipState
from services.rules.games.sette_e_mezzo_moves import Act
from services.rules.games.sette_e_mezzo_options import SetteOptions
from services.rules.games.sette_e_mezzo_totals import BEST, points, total

_HANDS = tuple(f"hands.{seat}" for seat in range(10))
_NEW_PACK = Shuffle(IT40.texts, "deal")
_NO_SHUFFLE = Shuffle((), "deal")
_DRAW_OR_STAND = ("draw_or_stand", {"it": "Tira o stai", "en": "Draw or stand"})


class SetteTable(ChipState[Act]):
    """`dealer` is the banker; hands have the face-down card first."""

    __slots__ = ("bets", "hands", "last_duel", "royal", "shown", "unseen", "unsettled", "won")

    deck = IT40
    prompts = MappingProxyType(
        {
            "bet": ("bet", {"it": "Punta", "en": "Bet"}),
            "punter": _DRAW_OR_STAND,
            "banker": _DRAW_OR_STAND,
        }
    )

    options: SetteOptions

    def __init__(self, options: SetteOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        seats = options.seats
        self.hands: list[tuple[int, ...]] = [()] * seats
        self.unseen = 0  # those of the discards that were never shown
        self.bets = [0] * seats
        self.unsettled: Sequence[int] = ()  # punters of this hand, in order of play
        self.shown = [False] * seats  # whose first card everybody sees
        self.won = [0] * seats  # in this hand
        self.royal: int | None = None  # the first punter who was paid for a royal in this hand
        self.last_duel: Mapping[str, Any] | None = None

    @property
    def _punters(self) -> Sequence[int]:
        """The punters in order of play."""
        return self._ring[:-1]

    def _total(self, seat: int) -> int:
        return total(as_set(self.hands[seat]), self.options.matta)

    def _asked_for_deal(self) -> Shuffle:
        """Where the stock goes on from hand to hand nothing is shuffled between hands, only dealt."""
        goes_on = self.options.reshuffle == "match" and (self.stock or self.discard)
        return _NO_SHUFFLE if goes_on else _NEW_PACK

    # ---------------------------------------------------------------------- 7. hidden information

    def _cards_shown(self, viewer: int | None) -> int:
        shown = self.discard & ~self.unseen
        for seat, hand in enumerate(self.hands):
            shown |= as_set(hand if self._sees_all(viewer, seat) else hand[1:])
        return shown

    def _sees_all(self, viewer: int | None, seat: int) -> bool:
        return self.shown[seat] or seat == viewer or not self.hands[seat]

    def _totals(self, viewer: int | None) -> list[float | None]:
        """The totals of the hands of which the viewer sees every card."""
        return [
            points(self._total(seat)) if self._sees_all(viewer, seat) else None
            for seat in range(self.options.seats)
        ]

    def public_view(self) -> View:
        zones = [self._hand_zone(seat, self._sees_all(None, seat)) for seat in range(self.options.seats)]
        seen = open_set(IT40, "discard", "discard", "pile", self.discard & ~self.unseen)
        zones += [self._stock_zone(), seen._replace(count=self.discard.bit_count())]
        facts = {
            "bets": list(self.bets),
            "totals": self._totals(None),
            "last_duel": self.last_duel and dict(self.last_duel),
        }
        return self._view(zones, self._prompts(), [], facts)

    def own_view(self, seat: int) -> View:
        if self._sees_all(None, seat):
            return self._view([], [], self.legal(seat), {})
        return self._view([self._hand_zone(seat, True)], [], self.legal(seat), {"totals": self._totals(seat)})

    def _hand_zone(self, seat: int, is_open: bool) -> Zone:
        hand, name = self.hands[seat], _HANDS[seat]
        if is_open:
            return open_zone(IT40, name, "hands", "row", hand, seat, seat)
        if len(hand) == 1:
            return closed_zone(name, "hands", "row", 1, seat, seat)
        return open_zone(IT40, name, "hands", "row", hand[1:], seat, seat)._replace(count=len(hand))

    # ------------------------------------------------------------------- 10. positions, snapshots

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [IT40.show(hand) for hand in self.hands],
            "unseen": IT40.show_set(self.unseen),
            "bets": list(self.bets),
            "totals": [points(self._total(seat)) for seat in range(self.options.seats)],
            "last_duel": self.last_duel and dict(self.last_duel),
            "unsettled": list(self.unsettled),
            "shown": list(self.shown),
            "won": list(self.won),
            "royal": self.royal,
        }

    @classmethod
    def from_json(cls, options: SetteOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        state.hands = [tuple(hand) for hand in state._read_zones(json, IT40)["hands"]]
        state.unseen = as_set(IT40.read(json.get("unseen", [])))
        state.bets = list(json.get("bets", state.bets))
        if len(state.bets) != options.seats:
            raise PositionError("bets", f"must be {options.seats}, one a seat")
        state.won = list(json.get("won", state.won))
        state.royal = json.get("royal")
        state.last_duel = json.get("last_duel")
        if state.phase not in ("deal", "over"):
            state._read_hand(json)
        state.unsettled = list(json.get("unsettled", state.unsettled))
        state.shown = list(json.get("shown", state.shown))
        return state

    def _read_hand(self, json: Mapping[str, Any]) -> None:
        """Whose turn it is, who is settled and what is shown, as far as that follows; or PositionError."""
        punters = self._punters
        is_round = self.options.variant == "round"
        with_cards = [seat for seat in punters if self.hands[seat]]
        if not self.owed and (not self.hands[self.dealer] or not with_cards):
            raise PositionError("hands", "the banker and a punter must hold cards")
        if not is_round and len(with_cards) > 1:
            raise PositionError("hands", "one punter plays at a time")
        running = with_cards[:1] or self.owed[:1]
        self.unsettled = with_cards if is_round else punters[punters.index(running[0]) :]
        usual = json.get("turn", self.dealer if self.phase == "banker" else running[0])
        (self.turn,) = json.get("to_act") or [usual]
        may_act = [self.dealer, *running, *(with_cards if is_round else ())]
        if self.turn not in may_act:
            raise PositionError("to_act", "must be the banker or a punter who holds cards")
        if self.options.betting == "fixed":
            self.bets = [self.options.min_bet if seat in with_cards else 0 for seat in range(len(self.bets))]
        if self.turn == self.dealer:
            self.phase = "banker"
        else:
            is_to_bet = self.options.betting == "free" and not self.bets[self.turn]
            self.phase = "bet" if is_to_bet else "punter"
        self._read_shown(with_cards, json)

    def _read_shown(self, with_cards: list[int], json: Mapping[str, Any]) -> None:
        has_finished = with_cards[: with_cards.index(self.turn)] if self.turn in with_cards else with_cards
        if "unsettled" not in json:  # a bare position
            if not all(self.bets[seat] for seat in has_finished):
                raise PositionError("bets", "who has finished its turn has bet")
            if self._total(self.turn) >= BEST or any(self._total(seat) > BEST for seat in with_cards):
                raise PositionError("hands", "a turn ends at seven and a half, and who is over is settled")
        self.shown = [
            seat == self.turn == self.dealer or (seat in has_finished and self._total(seat) == BEST)
            for seat in range(len(self.hands))
        ]
