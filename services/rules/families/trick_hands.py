"""A hand played in tricks from first card to last: hands, trick and piles, how a trick is taken, how hand and
match end, positions. For the games in which every seat plays to every trick (briscola, tresette, hearts).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Self

from services.rules.core.cards import Deck, as_set
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.moves import Event, card_played
from services.rules.core.options import Options
from services.rules.core.position import read_cards, read_zones
from services.rules.core.state import M, hand_score
from services.rules.core.view import Prompt, Zone
from services.rules.core.zones import closed_zone, open_set, open_zone
from services.rules.families.held_hands import HeldHands
from services.rules.families.tricks import taker

_PLAY_CARD = {"it": "Gioca una carta", "en": "Play a card"}
_PILES = ("captured.0", "captured.1", "captured.2", "captured.3")


@dataclass(frozen=True, slots=True)
class TrickOptions(Options):
    """A match to points or of some hands, whose first place may be played off."""

    match: Literal["points", "hands"]
    hands: int
    ko: bool
    tie_hands: int


class Taken(NamedTuple):
    """A complete trick: who led, the cards as they were played, who took it."""

    leader: int
    cards: tuple[int, ...]
    winner: int


class TrickState(HeldHands[M]):
    """A match of a game of tricks. Hands and piles (`captured`, one a side) are sets of cards; the trick has
    its cards in the order in which they were played.

    A game says which `deck` it has, the suit of each card (`suits`) and all cards of a suit (`of_suit`), how
    strong a card is in its suit (`strengths`), and its `phases`.
    """

    __slots__ = ("captured", "last_trick", "leader", "shuffled", "trick", "turn")

    suits: ClassVar[Sequence[int]]
    of_suit: ClassVar[Sequence[int]]
    strengths: ClassVar[Sequence[int]]
    phases: ClassVar[Sequence[str]] = ("deal", "play", "over")

    options: TrickOptions

    def __init__(self, options: TrickOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.trick: tuple[int, ...] = ()
        self.captured = [0] * options.sides
        self.leader = self.turn = (dealer + 1) % options.seats  # who led or is to lead; who plays next
        self.last_trick: Taken | None = None
        self.shuffled = b""  # the deck of the running or ended hand as it was dealt, empty if not known

    # ------------------------------------------------------------------------------------- the deal

    @property
    def pack(self) -> Deck:
        """The cards that are dealt: the deck, if none is taken out."""
        return self.deck

    @property
    def needs_chance(self) -> Shuffle | None:
        return Shuffle(self.pack.texts, "deal") if self.phase == "deal" else None

    def _deal(self, order: Sequence[int], each: int) -> bytes:
        """So many cards to each seat, one at a time from the seat after the dealer, who leads; the rest."""
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        cards = self.pack.cards
        check_order(order, len(cards))
        self.shuffled = bytes([cards[place] for place in order])
        self.leader = self.turn = (self.dealer + 1) % self.options.seats
        self.trick = ()
        self.captured = [0] * self.options.sides
        self.last_trick = None
        return self._deal_each(self.shuffled, each)

    # ------------------------------------------------------------------------------------ the tricks

    @property
    def to_act(self) -> Sequence[int]:
        return (self.turn,) if self.phase == "play" else ()

    def _playable(self, seat: int) -> int:
        """The cards of its hand that a seat may play to the trick: of the suit led, if it holds any."""
        hand, trick = self.hands[seat], self.trick
        return hand & self.of_suit[self.suits[trick[0]]] or hand if trick else hand

    def _card_refusal(self, seat: int, card: int) -> Refusal | None:
        """Why the seat may not play this card: `not_in_hand`, `must_follow_suit`."""
        hand, trick = self.hands[seat], self.trick
        if not hand >> card & 1:
            return self._not_in_hand(card)
        if trick:
            suit = self.suits[trick[0]]
            if self.suits[card] != suit and hand & self.of_suit[suit]:
                led, face = self.deck.faces[trick[0]], self.deck.faces[card]
                return Refusal("must_follow_suit", f"{led} was led and you hold its suit", face)
        return None

    def _not_in_hand(self, card: int) -> Refusal:
        face = self.deck.faces[card]
        return Refusal("not_in_hand", f"you do not hold {face}", face)

    def _lay(self, seat: int, card: int) -> list[Event]:
        """The card goes from the hand to the trick."""
        self.hands[seat] ^= 1 << card
        self.trick = (*self.trick, card)
        self.turn = (seat + 1) % len(self.hands)
        return [card_played(self.deck, seat, card)]

    def _take_trick(self, events: list[Event], trump: int | None = None) -> int:
        """The trick is complete: it goes to its winner's pile, and the winner is to lead."""
        cards, leader = self.trick, self.leader
        winner = (leader + taker(cards, self.suits, self.strengths, trump)) % len(self.hands)
        side = winner % len(self.captured)
        self.captured[side] |= as_set(cards)
        self.last_trick = Taken(leader, cards, winner)
        self.trick = ()
        self.leader = self.turn = winner
        events.append(Event("trick_taken", winner, {"side": side, "cards": self.deck.show(cards)}))
        return winner

    def _trick_cards(self) -> int:
        """The cards of the trick on the table and of the last complete one: everybody sees them."""
        return as_set((*self.trick, *self.last_trick.cards) if self.last_trick else self.trick)

    # -------------------------------------------------------------------------- end of hand and match

    def _score(self, items: Mapping[str, Sequence[int]], events: list[Event]) -> None:
        """Add the `total` of a hand's items to the scores."""
        self.hand_score = hand_score(items)
        self.scores = [score + more for score, more in zip(self.scores, items["total"], strict=True)]
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores)}
        events.append(Event("hand_ended", None, data))

    def _close_hand(self, winner: int, events: list[Event], *, is_due: bool) -> None:
        """After a hand whose last trick this seat has won: the end of the match if it `is_due` and decided,
        else the next deal."""
        options = self.options
        ko_order = self._ko_order(options.side(winner)) if options.ko else None
        self._after_hand(events, is_due=is_due, tie_hands=options.tie_hands, ko_order=ko_order)

    def _sides_from_dealer(self) -> list[int]:
        """The sides in the order in which they play, from the seat after the dealer."""
        sides = self.options.sides
        return [(self.dealer + distance) % sides for distance in range(1, sides + 1)]

    def _ko_order(self, last: int) -> list[int]:
        """The same order, but the side of the last trick comes last."""
        return [*(side for side in self._sides_from_dealer() if side != last), last]

    # ------------------------------------------------------------------------------------------ views

    @abstractmethod
    def _cards_shown(self, viewer: int | None) -> int:
        """The cards whose places in the shuffled deck may be opened to the viewer by now."""

    def openings(self, viewer: int | None) -> Sequence[int]:
        shown = self._cards_shown(viewer)
        return [place for place, card in enumerate(self.shuffled) if shown >> card & 1]

    def _trick_zone(self) -> Zone:
        return open_zone(self.deck, "trick", "trick", "trick", self.trick, ordered=True)

    def _pile_zones(self, are_open: bool) -> list[Zone]:
        return [
            open_set(self.deck, _PILES[side], "captured", "pile", pile, None, side)
            if are_open
            else closed_zone(_PILES[side], "captured", "pile", pile.bit_count(), None, side)
            for side, pile in enumerate(self.captured)
        ]

    def _prompts(self) -> list[Prompt]:
        return [Prompt(self.to_act, "play_card", _PLAY_CARD)] if self.phase == "play" else []

    def _trick_facts(self) -> dict[str, Any]:
        return {"leader": self.leader, "last_trick": self._last_trick_json()}

    # ------------------------------------------------------------------------- positions, snapshots

    def _last_trick_json(self) -> dict[str, Any] | None:
        if self.last_trick is None:
            return None
        leader, cards, winner = self.last_trick
        return {"leader": leader, "cards": self.deck.show(cards), "winner": winner}

    def _copy(self) -> Self:
        new = super()._copy()
        new.hands = list(self.hands)
        new.trick = self.trick
        new.captured = list(self.captured)
        new.leader = self.leader
        new.turn = self.turn
        new.last_trick = self.last_trick
        new.shuffled = self.shuffled
        return new

    def _common_json(self) -> dict[str, Any]:
        deck = self.deck
        return {
            **super()._common_json(),
            "hands": [deck.show_set(hand) for hand in self.hands],
            "trick": deck.show(self.trick),
            "leader": self.leader,
            "captured": [deck.show_set(pile) for pile in self.captured],
            "last_trick": self._last_trick_json(),
            "shuffled": deck.show(self.shuffled),
        }

    @classmethod
    def _read_tricks(
        cls,
        options: TrickOptions,
        json: Mapping[str, Any],
        *,
        whole: Sequence[str] = (),
        parted: Sequence[str] = (),
    ) -> tuple[Self, dict[str, list[list[int]]]]:
        """A state with what `_common_json` wrote, or what of it a position gives, and all its zones: the
        game reads its own, `whole` and `parted` (see `read_zones`)."""
        state = cls._begin_from(options, json)
        if state.phase not in cls.phases:
            raise PositionError("phase", f"must be one of {', '.join(cls.phases)}")
        zones = read_zones(json, state.pack, whole=["trick", *whole], parted=["hands", "captured", *parted])
        if "hands" in zones:
            state.hands = [as_set(hand) for hand in zones["hands"]]
        elif state.phase not in ("deal", "over"):
            raise PositionError("hands", "must be given")
        if "captured" in zones:
            state.captured = [as_set(pile) for pile in zones["captured"]]
        state.trick = tuple(zones.get("trick", [[]])[0])
        state.leader = state._leader_of(json)
        state.turn = (state.leader + len(state.trick)) % options.seats
        if last := json.get("last_trick"):
            cards = tuple(read_cards("last_trick", last["cards"], cls.deck))
            state.last_trick = Taken(last["leader"], cards, last["winner"])
        state.shuffled = bytes(read_cards("shuffled", json.get("shuffled", []), cls.deck))
        state._check_tricks(json)
        return state, zones

    def _leader_of(self, json: Mapping[str, Any]) -> int:
        """Who leads in a position: as it says, or as whoever is to act makes it, or the seat after the
        dealer."""
        seats = self.options.seats
        leader = json.get("leader")
        if leader is None and self.phase == "play" and json.get("to_act"):
            leader = (json["to_act"][0] - len(self.trick)) % seats
        elif leader is None:
            leader = (self.dealer + 1) % seats
        if not isinstance(leader, int) or not 0 <= leader < seats:
            raise PositionError("leader", "must be a seat")
        return leader

    def _check_tricks(self, json: Mapping[str, Any]) -> None:
        """PositionError unless hands, piles and trick can be as they are."""
        seats, sides = self.options.seats, self.options.sides
        if len(self.hands) != seats:
            raise PositionError("hands", f"must be {seats}")
        if len(self.captured) != sides:
            raise PositionError("captured", f"must be {sides}")
        if self.phase != "play":
            return
        if len(self.trick) >= seats:
            raise PositionError("trick", "is complete")
        if list(json.get("to_act", self.to_act)) != list(self.to_act):
            raise PositionError("to_act", f"leader and trick make it seat {self.turn}")
        most = self.hands[self.turn].bit_count()
        for distance in range(seats):
            seat = (self.leader + distance) % seats
            if not most or self.hands[seat].bit_count() != most - (distance < len(self.trick)):
                raise PositionError("hands", f"seat {seat} cannot hold so many cards at this turn")
