"""Uno (uno.md). Two to ten seats, each a side; the deck `uno108`."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from services.rules.core.cards import UNO108
from services.rules.core.errors import PositionError
from services.rules.core.game import Game
from services.rules.core.match import abandoned
from services.rules.core.moves import Applied, Event
from services.rules.core.position import read_cards, read_zones
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_zone, seat_zone
from services.rules.games.uno_cards import COLOURS, JOLLY, POINTS, SIGNS
from services.rules.games.uno_hand import MOST_SHUFFLES, NO_COLOUR, Doubt, Due, UnoHand
from services.rules.games.uno_moves import OF_PHASE
from services.rules.games.uno_options import UNO_SPECS, UnoOptions
from services.rules.games.uno_shuffle import HAND, LastShuffle

_TIE_HANDS = 3
_EXTRA = 50  # what a seat that leaves gives besides its cards

_PROMPTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "colour": ("name_colour", {"it": "Scegli il colore", "en": "Name a colour"}),
    "play": ("play_card", {"it": "Gioca una carta o pesca", "en": "Play a card, or draw"}),
    "drawn": ("play_drawn", {"it": "Gioca la carta pescata o passa", "en": "Play the card drawn, or pass"}),
    "challenge": (
        "answer_wild4",
        {"it": "Accetta il +4 o contestalo", "en": "Accept the +4, or challenge it"},
    ),
}


class Uno(UnoHand):
    """A match of uno."""

    __slots__ = ("hands_won",)

    def __init__(self, options: UnoOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands_won = [0] * options.seats

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        """Count the hand of the seat that is out; if none is, the hand is void."""
        seats = range(self.options.seats)
        winner, self.out = self.out, None
        self.drawn = None
        self.doubt = None
        held = self._held()
        won = [int(seat == winner) for seat in seats]
        self._count({"won": won, "held": held, "total": [sum(held) * it for it in won]}, events)
        self.hands_won = [before + more for before, more in zip(self.hands_won, won, strict=True)]
        if winner is None:
            self.phase = "deal"
            self.dealer = (self.dealer + 1) % self.options.seats
            return
        self._after_hand(
            events,
            is_due=self._is_due(),
            tie_hands=_TIE_HANDS,
            ko_order=None,
            standing=self._standing(),
        )

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return max(self.scores) >= options.target

    def _standing(self) -> list[int]:
        """What ranks the seats: points, then hands won."""
        return [points << 32 | won for points, won in zip(self.scores, self.hands_won, strict=True)]

    def _held(self) -> list[int]:
        return [sum(POINTS[card] for card in hand) for hand in self.hands]

    def _count(self, items: dict[str, list[int]], events: list[Event]) -> None:
        self._add_total(items)
        hands = [UNO108.show(hand) for hand in self.hands]
        events.append(Event("hand_ended", None, {"hands": hands, **self._scored_json()}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        self.seen = None
        if self.phase != "deal":
            self.due = []
            self.penalties = []
            self.out = None
            self.drawn = None
            self.doubt = None
            held = self._held()
            total = [0 if other == seat else held[seat] + _EXTRA for other in range(self.options.seats)]
            self._count({"won": [0] * self.options.seats, "held": held, "total": total}, events)
        self._end_match(abandoned(self.scores, seat, seat, standing=self._standing()), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    @property
    def whole_deck_shown(self) -> bool:
        return self.phase in ("deal", "over") and bool(self.discard) and not self.stock

    def openings(self, viewer: int | None) -> Sequence[int]:
        return self.last_shuffle.openings(viewer, self.phase in ("deal", "over"))

    def public_view(self) -> View:
        ended = self.phase in ("deal", "over")
        zones = [self._hand_zone(seat, ended) for seat in range(self.options.seats)]
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        discards = tuple(UNO108.show(self.discard))
        zones.append(Zone("discard", "discard", "pile", discards, len(discards), ordered=True))
        facts = {
            "colour": self._colour_json(),
            "direction": self.direction,
            "shuffles": self.shuffles,
            "hands_won": list(self.hands_won),
            "penalties": [penalty._asdict() for penalty in self.penalties],
        }
        prompts = [Prompt(self.to_act, *_PROMPTS[self.phase])] if self.to_act else []
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        ended = self.phase in ("deal", "over")
        zones = [] if ended else [self._hand_zone(seat, True)]
        if self.seen and self.seen[0] == seat:
            doubt = self.seen[1]
            zones.append(open_zone(UNO108, "seen", "seen", "fan", doubt.hand, doubt.seat, doubt.seat))
        facts = {"drawn": UNO108.faces[self.drawn]} if self.drawn is not None and self.turn == seat else {}
        return self._view(zones, [], self.legal(seat), facts)

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        return seat_zone(UNO108, "hands", "fan", owner, tuple(self.hands[owner]), is_open)

    def _colour_json(self) -> str | None:
        return None if self.colour == NO_COLOUR else COLOURS[self.colour]

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = [list(hand) for hand in self.hands]
        new.discard = list(self.discard)
        new.stock = self.stock
        new.colour = self.colour
        new.direction = self.direction
        new.shuffles = self.shuffles
        new.hands_won = list(self.hands_won)
        new.turn = self.turn
        new.drawn = self.drawn
        new.passes = self.passes
        new.due = list(self.due)
        new.out = self.out
        new.doubt = self.doubt
        new.seen = self.seen
        new.penalties = list(self.penalties)
        new.last_shuffle = self.last_shuffle
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [UNO108.show(hand) for hand in self.hands],
            "discard": UNO108.show(self.discard),
            "stock": UNO108.show(self.stock),
            "colour": self._colour_json(),
            "direction": self.direction,
            "shuffles": self.shuffles,
            "hands_won": list(self.hands_won),
            "drawn": None if self.drawn is None else UNO108.faces[self.drawn],
            "turn": self.turn,
            "passes": self.passes,
            "due": [list(due) for due in self.due],
            "out": self.out,
            "doubt": _doubt_json(self.doubt),
            "seen": self.seen and [self.seen[0], _doubt_json(self.seen[1])],
            "penalties": [list(penalty) for penalty in self.penalties],
            "shuffled": self.last_shuffle.size,
            "drawers": list(self.last_shuffle.drawers),
            "under": self.last_shuffle.under,
        }

    @classmethod
    def from_json(cls, options: UnoOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        zones = read_zones(json, UNO108, whole=["discard", "stock"], parted=["hands"])
        state.hands = [sorted(hand) for hand in zones.get("hands", [[]] * options.seats)]
        state.discard = zones.get("discard", [[]])[0]
        state.stock = bytes(zones.get("stock", [[]])[0])
        state.direction = json.get("direction", 1)
        state.shuffles = json.get("shuffles", 0)
        state.hands_won = list(json.get("hands_won", state.hands_won))
        state.passes = json.get("passes", 0)
        state.due = [Due(*due) for due in json.get("due", [])]
        state.out = json.get("out")
        state.doubt = _read_doubt(json.get("doubt"))
        if seen := json.get("seen"):
            viewer, doubt = seen
            shown = _read_doubt(doubt)
            state.seen = (viewer, shown) if shown else None
        state.penalties = [Due(*penalty) for penalty in json.get("penalties", [])]
        under = json.get("under", 0)
        dealt = HAND * options.seats if under else 0
        drawers = bytes(json.get("drawers", []))
        state.last_shuffle = LastShuffle(json.get("shuffled", 0), drawers, dealt, under)
        if json.get("drawn") is not None:
            (state.drawn,) = read_cards("drawn", [json["drawn"]], UNO108)
            state.phase = json.get("phase", "drawn")
        if named := json.get("colour"):
            if named not in COLOURS:
                raise PositionError("colour", "must be r, y, g or b")
            state.colour = COLOURS.index(named)
        first = (state.dealer + 1) % options.seats
        to_act = json.get("to_act") or [first]
        state.turn = json.get("turn", to_act[0])
        if state.phase not in ("deal", "over"):
            state._check_position()
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this; a colour left out is that of the top."""
        seats = self.options.seats
        if self.phase not in OF_PHASE:
            raise PositionError("phase", "is none of this game")
        if len(self.hands) != seats or len(self.hands_won) != seats:
            raise PositionError("hands", f"hands and hands_won must be {seats}")
        if not all(hand or seat == self.out for seat, hand in enumerate(self.hands)):
            raise PositionError("hands", "no hand is empty while it is played")
        if self.turn not in range(seats):
            raise PositionError("to_act", "must be a seat")
        if self.direction not in (1, -1):
            raise PositionError("direction", "must be 1 or -1")
        if self.shuffles not in range(MOST_SHUFFLES + 1):
            raise PositionError("shuffles", f"must be 0 to {MOST_SHUFFLES}")
        if self.shuffles == MOST_SHUFFLES and not self.stock:
            raise PositionError("shuffles", "the stock is not empty after the last one")
        self._check_top()
        self._check_phase()

    def _check_top(self) -> None:
        if not self.discard:
            raise PositionError("discard", "the first card lies there")
        top = self.discard[-1]
        if self.phase == "colour":
            if top != JOLLY or self.colour != NO_COLOUR:
                raise PositionError("colour", "is named for a jolly that has none")
        elif self.colour == NO_COLOUR:
            if top >= JOLLY:
                raise PositionError("colour", "must be given on a jolly")
            self.colour = top // SIGNS
        elif top < JOLLY and self.colour != top // SIGNS:
            raise PositionError("colour", "is that of the top card")

    def _check_phase(self) -> None:
        if (self.phase == "drawn") != (self.drawn is not None):
            raise PositionError("drawn", "goes with the phase drawn")
        if self.drawn is not None and self.drawn not in self.hands[self.turn]:
            raise PositionError("drawn", "is held by the seat to act")
        if (self.phase == "challenge") != (self.doubt is not None):
            raise PositionError("phase", "a challenge needs what is in doubt")


def _doubt_json(doubt: Doubt | None) -> list[Any] | None:
    return doubt and [doubt.seat, COLOURS[doubt.colour], UNO108.show(doubt.hand)]


def _read_doubt(json: Any) -> Doubt | None:
    return Doubt(json[0], COLOURS.index(json[1]), tuple(sorted(UNO108.read(json[2])))) if json else None


UNO = Game(
    id="uno",
    names={"it": "Uno", "en": "Uno"},
    deck=UNO108,
    direction="clockwise",
    rules_version=1,
    specs=UNO_SPECS,
    options_type=UnoOptions,
    state_type=Uno,
)
