"""The calls of tarocco (tarocco.md, section 3.1): what can be said, who may say it, and what it changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

from services.rules.core.cards import as_set, members
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.moves import Move
from services.rules.games.tarocco_cards import (
    BAGATTO,
    KINGS,
    MATTO,
    MONDO,
    SUIT_CARDS,
    T20,
    TAROCKS,
    TOUS_LES_TROIS,
)
from services.rules.games.tarocco_contract import ADDITIONS, ALL_SEATS, CALLED, GAMES, Contract, GameName

# -------------------------------------------------------------------------------------------- moves


@dataclass(frozen=True, slots=True)
class Bid(Move):
    """`bid XX`, `bid solo`: a game, and the tarock that a chiamante calls."""

    game: GameName = "chiamante"
    called: int | None = None


@dataclass(frozen=True, slots=True)
class Announcement(Move):
    """`announce assoluto`: an addition."""

    call: str = ""


@dataclass(frozen=True, slots=True)
class Doubling(Move):
    """`kontra bagatto`: lifts the game or an addition to this level. A rekontra is for what one's own side
    has called (`of_own`), kontra and subkontra are for what the other has."""

    call: str = ""
    level: int = 0
    of_own: bool = False


PASS = Move("pass", "pass")
DONE = Move("done", "done")


def _all_calls() -> Iterator[Move]:
    for word, called in zip(("XX", "XIX", "XVIII", "XVII", "XVI"), CALLED, strict=True):
        yield Bid(f"bid {word}", "bid", game="chiamante", called=called)
    for solo in GAMES[1:]:
        yield Bid(f"bid {solo}", "bid", game=solo)
    for call in ADDITIONS:
        yield Announcement(f"announce {call}", "announce", call=call)
    for level, verb in enumerate(("kontra", "rekontra", "subkontra"), start=1):
        for call in ("gioco", *ADDITIONS):
            yield Doubling(f"{verb} {call}", verb, call=call, level=level, of_own=level == 2)
    yield DONE
    yield PASS


CALLS = tuple(_all_calls())
"""All moves of the phase `calls`."""
_BIDS = tuple(call for call in CALLS if isinstance(call, Bid))
_HIGHER: Mapping[GameName | None, Sequence[Bid]] = {
    None: _BIDS,
    **{game: [bid for bid in _BIDS if GAMES.index(bid.game) > GAMES.index(game)] for game in GAMES},
}
_ANNOUNCEMENTS = tuple(call for call in CALLS if isinstance(call, Announcement))
_DOUBLINGS = {(call.call, call.level - 1): call for call in CALLS if isinstance(call, Doubling)}
"""By what is called and how high it stands: what lifts it by one level."""


# ----------------------------------------------------------------------------------------- refusals


_MUST_BID = Refusal("must_bid", "the forehand must first bid a game")
_OWN_GAME = Refusal("own_game", "nobody raises his own game")
_ALREADY_ACCEPTED = Refusal("already_accepted", "you have accepted the game, and may only make additions")
_BID_TOO_LOW = Refusal("bid_too_low", "the game must be higher than the one that stands")
_WRONG_TAROCK = Refusal("wrong_tarock", "call the highest tarock from XX to XVI that you do not hold")
_TOO_FEW = Refusal("too_few_suit_cards", "a solo di seme needs five suit cards")
_PASS_AFTER_CALL = Refusal("not_allowed", "you have called in this turn: end it with done")
_DONE_WITHOUT_CALL = Refusal("not_allowed", "you have called nothing in this turn: pass")
_MUST_KONTRA = Refusal("must_kontra", "with bagatto, mondo and matto against the game you must say kontra")
_CLOSED_BY_TUTTE = Refusal("closed_by_tutte", "after tutte le prese only its own doublings are left")
_ALREADY_CALLED = Refusal("already_called", "this has been called")
_NO_BAGATTO = Refusal("no_bagatto_in_suit_solo", "there is no bagatto in a solo di seme")
_NOT_HOLDER = Refusal("not_bagatto_holder", "you do not hold the bagatto")
_NEEDS_KONTRA = Refusal("needs_kontra", "against the game assoluto needs a kontra first")
_TOO_WEAK = Refusal("hand_too_weak", "your hand is too weak for tutte le prese")
_WRONG_SIDE = Refusal("wrong_side", "this doubling belongs to the other side")
_NOTHING_TO_DOUBLE = Refusal("nothing_to_double", "there is nothing yet that this would double")


# ---------------------------------------------------------------------------------------- the state


class Calls(NamedTuple):
    """How far the calls of a hand have come, and what they have shown: a value. Sets of seats are ints.

    `callers` is the caller's side: the caller and the holder of the called tarock, or the soloist alone.
    Everybody knows the sides of the seats in `declared`. Who is in `accepted` bids no more. `has_called` and
    `has_bid` are about the turn that goes on, `passes` counts the turns just before it that were no more.
    """

    contract: Contract | None = None
    callers: int = 0
    declared: int = 0
    accepted: int = 0
    has_called: bool = False
    has_bid: bool = False
    passes: int = 0

    @property
    def standing(self) -> Contract:
        """The contract, where there must be one."""
        if self.contract is None:
            raise ValueError("no game stands")
        return self.contract

    def is_caller(self, seat: int) -> bool:
        """Whether a seat belongs to the caller's side."""
        return self.callers >> seat & 1 == 1

    @property
    def revealed(self) -> list[str | None]:
        """The side of each seat, None where not everybody knows it."""
        sides = ("caller" if self.is_caller(seat) else "opponents" for seat in range(4))
        return [side if self.declared >> seat & 1 else None for seat, side in enumerate(sides)]

    def legal(self, seat: int, hand: int) -> list[Move]:
        """All that a seat with this hand may call in its turn."""
        contract = self.contract
        if contract is None:
            return [*_bids_of(hand, None)]
        found: list[Move] = []
        if seat != contract.caller and not self.accepted >> seat & 1:
            found += _bids_of(hand, contract.game)
        levels = [(made.call, made.kontra) for made in contract.additions]
        if not contract.addition("tutte"):
            levels = [("gioco", contract.kontra), *levels]
            found += [
                call
                for call in _announcements_of(hand, contract.game)
                if not self._announcement_refusal(seat, hand, call, contract)
            ]
        doublings = [_DOUBLINGS[level] for level in dict.fromkeys(levels) if level in _DOUBLINGS]
        found += [call for call in doublings if not self._doubling_refusal(seat, call, contract)]
        end = DONE if self.has_called else PASS
        if not self._end_refusal(seat, hand, end, contract):
            found.append(end)
        return found

    def refusal(self, seat: int, hand: int, call: Move) -> Refusal | None:
        """Why a seat with this hand may not make a call in its turn."""
        if isinstance(call, Bid):
            return self._bid_refusal(seat, hand, call)
        contract = self.contract
        if contract is None:
            return _MUST_BID
        if isinstance(call, Announcement):
            if contract.addition("tutte"):
                return _CLOSED_BY_TUTTE
            return self._announcement_refusal(seat, hand, call, contract)
        if isinstance(call, Doubling):
            if call.call != "tutte" and contract.addition("tutte"):
                return _CLOSED_BY_TUTTE
            return self._doubling_refusal(seat, call, contract)
        return self._end_refusal(seat, hand, call, contract)

    def _bid_refusal(self, seat: int, hand: int, bid: Bid) -> Refusal | None:
        if self.contract:
            if seat == self.contract.caller:
                return _OWN_GAME
            if self.accepted >> seat & 1:
                return _ALREADY_ACCEPTED
            if GAMES.index(bid.game) <= GAMES.index(self.contract.game):
                return _BID_TOO_LOW
        return _unfit_to_bid(hand, bid)

    def _end_refusal(self, seat: int, hand: int, call: Move, contract: Contract) -> Refusal | None:
        if (call is DONE) != self.has_called:
            return _PASS_AFTER_CALL if self.has_called else _DONE_WITHOUT_CALL
        is_bound = _has(hand, TOUS_LES_TROIS) and contract.game == "chiamante" and not self.is_caller(seat)
        if is_bound and not contract.kontra and not contract.addition("tutte"):
            return _MUST_KONTRA
        return None

    def _announcement_refusal(
        self, seat: int, hand: int, made: Announcement, contract: Contract
    ) -> Refusal | None:
        if contract.addition(made.call, self._side(seat, own=True)):
            return _ALREADY_CALLED
        if made.call == "assoluto" and not contract.kontra and not self.is_caller(seat):
            return _NEEDS_KONTRA
        return _unfit_to_announce(hand, made, contract.game)

    def _doubling_refusal(self, seat: int, made: Doubling, contract: Contract) -> Refusal | None:
        is_open = True
        if made.call == "gioco":
            level = contract.kontra
            is_open = made.of_own == self.is_caller(seat)
        elif addition := contract.addition(made.call, self._side(seat, own=made.of_own)):
            level = addition.kontra
        else:
            return _WRONG_SIDE if contract.addition(made.call) else _NOTHING_TO_DOUBLE
        if level >= made.level:
            return _ALREADY_CALLED
        if not is_open:
            return _WRONG_SIDE
        return None if level == made.level - 1 else _NOTHING_TO_DOUBLE

    def _side(self, seat: int, *, own: bool) -> int:
        """The seats of this seat's own side, or of the other one."""
        return self.callers if self.is_caller(seat) == own else ALL_SEATS ^ self.callers

    def made(self, seat: int, call: Move, holder: int) -> "Calls":
        """After a call that has been checked; `holder`, a set, is the seat with the tarock that it calls."""
        if isinstance(call, Bid):
            callers = 1 << seat | holder
            contract = Contract(call.game, seat, call.called)
            return Calls(
                contract, callers, known_sides(1 << seat, callers), self.accepted, True, True, self.passes
            )
        accepted = self.accepted if self.has_bid or call is DONE else self.accepted | 1 << seat
        contract = self.standing
        if isinstance(call, Announcement):
            contract = contract.with_addition(call.call, seat)
        elif isinstance(call, Doubling):
            contract = contract.doubled(call.call, self._side(seat, own=call.of_own), call.level)
        else:
            passes = self.passes + 1 if call is PASS else 0
            return Calls(contract, self.callers, self.declared, accepted, passes=passes)
        declared = known_sides(self.declared | 1 << seat, self.callers)
        return Calls(contract, self.callers, declared, accepted, True, self.has_bid, self.passes)

    def declaring(self, seat: int) -> Self:
        """After everybody has learnt to which side a seat belongs, and what follows from that."""
        return self._replace(declared=known_sides(self.declared | 1 << seat, self.callers))

    def to_json(self) -> dict[str, Any]:
        """The keys of a position (section 10), and what else a snapshot needs."""
        partner = self.contract and self.callers ^ 1 << self.contract.caller
        return {
            "contract": self.contract and self.contract.to_json(),
            "partner": members(partner)[0] if partner else None,
            "revealed": self.revealed,
            "accepted": list(members(self.accepted)),
            "has_called": self.has_called,
            "has_bid": self.has_bid,
            "passes": self.passes,
        }

    @classmethod
    def from_json(cls, json: Mapping[str, Any], hands: Sequence[int], held: Sequence[int]) -> Self:
        """The calls of a position; `hands` of its seats, `held`: with their cards in the trick.

        Without `revealed` the sides are declared by what the contract and the cards say.
        """
        calls = cls(
            accepted=as_set(json.get("accepted", [])),
            has_called=json.get("has_called", False),
            has_bid=json.get("has_bid", False),
            passes=json.get("passes", 0),
        )
        if json.get("contract") is None:
            return calls
        contract = Contract.from_json(json["contract"])
        callers = declared = 1 << contract.caller
        called = contract.called
        if called is not None:
            holders = [seat for seat, cards in enumerate(held) if cards >> called & 1]
            partner = holders[0] if holders else json.get("partner", -1)
            if not isinstance(partner, int) or partner not in range(4) or partner == contract.caller:
                raise PositionError("partner", "must be another seat than the caller's")
            callers |= 1 << partner
            if not any(hand >> called & 1 for hand in hands):
                declared = callers
        declared |= as_set({made.seat for made in contract.additions})
        if "revealed" in json:
            declared = as_set(seat for seat, side in enumerate(json["revealed"]) if side)
        return calls._replace(contract=contract, callers=callers, declared=known_sides(declared, callers))


def known_sides(declared: int, callers: int) -> int:
    """The seats whose side everybody knows when these have declared theirs: all once one side is complete."""
    is_complete = _has(declared, callers) or _has(declared, ALL_SEATS ^ callers)
    return ALL_SEATS if is_complete else declared


def _highest_missing(hand: int) -> int | None:
    return next((called for called in CALLED if not hand >> called & 1), None)


def _unfit_to_bid(hand: int, bid: Bid) -> Refusal | None:
    """Why this hand may never make a bid."""
    if bid.called is not None and bid.called != _highest_missing(hand):
        return _WRONG_TAROCK
    if bid.game == "solo_seme" and (hand & SUIT_CARDS).bit_count() < 5:
        return _TOO_FEW
    return None


def _unfit_to_announce(hand: int, made: Announcement, game: GameName) -> Refusal | None:
    """Why this hand may never make an addition to a game."""
    if made.call == "bagatto":
        if game == "solo_seme":
            return _NO_BAGATTO
        if not hand >> BAGATTO & 1:
            return _NOT_HOLDER
    if made.call == "tutte" and not _is_strong(hand, game):
        return _TOO_WEAK
    return None


@lru_cache(maxsize=1024)  # the hands stay the same through all the calls
def _bids_of(hand: int, standing: GameName | None) -> tuple[Bid, ...]:
    """The bids that this hand may make over the game that stands, rising."""
    return tuple([bid for bid in _HIGHER[standing] if not _unfit_to_bid(hand, bid)])


@lru_cache(maxsize=1024)
def _announcements_of(hand: int, game: GameName) -> tuple[Announcement, ...]:
    """The additions to a game that this hand may make."""
    return tuple([call for call in _ANNOUNCEMENTS if not _unfit_to_announce(hand, call, game)])


def _has(found: int, wanted: int) -> bool:
    """Whether a set holds all of another."""
    return found & wanted == wanted


def _is_strong(hand: int, game: GameName) -> bool:
    """Whether a hand as dealt may announce tutte le prese in this game."""
    if not hand >> MATTO & 1:
        return False
    if game == "solo_seme":
        return (hand & KINGS).bit_count() >= 3
    return (
        bool(hand >> MONDO & 1 or hand >> T20 & 1)
        and (hand & TAROCKS).bit_count() >= 6
        and (hand & (TAROCKS | KINGS)).bit_count() >= 8
    )
