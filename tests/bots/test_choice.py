"""A computer player chooses only what is legal, and the same for the same decision."""

import random
from typing import Any

import pytest

from services.bots import scopa
from services.bots.choice import any_legal, choose
from services.rules.core.game import Game
from services.rules.core.registry import game, games
from services.rules.core.state import State
from tests.bots.updates import update


def chance(seed: int) -> random.Random:
    """The same chance in every run."""
    return random.Random(seed)  # noqa: S311


def dealt(state: State[Any], rng: random.Random) -> State[Any]:
    """The state once chance has answered all that it asks."""
    while shuffle := state.needs_chance:
        order = list(range(len(shuffle.cards)))
        rng.shuffle(order)
        state.supply(order)
    return state


@pytest.mark.parametrize("played", games(), ids=lambda played: played.id)
@pytest.mark.parametrize("seed", range(3))
def test_a_computer_makes_only_legal_moves_to_the_end_of_a_match(played: Game, seed: int) -> None:
    rng = chance(seed)
    state = played.start(played.options({}), 0)
    turn = 0
    while not dealt(state, rng).over:
        turn += 1
        seat = state.to_act[0]
        state.apply(seat, choose(played.id, update(state, seat, game=played.id, turn=turn)))
    assert state.outcome is not None


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("burraco", {"seats": 4}),
        ("canasta", {"target": 2500}),
        ("jolly", {"seats": 3, "same_turn_attach": True, "run_jokers": "any"}),
        ("jolly", {"match": "hands", "hands": 6}),
        ("scala40", {"seats": 6, "reentry": 2}),
        ("scala40", {"seats": 4, "partners": True, "attachable_discard": "fisca"}),
    ],
)
def test_a_rummy_is_played_without_a_step_back_and_soon_at_its_end(
    name: str, options: dict[str, Any]
) -> None:
    rng = chance(3)
    state = game(name).start(game(name).options(options), 0)
    turns = 0
    while not dealt(state, rng).over:
        move = choose(name, update(state, state.to_act[0], game=name))
        assert move != "undo"
        state.apply(state.to_act[0], move)
        turns += 1
    assert turns < 2500
    assert not getattr(state, "voids", 0)


def test_a_game_without_a_chooser_is_played_by_its_legal_moves() -> None:
    rng = chance(5)
    state = dealt(game("scopa").start(game("scopa").options({}), 0), rng)
    seen = update(state, state.to_act[0], game="a game of tomorrow")
    assert choose("a game of tomorrow", seen) == any_legal(seen)
    assert any_legal(seen) in [move.text for move in seen.own.moves]


def test_the_same_decision_is_answered_the_same_way_and_others_differently() -> None:
    state = dealt(game("scopa").start(game("scopa").options({}), 0), chance(1))
    seat = state.to_act[0]
    same = {any_legal(update(state, seat, turn=7)) for _ in range(5)}
    others = {any_legal(update(state, seat, turn=turn)) for turn in range(40)}
    assert len(same) == 1
    assert len(others) > 1


def position(hand: list[str], table: list[str], *, stock: int = 18) -> State[Any]:
    """Seat 0 to act with this hand; the other seat has three cards, the piles hold what is left."""
    played = game("scopa")
    deck = [card for card in played.deck.texts if card not in {*hand, *table}]
    theirs, rest = deck[:3], deck[3:]
    return played.from_json(
        played.options({}),
        {
            "dealer": 1,
            "hands": [hand, theirs],
            "table": table,
            "stock": rest[:stock],
            "captured": [rest[stock:], []],
            "last_capture": 0,
        },
    )


@pytest.mark.parametrize(
    ("hand", "table", "wanted"),
    [
        (["7c", "Kc", "Kb"], ["7d", "7b", "2c"], "play 7c take 7d"),  # the settebello, not another seven
        (["5c", "Jb", "Kb"], ["2c", "3s"], "play 5c take 2c 3s"),  # a scopa
        (["4c", "4d", "Kb"], ["4s", "Js", "Qs"], "play 4d take 4s"),  # the denaro comes along
        (["7d", "2b", "Kb"], ["Qs", "Js"], "play Kb"),  # not the settebello onto the table
    ],
)
def test_scopa_is_played_for_what_counts(hand: list[str], table: list[str], wanted: str) -> None:
    state = position(hand, table)
    assert scopa.choose(update(state, 0).public, update(state, 0).own) == wanted


def test_a_table_that_a_single_card_clears_is_not_left_where_another_choice_is_as_good() -> None:
    left_clearable = scopa.offered(["2c", "3s"], ["2c", "3s"])
    left_safe = scopa.offered(["Jc", "Qs"], ["Jc", "Qs"])
    assert left_clearable > left_safe


def test_greedy_scopa_beats_any_legal_move() -> None:
    rng = chance(11)
    played = game("scopa")
    wins = 0
    matches = 40
    for match in range(matches):
        greedy = match % 2
        state = played.start(played.options({"match": "hands", "hands": 2, "tie_hands": 0}), 0)
        while not dealt(state, rng).over:
            seat = state.to_act[0]
            seen = update(state, seat, turn=rng.randrange(1 << 30))
            state.apply(seat, choose("scopa", seen) if seat == greedy else any_legal(seen))
        assert state.outcome is not None
        wins += state.outcome.winner == greedy
    assert wins > 0.65 * matches
