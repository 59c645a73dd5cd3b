"""Poker all'italiana (poker.md). Two to six seats; the upper part of the deck `fr52`."""

from services.rules.clock import LEAD_IN_DEAL_MS
from services.rules.core.cards import FR52, as_set
from services.rules.core.game import Game
from services.rules.core.match import EndedBy, Outcome
from services.rules.core.moves import Applied, Event
from services.rules.core.state import hand_score
from services.rules.families.chip_tables import chips_event, seat_event, seats_from
from services.rules.families.chips import shares
from services.rules.games.poker_betting import PokerBetting
from services.rules.games.poker_hands import best
from services.rules.games.poker_moves import Act
from services.rules.games.poker_options import POKER_SPECS, PokerOptions
from services.rules.games.poker_pots import side_pots, unanswered
from services.rules.games.poker_table import HAND

_BLINDS = 3  # blind, counter-blind, over
_TIE_HANDS = 3
_BETTING = ("open", "first", "final")


class Poker(PokerBetting):
    """A match of poker: its course."""

    __slots__ = ()

    # --------------------------------------------------------------------------------- 2. deal

    def _begin_hand(self, deck: bytes, events: list[Event]) -> None:
        """The invito; then the blinds are asked for, or the cards dealt."""
        self._clear()
        self.stock = deck
        self.put = [min(self.ante, chips) for chips in self.scores]
        self.scores = [chips - paid for chips, paid in zip(self.scores, self.put, strict=True)]
        self.status = ["in" if paid else "away" for paid in self.put]
        self.phase = "blind"
        data = {"dealer": self.dealer, "put": list(self.put), "pot": self._pot}
        events.append(Event("antes_paid", None, data))
        may_open = self.options.blind and self.level == "J" and len(self._able_from(0)) > 1
        if not may_open or not self._ask_blind(self._staying[0]):
            self._deal(events)

    def _blind(self) -> int:
        """The blind that may be bet now: the pot, then twice the last one."""
        return self._pot if self.blinder is None else 2 * self.highest

    def _ask_blind(self, seat: int) -> bool:
        """Ask this seat for a blind, unless it has not the whole amount."""
        self.turn = seat
        return self.scores[seat] >= self._blind()

    def _bet_blind(self, seat: int, events: list[Event]) -> bool:
        """Bet the blind; whether another seat is asked for the next one."""
        chips = self._blind()
        self.increase = chips - self.highest
        self._bet(seat, chips)
        self.blinder = seat
        events.append(chips_event("blind_bet", seat, chips))
        if not self.options.counterblind or sum(map(bool, self.bets)) == _BLINDS:
            return False
        following = next(
            other for other in seats_from(seat + 1, self.options.seats) if self.status[other] == "in"
        )
        return not self.bets[following] and self._ask_blind(following)

    def _deal(self, events: list[Event]) -> None:
        """Five cards to each, one at a time; then the opening, or the answers to a blind."""
        staying = self._staying
        dealt = HAND * len(staying)
        for place, seat in enumerate(staying):
            self.hands[seat] = self.held[seat] = as_set(self.stock[place : dealt : len(staying)])
        self.stock = self.stock[dealt:]
        events.append(self._dealt(staying, {"stock": len(self.stock)}))
        self.phase = "open" if self.blinder is None else "first"
        self._next_word((self.dealer if self.blinder is None else self.blinder) + 1, events)

    # --------------------------------------------------------------------------------- 3. play

    def _play(self, seat: int, move: Act) -> Applied:
        events: list[Event] = []
        if self.phase == "blind":
            return self._answer_blind(seat, move, events)
        if self.phase == "change":
            self._change(seat, move, events)
        else:
            self._speak(seat, move, events)
            self._next_word(seat + 1, events)
        return Applied(move.text, events)

    def _answer_blind(self, seat: int, move: Act, events: list[Event]) -> Applied:
        if move.verb == "noblind":
            events.append(seat_event("blind_declined", seat))
        elif self._bet_blind(seat, events):
            return Applied(move.text, events)
        self._deal(events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_DEAL_MS)

    def _speak(self, seat: int, move: Act, events: list[Event]) -> None:
        """One word of the betting."""
        self.spoken[seat] = True
        match move.verb:
            case "fold":
                self._fold(seat)
                events.append(seat_event("seat_folded", seat))
            case "check":
                self.is_checked = True
                events.append(seat_event("seat_checked", seat))
            case "parola":
                events.append(seat_event("parola_said", seat))
            case "call":
                chips = min(self.highest - self.bets[seat], self.scores[seat])
                self._bet(seat, chips)
                events.append(chips_event("bet_called", seat, chips))
            case "bet":
                self._open_with(seat, move.chips)
                events.append(chips_event("bet_made", seat, move.chips))
            case _:
                self._raise_to(seat, move.chips)
                events.append(chips_event("bet_raised", seat, move.chips))

    def _open_with(self, seat: int, chips: int) -> None:
        """The first bet of the round."""
        self.increase = max(chips, self.cip)
        self._bet(seat, chips)
        self.is_checked = True
        if self.phase == "open":
            self.opener = seat
            self.phase = "first"

    def _raise_to(self, seat: int, chips: int) -> None:
        self.increase = max(self.increase, chips - self.highest)
        self._bet(seat, chips - self.bets[seat])
        if self.phase == "first":
            self.raiser = seat

    def _fold(self, seat: int) -> None:
        self.status[seat] = "folded"
        self.discard |= self.hands[seat]
        self.hands[seat] = 0

    def _next_word(self, first: int, events: list[Event]) -> None:
        """Ask the next seat from this one on, or end the round."""
        if self.status.count("in") == 1:
            self._end_by_fold(events)
            return
        seat = self._asked_from(first)
        if seat is not None:
            self.turn = seat
        elif self.phase == "final":
            self._end_final(events)
        elif self.highest or not all(self.scores[seat] for seat in self._staying):
            self._new_round()
            self.phase = "change"
            self.turn = self._staying[0]
        else:
            self._end_unwon("void", "Q" if self.level == "J" else "K", events)

    def _asked_from(self, first: int) -> int | None:
        """The next seat from this one on that has the word: a bet must be answered by all that are able;
        while there is none everybody able is asked once, if there are two."""
        highest, bets, status, chips = self.highest, self.bets, self.status, self.scores
        if not highest and len(self._able_from(0)) < 2:
            return None
        for seat in seats_from(first, self.options.seats):
            waits = bets[seat] < highest if highest else not self.spoken[seat]
            if waits and status[seat] == "in" and chips[seat]:
                return seat
        return None

    # ----------------------------------------------------------------------------- 3. the exchange

    def _change(self, seat: int, move: Act, events: list[Event]) -> None:
        count = len(move.cards)
        self.hands[seat] ^= move.named
        self.discard |= move.named
        self.throwing = move.named
        self.changed[seat] = count
        self.owed = [seat] * count
        private = {seat: {"thrown": list(move.cards), "drawn": self._draw(seat)}}
        events.append(Event("cards_changed", seat, {"count": count}, private))
        self._next_change(events)

    def _draw(self, seat: int) -> list[str]:
        """As many of the owed cards as the stock has."""
        count = len(self.owed)
        drawn, self.stock = self.stock[:count], self.stock[count:]
        self.owed = self.owed[len(drawn) :]
        cards = as_set(drawn)
        self.hands[seat] |= cards
        self.held[seat] |= cards
        return FR52.show(drawn)

    def _go_on(self, events: list[Event]) -> None:
        """Earlier discards are the new stock: nobody knows any more where a card is that it threw away."""
        self.held = list(self.hands)
        seat = self.turn
        drawn = self._draw(seat)
        events.append(Event("cards_drawn", seat, {"count": len(drawn)}, {seat: {"drawn": drawn}}))
        self._next_change(events)

    def _next_change(self, events: list[Event]) -> None:
        """The next seat to change, or the last round of betting."""
        if self.owed:
            return
        self.throwing = 0
        if self.status.count("in") == 1:
            self._end_by_fold(events)
            return
        seat, status = self.turn, self.status
        while seat != self.dealer:
            seat = (seat + 1) % len(status)
            if status[seat] == "in":
                self.turn = seat
                return
        self._begin_final(events)

    def _begin_final(self, events: list[Event]) -> None:
        self._new_round()
        self.phase = "final"
        if self.opener is None and self.blinder is None:
            self._end_final(events)  # nobody has opened: an all-in seat kept the hand from being void
        else:
            self._next_word(self._first_of_final(), events)

    def _first_of_final(self) -> int:
        """Who speaks first after the exchange, if it is able."""
        for seat in (self.raiser, self.opener):
            if seat is not None:
                return seat
        return self.dealer + 1 if self.blinder is None else self.blinder + 1

    def _first_word(self) -> None:
        self._next_word(self.dealer + 1 if self.phase == "open" else self._first_of_final(), [])

    def _end_final(self, events: list[Event]) -> None:
        if not self.is_checked and all(self.spoken[seat] for seat in self._staying):
            self._end_unwon("parola", "K", events)
        else:
            self._showdown(events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_by_fold(self, events: list[Event]) -> None:
        self._give_back()
        self._end_won("fold", [(self._pot, self._staying)], events)

    def _showdown(self, events: list[Event]) -> None:
        self.is_shown = True
        events.append(Event("hands_shown", None, {"hands": self._hands_shown()}))
        self._give_back()
        pots = []
        for number, (chips, seats) in enumerate(side_pots(self.put, self._staying)):
            winners = best({seat: self.hands[seat] for seat in seats}, self._lowest)
            pots.append((chips + (0 if number else self.carried), winners))
        self._end_won("showdown", pots, events)

    def _give_back(self) -> None:
        """What one seat still in has put in beyond anybody else was never answered."""
        seat, chips = unanswered(self.put)
        if self.status[seat] == "in":
            self.scores[seat] += chips
            self.put[seat] -= chips

    def _end_won(self, end: str, pots: list[tuple[int, list[int]]], events: list[Event]) -> None:
        total = [-chips for chips in self.put]
        for chips, winners in pots:
            for seat, share in shares(chips, [seat for seat in self._ring if seat in winners]).items():
                self.scores[seat] += share
                total[seat] += share
        self.carried = 0
        self.level = "J"
        self._score(end, pots, total, events)
        playing = [seat for seat, place in enumerate(self.placed) if place is None]
        alive = [seat for seat in playing if self.scores[seat]]
        gone = [seat for seat in playing if not self.scores[seat]]
        for seat in gone:  # all that it had at the start of the hand it has put in
            better = sum(self.put[other] > self.put[seat] for other in gone)
            self.placed[seat] = 1 + len(alive) + better
            events.append(Event("seat_out", seat, {"place": self.placed[seat]}))
        ended_by = self._decided(alive)
        if ended_by:
            for seat in alive:
                self.placed[seat] = 1 + sum(self.scores[other] > self.scores[seat] for other in alive)
            self._conclude(None if ended_by == "draw" else self.placed.index(1), ended_by, None, events)
        else:
            self._next_hand()

    def _decided(self, alive: list[int]) -> EndedBy | None:
        """Whether the match ends with a hand that was won, and if so how; counts the tie-break hands."""
        options = self.options
        if len(alive) == 1:
            return "score"
        if options.match == "freezeout" or self.hand < options.hands:
            return None
        if self.scores.count(max(self.scores)) == 1:
            return "score"
        if self.tie_break == _TIE_HANDS:
            return "draw"
        self.tie_break += 1
        return None

    def _end_unwon(self, end: str, level: str, events: list[Event]) -> None:
        """Nobody has won: the pot stays for the next hand, which opens at this level."""
        self.carried += sum(self.put)
        self.level = level
        self._score(end, [], [-chips for chips in self.put], events)
        self._next_hand()

    def _score(
        self, end: str, pots: list[tuple[int, list[int]]], total: list[int], events: list[Event]
    ) -> None:
        self.ended = end
        self.pots = tuple([(chips, tuple(winners)) for chips, winners in pots])
        self.hand_score = hand_score({"total": total})
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores), "carried": self.carried}
        events.append(Event("hand_ended", None, data))

    def _next_hand(self) -> None:
        self.hand += 1
        self.ante, self.cip = self.options.level(self.hand)
        self.phase = "deal"
        self._pass_deal()

    def _pass_deal(self) -> None:
        self.dealer = next(seat for seat in self._ring if self.scores[seat])

    def _conclude(
        self, winner: int | None, ended_by: EndedBy, offender: int | None, events: list[Event]
    ) -> None:
        placed = tuple(place for place in self.placed if place is not None)
        self._end_match(Outcome(winner, placed, ended_by, offender), events)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def timeout_move(self, seat: int) -> str:
        match self.phase:
            case "blind":
                return "noblind"
            case "change":
                return "change"
        return "fold" if self.highest else "check"

    def _may_abandon(self, seat: int) -> bool:
        return super()._may_abandon(seat) and self.placed[seat] is None

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        playing = [other for other, place in enumerate(self.placed) if place is None]
        was_blind = self.phase == "blind"
        if len(playing) == 2:
            (other,) = (player for player in playing if player != seat)
            self._lose_to(other, seat, events)
        else:
            self.placed[seat] = len(playing)
            self.taken[seat], self.scores[seat] = self.scores[seat], 0
            self._leave_hand(seat, events)
        is_dealt = was_blind and self.phase in ("open", "first")
        return Applied("abandon", events, lead_in_ms=LEAD_IN_DEAL_MS if is_dealt else 0)

    def _lose_to(self, winner: int, offender: int, events: list[Event]) -> None:
        """One of the last two has left."""
        pot = self._pot
        if self.phase == "deal":
            self.scores[winner] += pot
        else:
            extra = min(self.ante, self.scores[offender])
            total = [-chips for chips in self.put]
            for seat, chips in ((winner, pot + extra), (offender, -extra)):
                total[seat] += chips
            self.scores[winner] += pot + extra
            self.scores[offender] -= extra
            self.carried = 0
            self._score("abandon", [(pot, [winner])], total, events)
        self.carried = 0
        self.owed = []
        self.level = "J"
        lead = max(0, self.scores[offender] - self.scores[winner])
        self.scores[offender] -= lead
        for seat, chips in shares(lead, (winner, offender)).items():
            self.taken[seat] += chips
        self.placed[winner], self.placed[offender] = 1, 2
        self._conclude(winner, "abandon", offender, events)

    def _leave_hand(self, seat: int, events: list[Event]) -> None:
        """The others play on; what the seat has put in stays in the pot."""
        if self.phase == "deal":
            if seat == self.dealer:
                self._pass_deal()
            return
        if self.status[seat] != "in":
            return
        self._fold(seat)
        was_asked = self.turn == seat
        if self.phase in _BETTING:
            self._next_word(self.turn, events)
        elif self.status.count("in") == 1:
            self._end_by_fold(events)
        elif was_asked and self.phase == "blind":
            self._deal(events)
        elif was_asked:
            self.owed = []
            self._next_change(events)


POKER = Game(
    id="poker",
    names={"it": "Poker all'italiana", "en": "Italian poker"},
    deck=FR52,
    direction="clockwise",
    rules_version=1,
    specs=POKER_SPECS,
    options_type=PokerOptions,
    state_type=Poker,
    money="chips",
    heaps=frozenset({"discard"}),
)
