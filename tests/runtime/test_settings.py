"""Settings: declared once, checked at start, listed by `tavolo settings`."""

import json
from dataclasses import dataclass

import pytest

from services.cli.main import main
from services.runtime.logs import Secret
from services.runtime.settings import CommonSettings, SettingsError, all_settings, load, setting, settings_of


@dataclass(frozen=True)
class Example(CommonSettings):
    wait_s: float = setting("TAVOLO_EXAMPLE_WAIT_S", 1.5, "how long", least=0.1, most=10)
    mode: str = setting("TAVOLO_EXAMPLE_MODE", "slow", "how", choices=("slow", "fast"))
    loud: bool = setting("TAVOLO_EXAMPLE_LOUD", False, "whether it shouts")
    most: int | None = setting("TAVOLO_EXAMPLE_MOST", None, "limit; empty = none", least=1)


def test_defaults_hold_without_an_environment() -> None:
    found = load(Example, {})
    assert (found.wait_s, found.mode, found.loud, found.most) == (1.5, "slow", False, None)


def test_the_environment_wins_and_is_typed() -> None:
    env = {
        "TAVOLO_EXAMPLE_WAIT_S": "2",
        "TAVOLO_EXAMPLE_MODE": "fast",
        "TAVOLO_EXAMPLE_LOUD": "yes",
        "TAVOLO_EXAMPLE_MOST": "7",
        "TAVOLO_DATABASE_URL": "postgresql://u:secret@h/d",
    }
    found = load(Example, env)
    assert (found.wait_s, found.mode, found.loud, found.most) == (2.0, "fast", True, 7)
    assert found.database_url.value == "postgresql://u:secret@h/d"
    assert "secret" not in repr(found)
    assert load(Example, {"TAVOLO_EXAMPLE_MOST": ""}).most is None


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("TAVOLO_EXAMPLE_WAIT_S", "soon", "'soon' is not a float"),
        ("TAVOLO_EXAMPLE_WAIT_S", "0", "0.1..10"),
        ("TAVOLO_EXAMPLE_WAIT_S", "11", "0.1..10"),
        ("TAVOLO_EXAMPLE_WAIT_S", "nan", "0.1..10"),
        ("TAVOLO_EXAMPLE_MODE", "Fast", "slow | fast"),
        ("TAVOLO_EXAMPLE_LOUD", "perhaps", "not a bool"),
        ("TAVOLO_EXAMPLE_MOST", "0", "1.."),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name: str, value: str, told: str) -> None:
    with pytest.raises(SettingsError) as error:
        load(Example, {name: value})
    assert name in str(error.value)
    assert told in str(error.value)


def test_a_secret_is_not_told_in_an_error() -> None:
    @dataclass(frozen=True)
    class Guarded(CommonSettings):
        pin: int = setting("TAVOLO_EXAMPLE_PIN", 0, "a number that nobody may see", secret=True)

    with pytest.raises(SettingsError) as error:
        load(Guarded, {"TAVOLO_EXAMPLE_PIN": "hunter2"})
    assert "hunter2" not in str(error.value)


def test_every_setting_of_every_part_has_a_name_of_its_part_and_a_meaning() -> None:
    parts = all_settings()
    assert {"common", "gateway", "lobby", "table_engine", "clock", "chat", "scoring", "bots"} <= set(parts)
    for part, found in parts.items():
        names = [each.name for each in found]
        assert len(names) == len(set(names))
        for each in found:
            assert each.name.startswith("TAVOLO_")
            assert "{" not in each.name
            assert len(each.text) > 5, each.name
            number = isinstance(each.default, int | float) and not isinstance(each.default, bool)
            assert not number or each.range_text, f"{each.name} of {part} has no range"


def test_the_part_stands_in_the_names_of_its_ports() -> None:
    from services.chat.settings import Settings

    assert "TAVOLO_CHAT_GRPC_PORT" in [each.name for each in settings_of(Settings)]
    assert load(Settings, {"TAVOLO_CHAT_GRPC_PORT": "7"}).grpc_port == 7


def test_tavolo_settings_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {"name", "default", "range", "text", "secret"} == set(listed["common"][0])
    assert main(["settings", "clock"]) == 0
    assert "TAVOLO_CLOCK_GRPC_PORT" in capsys.readouterr().out
    assert main(["settings", "nothing"]) == 2


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret("hunter2")
    assert f"{secret}" == str(secret) == repr(secret) == "***"
    assert secret.value == "hunter2"
