"""What a seat may do at the table of poker: words, amounts, the exchange (poker.md, sections 3 and 8)."""

from collections.abc import Sequence

from services.rules.core.cards import FR52, members
from services.rules.core.errors import Refusal
from services.rules.games import poker_moves
from services.rules.games.poker_hands import opens
from services.rules.games.poker_moves import BLIND, CALL, CHECK, FOLD, MOST_CHANGED, NOBLIND, PAROLA, Act
from services.rules.games.poker_table import LEVELS, PokerTable

_BETS = frozenset(("check", "fold", "call", "bet", "raise"))
_VERBS = {
    "blind": frozenset(("blind", "noblind")),
    "open": _BETS,
    "first": _BETS,
    "change": frozenset(("change",)),
    "final": _BETS | {"parola"},
}


class PokerBetting(PokerTable):
    """The moves of whoever is to act, and why others are refused."""

    __slots__ = ()

    def legal(self, seat: int) -> Sequence[Act]:
        if seat not in self.to_act:
            return []
        phase = self.phase
        if phase == "blind":
            return [BLIND, NOBLIND]
        if phase == "change":
            most = min(MOST_CHANGED, len(self.stock) + self.discard.bit_count())
            return poker_moves.Exchanges(self.hands[seat], most)
        if self.highest:
            return [FOLD, CALL, *self._wagers(seat, "raise")]
        moves = [FOLD, CHECK]
        if phase == "final" and self._may_parola():
            moves.append(PAROLA)
        if phase == "final" or self._has_openers(seat):
            moves += self._wagers(seat, "bet")
        return moves

    def _wagers(self, seat: int, verb: str) -> list[Act]:
        """Every amount that may be bet or raised to: multiples of the cip, and all the chips."""
        if not self._is_answerable(seat):
            return []
        cip, least = self.cip, self._least()
        all_in = self.bets[seat] + self.scores[seat]
        most = min(all_in, self._limit(seat)) if self.options.betting == "pot_limit" else all_in
        wagers = poker_moves.wagers(verb, cip, least, most)
        if self.highest < all_in == most and (all_in % cip or all_in < least):
            wagers.append(poker_moves.wager(verb, all_in))
        return wagers

    def _is_answerable(self, seat: int) -> bool:
        """Whether another able seat could answer a bet of this one."""
        status = self.status
        for other, chips in enumerate(self.scores):
            if chips and other != seat and status[other] == "in":
                return True
        return False

    def _least(self) -> int:
        """The least bet or raise of who does not go all-in."""
        return self.highest + self.increase if self.highest else self.cip

    def _limit(self, seat: int) -> int:
        """The highest bet or raise within the pot limit."""
        return 2 * self.highest + self.carried + sum(self.put) - self.bets[seat]

    def _may_parola(self) -> bool:
        return not self.is_checked and all(self.scores[seat] for seat in self._staying)

    def _has_openers(self, seat: int) -> bool:
        return opens(self.hands[seat], self._lowest, LEVELS[self.level])

    def _read(self, seat: int, text: str) -> Act | None:
        return poker_moves.read(text)

    def _refusal(self, seat: int, move: Act) -> Refusal | None:
        """Section 8, row by row."""
        verb = move.verb
        if verb not in _VERBS[self.phase]:
            return Refusal("wrong_phase", f"{verb} is not a move of this phase", verb)
        if verb == "change":
            return self._change_refusal(seat, move)
        if self.highest:
            if verb in ("check", "parola", "bet"):
                return Refusal("facing_a_bet", "there is a bet to answer", verb)
        elif verb in ("call", "raise"):
            return Refusal("no_bet", "nobody has bet in this round", verb)
        if verb == "parola" and not self._may_parola():
            return Refusal("parola_not_allowed", "parola is closed by a check, a bet or an all-in seat", verb)
        if verb == "bet" and self.phase == "open" and not self._has_openers(seat):
            return Refusal("no_openers", f"a pair of {self.level} or better is needed to open", verb)
        return self._amount_refusal(seat, move.chips) if verb in ("bet", "raise") else None

    def _change_refusal(self, seat: int, move: Act) -> Refusal | None:
        count = len(move.cards)
        if count > MOST_CHANGED:
            return Refusal("too_many_cards", "at most four cards may be changed", move.cards[-1])
        if missing := move.named & ~self.hands[seat]:
            face = FR52.faces[members(missing)[0]]
            return Refusal("not_in_hand", f"you do not hold {face}", face)
        if move.named.bit_count() < count:
            face = next(face for face in move.cards if move.cards.count(face) > 1)
            return Refusal("not_in_hand", f"{face} is named twice", face)
        if count > len(self.stock) + self.discard.bit_count():  # where a position leaves cards out
            return Refusal("stock_empty", "the stock has not so many cards")
        return None

    def _amount_refusal(self, seat: int, chips: int) -> Refusal | None:
        missing = chips - self.bets[seat]
        is_all_in = missing == self.scores[seat]
        if not self._is_answerable(seat):
            return Refusal("not_allowed", "no other seat could answer", str(chips))
        if missing > self.scores[seat]:
            return Refusal("not_enough_chips", f"you have {self.scores[seat]} chips", str(chips))
        if chips <= self.highest or (chips < self._least() and not is_all_in):
            return Refusal("bet_too_small", f"the least is {self._least()}, or all your chips", str(chips))
        if chips % self.cip and not is_all_in:
            return Refusal(
                "not_a_multiple", f"must be a multiple of {self.cip}, or all your chips", str(chips)
            )
        if self.options.betting == "pot_limit" and chips > self._limit(seat):
            return Refusal("bet_too_big", f"the limit is {self._limit(seat)}", str(chips))
        return None
