"""Bestia beyond its cases: every refusal, options, what a seat sees, what may be opened, most losses."""

from typing import Any

import pytest

from services.rules.core.cards import IT40
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.bestia import BESTIA
from tests.rules.playing import played

HANDS = [["Ad", "4c", "2s"], ["Kb", "Jb", "5d"], ["2d", "4d", "6s"], ["3s", "Ks", "7c"]]
JOIN = {"dealer": 3, "phase": "join", "briscola": "7b", "status": ["?"] * 4, "hands": HANDS, "stock": "any"}
PLAY = {
    "dealer": 3,
    "briscola": "Ab",
    "status": ["in", "blind", "out", "in"],
    "hands": [["Ad", "3b", "2s"], ["Kb", "5d", "6d"], [], ["3c", "Kd", "7c"]],
}


def position(json: dict[str, Any], **options: Any) -> State[Any]:
    return BESTIA.from_json(BESTIA.options(options), json)


@pytest.mark.parametrize(
    ("moves", "seat", "text", "code", "where"),
    [
        ([], 0, "play Ad", "wrong_phase", "play"),
        ([], 0, "blind", "wrong_phase", "blind"),
        ([], 0, "join Kd", "not_in_hand", "Kd"),
        ([], 0, "join Ad Ad", "not_in_hand", "Ad"),
        ([], 0, "join Ad 4c 2s 4c", "unparsable", ""),
        ([], 0, "join ", "unparsable", ""),
        ([], 0, "blind Ad", "unparsable", ""),
        ([(0, "pass"), (1, "join"), (2, "join"), (3, "join")], 0, "join", "wrong_phase", "join"),
        ([(0, "join"), (1, "join"), (2, "join"), (3, "join")], 0, "pass", "wrong_phase", "pass"),
    ],
)
def test_refusals_of_the_declarations(
    moves: list[tuple[int, str]], seat: int, text: str, code: str, where: str
) -> None:
    refusal = played(position(JOIN), *moves).check(seat, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


@pytest.mark.parametrize(
    ("moves", "seat", "text", "code"),
    [
        ([], 0, "play Kb", "not_in_hand"),
        ([], 0, "play Ad", "must_lead_top_trump"),  # the ace is turned up: the three is the top trump
        ([(0, "play 3b")], 1, "play 5d", "must_follow_suit"),
        ([(0, "play 3b"), (1, "play Kb")], 3, "join", "wrong_phase"),
    ],
)
def test_refusals_of_the_play(moves: list[tuple[int, str]], seat: int, text: str, code: str) -> None:
    refusal = played(position(PLAY, lead_top_trump=True), *moves).check(seat, text)
    assert refusal is not None
    assert refusal.code == code


def test_with_the_duty_to_trump_any_trump_will_do() -> None:
    hands = [["Ac", "3c", "2s"], ["Kb", "5b", "6d"], [], ["3d", "Kd", "7c"]]
    state = played(position({**PLAY, "hands": hands}, must_trump=True), (0, "play Ac"))
    refusal = state.check(1, "play 6d")
    assert refusal is not None
    assert refusal.code == "must_trump"
    assert [move.text for move in state.legal(1)] == ["play 5b", "play Kb"]


@pytest.mark.parametrize(
    "options",
    [{"seats": 2}, {"seats": 6}, {"ante": 4}, {"ante": 0}, {"ante": 303}, {"hands": 21}, {"ko": True}],
)
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        BESTIA.options(options)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"status": ["in", "in", "out"]}, "status"),
        ({"status": ["in", "out", "out", "out"]}, "status"),
        ({"briscola": None}, "briscola"),
        ({"briscola": "Ad"}, "cards"),
        ({"leader": 2}, "leader"),
        ({"pot": 10}, "pot"),
        ({"tricks": [1, 0, 0, 0]}, "hands"),
        ({"to_act": [1]}, "to_act"),
        ({"phase": "blind"}, "status"),
        ({"phase": "bid"}, "phase"),
        ({"hands": [["Ad"], [], []]}, "hands"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        position({**PLAY, **change})
    assert refused.value.field == field


def test_a_seat_sees_its_own_exchange_only() -> None:
    state = position(JOIN)
    (event,) = state.apply(0, "join 4c 2s").events
    assert (event.kind, event.data) == ("seat_joined", {"exchanged": 2})
    assert event.private == {0: {"thrown": ["4c", "2s"], "drawn": ["3d", "6d"]}}
    assert state.sealed(0, "join 4c 2s")
    assert not state.sealed(0, "join")
    assert not state.sealed(2, "pass")


def test_what_may_be_opened() -> None:
    """Seat 1 after dealer 0 has the places 0, 3 and 6; the card turned up is the tenth."""
    state = BESTIA.start(BESTIA.options({"seats": 3}), 0)
    state.supply(range(40))
    assert state.openings(None) == [9]
    assert state.openings(1) == [0, 3, 6, 9]
    state.apply(1, "join Ad")
    assert state.openings(1) == [0, 3, 6, 9, 10]
    assert state.openings(2) == [1, 4, 7, 9]
    played(state, (2, "pass"), (0, "pass"), (2, "pass"), (0, "pass"))
    assert state.over
    assert state.openings(None) == [9]
    assert state.openings(2) == [1, 4, 7, 9]
    assert not state.whole_deck_shown


def test_prompts_say_what_is_asked() -> None:
    state = position(JOIN)
    assert [prompt.code for prompt in state.public_view().prompts] == ["join_or_pass"]
    played(state, (0, "pass"), (1, "join"), (2, "join"), (3, "join"))
    assert [prompt.code for prompt in state.public_view().prompts] == ["blind_or_pass"]
    state.apply(0, "pass")
    assert [prompt.code for prompt in state.public_view().prompts] == ["play_card"]


def test_all_complete_tricks_are_seen_with_their_winners() -> None:
    state = played(position(PLAY), (0, "play Ad"), (1, "play 5d"), (3, "play Kd"))
    complete = state.view(None).facts["complete"]
    assert complete == [{"leader": 0, "winner": 0, "cards": ["Ad", "5d", "Kd"]}]


def test_a_seat_that_has_passed_pays_nothing_for_leaving() -> None:
    state = position(PLAY)
    state.apply(2, "abandon")
    assert state.scores == [1, 1, -3, 1]
    assert state.outcome is not None
    assert state.outcome.places == (1, 1, 4, 1)


def test_between_hands_the_pot_goes_to_the_others_and_a_balance_is_cut() -> None:
    between = {"dealer": 1, "phase": "deal", "hand": 3, "pot": 13, "scores": [8, -9, -12, 0]}
    state = position(between, hands=5)
    state.apply(0, "abandon")
    assert state.scores == [
        0,
        -3,
        -4,
        7,
    ]  # seats 2, 3 and 1 get 5, 4 and 4 of the pot; 3, 3 and 2 of the balance
    assert sum(state.scores) == 0
    assert state.hand_score is None


@pytest.mark.parametrize(
    ("pot", "scores", "options", "most"),
    [
        (0, [0, 0, 0], {}, 12),
        (27, [-9, -9, -9], {}, 39),
        (6000, [-2000] * 3, {"carry": True}, 3003),
        (0, [30, -15, -15], {}, 30),
    ],
)
def test_the_most_that_a_hand_takes_can_be_lost(
    pot: int, scores: list[int], options: dict[str, Any], most: int
) -> None:
    """By going bestia, or by leaving after it with what was won before."""
    before = {"dealer": 2, "phase": "deal", "hand": 2, "pot": pot, "scores": scores}
    state = position(before, seats=3, hands=5, **options)
    assert state.max_loss(0) == most
    deck = IT40.read(["2d", "Ad", "Ac", "2c", "Kd", "Kc", "2s", "Qd", "Qc", "4b"])
    state.supply([*deck, *(card for card in range(40) if card not in deck)])
    played(state, (0, "join"), (1, "join"), (2, "join"))
    played(state, (0, "play 2d"), (1, "play Ad"), (2, "play Ac"))
    while state.to_act:
        state.apply(state.to_act[0], state.legal(state.to_act[0])[0].text)
    if state.scores[0] > 0:
        state.apply(0, "abandon")
    assert scores[0] - state.scores[0] == most
