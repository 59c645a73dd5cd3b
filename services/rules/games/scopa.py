"""Scopa (scopa.md). Two seats, or four in two partnerships; the deck `it40`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS, LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import TargetRule, abandoned, is_past_target, verdict
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.options import Options, OptionSpec
from services.rules.core.position import read_zones
from services.rules.core.state import State
from services.rules.core.view import Prompt, View, Zone
from services.rules.families.captures import ALL_CARDS, VALUE, can_sum, equals, pile_points, sums

# -------------------------------------------------------------------------------------- 1. identity


@dataclass(frozen=True, slots=True)
class ScopaOptions(Options):
    """The options of section 1; four seats are two partnerships."""

    match: Literal["points", "hands"]
    target: int
    target_rule: TargetRule
    hands: int
    ko: bool
    tie_hands: int
    seen_cards: bool
    open_partners: bool

    def __post_init__(self) -> None:
        if self.open_partners and self.seats != 4:
            raise OptionsError("open_partners", "partners need four seats")

    @property
    def sides(self) -> int:
        return 2


SPECS = (
    OptionSpec("seats", "choice", 2, {"it": "Giocatori", "en": "Players"}, choices=(2, 4)),
    OptionSpec(
        "match", "choice", "points", {"it": "A punti o a smazzate", "en": "To points, or a number of hands"},
        choices=("points", "hands"),
    ),
    OptionSpec("target", "int", 11, {"it": "Punti della partita", "en": "Points to play to"}, low=1, high=999),
    OptionSpec(
        "target_rule", "choice", "past",
        {"it": "I punti vanno superati o solo raggiunti", "en": "The target must be passed, or just reached"},
        choices=("past", "reach"),
    ),
    OptionSpec(
        "hands", "int", 2, {"it": "Numero di smazzate", "en": "Number of hands"}, low=1, high=40,
        derive=lambda options: options["seats"],
    ),
    OptionSpec("ko", "bool", False, {"it": "Eliminazione diretta: niente pareggi", "en": "Knock-out: no draws"}),
    OptionSpec(
        "tie_hands", "int", 1, {"it": "Spareggi al massimo", "en": "Most tie-break hands"}, low=0, high=3
    ),
    OptionSpec("seen_cards", "bool", False, {"it": "A carte viste", "en": "Captured cards are shown"}),
    OptionSpec(
        "open_partners", "bool", False,
        {"it": "A carte scoperte tra compagni", "en": "Partners see each other's hand"},
    ),
)  # fmt: skip

_PLAY_CARD = {"it": "Gioca una carta", "en": "Play a card"}
_HAND = 3
_TABLE = 4
_KINGS = frozenset(IT40.read(["Kd", "Kc", "Kb", "Ks"]))


@lru_cache(maxsize=4096)
def _move(card: int, takes: tuple[int, ...], side: int) -> Move:
    """The move that plays `card` for `side`; `takes` in deck order. The same few thousand come again and again."""
    played = IT40.faces[card]
    if not takes:
        return Move(f"play {played}", "play", (played,), (), "table")
    taken = tuple(IT40.show(takes))
    return Move(f"play {played} take {' '.join(taken)}", "play", (played,), taken, f"captured.{side}")


class Scopa(State):
    """A match of scopa. Piles (`captured`, one a side) and `seen` are sets of cards; the rest are lists."""

    __slots__ = (
        "captured", "hands", "last_capture", "last_move", "scope", "seen", "shuffled", "stock", "table", "turn",
        "void_deals",
    )  # fmt: skip

    options: ScopaOptions

    def __init__(self, options: ScopaOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands: list[list[int]] = [[] for _ in range(options.seats)]
        self.table: list[int] = []
        self.stock: list[int] = []
        self.captured = [0, 0]
        self.scope = [0, 0]
        self.last_capture: int | None = None
        self.last_move: tuple[int, Move] | None = None
        self.turn = dealer
        self.seen = 0  # captured in earlier deals of the hand
        self.shuffled = b""  # the deck of the running or ended hand as it was dealt, empty if not known
        self.void_deals = 0  # how often the deal of the hand to come was thrown back

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase != "deal":
            return None
        return Shuffle(IT40.texts, "redeal" if self.void_deals else "deal")

    def supply(self, order: Sequence[int]) -> list[Event]:
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        check_order(order, len(IT40.cards))
        dealt = _HAND * self.options.seats
        table = list(order[dealt : dealt + _TABLE])
        if sum(card in _KINGS for card in table) >= 3:
            self.void_deals += 1
            return [Event("deal_voided", None, {"table": IT40.show(table)})]
        self.phase = "play"
        self.void_deals = 0
        self.shuffled = bytes(order)
        self.table = table
        self.stock = [*order[:dealt], *order[dealt + _TABLE :]]
        self.captured = [0, 0]
        self.scope = [0, 0]
        self.last_capture = None
        self.last_move = None
        self.seen = 0
        return [self._deal("hand_dealt", {"dealer": self.dealer, "table": IT40.show(table)})]

    def _deal(self, kind: str, data: dict[str, Any]) -> Event:
        """Three cards each from the stock, one at a time from the seat after the dealer, who begins."""
        seats = self.options.seats
        dealt = _HAND * seats
        self.turn = (self.dealer + 1) % seats
        for distance in range(seats):
            self.hands[(self.turn + distance) % seats] = self.stock[distance:dealt:seats]
        self.stock = self.stock[dealt:]
        data |= {"hands": self._hands_seen(None), "stock": len(self.stock)}
        private = {seat: {"hands": self._hands_seen(seat)} for seat in range(seats)}
        return Event(kind, None, data, private)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase == "play" else ()

    def legal(self, seat: int) -> list[Move]:
        if seat not in self.to_act:
            return []
        side = seat % 2
        return [
            _move(card, takes, side) for card in sorted(self.hands[seat]) for takes in self._captures(card) or [()]
        ]

    def _captures(self, card: int) -> list[tuple[int, ...]]:
        """All that the card may take: one of equal value, or else any sum."""
        value = VALUE[card]
        same = equals(self.table, value)
        return [(other,) for other in sorted(same)] if same else sums(self.table, value)

    def _read(self, seat: int, text: str) -> Move | None:
        verb, *rest = words(text) or [""]
        number = IT40.number
        if verb != "play" or not all(word in number for word in (*rest[:1], *rest[2:])):
            return None
        match rest:
            case [card]:
                return _move(number[card], (), seat % 2)
            case [card, "take", _, *_]:
                return _move(number[card], tuple(sorted(IT40.read(rest[2:]))), seat % 2)
        return None

    def _refusal(self, seat: int, move: Move) -> Refusal | None:
        """Section 8, row by row."""
        (played,) = move.cards
        card = IT40.number[played]
        value = VALUE[card]
        if card not in self.hands[seat]:
            return Refusal("not_in_hand", f"you do not hold {played}", played)
        same = equals(self.table, value)
        if not move.takes:
            if same or can_sum(self.table, value):
                return Refusal("capture_required", f"{played} captures: say which cards it takes", played)
            return None
        takes = IT40.read(move.takes)
        for other in takes:
            if other not in self.table or takes.count(other) > 1:
                face = IT40.faces[other]
                return Refusal("not_on_table", f"{face} is not on the table, or not as often as named", face)
        if sum(VALUE[other] for other in takes) != value:
            return Refusal("not_a_capture", f"{played} counts {value}, these cards do not", move.takes[0])
        if same and len(takes) > 1:
            face = IT40.faces[same[0]]
            return Refusal("must_take_equal", f"{played} takes one card of its own value, such as {face}", face)
        return None

    def _play(self, seat: int, move: Move) -> Applied:
        seats = self.options.seats
        (played,) = move.cards
        card = IT40.number[played]
        self.hands[seat].remove(card)
        self.last_move = (seat, move)
        events = [Event("card_played", seat, {"card": played})]
        if move.takes:
            self._capture(seat, card, move.takes, events)
        else:
            self.table.append(card)
        lead_in = LEAD_IN_CAPTURE_MS if move.takes else 0
        self.turn = (seat + 1) % seats
        if not self.hands[self.turn]:
            if self.stock:
                self.seen = self.captured[0] | self.captured[1]
                events.append(self._deal("cards_dealt", {}))
                lead_in = LEAD_IN_DEAL_MS
            else:
                self._end_hand(events)
                lead_in = 0
        return Applied(move.text, events, lead_in_ms=lead_in)

    def _capture(self, seat: int, card: int, takes: Sequence[str], events: list[Event]) -> None:
        side = seat % 2
        taken = IT40.read(takes)
        for other in taken:
            self.table.remove(other)
        self.captured[side] |= as_set(taken) | 1 << card
        self.last_capture = seat
        events.append(Event("cards_captured", seat, {"side": side, "cards": list(takes)}))
        if not self.table and (self.stock or any(self.hands)):
            self.scope[side] += 1
            events.append(Event("scopa_made", seat, {"side": side}))

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        assert self.last_capture is not None  # the last king finds a king: forty cards never all stay on the table
        last_side = self.last_capture % 2
        if self.table:
            events.append(Event("table_taken", None, {"side": last_side, "cards": IT40.show(self.table)}))
            self.captured[last_side] |= as_set(self.table)
            self.table = []
        self._score({"scope": list(self.scope), **pile_points(self.captured)}, events)
        options = self.options
        if self.tie_break or self._is_due():
            self.outcome = verdict(
                self.scores, tie_break=self.tie_break, tie_hands=options.tie_hands, ko=options.ko,
                last_side=last_side,
            )  # fmt: skip
            if self.outcome:
                self._end_match(events)
                return
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % options.seats

    def _is_due(self) -> bool:
        """Whether the regular hands of the match are over."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return is_past_target(self.scores, options.target, options.target_rule)

    def _score(self, items: dict[str, list[int]], events: list[Event]) -> None:
        total = [sum(points) for points in zip(*items.values(), strict=True)]
        self.hand_score = {**items, "total": total}
        self.scores = [score + more for score, more in zip(self.scores, total, strict=True)]
        events.append(Event("hand_ended", None, {"hand_score": {**self.hand_score}, "scores": list(self.scores)}))

    def _end_match(self, events: list[Event]) -> None:
        assert self.outcome is not None
        self.phase = "over"
        events.append(Event("match_ended", None, {**self.outcome._asdict(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        side = seat % 2
        events = [Event("seat_abandoned", seat, {})]
        if self.phase == "play":
            to_opponents = [int(other != side) for other in range(2)]
            self._score(
                {
                    "scope": list(self.scope),
                    "unassigned": [4 * it for it in to_opponents],
                    "extra_scopa": to_opponents,
                },
                events,
            )
        self.outcome = abandoned(self.scores, seat, side)
        self._end_match(events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def _shows_hand(self, owner: int, viewer: int | None) -> bool:
        """Whether the viewer (None: everybody) sees the hand of `owner`."""
        options = self.options
        if options.seen_cards and options.seats == 2 and not self.stock:
            return True
        return viewer is not None and (viewer == owner or (options.open_partners and viewer % 2 == owner % 2))

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it: its cards, or how many they are."""
        return [
            IT40.show(hand) if self._shows_hand(owner, viewer) else len(hand)
            for owner, hand in enumerate(self.hands)
        ]

    def _hand_zone(self, owner: int, cards: list[str] | None) -> Zone:
        return Zone(f"hands.{owner}", "hands", "fan", cards, len(self.hands[owner]), owner, owner % 2)

    @property
    def whole_deck_shown(self) -> bool:
        return self.captured[0] | self.captured[1] == ALL_CARDS

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = as_set(self.table)
        if self.phase != "play":
            shown |= self.captured[0] | self.captured[1]
        if self.options.seen_cards:
            shown |= self.seen
        for owner, hand in enumerate(self.hands):
            if self._shows_hand(owner, viewer):
                shown |= as_set(hand)
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def public_view(self) -> View:
        zones = [
            self._hand_zone(owner, IT40.show(hand) if self._shows_hand(owner, None) else None)
            for owner, hand in enumerate(self.hands)
        ]
        zones.append(Zone("table", "table", "row", IT40.show(self.table), len(self.table)))
        zones.append(Zone("stock", "stock", "stack", None, len(self.stock), ordered=True))
        for side, pile in enumerate(self.captured):
            cards = None if self.phase == "play" else IT40.show(members(pile))
            zones.append(Zone(f"captured.{side}", "captured", "pile", cards, pile.bit_count(), side=side))
        if self.options.seen_cards:
            seen = IT40.show(members(self.seen))
            zones.append(Zone("seen", "seen", "pile", seen, len(seen)))
        facts: dict[str, Any] = {
            "scope": list(self.scope),
            "last_capture": self.last_capture,
            "last_move": self._last_move_json(),
        }
        prompts = [Prompt(self.to_act, "play_card", _PLAY_CARD)] if self.phase == "play" else []
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        zones = [
            self._hand_zone(owner, IT40.show(hand))
            for owner, hand in enumerate(self.hands)
            if self._shows_hand(owner, seat) and not self._shows_hand(owner, None)
        ]
        return self._view(zones, [], self.legal(seat), {})

    def _last_move_json(self) -> dict[str, Any] | None:
        if self.last_move is None:
            return None
        seat, move = self.last_move
        return {"seat": seat, "move": move.text, "cards": list(move.cards), "takes": list(move.takes)}

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = [list(hand) for hand in self.hands]
        new.table = list(self.table)
        new.stock = list(self.stock)
        new.captured = list(self.captured)
        new.scope = list(self.scope)
        new.last_capture = self.last_capture
        new.last_move = self.last_move
        new.turn = self.turn
        new.seen = self.seen
        new.shuffled = self.shuffled
        new.void_deals = self.void_deals
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [IT40.show(hand) for hand in self.hands],
            "table": IT40.show(self.table),
            "stock": IT40.show(self.stock),
            "captured": [IT40.show(members(pile)) for pile in self.captured],
            "seen": IT40.show(members(self.seen)),
            "scope": list(self.scope),
            "last_capture": self.last_capture,
            "last_move": self._last_move_json(),
            "shuffled": IT40.show(self.shuffled),
            "void_deals": self.void_deals,
        }

    @classmethod
    def from_json(cls, options: ScopaOptions, json: Mapping[str, Any]) -> Self:
        state = cls(options, json["dealer"])
        state._read_common(json)
        zones = read_zones(json, IT40, whole=["table", "stock"], parted=["hands", "captured"])
        seats = options.seats
        state.hands = zones.get("hands", state.hands)
        (state.table,) = zones.get("table", [[]])
        (state.stock,) = zones.get("stock", [[]])
        state.captured = [as_set(pile) for pile in zones.get("captured", [[], []])]
        both = state.captured[0] | state.captured[1]
        state.seen = as_set(IT40.read(json["seen"])) if "seen" in json else both
        state.scope = list(json.get("scope", [0, 0]))
        state.last_capture = json.get("last_capture")
        if last := json.get("last_move"):
            move = state.parse(last["seat"], last["move"])
            assert isinstance(move, Move)
            state.last_move = (last["seat"], move)
        state.shuffled = bytes(IT40.read(json.get("shuffled", [])))
        state.void_deals = json.get("void_deals", 0)
        state.turn = (state.dealer + 1) % seats
        if state.phase == "play":
            if json.get("to_act"):
                (state.turn,) = json["to_act"]
            state._check_position(len(set(sum(zones["hands"], state.table + state.stock))) + both.bit_count())
        return state

    def _check_position(self, cards: int) -> None:
        """PositionError unless a hand in play can stand like this; `cards` is how many are in its zones."""
        seats = self.options.seats
        if len(self.hands) != seats or len(self.captured) != 2:
            raise PositionError("hands", f"must be {seats} hands and two piles")
        if cards != len(IT40.cards):
            raise PositionError("cards", "all forty must be somewhere")
        if len(self.stock) % (_HAND * seats):
            raise PositionError("stock", f"must be a multiple of {_HAND * seats} cards")
        begins = (self.dealer + 1) % seats
        most = len(self.hands[self.turn])
        for seat, hand in enumerate(self.hands):
            has_played = (seat - begins) % seats < (self.turn - begins) % seats
            if not 1 <= most <= _HAND or len(hand) != most - has_played:
                raise PositionError("hands", f"seat {seat} cannot have {len(hand)} cards at this turn")
        if self.last_capture is None and any(self.captured):
            raise PositionError("last_capture", "must be given when a pile is not empty")


SCOPA = Game(
    id="scopa",
    names={"it": "Scopa", "en": "Broom"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=SPECS,
    options_type=ScopaOptions,
    state_type=Scopa,
)
