"""`tavolo play --show-options`: what can be said in `--options`."""

import json

import pytest

from services.cli.play_options import option_lines
from services.cli.play_words import Words
from services.lobby.games import list_games
from services.rules.core.registry import game


def lines(name: str, language: str = "en") -> dict[str, str]:
    """The lines of a game, by option."""
    (found,) = [each for each in list_games() if each.id == name]
    return {line.plain.split()[0]: line.plain for line in option_lines(found, Words(language))}


def test_an_option_that_may_be_none_is_shown_so_and_accepted() -> None:
    shown = lines("canasta")
    assert "0 … 1000000, or null (none)" in shown["limit"]
    assert "null" not in shown["stake"]
    assert game("canasta").options(json.loads('{"limit": null}')) != game("canasta").options({})


@pytest.mark.parametrize(
    ("name", "option", "wanted"),
    [
        ("scala40", "pickup", '"open_with", "opened_only"'),
        ("scala40", "partners", "true, false"),
        ("scala40", "target", "51 … 1001"),
        ("scala40", "target", "default 101"),
        ("scopa", "hands", "default by the other options"),
        ("tarocco", "commission", "[[n, 0 … 2500], …, [null, 0 … 2500]]"),
    ],
)
def test_values_and_default_are_written_as_they_are_typed(name: str, option: str, wanted: str) -> None:
    assert wanted in lines(name)[option]


def test_what_they_mean_is_told_in_the_players_language() -> None:
    assert "Two against two" in lines("scala40")["partners"]
    assert "Due contro due" in lines("scala40", "it")["partners"]
