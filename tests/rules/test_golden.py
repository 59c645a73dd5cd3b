"""Matches as they always were, and histories that must be readable for ever."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.rules.core.errors import Refused
from services.rules.core.registry import game, games
from services.rules.core.state import State
from services.rules.fold import fold
from tests.rules.golden import FOLDER, GOLDEN, Golden, text

HISTORIES = sorted((Path(__file__).parent / "histories").glob("*.json"))


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_match_is_played_as_it_was(golden: Golden) -> None:
    """If the difference is meant, `python -m tests.rules.golden` writes the file again."""
    assert text(golden).splitlines() == golden.path.read_text(encoding="utf-8").splitlines()


def test_every_game_has_a_golden_match_and_every_file_is_one() -> None:
    assert {golden.game for golden in GOLDEN} == {game.id for game in games()}
    assert {golden.path for golden in GOLDEN} == set(FOLDER.glob("*.txt"))


def replayed(history: dict[str, Any]) -> State[Any]:
    played = game(history["game"])
    entries = [tuple(e) if isinstance(e, list) and isinstance(e[1], str) else e for e in history["log"]]
    return fold(played, played.options(history["options"]), entries)


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_history_ends_as_it_did(path: Path) -> None:
    """Histories are never written again: they were played under the rules version that they name."""
    history = json.loads(path.read_text(encoding="utf-8"))
    if "refused" in history:
        with pytest.raises(Refused, match=history["refused"]):
            replayed(history)
        return
    state = replayed(history)
    assert state.scores == history["scores"]
    assert state.outcome is not None
    assert {**state.outcome.to_json(), "settlement": state.settlement} == history["outcome"]


def test_there_are_histories_that_hold_and_one_that_does_not() -> None:
    """The check checks: a log with a move that the rules do not allow is refused."""
    refused = ["refused" in json.loads(path.read_text(encoding="utf-8")) for path in HISTORIES]
    assert True in refused
    assert False in refused
