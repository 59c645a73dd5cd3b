"""`tavolo case`: a line for each case that fails, a closing line, and the exit status."""

import json
from pathlib import Path

import pytest

from services.cli.main import main

CASES = Path(__file__).parents[1] / "rules" / "cases"

WRONG = {
    "name": "a capture that is not made is accepted",
    "game": "scopa",
    "position": {
        "dealer": 1,
        "hands": [["7d", "Kc", "2b"], ["3c", "4s", "Js"]],
        "table": ["7c", "Qs", "Jd", "3d"],
        "stock": "any",
    },
    "moves": [{"seat": 0, "move": "play 7d"}],
    "expect": {"to_act": [1]},
}
UNKNOWN = {"name": "a game of tomorrow", "game": "tombola", "moves": [], "expect": {}}


def file_of(folder: Path, content: object) -> str:
    path = folder / "cases.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def test_the_cases_of_the_specifications_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["case", *map(str, sorted(CASES.glob("*.json")))]) == 0
    assert capsys.readouterr().out.endswith(" passed, 0 failed\n")


def test_a_failing_case_has_a_line_that_says_what_was_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["case", file_of(tmp_path, [WRONG])]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert str(WRONG["name"]) in first
    assert "capture_required" in first
    assert last == "0 passed, 1 failed"


def test_a_case_of_a_game_that_is_not_there_fails_and_the_others_are_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scopa = json.loads((CASES / "scopa.json").read_text(encoding="utf-8"))
    assert main(["case", file_of(tmp_path, [UNKNOWN, *scopa[:2]])]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert "tombola" in first
    assert last == "2 passed, 1 failed"


def test_the_result_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["case", "--json", file_of(tmp_path, [UNKNOWN])]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["passed"], found["failed"]) == (0, 1)
    assert found["failures"][0]["name"] == UNKNOWN["name"]


@pytest.mark.parametrize(
    "broken", [{"name": "no game", "moves": []}, {**WRONG, "moves": [{}]}, {**WRONG, "moves": 3}]
)
def test_what_is_no_case_is_a_failing_case(
    broken: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["case", file_of(tmp_path, [broken])]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize("content", ["{}", "[1]", "no JSON", None])
def test_a_file_that_cannot_be_read_is_wrong_usage(
    content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert main(["case", str(path)]) == 2
    assert str(path) in capsys.readouterr().err
