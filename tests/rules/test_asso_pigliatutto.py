"""What the cases of asso pigliatutto do not reach (asso_pigliatutto.md)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.cards import IT40, as_set
from services.rules.core.errors import OptionsError
from services.rules.core.state import State
from services.rules.families.captures import VALUE, equal_or_sums
from services.rules.games.asso_pigliatutto import ASSO_PIGLIATUTTO


def position(hand: list[str], table: list[str], **options: Any) -> State[Any]:
    """Seat 0 to act with these cards; the other cards are elsewhere."""
    others = [face for face in IT40.faces if face not in (*hand, *table)]
    json = {
        "dealer": 1,
        "hands": [hand, others[: len(hand)]],
        "table": table,
        "stock": others[len(hand) : len(hand) + 6],
        "captured": [[], "any"],
        "last_capture": 1,
    }
    return ASSO_PIGLIATUTTO.from_json(ASSO_PIGLIATUTTO.options(options), json)


@given(cards=st.lists(st.integers(0, 39), min_size=1, max_size=12, unique=True))
def test_what_a_card_takes(cards: list[int]) -> None:
    card, *on_table = cards
    played, table = IT40.faces[card], sorted(on_table)
    aces = [face for face in IT40.show(table) if face[0] == "A"]
    if played[0] != "A":
        takes = [IT40.show_set(taken) for taken in equal_or_sums(as_set(table), VALUE[card])]
    elif aces:
        takes = [[ace] for ace in aces]
    else:
        takes = [IT40.show(table)] if table else []
    texts = [f"play {played} take {' '.join(taken)}" for taken in takes] or [f"play {played}"]
    assert [move.text for move in position([played], IT40.show(table)).legal(0)] == texts


@pytest.mark.parametrize(
    ("table", "text", "code", "where"),
    [
        ("3d 4c", "play Ac take 3d", "not_in_hand", "Ac"),
        ("3d 4c", "play As", "capture_required", "As"),
        ("3d 4c", "play As take 5c", "not_on_table", "5c"),
        ("3d 4c", "play As take 3d 4c 4c", "not_on_table", "4c"),
        ("3d 4c", "play As take 4c", "must_take_all", "3d"),
        ("", "play As take 4c", "not_on_table", "4c"),
        ("Ad 4c", "play As take 4c", "must_take_equal", "Ad"),
        ("Ad 4c", "play As take Ad 4c", "must_take_equal", "Ad"),
        ("Ad Ab 4c", "play As take Ad Ab", "must_take_equal", "Ad"),
        ("7c 3d 4c", "play 7d take 3d 4c", "must_take_equal", "7c"),
        ("7c 7b", "play 7d take 7c 7b", "not_a_capture", "7c"),
        ("3d 4c", "play 7d take 3d", "not_a_capture", "3d"),
    ],
)
def test_refusal(table: str, text: str, code: str, where: str) -> None:
    refusal = position(["As", "7d", "2b"], table.split()).check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


@pytest.mark.parametrize(
    ("table", "text", "by_default", "without"),
    [
        ("Qd", "play As take Qd", 1, 0),
        ("3d Qd", "play As take 3d Qd", 1, 0),
        ("Ac", "play As take Ac", 1, 1),
        ("Ac 6b", "play 7d take 6b Ac", 1, 1),
        ("Ac 6b", "play As take Ac", 0, 0),
    ],
)
def test_scopa_with_an_ace(table: str, text: str, by_default: int, without: int) -> None:
    for ace_scopa, scope in ((True, by_default), (False, without)):
        state = position(["As", "7d", "2b"], table.split(), ace_scopa=ace_scopa)
        events = state.apply(0, text).events
        assert state.public_view().facts["scope"] == [scope, 0]
        assert sum(event.kind == "scopa_made" for event in events) == scope


def test_defaults_and_options_that_are_refused() -> None:
    json = ASSO_PIGLIATUTTO.options_json(ASSO_PIGLIATUTTO.options({}))
    assert (json["target"], json["target_rule"], json["hands"], json["ace_scopa"]) == (21, "past", 2, True)
    for field, value in (("ace_scopa", 1), ("open_partners", True), ("matta", True)):
        with pytest.raises(OptionsError) as refused:
            ASSO_PIGLIATUTTO.options({field: value})
        assert refused.value.field == field
