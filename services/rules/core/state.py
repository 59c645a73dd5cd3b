"""The state of one match, whatever the game: how moves are read, checked and applied.

A game's state is a subclass with slots and plain data. It is changed in place by its one owner; who wants
the old state takes a `copy()` first. Nothing outside ever holds a reference into it: views and JSON are
fresh values.

The subclass supplies the parts of its spec: `_read` (section 3, the forms of moves), `_refusal` (section 8),
`_play` (sections 3 to 5), `_abandon` (section 6), views (section 7) and JSON (section 10).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from services.rules.core.chance import Shuffle
from services.rules.core.errors import PositionError, Refusal, Refused
from services.rules.core.match import Outcome
from services.rules.core.moves import ABANDON, Applied, Event, Move
from services.rules.core.options import Options
from services.rules.core.view import Prompt, View, Zone, merge

_MATCH_OVER = Refusal("match_over", "the match is over")
_NO_HAND = Refusal("not_your_turn", "no hand is being played")
_UNPARSABLE = Refusal("unparsable", "this is not a move of the game")
_NOT_YOUR_TURN = Refusal("not_your_turn", "it is another seat's turn")


M = TypeVar("M", bound=Move)
"""The kind of move that a game's `_read` and `legal` make."""


def hand_score(items: Mapping[str, Sequence[int]]) -> Mapping[str, Sequence[int]]:
    """The items of a hand's score as a value that nobody can change: views show the state's own."""
    return MappingProxyType({item: tuple(points) for item, points in items.items()})


class State(ABC, Generic[M]):
    """One match between its first deal and its end (CONVENTIONS.md, section 4)."""

    __slots__ = (
        "dealer", "hand", "hand_score", "options", "outcome", "phase", "scores", "settlement", "tie_break",
    )  # fmt: skip

    options: Options
    phase: str
    dealer: int
    hand: int
    tie_break: int
    scores: list[int]
    hand_score: Mapping[str, Sequence[int]] | None
    outcome: Outcome | None
    settlement: Mapping[str, Any] | None
    """The money of the hand that ended last, or of the match (CONVENTIONS.md, section 5)."""

    def __init__(self, options: Options, dealer: int) -> None:
        """A match before its first deal."""
        if not 0 <= dealer < options.seats:
            raise ValueError(f"no seat {dealer}")
        self.options = options
        self.phase = "deal"
        self.dealer = dealer
        self.hand = 1
        self.tie_break = 0
        self.scores = [0] * options.sides
        self.hand_score = None
        self.outcome = None
        self.settlement = None

    # ------------------------------------------------------------------------------------- result

    @property
    def places(self) -> Sequence[int | None]:
        """The place of each side, None while it is open."""
        return self.outcome.places if self.outcome else (None,) * self.options.sides

    @property
    def gains(self) -> Sequence[int]:
        """Chips that each seat has won since the start (below zero: lost), in a game whose chips are money.

        Asked between hands and at the end: those that lie in a pot then are nobody's.
        """
        return self.scores

    def max_loss(self, seat: int) -> int:
        """The most that a seat can lose in the unit of settlement that is about to begin: the hand, or the
        match where that is the unit.

        In chips, or in cents where the game itself settles; 0 where the stake is the table's.
        """
        return 0

    def cover_for(self, text: str) -> int:
        """What each seat must be able to lose before the platform lets this move through, in cents, where a
        move raises that; else 0."""
        return 0

    def break_off(self) -> list[Event]:
        """End the match before the next deal, as it stands: somebody cannot cover it, and nobody is to blame.

        ValueError: a hand is open, the match is over, or the game is not settled by the hand.
        """
        if self.phase != "deal":
            raise ValueError("a match can be broken off between two hands only")
        events: list[Event] = []
        self._break_off(events)
        return events

    # ------------------------------------------------------------------------------------- moves

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    @abstractmethod
    def to_act(self) -> Sequence[int]:
        """The seats that may act, ascending; none in `deal` and `over`."""

    @abstractmethod
    def legal(self, seat: int) -> Sequence[M]:
        """The legal moves of a seat, in deck order of their cards; empty when the seat may not act."""

    def parse(self, seat: int, text: str) -> Move | Refusal:
        """The move that a text of this seat means, its spelling made canonical; or `unparsable`."""
        if text == ABANDON.text:
            return ABANDON
        return self._read(seat, text) or _UNPARSABLE

    def check(self, seat: int, move: str | Move) -> Refusal | None:
        """Why the move (its text, or what `parse` or `legal` gave) would be refused. Changes nothing."""
        found = self._admitted(seat, move)
        return found if isinstance(found, Refusal) else None

    def apply(self, seat: int, move: str | Move) -> Applied:
        """Make a move. Refused: it is not accepted, and nothing has changed."""
        found = self._admitted(seat, move)
        if isinstance(found, Refusal):
            raise Refused(found)
        return self._abandon(seat) if found is ABANDON else self._play(seat, found)  # type: ignore[arg-type]

    def timeout_move(self, seat: int) -> str:
        """What the platform plays for a seat whose clock has run out."""
        return ABANDON.text

    def sealed(self, seat: int, text: str) -> bool:
        """Whether section 7 hides the text of this move from somebody for now."""
        return False

    def _admitted(self, seat: int, move: str | Move) -> Move | Refusal:
        """The move if it is accepted: the common checks of CONVENTIONS.md, section 7, then the game's.

        A move that is not given as a text is of the game's own kind: from `parse` or `legal`.
        """
        if self.phase == "over":
            return _MATCH_OVER
        is_text = isinstance(move, str)
        if move is ABANDON or (is_text and move == ABANDON.text):
            return ABANDON if self._may_abandon(seat) else _NOT_YOUR_TURN
        if seat not in self.to_act:
            return _NO_HAND if self.phase == "deal" else _NOT_YOUR_TURN
        found = self._read(seat, move) if is_text else move  # type: ignore[arg-type]
        if found is None:
            return _UNPARSABLE
        return self._refusal(seat, found) or found  # type: ignore[arg-type, return-value]

    def _may_abandon(self, seat: int) -> bool:
        """Whether the seat is still in the match: who is out or has left cannot leave it."""
        return 0 <= seat < self.options.seats

    @abstractmethod
    def _read(self, seat: int, text: str) -> M | None:
        """The move of this text if it has one of the forms of the game's section 3."""

    @abstractmethod
    def _refusal(self, seat: int, move: M) -> Refusal | None:
        """The first row of the game's section 8 that the move of a seat that may act falls under."""

    @abstractmethod
    def _play(self, seat: int, move: M) -> Applied:
        """Make a move that has been checked."""

    @abstractmethod
    def _abandon(self, seat: int) -> Applied:
        """End the match, or the seat's part in it, by the game's section 6."""

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        """The match is over, as its scores now stand."""
        self.outcome = outcome
        self.phase = "over"
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    def _break_off(self, events: list[Event]) -> None:
        """End the match as it stands, before a deal."""
        raise ValueError("the money of this game is not settled by the hand")

    # ------------------------------------------------------------------------------------- chance

    @property
    @abstractmethod
    def needs_chance(self) -> Shuffle | None:
        """What chance must shuffle before anybody can act; asked again until it is None."""

    @abstractmethod
    def supply(self, order: Sequence[int]) -> list[Event]:
        """Chance's answer to `needs_chance`. ValueError: nothing was asked, or not a permutation."""

    @property
    @abstractmethod
    def whole_deck_shown(self) -> bool:
        """Whether section 7 has shown everybody every card of the running or ended hand."""

    @abstractmethod
    def openings(self, viewer: int | None) -> Sequence[int]:
        """Places in the last shuffle of the running or ended hand whose cards this viewer sees by now.

        Ascending; None stands for everybody. Empty when there was none, or it is not known (a hand set up as
        a position).
        """

    # -------------------------------------------------------------------------------------- views

    @abstractmethod
    def public_view(self) -> View:
        """What everybody sees, spectators too."""

    @abstractmethod
    def own_view(self, seat: int) -> View:
        """What this seat sees beyond the public view."""

    def view(self, viewer: int | None) -> View:
        """The whole view of a seat, or of a spectator (None)."""
        public = self.public_view()
        return public if viewer is None else merge(public, self.own_view(viewer))

    # --------------------------------------------------------------------------------------- JSON

    @abstractmethod
    def copy(self) -> Self:
        """An independent state, equal in every respect."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """A snapshot: the keys of a position (CONVENTIONS.md, section 9), and what else the state needs."""

    @classmethod
    @abstractmethod
    def from_json(cls, options: Any, json: Mapping[str, Any]) -> Self:
        """A state from a snapshot or a bare position. PositionError: it cannot be a state of the game."""

    def _view(
        self, zones: list[Zone], prompts: Sequence[Prompt], moves: Sequence[Move], facts: Mapping[str, Any]
    ) -> View:
        return View(
            self.phase, self.hand, self.tie_break, self.dealer, self.to_act, zones, prompts, moves,
            tuple(self.scores), self.hand_score, self.outcome, facts,
        )  # fmt: skip

    def _hand_score_json(self) -> dict[str, Any] | None:
        score = self.hand_score
        return None if score is None else {item: list(points) for item, points in score.items()}

    def _settlement_json(self) -> dict[str, Any] | None:
        money = self.settlement
        return None if money is None else {**money, "delta": list(money["delta"])}

    def _copy(self) -> Self:
        """A new state with what all games have; the game copies the rest."""
        new = object.__new__(type(self))
        new.options = self.options
        new.phase = self.phase
        new.dealer = self.dealer
        new.hand = self.hand
        new.tie_break = self.tie_break
        new.scores = list(self.scores)
        new.hand_score = self.hand_score
        new.outcome = self.outcome
        new.settlement = self.settlement
        return new

    def _common_json(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "dealer": self.dealer,
            "hand": self.hand,
            "tie_break": self.tie_break,
            "to_act": list(self.to_act),
            "scores": list(self.scores),
            "hand_score": self._hand_score_json(),
            "outcome": self.outcome and self.outcome.to_json(),
            "settlement": self._settlement_json(),
        }

    @classmethod
    def _begin_from(cls, options: Any, json: Mapping[str, Any]) -> Self:
        """A state with what `_common_json` wrote, or what of it a position gives; the game reads the rest."""
        dealer = json.get("dealer")
        if not isinstance(dealer, int) or not 0 <= dealer < options.seats:
            raise PositionError("dealer", "must be a seat")
        self = cls(options, dealer)
        if unknown := sorted(json.keys() - self.to_json().keys()):
            raise PositionError(unknown[0], "no such key in a position of this game")
        self.phase = json.get("phase", "play")
        self.hand = json.get("hand", 1)
        self.tie_break = json.get("tie_break", 0)
        self.scores = list(json.get("scores", self.scores))
        if len(self.scores) != self.options.sides:
            raise PositionError("scores", f"must be {self.options.sides} numbers, one a side")
        score = json.get("hand_score")
        self.hand_score = None if score is None else hand_score(score)
        if outcome := json.get("outcome"):
            self.outcome = Outcome.from_json(outcome)
        self.settlement = json.get("settlement")
        return self
