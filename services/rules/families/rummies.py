"""The turn of a rummy: a draw, then melds, additions and swaps that may be taken back, then a discard.

`Rummy` has what scala 40 and jolly share, and in which order their specs refuse. When a step is allowed, and
what the end of a hand brings, is each game's own.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Any

from services.rules.core.cards import members
from services.rules.core.errors import Refusal
from services.rules.core.moves import Applied, Event
from services.rules.families.double_hands import (
    JOKER,
    faces,
    jokers_of,
    kinds,
    lacking,
    with_card,
    with_cards,
    without_card,
    without_cards,
)
from services.rules.families.melds import FACES, Growth, Swap, meld_texts, melds_of_three
from services.rules.families.rummy_moves import (
    UNDO,
    Done,
    Step,
    add_move,
    discard_move,
    fitting,
    laid_meld,
    lay_move,
    swap_move,
)
from services.rules.families.rummy_table import RummyTable


class Rummy(RummyTable):
    """A match of a rummy."""

    __slots__ = ()

    # ------------------------------------------------------------------------------ the parts of a game

    @abstractmethod
    def _next(self, seat: int) -> int:
        """The seat that plays after this one."""

    @abstractmethod
    def _listed_draws(self, seat: int) -> list[Step]:
        """The draws that are accepted."""

    @abstractmethod
    def _no_draw(self, seat: int, move: Step) -> Refusal | None:
        """Why a draw from the discards is refused."""

    @abstractmethod
    def _no_attaching(self, seat: int) -> Refusal | None:
        """Why the seat may not swap, nor add to melds of earlier turns."""

    @abstractmethod
    def _is_short(self, seat: int) -> bool:
        """Whether the seat has so few cards that a meld of three could be refused for it."""

    @abstractmethod
    def _too_few_left(self, seat: int, move: Step) -> Refusal | None:
        """Why a `meld`, `add` or `swap` would leave too few cards for the discard."""

    @abstractmethod
    def _no_discard(self, seat: int) -> Refusal | None:
        """Why no card of the hand may be discarded."""

    @abstractmethod
    def _kept_back(self, seat: int) -> AbstractSet[int]:
        """The cards that may not be discarded where others may."""

    @abstractmethod
    def _keeps_back(self, face: str) -> Refusal:
        """The refusal of such a card."""

    @abstractmethod
    def _close(self, closer: int, in_hand: bool, events: list[Event]) -> None:
        """The end of a hand whose last card `closer` has discarded; `in_hand`: it had not opened before this
        turn."""

    # ------------------------------------------------------------------------------------- legal moves

    @property
    def to_act(self) -> Sequence[int]:
        phase = self.phase
        return (self.turn,) if phase == "play" or (phase == "draw" and self.stock) else ()

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "draw":
            return self._listed_draws(seat)
        everywhere = self._no_attaching(seat) is None
        melds = range(0 if everywhere else self.melds_before, len(self.melds))
        found = [
            *self._listed_melds(seat),
            *self._listed_adds(seat, melds),
            *(self._listed_swaps(seat, melds) if everywhere else ()),
        ]
        if self._is_short(seat):
            found = [move for move in found if self._too_few_left(seat, move) is None]
        if self.done:
            found.append(UNDO)
        if self._no_discard(seat) is None:
            kept = self._kept_back(seat)
            found += [discard_move(card) for card in members(kinds(self.hands[seat])) if card not in kept]
        return found

    def _listed_melds(self, seat: int) -> Iterator[Step]:
        hand = self.hands[seat]
        return map(lay_move, melds_of_three(faces(hand), min(jokers_of(hand), 2), self.rules))

    def _listed_adds(self, seat: int, melds: Iterable[int]) -> list[Step]:
        """The additions of cards of the hand to the melds of these numbers."""
        cards = kinds(self.hands[seat])
        found = [
            (growth.card, at, growth)
            for at in melds
            if self.melds[at].wanted & cards
            for growth in self.melds[at].growths
            if cards >> growth.card & 1
        ]
        found.sort(key=itemgetter(0, 1))
        return [add_move(growth, at) for _, at, growth in found]

    def _listed_swaps(self, seat: int, melds: Iterable[int]) -> list[Step]:
        cards = kinds(self.hands[seat])
        found = {
            (swap.card, at)
            for at in melds
            if self.melds[at].wanted & cards
            for swap in self.melds[at].swaps
            if cards >> swap.card & 1
        }
        return [swap_move(card, at) for card, at in sorted(found)]

    # ---------------------------------------------------------------------------------------- refusals

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        phase = "draw" if verb == "draw" else "play"
        if phase != self.phase:
            return Refusal("wrong_phase", f"this belongs to the phase {phase}")
        if verb == "draw":
            return self._no_draw(seat, move) if move.count else None
        if verb in ("add", "swap") and move.at >= len(self.melds):
            return Refusal("no_such_meld", f"there is no meld m{move.at}", f"m{move.at}")
        if refusal := self._not_held(seat, move):
            return refusal
        if verb == "discard":
            return self._no_discard(seat) or self._is_kept_back(seat, move)
        if verb == "undo":
            return None if self.done else Refusal("nothing_to_undo", "you have laid and taken nothing")
        is_elsewhere = verb == "swap" or (verb == "add" and move.at < self.melds_before)
        if is_elsewhere and (refusal := self._no_attaching(seat)):
            return refusal._replace(where=f"m{move.at}")
        return self._bad_form(move) or self._too_few_left(seat, move)

    def _is_kept_back(self, seat: int, move: Step) -> Refusal | None:
        return self._keeps_back(move.cards[0]) if move.numbers[0] in self._kept_back(seat) else None

    def _fitting(self, move: Step) -> list[Growth]:
        return fitting(self.melds[move.at], move)

    def _swap_of(self, move: Step) -> Swap | None:
        (card,) = move.numbers
        return next((swap for swap in self.melds[move.at].swaps if swap.card == card), None)

    def _not_held(self, seat: int, move: Step) -> Refusal | None:
        """The refusal of a move that names a card which is not held, or not so often."""
        card = lacking(self.hands[seat], move.numbers)
        if card is None:
            return None
        return Refusal("not_in_hand", f"you do not hold {FACES[card]}, or not so often", FACES[card])

    def _bad_form(self, move: Step) -> Refusal | None:
        """The refusal of a `meld`, `add` or `swap` that makes no meld, or not one only."""
        where = move.cards[0]
        if move.verb == "meld":
            if move.fault == "ambiguous":
                return Refusal("ambiguous", "these cards could be two melds: say which", where)
            if move.fault:
                return Refusal("not_a_meld", "these cards are no meld", where)
        elif move.verb == "add":
            ways = len(self._fitting(move))
            if ways > 1:
                return Refusal("ambiguous", f"{where} fits both ends: say which", f"m{move.at}")
            if not ways:
                return Refusal("does_not_fit", f"{where} does not fit there", f"m{move.at}")
        elif move.verb == "swap" and self._swap_of(move) is None:
            return Refusal("no_such_joker", f"{where} wins no joker of this meld", f"m{move.at}")
        return None

    # ----------------------------------------------------------------------------------------- playing

    def _play(self, seat: int, move: Step) -> Applied:
        if move.verb == "draw":
            return self._draw(seat, move)
        if move.verb == "undo":
            return self._undo(seat, move)
        if move.verb == "discard":
            return self._discard(seat, move)
        return self._lay(seat, move)

    def _draw(self, seat: int, move: Step) -> Applied:
        self.phase = "play"
        if not move.count:
            card = self.stock[0]
            self.stock = self.stock[1:]
            self.hands[seat] = with_card(self.hands[seat], card)
            if len(self.drawers) < len(self.shuffled):
                self.drawers += bytes((seat,))
            private = {seat: {"card": FACES[card]}}
            return _step(move, Event("card_drawn", seat, {"stock": len(self.stock)}, private))
        taken = self.discard[-move.count :]
        self.discard = self.discard[: -move.count]
        self.hands[seat] = with_cards(self.hands[seat], taken)
        self.done.append(Done("draw", tuple(taken)))
        return _step(move, Event("cards_taken", seat, {"cards": self.deck.show(taken)}))

    def _lay(self, seat: int, move: Step) -> Applied:
        """A `meld`, `add` or `swap` that has been checked."""
        hand = without_cards(self.hands[seat], move.numbers)
        at = move.at
        if move.meld is not None:
            at = len(self.melds)
            self.melds.append(laid_meld(seat, move.meld, (seat,) * len(move.numbers), self.rules))
            was = None
        else:
            was = self.melds[at]
            by = list(was.by)
            if move.verb == "add":
                (growth,) = self._fitting(move)
                meld, place = growth.meld, growth.place
            else:
                _, meld, joker_place, place = self._swap_of(move)  # type: ignore[misc]  # it was checked
                del by[joker_place]
                hand = with_card(hand, JOKER)
            by.insert(place, seat)
            self.melds[at] = laid_meld(was.seat, meld, tuple(by), self.rules)
        self.hands[seat] = hand
        self.done.append(Done(move.verb, move.numbers, at, was))
        data = {"meld": at, "cards": list(meld_texts(self.melds[at].meld)), "card": move.cards[0]}
        kind = {"meld": "meld_laid", "add": "card_added", "swap": "joker_won"}[move.verb]
        if move.verb == "meld":
            del data["card"]
        return _step(move, Event(kind, seat, data))

    def _undo(self, seat: int, move: Step) -> Applied:
        verb, cards, at, was = self.done.pop()
        hand = self.hands[seat]
        data: dict[str, Any] = {"verb": verb, "cards": self.deck.show(cards)}
        if verb == "draw":
            self.hands[seat] = without_cards(hand, cards)
            self.discard += bytes(cards)
            self.phase = "draw"
            return _step(move, Event("step_undone", seat, data))
        if was is None:
            self.melds.pop()
        else:
            self.melds[at] = was
            data["now"] = list(meld_texts(was.meld))
        if verb == "swap":
            hand = without_card(hand, JOKER)
        self.hands[seat] = with_cards(hand, cards)
        return _step(move, Event("step_undone", seat, {**data, "meld": at}))

    def _discard(self, seat: int, move: Step) -> Applied:
        """The end of the turn: the seat has now opened if it laid enough."""
        (card,) = move.numbers
        in_hand = not self.opened[seat]
        self.opened[seat] = self.has_opened(seat)
        self.hands[seat] = without_card(self.hands[seat], card)
        self.discard += bytes((card,))
        self.turns[seat] += 1
        self.done = []
        self.melds_before = len(self.melds)
        events = [Event("card_discarded", seat, {"card": FACES[card]})]
        if self.hands[seat]:
            self.turn = self._next(seat)
            self.phase = "draw"
            self._begin_turn(events)
        else:
            self._close(seat, in_hand, events)
        return Applied(move.text, events)


def _step(move: Step, event: Event) -> Applied:
    return Applied(move.text, [event], turn_ended=False)
