"""Canasta (canasta.md). Two seats; the deck `fr108`.

The turn and its moves (sections 3 and 8) are here, the rest of a match is in `canasta_match.py`, what is a
combination in `canasta_combinations.py`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

from services.rules.core.cards import FR108, members
from services.rules.core.errors import Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome
from services.rules.core.moves import Applied, Event
from services.rules.core.notation import words
from services.rules.core.option_specs import (
    KO,
    flag_spec,
    limit_spec,
    match_spec,
    max_hands_spec,
    seats_spec,
    stake_spec,
    target_choice_spec,
)
from services.rules.core.options import Value
from services.rules.families.double_hands import OF_RANK, cards_of, kinds, size, with_cards, without_cards
from services.rules.families.matte import (
    ONE,
    RANK,
    THREE,
    WILD_SET,
    WILDS,
    choices,
    laying_order,
    naturals,
    points,
    read_cards,
)
from services.rules.families.pile_rummies import (
    DRAW_STOCK,
    Laid,
    Meld,
    Step,
    add_move,
    card_move,
    discard_move,
    read_step,
)
from services.rules.games.canasta_combinations import (
    RED_THREES,
    VALUE,
    added,
    combined,
    fitting,
    short_combinations,
)
from services.rules.games.canasta_match import CanastaMatch, CanastaOptions, Lay, settle

_PHASES = {
    "draw": ("draw",),
    "take": ("draw",),
    "pass": ("draw",),
    "double": ("draw",),
    "accept": ("double",),
    "resign": ("double",),
    "meld": ("opening", "play"),
    "add": ("opening", "play"),
    "undo": ("opening", "play"),
    "discard": ("play",),
    "close": ("play",),
}
_CLOSING, _CLOSING_IN_HAND = 100, 200
_MOST_STAKE = 1_000_000
_DEFAULT_LIMIT = 64

_PASS, _DOUBLE, _ACCEPT, _RESIGN, _UNDO, _CLOSE = _BARE = tuple(
    Step(verb, verb) for verb in ("pass", "double", "accept", "resign", "undo", "close")
)
_BARE_MOVES = {move.text: move for move in _BARE}


@lru_cache(maxsize=8192)
def _read(text: str) -> Step | None:
    """Section 3: the move of this text, if it has the form of one."""
    if move := _BARE_MOVES.get(text):
        return move
    match words(text):
        case ["take", *faces]:
            cards = read_cards(faces)
            return None if cards is None else card_move("take", laying_order(cards), "discard")
    return read_step(text, laying_order, laying_order)


class Canasta(CanastaMatch):
    """A match of canasta."""

    __slots__ = ()

    # ------------------------------------------------------------------------------------------ 3. play

    @property
    def to_act(self) -> Sequence[int]:
        if self.phase == "double":
            return (1 - self.turn,)
        return super().to_act

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.to_act:
            return []
        if self.phase == "double":
            return [_ACCEPT, _RESIGN]
        if self.phase == "draw":
            first = [DRAW_STOCK if self.stock else _PASS]
            if not self._double_refusal(seat):
                first.append(_DOUBLE)
            return first + self._takes(seat)
        return [*self._discards(seat), *self._lays(seat), *self._others(seat)]

    def _takes(self, seat: int) -> list[Step]:
        """The smallest takes."""
        if self._is_blocked():
            return []
        hand, rank = self.hands[seat], RANK[self.discard[-1]]
        frozen = self._is_frozen_for_turn()
        if not frozen and self._number_of(seat, rank) is not None:
            takes = [b""]
        else:
            same = hand & OF_RANK[rank]
            takes = list(choices(bytes(cards_of(same)), 2))
            if not frozen:
                wild = members(kinds(hand) & WILD_SET)
                takes += [bytes((card, one)) for card in members(kinds(same)) for one in wild]
        moves = [card_move("take", laying_order(cards), "discard") for cards in takes]
        return [move for move in moves if not self._take_refusal(seat, move)]

    def _discards(self, seat: int) -> list[Step]:
        hand = self.hands[seat]
        if self.phase != "play" or size(hand) < 2 or self._is_short(seat):
            return []
        return list(map(discard_move, members(kinds(hand))))

    def _lays(self, seat: int) -> list[Step]:
        """Additions of one card and new combinations of three cards, or of black threes."""
        hand = self.hands[seat]
        cards = kinds(hand)
        own = self._own(seat)
        moves = [
            add_move(ONE[card], number) for number, meld in own for card in members(cards & fitting(meld))
        ]
        moves += short_combinations(hand, {meld.rank for _, meld in own})
        if self.phase == "opening":  # the pile may come with any of them, and must leave two cards
            return [move for move in moves if not self._lay_refusal(seat, move)]
        return moves + [card_move("meld", threes) for threes in self._black_threes(seat)]

    def _others(self, seat: int) -> list[Step]:
        moves = [_UNDO] if len(self.laid) > self.final else []
        if self.phase == "play" and not self._close_refusal(seat):
            moves.append(_CLOSE)
        return moves

    def _is_blocked(self) -> bool:
        """Whether nobody may take the pile: a wild or a black three is on top."""
        pile = self.discard
        return not pile or pile[-1] in WILDS or RANK[pile[-1]] == THREE

    def _is_frozen_for_turn(self) -> bool:
        """Whether the seat whose turn it is needs two naturals for the pile."""
        return not self.opened or len(naturals(self.discard)) < len(self.discard)

    def _is_short(self, seat: int) -> bool:
        """Whether the seat is opening, below its minimum."""
        return bool(self.laid) and not self.opened and self._points_of_turn() < self._minimum(seat)

    def _read(self, seat: int, text: str) -> Step | None:
        move = _read(text)
        if move and move.verb == "meld":
            plain = naturals(move.numbers)
            number = self._number_of(seat, RANK[plain[0]]) if plain else None
            if number is not None and added(self.melds[number].meld, move.numbers):
                return add_move(move.numbers, number)
        return move

    # -------------------------------------------------------------------------------------- 8. refusals

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8; the rows of each kind of move in their order."""
        verb = move.verb
        if self.phase not in _PHASES[verb]:
            return Refusal("wrong_phase", f"not in phase {self.phase}")
        match verb:
            case "draw":
                return None if self.stock else Refusal("stock_empty", "the stock is empty")
            case "pass":
                return Refusal("not_allowed", "the stock still has cards") if self.stock else None
            case "double":
                return self._double_refusal(seat)
            case "take":
                return self._take_refusal(seat, move)
            case "meld" | "add":
                return self._lay_refusal(seat, move)
            case "undo":
                has_some = len(self.laid) > self.final
                return None if has_some else Refusal("nothing_to_undo", "there is nothing to take back")
            case "discard":
                return self._discard_refusal(seat, move)
            case "close":
                return self._close_refusal(seat)
        return None

    def _double_refusal(self, seat: int) -> Refusal | None:
        options = self.options
        most = _MOST_STAKE if options.limit is None else min(options.limit, _MOST_STAKE)
        if not options.doubling:
            return Refusal("not_allowed", "doubling is switched off")
        if self.cube == 1 - seat:
            return Refusal("not_allowed", "the right to double is the opponent's")
        if 2 * self.stake > most:
            return Refusal("not_allowed", f"the stake cannot go above {most}")
        return None

    def _take_refusal(self, seat: int, move: Step) -> Refusal | None:
        pile = self.discard
        if self._is_blocked():
            return Refusal("pile_blocked", "the top card cannot be taken")
        if len(pile) == 1 and size(self.hands[seat]) == 1:
            return Refusal("one_card", "with one card a pile of one card cannot be taken")
        if refusal := self._not_in_hand(seat, move):
            return refusal
        rank = RANK[pile[-1]]
        if self._is_frozen_for_turn() and sum(RANK[card] == rank for card in move.numbers) < 2:
            why = "the pile is frozen" if self.opened else "you have not opened"
            return Refusal("pile_frozen", f"{why}: two naturals of the top card's rank are needed")
        after = self._after(seat, move)
        if after is None:
            return Refusal("not_a_meld", "the top card and these cards are no combination")
        return self._pile_refusal(seat, move, after, pile[-1:])

    def _after(self, seat: int, move: Step) -> Meld | None:
        """The combination that a `take`, `meld` or `add` makes, if it is one."""
        top = self.discard[-1:] if move.verb == "take" else b""
        number = self._number_of(seat, RANK[top[0]]) if top else move.meld if move.meld >= 0 else None
        cards = top + move.numbers
        return combined(cards) if number is None else added(self.melds[number].meld, cards)

    def _pile_refusal(self, seat: int, move: Step, after: Meld, top: bytes) -> Refusal | None:
        """Whether the seat would get the pile with too few cards; `top` is what of the pile is laid."""
        if not self._gets_pile(seat, move, top) or after.bonus or self._has_bonus(seat):
            return None
        kept, _, _ = settle(self.discard[: len(self.discard) - len(top)], self.stock)
        if size(self.hands[seat]) - len(move.numbers) + len(kept) >= 2:
            return None
        return Refusal("too_few_cards", "without a canasta two cards must be left with the pile")

    def _gets_pile(self, seat: int, move: Step, top: bytes) -> bool:
        """Whether the seat gets the pile with this take, meld or addition."""
        if self.opened:
            return bool(top)
        if not top and self.phase != "opening":
            return False
        return self._points_of_turn() + points(top + move.numbers, VALUE) >= self._minimum(seat)

    def _lay_refusal(self, seat: int, move: Step) -> Refusal | None:
        is_add = move.verb == "add"
        if is_add and not self._is_own(seat, move.meld):
            return Refusal("no_such_meld", f"you have no combination m{move.meld}", f"m{move.meld}")
        if refusal := self._not_in_hand(seat, move):
            return refusal
        after = self._after(seat, move)
        if is_add:
            if after is None:
                return Refusal("does_not_fit", f"m{move.meld} does not take these cards", move.cards[0])
        elif after is None or after.rank in self._ranks_down(seat):
            return Refusal("not_a_meld", "these cards are no combination", move.cards[0])
        elif after.rank == THREE and move.numbers not in self._black_threes(seat):
            return Refusal("black_three", "black threes are laid only on the way out", move.cards[0])
        return self._pile_refusal(seat, move, after, b"")

    def _discard_refusal(self, seat: int, move: Step) -> Refusal | None:
        if refusal := self._not_in_hand(seat, move):
            return refusal
        if size(self.hands[seat]) == 1:
            return Refusal("last_card", "the last card leaves the hand only by closing", move.cards[0])
        return self._short_refusal(seat)

    def _close_refusal(self, seat: int) -> Refusal | None:
        if size(self.hands[seat]) > 1:
            return Refusal("cards_left", "only one card may be left")
        if not self._has_bonus(seat):
            return Refusal("no_canasta", "you have no canasta")
        return self._short_refusal(seat)

    def _short_refusal(self, seat: int) -> Refusal | None:
        if not self._is_short(seat):
            return None
        minimum = self._minimum(seat)
        return Refusal(
            "opening_too_low", f"the opening counts {self._points_of_turn()}, {minimum} are needed"
        )

    # -------------------------------------------------------------------------------- 3. playing a move

    def _play(self, seat: int, move: Step) -> Applied:
        events: list[Event] = []
        match move.verb:
            case "draw":
                self._draw(seat, events)
                return Applied(move.text, events, turn_ended=self.phase != "play")
            case "take" | "meld" | "add":
                self._lay(seat, move, events)
                return Applied(move.text, events, turn_ended=False)
            case "undo":
                return Applied(move.text, [self._undo(seat)], turn_ended=False)
            case "double":
                self.phase = "double"
                events.append(Event("double_offered", seat, {"stake": 2 * self.stake}))
                return Applied(move.text, events, turn_ended=False, suspended=True)
            case "accept":
                self.phase = "draw"
                self.stake *= 2
                self.cube = seat
                events.append(Event("double_accepted", seat, {"stake": self.stake}))
                return Applied(move.text, events, resumed=self.turn)
            case "resign":
                events.append(Event("seat_resigned", seat, {}))
                self._score(self._count(), events)
                ranking = (1, 2) if seat else (2, 1)
                self._end_match(Outcome(1 - seat, ranking, "resign"), events)
            case "pass":
                events.append(Event("seat_passed", seat, {}))
                self._end_hand(seat, 0, events)
            case "discard":
                self._drop(seat, move.numbers, events)
                self._end_turn(seat, events)
            case "close":
                self._drop(seat, bytes(cards_of(self.hands[seat])), events)
                events.append(Event("hand_closed", seat, {"side": seat, "in_hand": not self.opened}))
                self._end_hand(seat, _CLOSING if self.opened else _CLOSING_IN_HAND, events)
        return Applied(move.text, events)

    def _draw(self, seat: int, events: list[Event]) -> None:
        """The top card of the stock; without a replacement for a red three the hand is over."""
        card = self._next(seat)
        if card not in RED_THREES:
            events.append(self._drawn(seat, [card]))
        elif not self._receive(seat, ONE[card], events):
            self._end_hand(seat, 0, events)
            return
        self.phase = "play"

    def _lay(self, seat: int, move: Step, events: list[Event]) -> None:
        """A take, a new combination or an addition; then the pile, if the seat gets it with this."""
        is_take = move.verb == "take"
        top = self.discard[-1:] if is_take else b""
        gets_pile = self._gets_pile(seat, move, top)
        after = cast("Meld", self._after(seat, move))  # it was checked
        number = self._number_of(seat, after.rank)
        is_new = number is None
        self.hands[seat] = without_cards(self.hands[seat], move.numbers)
        self.discard = self.discard[: len(self.discard) - len(top)]
        if number is None:
            number = len(self.melds)
            self.melds.append(Laid(seat, after))
        else:
            self.melds[number] = Laid(seat, after)
        self.laid.append(Lay(number, move.numbers, top))
        data = {
            "meld": number,
            "laid": list(move.cards),
            "top": FR108.show(top),
            "cards": FR108.show(after.cards),
        }
        events.append(Event("meld_laid" if is_new else "cards_added", seat, data))
        if gets_pile:
            self._get_pile(seat, events)
        elif is_take:
            self.phase = "opening"

    def _get_pile(self, seat: int, events: list[Event]) -> None:
        pile, self.discard = self.discard, b""
        self.phase = "play"
        events.append(Event("pile_taken", seat, {"cards": FR108.show(pile)}))
        self._receive(seat, pile, events)
        self.final = len(self.laid)

    def _undo(self, seat: int) -> Event:
        number, cards, top = self.laid.pop()
        left = self.melds[number].meld.cards
        for card in cards + top:
            left = left.replace(ONE[card], b"", 1)
        if before := combined(left):
            self.melds[number] = Laid(seat, before)
        else:
            self.melds.pop()
        self.hands[seat] = with_cards(self.hands[seat], cards)
        if top:
            self.discard += top
            self.phase = "draw"
        data = {"meld": number, "laid": FR108.show(cards), "top": FR108.show(top), "cards": FR108.show(left)}
        return Event("step_undone", seat, data)

    def _drop(self, seat: int, cards: bytes, events: list[Event]) -> None:
        """A card, or none, from the hand to the pile."""
        self.hands[seat] = without_cards(self.hands[seat], cards)
        self.discard += cards
        events += [Event("card_discarded", seat, {"card": face}) for face in FR108.show(cards)]

    def _end_turn(self, seat: int, events: list[Event]) -> None:
        self.last_laid = self.laid
        self.laid = []
        self.final = 0
        self._begin_turn(1 - seat)
        if not self.stock and not self._takes(self.turn):
            self._end_hand(seat, 0, events)


def _limit(options: Mapping[str, Value]) -> Value:
    """The usual limit, or the stake if that is more."""
    stake = options["stake"]
    return max(_DEFAULT_LIMIT, stake) if isinstance(stake, int) else _DEFAULT_LIMIT


CANASTA = Game(
    id="canasta",
    names={"it": "Canasta", "en": "Canasta"},
    deck=FR108,
    direction="clockwise",
    rules_version=1,
    specs=(
        seats_spec(2, (2,)),
        match_spec("points", ("points",)),
        target_choice_spec(5000, (1, 2500, 5000)),
        stake_spec("Posta", "Stake", _MOST_STAKE, default=1),
        limit_spec("Limite della posta", "Ceiling of the stake", _MOST_STAKE, _DEFAULT_LIMIT, _limit),
        max_hands_spec(),
        flag_spec("doubling", True, "La posta si può raddoppiare", "The stake may be doubled"),
        KO,
    ),
    options_type=CanastaOptions,
    state_type=Canasta,
    money="own",
)
