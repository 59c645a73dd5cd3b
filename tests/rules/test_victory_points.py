"""Victory and match points: the spec's examples, tables and configuration (victory_points.md)."""

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.errors import OptionsError
from services.rules.core.match import places
from services.rules.victory_points import DEFAULT_CONFIG, NO_POINTS, Points, bye, config_from_json, points

CONFIG = json.loads((Path(__file__).parent / "victory_points.json").read_text(encoding="utf-8"))
"""Section 6."""

TO_11 = {"match": "points", "target": 11}
TO_21 = {"match": "points", "target": 21}
HANDS_2, HANDS_3, HANDS_4 = ({"match": "hands", "hands": hands} for hands in (2, 3, 4))
BEST_OF_3 = {"match": "hands", "hands": 3}
TO_51 = {"match": "points", "target": 51}
TO_5000 = {"match": "points", "target": 5000}
SCALA_101 = {"match": "points", "target": 101}
UNO_500 = {"match": "points", "target": 500}
VINCERE = {"match": "points", "target": 21, "variant": "vincere"}
PERDERE = {**VINCERE, "variant": "perdere"}


def ended(by: str, winner: int | None, offender: int | None = None) -> dict[str, Any]:
    """A result of two sides."""
    order = [1, 1] if winner is None else [1, 2] if winner == 0 else [2, 1]
    return {"winner": winner, "places": order, "ended_by": by, "offender": offender}


def won(scores: list[Any]) -> dict[str, Any]:
    """The result that the scores show, the higher being the better."""
    winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
    return ended("draw" if winner is None else "score", winner)


@pytest.mark.parametrize(
    ("game", "options", "scores", "result", "diff", "vp", "mp"),
    [
        # section 7, row by row
        ("scopa", TO_11, [12, 9], won([12, 9]), 3, [13, 7], [3, -3]),
        ("scopa", TO_11, [15, 3], won([15, 3]), 12, [20, 0], [12, -12]),
        ("scopa", HANDS_2, [6, 6], won([6, 6]), 0, [10, 10], [0, 0]),
        ("scopone", TO_21, [24, 19], won([24, 19]), 5, [13, 7], [5, -5]),
        ("scopone", TO_21, [24, 20], won([24, 20]), 4, [12, 8], [4, -4]),
        ("scopa", TO_11, [4, 12], ended("abandon", 1, 0), 8, [0, 18], [-10, 8]),
        ("scopa", TO_11, [7, 7], ended("abandon", 1, 0), 0, [0, 14], [-10, 4]),
        ("asso_pigliatutto", TO_21, [13, 8], ended("abandon", 0, 1), 5, [14, 0], [7, -19]),
        ("cirulla", TO_51, [30, 22], ended("cappotto", 1), 0, [0, 20], [-37, 37]),
        ("burraco", HANDS_3, [1050, 1000], won([1050, 1000]), 50, [10, 10], [50, -50]),
        ("burraco", HANDS_3, [1055, 1000], won([1055, 1000]), 55, [11, 9], [55, -55]),
        ("burraco", HANDS_4, [3000, 1000], won([3000, 1000]), 2000, [19, 1], [2000, -2000]),
        ("burraco", HANDS_3, [1655, 1000], ended("abandon", 0, 1), 655, [16, 0], [651, -1501]),
        ("briscola", {"match": "points", "target": 61}, [71, 49], won([71, 49]), 22, [12, 8], [22, -22]),
        ("briscola", BEST_OF_3, [2, 1], won([2, 1]), 1, [13, 7], [1, -1]),
        ("briscola", BEST_OF_3, [0, 2], ended("abandon", 1, 0), 2, [0, 16], [-4, 2]),
        ("briscola", BEST_OF_3, [1, 1], ended("abandon", 1, 0), 0, [0, 14], [-4, 1]),
        # cases of games that share scopa's tables
        ("asso_pigliatutto", TO_21, [22, 5], won([22, 5]), 17, [19, 1], [17, -17]),
        ("asso_pigliatutto", BEST_OF_3, [4, 6], won([4, 6]), 2, [9, 11], [-2, 2]),
        ("asso_pigliatutto", TO_21, [7, 13], ended("abandon", 1, 0), 6, [0, 14], [-19, 7]),
        ("asso_pigliatutto", TO_21, [7, 7], ended("abandon", 0, 3), 0, [14, 0], [7, -19]),
        ("cirulla", TO_51, [51, 22], won([51, 22]), 29, [18, 2], [29, -29]),
        ("cirulla", TO_51, [24, 35], ended("abandon", 1, 0), 11, [0, 14], [-37, 13]),
        ("scopone", TO_21, [14, 16], ended("abandon", 1, 2), 2, [0, 14], [-19, 7]),
        # a win that the points do not show
        ("scopa", TO_11, [14, 14], ended("ko_rule", 1), 0, [10, 10], [0, 0]),
        # an outright win by more than the last row
        ("canasta", TO_5000, [9000, 200], ended("resign", 0), 8800, [20, 0], [8800, -8800]),
        ("canasta", TO_5000, [900, 200], ended("resign", 0), 700, [20, 0], [4001, -4001]),
        # the lower score wins
        ("scala40", SCALA_101, [40, 103], ended("score", 0), 63, [17, 3], [63, -63]),
        ("scala40", SCALA_101, [60, 20], ended("abandon", 1, 0), 40, [0, 14], [-91, 31]),
        ("tresette", PERDERE, [22, 15], ended("score", 1), 7, [6, 14], [-7, 7]),
        ("tresette", VINCERE, [22, 15], ended("score", 0), 7, [14, 6], [7, -7]),
        # fractions are kept, and cut towards zero in MP only
        ("tresette", {"match": "hands", "hands": 4, "variant": "vincere"}, [Fraction(38, 3), Fraction(26, 3)],
         ended("score", 0), 4, [12, 8], [4, -4]),
        ("tresette", {"match": "hands", "hands": 2, "variant": "vincere"}, [Fraction(34, 3), Fraction(26, 3)],
         ended("score", 0), Fraction(8, 3), [12, 8], [2, -2]),
        # percent: 170 of 500 is 34, 171 is 34.2 and so 35; hands give 500 at most
        ("uno", UNO_500, [500, 330], ended("score", 0), 170, [14, 6], [34, -34]),
        ("uno", UNO_500, [501, 330], ended("score", 0), 171, [14, 6], [35, -35]),
        ("uno", {"match": "hands", "hands": 2}, [400, 0], ended("score", 0), 400, [14, 6], [40, -40]),
        ("uno", {"match": "hands", "hands": 1}, [0, 3], ended("abandon", 1, 0), 3, [0, 14], [-91, 31]),
    ],
)  # fmt: skip
def test_two_sides(
    game: str, options: dict[str, Any], scores: list[Any], result: dict[str, Any], diff: Any,
    vp: list[int], mp: list[int],
) -> None:  # fmt: skip
    assert points(game, options, scores, result) == Points(diff, vp, mp)


@pytest.mark.parametrize(
    ("game", "options", "table"),
    [
        ("scopa", {"match": "hands", "hands": 1}, "scopa_short"),
        ("scopone", {"match": "hands", "hands": 2}, "scopa_short"),
        ("asso_pigliatutto", {"match": "hands", "hands": 3}, "scopa_long"),
        ("scopa", {"match": "points", "target": 11, "hands": 4}, "scopa_short"),
        ("scopa", {"match": "points", "target": 12, "hands": 2}, "scopa_long"),
        ("cirulla", {"match": "hands", "hands": 2}, "cirulla"),
        ("burraco", {"match": "hands", "hands": 1}, "burraco_2"),
        ("burraco", {"match": "hands", "hands": 2}, "burraco_2"),
        ("burraco", {"match": "hands", "hands": 3}, "burraco_3"),
        ("burraco", {"match": "hands", "hands": 4}, "burraco_4"),
        ("burraco", {"match": "hands", "hands": 6}, "burraco_4"),
        ("burraco", {"match": "points", "target": 2000}, "burraco_4"),
        ("canasta", {"match": "points", "target": 1}, "burraco_4"),
        ("canasta", {"match": "points", "target": 2500}, "burraco_4"),
        ("canasta", {"match": "points", "target": 5000}, "canasta_5000"),
        ("scala40", {"match": "hands", "hands": 3}, "hands_won"),
        ("briscola", {"match": "hands", "hands": 3}, "hands_won"),
        ("briscola", {"match": "points", "target": 61}, "briscola"),
        ("jolly", {"match": "points", "target": 100}, "jolly_100"),
        ("jolly", {"match": "points", "target": 250}, "jolly_250"),
        ("jolly", {"match": "points", "target": 500}, "jolly_500"),
        ("jolly", {"match": "hands", "hands": 2}, "jolly_100"),
        ("jolly", {"match": "hands", "hands": 3}, "jolly_250"),
        ("scala40", {"match": "points", "target": 101}, "jolly_100"),
        ("scala40", {"match": "points", "target": 102}, "jolly_250"),
        ("scala40", {"match": "points", "target": 250}, "jolly_250"),
        ("scala40", {"match": "points", "target": 251}, "jolly_500"),
        ("scala40", {"match": "points", "target": 301}, "jolly_500"),
        ("tresette", {"match": "hands", "hands": 2, "variant": "vincere"}, "tresette_short"),
        ("tresette", {"match": "points", "target": 11, "variant": "vincere"}, "tresette_short"),
        ("tresette", {"match": "points", "target": 21, "variant": "vincere"}, "tresette_long"),
    ],
)
def test_which_table_is_read(game: str, options: dict[str, Any], table: str) -> None:
    """Each row of the table, and the difference just below it, gives its own VP."""
    rows = DEFAULT_CONFIG.tables[table]
    low_wins = game == "scala40" and options["match"] == "points"
    for (least, vp), below in zip(rows[1:], rows, strict=False):
        for diff, expected in ((least, vp), (least - 1, below[1])):
            scores = [100, 100 + diff] if low_wins else [100 + diff, 100]
            found = points(game, options, scores, ended("score", 0))
            assert found == Points(diff, [expected, 20 - expected], [diff, -diff])


def test_the_defaults_are_the_configuration_of_the_spec() -> None:
    assert config_from_json(CONFIG) == DEFAULT_CONFIG


def test_mp_by_the_table_when_the_tournament_says_so() -> None:
    config = config_from_json({**CONFIG, "mp_normal": "table"})
    assert points("scopone", TO_21, [25, 19], ended("score", 0), config) == Points(6, [13, 7], [5, -5])
    assert points("scopone", TO_21, [19, 19], ended("draw", None), config) == Points(0, [10, 10], [0, 0])


def test_a_tournament_of_its_own() -> None:
    json_ = {**CONFIG, "draw_vp": 5, "total_vp": 10, "outright_vp": 9, "bye_vp": 6}
    json_["timeout"] = {"offender_vp": 1, "opponent_min_vp": 7}
    json_["tables"] = {name: [[0, 5], [1, 7], [4, 10]] for name in CONFIG["tables"]}
    config = config_from_json(json_)
    assert points("scopa", TO_11, [12, 9], ended("score", 0), config).vp == [7, 3]
    assert points("scopa", TO_11, [12, 12], ended("draw", None), config).vp == [5, 5]
    assert points("scopa", TO_11, [3, 3], ended("abandon", 1, 0), config) == Points(0, [1, 7], [-1, 1])
    assert points("cirulla", TO_11, [3, 4], ended("cappotto", 1), config).vp == [1, 9]
    assert bye("scopa", TO_11, config) == (6, 0)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (["draw_vp"], 10.5, "draw_vp"),
        (["bye_vp"], 21, "bye_vp"),
        (["outright_vp"], -1, "outright_vp"),
        (["timeout", "opponent_min_vp"], True, "opponent_min_vp"),
        (["timeout", "opponents"], 14, "timeout"),
        (["mp_normal"], "sum", "mp_normal"),
        (["bonus"], 1, "configuration"),
        (["tables", "scopa"], [[0, 10], [1, 20]], "tables"),
        (["tables", "cirulla"], [], "tables.cirulla"),
        (["tables", "cirulla"], [[1, 10], [2, 20]], "tables.cirulla"),
        (["tables", "cirulla"], [[0, 10], [2, 12], [2, 20]], "tables.cirulla"),
        (["tables", "cirulla"], [[0, 10], [2, 15], [3, 15], [4, 20]], "tables.cirulla"),
        (["tables", "cirulla"], [[0, 10], [2, 19]], "tables.cirulla"),
    ],
)
def test_a_wrong_configuration_is_refused(path: list[str], value: object, field: str) -> None:
    json_ = deepcopy(CONFIG)
    part = json_
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(OptionsError) as refused:
        config_from_json(json_)
    assert refused.value.field == field


def test_a_configuration_with_a_key_missing_is_refused() -> None:
    with pytest.raises(OptionsError, match="bye_vp"):
        config_from_json({key: value for key, value in CONFIG.items() if key != "bye_vp"})


# ----------------------------------------------------------------------------- more than two sides

HEARTS = {"match": "points", "target": 100}
UNO = {"match": "points", "target": 500}


def many(order: list[int], by: str = "score", offender: int | None = None) -> dict[str, Any]:
    winner = order.index(1) if order.count(1) == 1 else None
    return {"winner": winner, "places": order, "ended_by": by, "offender": offender}


@pytest.mark.parametrize(
    ("order", "vp"),
    [
        ([1, 2, 3], [20, 10, 0]),
        ([1, 2, 3, 4], [20, 13, 7, 0]),
        ([5, 4, 3, 2, 1], [0, 5, 10, 15, 20]),
        ([1, 2, 3, 4, 5, 6], [20, 16, 12, 8, 4, 0]),
        ([1, 2, 2, 4], [20, 10, 10, 0]),
        ([1, 1, 3, 4], [16, 16, 7, 0]),
        ([1, 2, 2, 2], [20, 6, 6, 6]),
        ([1, 1, 1, 1], [10, 10, 10, 10]),
        ([1, 1, 3], [15, 15, 0]),
    ],
)
def test_vp_by_places(order: list[int], vp: list[int]) -> None:
    assert points("uno", UNO, [0] * len(order), many(order)).vp == vp


def test_mp_are_the_points_against_the_mean_of_the_others() -> None:
    found = points("uno", UNO, [500, 200, 100, 101], many([1, 2, 4, 3]))
    assert found == Points(None, [20, 13, 0, 7], [366, -33, -167, -165])
    found = points("hearts", HEARTS, [30, 101, 50, 50], many([1, 4, 2, 2]))
    assert found == Points(None, [20, 0, 10, 10], [37, -57, 10, 10])


def test_a_time_out_among_many() -> None:
    found = points("hearts", HEARTS, [30, 101, 50, 20], many([4, 3, 2, 1], "abandon", 0))
    assert found == Points(None, [0, 14, 14, 20], [-20, 14, 14, 20])
    found = points("hearts", HEARTS, [30, 20, 20, 50], many([4, 1, 1, 3], "abandon", 0))
    assert found == Points(None, [0, 16, 16, 14], [-20, 16, 16, 14])


@given(scores=st.lists(st.integers(-50, 500), min_size=3, max_size=10))
def test_places_share_the_vp(scores: list[int]) -> None:
    order = places(scores)
    found = points("uno", UNO, scores, many(order))
    assert found.vp is not None
    assert found.mp is not None
    assert all(0 <= vp <= 20 for vp in found.vp)
    assert [vp for _, vp in sorted(zip(order, found.vp, strict=True))] == sorted(found.vp, reverse=True)
    assert abs(sum(found.mp)) < len(scores)


# -------------------------------------------------------------------------------- games without


@pytest.mark.parametrize("game", ["bestia", "poker", "sette_e_mezzo", "tarocco", "solitario"])
@pytest.mark.parametrize("sides", [2, 4])
def test_games_of_stakes_and_solitario_have_none(game: str, sides: int) -> None:
    result = {"winner": 0, "places": [1, 2, 3, 4][:sides], "ended_by": "score", "offender": None}
    assert points(game, {"match": "hands", "hands": 1}, [9, 3, 2, 1][:sides], result) == NO_POINTS
    assert bye(game, {"match": "hands", "hands": 1}) is None


@pytest.mark.parametrize(
    ("game", "options", "mp"), [("scopa", TO_11, 4), ("scopone", TO_21, 7), ("briscola", BEST_OF_3, 1)]
)
def test_a_bye(game: str, options: dict[str, Any], mp: int) -> None:
    assert bye(game, options) == (14, mp)
