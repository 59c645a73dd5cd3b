"""What the recorder measures leaks with: who may know what, followed apart from the rules core."""

from typing import Any

import pytest

from tests.security.knowledge import Knowledge
from tests.security.moments import Moment, knowledge, moments

TRIES = 400  # a match of one hand ends level about once in ten


def compare(match: list[Moment], known: Knowledge) -> None:
    """What is said to be hidden after each entry is what the state holds in stock and in others' hands."""
    assert list(known.hidden) == list(range(1, len(match) + 1))
    for version, moment in enumerate(match, 1):
        state = moment.after.state.to_json()
        for viewer, hidden in known.hidden[version].items():
            others = [hand for owner, hand in enumerate(state["hands"]) if owner != viewer]
            assert hidden == frozenset(sum(others, state["stock"])), (version, viewer)


@pytest.mark.parametrize(
    "options",
    [{"hands": 1}, {"hands": 2}, {"hands": 1, "ko": True}, {"hands": 1, "seats": 4}],
    ids=str,
)
def test_a_match_with_tie_break_hands_is_followed(options: dict[str, Any]) -> None:
    for seed in range(TRIES):
        match = moments(seed, match="hands", **options)
        if match[-1].after.state.tie_break:
            break
    assert match[-1].after.state.tie_break, "no match ended level"
    compare(match, knowledge(match))


def test_a_match_to_a_number_of_points_is_not_followed() -> None:
    match = moments(1, match="points", target=1)
    with pytest.raises(AssertionError, match="number of points"):
        knowledge(match)
