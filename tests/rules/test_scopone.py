"""What the cases of scopone do not reach (scopone.md)."""

from typing import Any

import pytest

from services.rules.core.cards import IT40
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.scopone import SCOPONE
from tests.rules.strategies import start

ORDER = [*range(40)]


def dealt(order: list[int] = ORDER, **options: Any) -> State[Any]:
    state = SCOPONE.start(SCOPONE.options(options), 3)
    state.supply(order)
    return state


def shown(state: State[Any], name: str, viewer: int | None = None) -> list[str] | None:
    (cards,) = (zone.cards for zone in state.view(viewer).zones if zone.id == name)
    return None if cards is None else list(cards)


def last_on_table(*faces: str) -> list[int]:
    cards = IT40.read(faces)
    return [*(card for card in ORDER if card not in cards), *cards]


def test_defaults() -> None:
    json = SCOPONE.options_json(SCOPONE.options({}))
    assert json == {
        "variant": "classico",
        "seats": 4,
        "match": "points",
        "target": 21,
        "target_rule": "past",
        "hands": 4,
        "ko": False,
        "tie_hands": 1,
        "seen_cards": False,
        "open_partners": False,
    }


@pytest.mark.parametrize(("field", "value"), [("seats", 2), ("variant", "nuovo"), ("ace_scopa", True)])
def test_options_that_are_refused(field: str, value: object) -> None:
    with pytest.raises(OptionsError) as refused:
        SCOPONE.options({field: value})
    assert refused.value.field == field


@pytest.mark.parametrize(("variant", "each", "table"), [("classico", 9, 4), ("scientifico", 10, 0)])
def test_all_cards_are_dealt_at_once(variant: str, each: int, table: int) -> None:
    state = dealt(variant=variant)
    zones = {zone.id: zone.count for zone in state.public_view().zones}
    assert zones == {
        **{f"hands.{seat}": each for seat in range(4)}, "table": table, "captured.0": 0, "captured.1": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("variant", "phase"), [("classico", "deal"), ("scientifico", "play")])
def test_kings_void_a_deal_only_on_the_table(variant: str, phase: str) -> None:
    assert dealt(last_on_table("Kd", "Kb", "2s", "Ks"), variant=variant).phase == phase
    assert dealt(last_on_table("Kd", "Kb", "2s", "3s"), variant=variant).phase == "play"


def test_what_a_seat_was_dealt_is_its_own_to_open() -> None:
    state = dealt()
    assert state.openings(None) == [36, 37, 38, 39]
    assert state.openings(1) == [*range(1, 36, 4), 36, 37, 38, 39]
    assert dealt(open_partners=True).openings(1) == sorted(
        [*range(1, 36, 4), *range(3, 36, 4), 36, 37, 38, 39]
    )


def test_what_is_seen_grows_by_rounds_and_leaves_out_what_is_left_at_the_end() -> None:
    for seed in range(20):
        match = start(SCOPONE, SCOPONE.options({"seen_cards": True}), seed)
        captured: set[str] = set()  # as of the last full round
        taken: set[str] = set()
        while match.state.hand_score is None:
            for event in match.step():
                if event.kind == "cards_captured":
                    played = match.state.public_view().facts["last_move"]["cards"]
                    taken |= {*played, *event.data["cards"]}
            hands = [len(hand) for hand in match.state.to_json()["hands"]]
            if len(set(hands)) == 1:
                captured = set(taken)
            assert set(shown(match.state, "seen") or []) == captured
        if len(captured) < 40:
            break
    assert len(captured) < 40
    assert match.state.whole_deck_shown


def test_four_seats_never_see_the_last_cards_in_the_open() -> None:
    match = start(SCOPONE, SCOPONE.options({"seen_cards": True}), 1)
    while match.state.needs_chance:
        match.step()
    while match.state.phase == "play":
        assert shown(match.state, "hands.0", viewer=1) is None
        match.step()


POSITION: dict[str, Any] = {
    "dealer": 3,
    "hands": [["Qd", "5s"], ["Jd", "Kd"], ["Kc", "2s"], ["Ks", "3s"]],
    "table": ["2c", "7b", "Qb", "4c"],
    "captured": [["As", "Ac", "Ab", "Ad"], "any"],
    "last_capture": 1,
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"stock": []}, "stock"),
        ({"hands": [["Qd", "5s"], ["Jd", "Kd"], ["Kc", "2s"]]}, "hands"),
        ({"hands": [["Qd", "5s"], ["Jd", "Kd"], ["Kc"], ["Ks", "3s"]]}, "hands"),
        ({"to_act": [1]}, "hands"),
        ({"to_act": [4]}, "to_act"),
        ({"to_act": [0, 1]}, "to_act"),
        ({"last_capture": 4}, "last_capture"),
        ({"captured": [["As", "Ac", "Ab", "Ad"], []]}, "cards"),
        ({"last_capture": None}, "last_capture"),
        ({"dealer": 4}, "dealer"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        SCOPONE.from_json(SCOPONE.options({}), {**POSITION, **change})
    assert refused.value.field == field


def test_ten_cards_each_are_scientifico_only() -> None:
    hands = [IT40.show(range(seat, 40, 4)) for seat in range(4)]
    position = {"dealer": 3, "hands": hands}
    SCOPONE.from_json(SCOPONE.options({"variant": "scientifico"}), position)
    with pytest.raises(PositionError):
        SCOPONE.from_json(SCOPONE.options({}), position)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("play 6d", "not_in_hand", "6d"),
        ("play Qd", "capture_required", "Qd"),
        ("play Qd take Jb", "not_on_table", "Jb"),
        ("play Qd take Qb Qb", "not_on_table", "Qb"),
        ("play Qd take 2c 7b", "must_take_equal", "Qb"),
        ("play Qd take 7b", "not_a_capture", "7b"),
    ],
)
def test_refusal(text: str, code: str, where: str) -> None:
    refusal = SCOPONE.from_json(SCOPONE.options({}), POSITION).check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)
