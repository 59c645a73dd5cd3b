"""What every game of the registry keeps (CONVENTIONS.md, sections 3 to 8): `invariants.py`, in short."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.game import Game
from services.rules.games.scopa import SCOPA, Scopa
from tests.rules.invariants import MOST_STEPS, Batch, Referee, batches, main, play, random_match
from tests.rules.strategies import (
    aimless,
    every_game,
    forward,
    option_sets,
    purposeful,
    quick,
    start,
)


@every_game
@given(data=st.data())
@quick
def test_any_state_keeps_what_all_keep(game: Game, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from((aimless, forward, purposeful)))
    match = start(game, data.draw(option_sets(game)), data.draw(st.integers(0, 2**32)), player)
    match.probe.seed(data.draw(st.integers(0, 2**32)))
    referee = Referee(match)
    skipped = data.draw(st.integers(0, 150))
    for step in range(skipped + data.draw(st.integers(1, 5))):
        if not match.state.over:
            referee.step(closely=step >= skipped)


@every_game
def test_a_whole_match_keeps_what_all_keep(game: Game) -> None:
    """Its beginning at every step, the rest and its end now and then."""
    match = random_match(game, 1_000_000)
    referee = Referee(match)
    for step in range(MOST_STEPS):
        if match.state.over:
            break
        referee.step(closely=step < 50)
    assert referee.counts["matches"] == 1
    assert referee.counts["hands"] >= 1


class LosesCards(Scopa):
    """A game that breaks the rules: what is captured is gone."""

    def _play(self, seat: int, move: Any) -> Any:
        applied = super()._play(seat, move)
        self.captured = [0, 0]
        return applied


class TakesAnything(Scopa):
    """Another: a move that it does not list is accepted."""

    def _refusal(self, seat: int, move: Any) -> Any:
        refusal = super()._refusal(seat, move)
        return None if refusal and refusal.code == "capture_required" else refusal


class SharesItsTable(Scopa):
    """A third: a copy is changed with the state."""

    def copy(self) -> Any:
        new = super().copy()
        new.scores = self.scores
        return new


class GivesPoints(Scopa):
    """A fourth: a point more than the hand gave."""

    def _play(self, seat: int, move: Any) -> Any:
        applied = super()._play(seat, move)
        if self.phase == "deal":
            self.scores[0] += 1
        return applied


def altered(state_type: type[Scopa]) -> Game:
    return Game(**{**vars(SCOPA), "state_type": state_type})


@pytest.mark.parametrize("broken", [LosesCards, TakesAnything, SharesItsTable, GivesPoints])
def test_a_broken_rule_is_found(broken: type[Scopa]) -> None:
    game = altered(broken)
    with pytest.raises(AssertionError):  # noqa: PT012  # which step finds it does not matter
        for seed in range(4):
            Referee(start(game, game.options({}), seed)).play_out(closely=2)


def test_the_long_run_is_made_of_batches_that_share_no_match() -> None:
    work = list(batches(["scopa", "uno"], hands=1300, full=30, first=7))
    assert sum(batch.hands for batch in work if batch.game == "uno") == 1300
    assert sum(batch.closely for batch in work if batch.game == "uno") == 30
    assert all(one.first + one.hands <= two.first for one, two in pairwise(work))


def test_the_long_run_counts_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "bestia", "briscola", "--hands", "3", "--full", "1", "--json"]) == 0
    bestia, briscola = json.loads(capsys.readouterr().out)
    assert (bestia["game"], briscola["game"]) == ("bestia", "briscola")
    for row in (bestia, briscola):
        assert row["hands"] >= 3
        assert row["full"] == 1
        assert min(row["matches"], row["moves"], row["refusals"], row["checks"]) > 0


def test_the_long_run_says_which_match_broke_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.rules.invariants.game", lambda _: altered(LosesCards))
    played = play(Batch("scopa", first=5, hands=10, closely=1))
    assert played.failure.startswith("scopa, match 5, 1 hands closely, options {")
    assert "check_cards" in played.failure
