"""The contract of a hand of tarocco (tarocco.md, sections 3.1 and 10): its game, and what was added to it.

Sets of seats are ints with bit n set for seat n.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Self

from services.rules.core.cards import TAROCCO40
from services.rules.core.errors import PositionError

GameName = Literal["chiamante", "solo_seme", "solo"]

GAMES: tuple[GameName, ...] = ("chiamante", "solo_seme", "solo")
"""Rising."""
ADDITIONS = ("assoluto", "bagatto", "tutte")
ALL_SEATS = 0b1111
CALLED = tuple(TAROCCO40.read(["T20", "T19", "T18", "T17", "T16"]))
"""The tarocks that a chiamante may call, the highest first."""


class Addition(NamedTuple):
    """An addition that stands: who made it, and its level."""

    call: str
    seat: int
    kontra: int = 0


class Contract(NamedTuple):
    """The game that stands, with its level and the additions to it: all the calls that still count."""

    game: GameName
    caller: int
    called: int | None
    kontra: int = 0
    additions: tuple[Addition, ...] = ()

    @property
    def is_solo(self) -> bool:
        return self.game != "chiamante"

    def addition(self, call: str, among: int = ALL_SEATS) -> Addition | None:
        """This addition, if one of these seats has made it."""
        for made in self.additions:
            if made.call == call and among >> made.seat & 1:
                return made
        return None

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "caller": self.caller,
            "called": None if self.called is None else TAROCCO40.faces[self.called],
            "kontra": self.kontra,
            "additions": [addition._asdict() for addition in self.additions],
        }

    def with_addition(self, call: str, seat: int) -> Self:
        """After an addition; tutte le prese wipes out the others."""
        kept = () if call == "tutte" else self.additions
        return self._replace(additions=(*kept, Addition(call, seat)))

    def doubled(self, call: str, among: int, level: int) -> Self:
        """With the game (`gioco`), or the addition of one of these seats, at this level."""
        if call == "gioco":
            return self._replace(kontra=level)
        lifted = self.addition(call, among)
        return self._replace(
            additions=tuple(
                made._replace(kontra=level) if made is lifted else made for made in self.additions
            )
        )

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Self:
        """PositionError: not a contract."""
        try:
            called = json.get("called")
            additions = tuple(Addition(**addition) for addition in json.get("additions", ()))
            self = cls(
                json.get("game", ""),
                json.get("caller", -1),
                None if called is None else TAROCCO40.number.get(called, -1),
                json.get("kontra", 0),
                additions,
            )
        except (AttributeError, TypeError):
            raise PositionError("contract", "must be an object, and so must each addition") from None
        if self.game not in GAMES or self.caller not in range(4):
            raise PositionError("contract", "must have a game and a seat that plays it")
        if self.called not in (CALLED if self.game == "chiamante" else (None,)):
            raise PositionError("contract", "a chiamante calls a tarock from T16 to T20, a solo none")
        if any(made.call not in ADDITIONS or made.seat not in range(4) for made in additions):
            raise PositionError("contract", "additions are assoluto, bagatto or tutte of a seat")
        if any(kontra not in range(4) for kontra in (self.kontra, *(made.kontra for made in additions))):
            raise PositionError("contract", "kontra must be a level from 0 to 3")
        return self
