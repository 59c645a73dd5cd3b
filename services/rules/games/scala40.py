"""Scala 40 (scala40.md). Two to six seats, or four in two partnerships; the deck `fr108`. Few points win."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Self

from services.rules.core.cards import FR108, members
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.moves import Applied, Event
from services.rules.core.view import Prompt, View, Zone
from services.rules.families.double_hands import JOKER, kinds, size
from services.rules.families.melds import MeldRules
from services.rules.families.rummy_moves import DRAW_STOCK, Done, Step, draw_move, read_step
from services.rules.families.rummy_table import HAND, OPENING
from services.rules.games.scala40_match import CHOICES, Scala40Match
from services.rules.games.scala40_options import SPECS, Scala40Options

_MELDS = MeldRules(run_jokers=1, two_aces=False, stated_suit=True, high_ace=11, ace_of_set=11)
_DRAW_DISCARD = draw_move("draw discard", 1)
_NOT_OPENED = Refusal("not_opened", f"you have not laid {OPENING} points")
_NOT_ASKED = Refusal("wrong_phase", "this belongs to the phase reentry")
_PROMPTS = {
    "draw": {"it": "Pesca dal tallone o dal pozzo", "en": "Draw from the stock or the pile"},
    "play": {"it": "Cala, attacca o scarta", "en": "Meld, add or discard"},
    "reentry": {"it": "Rientra o lascia la partita", "en": "Re-enter or leave the match"},
}
_LAY_TAKEN = {
    "it": "Cala o attacca la carta presa dal pozzo, poi scarta",
    "en": "Lay or add the card from the pile, then discard",
}


class Scala40(Scala40Match):
    """A match of scala 40."""

    __slots__ = ()

    deck = FR108
    left_in_discard = 1

    def _meld_rules(self) -> MeldRules:
        return _MELDS

    # --------------------------------------------------------------------------------- 2. deal

    def _deal(self, deck: bytes) -> list[Event]:
        playing = self._playing
        first = playing.index(self._next(self.dealer))
        dealt = self._deal_hands(deck, playing[first:] + playing[:first])
        turned = self._turned(deck, dealt)
        self.discard = deck[turned[-1] : turned[-1] + 1]
        self.stock = deck[turned[-1] + 1 :] + deck[dealt : turned[-1]]
        shown = {"discard": self.deck.show(self.discard), "jokers_turned": len(turned) - 1}
        return [self._dealt_event(shown)]

    @staticmethod
    def _turned(deck: bytes, dealt: int) -> Sequence[int]:
        """The places of the cards that are turned up: the first that is no joker, and the jokers before it,
        which go to the bottom of the stock."""
        last = dealt
        while deck[last] == JOKER:
            last += 1
        return range(dealt, last + 1)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        if self.phase == "reentry":
            return [seat for seat, choice in enumerate(self.choices) if choice == ""]
        return super().to_act

    def legal(self, seat: int) -> list[Step]:
        if self.phase == "reentry":
            return list(CHOICES.values()) if seat in self.to_act else []
        return super().legal(seat)

    def _listed_draws(self, seat: int) -> list[Step]:
        return [DRAW_STOCK, _DRAW_DISCARD] if self.discard and self._may_pick_up(seat) else [DRAW_STOCK]

    def _may_pick_up(self, seat: int) -> bool:
        return self.opened[seat] or self.options.pickup == "open_with"

    def _read(self, seat: int, text: str) -> Step | None:
        if text == _DRAW_DISCARD.text:
            return _DRAW_DISCARD
        return CHOICES.get(text) or read_step(text, self.rules, self.melds)

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        if move.verb not in CHOICES:
            return super()._refusal(seat, move)
        return None if self.phase == "reentry" else _NOT_ASKED

    def _no_draw(self, seat: int, move: Step) -> Refusal | None:
        if not self._may_pick_up(seat):
            return Refusal("not_opened", "the pile is only for who has opened", "discard")
        return None if self.discard else Refusal("not_enough_cards", "the pile is empty", "discard")

    def _no_attaching(self, seat: int) -> Refusal | None:
        return None if self.has_opened(seat) else _NOT_OPENED

    def _first_round(self, seat: int) -> bool:
        return self.turns[seat] == 0

    def _duties(self, seat: int, *next_step: Done) -> tuple[int | None, int]:
        """Section 3.5 after the steps of this turn and the next one: the card taken from the pile that is yet
        to be laid, and how many jokers won are."""
        taken: int | None = None
        won = 0
        for verb, cards, at, _ in (*self.done, *next_step):
            if verb == "draw":
                (taken,) = cards
                continue
            if taken in cards and (self.opened[seat] or (verb != "swap" and at >= self.melds_before)):
                taken = None
            won = won + 1 if verb == "swap" else max(0, won - cards.count(JOKER))
        return taken, won

    def _is_short(self, seat: int) -> bool:
        """Whether so few cards are free (section 3.5) that a meld of three could be refused for it."""
        taken, won = self._duties(seat)
        return size(self.hands[seat]) - won - (taken is not None) - self._first_round(seat) < 4

    def _too_few_left(self, seat: int, move: Step) -> Refusal | None:
        """Section 3.5, the discard to come: after a `meld`, `add` or `swap` a card must be free for it."""
        at = len(self.melds) if move.meld else move.at
        taken, won = self._duties(seat, Done(move.verb, move.numbers, at))
        free = size(self.hands[seat]) - len(move.numbers) + (move.verb == "swap") - won
        if taken is not None and not (taken == JOKER and won):
            free -= 1
        if free < 1:
            return Refusal("must_keep_discard", "no card would be left for the discard", move.cards[0])
        if free == 1 and self._first_round(seat):
            return Refusal("first_round_close", "in the first round two cards must be left", move.cards[0])
        return None

    def _no_discard(self, seat: int) -> Refusal | None:
        """Section 3.6, points 1 to 4: why no card of the hand may be discarded."""
        closes = size(self.hands[seat]) == 1
        taken, won = self._duties(seat)
        if taken is not None:
            face = self.deck.faces[taken]
            return Refusal("must_use_taken", f"{face} from the pile must be laid first", face)
        if won:
            return Refusal("must_use_joker", "a joker that was won must be laid first", "X")
        has_laid = self.melds_before < len(self.melds)
        if has_laid and not self.has_opened(seat) and (self.options.in_hand_40 or not closes):
            return Refusal("opening_too_low", f"{self.points_laid()} points do not open: {OPENING} do")
        if closes and self._first_round(seat):
            return Refusal("first_round_close", "nobody closes in the first round")
        return None

    def _keeps_back(self, face: str) -> Refusal:
        return Refusal("attachable_discard", f"{face} fits a meld on the table", face)

    def _kept_back(self, seat: int) -> AbstractSet[int]:
        """Section 3.6, point 5: the cards that fit melds and may not go to the pile."""
        hand = self.hands[seat]
        if self.options.attachable_discard == "free" or size(hand) == 1:
            return frozenset()
        if len(self._playing) == 2 and self.has_opened(seat):
            return frozenset()
        fitting = {growth.card for laid in self.melds for growth in laid.growths}
        return frozenset() if fitting.issuperset(members(kinds(hand))) else fitting

    def _play(self, seat: int, move: Step) -> Applied:
        return self._choose(seat, move) if move.verb in CHOICES else super()._play(seat, move)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        return self.phase == "reentry" and text in CHOICES

    def openings(self, viewer: int | None) -> Sequence[int]:
        is_deal = bool(self.dealt_to)  # else nothing was turned up
        turned = self._turned(self.shuffled, HAND * len(self.dealt_to)) if is_deal else ()
        return self._openings(viewer, turned)

    def public_view(self) -> View:
        last = self.discard[-1:]
        pile = Zone(
            "discard", "discard", "pile", tuple(self.deck.show(last)), len(self.discard), ordered=True
        )
        zones = [*self._shared_zones(), pile]
        facts: dict[str, Any] = {
            "opened": [self.has_opened(seat) for seat in range(self.options.seats)],
            "turns": list(self.turns),
            "penalty": list(self.penalty),
            "entries": list(self.entries),
            "out": list(self.out),
            "voids": self.voids,
        }
        return self._view(zones, self._prompts(), [], facts)

    def _prompts(self) -> list[Prompt]:
        if not self.to_act:
            return []
        owes = self.phase == "play" and self._duties(self.turn)[0] is not None
        return [Prompt(self.to_act, self.phase, _LAY_TAKEN if owes else _PROMPTS[self.phase])]

    def own_view(self, seat: int) -> View:
        zones: list[Zone] = []
        facts: dict[str, Any] = {}
        if self.hand_is_open:
            zones.append(self._hand_zone(seat, True))
            facts = {"layable": [], "opening": None} if seat in self.out else self._help(seat)
        elif self.choices[seat]:
            facts["choice"] = self.choices[seat]
        return self._view(zones, [], self.legal(seat), facts)

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy_rummy()
        new.penalty = list(self.penalty)
        new.out = list(self.out)
        new.entries = list(self.entries)
        new.voids = self.voids
        new.choices = list(self.choices)
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._rummy_json(),
            "penalty": list(self.penalty),
            "out": list(self.out),
            "entries": list(self.entries),
            "voids": self.voids,
            "choices": list(self.choices),
        }

    @classmethod
    def from_json(cls, options: Scala40Options, json: Mapping[str, Any]) -> Self:
        state = cls._rummy_from(options, json)
        state.penalty = list(json.get("penalty", state.penalty))
        state.out = list(json.get("out", []))
        state.entries = list(json.get("entries", state.entries))
        state.voids = json.get("voids", 0)
        state.choices = list(json.get("choices", state.choices))
        state._check_position()
        if state.phase == "reentry" and "choices" not in json:
            past = [seat for seat in state._playing if state.scores[seat] >= options.target]
            state.choices = ["" if seat in past else None for seat in range(options.seats)]
        state._read_turn(json, state._next(state.dealer), state._playing)
        if state.phase == "draw":
            state._begin_turn([])
        return state

    def _check_position(self) -> None:
        """PositionError unless a match can stand like this."""
        options = self.options
        if self.phase not in ("deal", "draw", "play", "reentry", "over"):
            raise PositionError("phase", "there is no such phase")
        if len(self.penalty) != options.sides:
            raise PositionError("penalty", f"must be {options.sides}, one a side")
        if len(self.entries) != options.seats:
            raise PositionError("entries", f"must be {options.seats}, one a seat")
        if len(set(self.out)) < len(self.out) or len(self._playing) < 2 - self.over:
            raise PositionError("out", "must be different seats, and leave two")
        if self.hand_is_open and any(self.hands[seat] for seat in self.out):
            raise PositionError("hands", "who is out holds no cards")


SCALA40 = Game(
    id="scala40",
    names={"it": "Scala 40", "en": "Scala Quaranta"},
    deck=FR108,
    direction="anticlockwise",
    rules_version=1,
    specs=SPECS,
    options_type=Scala40Options,
    state_type=Scala40,
)
