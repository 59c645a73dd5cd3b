"""The cases of the specs, and that the runner notices what is wrong."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from services.rules.core.case import run_case

CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted((Path(__file__).parent / "cases").glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    assert run_case(case) == []


CASE: dict[str, Any] = {
    "name": "a small one",
    "game": "scopa",
    "position": {
        "dealer": 1,
        "hands": [["7d", "Kc", "2b"], ["3c", "4s", "As"]],
        "table": ["3d", "4c"],
        "stock": "any",
        "captured": [[], ["Qd", "Qs"]],
        "last_capture": 1,
    },
    "moves": [
        {"seat": 1, "move": "play As", "error": "not_your_turn"},
        {"seat": 0, "move": "play 7d take 4c 3d"},
    ],
    "expect": {
        "to_act": [1],
        "legal": ["play As", "play 4s", "play 3c"],
        "zones": {"captured": [["4c", "3d", "7d"], ["Qs", "Qd"]], "table": []},
        "counts": {"stock": 30, "hands": [2, 3]},
        "views": {"0": {"hands": [["2b", "Kc"], 3]}, "spectator": {"hands": [2, 3], "captured": [3, 2]}},
        "scope": [1, 0],
        "hand_score": None,
        "over": False,
        "winner": None,
    },
}


def test_the_small_case_holds() -> None:
    assert run_case(CASE) == []


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("to_act", [0]),
        ("legal", ["play As", "play 4s"]),
        ("zones", {"captured": [["4c", "7d"], ["Qs", "Qd"]]}),
        ("zones", {"captured": [["4c", "7d", "7d"], ["Qs", "Qd"]]}),
        ("zones", {"captured": [["4c", "3d", "7d"]]}),
        ("zones", {"discard": []}),
        ("zones", {"stock": ["Kd"]}),
        ("counts", {"stock": 29}),
        ("counts", {"hands": [3, 3]}),
        ("views", {"0": {"hands": [["2b", "Kc"], 2]}}),
        ("views", {"0": {"hands": [2, 3]}}),
        ("views", {"1": {"hands": [["2b", "Kc"], 3]}}),
        ("views", {"spectator": {"seen": []}}),
        ("scope", [0, 0]),
        ("hand_score", {"total": [0, 0]}),
        ("over", True),
        ("winner", 0),
        ("vp", [10, 10]),
        ("scopa", 1),
    ],
)
def test_a_wrong_expectation_fails(key: str, wrong: object) -> None:
    case = {**CASE, "expect": {**CASE["expect"], key: wrong}}
    assert run_case(case)


def test_a_refusal_that_does_not_come_fails() -> None:
    case = copy.deepcopy(CASE)
    case["moves"][1]["error"] = "not_in_hand"
    assert run_case(case) == ["move 1 (0: play 7d take 4c 3d): accepted, expected not_in_hand"]


def test_a_refusal_that_is_not_expected_fails() -> None:
    case = copy.deepcopy(CASE)
    del case["moves"][0]["error"]
    (failure,) = run_case(case)
    assert failure.startswith("move 0 (1: play As): not_your_turn")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "scoppa"}, "did you mean scopa?"),
        ({"options": {"targett": 3}}, "targett"),
        ({"position": {"dealer": 2, "hands": []}}, "dealer"),
        ({"position": {"hands": []}}, "dealer"),
        ({"position": {**CASE["position"], "tabel": []}}, "tabel"),
        ({"position": {**CASE["position"], "table": ["8d"]}}, "8d"),
        ({"position": {**CASE["position"], "table": ["7d"]}}, "7d"),
        ({"position": {**CASE["position"], "table": "any"}}, "any"),
        ({"position": {**CASE["position"], "stock": ["Kd"]}}, "forty"),
        (
            {
                "position": {
                    **CASE["position"],
                    "hands": [["7d", "Kc"], ["3c", "4s", "As"]],
                    "table": ["3d", "4c", "2b"],
                }
            },
            "seat 1",
        ),
        ({"position": {**CASE["position"], "hands": [["7d", "Kc", "2b"]]}}, "hands"),
        ({"position": {**CASE["position"], "scores": [1, 2, 3]}}, "scores"),
        ({"position": {**CASE["position"], "captured": [["5d"], ["Qd", "Qs"]]}}, "stock"),
        ({"position": {**CASE["position"], "last_capture": None}}, "last_capture"),
    ],
)
def test_a_start_that_cannot_be_is_said(change: dict[str, Any], said: str) -> None:
    (failure,) = run_case({**CASE, **change})
    assert said in failure


def test_what_is_not_a_case_is_said() -> None:
    assert run_case({"name": "nothing", "game": "scopa"}) == ["not a case: expect, moves missing"]
    wrong = {**CASE, "moves": [CASE["moves"][0], {"move": "play 7d"}]}
    assert run_case(wrong) == ["not a case: move 1 must have a seat and a move"]


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("left", [1, 2]),
        ("show", ["1:29", "2:00"]),
        ("running", [0]),
        ("expired", [{"seat": 0, "at": 1}]),
        ("vp", 1),
    ],
)
def test_a_wrong_expectation_of_the_clock_fails(key: str, wrong: object) -> None:
    events = [{"t": 0, "ev": "start", "seats": [0]}, {"t": 30000, "ev": "move", "seat": 0, "next": [1]}]
    case = {"name": "", "control": "tarocco", "seats": 2, "events": events, "expect": {key: wrong}}
    assert len(run_case(case)) == 1


def test_a_refusal_of_the_clock_that_is_not_expected_fails() -> None:
    events = [{"t": 0, "ev": "move", "seat": 0}]
    case: dict[str, Any] = {"control": "tarocco", "seats": 2, "events": events, "expect": {}}
    assert run_case(case) == ["event 0: not_running, expected accepted"]


def test_a_deck_that_is_used_up_leaves_the_match_before_its_deal() -> None:
    case: dict[str, Any] = {
        "game": "scopa",
        "dealer": 0,
        "deck": [],
        "moves": [],
        "expect": {"phase": "deal"},
    }
    assert run_case(case) == []
