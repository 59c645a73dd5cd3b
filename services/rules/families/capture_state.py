"""The course of a hand and a match in the games of scopa's kind, where cards are taken from the table.

What they all do alike is here (sections 2 to 7 of their specs): cards are dealt one at a time from the seat
after the dealer, who begins in every deal; a card takes cards of the table or is laid down there; who empties
the table makes a scopa; what is left at the end goes to the last capture; the piles are counted. A game says
what a card takes, and wherever else it differs.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS, LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.match import Outcome, abandoned, is_past_target
from services.rules.core.moves import Applied, Event, Move, card_played
from services.rules.core.position import read_zones
from services.rules.core.view import Prompt, View
from services.rules.core.zones import closed_zone, open_set
from services.rules.families.capture_moves import Play, play_of, read_play
from services.rules.families.capture_options import CaptureOptions
from services.rules.families.captures import ALL_CARDS, OF_VALUE, pile_points
from services.rules.families.held_hands import HeldHands

_PLAY_CARD = {"it": "Gioca una carta", "en": "Play a card"}
_KINGS = OF_VALUE[10]
_PILES = ("captured.0", "captured.1")
_LAID = (0,)  # what a card takes that captures nothing
_LAID_DOWN = tuple(play_of(card, 0) for card in IT40.cards)


class CaptureState(HeldHands[Move]):
    """A match. Hands, table, piles (`captured`, one a side) and `seen` are sets of cards."""

    __slots__ = (
        "captured",
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

    deck = IT40
    options: CaptureOptions
    has_stock: ClassVar[bool] = True
    """Whether cards may be left to be dealt later."""

    def __init__(self, options: CaptureOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.table = 0
        self.stock = b""  # next card first
        self.captured = [0, 0]
        self.seen = 0  # captured before: what everybody is shown with the option `seen_cards`
        self.scope = [0, 0]
        self.last_capture: int | None = None
        self.last_move: tuple[int, Move] | None = None
        self.turn = dealer
        self.shuffled = b""  # the deck of the running or ended hand as it was dealt, empty if not known
        self.void_deals = 0  # how often the deal of the hand to come was thrown back

    # ------------------------------------------------------------------- where the games differ

    @property
    def _sizes(self) -> tuple[int, int]:
        """How many cards a seat gets in a deal, and the table in the first."""
        return 3, 4

    def _is_void(self, table: int) -> bool:
        """Whether the first cards of the table are a reason to deal again."""
        return (table & _KINGS).bit_count() >= 3

    @abstractmethod
    def _captures(self, card: int) -> Sequence[int]:
        """All sets of table cards that the card may take; in deck order, none if it takes nothing."""

    @abstractmethod
    def _wrong_capture(self, move: Play) -> Refusal:
        """Why the cards, all on the table, may not be taken (the last rows of section 8)."""

    def _is_scopa(self, move: Play) -> bool:
        """Whether emptying the table by this move before the last card makes a scopa."""
        return True

    def _made(self) -> dict[str, list[int]]:
        """The items of the hand's score that are made during play."""
        return {"scope": list(self.scope)}

    def _counted(self) -> dict[str, list[int]]:
        """The items that are counted in the piles."""
        return pile_points(self.captured)

    def _outright(self) -> Outcome | None:
        """How the piles end the match at once, whatever the points; None if they do not."""
        return None

    def _facts(self) -> dict[str, Any]:
        """What else everybody sees."""
        return {
            "scope": list(self.scope),
            "last_capture": self.last_capture,
            "last_move": self._last_move_json(),
        }

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
        each, on_table = self._sizes
        dealt = each * self.options.seats
        table = as_set(deck[dealt : dealt + on_table])
        if self._is_void(table):
            self.void_deals += 1
            return [Event("deal_voided", None, {"table": IT40.show_set(table)})]
        self.phase = "play"
        self.void_deals = 0
        self.shuffled = deck
        self.table = table
        self.stock = deck[:dealt] + deck[dealt + on_table :]
        self.captured = [0, 0]
        self.seen = 0
        self.scope = [0, 0]
        self.last_capture = None
        self.last_move = None
        return [self._deal("hand_dealt", {"dealer": self.dealer, "table": IT40.show_set(table)})]

    def _deal(self, kind: str, data: dict[str, Any]) -> Event:
        """Cards for every hand from the stock, one at a time from the seat after the dealer, who begins."""
        self.turn = (self.dealer + 1) % self.options.seats
        self.stock = self._deal_each(self.stock, self._sizes[0])
        return self._dealt({**data, "stock": len(self.stock)}, kind)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase == "play" else ()

    def legal(self, seat: int) -> list[Move]:
        if seat != self.turn or self.phase != "play":
            return []
        found: list[Move] = []
        for card in members(self.hands[seat]):
            if captures := self._captures(card):
                found += [play_of(card, taken) for taken in captures]
            else:
                found.append(_LAID_DOWN[card])
        return found

    def _read(self, seat: int, text: str) -> Move | None:
        return read_play(text)

    def _refusal(self, seat: int, move: Move) -> Refusal | None:
        """Section 8, the rows of a card that is played."""
        play: Play = move  # type: ignore[assignment]  # a game that has other moves looks at those first
        (played,) = play.cards
        if not self.hands[seat] >> play.card & 1:
            return Refusal("not_in_hand", f"you do not hold {played}", played)
        named = len(play.takes)
        if play.taken in (self._captures(play.card) or _LAID) and named == play.taken.bit_count():
            return None
        if not play.taken:
            return Refusal("capture_required", f"{played} captures: say which cards it takes", played)
        if missing := play.taken & ~self.table:
            face = IT40.faces[members(missing)[0]]
            return Refusal("not_on_table", f"{face} is not on the table", face)
        if named > play.taken.bit_count():
            face = next(face for face in play.takes if play.takes.count(face) > 1)
            return Refusal("not_on_table", f"{face} is named twice", face)
        return self._wrong_capture(play)

    def _play(self, seat: int, move: Move) -> Applied:
        play: Play = move  # type: ignore[assignment]
        played = 1 << play.card
        self.hands[seat] ^= played
        self.last_move = (seat, play)
        events = [card_played(IT40, seat, play.card)]
        if play.taken:
            self._capture(seat, play, events)
            lead_in = LEAD_IN_CAPTURE_MS
            if outcome := self._outright():
                self._score({**self._made(), **self._counted()}, events)
                self._end_match(outcome, events)
                return Applied(play.text, events)
        else:
            self.table |= played
            lead_in = 0
        self.turn = (seat + 1) % self.options.seats
        if seat == self.dealer:
            lead_in = self._end_round(events, lead_in)
        return Applied(play.text, events, True, False, None, lead_in)

    def _capture(self, seat: int, move: Play, events: list[Event]) -> None:
        side = seat % 2
        self.table ^= move.taken
        self.captured[side] |= move.taken | 1 << move.card
        self.last_capture = seat
        events.append(Event("cards_captured", seat, {"side": side, "cards": list(move.takes)}))
        if not self.table and (self.stock or any(self.hands)) and self._is_scopa(move):
            self.scope[side] += 1
            events.append(Event("scopa_made", seat, {"side": side}))

    def _end_round(self, events: list[Event], lead_in: int) -> int:
        """Every seat has played as many cards as the others: go on, deal again or end the hand.

        Returns the lead-in of the next turn, which is `lead_in` if nothing happens.
        """
        if self.hands[self.turn]:
            return lead_in
        if not self.stock:
            self._end_hand(events)
            return 0
        self.seen = self.captured[0] | self.captured[1]
        events.append(self._deal("cards_dealt", {}))
        return LEAD_IN_DEAL_MS

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        last_side = (self.last_capture or 0) % 2  # somebody always has captured
        if self.table:
            left = IT40.show_set(self.table)
            events.append(Event("table_taken", None, {"side": last_side, "cards": left}))
            self.captured[last_side] |= self.table
            self.table = 0
        self._score({**self._made(), **self._counted()}, events)
        if outcome := self._outright():
            self._end_match(outcome, events)
            return
        self._after_hand(
            events,
            is_due=self._is_due(),
            tie_hands=self.options.tie_hands,
            ko_order=(1 - last_side, last_side) if self.options.ko else None,
        )

    def _is_due(self) -> bool:
        """Whether the match should end with this hand."""
        options = self.options
        if options.match == "hands":
            return self.hand >= options.hands
        return is_past_target(self.scores, options.target, options.target_rule)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        side = seat % 2
        events = [Event("seat_abandoned", seat, {})]
        if self.phase == "play":
            opponents = [int(other != side) for other in range(2)]
            unassigned = [4 * it for it in opponents]
            self._score({**self._made(), "unassigned": unassigned, "extra_scopa": opponents}, events)
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
        zones = self._public_hands()
        zones.append(open_set(IT40, "table", "table", "row", self.table))
        if self.has_stock:
            zones.append(closed_zone("stock", "stock", "stack", len(self.stock)))
        for side, pile in enumerate(self.captured):
            zones.append(
                closed_zone(_PILES[side], "captured", "pile", pile.bit_count(), None, side)
                if self.phase == "play"
                else open_set(IT40, _PILES[side], "captured", "pile", pile, None, side)
            )
        if self.options.seen_cards:
            zones.append(open_set(IT40, "seen", "seen", "pile", self.seen))
        prompts = [Prompt(self.to_act, "play_card", _PLAY_CARD)] if self.phase == "play" else []
        return self._view(zones, prompts, [], self._facts())

    def own_view(self, seat: int) -> View:
        return self._view(self._own_hands(seat), [], self.legal(seat), {})

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
            **({"stock": IT40.show(self.stock)} if self.has_stock else {}),
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
            to_act = json.get("to_act", [(state.dealer + 1) % options.seats])
            if len(to_act) != 1:
                raise PositionError("to_act", "must be one seat")
            state.turn = to_act[0]
            state._check_position()
        return state

    def _check_position(self) -> None:
        """PositionError unless a hand in play can stand like this."""
        seats = self.options.seats
        each = self._sizes[0]
        if len(self.hands) != seats:
            raise PositionError("hands", f"must be {seats}")
        if not 0 <= self.turn < seats:
            raise PositionError("to_act", "must be a seat")
        zones = (*self.hands, self.table, as_set(self.stock), *self.captured)
        if sum(zones) != ALL_CARDS:
            raise PositionError("cards", "all forty must be somewhere")
        if len(self.stock) % (each * seats):
            raise PositionError("stock", f"must be a multiple of {each * seats} cards")
        begins = (self.dealer + 1) % seats
        most = self.hands[self.turn].bit_count()
        for seat, hand in enumerate(self.hands):
            has_played = (seat - begins) % seats < (self.turn - begins) % seats
            if not 1 <= most <= each or hand.bit_count() != most - has_played:
                raise PositionError("hands", f"seat {seat} cannot hold {hand.bit_count()} cards at this turn")
        if self.last_capture not in (None, *range(seats)):
            raise PositionError("last_capture", "must be a seat")
        if self.last_capture is None and any(self.captured):
            raise PositionError("last_capture", "must be given when a pile is not empty")
