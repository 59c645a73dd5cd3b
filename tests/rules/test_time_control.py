"""Every game's default time control, speeds, and parameters set singly (clock.md, section 10)."""

from typing import Any

import pytest

from services.rules.clock import Control, control, control_from_json
from services.rules.core.errors import OptionsError

CARDS = "scopa scopone asso_pigliatutto cirulla briscola tresette hearts"
TABLE: dict[str, dict[str, Any]] = {
    "tarocco": {"bank": 120, "cap": 120, "free": 0, "threshold": 10, "bonus": 10, "move": None, "hand": 0},
    CARDS: {"bank": 120, "cap": 120, "free": 0, "threshold": 10, "bonus": 10, "move": 60, "hand": 0},
    "burraco canasta scala40 jolly": {
        "bank": 180, "cap": 180, "free": 0, "threshold": 20, "bonus": 20, "move": 120, "hand": 0,
    },
    "bestia": {"bank": 90, "cap": 90, "free": 0, "threshold": 8, "bonus": 8, "move": 45, "hand": 0},
    "uno": {"bank": 60, "cap": 60, "free": 0, "threshold": 5, "bonus": 5, "move": 30, "hand": 0},
    "poker": {"bank": 45, "cap": 90, "free": 15, "threshold": 0, "bonus": 0, "move": None, "hand": 3},
    "sette_e_mezzo": {"bank": 30, "cap": 30, "free": 10, "threshold": 0, "bonus": 0, "move": None, "hand": 5},
    "solitario": {"bank": 900, "cap": 900, "free": 0, "threshold": 0, "bonus": 0, "move": None, "hand": 0},
}  # fmt: skip
ROWS = [(game, row) for games, row in TABLE.items() for game in games.split()]
COMMON = {
    "grace": 90_000,
    "grace_turn": 45_000,
    "lag_start": 2_000,
    "lag_max": 4_000,
    "lag_gain": 500,
    "lag_move": 1_000,
    "resume": 20_000,
}


def test_there_are_seventeen_games() -> None:
    assert len(ROWS) == len(dict(ROWS)) == 17


@pytest.mark.parametrize(("game", "row"), ROWS)
def test_defaults(game: str, row: dict[str, int | None]) -> None:
    seconds = {name: value and value * 1000 for name, value in row.items()}
    expiry = "seat" if game == "solitario" else "table"
    assert control(game).to_json() == {**seconds, **COMMON, "expiry": expiry}


@pytest.mark.parametrize(("game", "row"), ROWS)
@pytest.mark.parametrize(("speed", "times"), [("normale", 1000), ("lampo", 500), ("lento", 2000)])
def test_speed_scales_the_playing_time_only(
    game: str, row: dict[str, int | None], speed: str, times: int
) -> None:
    scaled = {name: value and value * times for name, value in row.items()}
    assert control(game, speed).to_json() == {**control(game).to_json(), **scaled}


def test_with_stakes_there_is_no_grace() -> None:
    assert control("poker", stakes=True).to_json() == {**control("poker").to_json(), "grace": 0}


@pytest.mark.parametrize(
    ("game", "speed", "field"), [("chess", "normale", "control"), ("scopa", "senza", "speed")]
)
def test_unknown_names_are_refused(game: str, speed: str, field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        control(game, speed)
    assert refused.value.field == field


def test_parameters_replace_those_of_the_base() -> None:
    assert control_from_json({}) == control("tarocco")
    changed = control_from_json({"bank": 10_000, "move": None, "grace": 0}, control("scopa"))
    assert (changed.bank, changed.cap, changed.move, changed.grace) == (10_000, 120_000, None, 0)
    assert control_from_json({"bank": 3_600_000}).cap == 3_600_000
    assert control_from_json(control("uno").to_json()) == control("uno")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bank", 9_999),
        ("bank", 3_600_001),
        ("bank", 60_000.0),
        ("bank", "60000"),
        ("bank", None),
        ("bank", True),
        ("cap", 119_999),
        ("threshold", 60_001),
        ("threshold", -1),
        ("bonus", 60_001),
        ("move", 4_999),
        ("grace", -1),
        ("expiry", "match"),
        ("speed", 2),
    ],
)
def test_values_out_of_range_are_refused(field: str, value: object) -> None:
    with pytest.raises(OptionsError) as refused:
        control_from_json({field: value})
    assert refused.value.field == field


def test_a_control_is_its_json() -> None:
    assert Control(**control("poker").to_json()) == control("poker")
