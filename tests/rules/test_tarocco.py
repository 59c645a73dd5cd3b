"""Tarocco beyond its cases: order of refusals, what views show, sums of scores and money (tarocco.md)."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import TAROCCO40
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.core.view import View
from services.rules.games.tarocco import TAROCCO
from services.rules.games.tarocco_calls import CALLS
from services.rules.games.tarocco_cards import ALL_CARDS, card_points
from services.rules.games.tarocco_money import settle
from services.rules.games.tarocco_scoring import GREATEST_FORFEIT
from tests.rules.strategies import matches, open_hands, option_sets

HANDS = [
    ["T5", "T9", "T12", "T15", "T18", "T22", "Qh", "Kh", "Cs", "Ks"],
    ["T6", "T10", "T14", "T17", "T21", "Jh", "Qd", "Kd", "Jc", "10s"],
    ["T1", "T7", "T11", "T19", "T20", "Ch", "Cd", "10c", "Kc", "Qs"],
    ["T4", "T8", "T13", "T16", "Ah", "Ad", "Jd", "Cc", "Qc", "Js"],
]
STRONG = [
    ["T12", "T14", "T15", "T17", "T18", "T19", "T21", "T22", "Kh", "Ks"],
    ["T6", "T10", "T16", "Jh", "Qh", "Qd", "Kd", "Jc", "10s", "Cs"],
    ["T1", "T7", "T9", "T11", "T20", "Ch", "Cd", "10c", "Kc", "Qs"],
    ["T4", "T5", "T8", "T13", "Ah", "Ad", "Jd", "Cc", "Qc", "Js"],
]
BOUND = [
    ["T5", "T9", "T12", "T15", "T18", "T19", "Qh", "Kh", "Cs", "Ks"],
    ["T1", "T10", "T14", "T21", "T22", "T17", "Qd", "Kd", "Kc", "10s"],
    ["T6", "T7", "T11", "Jh", "T20", "Ch", "Cd", "10c", "Jc", "Qs"],
    ["T4", "T8", "T13", "T16", "Ah", "Ad", "Jd", "Cc", "Qc", "Js"],
]
"""Seat 1 is bound to say kontra, and strong enough for tutte le prese."""


def table(hands: Sequence[Sequence[str]] = HANDS, options: Any = (), **position: Any) -> State[Any]:
    """Forehand is seat 0."""
    position = {"dealer": 3, "hands": hands, **position}
    return TAROCCO.from_json(TAROCCO.options(dict(options)), position)


def said(state: State[Any], *calls: str) -> State[Any]:
    """The same state after these moves, each of whoever is to act."""
    for call in calls:
        state.apply(state.to_act[0], call)
    return state


CALLED = ("bid XX", "done", "pass", "pass", "pass")


# ----------------------------------------------------------------------------------------- deal


def dealt(deck: Sequence[str]) -> tuple[State[Any], Any]:
    state = TAROCCO.start(TAROCCO.options({}), 3)
    (event,) = state.supply([TAROCCO40.number[face] for face in deck])
    return state, event


def deck_of(hands: Sequence[Sequence[str]]) -> list[str]:
    return [face for half in (slice(5), slice(5, 10)) for hand in hands for face in hand[half]]


def test_an_annulled_deal_shows_its_reason_alone() -> None:
    poor = ["T4", "Ah", "Jh", "Ch", "Qh", "Kh", "Ad", "Jd", "Cd", "Qd"]
    rest = [face for face in TAROCCO40.texts if face not in poor]
    state, event = dealt(deck_of([poor, *(rest[seat::3] for seat in range(3))]))
    assert event == ("deal_voided", None, {"reason": "too_few_tarocks"}, None)
    assert state.needs_chance
    assert state.needs_chance.purpose == "redeal"
    assert [list(state.openings(viewer)) for viewer in (None, 0)] == [[], []]
    assert not state.whole_deck_shown


def test_four_low_cards_are_a_reason_too() -> None:
    low = ["T4", "T5", "T6", "T7", "T8", "T9", "Ah", "Ad", "10c", "10s"]
    rest = [face for face in TAROCCO40.texts if face not in low]
    _, event = dealt(deck_of([*(rest[seat::3] for seat in range(3)), low]))
    assert event.data == {"reason": "four_low_cards"}


def test_a_deal_shows_each_seat_its_hand() -> None:
    state, event = dealt(deck_of(HANDS))
    assert event.data == {"dealer": 3, "hands": [10] * 4}
    for seat, hand in enumerate(HANDS):
        assert [
            sorted(each) if isinstance(each, list) else each for each in event.private[seat]["hands"]
        ] == [sorted(hand) if owner == seat else 10 for owner in range(4)]
        first = 5 * seat
        assert list(state.openings(seat)) == [*range(first, first + 5), *range(20 + first, 25 + first)]
    assert list(state.openings(None)) == []


# ----------------------------------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("hands", "calls", "call", "code"),
    [
        # each refused for two reasons or more: the first row counts
        (HANDS, (), "play T21", "wrong_phase"),
        (HANDS, (), "announce bagatto", "must_bid"),
        (
            HANDS,
            ("bid XX", "announce assoluto", "done", *["pass"] * 2, "kontra gioco", "done"),
            "bid XX",
            "own_game",
        ),
        (HANDS, ("bid solo", "done", "kontra gioco"), "bid XVIII", "already_accepted"),
        (HANDS, ("bid XX", "done"), "bid XVIII", "bid_too_low"),
        (STRONG, ("bid XX", "announce tutte"), "pass", "not_allowed"),
        (BOUND, ("bid XX", "done"), "done", "not_allowed"),
        (BOUND, ("bid XX", "done", "announce bagatto"), "pass", "not_allowed"),
        (STRONG, ("bid XX", "announce tutte"), "announce tutte", "closed_by_tutte"),
        (STRONG, ("bid XX", "announce tutte"), "kontra gioco", "closed_by_tutte"),
        (STRONG, ("bid XX", "announce tutte"), "kontra tutte", "wrong_side"),
        (STRONG, ("bid XX", "announce tutte"), "rekontra tutte", "nothing_to_double"),
        (STRONG, ("bid XX", "announce tutte", "done"), "rekontra tutte", "wrong_side"),
        (STRONG, ("bid XX", "announce tutte", "done"), "subkontra tutte", "nothing_to_double"),
        (HANDS, ("bid XX", "done", "kontra gioco", "done", "pass", "pass"), "kontra gioco", "already_called"),
        (HANDS, ("bid XX", "done", "bid solo_seme"), "announce bagatto", "no_bagatto_in_suit_solo"),
        (HANDS, ("bid XX",), "kontra assoluto", "nothing_to_double"),
        (HANDS, ("bid XX", "announce assoluto"), "kontra assoluto", "wrong_side"),
        (HANDS, ("bid XX", "announce assoluto", "done"), "rekontra assoluto", "wrong_side"),
        (HANDS, CALLED, "kontra gioco", "wrong_phase"),
    ],
)
def test_the_first_reason_counts(
    hands: Sequence[Sequence[str]], calls: Sequence[str], call: str, code: str
) -> None:
    state = said(table(hands), *calls)
    refusal = state.check(state.to_act[0], call)
    assert refusal is not None
    assert refusal.code == code


def test_every_row_of_section_8_has_a_case() -> None:
    cases = json.loads((Path(__file__).parent / "cases" / "tarocco.json").read_text(encoding="utf-8"))
    codes = {move.get("error") for case in cases for move in case["moves"]}
    assert codes >= {
        "wrong_phase", "must_bid", "own_game", "already_accepted", "bid_too_low", "wrong_tarock",
        "too_few_suit_cards", "not_allowed", "must_kontra", "closed_by_tutte", "already_called",
        "no_bagatto_in_suit_solo", "not_bagatto_holder", "needs_kontra", "hand_too_weak", "wrong_side",
        "nothing_to_double", "not_in_hand", "no_tarock_lead", "must_follow_suit", "must_trump",
        "keep_bagatto",
    }  # fmt: skip


@given(data=st.data())
@settings(max_examples=60)
def test_what_is_not_refused_is_listed(data: st.DataObject) -> None:
    state = data.draw(open_hands(TAROCCO)).state
    (seat,) = state.to_act
    texts = [call.text for call in CALLS] + [f"play {face}" for face in TAROCCO40.texts]
    accepted = [text for text in texts if state.check(seat, text) is None]
    assert sorted(move.text for move in state.legal(seat)) == sorted(accepted)


@pytest.mark.parametrize("call", ["kontra gioco", "bid solo", "announce tutte"])
def test_the_forced_kontra_is_lifted(call: str) -> None:
    state = said(table(BOUND), "bid XX", "done")
    assert "pass" not in [move.text for move in state.legal(1)]
    said(state, call)
    assert "done" in [move.text for move in state.legal(1)]


def test_calls_are_steps_of_a_turn() -> None:
    state = table()
    marks = [
        (call, state.apply(state.to_act[0], call).turn_ended)
        for call in ("bid XX", "announce assoluto", "done", "kontra gioco", "done", "pass", "pass", "pass")
    ]
    assert [call for call, ended in marks if not ended] == ["bid XX", "announce assoluto", "kontra gioco"]
    assert state.phase == "play"


def test_a_higher_game_makes_new_sides() -> None:
    state = said(table(), "bid XX", "done", "kontra gioco", "done")
    assert state.public_view().facts["revealed"] == ["caller", "opponents", None, None]
    said(state, "bid solo")
    facts = state.public_view().facts
    assert facts["revealed"] == ["opponents", "opponents", "caller", "opponents"]
    assert facts["contract"]["kontra"] == 0
    assert facts["accepted"] == [1]


# ----------------------------------------------------------------------------------------- play


def zones(view: View) -> dict[str, Any]:
    return {zone.id: zone.count if zone.cards is None else list(zone.cards) for zone in view.zones}


def test_montes_are_seen_by_their_owners_and_the_partner_s_by_the_caller() -> None:
    state = said(table(), *CALLED, "play Ks", "play 10s", "play Qs", "play Js")
    monte = ["10s", "Js", "Qs", "Ks"]
    assert [zones(state.view(viewer))["captured.0"] for viewer in (None, 0, 1, 2, 3)] == [4, monte, 4, 4, 4]
    said(state, "play T5", "play T6", "play T20", "play T4")
    monte = ["T4", "T5", "T6", "T20"]
    assert [zones(state.view(viewer))["captured.2"] for viewer in (None, 0, 1, 2, 3)] == [
        4, monte, 4, monte, 4,
    ]  # fmt: skip
    assert [zones(state.view(viewer))["captured.0"] for viewer in (1, 2, 3)] == [4, 4, 4]


def test_the_last_trick_is_shown_until_the_next_one_is_complete() -> None:
    state = said(table(), *CALLED, "play Ks", "play 10s", "play Qs")
    assert state.public_view().facts["last_trick"] is None
    applied = state.apply(3, "play Js")
    assert applied.lead_in_ms == 800
    assert [event.kind for event in applied.events] == ["card_played", "trick_taken"]
    trick = {"leader": 0, "cards": ["Ks", "10s", "Qs", "Js"], "winner": 0}
    said(state, "play T5")
    facts = state.public_view().facts
    assert facts["last_trick"] == trick
    assert facts["tricks"] is None
    assert facts["dealt"] is None


def test_after_the_hand_everybody_sees_all_of_it() -> None:
    state, _ = dealt(deck_of(HANDS))
    said(state, "bid XX", "done", "pass", "pass", "pass")
    while state.phase == "play":
        said(state, state.legal(state.to_act[0])[0].text)
    facts = state.view(None).facts
    assert [sorted(hand) for hand in facts["dealt"]] == [sorted(hand) for hand in HANDS]
    assert len(facts["tricks"]) == 10
    assert sorted(face for trick in facts["tricks"] for face in trick["cards"]) == sorted(TAROCCO40.texts)
    assert list(state.openings(None)) == list(range(40))
    assert state.whole_deck_shown
    assert all(isinstance(cards, list) for cards in zones(state.view(None)).values())


def test_a_hand_of_which_part_is_unknown_shows_no_deal() -> None:
    state = table(
        [["Kh"], ["Ah"], ["Jh"], ["Ch"]],
        captured=["any", [], [], []],
        contract={"game": "solo", "caller": 0, "called": None, "kontra": 0, "additions": []},
    )
    said(state, "play Kh", "play Ah", "play Jh", "play Ch")
    facts = state.view(None).facts
    assert facts["dealt"] is None
    assert len(facts["tricks"]) == 1


# ----------------------------------------------------------------------------------------- scores and money


@given(data=st.data())
@settings(max_examples=80)
def test_units_and_money_go_round(data: st.DataObject) -> None:
    match = data.draw(open_hands(TAROCCO, steps=0))
    state, options = match.state, match.options
    most = state.max_loss(0)
    leaver = data.draw(st.none() | st.integers(0, 60))
    for _ in range(leaver or 400):
        if state.phase in ("deal", "over"):
            break
        match.step()
    if state.phase not in ("deal", "over"):
        state.apply(data.draw(st.integers(0, 3)), "abandon")
    score = state.hand_score
    assert score is not None
    items = [points for item, points in score.items() if item not in ("points", "total")]
    assert [sum(points) for points in zip(*items, strict=True)] == list(score["total"])
    assert sum(score["total"]) == 0
    assert max(map(abs, score["total"])) <= 3 * GREATEST_FORFEIT
    if state.settlement is None:
        assert options.stake == 0  # type: ignore[attr-defined]
        return
    delta = state.settlement["delta"]
    assert sum(delta) + state.settlement["commission"] == 0
    assert -min(delta) <= most
    for money, units in zip(delta, score["total"], strict=True):
        assert money * units >= 0


@given(
    options=option_sets(TAROCCO),
    value=st.integers(-GREATEST_FORFEIT, GREATEST_FORFEIT),
    callers=st.sampled_from([0b0001, 0b1000, 0b0101, 0b1010, 0b0110]),
)
def test_no_money_is_made_or_lost(options: Any, value: int, callers: int) -> None:
    money = settle(options, value, callers)
    assert (money is None) == (options.stake == 0)
    if money is None:
        return
    assert sum(money["delta"]) + money["commission"] == 0
    assert money["commission"] >= 0
    assert money["amount"] <= options.stake * abs(value)
    assert options.limit is None or money["amount"] <= options.limit
    alone = callers.bit_count() == 1
    for seat, cents in enumerate(money["delta"]):
        won = (value > 0) == bool(callers >> seat & 1)
        if not value:
            assert cents == 0
        elif won:
            assert cents >= 0
        else:
            assert cents == -money["amount"] * (3 if alone and value < 0 else 1)


def test_the_cards_count_88() -> None:
    assert card_points(ALL_CARDS) == 88


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 0),
        ({"stake": 10}, 5820),
        ({"stake": 10, "limit": 500}, 1500),
        ({"stake": 10, "limit": 10**6}, 5820),
    ],
)
def test_what_is_reserved_before_a_deal(options: dict[str, int], most: int) -> None:
    assert TAROCCO.start(TAROCCO.options(options), 0).max_loss(2) == most


def test_settlement_and_score_stay_until_the_next_hand_ends() -> None:
    state, _ = dealt(deck_of(HANDS))
    state.options = TAROCCO.options({"stake": 100})
    said(state, "bid XX", "done", "pass", "pass", "pass")
    while state.phase == "play":
        said(state, state.legal(state.to_act[0])[0].text)
    score, money = state.hand_score, state.settlement
    assert money is not None
    state.supply([TAROCCO40.number[face] for face in deck_of(HANDS)])
    assert state.phase == "calls"
    assert (state.hand_score, state.settlement) == (score, money)
    facts = state.public_view().facts
    assert (facts["contract"], facts["revealed"], facts["accepted"]) == (None, [None] * 4, [])
    assert facts["last_trick"] is None


# ----------------------------------------------------------------------------------------- options, positions


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("seats", {"seats": 3}),
        ("hands", {"hands": 0}),
        ("hands", {"hands": 41}),
        ("target", {"target": 4}),
        ("target", {"target": 501}),
        ("stake", {"stake": -1}),
        ("stake", {"stake": None}),
        ("limit", {"stake": 10, "limit": 9}),
        ("limit", {"limit": True}),
        ("commission", {"commission": [[None, 2501]]}),
        ("commission", {"commission": [[100, 0]]}),
        ("commission", {"commission": None}),
        ("tie_hands", {"tie_hands": 1}),
    ],
)
def test_options_that_are_refused(field: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError) as refused:
        TAROCCO.options(options)
    assert refused.value.field == field


SOLO = {"game": "solo", "caller": 0, "called": None, "kontra": 0, "additions": []}
CHIAMANTE = {**SOLO, "game": "chiamante", "called": "T20"}


@pytest.mark.parametrize(
    ("field", "position"),
    [
        ("hands", {"hands": HANDS[:3]}),
        ("cards", {"hands": [*HANDS[:3], HANDS[3][:9]]}),
        ("hands", {"hands": [*HANDS[:3], HANDS[3][:9]], "captured": ["any", [], [], []]}),
        ("contract", {"phase": "play"}),
        ("contract", {"contract": {**SOLO, "game": "grande"}}),
        ("contract", {"contract": {**SOLO, "caller": 4}}),
        ("contract", {"contract": {**SOLO, "called": "T20"}}),
        ("contract", {"contract": {**SOLO, "kontra": 4}}),
        ("contract", {"contract": {**CHIAMANTE, "called": "T21"}}),
        ("contract", {"contract": {**CHIAMANTE, "called": None}}),
        ("contract", {"contract": {**SOLO, "additions": [{"call": "gioco", "seat": 0, "kontra": 0}]}}),
        ("contract", {"contract": {**SOLO, "additions": [{"who": 0}]}}),
        ("contract", {"contract": "solo"}),
        ("partner", {"contract": {**CHIAMANTE, "caller": 2}}),
        ("leader", {"contract": SOLO, "leader": 4}),
        ("to_act", {"contract": SOLO, "to_act": [2]}),
        (
            "hands",
            {"contract": SOLO, "hands": [HANDS[0][:9], *HANDS[1:]], "captured": [HANDS[0][9:], [], [], []]},
        ),
        ("bids", {"bids": []}),
    ],
)
def test_positions_that_cannot_be(field: str, position: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as refused:
        table(**position)
    assert refused.value.field == field


def test_a_contract_says_who_has_declared_his_side() -> None:
    bagatto = {"call": "bagatto", "seat": 2, "kontra": 0}
    assert table(contract=CHIAMANTE).to_json()["revealed"] == ["caller", None, None, None]
    assert None not in table(contract={**CHIAMANTE, "additions": [bagatto]}).to_json()["revealed"]
    assert None not in table(contract=SOLO).to_json()["revealed"]


def test_full_hands_show_their_bonus() -> None:
    state = table(BOUND, contract=CHIAMANTE)
    assert state.to_json()["bonus"] == {"tous_les_trois": 1, "quattro_re": None, "presa_mondo": None}
    said(state, "play Kh")
    again = TAROCCO.from_json(state.options, state.to_json())
    assert again.to_json() == state.to_json()


@given(data=st.data())
@settings(max_examples=30)
def test_the_dealer_moves_on_after_every_hand_but_the_last(data: st.DataObject) -> None:
    match = data.draw(matches(TAROCCO, steps=0))
    dealer = match.state.dealer
    hands = 0
    while not match.state.over and hands < 5:
        before = match.state.phase
        match.step()
        if before == "play" and match.state.phase in ("deal", "over"):
            hands += 1
            assert match.state.dealer == (dealer + hands - match.state.over) % 4
