"""Cards, options, the registry, the course of a match, the fold."""

import ast
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import services.rules
from services.rules.core.cards import DECKS, as_set, members
from services.rules.core.errors import OptionsError, Refused, UnknownGame
from services.rules.core.game import Game
from services.rules.core.match import Outcome, abandoned, is_past_target, places, verdict
from services.rules.core.option_specs import seats_spec
from services.rules.core.options import (
    Options,
    OptionSpec,
    Steps,
    at_step,
    options_json,
    read_options,
    value_json,
)
from services.rules.core.registry import game, games
from services.rules.fold import fold
from services.rules.games.scopa import SCOPA

# ------------------------------------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("deck", "size", "faces", "begins", "ends"),
    [
        ("it40", 40, 40, "Ad 2d 3d 4d 5d 6d 7d Jd Qd Kd Ac", "Js Qs Ks"),
        ("fr52", 52, 52, "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ad", "Js Qs Ks"),
        ("fr108", 108, 53, "Ah Ah 2h 2h", "Ks Ks X X X X"),
        ("fr110", 110, 53, "Ah Ah 2h 2h", "Ks Ks X X X X X X"),
        (
            "tarocco40",
            40,
            40,
            "T1 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21 T22 Ah Jh Ch Qh Kh Ad Jd",
            "Kd 10c Jc Cc Qc Kc 10s Js Cs Qs Ks",
        ),
        (
            "uno108",
            108,
            54,
            "r0 r1 r1 r2 r2 r3 r3 r4 r4 r5 r5 r6 r6 r7 r7 r8 r8 r9 r9 rS rS rR rR r+2 r+2 y0 y1",
            "bR bR b+2 b+2 W W W W W4 W4 W4 W4",
        ),
    ],
)
def test_deck_order(deck: str, size: int, faces: int, begins: str, ends: str) -> None:
    texts = DECKS[deck].texts
    assert (len(texts), len(DECKS[deck].faces)) == (size, faces)
    assert list(texts[: len(begins.split())]) == begins.split()
    assert list(texts[-len(ends.split()) :]) == ends.split()


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_texts_and_numbers_are_each_other(deck: object) -> None:
    assert isinstance(deck, type(SCOPA.deck))
    assert deck.show(deck.read(deck.texts)) == list(deck.texts)
    assert len(set(deck.faces)) == len(deck.faces)
    assert Counter(deck.cards).keys() == set(range(len(deck.faces)))
    assert list(deck.cards) == sorted(deck.cards)
    with pytest.raises(KeyError):
        deck.read(["8x"])


@given(cards=st.sets(st.integers(0, 60)))
def test_a_set_of_cards_has_its_members(cards: set[int]) -> None:
    assert list(members(as_set(cards))) == sorted(cards)


# ----------------------------------------------------------------------------------------- options


def test_all_defaults() -> None:
    options = SCOPA.options({})
    assert SCOPA.options_json(options) == {
        "seats": 2,
        "match": "points",
        "target": 11,
        "target_rule": "past",
        "hands": 2,
        "ko": False,
        "tie_hands": 1,
        "seen_cards": False,
        "open_partners": False,
    }
    assert (SCOPA.seats(options), SCOPA.sides(options)) == (2, 2)


def test_as_many_hands_as_seats_by_default() -> None:
    options = SCOPA.options({"seats": 4})
    assert SCOPA.options_json(options)["hands"] == 4
    assert (SCOPA.seats(options), SCOPA.sides(options)) == (4, 2)
    assert [SCOPA.side(options, seat) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("targett", 11),
        ("seats", 3),
        ("seats", "2"),
        ("seats", 2.0),
        ("seats", True),
        ("match", "point"),
        ("match", None),
        ("target", 0),
        ("target", 1000),
        ("target", "11"),
        ("target", True),
        ("target", 11.0),
        ("target_rule", "over"),
        ("hands", 41),
        ("ko", 1),
        ("ko", "true"),
        ("tie_hands", 4),
        ("tie_hands", -1),
        ("open_partners", True),
    ],
)
def test_options_that_are_refused(field: str, value: object) -> None:
    with pytest.raises(OptionsError) as refused:
        SCOPA.options({field: value})
    assert refused.value.field == field
    assert refused.value.text


@pytest.mark.parametrize("each", games(), ids=lambda game: game.id)
def test_options_have_a_description_and_a_text_form(each: Game) -> None:
    options = each.options({})
    json = each.options_json(options)
    assert each.options(json) == options
    assert list(json) == [spec.name for spec in each.option_specs()]
    for spec in each.option_specs():
        assert json[spec.name] == value_json(spec.default)
        assert spec.text.keys() == {"it", "en"}
        assert spec.kind != "choice" or spec.default in spec.choices
        if spec.kind == "int" and not (spec.nullable and spec.default is None):
            assert type(spec.default) is int
            assert spec.low <= spec.default <= spec.high
    assert (each.money == "own") == ("stake" in json)


@dataclass(frozen=True, slots=True)
class Fees(Options):
    fee: Steps


FEES = (
    seats_spec(2, (2,)),
    OptionSpec("fee", "steps", ((100, 5), (None, 3)), {"it": "Quota", "en": "Fee"}, low=1, high=9),
)


def test_steps_are_rows_in_json_and_a_value_inside() -> None:
    fees = read_options(Fees, FEES, {"fee": [[0, 9], [7, 1], [None, 2]]})
    assert fees.fee == ((0, 9), (7, 1), (None, 2))
    assert options_json(fees, FEES) == {"seats": 2, "fee": [[0, 9], [7, 1], [None, 2]]}
    assert read_options(Fees, FEES, options_json(fees, FEES)) == fees
    assert options_json(read_options(Fees, FEES, {}), FEES)["fee"] == [[100, 5], [None, 3]]
    assert [at_step(fees.fee, amount) for amount in (0, 1, 7, 8, 10**9)] == [9, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "fee",
    [
        [], None, 5, "5", {}, [5], [[5]], [[None, 5, 5]], [[None, None]], [[None, "5"]], [[None, 5.0]],
        [[None, True]], [[None, 0]], [[None, 10]], [[100, 5]], [[None, 5], [None, 5]], [[None, 5], [100, 5]],
        [[5, 5], [5, 5], [None, 5]], [[6, 5], [5, 5], [None, 5]], [[-1, 5], [None, 5]],
        [[True, 5], [None, 5]], [["5", 5], [None, 5]], [[5.0, 5], [None, 5]], [[2**53, 5], [None, 5]],
    ],
)  # fmt: skip
def test_steps_that_are_refused(fee: object) -> None:
    with pytest.raises(OptionsError) as refused:
        read_options(Fees, FEES, {"fee": fee})
    assert refused.value.field == "fee"


# ---------------------------------------------------------------------------------------- registry


@pytest.mark.parametrize("each", games(), ids=lambda game: game.id)
def test_a_game_is_found_by_id_and_names(each: Game) -> None:
    assert game(each.id) is each
    assert game(each.names["it"].upper()) is each
    assert game(each.names["en"]) is each


def test_an_unknown_game_names_the_nearest() -> None:
    with pytest.raises(UnknownGame, match="did you mean scopa"):
        game("scoppa")
    with pytest.raises(UnknownGame, match="'chess'"):
        game("chess")


# ------------------------------------------------------------------------------------------- match


@pytest.mark.parametrize(
    ("scores", "expected"), [([3, 5], [2, 1]), ([5, 5], [1, 1]), ([1, 7, 7, 3], [4, 1, 1, 3]), ([0], [1])]
)
def test_places(scores: list[int], expected: list[int]) -> None:
    assert places(scores) == expected


@pytest.mark.parametrize(("best", "past", "reach"), [(10, False, False), (11, False, True), (12, True, True)])
def test_target(best: int, past: bool, reach: bool) -> None:
    assert is_past_target([3, best], 11, "past") == past
    assert is_past_target([best, 3], 11, "reach") == reach


@pytest.mark.parametrize(
    ("scores", "tie_break", "tie_hands", "ko", "expected"),
    [
        ([5, 3], 0, 1, False, Outcome(0, (1, 2), "score")),
        ([3, 5, 1], 2, 3, True, Outcome(1, (2, 1, 3), "score")),
        ([9, 5, 5], 0, 1, False, Outcome(0, (1, 2, 2), "score")),
        ([5, 5], 0, 1, False, None),
        ([5, 5], 1, 1, False, Outcome(None, (1, 1), "draw")),
        ([5, 5], 0, 0, False, Outcome(None, (1, 1), "draw")),
        ([5, 5], 2, 0, True, None),
        ([5, 5], 3, 0, True, Outcome(1, (2, 1), "ko_rule")),
        ([2, 5, 5], 3, 0, False, Outcome(None, (3, 1, 1), "draw")),
    ],
)
def test_verdict(
    scores: list[int], tie_break: int, tie_hands: int, ko: bool, expected: Outcome | None
) -> None:
    order = (*range(1, len(scores)), 0) if ko else None
    assert verdict(scores, tie_break=tie_break, tie_hands=tie_hands, ko_order=order) == expected


@pytest.mark.parametrize(
    ("scores", "ko", "expected"),
    [
        ([5, 3], True, Outcome(0, (1, 2), "score")),
        ([5, 5], False, Outcome(None, (1, 1), "draw")),
        ([5, 5], True, Outcome(1, (2, 1), "ko_rule")),
    ],
)
def test_the_last_hand_that_may_be_played_decides_as_it_stands(
    scores: list[int], ko: bool, expected: Outcome
) -> None:
    order = (1, 0) if ko else None
    assert verdict(scores, tie_break=0, tie_hands=3, ko_order=order, is_last=True) == expected


def test_fewest_points_win_where_they_do() -> None:
    assert verdict([5, 3, 5], tie_break=0, tie_hands=1, ko_order=None, low_wins=True) == Outcome(
        1, (2, 1, 2), "score"
    )
    scores = [3, 9, 5]
    assert abandoned(scores, 0, 0, low_wins=True) == Outcome(2, (3, 2, 1), "abandon", 0)
    assert scores == [9, 9, 5]


def test_the_ko_rule_ranks_all_who_are_level() -> None:
    outcome = verdict([4, 7, 4, 4], tie_break=3, tie_hands=1, ko_order=(2, 3, 0, 1), low_wins=True)
    assert outcome == Outcome(2, (3, 4, 1, 2), "ko_rule")


@pytest.mark.parametrize(
    ("scores", "side", "after", "expected"),
    [
        ([9, 4], 0, [4, 4], Outcome(1, (2, 1), "abandon", 0)),
        ([4, 9], 0, [4, 9], Outcome(1, (2, 1), "abandon", 0)),
        ([9, 4, 6, 6], 0, [4, 4, 6, 6], Outcome(None, (4, 3, 1, 1), "abandon", 0)),
        ([9, 7, 3, 3], 0, [3, 7, 3, 3], Outcome(1, (4, 1, 2, 2), "abandon", 0)),
        ([1, 7, 3], 2, [1, 7, 1], Outcome(1, (2, 1, 3), "abandon", 2)),
    ],
)
def test_abandonment(scores: list[int], side: int, after: list[int], expected: Outcome) -> None:
    assert abandoned(scores, side, side) == expected
    assert scores == after


def test_an_outcome_is_its_json() -> None:
    outcome = Outcome(1, (2, 1), "abandon", 0)
    assert Outcome.from_json(outcome.to_json()) == outcome


# -------------------------------------------------------------------------------------------- fold


def test_a_log_is_dealer_chance_and_moves() -> None:
    state = fold(SCOPA, SCOPA.options({}), [1, [*range(40)], (0, "play Ad"), (1, "play 2d")])
    assert list(state.to_act) == [0]
    assert state.to_json()["table"] == ["Ad", "2d", "7d", "Jd", "Qd", "Kd"]


@pytest.mark.parametrize(
    ("log", "error", "says"),
    [
        ([], ValueError, "first dealer"),
        ([[*range(40)]], ValueError, "first dealer"),
        ([5], ValueError, "no seat 5"),
        ([1, 0], ValueError, "drawn once"),
        ([1, [*range(39)]], ValueError, "permutation"),
        ([1, [*range(40)], [*range(40)]], ValueError, "no shuffle"),
        ([1, (0, "play Ad")], Refused, "not_your_turn"),
        ([1, [*range(40)], (0, "play Kd")], Refused, "not_in_hand"),
    ],
)
def test_a_log_of_other_rules_is_refused(log: list[object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        fold(SCOPA, SCOPA.options({}), log)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------ purity

PURE = {"abc", "collections", "dataclasses", "difflib", "enum", "fractions", "functools", "hashlib", "hmac"}
PURE |= {"itertools", "operator", "struct", "types", "typing", "services.rules"}


@pytest.mark.parametrize(
    "module", sorted(Path(services.rules.__path__[0]).rglob("*.py")), ids=lambda path: path.stem
)
def test_the_rules_import_nothing_that_acts_or_changes(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        for name in names:
            top = ".".join(name.split(".")[:2]) if name.startswith("services") else name.split(".")[0]
            assert top in PURE, f"{module.name} imports {name}"


@given(st.sets(st.integers(0, 127)))
def test_the_members_of_a_set_are_those_that_made_it(cards: set[int]) -> None:
    """Beyond the faces of a deck too: two copies of a face may have numbers of their own."""
    assert members(as_set(cards)) == tuple(sorted(cards))
