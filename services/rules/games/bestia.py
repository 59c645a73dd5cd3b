"""Bestia (bestia.md). Three to five seats, each for itself; the deck `it40`; stakes in chips."""

from services.rules.clock import LEAD_IN_CAPTURE_MS
from services.rules.core.cards import IT40, as_set, members
from services.rules.core.errors import Refusal
from services.rules.core.game import Game
from services.rules.core.match import after_leaving, as_it_stands
from services.rules.core.moves import Applied, Event
from services.rules.core.state import hand_score
from services.rules.families.chips import cut_to, shares
from services.rules.families.tricks import following, taker
from services.rules.games.bestia_moves import BLIND, HAND, PASS, Act, declarations, play_of, read
from services.rules.games.bestia_options import BESTIA_SPECS, TRICKS, BestiaOptions
from services.rules.games.bestia_table import ACTIVE, BestiaTable

_MOST_BESTIA = 1000
"""With `carry` one bestia is at most so many antes."""
_SUITS = tuple(card // 10 for card in IT40.cards)
_OF_SUIT = tuple(as_set(range(first, first + 10)) for first in range(0, 40, 10))
_STRENGTHS = tuple("24567JQK3A".index(face[0]) for face in IT40.faces)
_VERBS = {"join": ("pass", "join"), "blind": ("pass", "blind"), "play": ("play",)}


class Bestia(BestiaTable):
    """A match of bestia: its course."""

    __slots__ = ()

    # --------------------------------------------------------------------------------- 2. deal

    def _begin_hand(self, deck: bytes, events: list[Event]) -> None:
        """The antes; three cards to each, one at a time; the next one is turned up."""
        self._clear()
        seats, ante, ring = self.options.seats, self.options.ante, self._ring
        self.scores = [score - ante for score in self.scores]
        self.pot += seats * ante
        dealt = HAND * seats
        for place, seat in enumerate(ring):
            self.hands[seat] = as_set(deck[place:dealt:seats])
        self.briscola = deck[dealt]
        self.stock = deck[dealt + 1 :]
        self.phase = "join"
        data = {"briscola": IT40.faces[self.briscola], "stock": len(self.stock), "pot": self.pot}
        events.append(self._dealt(ring, data))

    # --------------------------------------------------------------------------------- 3. play

    def legal(self, seat: int) -> list[Act]:
        if seat not in self.to_act:
            return []
        if self.phase == "join":
            return list(declarations(self.hands[seat], min(HAND, len(self.stock))))
        if self.phase == "blind":
            return [PASS, BLIND] if len(self.stock) >= HAND else [PASS]
        return [play_of(card) for card in members(self._playable(self.hands[seat]))]

    def _playable(self, hand: int) -> int:
        """The cards of a hand that may be played to the trick."""
        if not self.trick:
            top = self._top_trump() if self.options.lead_top_trump else 0
            return hand & top or hand
        trumps = _OF_SUIT[_SUITS[self._trump]] if self.options.must_trump else 0
        return following(hand, _OF_SUIT[_SUITS[self.trick[0]]], trumps)

    @property
    def _trump(self) -> int:
        """The card turned up."""
        if self.briscola is None:
            raise ValueError("no hand has been dealt")
        return self.briscola

    def _top_trump(self) -> int:
        """The ace of trumps, or the three where the ace is turned up."""
        ace = self._trump // 10 * 10
        return 1 << (ace + 2 if ace == self._trump else ace)

    def _read(self, seat: int, text: str) -> Act | None:
        return read(text)

    def _refusal(self, seat: int, move: Act) -> Refusal | None:
        """Section 8, row by row."""
        if move.verb not in _VERBS[self.phase]:
            return Refusal("wrong_phase", f"{move.verb} is not a move of this phase", move.verb)
        hand = self.hands[seat]
        if missing := move.named & ~hand:
            face = IT40.faces[members(missing)[0]]
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if move.named.bit_count() < len(move.cards):
            face = next(face for face in move.cards if move.cards.count(face) > 1)
            return Refusal("not_in_hand", f"{face} is named twice", face)
        if self.phase != "play":
            wanted = HAND if move.verb == "blind" else len(move.cards)
            if wanted > len(self.stock):  # only where a position leaves cards out
                return Refusal("stock_empty", "the stock has not so many cards")
            return None
        if move.named & self._playable(hand):
            return None
        (face,) = move.cards
        if not self.trick:
            return Refusal("must_lead_top_trump", "the top trump must be led", face)
        if hand & _OF_SUIT[_SUITS[self.trick[0]]]:
            return Refusal("must_follow_suit", "the suit led must be followed", face)
        return Refusal("must_trump", "without the suit led a trump must be played", face)

    def _play(self, seat: int, move: Act) -> Applied:
        match move.verb:
            case "play":
                return self._play_card(seat, move)
            case "join":
                event = self._exchange(seat, move)
            case "blind":
                self.status[seat] = "blind"
                event = Event(
                    "seat_went_blind", seat, {}, {seat: {"drawn": IT40.show(self._draw(seat, HAND))}}
                )
            case _:
                event = Event("seat_passed", seat, {})
                if self.phase == "join":
                    self._throw(seat, self.hands[seat])
                self.status[seat] = "passed" if self.phase == "join" else "out"
        events = [event]
        self._next_declaration(events)
        return Applied(move.text, events)

    def _exchange(self, seat: int, move: Act) -> Event:
        self.status[seat] = "in"
        self._throw(seat, move.named)
        drawn = self._draw(seat, len(move.cards))
        private = {"thrown": list(move.cards), "drawn": IT40.show(drawn)}
        return Event("seat_joined", seat, {"exchanged": len(move.cards)}, {seat: private})

    def _throw(self, seat: int, cards: int) -> None:
        self.hands[seat] &= ~cards
        self.discard |= cards
        self.thrown[seat] |= cards

    def _draw(self, seat: int, count: int) -> bytes:
        drawn, self.stock = self.stock[:count], self.stock[count:]
        self.hands[seat] |= as_set(drawn)
        return drawn

    def _next_declaration(self, events: list[Event]) -> None:
        """Whom to ask next: who has not declared, then who passed; after them the tricks."""
        for status in ("?", "passed"):
            if status in self.status:
                self.phase = "join" if status == "?" else "blind"
                self.turn = next(seat for seat in self._ring if self.status[seat] == status)
                return
        active = self._active
        if len(active) < 2:
            self._end_hand(events)
        else:
            self.phase = "play"
            self.leader = self.turn = active[0]

    def _play_card(self, seat: int, move: Act) -> Applied:
        self.hands[seat] ^= move.named
        self.trick.append(move.named.bit_length() - 1)
        events = [Event("card_played", seat, {"card": move.cards[0]})]
        self.turn = self._after(seat)
        if self.turn != self.leader:
            return Applied(move.text, events)
        self._take_trick(events)
        if sum(self.tricks) == TRICKS:
            self._end_hand(events)
            return Applied(move.text, events)
        return Applied(move.text, events, lead_in_ms=LEAD_IN_CAPTURE_MS)

    def _take_trick(self, events: list[Event]) -> None:
        winner = self.leader
        for _ in range(taker(self.trick, _SUITS, _STRENGTHS, _SUITS[self._trump])):
            winner = self._after(winner)
        self.tricks[winner] += 1
        self.complete.append((self.leader, winner, tuple(self.trick)))
        self.played |= as_set(self.trick)
        events.append(Event("trick_taken", winner, {"cards": IT40.show(self.trick)}))
        self.trick = []
        self.leader = self.turn = winner

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _one_bestia(self) -> int:
        """What a seat pays that has gone bestia."""
        most = _MOST_BESTIA * self.options.ante
        return min(self.pot, most) if self.options.carry else self.pot

    def _end_hand(self, events: list[Event]) -> None:
        seats = range(self.options.seats)
        active = self._active
        is_last = self.hand >= self.options.hands
        won, paid = [0] * len(seats), [0] * len(seats)
        pot, left = self.pot, 0
        if len(active) > 1:
            for seat in active:
                if not self.tricks[seat]:
                    paid[seat] = self._one_bestia()
            if self.options.carry and not is_last:
                left = sum(paid)
            else:
                pot += sum(paid)
            won = [pot // TRICKS * tricks for tricks in self.tricks]
        elif active:
            won[active[0]] = pot
        elif is_last:
            won = [shares(pot, self._ring)[seat] for seat in seats]
        else:
            left = pot
        self.pot = left
        self._score(won, paid, events)
        if is_last:
            self._end_match(as_it_stands(self.scores, None), events)
        else:
            self.hand += 1
            self.phase = "deal"
            self.dealer = self._ring[0]

    def _score(self, won: list[int], paid: list[int], events: list[Event]) -> None:
        """The antes were paid at the deal; what the pot gives and the bestie take is added now."""
        changes = [gain - loss for gain, loss in zip(won, paid, strict=True)]
        total = [change - self.options.ante for change in changes]
        self.hand_score = hand_score({"tricks": self.tricks, "pot": won, "bestia": paid, "total": total})
        self.scores = [score + change for score, change in zip(self.scores, changes, strict=True)]
        data = {"hand_score": self._hand_score_json(), "scores": list(self.scores), "pot": self.pot}
        events.append(Event("hand_ended", None, data))

    def max_loss(self, seat: int) -> int:
        """The ante and a bestia of the whole pot; or, by abandoning, all that has been won so far."""
        ante = self.options.ante
        pot = self.pot + ante * self.options.seats
        bestia = min(pot, _MOST_BESTIA * ante) if self.options.carry else pot
        return max(ante + bestia, self.scores[seat])

    def _break_off(self, events: list[Event]) -> None:
        """The pot is given back as after a last hand that nobody played (section 4)."""
        for seat, chips in shares(self.pot, self._ring).items():
            self.scores[seat] += chips
        self.pot = 0
        self._end_match(as_it_stands(self.scores, None), events)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        others = [other for other in self._ring if other != seat]
        if self.phase == "deal":
            for other, chips in shares(self.pot, others).items():
                self.scores[other] += chips
            self.pot = 0
        else:
            self._divide_unplayed(seat, others, events)
        cut_to(0, self.scores, seat, others)
        self._end_match(after_leaving(self.scores, seat, seat), events)
        return Applied("abandon", events)

    def _divide_unplayed(self, offender: int, others: list[int], events: list[Event]) -> None:
        """A bestia of the offender unless it has passed; tricks keep their worth, the rest is shared."""
        paid = [0] * self.options.seats
        if self.status[offender] in ("?", *ACTIVE):
            paid[offender] = self._one_bestia()
        pot = self.pot + paid[offender]
        won = [pot // TRICKS * tricks for tricks in self.tricks]
        among = [seat for seat in others if self.status[seat] in ("?", *ACTIVE)]
        for seat, chips in shares(pot - sum(won), among or others).items():
            won[seat] += chips
        self.pot = 0
        self._score(won, paid, events)


BESTIA = Game(
    id="bestia",
    names={"it": "Bestia", "en": "Bestia"},
    deck=IT40,
    direction="anticlockwise",
    rules_version=1,
    specs=BESTIA_SPECS,
    options_type=BestiaOptions,
    state_type=Bestia,
    money="chips",
    by_hand=True,
    heaps=frozenset({"discard"}),
)
