"""Hearts, or Peppa (hearts.md). Four seats, each for itself; the deck `fr52`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Self

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import FR52, as_set, members
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import abandoned, is_past_target, ko_ruling
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.notation import words
from services.rules.core.option_specs import (
    KO,
    hands_spec,
    match_spec,
    seats_spec,
    target_spec,
    tie_hands_spec,
)
from services.rules.core.position import read_cards
from services.rules.core.view import Prompt, View, Zone
from services.rules.core.zones import closed_zone, open_set
from services.rules.families.trick_hands import TrickOptions, TrickState
from services.rules.families.tricks import Play, plays_by_set, plays_by_text

_SEATS = 4
_HAND = 13
_GIFT = 3
_SUITS = tuple(card // 13 for card in range(52))
_STRENGTHS = (12, *range(12)) * 4  # the ace stands first in deck order, and ranks highest
_OF_SUIT = tuple(as_set(range(first, first + 13)) for first in range(0, 52, 13))
_HEARTS = _OF_SUIT[0]
_POINTS = (5, *[1] * 9, 2, 3, 4)  # of the hearts, in deck order
_PEPPA = FR52.number["Qs"]
_PEPPA_POINTS = 13
_ALL_POINTS = 36
_PENALTY_CARDS = _HEARTS | 1 << _PEPPA
_plays_of = plays_by_set(FR52, _OF_SUIT)
_BY_TEXT = plays_by_text(FR52)
_GIVE_CARDS = {"it": "Dai tre carte a destra", "en": "Give three cards to the right"}
_GIVEN = ("given.0", "given.1", "given.2", "given.3")
_SEEN = ("seen.0", "seen.1", "seen.2", "seen.3")


@dataclass(frozen=True, slots=True)
class HeartsOptions(TrickOptions):
    target: int

    @property
    def low_wins(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Give(Move):
    """`give X X X`: the three cards, as a set too (smaller if one is named twice)."""

    gift: int = 0


@cache
def _give(cards: tuple[int, ...]) -> Give:
    faces = tuple(FR52.show(cards))
    return Give(f"give {' '.join(faces)}", "give", faces, (), "", as_set(cards))


@cache
def _choices(cards: int) -> Sequence[tuple[int, ...]]:
    """Which three of so many."""
    return tuple(combinations(range(cards), _GIFT))


class Gifts(Sequence[Give]):
    """Every choice of three cards of a hand, in deck order. A seat has 286: each is made when it is asked
    for."""

    __slots__ = ("hand",)

    def __init__(self, hand: tuple[int, ...]) -> None:
        self.hand = hand

    def __len__(self) -> int:
        return len(_choices(len(self.hand)))

    def __getitem__(self, place: Any) -> Any:
        chosen = _choices(len(self.hand))[place]
        if isinstance(place, slice):
            return [self._gift(*each) for each in chosen]
        return self._gift(*chosen)

    def _gift(self, first: int, second: int, third: int) -> Give:
        hand = self.hand
        return _give((hand[first], hand[second], hand[third]))

    def __iter__(self) -> Iterator[Give]:
        return map(_give, combinations(self.hand, _GIFT))


def _read_give(text: str) -> Give | None:
    """`give` and three cards in any order."""
    verb, *faces = words(text) or [""]
    if verb != "give" or len(faces) != _GIFT or not all(face in FR52.number for face in faces):
        return None
    return _give(tuple(sorted(FR52.read(faces))))


@cache
def _points_of(hearts: int) -> int:
    return sum(_POINTS[card] for card in members(hearts))


def heart_points(pile: int) -> int:
    """The points of the hearts in a pile."""
    return _points_of(pile & _HEARTS)


class Hearts(TrickState[Play | Give]):
    """A match of hearts. `given` has the three cards that each seat has given while they lie on the table;
    `dealt` the hands before that, and `gifts` what each has given, both of the running or ended hand, the
    latter from when all have. All are sets of cards."""

    __slots__ = ("dealt", "gifts", "given")

    deck = FR52
    suits = _SUITS
    of_suit = _OF_SUIT
    strengths = _STRENGTHS
    phases = ("deal", "give", "play", "over")

    options: HeartsOptions

    def __init__(self, options: HeartsOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.dealt = [0] * _SEATS
        self.given = [0] * _SEATS
        self.gifts = [0] * _SEATS

    # --------------------------------------------------------------------------------- 2. deal

    def supply(self, order: Sequence[int]) -> list[Event]:
        self._deal(order, _HAND)
        self.phase = "give"
        self.dealt = list(self.hands)
        self.given = [0] * _SEATS
        self.gifts = [0] * _SEATS
        return [self._dealt({"dealer": self.dealer})]

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        if self.phase == "play":
            return (self.turn,)
        if self.phase == "give":
            return tuple([seat for seat, gift in enumerate(self.given) if not gift])
        return ()

    def legal(self, seat: int) -> Sequence[Play | Give]:
        if self.phase == "play":
            return _plays_of(self._playable(seat)) if seat == self.turn else []
        return Gifts(members(self.hands[seat])) if seat in self.to_act else []

    def _read(self, seat: int, text: str) -> Play | Give | None:
        return _BY_TEXT.get(text) or _read_give(text)

    def _refusal(self, seat: int, move: Play | Give) -> Refusal | None:
        """Section 8, row by row."""
        if isinstance(move, Play):
            if self.phase == "play":
                return self._card_refusal(seat, move.card)
            return Refusal("wrong_phase", "first give three cards")
        if self.phase != "give":
            return Refusal("wrong_phase", "the cards have been given")
        for place, face in enumerate(move.cards):
            if not self.hands[seat] >> FR52.number[face] & 1:
                return Refusal("not_in_hand", f"you do not hold {face}", face)
            if face in move.cards[:place]:
                return Refusal("not_in_hand", f"{face} is named twice", face)
        return None

    def _play(self, seat: int, move: Play | Give) -> Applied:
        if isinstance(move, Give):
            return self._lay_gift(seat, move)
        events = self._lay(seat, move.card)
        if len(self.trick) < _SEATS:
            return Applied(move.text, events)
        winner = self._take_trick(events)
        if not self.hands[winner]:
            self._end_hand(winner, events)
            return Applied(move.text, events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_CAPTURE_MS)

    def _lay_gift(self, seat: int, move: Give) -> Applied:
        """The gift lies face down; with the fourth all of them go to the next seat."""
        self.hands[seat] ^= move.gift
        self.given[seat] = move.gift
        events = [Event("cards_given", seat, {"cards": _GIFT}, {seat: {"cards": list(move.cards)}})]
        if all(self.given):
            self.gifts, self.given = self.given, [0] * _SEATS
            for receiver in range(_SEATS):
                self.hands[receiver] |= self.gifts[receiver - 1]
            self.phase = "play"
            received = {
                receiver: {"cards": FR52.show_set(self.gifts[receiver - 1])} for receiver in range(_SEATS)
            }
            events.append(Event("gifts_received", None, {"cards": _GIFT}, received))
        return Applied(move.text, events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, winner: int, events: list[Event]) -> None:
        options = self.options
        items = self._items(self.captured)
        for seat, points in enumerate(items["total"]):
            if points == _ALL_POINTS:
                items["cappotto"][seat] = 1
                items["total"] = [_ALL_POINTS * (other != seat) for other in range(_SEATS)]
        self._score(items, events)
        if options.match == "hands":
            is_due = self.hand >= options.hands
        else:
            is_due = is_past_target(self.scores, options.target, "reach")
        self._close_hand(winner, events, is_due=is_due)

    def _items(self, piles: Sequence[int]) -> dict[str, list[int]]:
        """What these piles cost, without a cappotto."""
        hearts = [heart_points(pile) for pile in piles]
        peppa = [_PEPPA_POINTS * (pile >> _PEPPA & 1) for pile in piles]
        total = [sum(points) for points in zip(hearts, peppa, strict=True)]
        return {"hearts": hearts, "peppa": peppa, "cappotto": [0] * _SEATS, "total": total}

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        if self.phase != "deal":
            charged = list(self.captured)
            charged[seat] |= sum(self.hands) | sum(self.given) | as_set(self.trick)
            self._score(self._items(charged), events)
        outcome = abandoned(self.scores, seat, seat, low_wins=self.options.low_wins)
        if self.options.ko and outcome.winner is None:
            ruling = ko_ruling(outcome.places, self._sides_from_dealer())
            outcome = ruling._replace(ended_by="abandon", offender=seat)
        self._end_match(outcome, events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        """The giver and the receiver alone ever see what was given."""
        return text.startswith("give ")

    def _open_hands(self, viewer: int | None) -> Sequence[int]:
        return () if viewer is None else (viewer,)

    def _is_open(self) -> bool:
        """Whether the piles are: when the hand is not played any more."""
        return self.phase in ("deal", "over")

    @property
    def whole_deck_shown(self) -> bool:
        """Never: who was dealt what would tell everybody what was given."""
        return False

    def _cards_shown(self, viewer: int | None) -> int:
        """Only what was dealt or given to the viewer: a place tells to whom its card was dealt, and beside
        the play that would show everybody what was given."""
        return 0 if viewer is None else self.dealt[viewer] | self.gifts[viewer - 1]

    def public_view(self) -> View:
        zones = [*self._public_hands(), *(self._given_zone(seat, False) for seat in range(_SEATS))]
        zones.append(self._trick_zone())
        zones += self._pile_zones(self._is_open())
        zones += [
            open_set(FR52, _SEEN[seat], "seen", "pile", pile & _PENALTY_CARDS, seat, seat)
            for seat, pile in enumerate(self.captured)
        ]
        facts = {**self._trick_facts(), "tricks": [pile.bit_count() // _SEATS for pile in self.captured]}
        return self._view(zones, self._prompts(), [], facts)

    def _prompts(self) -> list[Prompt]:
        if self.phase == "give":
            return [Prompt(self.to_act, "give_cards", _GIVE_CARDS)]
        return super()._prompts()

    def own_view(self, seat: int) -> View:
        facts: dict[str, Any] = {}
        if any(self.gifts):
            gave, received = self.gifts[seat], self.gifts[seat - 1]
            facts = {"gave": FR52.show_set(gave), "received": FR52.show_set(received)}
        return self._view([*self._own_hands(seat), self._given_zone(seat, True)], [], self.legal(seat), facts)

    def _given_zone(self, seat: int, is_open: bool) -> Zone:
        gift = self.given[seat]
        if is_open:
            return open_set(FR52, _GIVEN[seat], "given", "pile", gift, seat, seat)
        return closed_zone(_GIVEN[seat], "given", "pile", gift.bit_count(), seat, seat)

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.dealt = list(self.dealt)
        new.given = list(self.given)
        new.gifts = list(self.gifts)
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "given": [FR52.show_set(gift) for gift in self.given],
            "gifts": [FR52.show_set(gift) for gift in self.gifts],
            "dealt": [FR52.show_set(hand) for hand in self.dealt],
        }

    @classmethod
    def from_json(cls, options: HeartsOptions, json: Mapping[str, Any]) -> Self:
        state, zones = cls._read_tricks(options, json, parted=["given"])
        state.given = [as_set(gift) for gift in zones.get("given", [[]] * _SEATS)]
        for name in ("gifts", "dealt"):
            cards = [as_set(read_cards(name, part, FR52)) for part in json.get(name, [[]] * _SEATS)]
            setattr(state, name, cards)
        if len(state.given) != _SEATS or not {gift.bit_count() for gift in state.given} <= {0, _GIFT}:
            raise PositionError("given", "must be three cards a seat, or none")
        if state.phase == "give":
            state._check_giving(json)
        elif state.phase == "play" and any(state.given):
            raise PositionError("given", "goes to the next seat before the play")
        return state

    def _check_giving(self, json: Mapping[str, Any]) -> None:
        """PositionError unless somebody is still to give, of hands that were the same size."""
        sizes = {(hand | gift).bit_count() for hand, gift in zip(self.hands, self.given, strict=True)}
        if len(sizes) > 1 or min(sizes) < _GIFT:
            raise PositionError(
                "hands", "must have been of one size before the giving, and of three at least"
            )
        if all(self.given):
            raise PositionError("given", "somebody must still be to give")
        if self.trick or any(self.captured):
            raise PositionError("phase", "no trick is played before all have given")
        if list(json.get("to_act", self.to_act)) != list(self.to_act):
            raise PositionError("to_act", f"still to give are {list(self.to_act)}")


HEARTS = Game(
    id="hearts",
    names={"it": "Hearts", "en": "Hearts"},
    deck=FR52,
    direction="anticlockwise",
    rules_version=1,
    specs=(
        seats_spec(4, (4,)),
        match_spec("points"),
        target_spec(100, 36, 300),
        hands_spec(4, 12),
        KO,
        tie_hands_spec(),
    ),
    options_type=HeartsOptions,
    state_type=Hearts,
)
