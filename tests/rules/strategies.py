"""Matches played at random, for every game of the registry.

A seed gives options, players and moves. Hypothesis chooses options, a seed and a length (and shrinks
them); the moves follow from the seed.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import orjson
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from services.rules.core.errors import OptionsError
from services.rules.core.game import Game
from services.rules.core.moves import Event, Move
from services.rules.core.options import Options, OptionSpec
from services.rules.core.registry import games
from services.rules.core.state import State
from services.rules.fold import Entry
from services.rules.random_play import RandomPlayer

Player = Callable[["Match", int], str]
"""Who chooses one of the legal moves of a seat that may act."""


def aimless(match: "Match", seat: int) -> str:
    """Any legal move."""
    return str(match.rng.choice(match.state.legal(seat)).text)


def forward(match: "Match", seat: int) -> str:
    """Any legal move, but steps are taken back only where nothing else is left."""
    return str(match.random_player.choose(match.state.legal(seat)).text)


WEIGHTS = {"stop": 0.03, "double": 0.03, "resign": 0.1, "draw": 0.2, "pass": 0.5, "fold": 0.3, "discard": 0.4}
"""How gladly a purposeful player makes a kind of move, beside 1: hands are to be played to their ends."""


def purposeful(match: "Match", seat: int) -> str:
    """First a kind of move, then one of the kind; in a rummy what a hand can lay is laid once that opens.
    Hands end the sooner, and come to their closings."""
    moves = _unless_undone(match.state.legal(seat))
    verbs = dict.fromkeys(move.verb for move in moves)
    if "meld" in verbs:
        facts = match.state.own_view(seat).facts
        opening, layable = facts["opening"], [lay["move"] for lay in facts["layable"]]
        if opening is not None and opening["ready"] < opening["needed"] and len(verbs) > 1:
            del verbs["meld"]
        elif layable and match.rng.random() < 0.8:
            text = match.rng.choice(layable)
            if match.state.check(seat, text) is None:
                return str(text)
    kinds = list(verbs)
    kind = match.rng.choices(kinds, [WEIGHTS.get(verb, 1.0) for verb in kinds])[0]
    return match.rng.choice([move for move in moves if move.verb == kind]).text


LAYING = {"meld", "add", "swap", "undo"}


def _unless_undone(moves: Sequence[Move]) -> Sequence[Move]:
    """These moves without `undo`, but where nothing else can end the turn: what was taken may fit nowhere."""
    onwards = any(move.verb not in LAYING for move in moves)
    return [move for move in moves if move.verb != "undo"] if onwards else moves


every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
quick = settings(max_examples=10)
"""For checks of whole matches: a busy machine makes no test fail."""


@dataclass
class Match:
    """A match as far as it was played, with its log."""

    game: Game
    options: Options
    state: State[Any]
    log: list[Entry]
    rng: random.Random = field(repr=False)
    player: Player = aimless
    probe: random.Random = field(repr=False, default_factory=lambda: random.Random(0))  # noqa: S311
    """Chooses what is tried out on the way: the course of the match does not depend on it."""
    dealt: tuple[str, ...] = ()
    """The cards that are played with: of some decks not all, in some games hand by hand."""
    shuffled: tuple[str, ...] = ()
    """The cards of the last shuffle, in its order."""

    def __post_init__(self) -> None:
        self.random_player = RandomPlayer(self.rng.random)

    def viewers(self) -> list[int | None]:
        return [None, *range(self.options.seats)]

    def step(self) -> list[Event]:
        """Answer chance, or make one legal move; what happened."""
        state = self.state
        if shuffle := state.needs_chance:
            order = self.rng.sample(range(len(shuffle.cards)), len(shuffle.cards))
            self.log.append(order)
            self.shuffled = tuple([shuffle.cards[place] for place in order])
            if shuffle.cards and shuffle.purpose != "stock":
                self.dealt = shuffle.cards
            return state.supply(order)
        seat = self.rng.choice(state.to_act)
        text = self.player(self, seat)
        self.log.append((seat, text))
        return state.apply(seat, text).events


def some(rng: random.Random, moves: Sequence[Any], most: int = 12) -> Sequence[Any]:
    """All of these moves, or as many of them at random: a seat may have hundreds."""
    return moves if len(moves) <= most else rng.sample(moves, most)


def start(game: Game, options: Options, seed: int, player: Player = aimless) -> Match:
    rng = random.Random(seed)  # noqa: S311
    dealer = rng.randrange(options.seats)
    return Match(game, options, game.start(options, dealer), [dealer], rng, player)


def drawn_options(game: Game, rng: random.Random) -> Options:
    """Options that the game accepts, some left to their defaults."""
    while True:
        specs = [spec for spec in game.option_specs() if rng.random() < 0.5]
        try:
            return game.options({spec.name: _value(spec, rng) for spec in specs})
        except OptionsError:
            continue


def _value(spec: OptionSpec, rng: random.Random) -> Any:
    if spec.nullable and rng.random() < 0.3:
        return None
    match spec.kind:
        case "bool":
            return rng.random() < 0.5
        case "choice":
            return rng.choice(spec.choices)
        case "int":
            return rng.randint(spec.low, min(spec.high, spec.low + 20))
        case "steps":
            ends = sorted(rng.sample(range(300), rng.randint(0, 3)))
            return [[end, rng.randint(spec.low, spec.high)] for end in (*ends, None)]


def option_sets(game: Game) -> st.SearchStrategy[Options]:
    """The same, as Hypothesis chooses."""
    return st.randoms(use_true_random=False).map(lambda rng: drawn_options(game, rng))


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


def as_bytes(value: Any) -> bytes:
    """A value as JSON text."""
    return orjson.dumps(value, _plain, orjson.OPT_PASSTHROUGH_DATACLASS)


def as_json(value: Any) -> Any:
    """A value as it is after a way through JSON text."""
    return orjson.loads(as_bytes(value))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Move):
        return [value.text, value.verb, value.cards, value.takes, value.target]
    if isinstance(value, Sequence | bytes):
        return list(value)
    return {each.name: getattr(value, each.name) for each in fields(value)}


_WORD = re.compile(r'(?<=[" ])[^" =:,{}\[\]]+(?=[ =]|"(?!:))')
"""A word of a text in JSON that is no key; of `X=7s` what comes before the sign."""


def faces(value: Any, game: Game) -> Iterator[str]:
    """All card faces that occur anywhere in a JSON value, words of a text included. A joker that stands for a
    card (`X=7s`) is a joker."""
    number = game.deck.number
    return (word for word in _WORD.findall(as_bytes(value).decode()) if word in number)
