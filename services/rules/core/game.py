"""What a game is to the rest of the system: names, numbers, options, and the way to a state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from services.rules.core.cards import Deck
from services.rules.core.options import Options, OptionSpec, options_json, read_options
from services.rules.core.state import State


@dataclass(frozen=True)
class Game:
    """One game of the registry (section 1 of its spec).

    `rules_version` rises when a change of the rules changes the course or the outcome of a match; a match is
    folded under the version that its log names. `direction`: where the next seat number sits, None if the
    game has no turn order.
    """

    id: str
    names: Mapping[str, str]
    deck: Deck
    direction: Literal["clockwise", "anticlockwise"] | None
    rules_version: int
    specs: Sequence[OptionSpec]
    options_type: type[Options]
    state_type: type[State[Any]]
    heaps: frozenset[str] = frozenset()
    """Zones that CONVENTIONS.md, section 9, calls ordered but in this game are not."""
    no_dealer: bool = False
    """Nobody deals: a position names no dealer (a snapshot keeps the one of the start, who does nothing)."""
    money: Literal["stake", "chips", "own"] = "stake"
    """What is played for: a stake of the table, which the winners take; chips (`State.gains`), each worth
    what the table says; or cents that follow from the game's own options (`State.settlement`)."""
    by_hand: bool = False
    """Whether money is reserved before each deal and settled after each hand; else the match is the unit."""

    def option_specs(self) -> list[OptionSpec]:
        """The options, in the order in which a dialog should show them."""
        return list(self.specs)

    def options(self, json: Mapping[str, object]) -> Options:
        """Typed options; what is left out has its default. OptionsError: refused."""
        return read_options(self.options_type, self.specs, json)

    def options_json(self, options: Options) -> dict[str, Any]:
        """The full text form, defaults included."""
        return options_json(options, self.specs)

    def seats(self, options: Options) -> int:
        return options.seats

    def sides(self, options: Options) -> int:
        return options.sides

    def side(self, options: Options, seat: int) -> int:
        return options.side(seat)

    def start(self, options: Options, dealer: int) -> State[Any]:
        """A match before its first deal; `dealer` is drawn by chance."""
        return self.state_type(options, dealer)

    def from_json(self, options: Options, snapshot_or_position: Mapping[str, Any]) -> State[Any]:
        """A state from a snapshot or a bare position. PositionError: it cannot be a state of the game."""
        json = snapshot_or_position
        if self.no_dealer:
            json = {"dealer": 0, **json}
        return self.state_type.from_json(options, json)
