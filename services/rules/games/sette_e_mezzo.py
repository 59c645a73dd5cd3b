"""Sette e mezzo (sette_e_mezzo.md). A banker against two to ten seats less one; the deck `it40`."""

from collections.abc import Sequence
from functools import cache

from services.rules.clock import LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40, as_set
from services.rules.core.errors import Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, after_leaving, as_it_stands, is_past_target, verdict
from services.rules.core.moves import Applied, Event
from services.rules.core.state import hand_score
from services.rules.families.chip_tables import chips_event, seat_event
from services.rules.families.chips import cut_to
from services.rules.games.sette_e_mezzo_moves import DRAW, STAND, Act, bet_of, read
from services.rules.games.sette_e_mezzo_options import SETTE_SPECS, SetteOptions
from services.rules.games.sette_e_mezzo_table import SetteTable
from services.rules.games.sette_e_mezzo_totals import BEST, points

_FACES = IT40.faces
_TIE_HANDS = 3
_SEVENS = 4
"""So many hands can be royal at once, and one more that has the matta and a figure."""


@cache  # the same few events come again and again
def _card_dealt(seat: int, card: int) -> Event:
    return Event("card_dealt", seat, {}, {seat: {"card": _FACES[card]}})


@cache
def _card_drawn(seat: int, card: int) -> Event:
    return Event("card_drawn", seat, {"card": _FACES[card]})


@cache
def _card_shown(seat: int, card: int) -> Event:
    return Event("card_shown", seat, {"card": _FACES[card]})


class SetteEMezzo(SetteTable):
    """A match of sette e mezzo: its course."""

    __slots__ = ()

    # --------------------------------------------------------------------------------- 2. deal

    def _begin_hand(self, deck: bytes, events: list[Event]) -> None:
        """A new pack, if one was shuffled; then the first cards."""
        seats = self.options.seats
        if deck:
            self.stock = deck
            self.discard = self.unseen = 0
        self.hands = [()] * seats
        self.bets = [0] * seats
        self.won = [0] * seats
        self.royal = None
        self.unsettled = self._punters
        events.append(Event("hand_dealt", None, {"dealer": self.dealer, "stock": len(self.stock)}))
        self._deal(events)

    def _deal(self, events: list[Event]) -> None:
        """One card face down to who plays now (all punters, or that of the next duel), and the banker."""
        options = self.options
        self.turn = self.unsettled[0]
        self.shown = [False] * options.seats
        self.phase = "bet" if options.betting == "free" else "punter"
        self.owed = [*(self.unsettled if options.variant == "round" else [self.turn]), self.dealer]
        self._give_owed(events)

    def _go_on(self, events: list[Event]) -> None:
        self.unseen = 0
        self._give_owed(events)

    def _give_owed(self, events: list[Event]) -> None:
        """Cards from the stock to those who are to get one; if it runs out chance is asked, and then on."""
        while self.owed:
            if not self.stock:
                return
            seat = self.owed.pop(0)
            card, self.stock = self.stock[0], self.stock[1:]
            hand = self.hands[seat]
            self.hands[seat] = (*hand, card)
            if hand:
                events.append(_card_drawn(seat, card))
            else:
                events.append(_card_dealt(seat, card))
                if self.options.betting == "fixed" and seat != self.dealer:
                    self.bets[seat] = self.options.min_bet
        self._look_at_turn(events)

    # --------------------------------------------------------------------------------- 3. play

    def legal(self, seat: int) -> list[Act]:
        if seat not in self.to_act:
            return []
        if self.phase == "bet":
            return [bet_of(chips) for chips in range(self.options.min_bet, self.options.max_bet + 1)]
        return [DRAW, STAND] if self.stock or self.discard else [STAND]

    def _read(self, seat: int, text: str) -> Act | None:
        return read(text)

    def _refusal(self, seat: int, move: Act) -> Refusal | None:
        """Section 8, row by row."""
        options = self.options
        if move.verb == "bet" and options.betting == "fixed":
            return Refusal("not_allowed", "every stake is fixed at this table", "bet")
        if (move.verb == "bet") != (self.phase == "bet"):
            return Refusal("wrong_phase", f"{move.verb} is not a move of this phase", move.verb)
        if move.verb == "bet" and move.chips < options.min_bet:
            return Refusal("bet_too_small", f"the least stake is {options.min_bet}", str(move.chips))
        if move.verb == "bet" and move.chips > options.max_bet:
            return Refusal("bet_too_big", f"the greatest stake is {options.max_bet}", str(move.chips))
        if move is DRAW and not (self.stock or self.discard):  # only where a position leaves cards out
            return Refusal("stock_empty", "there is no card left", "draw")
        return None

    def _play(self, seat: int, move: Act) -> Applied:
        """Every move ends a turn of the clock (clock.md, section 10), even where the same seat goes on."""
        events: list[Event] = []
        unsettled = len(self.unsettled)
        if move.verb == "bet":
            self.bets[seat] = move.chips
            self.phase = "punter"
            events.append(chips_event("bet_made", seat, move.chips))
        elif move.verb == "draw":
            self.owed = [seat]
            self._give_owed(events)
        else:
            events.append(seat_event("seat_stood", seat))
            self._end_turn(events)
        goes_on = self.phase in self.prompts and self.options.variant == "duels"
        is_dealt = goes_on and len(self.unsettled) < unsettled
        return Applied(move.text, events, lead_in_ms=LEAD_IN_DEAL_MS if is_dealt else 0)

    def _look_at_turn(self, events: list[Event]) -> None:
        """After a card: over the seat is out, at seven and a half its turn ends, below that it goes on."""
        seat = self.turn
        count = self._total(seat)
        if count < BEST:
            return
        self._show(seat, events)
        if count > BEST and seat != self.dealer:
            events.append(Event("seat_went_over", seat, {"total": points(count)}))
            self._settle(seat, None, events)
        self._end_turn(events)

    def _show(self, seat: int, events: list[Event]) -> None:
        """Turn the first card of a seat up."""
        if not self.shown[seat]:
            self.shown[seat] = True
            events.append(_card_shown(seat, self.hands[seat][0]))

    def _end_turn(self, events: list[Event]) -> None:
        """The next punter, the banker, or the settlement."""
        if self.turn == self.dealer:
            banker = self._total(self.dealer)
            if banker > BEST:
                events.append(Event("seat_went_over", self.dealer, {"total": points(banker)}))
            for punter in self.unsettled if self.options.variant == "round" else self.unsettled[:1]:
                self._show(punter, events)
                self._settle(punter, banker, events)
            self._end_banker(events)
        elif waiting := self._waiting():
            self.turn = waiting[0]
            self.phase = "bet" if self.options.betting == "free" else "punter"
        elif any(self.hands[seat] for seat in self.unsettled):
            self.turn = self.dealer
            self.phase = "banker"
            self._show(self.dealer, events)
        else:
            self._end_banker(events)

    def _waiting(self) -> Sequence[int]:
        """The punters whose turn comes before the banker's, where all play against one hand of the banker."""
        if self.options.variant == "duels":
            return ()
        later = self._punters[self._punters.index(self.turn) + 1 :]
        return [seat for seat in later if seat in self.unsettled]

    def _end_banker(self, events: list[Event]) -> None:
        """The banker's hand goes, played or not: another duel, or the end of the hand."""
        self._throw(self.dealer)
        if self.unsettled:
            self._deal(events)
        else:
            self._end_hand(events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _settle(self, punter: int, banker: int | None, events: list[Event]) -> None:
        """Section 4; `banker` is its total, None if it did not play. The punter's cards are seen by now."""
        count = self._total(punter)
        paid = -self.bets[punter]
        if banker is not None and (banker > BEST or count > banker):
            paid = self.bets[punter]
            if count == BEST and len(self.hands[punter]) == 2:
                paid *= self.options.real_pays
                if self.royal is None:
                    self.royal = punter
        self._pay(self.dealer, punter, paid)
        self.last_duel = {
            "punter": punter,
            "punter_total": points(count),
            "banker_total": None if banker is None else points(banker),
            "paid": paid,
        }
        events.append(Event("duel_settled", punter, dict(self.last_duel)))
        self._throw(punter)
        self.bets[punter] = 0
        self.unsettled = [seat for seat in self.unsettled if seat != punter]

    def _pay(self, giver: int, receiver: int, chips: int) -> None:
        for seat, change in ((giver, -chips), (receiver, chips)):
            self.won[seat] += change
            self.scores[seat] += change

    def _throw(self, seat: int) -> None:
        """The cards of a seat go to the discards; its first one unseen if it was not shown."""
        hand = self.hands[seat]
        self.discard |= as_set(hand)
        if not self.shown[seat]:
            self.unseen |= as_set(hand[:1])
        self.hands[seat] = ()

    def _end_hand(self, events: list[Event]) -> None:
        options = self.options
        self._score(events)
        if outcome := self._decided():
            self._end_match(outcome, events)
            return
        if options.match == "hands" and self.hand >= options.hands:
            self.tie_break += 1
        else:
            self.hand += 1
        self.phase = "deal"
        if options.bank == "rotate":
            self.dealer = (self.dealer + 1) % options.seats
        elif self.royal is not None:
            self.dealer = self.royal

    def _decided(self) -> Outcome | None:
        """How the match ends with this hand, if it does."""
        options, scores = self.options, self.scores
        if options.match == "hands":
            if self.hand < options.hands:
                return None
            return verdict(scores, tie_break=self.tie_break, tie_hands=_TIE_HANDS, ko_order=None)
        is_last = self.hand >= options.max_hands
        if not is_last and not is_past_target(scores, options.target, "reach"):
            return None
        return self._as_it_stands() if is_last or scores.count(max(scores)) == 1 else None

    def _as_it_stands(self) -> Outcome:
        """How the match ends if no further hand follows: with `ko` who won the last hand loses if level."""
        last = self.won.index(max(self.won))
        return as_it_stands(self.scores, (1 - last, last) if self.options.ko else None)

    def _score(self, events: list[Event]) -> None:
        """Points were added to the scores as they were won."""
        self.hand_score = hand_score({"total": self.won})
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores)}
        events.append(Event("hand_ended", None, data))

    def _break_off(self, events: list[Event]) -> None:
        self._end_match(self._as_it_stands(), events)

    def max_loss(self, seat: int) -> int:
        """What a hand takes at most: all stakes; or, by leaving late in it, those and the extra; or what was
        won before, which leaving in it or after it lowers to the lowest of the others."""
        options = self.options
        others = options.seats - 1
        stake = options.max_bet if options.betting == "free" else options.min_bet
        is_round = options.variant == "round"
        royals = min(others, _SEVENS + options.matta) if is_round else others
        by_play = [stake] * options.seats
        by_play[self.dealer] = (others + royals * (options.real_pays - 1)) * stake
        open_stakes = stake
        if seat == self.dealer:
            open_stakes += (others - 1) * stake * (1 if is_round else options.real_pays)
        lowest = min(self.scores[other] - by_play[other] for other in range(options.seats) if other != seat)
        return max(by_play[seat], open_stakes + others * options.min_bet, self.scores[seat] - lowest)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        others = [other for other in (*self._punters, self.dealer) if other != seat]
        if self.phase != "deal":
            least = self.options.min_bet
            for punter in self.unsettled:
                if seat == self.dealer:
                    self._pay(seat, punter, self.bets[punter] or least)
                elif seat == punter:
                    self._pay(seat, self.dealer, self.bets[punter] or least)
            for other in others:
                self._pay(seat, other, least)
            self.owed = []
            self.unsettled = []
            self.bets = [0] * self.options.seats
            self._score(events)
        cut_to(min(self.scores[other] for other in others), self.scores, seat, others)
        self._end_match(after_leaving(self.scores, seat, seat), events)
        return Applied("abandon", events)


SETTE_E_MEZZO = Game(
    id="sette_e_mezzo",
    names={"it": "Sette e mezzo", "en": "Seven and a half"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=SETTE_SPECS,
    options_type=SetteOptions,
    state_type=SetteEMezzo,
    money="chips",
    by_hand=True,
    heaps=frozenset({"discard"}),
)
