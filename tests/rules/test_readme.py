"""services/rules/README.md says what the games are: their options, and the kinds of their events."""

import re

from services.rules.core.registry import games
from tests.cli.test_play_words import kinds_in_source
from tests.rules.readme import README, written

TEXT = README.read_text(encoding="utf-8")


def test_every_game_has_its_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| `games/", TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(game.id for game in games())


def test_the_options_are_those_of_the_games() -> None:
    assert written(TEXT) == TEXT


def test_every_kind_of_event_is_explained() -> None:
    events = TEXT.partition("**Events**")[2].partition("## How to add a game")[0]
    explained = set(re.findall(r"`(\w+)`", events))
    assert kinds_in_source() - explained == set()


def test_a_table_explains_a_kind_once() -> None:
    events = TEXT.partition("**Events**")[2].partition("## How to add a game")[0]
    for number, table in enumerate(re.findall(r"(?:^\|.*\n)+", events, re.MULTILINE)):
        kinds = [kind for row in table.splitlines()[2:] for kind in re.findall(r"`(\w+)`", row.split("|")[1])]
        assert len(kinds) == len(set(kinds)), number
