"""Every refusal of scopa: code, words, argument, and which comes first (scopa.md, section 8)."""

from typing import Any

import pytest

from services.rules.core.errors import Refusal, Refused
from services.rules.core.state import State
from services.rules.games.scopa import SCOPA


def table(phase: str = "play") -> State[Any]:
    """Seat 0 to act with 7d, Kc, 2b; on the table 7c, 3d, 4c, Qs."""
    if phase == "deal":
        return SCOPA.from_json(SCOPA.options({}), {"dealer": 1, "phase": "deal"})
    position = {
        "dealer": 1,
        "hands": [["7d", "Kc", "2b"], ["3c", "4s", "As"]],
        "table": ["7c", "3d", "4c", "Qs"],
        "stock": "any",
    }
    return SCOPA.from_json(SCOPA.options({}), position)


@pytest.mark.parametrize(
    ("seat", "text", "code", "where", "says"),
    [
        (1, "play 3c take 3d", "not_your_turn", "", "another seat"),
        (1, "", "not_your_turn", "", "another seat"),
        (7, "abandon", "not_your_turn", "", "another seat"),
        (-1, "abandon", "not_your_turn", "", "another seat"),
        (0, "", "unparsable", "", "not a move"),
        (0, "play", "unparsable", "", "not a move"),
        (0, "play 7d ", "unparsable", "", "not a move"),
        (0, " play 7d", "unparsable", "", "not a move"),
        (0, "play  7d", "unparsable", "", "not a move"),
        (0, "play 7d take", "unparsable", "", "not a move"),
        (0, "play 7d 7c", "unparsable", "", "not a move"),
        (0, "play 7d takes 7c", "unparsable", "", "not a move"),
        (0, "play take 7c", "unparsable", "", "not a move"),
        (0, "play 7D take 7c", "unparsable", "", "not a move"),
        (0, "PLAY 7d", "unparsable", "", "not a move"),
        (0, "play 8d", "unparsable", "", "not a move"),
        (0, "play 7d take 7c take", "unparsable", "", "not a move"),
        (0, "play 7d\n", "unparsable", "", "not a move"),
        (0, "discard 7d", "unparsable", "", "not a move"),
        (0, "abandon 7d", "unparsable", "", "not a move"),
        (0, "play 6d", "not_in_hand", "6d", "you do not hold 6d"),
        (0, "play 3c take 3d", "not_in_hand", "3c", "you do not hold 3c"),
        (0, "play 6d take Ks", "not_in_hand", "6d", "you do not hold 6d"),
        (0, "play 7d", "capture_required", "7d", "7d captures"),
        (0, "play Kc take Ks", "not_on_table", "Ks", "Ks is not on the table"),
        (0, "play 7d take 7d", "not_on_table", "7d", "7d is not on the table"),
        (0, "play 7d take 7c 7c", "not_on_table", "7c", "7c is named twice"),
        (0, "play 7d take 7c 7c 7s", "not_on_table", "7s", "7s is not on the table"),
        (0, "play 7d take 3d 4c", "must_take_equal", "7c", "must take a card of its own value: 7c"),
        (0, "play 7d take 3d", "not_a_capture", "3d", "7d counts 7"),
        (0, "play 7d take 7c 3d 4c", "not_a_capture", "3d", "7d counts 7"),
        (0, "play Kc take Qs", "not_a_capture", "Qs", "Kc counts 10"),
        (0, "play 2b take 3d", "not_a_capture", "3d", "2b counts 2"),
    ],
)
def test_refusal(seat: int, text: str, code: str, where: str, says: str) -> None:
    state = table()
    before = state.to_json()
    refusal = state.check(seat, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)
    assert says in refusal.text
    with pytest.raises(Refused, match=code) as refused:
        state.apply(seat, text)
    assert refused.value.refusal == refusal
    assert state.to_json() == before


def test_two_equal_cards_at_once_are_not_a_capture() -> None:
    position = {
        "dealer": 1,
        "hands": [["7d", "Kc", "2b"], ["3c", "4s", "As"]],
        "table": ["7c", "7s", "4c", "Qs"],
        "stock": "any",
    }
    refusal = SCOPA.from_json(SCOPA.options({}), position).check(0, "play 7d take 7c 7s")
    assert refusal == Refusal("not_a_capture", "7d counts 7, these cards do not", "7c")


def test_between_hands_nobody_can_move_but_everybody_can_leave() -> None:
    state = table("deal")
    for seat in range(2):
        refusal = state.check(seat, "play 7d")
        assert refusal is not None
        assert refusal.code == "not_your_turn"
        assert "no hand" in refusal.text
        assert state.check(seat, "abandon") is None
    assert state.legal(0) == []


def test_after_the_end_everything_is_refused() -> None:
    state = table()
    state.apply(1, "abandon")
    for seat, text in [(0, "play 7d take 7c"), (0, "abandon"), (1, "abandon"), (0, "what")]:
        refusal = state.check(seat, text)
        assert refusal is not None
        assert refusal.code == "match_over"


def test_other_orders_are_accepted_and_spelt_canonically() -> None:
    position = {
        "dealer": 1,
        "hands": [["Kd", "2s", "6b"], ["Kc", "Kb", "Ks"]],
        "table": ["2c", "3b", "5s", "Jd"],
        "stock": "any",
    }
    state = SCOPA.from_json(SCOPA.options({}), position)
    applied = state.apply(0, "play Kd take 5s 3b 2c")
    assert applied.text == "play Kd take 2c 3b 5s"


def test_chance_that_was_not_asked_for_is_refused() -> None:
    with pytest.raises(ValueError, match="no shuffle"):
        table().supply(range(40))


@pytest.mark.parametrize("order", [[], [*range(39)], [*range(39), 38], [*range(1, 41)], [-1, *range(39)]])
def test_an_order_that_is_no_permutation_is_refused(order: list[int]) -> None:
    state = table("deal")
    before = state.to_json()
    with pytest.raises(ValueError, match="permutation"):
        state.supply(order)
    assert state.to_json() == before
