"""What a computer does at uno."""

from typing import Any

import pytest

from services.bots.choice import choose
from services.rules.core.registry import game
from tests.bots.updates import update


def choice(hand: str, options: dict[str, Any] | None = None, **position: Any) -> str:
    """What seat 0 of two does with this hand, a red five on the pile."""
    played = game("uno")
    given = {
        "dealer": 1,
        "to_act": [0],
        "hands": [hand.split(), ["y1", "y2"]],
        "discard": ["r5"],
        "colour": "r",
        "stock": ["g1", "g2", "g3"],
        **position,
    }
    state = played.from_json(played.options({"seats": 2, **(options or {})}), given)
    return choose("uno", update(state, 0, game="uno"))


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("r1 g5 g7 g8", "play g5"),  # towards the longest colour
        ("W r1 g7 g8", "play r1"),  # the jolly is kept
        ("W b7 g7 g8", "play W g"),  # and names what there is most of
        ("b7 g7 g8", "draw"),
    ],
)
def test_it_plays_what_it_can_towards_its_longest_colour(hand: str, wanted: str) -> None:
    assert choice(hand) == wanted


def test_it_says_uno_where_that_must_be_said() -> None:
    assert choice("r1 b7", {"uno_call": "declare"}) == "play r1 uno"
