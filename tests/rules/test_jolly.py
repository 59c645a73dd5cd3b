"""Jolly: what the cases of the spec do not show."""

from typing import Any

import pytest

from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.registry import game
from services.rules.games.jolly import Jolly
from tests.rules.playing import code, played
from tests.rules.strategies import as_json

JOLLY = game("jolly")


def at(position: dict[str, Any], **options: Any) -> Jolly:
    state = JOLLY.from_json(JOLLY.options(options), {"dealer": 0, "stock": "any", **position})
    assert isinstance(state, Jolly)
    return state


def texts(state: Jolly) -> list[str]:
    return [move.text for move in state.legal(state.to_act[0])]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"seats": 3, "ko": True}, "ko"),
        ({"seats": 5}, "seats"),
        ({"target": 101}, "target"),
        ({"run_jokers": 3}, "run_jokers"),
        ({"hands": 13}, "hands"),
        ({"max_hands": 5}, "max_hands"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        JOLLY.options(options)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("draw discard", "unparsable"),
        ("draw discard 0", "unparsable"),
        ("draw discard 01", "unparsable"),
        ("draw discard -1", "unparsable"),
        ("draw discard ²", "unparsable"),
        ("draw discard 1 1", "unparsable"),
        ("draw discard 4", "not_enough_cards"),
        ("draw discard 123456", "not_enough_cards"),
        ("draw discard 3", None),
        ("undo", "wrong_phase"),
        ("swap X m0", "unparsable"),
        ("add 7h m00", "unparsable"),
        ("add X=7h m0", "unparsable"),
        ("discard X", "wrong_phase"),
        ("draw  stock", "unparsable"),
    ],
)
def test_forms_while_drawing(text: str, wanted: str | None) -> None:
    state = at({"hands": [["2h"], ["3h"]], "opened": [True, True], "discard": ["4c", "5d", "X"]})
    assert code(state, text, 1) == wanted


def test_the_row_is_taken_from_its_newest_card_on_and_put_back_as_it_was() -> None:
    state = at({"hands": [["2h"], ["3h"]], "opened": [True, True], "discard": ["4c", "5d", "X", "9c"]})
    before = as_json(state.to_json())
    assert texts(state) == ["draw stock", *(f"draw discard {n}" for n in (1, 2, 3, 4))]
    played(state, "draw discard 3")
    assert state.to_json()["discard"] == ["4c"]
    assert state.to_json()["hands"][1] == ["3h", "5d", "9c", "X"]
    played(state, "undo")
    assert as_json(state.to_json()) == before


def test_a_joker_taken_alone_may_not_go_straight_back() -> None:
    position = {"hands": [["2h"], ["3h", "X"]], "opened": [True, True], "discard": ["4c", "X"]}
    state = at(position)
    played(state, "draw discard 1")
    assert texts(state) == ["undo", "discard 3h"]
    assert code(state, "discard X", 1) == "cannot_discard_taken"
    state = at(position, return_taken=True)
    played(state, "draw discard 1")
    assert texts(state) == ["undo", "discard 3h", "discard X"]


def test_the_lower_of_two_jokers_for_one_ace_is_won() -> None:
    run = ["X", *(f"{rank}h" for rank in "23456789TJQK"), "X"]
    state = at(
        {
            "phase": "play",
            "to_act": [1],
            "hands": [["2d"], ["Ah", "3c"]],
            "opened": [True, True],
            "melds": [{"seat": 0, "cards": run}],
        }
    )
    played(state, "swap Ah m0")
    assert state.to_json()["melds"][0]["cards"] == ["Ah", *run[1:]]
    assert state.laid() == [94, 1]
    assert code(state, "add X m0", 1) == "does_not_fit"


def test_cards_keep_who_laid_them() -> None:
    state = at(
        {
            "phase": "play",
            "to_act": [1],
            "hands": [["2d"], ["Kc", "Ks", "3c"]],
            "opened": [True, True],
            "melds": [{"seat": 0, "cards": ["X", "Kd", "Kh"], "by": [1, 0, 1]}],
        }
    )
    assert state.to_json()["melds"] == [{"seat": 0, "cards": ["Kh", "Kd", "X"], "by": [1, 0, 1]}]
    before = as_json(state.to_json())
    played(state, "add Kc m0", "swap Ks m0")
    assert state.to_json()["melds"] == [{"seat": 0, "cards": ["Kh", "Kd", "Kc", "Ks"], "by": [1, 0, 1, 1]}]
    assert state.view(None).facts["melds"] == state.to_json()["melds"]
    played(state, "undo", "undo")
    assert as_json(state.to_json()) == before


def test_closing_in_hand_with_same_turn_attach_counts_cards_in_other_melds_twice() -> None:
    state = at(
        {
            "phase": "play",
            "to_act": [1],
            "hands": [["Ah", "X"], ["Th", "Jh", "Qh", "Kh", "8c", "2s"]],
            "opened": [True, False],
            "melds": [{"seat": 0, "cards": ["9c", "Tc", "Jc"]}],
        },
        same_turn_attach=True,
    )
    played(state, "meld Th Jh Qh Kh", "add 8c m0", "discard 2s")
    assert state.hand_score == {"laid": (29, 96), "held": (-150, 0), "close": (0, 60), "total": (-121, 156)}


def test_a_refill_leaves_the_last_three() -> None:
    state = at({"stock": [], "discard": ["4c", "5d", "X", "6c", "2h"], "hands": [["2d"], ["8c"]]})
    shuffle = state.needs_chance
    assert shuffle is not None
    assert (shuffle.purpose, shuffle.cards) == ("stock", ("5d", "4c"))
    assert not state.to_act
    state.supply([1, 0])
    assert state.to_json()["stock"] == ["4c", "5d"]
    assert state.to_json()["discard"] == ["X", "6c", "2h"]
    assert state.to_act == (1,)


def test_the_stock_is_refilled_before_the_hand_is_found_too_long() -> None:
    position = {"phase": "play", "to_act": [1], "stock": [], "hands": [["2d"], ["8c", "9d"]]}
    state = at({**position, "discard": ["4c", "5d", "X"], "turns": [2, 1]}, max_turns=4)
    played(state, "discard 8c")
    assert (state.phase, state.hand_score) == ("draw", None)
    state.supply([0])
    assert state.hand_score == {"laid": (0, 0), "held": (-2, -9), "close": (0, 0), "total": (-2, -9)}
    assert (state.to_json()["stock"], state.to_json()["discard"]) == (["4c"], ["5d", "X", "8c"])


def test_ko_looks_at_the_last_discard_of_a_blocked_hand() -> None:
    position = {
        "phase": "play",
        "to_act": [1],
        "stock": [],
        "hands": [["2d"], ["2h", "3c"]],
        "scores": [50, 50],
        "tie_break": 3,
    }
    state = at(position, ko=True)
    played(state, "discard 3c")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.ended_by, state.places) == (0, "ko_rule", (1, 2))
    state = at({**position, "tie_break": 0, "hand": 10}, ko=True, max_hands=10)
    played(state, "discard 3c")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.ended_by) == (0, "ko_rule")
    state = at({**position, "tie_break": 0, "hand": 10}, max_hands=10)
    played(state, "discard 3c")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.ended_by) == (None, "draw")


def test_a_match_of_hands_does_not_read_max_hands() -> None:
    position = {"phase": "play", "to_act": [1], "stock": [], "hands": [["2d"], ["2h", "3c"]], "hand": 10}
    state = at(position, match="hands", hands=12, max_hands=10)
    played(state, "discard 3c")
    assert (state.phase, state.hand) == ("deal", 11)


def test_abandoning_among_three() -> None:
    state = at(
        {
            "hands": [["Ah", "X"], ["2s"], ["3s"]],
            "opened": [True, True, True],
            "melds": [{"seat": 0, "cards": ["9c", "Tc", "Jc"], "by": [0, 1, 2]}],
            "scores": [200, 10, 20],
        },
        seats=3,
        target=250,
    )
    state.apply(0, "abandon")
    score = {"laid": (0, 10, 10), "held": (-75, 0, 0), "close": (0, 30, 30), "total": (-75, 40, 40)}
    assert state.hand_score == score
    assert state.scores == [50, 50, 60]
    assert (state.outcome and state.outcome.winner, state.places) == (2, (3, 2, 1))


def test_what_a_seat_learns_of_the_deck() -> None:
    state = JOLLY.start(JOLLY.options({"seats": 3}), 2)
    state.supply(list(range(110)))
    played(state, "draw stock", "discard Ah")
    played(state, "draw stock")
    assert state.openings(None) == []
    assert state.openings(0) == [*range(0, 39, 3), 39]
    assert state.openings(1) == [*range(1, 39, 3), 40]
    assert state.openings(2) == list(range(2, 39, 3))
    assert not state.whole_deck_shown


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ({"hands": [["2h"]]}, "hands"),
        ({"hands": [["2h"], ["3h"]], "phase": "reentry"}, "phase"),
        ({"hands": [["2h"], ["3h"]], "melds": [{"seat": 0, "cards": ["4c", "X", "X"]}]}, "melds"),
        ({"hands": [["2h"], ["3h"]], "melds": [{"seat": 0, "cards": ["4c", "X", "6c"], "by": [0]}]}, "melds"),
        ({"hands": [["2h"], ["3h"]], "turns": [1, 1, 1]}, "turns"),
    ],
)
def test_positions_that_cannot_be(position: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        at(position)
    assert refused.value.field == field
