"""Hidden cards stay hidden, and the check of that finds a leak."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.game import Game
from services.rules.core.view import View
from services.rules.games.scopa import SCOPA, Scopa
from tests.rules.secrecy import Knowledge, interference
from tests.rules.strategies import every_game, faces, option_sets, quick, start


@every_game
@given(data=st.data())
@quick
def test_hidden_cards_do_not_reach_a_viewer(game: Game, data: st.DataObject) -> None:
    match = start(game, data.draw(option_sets(game)), data.draw(st.integers(0, 2**32)))
    knowledge = Knowledge(match, data.draw(st.sampled_from(match.viewers())))
    for _ in range(data.draw(st.integers(1, 80))):
        if not match.state.over:
            knowledge.step(match)
    if match.state.phase != "deal":
        seed = data.draw(st.integers(0, 2**32))
        assert interference(match, knowledge.viewer, knowledge.known, seed) == []


class ShowsTheStock(Scopa):
    """A game with a leak: everybody sees the next card of the stock."""

    def public_view(self) -> View:
        view = super().public_view()
        view.facts["next"] = self.stock[:1].hex()  # type: ignore[index]
        return view


class RefusalTellsAHand(Scopa):
    """Another one: a refusal depends on the cards of the others."""

    def _refusal(self, seat: int, move: Any) -> Any:
        refusal = super()._refusal(seat, move)
        if refusal and refusal.code == "not_in_hand" and self.hands[1 - seat] >> move.card & 1:
            return refusal._replace(text="the other one has it")
        return refusal


class PlaysByTheStock(Scopa):
    """A third: what a card captures depends on the stock."""

    def _play(self, seat: int, move: Any) -> Any:
        applied = super()._play(seat, move)
        if len(self.stock) % 2 == self.stock[0] % 2:
            applied.events.pop()
        return applied


@pytest.mark.parametrize("leaky", [ShowsTheStock, RefusalTellsAHand, PlaysByTheStock])
def test_a_leak_is_found(leaky: type[Scopa]) -> None:
    options = SCOPA.options({})
    found = []
    for seed in range(10):
        match = start(SCOPA, options, seed)
        while match.state.needs_chance:
            match.step()
        game = Game(**{**vars(SCOPA), "state_type": leaky})
        match.game, match.state = game, game.from_json(options, match.state.to_json())
        known = set(faces(match.state.view(0), game))
        found += interference(match, 0, known, seed)
    assert found
