"""What the cases of canasta do not show (canasta.md)."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import FR108
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.canasta import CANASTA
from tests.rules.playing import code, played
from tests.rules.strategies import open_hands, start

KINGS = ["Kh", "Kh", "Kd", "Kd", "Kc", "Kc", "Ks"]
CANASTA_DOWN = [{"seat": 0, "cards": KINGS}]
VALUES = {"X": 50, "A": 20, "2": 20, "3": 0} | dict.fromkeys("KQJT98", 10) | dict.fromkeys("7654", 5)


def position(options: dict[str, Any] | None = None, **keys: Any) -> State[Any]:
    """A position in which seat 0 is to act."""
    given = {"dealer": 1, "hands": [["Kh", "9c"], ["Ad", "4c"]], "discard": ["5d"], "stock": "any"}
    return CANASTA.from_json(CANASTA.options(options or {}), {**given, **keys})


def texts(state: State[Any]) -> list[str]:
    return [move.text for move in state.legal(state.to_act[0])]


# ------------------------------------------------------------------------------------ 2. and 3.


def test_text_that_is_no_move() -> None:
    state = position()
    for text in [
        "",
        "draw",
        "take  5c",
        "take m0",
        "pass 5c",
        "undo 1",
        "add 5c",
        "add m0 5c",
        "meld 5c 5d",
        "Take",
    ]:
        assert code(state, text) == "unparsable"


def test_refusals_come_in_the_order_of_the_spec() -> None:
    melds = [{"seat": 0, "cards": ["Kc", "Ks", "Ks"]}]
    assert code(position(discard=["3c"]), "take Qd") == "pile_blocked"
    one = position(hands=[["Kh"], ["Ad"]], melds=melds, discard=["Kd"])
    assert code(one, "take Qd") == "one_card"
    frozen = position(hands=[["Kh", "9c", "2d"], ["Ad"]], melds=melds, discard=["2h", "Kd"])
    assert code(frozen, "take Qd") == "not_in_hand"
    assert code(frozen, "take Kh 9c") == "pile_frozen"
    state = played(position(), "draw stock")
    assert code(state, "add Qd m12345") == "no_such_meld"


def test_each_move_has_its_phase() -> None:
    draw = position()
    for text in ["meld Kh Kd Kc", "add Kh m0", "undo", "discard Kh", "close", "accept", "resign"]:
        assert code(draw, text) == "wrong_phase"
    play = played(position(), "draw stock")
    for text in ["draw stock", "take", "pass", "double", "accept"]:
        assert code(play, text) == "wrong_phase"


def test_a_red_three_in_the_pile_is_laid_down_and_replaced() -> None:
    melds = [{"seat": 0, "cards": ["9h", "9d", "9c"]}]
    keys: dict[str, Any] = {"melds": melds, "discard": ["3h", "6c", "9s"], "hands": [["Kh"], ["Ad"]]}
    state = played(position(stock=["3d", "Qc", "Qd"], **keys), "take")
    assert state.to_json()["reds"] == [["3h", "3d"], []]
    assert state.to_json()["hands"][0] == ["Kh", "6c", "Qc"]
    empty = position(stock=[], **keys)
    assert texts(empty) == ["pass", "double", "take"]
    played(empty, "take")
    assert empty.to_json()["hands"][0] == ["Kh", "6c"]
    # one card less, and the pile would leave too few
    keys["discard"] = ["3h", "9s"]
    assert code(position(stock=[], **keys), "take") == "too_few_cards"
    assert code(position(stock=["Qc"], **keys), "take") is None


def test_a_red_three_without_replacement_ends_the_hand() -> None:
    state = position(stock=["3h"])
    applied = state.apply(0, "draw stock")
    assert [event.kind for event in applied.events] == ["red_three_laid", "hand_ended"]
    assert applied.turn_ended
    assert state.hand_score is not None
    assert list(state.hand_score["reds"]) == [100, 0]
    assert list(state.hand_score["held"]) == [-20, -25]
    assert state.phase == "deal"


def test_what_was_drawn_or_got_cannot_be_taken_back() -> None:
    hands = [["Kd", "Ks", "Qc", "Qs", "8s", "8c", "8d", "2d"], ["Ad"]]
    state = played(position(hands=hands, discard=["Qd", "7h", "Kh"]), "take Kd Ks", "meld Qc Qs 2d")
    assert state.phase == "play"
    assert code(state, "undo") == "nothing_to_undo"
    played(state, "meld 8c 8d 8s", "add Qd m1", "undo", "undo")
    assert code(state, "undo") == "nothing_to_undo"
    assert state.to_json()["hands"][0] == ["7h", "8d", "Qd", "8c", "8s"]


def test_a_take_is_undone_to_the_phase_before() -> None:
    hands = [["Kd", "Ks", "4c", "4s", "4d", "8s"], ["Ad"]]
    state = position(hands=hands, discard=["Qd", "Kh"])
    before = state.to_json()
    played(state, "take Kd Ks", "meld 4c 4d 4s", "undo", "undo")
    assert state.to_json() == before


def test_a_meld_of_a_rank_that_is_down_is_an_addition() -> None:
    melds = [{"seat": 1, "cards": ["9h", "9d", "9c"]}, {"seat": 0, "cards": ["Kc", "Kd", "2d"]}]
    state = played(position(hands=[["Kh", "Ks", "2h", "X", "X", "8c"], ["Ad"]], melds=melds), "draw stock")
    move = state.parse(0, "meld X Kh 2h")
    assert move.text == "add Kh 2h X m1"
    assert code(state, "meld Kh 2h X") is None
    assert code(state, "meld Ks X X") is None
    assert code(state, "meld Kh Ks X X 2h") == "not_a_meld"  # four wilds with the one that is down
    assert code(state, "add Kh Ks X X 2h m1") == "does_not_fit"
    assert code(state, "add 8c m0") == "no_such_meld"


def test_black_threes_leave_the_hand_only_on_the_way_out() -> None:
    keys: dict[str, Any] = {"phase": "play", "melds": CANASTA_DOWN}
    threes = ["3c", "3c", "3s"]
    assert code(position(hands=[[*threes, "9h"], ["Ad"]], **keys), "meld 3c 3c 3s") is None
    assert code(position(hands=[[*threes, "9h", "8h"], ["Ad"]], **keys), "meld 3c 3c 3s") == "black_three"
    four = position(hands=[[*threes, "3s"], ["Ad"]], **keys)
    assert {"meld 3c 3c 3s 3s", "meld 3c 3c 3s", "meld 3c 3s 3s"} < set(texts(four))
    assert four.view(0).facts["layable"] == [{"move": "meld 3c 3c 3s 3s", "value": 0}]
    assert four.view(1).facts["layable"] == []
    played(four, "meld 3c 3c 3s")
    assert code(four, "add 3s m1") == "does_not_fit"
    assert code(four, "meld 3s X X") == "not_in_hand"
    assert texts(four) == ["undo", "close"]
    without = position(hands=[threes, ["Ad"]], phase="play", melds=[{"seat": 0, "cards": KINGS[:6]}])
    assert code(without, "meld 3c 3c 3s") == "black_three"
    assert code(without, "meld 3c 3c X") == "not_in_hand"


def test_black_threes_are_not_laid_while_the_pile_waits() -> None:
    hands = [["4h", "4c", "3c", "3c", "3s"], ["Ad"]]
    state = played(position(hands=hands, discard=["9h", "4d"]), "take 4h 4c")
    assert state.phase == "opening"
    assert code(state, "meld 3c 3c 3s") == "black_three"


def test_an_opening_that_gets_the_pile_leaves_two_cards() -> None:
    hands = [["Kd", "Ks", "2d", "Qc"], ["Ad"]]
    state = played(position(hands=hands, discard=["Kh"]), "take Kd Ks")
    assert code(state, "add 2d m0") == "too_few_cards"
    assert texts(state) == ["undo"]
    two = played(position(hands=hands, discard=["8h", "Kh"]), "take Kd Ks", "add 2d m0")
    assert two.phase == "play"
    assert two.to_json()["hands"][0] == ["8h", "Qc"]


def test_the_hand_ends_when_the_stock_is_empty_and_nothing_can_be_taken() -> None:
    melds = [{"seat": 1, "cards": ["9h", "9d", "9c"]}]
    hands = [["Kh", "9s"], ["4d", "4c"]]
    state = played(position(hands=hands, melds=melds, stock=["Qc"]), "draw stock", "discard Kh")
    assert state.phase == "deal"
    state = played(position(hands=hands, melds=melds, stock=["Qc"]), "draw stock", "discard 9s")
    assert texts(state) == ["pass", "double", "take"]


def test_with_a_canasta_the_last_cards_may_go_and_the_seat_closes_with_none() -> None:
    state = played(position(hands=[["Ks"], ["Ad"]], melds=CANASTA_DOWN, stock=["2h", "8c"]), "draw stock")
    played(state, "add Ks 2h m0")
    assert texts(state) == ["undo", "close"]
    applied = state.apply(0, "close")
    assert applied.events[0].kind == "hand_closed"
    assert state.hand_score is not None
    assert list(state.hand_score["canastas"]) == [300, 0]


@given(data=st.data())
@settings(max_examples=25)
def test_every_short_move_that_is_accepted_is_listed(data: st.DataObject) -> None:
    state = data.draw(open_hands(CANASTA)).state
    seat = state.to_act[0]
    hand = state.to_json()["hands"][seat]
    faces = sorted({*hand, "X", "7h"})
    texts = [
        "draw stock",
        "pass",
        "double",
        "accept",
        "resign",
        "undo",
        "close",
        *(f"discard {face}" for face in faces),
    ]
    texts += [
        f"add {face} m{number}" for face in faces for number in range(len(state.to_json()["melds"]) + 1)
    ]
    texts += [f"meld {' '.join(cards)}" for cards in set(combinations(hand, 3))]
    accepted = set()
    for text in texts:
        move = state.parse(seat, text)
        is_triple_addition = getattr(move, "verb", "") == "add" and text.startswith("meld")
        if state.check(seat, text) is None and not is_triple_addition:
            accepted.add(getattr(move, "text", text))
    listed = {move.text for move in state.legal(seat) if move.verb != "take" and len(move.cards) < 4}
    assert accepted == listed


@given(data=st.data())
@settings(max_examples=25)
def test_undo_gives_the_position_before(data: st.DataObject) -> None:
    match = data.draw(open_hands(CANASTA))
    for _ in range(40):
        if match.state.needs_chance or match.state.over:
            break
        before = match.state.to_json()
        seat = match.state.to_act[0]
        match.step()
        if (
            match.state.to_act
            and "undo" in texts(match.state)
            and len(match.state.to_json()["laid"]) > len(before["laid"])
        ):
            after = match.state.copy()
            after.apply(seat, "undo")
            assert after.to_json() == before


# --------------------------------------------------------------------------------- the points ready


def best(hand: list[str]) -> int:
    """The most points in new combinations of a hand, by trying every way."""
    ranks = sorted({card[0] for card in hand} - set("23X"))
    wild = tuple(card for card in hand if card[0] in "2X")

    def of(ranks: list[str], wild: tuple[str, ...]) -> int:
        if not ranks:
            return 0
        same = [card for card in hand if card[0] == ranks[0]]
        found = of(ranks[1:], wild)
        for n in range(4):
            if n <= len(same) and len(same) + n >= 3 and len(same) > 1:
                for chosen in set(combinations(wild, n)):
                    left = tuple((Counter(wild) - Counter(chosen)).elements())
                    value = sum(VALUES[card[0]] for card in (*same, *chosen))
                    found = max(found, value + of(ranks[1:], left))
        return found

    return of(ranks, wild)


hands = st.lists(st.sampled_from([f"{rank}{suit}" for rank in "A9Q42" for suit in "hc"] + ["X"]), max_size=14)


@given(hands)
def test_the_points_ready_are_the_most_that_can_be_laid(cards: list[str]) -> None:
    hand = [card for card in cards if cards.count(card) <= FR108.texts.count(card)]
    state = position(hands=[[*hand, "7d"], ["Ad"]])
    assert state.view(0).facts["opening"] == {"ready": best(hand), "needed": 50}


@given(hands)
@settings(max_examples=50)
def test_layable_combinations_are_the_largest(cards: list[str]) -> None:
    hand = sorted(card for card in cards[:9] if cards.count(card) <= FR108.texts.count(card))
    every = set()
    for size in range(3, len(hand) + 1):
        for chosen in combinations(hand, size):
            wild = sum(card[0] in "2X" for card in chosen)
            ranks = {card[0] for card in chosen} - set("2X")
            if len(ranks) == 1 and wild <= min(3, size - wild):
                every.add(chosen)
    largest = [cards for cards in every if not any(Counter(cards) < Counter(other) for other in every)]
    state = position(hands=[[*hand, "7d"], ["Ad"]])
    listed = state.view(0).facts["layable"]
    assert sorted(sorted(each["move"].split()[1:]) for each in listed) == sorted(map(sorted, largest))
    assert listed == sorted(
        listed, key=lambda each: (-len(each["move"].split()), -each["value"], each["move"])
    )
    assert all(each["value"] == sum(VALUES[face[0]] for face in each["move"].split()[1:]) for each in listed)


def test_points_laid_in_the_turn_are_ready_until_it_ends() -> None:
    state = position(
        hands=[["Kh", "Kd", "Kc", "Qh", "Qd", "2c", "8s"], ["Ad", "5c", "5h"]], stock=["9s", "9h"]
    )
    played(state, "draw stock", "meld Kh Kd Kc")
    assert state.view(0).facts["opening"] == {"ready": 70, "needed": 50}
    played(state, "meld Qh Qd 2c")
    assert state.view(0).facts["opening"] == {"ready": 70, "needed": 50}
    assert state.view(None).facts["laid"][1] == {"meld": 1, "cards": ["Qh", "Qd", "2c"], "top": []}
    played(state, "discard 8s")
    assert state.view(0).facts["opening"] is None
    assert len(state.view(1).facts["last_laid"]) == 2
    assert state.view(1).facts["opening"] == {"ready": 0, "needed": 50}


# ------------------------------------------------------------------------------- 5. match, doubling


@pytest.mark.parametrize(
    ("options", "scores", "keys", "ended", "tie_break"),
    [
        ({"target": 2500}, [0, 0], {}, None, 0),
        ({"target": 2500}, [1840, 2535], {}, None, 1),
        ({"target": 2500}, [1840, 2600], {}, ("score", 1), 0),
        ({"target": 2500}, [1840, 2535], {"tie_break": 5}, None, 6),
        ({"target": 2500, "ko": True}, [1840, 2535], {"tie_break": 3}, ("ko_rule", 1), 3),
        ({"target": 2500}, [0, 600], {"tie_break": 1}, ("score", 0), 1),
        ({"target": 1}, [0, 695], {}, ("draw", None), 0),
        ({"target": 1, "ko": True}, [0, 695], {}, None, 1),
        ({"max_hands": 10}, [0, 695], {"hand": 10}, ("draw", None), 0),
        ({"max_hands": 10, "ko": True}, [0, 695], {"hand": 10}, ("ko_rule", 1), 0),
        ({"max_hands": 10, "target": 2500}, [1840, 2535], {"hand": 7, "tie_break": 3}, ("draw", None), 3),
    ],
)
def test_the_end_of_a_match(
    options: dict[str, Any], scores: list[int], keys: dict[str, Any], ended: Any, tie_break: int
) -> None:
    state = position(
        options, hands=[["9s"], ["Ad", "4c"]], melds=CANASTA_DOWN, scores=scores, phase="play", **keys
    )
    played(state, "close")
    assert state.hand_score is not None
    assert list(state.hand_score["total"]) == [670, -25]
    assert (state.outcome and (state.outcome.ended_by, state.outcome.winner)) == ended
    assert state.tie_break == tie_break


def test_the_clock_waits_for_the_answer_to_an_offer() -> None:
    state = position()
    offer = state.apply(0, "double")
    assert (offer.turn_ended, offer.suspended) == (False, True)
    assert (state.phase, state.to_act) == ("double", (1,))
    assert texts(state) == ["accept", "resign"]
    answer = state.apply(1, "accept")
    assert (answer.turn_ended, answer.resumed) == (True, 0)
    assert (state.phase, state.to_act) == ("draw", (0,))
    assert code(state, "double") == "not_allowed"


def test_who_resigns_keeps_its_points() -> None:
    hands = [["Qh"], ["Ad", "X"]]
    state = played(position(hands=hands, melds=CANASTA_DOWN, scores=[-20, 900]), "double")
    state.apply(1, "resign")
    assert state.hand_score is not None
    assert list(state.hand_score["close"]) == [0, 0]
    assert list(state.hand_score["total"]) == [560, -70]
    assert (state.scores, state.places) == ([540, 830], (1, 2))
    assert state.settlement == {"amount": 1, "commission": 0, "delta": [1, -1]}


def test_a_pile_that_waits_is_not_counted_when_its_seat_leaves() -> None:
    hands = [["Kd", "Ks", "4c", "4s", "4d", "8s"], ["Ad"]]
    state = played(position(hands=hands, discard=["Qd", "Kh"]), "take Kd Ks", "abandon")
    assert state.hand_score is not None
    assert list(state.hand_score["total"]) == [5, 100]
    assert state.to_json()["discard"] == ["Qd"]


@pytest.mark.parametrize("stake", [0, 3])
def test_leaving_costs_the_stake_before_the_offer(stake: int) -> None:
    state = played(position({"stake": stake}), "double")
    state.apply(0, "abandon")
    won = {"amount": 3, "commission": 0, "delta": [-3, 3]}
    assert state.settlement == (won if stake else None)
    between = CANASTA.from_json(
        CANASTA.options({"stake": stake}), {"dealer": 0, "phase": "deal", "scores": [90, 40]}
    )
    between.apply(0, "abandon")
    assert between.scores == [40, 40]
    assert between.settlement == (won if stake else None)


@pytest.mark.parametrize(
    ("given", "limit"),
    [({}, 64), ({"stake": 100}, 100), ({"limit": None}, None), ({"stake": 2, "limit": 2}, 2)],
)
def test_the_limit_follows_the_stake(given: dict[str, Any], limit: int | None) -> None:
    assert CANASTA.options_json(CANASTA.options(given))["limit"] == limit


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 4},
        {"target": 3000},
        {"limit": 4, "stake": 5},
        {"stake": -1},
        {"stake": None},
        {"match": "hands"},
    ],
)
def test_options_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        CANASTA.options(options)


# --------------------------------------------------------------------- 7. views, positions, the deck


def test_every_seat_may_check_the_cards_that_it_was_given() -> None:
    for seed in range(4):
        match = start(CANASTA, CANASTA.options({"doubling": False}), seed)
        match.step()
        (order,) = [entry for entry in match.log if isinstance(entry, list)]
        deck = [FR108.texts[card] for card in order]
        snapshot = match.state.to_json()
        got: list[list[str]] = snapshot["hands"]
        everybody = [*snapshot["reds"][0], *snapshot["reds"][1], *snapshot["discard"]]
        for _ in range(150):
            if match.state.phase in ("deal", "over"):
                break
            seat = match.state.to_act[0]
            for event in match.state.apply(seat, match.rng.choice(texts(match.state))).events:
                if event.kind == "card_drawn":
                    assert event.private is not None
                    got[seat] += event.private[seat]["cards"]
                elif event.kind == "red_three_laid" and event.data["card"] not in snapshot["discard"]:
                    everybody.append(event.data["card"])
        shown = match.state.openings(None)
        assert sorted(deck[place] for place in shown) == sorted(everybody)
        for seat in range(2):
            places = [place for place in match.state.openings(seat) if place not in shown]
            assert sorted(deck[place] for place in places) == sorted(got[seat])


def test_the_first_card_of_the_pile_is_neither_wild_nor_a_red_three() -> None:
    for seed in range(60):
        match = start(CANASTA, CANASTA.options({}), seed)
        match.step()
        snapshot = match.state.to_json()
        *below, top = snapshot["discard"]
        assert top[0] not in "2X"
        assert top not in ("3h", "3d")
        assert all(card[0] in "2X" or card in ("3h", "3d") for card in below)
        assert all(len(hand) == 15 and not {"3h", "3d"} & set(hand) for hand in snapshot["hands"])


@pytest.mark.parametrize(
    ("field", "keys"),
    [
        ("hands", {"hands": [["3h"], ["Ad"]]}),
        ("hands", {"hands": [["Kh"]]}),
        ("reds", {"reds": [["3c"], []]}),
        ("melds", {"melds": [{"seat": 0, "cards": ["4h", "5h", "6h"]}]}),
        ("melds", {"melds": [{"seat": 0, "cards": ["Qh", "Qc", card]} for card in ("Qd", "Qs")]}),
        ("cards", {"discard": ["Ad", "Ad"]}),
    ],
)
def test_positions_that_cannot_be(field: str, keys: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as error:
        position(**keys)
    assert error.value.field == field
