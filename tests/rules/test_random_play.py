"""The random player: when it takes steps back."""

import random

from services.rules.core.moves import Move
from services.rules.core.registry import game
from services.rules.random_play import RandomPlayer

UNDO, MELD, DISCARD = Move("undo", "undo"), Move("meld 2h 3h 4h", "meld"), Move("discard 2h", "discard")


def test_nothing_is_taken_back_by_choice() -> None:
    choose = RandomPlayer(random.Random(1).random).choose  # noqa: S311
    assert {choose([UNDO, MELD, DISCARD]) for _ in range(50)} == {MELD, DISCARD}


def test_where_only_that_is_left_the_whole_turn_is_taken_back() -> None:
    choose = RandomPlayer(random.Random(1).random).choose  # noqa: S311
    assert choose([UNDO]) is UNDO
    assert [choose([MELD, UNDO]) for _ in range(20)] == [UNDO] * 20
    assert {choose([MELD, DISCARD]) for _ in range(50)} == {MELD, DISCARD}
    assert {choose([UNDO, MELD]) for _ in range(50)} == {MELD}


def test_a_hand_of_melds_that_do_not_open_comes_to_an_end() -> None:
    played = game("scala40")
    position = {"dealer": 0, "phase": "play", "stock": "any"}
    hands = [["Kd"], ["2h", "3h", "4h", "2d", "3d", "4d", "2c", "3c", "4c", "8s"]]
    state = played.from_json(played.options({}), {**position, "hands": hands})
    choose = RandomPlayer(random.Random(1).random).choose  # noqa: S311
    moves = 0
    while list(state.to_act) == [1]:
        state.apply(1, choose(state.legal(1)))
        moves += 1
    assert moves < 1000
