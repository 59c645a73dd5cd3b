"""Scopa (scopa.md). Two seats, or four in two partnerships; the deck `it40`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS, LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, abandoned, is_past_target, verdict
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Prompt, View, Zone
from services.rules.families.capture_options import CaptureOptions, capture_specs
from services.rules.families.captures import (
    ALL_CARDS,
    OF_VALUE,
    VALUE,
    closed_zone,
    equal_or_sums,
    open_zone,
    pile_points,
)

_PLAY_CARD = {"it": "Gioca una carta", "en": "Play a card"}
_HAND = 3
_TABLE = 4
_KINGS = OF_VALUE[10]
_HANDS = ("hands.0", "hands.1", "hands.2", "hands.3")
_PILES = ("captured.0", "captured.1")
_LAID = (0,)  # what a card takes that captures nothing


@dataclass(frozen=True, slots=True)
class Play(Move):
    """`play C` or `play C take X …`: the card, and the set of cards that it takes."""

    card: int = 0
    taken: int = 0


@lru_cache(maxsize=4096)  # the same few thousand moves come again and again
def _play_of(card: int, taken: int) -> Play:
    return _named(card, IT40.show_set(taken), taken)


def _named(card: int, takes: Sequence[str], taken: int) -> Play:
    """The move with the texts of the cards that it takes, in deck order; one may be named twice."""
    played = IT40.faces[card]
    text = f"play {played} take {' '.join(takes)}" if takes else f"play {played}"
    return Play(text, "play", (played,), tuple(takes), "table", card, taken)


@lru_cache(maxsize=4096)
def _read(text: str) -> Play | None:
    """Section 3: the move of this text, if it has the form of one."""
    verb, *rest = words(text) or [""]
    number = IT40.number
    if verb != "play" or not all(word in number for word in (*rest[:1], *rest[2:])):
        return None
    match rest:
        case [card]:
            return _play_of(number[card], 0)
        case [card, "take", _, *_]:
            takes = sorted(IT40.read(rest[2:]))
            return _named(number[card], IT40.show(takes), as_set(takes))
    return None


class Scopa(State[Play]):
    """A match of scopa. Hands, table, piles (`captured`, one a side) and `seen` are sets of cards."""

    __slots__ = (
        "captured",
        "hands",
        "last_capture",
        "last_move",
        "scope",
        "seen",
        "shuffled",
        "stock",
        "table",
        "turn",
        "void_deals",
    )

    options: CaptureOptions

    def __init__(self, options: CaptureOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.hands = [0] * options.seats
        self.table = 0
        self.stock = b""  # next card first
        self.captured = [0, 0]
        self.seen = 0  # captured in earlier deals of the hand
        self.scope = [0, 0]
        self.last_capture: int | None = None
        self.last_move: tuple[int, Play] | None = None
        self.turn = dealer
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
        deck = bytes(order)
        dealt = _HAND * self.options.seats
        table = as_set(deck[dealt : dealt + _TABLE])
        if (table & _KINGS).bit_count() >= 3:
            self.void_deals += 1
            return [Event("deal_voided", None, {"table": IT40.show_set(table)})]
        self.phase = "play"
        self.void_deals = 0
        self.shuffled = deck
        self.table = table
        self.stock = deck[:dealt] + deck[dealt + _TABLE :]
        self.captured = [0, 0]
        self.seen = 0
        self.scope = [0, 0]
        self.last_capture = None
        self.last_move = None
        return [self._deal("hand_dealt", {"dealer": self.dealer, "table": IT40.show_set(table)})]

    def _deal(self, kind: str, data: dict[str, Any]) -> Event:
        """Three cards each from the stock, one at a time from the seat after the dealer, who begins."""
        seats = self.options.seats
        dealt = _HAND * seats
        self.turn = (self.dealer + 1) % seats
        for distance in range(seats):
            self.hands[(self.turn + distance) % seats] = as_set(self.stock[distance:dealt:seats])
        self.stock = self.stock[dealt:]
        data |= {"hands": self._hands_seen(None), "stock": len(self.stock)}
        return Event(kind, None, data, {seat: {"hands": self._hands_seen(seat)} for seat in range(seats)})

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase == "play" else ()

    def legal(self, seat: int) -> list[Play]:
        if seat not in self.to_act:
            return []
        return [
            _play_of(card, taken)
            for card in members(self.hands[seat])
            for taken in equal_or_sums(self.table, VALUE[card]) or _LAID
        ]

    def _read(self, seat: int, text: str) -> Play | None:
        return _read(text)

    def _refusal(self, seat: int, move: Play) -> Refusal | None:
        """Section 8, row by row."""
        (played,) = move.cards
        value = VALUE[move.card]
        if not self.hands[seat] >> move.card & 1:
            return Refusal("not_in_hand", f"you do not hold {played}", played)
        captures = equal_or_sums(self.table, value)
        named = len(move.takes)
        if move.taken in (captures or _LAID) and named == move.taken.bit_count():
            return None
        if not move.taken:
            return Refusal("capture_required", f"{played} captures: say which cards it takes", played)
        if missing := move.taken & ~self.table:
            face = IT40.faces[members(missing)[0]]
            return Refusal("not_on_table", f"{face} is not on the table", face)
        if named > move.taken.bit_count():
            face = next(face for face in move.takes if move.takes.count(face) > 1)
            return Refusal("not_on_table", f"{face} is named twice", face)
        if sum(VALUE[card] for card in members(move.taken)) == value:
            face = IT40.faces[members(captures[0])[0]]
            return Refusal("must_take_equal", f"{played} must take a card of its own value: {face}", face)
        return Refusal("not_a_capture", f"{played} counts {value}, these cards do not", move.takes[0])

    def _play(self, seat: int, move: Play) -> Applied:
        played = 1 << move.card
        self.hands[seat] ^= played
        self.last_move = (seat, move)
        events = [Event("card_played", seat, {"card": move.cards[0]})]
        if move.taken:
            self._capture(seat, move, events)
            lead_in = LEAD_IN_CAPTURE_MS
        else:
            self.table |= played
            lead_in = 0
        self.turn = (seat + 1) % self.options.seats
        if not self.hands[self.turn]:
            if self.stock:
                self.seen = self.captured[0] | self.captured[1]
                events.append(self._deal("cards_dealt", {}))
                lead_in = LEAD_IN_DEAL_MS
            else:
                self._end_hand(events)
                lead_in = 0
        return Applied(move.text, events, True, False, None, lead_in)

    def _capture(self, seat: int, move: Play, events: list[Event]) -> None:
        side = seat % 2
        self.table ^= move.taken
        self.captured[side] |= move.taken | 1 << move.card
        self.last_capture = seat
        events.append(Event("cards_captured", seat, {"side": side, "cards": list(move.takes)}))
        if not self.table and (self.stock or any(self.hands)):
            self.scope[side] += 1
            events.append(Event("scopa_made", seat, {"side": side}))

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        last_side = (self.last_capture or 0) % 2  # somebody always has captured
        if self.table:
            left = IT40.show_set(self.table)
            events.append(Event("table_taken", None, {"side": last_side, "cards": left}))
            self.captured[last_side] |= self.table
            self.table = 0
        self._score({"scope": list(self.scope), **pile_points(self.captured)}, events)
        options = self.options
        if self.tie_break or self._is_due():
            outcome = verdict(
                self.scores,
                tie_break=self.tie_break,
                tie_hands=options.tie_hands,
                ko=options.ko,
                last_side=last_side,
            )
            if outcome:
                self._end_match(outcome, events)
                return
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        self.dealer = (self.dealer + 1) % options.seats

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return is_past_target(self.scores, options.target, options.target_rule)

    def _score(self, items: dict[str, list[int]], events: list[Event]) -> None:
        """Add a hand's items to the scores."""
        total = [sum(points) for points in zip(*items.values(), strict=True)]
        self.hand_score = hand_score({**items, "total": total})
        self.scores = [score + more for score, more in zip(self.scores, total, strict=True)]
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores)}
        events.append(Event("hand_ended", None, data))

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        side = seat % 2
        events = [Event("seat_abandoned", seat, {})]
        if self.phase == "play":
            opponents = [int(other != side) for other in range(2)]
            items = {
                "scope": list(self.scope),
                "unassigned": [4 * it for it in opponents],
                "extra_scopa": opponents,
            }
            self._score(items, events)
        self._end_match(abandoned(self.scores, seat, side), events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def _open_hands(self, viewer: int | None) -> Sequence[int]:
        """The seats whose hands the viewer (None: everybody) sees."""
        options = self.options
        if options.seen_cards and options.seats == 2 and not self.stock:
            return (0, 1)
        if viewer is None:
            return ()
        return (viewer, (viewer + 2) % 4) if options.open_partners else (viewer,)

    def _hands_seen(self, viewer: int | None) -> list[list[str] | int]:
        """Every hand as the viewer sees it: its cards, or how many they are."""
        seen: list[list[str] | int] = [hand.bit_count() for hand in self.hands]
        for owner in self._open_hands(viewer):
            seen[owner] = IT40.show_set(self.hands[owner])
        return seen

    @property
    def whole_deck_shown(self) -> bool:
        return self.captured[0] | self.captured[1] == ALL_CARDS

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = self.table
        if self.phase != "play":
            shown |= self.captured[0] | self.captured[1]
        if self.options.seen_cards:
            shown |= self.seen
        for owner in self._open_hands(viewer):
            shown |= self.hands[owner]
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def public_view(self) -> View:
        everybody = self._open_hands(None)
        zones = [self._hand_zone(owner, owner in everybody) for owner in range(len(self.hands))]
        zones.append(open_zone("table", "table", "row", self.table))
        zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        for side, pile in enumerate(self.captured):
            zones.append(
                closed_zone(_PILES[side], "captured", "pile", pile.bit_count(), None, side)
                if self.phase == "play"
                else open_zone(_PILES[side], "captured", "pile", pile, None, side)
            )
        if self.options.seen_cards:
            zones.append(open_zone("seen", "seen", "pile", self.seen))
        facts: dict[str, Any] = {
            "scope": list(self.scope),
            "last_capture": self.last_capture,
            "last_move": self._last_move_json(),
        }
        prompts = [Prompt(self.to_act, "play_card", _PLAY_CARD)] if self.phase == "play" else []
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        everybody = self._open_hands(None)
        zones = [self._hand_zone(owner, True) for owner in self._open_hands(seat) if owner not in everybody]
        return self._view(zones, [], self.legal(seat), {})

    def _hand_zone(self, owner: int, is_open: bool) -> Zone:
        hand, name, side = self.hands[owner], _HANDS[owner], owner % 2
        if is_open:
            return open_zone(name, "hands", "fan", hand, owner, side)
        return closed_zone(name, "hands", "fan", hand.bit_count(), owner, side)

    def _last_move_json(self) -> dict[str, Any] | None:
        if self.last_move is None:
            return None
        seat, move = self.last_move
        return {"seat": seat, "move": move.text, "cards": list(move.cards), "takes": list(move.takes)}

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.hands = list(self.hands)
        new.table = self.table
        new.stock = self.stock
        new.captured = list(self.captured)
        new.seen = self.seen
        new.scope = list(self.scope)
        new.last_capture = self.last_capture
        new.last_move = self.last_move
        new.turn = self.turn
        new.shuffled = self.shuffled
        new.void_deals = self.void_deals
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "hands": [IT40.show_set(hand) for hand in self.hands],
            "table": IT40.show_set(self.table),
            "stock": IT40.show(self.stock),
            "captured": [IT40.show_set(pile) for pile in self.captured],
            "seen": IT40.show_set(self.seen),
            "scope": list(self.scope),
            "last_capture": self.last_capture,
            "last_move": self._last_move_json(),
            "shuffled": IT40.show(self.shuffled),
            "void_deals": self.void_deals,
        }

    @classmethod
    def from_json(cls, options: CaptureOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        zones = read_zones(json, IT40, whole=["table", "stock"], parted=["hands", "captured"])
        state.hands = [as_set(hand) for hand in zones.get("hands", [[]] * options.seats)]
        state.table = as_set(zones.get("table", [[]])[0])
        state.stock = bytes(zones.get("stock", [[]])[0])
        state.captured = [as_set(pile) for pile in zones.get("captured", [[], []])]
        captured = state.captured[0] | state.captured[1]
        state.seen = as_set(IT40.read(json["seen"])) if "seen" in json else captured
        state.scope = list(json.get("scope", [0, 0]))
        state.last_capture = json.get("last_capture")
        if last := json.get("last_move"):
            move = state._read(last["seat"], last["move"])
            state.last_move = (last["seat"], move) if move else None
        state.shuffled = bytes(IT40.read(json.get("shuffled", [])))
        state.void_deals = json.get("void_deals", 0)
        if state.phase == "play":
            (state.turn,) = json.get("to_act", [(state.dealer + 1) % options.seats])
            state._check_position()
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this."""
        seats = self.options.seats
        if len(self.hands) != seats:
            raise PositionError("hands", f"must be {seats}")
        zones = (*self.hands, self.table, as_set(self.stock), *self.captured)
        if sum(zones) != ALL_CARDS:
            raise PositionError("cards", "all forty must be somewhere")
        if len(self.stock) % (_HAND * seats):
            raise PositionError("stock", f"must be a multiple of {_HAND * seats} cards")
        begins = (self.dealer + 1) % seats
        most = self.hands[self.turn].bit_count()
        for seat, hand in enumerate(self.hands):
            has_played = (seat - begins) % seats < (self.turn - begins) % seats
            if not 1 <= most <= _HAND or hand.bit_count() != most - has_played:
                raise PositionError("hands", f"seat {seat} cannot hold {hand.bit_count()} cards at this turn")
        if self.last_capture is None and any(self.captured):
            raise PositionError("last_capture", "must be given when a pile is not empty")


SCOPA = Game(
    id="scopa",
    names={"it": "Scopa", "en": "Broom"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=capture_specs(target=11),
    options_type=CaptureOptions,
    state_type=Scopa,
)
