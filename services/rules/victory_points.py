"""Victory points (VP) and match points (MP) of a finished match, for every game (victory_points.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from services.rules.core.errors import OptionsError

Number = int | Fraction
Table = Sequence[tuple[int, int]]
"""Rows of least difference and VP, rising in both."""


@dataclass(frozen=True, slots=True)
class Config:
    """The numbers of section 6; a tournament may give its own."""

    draw_vp: int
    total_vp: int
    outright_vp: int
    bye_vp: int
    offender_vp: int
    opponent_min_vp: int
    mp_normal: Literal["difference", "table"]
    tables: Mapping[str, Table]


class Points(NamedTuple):
    """What a match is worth: the difference, and VP and MP per side; None for games and results without."""

    diff: Number | None
    vp: list[int] | None
    mp: list[int] | None


NO_POINTS = Points(None, None, None)

_STEPS = {
    "scopa_short": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "scopa_long": (1, 3, 5, 7, 9, 11, 13, 15, 17, 19),
    "cirulla": (1, 5, 9, 13, 17, 21, 25, 29, 33, 37),
    "burraco_2": (31, 101, 171, 241, 341, 441, 541, 681, 841, 1001),
    "burraco_3": (51, 151, 251, 351, 501, 651, 801, 1001, 1251, 1501),
    "burraco_4": (101, 301, 501, 701, 901, 1101, 1301, 1501, 1701, 2001),
    "canasta_5000": (201, 601, 1001, 1401, 1801, 2201, 2601, 3001, 3401, 4001),
    "jolly_100": (1, 11, 21, 31, 41, 51, 61, 71, 81, 91),
    "jolly_250": (1, 26, 51, 76, 101, 126, 151, 176, 201, 226),
    "jolly_500": (1, 51, 101, 151, 201, 251, 301, 351, 401, 451),
    "briscola": (1, 13, 25, 37, 49, 61, 73, 85, 97, 109),
    "tresette_short": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "tresette_long": (1, 3, 5, 7, 9, 11, 13, 15, 17, 19),
    "percent": (1, 11, 21, 31, 41, 51, 61, 71, 81, 91),
}
"""The least differences for 11, 12, … 20 VP (section 4)."""

DEFAULT_CONFIG = Config(
    draw_vp=10,
    total_vp=20,
    outright_vp=20,
    bye_vp=14,
    offender_vp=0,
    opponent_min_vp=14,
    mp_normal="difference",
    tables={
        **{name: ((0, 10), *zip(steps, range(11, 21), strict=True)) for name, steps in _STEPS.items()},
        "hands_won": ((0, 10), (1, 13), (2, 16), (3, 18), (4, 20)),
    },
)

_STAKE_GAMES = {"bestia", "poker", "sette_e_mezzo", "tarocco", "solitario"}
_SCOPA_FAMILY = {"scopa", "scopone", "asso_pigliatutto"}
_MOST_POINTS_OF_A_HAND = {"uno": 500}
"""For `percent` where the match is a number of hands: uno.md, section 5."""


def points(
    game: str, options: Mapping[str, Any], scores: Sequence[Number], outcome: Mapping[str, Any],
    config: Config = DEFAULT_CONFIG,
) -> Points:  # fmt: skip
    """The points of a finished match that was not void.

    `options` are the full JSON options; `outcome` has `winner`, `places`, `ended_by` and `offender` in the
    shapes of CONVENTIONS.md, section 5.
    """
    if game in _STAKE_GAMES:
        return NO_POINTS
    if len(scores) > 2:
        return _points_by_place(game, options, scores, outcome, config)
    return _points_of_two(game, options, scores, outcome, config)


def bye(game: str, options: Mapping[str, Any], config: Config = DEFAULT_CONFIG) -> tuple[int, int] | None:
    """VP and MP of a side without an opponent in a round (section 3); None for games without."""
    if game in _STAKE_GAMES:
        return None
    return config.bye_vp, _table_mp(config.tables[_table_name(game, options)], config.bye_vp, config)


# ---------------------------------------------------------------------------------------- two sides


def _points_of_two(
    game: str,
    options: Mapping[str, Any],
    scores: Sequence[Number],
    outcome: Mapping[str, Any],
    config: Config,
) -> Points:
    """Sections 2 and 3."""
    table = _table_name(game, options)
    rows = config.tables[table]
    if outcome["ended_by"] == "abandon":
        winner = 1 - outcome["offender"] % 2
    elif outcome["winner"] is None:
        return Points(0, [config.draw_vp] * 2, [0, 0])
    else:
        winner = outcome["winner"]
    diff: Number = 0
    if outcome["ended_by"] != "ko_rule":
        ahead = scores[winner] - scores[1 - winner]
        diff = max(0, -ahead if _is_low_best(game, options) else ahead)
    measure = _percent(game, options, diff) if table == "percent" else diff
    vp = _table_vp(rows, measure)
    match outcome["ended_by"]:
        case "abandon":
            won, lost = max(config.opponent_min_vp, vp), config.offender_vp
            mp_won, mp_lost = _table_mp(rows, won, config), _table_mp(rows, lost, config)
        case "score" | "ko_rule":
            won, lost = vp, config.total_vp - vp
            if config.mp_normal == "table":
                mp_won, mp_lost = _table_mp(rows, won, config), _table_mp(rows, lost, config)
            else:
                mp_won, mp_lost = int(measure), -int(measure)
        case _:  # an outright win: cappotto, resign, …
            won, lost = config.outright_vp, config.total_vp - config.outright_vp
            most = int(max(measure, rows[-1][0]))
            mp_won, mp_lost = most, -most
    return Points(diff, _by_side(winner, won, lost), _by_side(winner, mp_won, mp_lost))


def _by_side(winner: int, won: int, lost: int) -> list[int]:
    return [won, lost] if winner == 0 else [lost, won]


def _is_low_best(game: str, options: Mapping[str, Any]) -> bool:
    """Whether the lower score wins."""
    match game:
        case "hearts":
            return True
        case "scala40":
            return bool(options["match"] == "points")
        case "tresette":
            return bool(options["variant"] == "perdere")
    return False


def _percent(game: str, options: Mapping[str, Any], diff: Number) -> int:
    """The difference in hundredths of the target, or of the most that the hands could give, rounded up."""
    if options["match"] == "points":
        reference = options["target"]
    else:
        reference = _MOST_POINTS_OF_A_HAND[game] * options["hands"]
    return -int(-100 * diff // reference)


def _table_vp(rows: Table, diff: Number) -> int:
    """The VP of the last row whose least difference is not above the difference."""
    return max(vp for least, vp in rows if least <= diff)


def _table_mp(rows: Table, vp: int, config: Config) -> int:
    """The MP for these VP (section 3, rule 4)."""
    if vp < config.draw_vp:
        return -_table_mp(rows, config.total_vp - vp, config)
    return max(least for least, row_vp in rows if row_vp <= vp)


def _table_name(game: str, options: Mapping[str, Any]) -> str:
    """Which table is read, by game and format (section 4, second table, row by row)."""
    is_hands = options["match"] == "hands"
    hands = options.get("hands", 0) if is_hands else 0
    target = 0 if is_hands else options.get("target", 0)
    is_short = hands <= 2 if is_hands else target <= 11
    if game in _SCOPA_FAMILY:
        return "scopa_short" if is_short else "scopa_long"
    match game:
        case "cirulla":
            return "cirulla"
        case "burraco":
            return f"burraco_{min(max(hands, 2), 4)}" if is_hands else "burraco_4"
        case "canasta":
            return "burraco_4" if target <= 2500 else "canasta_5000"
        case "scala40" | "briscola" if is_hands:
            return "hands_won"
        case "briscola":
            return "briscola"
        case "jolly" | "scala40":
            if is_hands:
                return "jolly_100" if hands <= 2 else "jolly_250"
            return "jolly_100" if target <= 101 else "jolly_250" if target <= 250 else "jolly_500"
        case "tresette":
            return "tresette_short" if is_short else "tresette_long"
    return "percent"


# ----------------------------------------------------------------------------- more than two sides


def _points_by_place(
    game: str,
    options: Mapping[str, Any],
    scores: Sequence[Number],
    outcome: Mapping[str, Any],
    config: Config,
) -> Points:
    """Section 5."""
    places: list[int] = outcome["places"]
    sides = len(places)
    if outcome["ended_by"] == "abandon":
        offender = outcome["offender"] % sides
        stayed = [place for side, place in enumerate(places) if side != offender]
        vp = [max(config.opponent_min_vp, _place_vp(stayed, place, sides, config)) for place in places]
        mp = list(vp)
        vp[offender], mp[offender] = config.offender_vp, -config.total_vp
        return Points(None, vp, mp)
    vp = [_place_vp(places, place, sides, config) for place in places]
    sign = -1 if _is_low_best(game, options) else 1
    everything = sum(scores)
    mp = [int(sign * (score - Fraction(everything - score) / (sides - 1))) for score in scores]
    return Points(None, vp, mp)


def _place_vp(places: Sequence[int], place: int, sides: int, config: Config) -> int:
    """The VP of one of the sides at `place`: tied sides share the mean of their places, rounded down."""
    level = places.count(place)
    shared = (_nearest(config.total_vp * (sides - p), sides - 1) for p in range(place, place + level))
    return sum(shared) // max(level, 1)


def _nearest(part: int, whole: int) -> int:
    """`part / whole` to the nearest whole number, a half up."""
    return (2 * part + whole) // (2 * whole)


# -------------------------------------------------------------------------------------- configuration

_NUMBERS = ("draw_vp", "total_vp", "outright_vp", "bye_vp")
_TIMEOUT = ("offender_vp", "opponent_min_vp")


def config_from_json(json: Mapping[str, Any]) -> Config:
    """A configuration in the structure of section 6. OptionsError: names the key that is wrong or missing."""
    _check_keys("configuration", json, {*_NUMBERS, "timeout", "mp_normal", "tables"})
    _check_keys("timeout", json["timeout"], set(_TIMEOUT))
    numbers = {name: json[name] for name in _NUMBERS} | {name: json["timeout"][name] for name in _TIMEOUT}
    for name, value in numbers.items():
        if type(value) is not int or not 0 <= value <= json["total_vp"]:
            raise OptionsError(name, "must be a whole number from 0 to total_vp")
    if json["mp_normal"] not in ("difference", "table"):
        raise OptionsError("mp_normal", "must be difference or table")
    _check_keys("tables", json["tables"], set(DEFAULT_CONFIG.tables))
    tables = {
        name: _table_from_json(f"tables.{name}", rows, json["draw_vp"], json["total_vp"])
        for name, rows in json["tables"].items()
    }
    return Config(**numbers, mp_normal=json["mp_normal"], tables=tables)


def _check_keys(field: str, json: Mapping[str, Any], wanted: set[str]) -> None:
    if wrong := sorted(wanted ^ set(json)):
        raise OptionsError(field, f"keys that are missing or unknown: {', '.join(wrong)}")


def _table_from_json(field: str, rows: Sequence[Sequence[int]], draw_vp: int, total_vp: int) -> Table:
    table = tuple((least, vp) for least, vp in rows)
    rising = all(a < c and b < d for (a, b), (c, d) in pairwise(table))
    if not (table and rising and table[0] == (0, draw_vp) and table[-1][1] == total_vp):
        raise OptionsError(field, f"must rise in both columns from [0, {draw_vp}] to {total_vp} VP")
    return table
