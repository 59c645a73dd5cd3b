"""Matches played at random, for every game of the registry.

Hypothesis chooses options, a seed and a length (and shrinks them); the moves follow from the seed.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from services.rules.core.errors import OptionsError
from services.rules.core.game import Game
from services.rules.core.moves import Event
from services.rules.core.options import Options, OptionSpec
from services.rules.core.state import State
from services.rules.fold import Entry


@dataclass
class Match:
    """A match as far as it was played, with its log."""

    game: Game
    options: Options
    state: State[Any]
    log: list[Entry]
    rng: random.Random = field(repr=False)
    dealt: tuple[str, ...] = ()
    """The cards that are played with: of some decks not all, in some games hand by hand."""

    def viewers(self) -> list[int | None]:
        return [None, *range(self.options.seats)]

    def step(self) -> list[Event]:
        """Answer chance, or make one legal move; what happened."""
        state = self.state
        if shuffle := state.needs_chance:
            order = self.rng.sample(range(len(shuffle.cards)), len(shuffle.cards))
            self.log.append(order)
            if shuffle.cards and shuffle.purpose != "stock":
                self.dealt = shuffle.cards
            return state.supply(order)
        seat = self.rng.choice(state.to_act)
        text = self.rng.choice(state.legal(seat)).text
        self.log.append((seat, text))
        return state.apply(seat, text).events


def some(rng: random.Random, moves: Sequence[Any], most: int = 12) -> Sequence[Any]:
    """All of these moves, or as many of them at random: a seat may have hundreds."""
    return moves if len(moves) <= most else rng.sample(moves, most)


def start(game: Game, options: Options, seed: int) -> Match:
    rng = random.Random(seed)  # noqa: S311
    dealer = rng.randrange(options.seats)
    return Match(game, options, game.start(options, dealer), [dealer], rng)


def _values(spec: OptionSpec) -> st.SearchStrategy[Any]:
    return st.none() | _proper_values(spec) if spec.nullable else _proper_values(spec)


def _proper_values(spec: OptionSpec) -> st.SearchStrategy[Any]:
    match spec.kind:
        case "bool":
            return st.booleans()
        case "choice":
            return st.sampled_from(spec.choices)
        case "int":
            return st.integers(spec.low, min(spec.high, spec.low + 20))
        case "steps":
            numbers = st.integers(spec.low, spec.high)
            ends = st.lists(st.integers(0, 300), unique=True, max_size=3).map(sorted)
            return ends.flatmap(
                lambda ends: st.tuples(*[numbers] * (len(ends) + 1)).map(
                    lambda numbers: [list(row) for row in zip([*ends, None], numbers, strict=True)]
                )
            )


def option_sets(game: Game) -> st.SearchStrategy[Options]:
    """Options that the game accepts, some left to their defaults."""
    described = {spec.name: _values(spec) for spec in game.option_specs()}

    def accepted(values: dict[str, Any]) -> list[Options]:
        try:
            return [game.options(values)]
        except OptionsError:
            return []

    drawn = st.fixed_dictionaries({}, optional=described).map(accepted)
    return drawn.filter(bool).map(lambda accepted: accepted[0])


@st.composite
def matches(draw: st.DrawFn, game: Game, steps: int = 150) -> Match:
    """A match after some number of steps, over or not."""
    match = start(game, draw(option_sets(game)), draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, steps))):
        if match.state.over:
            break
        match.step()
    return match


@st.composite
def open_hands(draw: st.DrawFn, game: Game, steps: int = 150) -> Match:
    """A match in the middle of a hand."""
    match = draw(matches(game, steps))
    if match.state.over:
        match = start(game, match.options, draw(st.integers(0, 2**32)))
    while match.state.needs_chance:
        match.step()
    return match


def as_json(value: Any) -> Any:
    """A value as it is after a way through JSON text."""
    return json.loads(json.dumps(value, default=_fields))


def _fields(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bytes):
        return list(value)
    return {name: getattr(value, name) for name in value.__slots__}


def faces(value: Any, game: Game) -> Iterator[str]:
    """All card faces that occur anywhere in a JSON value, words of a text included. A joker that stands for a
    card (`X=7s`) is a joker."""
    if isinstance(value, dict):
        for part in value.values():
            yield from faces(part, game)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from faces(part, game)
    elif isinstance(value, str):
        words = (word.partition("=")[0] for word in value.split(" "))
        yield from (word for word in words if word in game.deck.number)
