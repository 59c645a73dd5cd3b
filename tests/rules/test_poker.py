"""Poker beyond its cases: refusals, options, blinds, amounts, pots, hands, the exchange, leaving, views."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import FR52, as_set
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.poker import POKER
from services.rules.games.poker_hands import best, strength
from services.rules.games.poker_pots import side_pots
from tests.rules.playing import played
from tests.rules.strategies import option_sets, start

FOUR = [
    ["Th", "Td", "8c", "9s", "Qc"], ["Jh", "Jd", "7c", "9c", "Kh"], ["Ac", "8h", "9d", "7s", "Kd"],
    ["7h", "7d", "8d", "8s", "As"],
]  # fmt: skip
OPEN = {"dealer": 0, "scores": [990] * 4, "hands": FOUR, "stock": "any"}
FINAL = {**OPEN, "phase": "final", "opener": 1, "put": [30] * 4, "scores": [970] * 4}


def position(json: dict[str, Any], **options: Any) -> State[Any]:
    hands = json.get("hands", json["scores"])
    return POKER.from_json(POKER.options({"seats": len(hands), "blind": False, **options}), json)


def dealt(**options: Any) -> State[Any]:
    """The first hand of a match, dealer 0, the deck in deck order."""
    state = POKER.start(POKER.options(options), 0)
    assert state.needs_chance is not None
    state.supply(range(len(state.needs_chance.cards)))
    return state


@pytest.mark.parametrize(
    ("moves", "text", "code"),
    [
        ([], "blind", "wrong_phase"),
        ([], "noblind", "wrong_phase"),
        ([], "change", "wrong_phase"),
        ([], "parola", "wrong_phase"),
        ([], "call", "no_bet"),
        ([], "raise 20", "no_bet"),
        ([(1, "check")], "bet 10", "no_openers"),
        ([(1, "check")], "bet 99999", "no_openers"),
        ([], "bet 1000", "not_enough_chips"),
        ([], "bet 5", "bet_too_small"),
        ([], "bet 15", "not_a_multiple"),
        ([], "bet 50", "bet_too_big"),
        ([(1, "bet 20")], "check", "facing_a_bet"),
        ([(1, "bet 20")], "bet 40", "facing_a_bet"),
        ([(1, "bet 20")], "parola", "wrong_phase"),
        ([(1, "bet 20")], "raise 20", "bet_too_small"),
        ([(1, "bet 20")], "raise 35", "bet_too_small"),
        ([(1, "bet 20")], "raise 45", "not_a_multiple"),
        ([(1, "bet 20")], "raise 130", "bet_too_big"),
        ([(1, "bet 20")], "raise 1000", "not_enough_chips"),
        ([], "bet", "unparsable"),
        ([], "bet -1", "unparsable"),
        ([], "bet 010", "unparsable"),
        ([], "raise ten", "unparsable"),
        ([], "fold now", "unparsable"),
        ([], "change Xx", "unparsable"),
        ([], "change ", "unparsable"),
        ([], "change 2h", "wrong_phase"),
    ],
)
def test_refusals_of_the_opening(moves: list[tuple[int, str]], text: str, code: str) -> None:
    state = played(position(OPEN), *moves)
    refusal = state.check(state.to_act[0], text)
    assert refusal is not None
    assert refusal.code == code


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("check", "wrong_phase", "check"),
        ("fold", "wrong_phase", "fold"),
        ("bet 10", "wrong_phase", "bet"),
        ("change Jh Jd 7c 9c Kh", "too_many_cards", "9c"),
        ("change 2h 2h 2h 2h 2h", "too_many_cards", "2h"),
        ("change 2h", "not_in_hand", "2h"),
        ("change Jh Jh", "not_in_hand", "Jh"),
    ],
)
def test_refusals_of_the_exchange(text: str, code: str, where: str) -> None:
    refusal = position({**FINAL, "phase": "change"}).check(1, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


def test_refusals_of_the_last_betting() -> None:
    state = position(FINAL)
    for text, code in (("call", "no_bet"), ("bet 130", "bet_too_big"), ("change", "wrong_phase")):
        refusal = state.check(1, text)
        assert refusal is not None
        assert refusal.code == code
    state.apply(1, "check")
    refusal = state.check(2, "parola")
    assert refusal is not None
    assert refusal.code == "parola_not_allowed"


def test_no_parola_with_a_seat_that_is_all_in() -> None:
    state = position({**FINAL, "scores": [970, 970, 970, 0]})
    assert "parola" not in [move.text for move in state.legal(1)]
    refusal = state.check(1, "parola")
    assert refusal is not None
    assert refusal.code == "parola_not_allowed"


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 1}, {"seats": 7}, {"ante": 4}, {"cip": 21}, {"stack": 20001}, {"stack": 99}, {"ko": True},
        {"match": "points"}, {"level_hands": 101},
    ],
)  # fmt: skip
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        POKER.options(options)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"phase": "first"}, "phase"),
        ({"hands": FOUR[:3]}, "hands"),
        ({"hands": [FOUR[0], [], [], []]}, "hands"),
        ({"hands": [FOUR[0][:4], *FOUR[1:]]}, "hands"),
        ({"hands": [["6h", "Td", "8c", "9s", "Qc"], *FOUR[1:]]}, "cards"),
        ({"level": "T"}, "level"),
        ({"to_act": [2]}, "to_act"),
        ({"phase": "change", "to_act": [4]}, "to_act"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        POKER.from_json(POKER.options({}), {**OPEN, **change})
    assert refused.value.field == field


# ----------------------------------------------------------------------------------------- blinds


def test_a_seat_that_has_not_the_whole_blind_is_not_asked() -> None:
    poor = {"dealer": 0, "phase": "deal", "scores": [990, 49, 990, 990]}
    state = position(poor, blind=True)
    state.supply(range(32))
    assert (state.phase, list(state.to_act)) == ("open", [1])
    state = position({**poor, "scores": [990, 50, 129, 990]}, blind=True)
    state.supply(range(32))
    assert state.phase == "blind"
    state.apply(1, "blind")  # 40, all it has; the next would need 80 and has 119
    assert list(state.to_act) == [2]
    state.apply(2, "blind")  # the third would need 160
    assert list(state.to_act) == [3]
    assert state.phase == "blind"
    state.apply(3, "noblind")
    assert (state.phase, list(state.to_act)) == ("first", [3])
    assert [move.text for move in state.legal(3)][:3] == ["fold", "call", "raise 120"]


def test_two_seats_have_no_over() -> None:
    state = played(dealt(seats=2, stack=10000), (1, "blind"), (0, "blind"))
    assert (state.phase, list(state.to_act)) == ("first", [1])
    assert state.to_json()["put"] == [50, 30]


def test_after_an_unraised_blind_the_seat_after_it_speaks_first() -> None:
    state = played(dealt(seats=3), (1, "blind"), (2, "noblind"), (2, "call"), (0, "call"))
    played(state, (1, "change"), (2, "change"), (0, "change"))
    assert (state.phase, list(state.to_act)) == ("final", [2])


def test_nobody_else_is_left_to_be_asked_for_a_blind() -> None:
    state = dealt(seats=3)
    state.apply(1, "blind")
    assert state.apply(2, "abandon").lead_in_ms == 2500  # it was asked: the cards are dealt
    assert (state.phase, list(state.to_act)) == ("first", [0])
    assert [len(hand) for hand in state.to_json()["hands"]] == [5, 5, 0]
    state.apply(0, "abandon")
    assert state.outcome == (1, (2, 1, 3), "abandon", 0)


# ----------------------------------------------------------------------------------- betting, pots


def test_a_short_all_in_opens_the_betting_again_and_leaves_the_least_raise() -> None:
    state = position({**FINAL, "scores": [970, 970, 75, 970]}, betting="no_limit")
    played(state, (1, "bet 50"), (2, "raise 75"))
    assert [move.text for move in state.legal(3)][2] == "raise 130"  # 75 + 50, in multiples of ten
    played(state, (3, "call"), (0, "call"))
    assert list(state.to_act) == [1]
    state.apply(1, "raise 300")
    assert list(state.to_act) == [3]


def test_who_has_bet_and_is_called_has_no_further_word() -> None:
    state = played(position(FINAL), (1, "bet 50"), (2, "call"), (3, "call"), (0, "call"))
    assert state.phase == "deal"
    assert state.hand_score == {"total": (-80, -80, -80, 240)}


def test_all_may_be_bet_below_the_cip() -> None:
    state = position({**FINAL, "scores": [970, 7, 970, 970]})
    texts = [move.text for move in state.legal(1)]
    assert texts == ["fold", "check", "parola", "bet 7"]
    state.apply(1, "bet 7")
    assert [move.text for move in state.legal(2)][2] == "raise 20"  # the least bet was the cip: 7 + 10


def test_the_open_round_ends_when_one_able_seat_is_left() -> None:
    """Seat 3 is all-in from the invito: the hand is not void, and there is nothing to bet."""
    state = position({**OPEN, "scores": [90, 90, 90, 0]})
    played(state, (1, "fold"), (2, "fold"))
    assert (state.phase, list(state.to_act)) == ("change", [3])
    played(state, (3, "change"), (0, "change"))
    assert state.phase == "deal"
    assert state.hand_score == {"total": (-10, -10, -10, 30)}


def test_the_invito_may_leave_nobody_to_bet() -> None:
    assert position({**OPEN, "scores": [990, 0, 0, 0]}).phase == "change"
    assert position({**FINAL, "scores": [970, 0, 0, 0]}).phase == "deal"
    state = position({"dealer": 0, "phase": "deal", "scores": [10, 5, 900]})
    state.supply(range(28))
    assert (state.phase, list(state.to_act)) == ("change", [1])


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=6),
    st.sets(st.integers(0, 5), min_size=1),
)
def test_pots_hold_all_chips_and_nobody_plays_for_more_than_it_covers(put: list[int], in_: set[int]) -> None:
    staying = [seat for seat in sorted(in_) if seat < len(put)] or [0]
    pots = side_pots(put, staying)
    assert sum(chips for chips, _ in pots) == sum(put)
    assert sorted(pots[0][1]) == staying
    for seat in staying:
        covered = sum(min(chips, put[seat]) for chips in put)
        playable = sum(chips for chips, seats in pots if seat in seats)
        assert playable == covered or put[seat] == max(put[other] for other in staying)


# ------------------------------------------------------------------------------------------ hands


def of(text: str) -> int:
    return as_set(FR52.read(text.split()))


def test_all_hands_of_the_shortest_deck_are_ordered_as_their_numbers_say() -> None:
    """Each combination comes as often as it must; hands that are worth the same could not meet."""
    deck = [card for card in FR52.cards if (card % 13 or 13) >= 8]
    ranked = [strength(as_set(cards), 8) for cards in combinations(deck, 5)]
    common: dict[tuple[int, ...], int] = {}
    for worth, cards in zip(ranked, combinations(deck, 5), strict=True):
        common[worth] = common.get(worth, -1) & as_set(cards)
    assert all(common.values())
    counts = [sum(each[0] == combination for each in ranked) for combination in range(9)]
    straights = 3 * 4**5 - 12
    flushes = 4 * 6 - 12
    assert counts[8] == 12
    assert counts[7] == 6 * 20
    assert counts[6] == flushes
    assert counts[5] == 6 * 4 * 5 * 6
    assert counts[4] == straights
    assert counts[3] == 6 * 4 * 10 * 16
    assert counts[2] == 15 * 36 * 4 * 4
    assert counts[1] == 6 * 6 * 10 * 64
    assert counts[0] == 6 * 4**5 - straights - flushes - 12


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9c 9d Tc Td Th", "As Ah 9s 9h 9d"),
        ("Ac Ad Kc Kd Qs", "As Ah Qs Qh Kh"),
        ("Ac Ad Qc Qh Ks", "As Ah Qs Qd Jh"),
        ("Ah Ac Kd Ks 9c", "Ad As Kh Kc 9s"),
        ("Ac Ks Qd Jh 9h", "Ad Kh Qh Jd 8h"),
        ("Ah Ks Qd Jh 9h", "Ad Kh Qh Jd 9d"),
    ],
)
def test_between_two_of_a_kind(better: str, worse: str) -> None:
    assert strength(of(better), 7) > strength(of(worse), 7)


def test_three_kinds_of_straight_flush_share() -> None:
    massima, minima, media, poker = "Ts Js Qs Ks As", "Ad 7d 8d 9d Td", "8h 9h Th Jh Qh", "9c 9s Tc Jc Qc"
    hands = {seat: of(text) for seat, text in enumerate((massima, minima, media, "7c 8c 9c Tc Jc", poker))}
    assert best(hands, 6) == [0, 1, 2]
    assert best({0: hands[0], 1: hands[1], 4: hands[4]}, 6) == [1]
    assert best({0: hands[0], 2: hands[2], 3: hands[3]}, 6) == [0]
    assert best({1: hands[1], 2: hands[2], 3: hands[3]}, 6) == [2]
    assert best({3: hands[3], 4: hands[4]}, 6) == [3]


def test_odd_chips_of_a_shared_pot_go_in_dealing_order() -> None:
    hands = [["Ts", "Js", "Qs", "Ks", "As"], ["Ad", "8d", "9d", "Td", "Jd"], ["9h", "Th", "Jh", "Qh", "Kh"]]
    final = {"dealer": 1, "hands": hands, "stock": "any", "phase": "final", "opener": 2, "scores": [100] * 3}
    state = position({**final, "put": [50] * 3, "carried": 2})
    played(state, (2, "check"), (0, "check"), (1, "check"))
    assert state.scores == [151, 150, 151]


# --------------------------------------------------------------------------------------- exchange


def test_the_discards_are_a_new_stock_without_those_of_the_move() -> None:
    change = {**FINAL, "phase": "change", "stock": ["Ah"], "discard": ["9h", "Qd"]}
    state = position(change)
    events = state.apply(1, "change 7c 9c Kh").events
    assert events[0].data == {"count": 3}
    assert events[0].private == {1: {"thrown": ["Kh", "7c", "9c"], "drawn": ["Ah"]}}
    assert state.needs_chance == (("9h", "Qd"), "stock")
    assert not state.to_act
    kept = POKER.from_json(state.options, state.to_json())
    for each in (state, kept):
        assert [event.kind for event in each.supply([1, 0])] == ["stock_shuffled", "cards_drawn"]
        json = each.to_json()
        assert json["hands"][1] == ["Ah", "9h", "Jh", "Jd", "Qd"]
        assert (json["stock"], json["discard"]) == ([], ["Kh", "7c", "9c"])
        assert list(each.to_act) == [2]


def test_leaving_while_the_shuffle_is_awaited() -> None:
    state = position({**FINAL, "phase": "change", "stock": [], "discard": ["9h", "Qd"]})
    state.apply(1, "change 7c")
    state.apply(1, "abandon")
    assert state.needs_chance is None
    assert list(state.to_act) == [2]
    assert len(state.to_json()["discard"]) == 7


def test_after_a_new_stock_nothing_tells_where_a_thrown_card_is() -> None:
    state = played(dealt(seats=6), (1, "blind"), (2, "noblind"))
    assert state.openings(1) == [0, 6, 12, 18, 24]
    played(state, *((seat, "call") for seat in (2, 3, 4, 5, 0)))
    for seat in (1, 2, 3):
        state.apply(seat, state.legal(seat)[-1].text)
    shuffle = state.needs_chance
    assert shuffle is not None
    assert state.openings(1) == [0, 6, 12, 18, 24, 30, 31, 32, 33]
    state.supply(range(len(shuffle.cards)))
    assert (list(state.openings(1)), list(state.openings(3))) == ([], [0, 1])
    assert state.openings(None) == []


# ---------------------------------------------------------------------- time-out, leaving, the end


def test_what_the_platform_plays_when_time_is_up() -> None:
    state = dealt(seats=3)
    assert state.timeout_move(1) == "noblind"
    state.apply(1, state.timeout_move(1))
    assert state.timeout_move(1) == "check"
    state = played(position(OPEN), (1, "bet 20"))
    assert state.timeout_move(2) == "fold"
    assert position({**FINAL, "phase": "change"}).timeout_move(1) == "change"
    assert position(FINAL).timeout_move(1) == "check"


def test_a_seat_that_has_left_cannot_leave_again() -> None:
    state = position(OPEN)
    state.apply(1, "abandon")
    refusal = state.check(1, "abandon")
    assert refusal is not None
    assert refusal.code == "not_your_turn"
    assert list(state.places) == [None, 4, None, None]
    assert list(state.to_act) == [2]


def test_the_next_dealer_leaves_between_hands() -> None:
    state = position(
        {"dealer": 1, "phase": "deal", "scores": [500, 500, 0, 500], "carried": 40, "level": "Q"}
    )
    state.apply(1, "abandon")
    assert (state.dealer, state.scores) == (3, [500, 0, 0, 500])
    assert list(state.places) == [None, 3, 4, None]
    state.apply(3, "abandon")
    assert state.scores == [540, 0, 0, 500]
    assert state.outcome == (0, (1, 3, 4, 2), "abandon", 3)
    assert state.hand_score is None


def test_who_leaves_ahead_is_lowered_to_the_other() -> None:
    state = position({**OPEN, "hands": [["9h", "Td", "Jc", "Ks", "Ad"], ["9d", "Th", "Jh", "Kc", "Qs"]],
                      "scores": [1500, 480]})  # fmt: skip
    state.apply(0, "abandon")
    assert state.scores == [510, 510]
    assert state.to_json()["hand_score"]["total"] == [-20, 20]


def test_the_last_but_one_leaves_in_the_last_betting_after_parola() -> None:
    state = played(position(FINAL), (1, "parola"), (2, "parola"), (3, "parola"))
    state.apply(0, "abandon")
    assert state.to_json()["hand_score"]["end"] == "parola"
    assert state.to_json()["carried"] == 120


def test_a_level_match_of_hands_is_drawn_after_three_more() -> None:
    hands = [["Kh", "Kd", "Kc", "9s", "Th"], ["Ah", "Ad", "9c", "Td", "Js"]]
    last = {"dealer": 1, "hands": hands, "stock": "any", "phase": "final", "opener": 0, "put": [25, 25]}
    state = position({**last, "scores": [450, 500], "hand": 23, "tie_break": 3}, match="hands")
    played(state, (0, "check"), (1, "check"))
    assert state.outcome == (None, (1, 1), "draw", None)


def test_seats_out_in_one_hand_rank_by_what_they_had() -> None:
    state = position({**FINAL, "scores": [0, 0, 0, 0], "put": [100, 60, 100, 300], "phase": "change"})
    played(state, *((seat, "change") for seat in (1, 2, 3, 0)))
    assert state.outcome is not None
    assert state.outcome.places == (2, 4, 2, 1)


# ------------------------------------------------------------------------------------------- views


def test_hands_are_seen_at_a_showdown_and_never_otherwise() -> None:
    state = played(position(FINAL), (1, "check"), (2, "fold"), (3, "check"), (0, "check"))
    view = state.view(None)
    shown = [zone.cards is not None for zone in view.zones if zone.kind == "hands"]
    assert shown == [True, True, False, True]
    state = played(position(FINAL), (1, "fold"), (2, "fold"), (3, "fold"))
    shown = [zone.cards is not None for zone in state.view(None).zones if zone.kind == "hands"]
    assert shown == [False] * 4
    assert state.sealed(1, "change 7c")
    assert not state.sealed(1, "change")


@given(data=st.data())
@settings(max_examples=40)
def test_chips_are_neither_made_nor_lost(data: st.DataObject) -> None:
    match = start(POKER, data.draw(option_sets(POKER)), data.draw(st.integers(0, 2**32)))
    chips = sum(match.state.scores)
    for _ in range(data.draw(st.integers(1, 150))):
        if match.state.over:
            break
        match.step()
        assert min(match.state.scores) >= 0
        assert sum(match.state.scores) + match.state.to_json()["pot"] == chips
