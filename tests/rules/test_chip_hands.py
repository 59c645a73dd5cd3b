"""Games settled hand by hand for chips: nobody loses more in a hand than was said before it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.game import Game
from services.rules.core.state import State
from services.rules.games.bestia import BESTIA
from services.rules.games.sette_e_mezzo import SETTE_E_MEZZO
from tests.rules.strategies import option_sets, start


def check(state: State[Any], before: list[int], most: list[int]) -> None:
    """Chips only change hands, and nobody has lost more, whoever leaves now."""
    assert sum(state.scores) + state.public_view().facts.get("pot", 0) == 0
    for leaver in range(len(before)):
        left = state.copy()
        left.apply(leaver, "abandon")
        assert sum(left.scores) == 0
        assert all(old - new <= lost for old, new, lost in zip(before, left.scores, most, strict=True))


@pytest.mark.parametrize("played", [BESTIA, SETTE_E_MEZZO], ids=lambda game: game.id)
@given(data=st.data())
@settings(max_examples=60)
def test_nobody_loses_more_in_a_hand_than_was_said(played: Game, data: st.DataObject) -> None:
    """Whoever leaves at any moment of the hand, or in the pause before or after it."""
    match = start(played, data.draw(option_sets(played)), data.draw(st.integers(0, 2**32)))
    seats = range(match.options.seats)
    for _ in range(data.draw(st.integers(1, 8))):
        if match.state.over:
            break
        before = list(match.state.scores)
        most = [match.state.max_loss(seat) for seat in seats]
        check(match.state, before, most)
        match.step()
        while match.state.phase not in ("deal", "over"):
            check(match.state, before, most)
            match.step()
        if not match.state.over:
            check(match.state, before, most)
        assert all(before[seat] - match.state.scores[seat] <= most[seat] for seat in seats)
