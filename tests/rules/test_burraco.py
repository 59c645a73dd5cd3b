"""What the cases of burraco do not show (burraco.md)."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import FR108
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.families.double_hands import with_cards
from services.rules.families.matte import in_order
from services.rules.games.burraco import BURRACO
from services.rules.games.burraco_melds import DIRTY, SEMICLEAN, arranged, largest_melds, short_melds
from tests.rules.playing import code, played
from tests.rules.strategies import open_hands, start

SEVEN = ["4h", "5h", "6h", "7h", "8h", "9h", "Th"]


def hand_of(text: str) -> bytes:
    return in_order(FR108.read(text.split()))


def position(options: dict[str, Any] | None = None, **keys: Any) -> State[Any]:
    """A position in which seat 0 is to act."""
    given = {"dealer": 1, "hands": [["Kh"], ["Ad"]], "discard": ["5d"], "stock": "any", "pozzetti": "any"}
    return BURRACO.from_json(BURRACO.options(options or {}), {**given, **keys})


# ------------------------------------------------------------------------------- 3. sets and runs


def is_wild(face: str) -> bool:
    return face[0] in "2X"


def runs(cards: list[str], semiclean: int) -> Iterator[tuple[int, int, int, bool, list[str]]]:
    """Every arrangement as a run, the long way: each card of a suit on its place, a wild on one of them."""
    ranks = "A23456789TJQKA"
    for suit in "hdcs":
        for first in range(1, 15 - len(cards) + 1):
            faces = [ranks[first + i - 1] + suit for i in range(len(cards))]
            if faces.count("A" + suit) < 2 and Counter(faces) == Counter(cards):
                yield 0, -(200 if len(cards) > 6 else 0), first, faces[-1][0] == "A", faces
            for i in range(len(cards)):
                for wild in {card for card in cards if is_wild(card)}:
                    laid = [*faces[:i], wild, *faces[i + 1 :]]
                    aces = laid.count("A" + suit)
                    if aces > 1 or laid[i] == faces[i] or Counter(laid) != Counter(cards):
                        continue
                    long_side = max(i, len(cards) - 1 - i)
                    points = 0 if len(cards) < 7 else semiclean if long_side > 6 else DIRTY
                    yield 1, -points, first, laid[-1] == "A" + suit, laid


def naive(cards: list[str], semiclean: int) -> list[str] | None:
    """The cards of a meld in their order, by the words of section 3."""
    plain = [card for card in cards if not is_wild(card)]
    wild = [card for card in cards if is_wild(card)]
    if 3 <= len(cards) <= 9 and len(plain) > 1 and len(wild) < 2 and len({card[0] for card in plain}) == 1:
        return plain + wild
    return min(runs(cards, semiclean), default=[None])[-1] if 3 <= len(cards) <= 14 else None


one_suit = st.lists(
    st.sampled_from([f"{rank}h" for rank in "A23456789TJQK"] + ["2h", "2c", "X"]), max_size=14
)
any_cards = st.lists(st.sampled_from(sorted(FR108.faces)), max_size=11)


def dealt(faces: list[str]) -> list[str]:
    """These faces, none more often than the deck has it, in deck order."""
    held = in_order(FR108.read(faces))
    return FR108.show(card for card in sorted(held) if held.count(card) <= FR108.cards.count(card))


@given(one_suit | any_cards, st.sampled_from([SEMICLEAN, DIRTY]))
def test_a_meld_lies_as_the_words_of_the_spec_say(faces: list[str], semiclean: int) -> None:
    cards = dealt(faces)
    meld = arranged(in_order(FR108.read(cards)), semiclean)
    assert (meld and FR108.show(meld.cards)) == naive(cards, semiclean)


@given(one_suit.map(lambda cards: cards[:9]) | any_cards)
@settings(max_examples=60)
def test_what_a_hand_gives(faces: list[str]) -> None:
    hand = in_order(FR108.read(dealt(faces)))
    every = {
        bytes(cards)
        for size in range(3, len(hand) + 1)
        for cards in combinations(hand, size)
        if arranged(bytes(cards), SEMICLEAN)
    }
    held = with_cards(0, hand)
    short = [in_order(move.numbers) for move in short_melds(held, ())]
    assert short == sorted(cards for cards in every if len(cards) == 3)
    largest = [cards for cards in every if not any(Counter(cards) < Counter(other) for other in every)]
    assert sorted(in_order(meld.cards) for meld in largest_melds(held, SEMICLEAN)) == sorted(largest)


@pytest.mark.parametrize(
    ("cards", "laid"),
    [
        ("3h 4h X", "X 3h 4h"),
        ("2h 4h 5h 3h", "2h 3h 4h 5h"),
        ("6c X 8c Tc", None),
        ("6c X 8c Tc 7c", "6c 7c 8c X Tc"),
        ("Kh Ah 2h", "2h Kh Ah"),
        ("Ah 2h X", "Ah 2h X"),
        ("Ah Ah 2h 3h", None),
        ("2h 2d 2c", None),
        ("Kh Kd 2c X", None),
    ],
)
def test_arrangements_of_the_spec(cards: str, laid: str | None) -> None:
    meld = arranged(hand_of(cards), SEMICLEAN)
    assert (meld and " ".join(FR108.show(meld.cards))) == laid


@pytest.mark.parametrize(
    ("semiclean", "laid"),
    [
        (True, "2h 3h 4h 5h 6h X 8h 9h Th Jh Qh Kh Ah"),  # seven naturals after the joker: 150
        (False, "Ah 2h 3h 4h 5h 6h X 8h 9h Th Jh Qh Kh"),  # 100 either way: the lowest first place
    ],
)
def test_the_most_valuable_burraco_is_that_of_the_options(semiclean: bool, laid: str) -> None:
    hands = [[*sorted(laid.split()), "9c"], ["Ad"]]
    state = played(position({"semiclean": semiclean}, hands=hands), "draw stock")
    assert getattr(state.parse(0, f"meld {' '.join(reversed(laid.split()))}"), "text", "") == f"meld {laid}"
    assert state.view(0).facts["layable"][0]["move"] == f"meld {laid}"
    played(state, f"meld {laid}")
    assert " ".join(state.to_json()["melds"][0]["cards"]) == laid


@given(data=st.data())
@settings(max_examples=25)
def test_every_short_move_that_is_accepted_is_listed(data: st.DataObject) -> None:
    state = data.draw(open_hands(BURRACO)).state
    seat = state.to_act[0]
    hand = state.to_json()["hands"][seat]
    faces = sorted({*hand, "X", "7h"})
    texts = ["draw stock", "draw discard", *(f"discard {face}" for face in faces)]
    texts += [
        f"add {face} m{number}" for face in faces for number in range(len(state.to_json()["melds"]) + 1)
    ]
    texts += [f"meld {' '.join(cards)}" for cards in set(combinations(hand, 3))]
    accepted = {getattr(state.parse(seat, text), "text", "") for text in texts if not state.check(seat, text)}
    listed = {move.text for move in state.legal(seat)}
    assert accepted == listed


# -------------------------------------------------------------------------------- 3. and 8. moves


def test_text_that_is_no_move() -> None:
    state = played(position(hands=[["7h", "8h", "9h", "Kc"], ["Ad"]]), "draw stock")
    for text in [
        "",
        "draw",
        "discard",
        "discard Kc 7h",
        "add m0",
        "add 7h",
        "add 7h m00",
        "add 7h m",
        "add 7h 0",
    ]:
        assert code(state, text) == "unparsable"
    for text in ["meld  7h 8h 9h", "Meld 7h 8h 9h", "meld 7h 8h 9h ", "draw stock 7h", "add 7h mx", "close"]:
        assert code(state, text) == "unparsable"


def test_a_meld_has_a_number_of_any_length() -> None:
    state = played(position(hands=[["7h", "Kc"], ["Ad"]]), "draw stock")
    assert code(state, "add 7h m12345") == "no_such_meld"
    assert code(state, "add 3d m12345") == "no_such_meld"
    assert code(state, "add 7h m012345") == "unparsable"


def test_a_card_laid_and_met_again_in_the_pozzetto_may_be_discarded() -> None:
    pozzetti = [["9h", *["4d", "5c", "6c", "7c", "8c"] * 2], "any"]
    state = position(hands=[["7h", "8h"], ["Ad"]], discard=["9h"], pozzetti=pozzetti)
    played(state, "draw discard", "meld 7h 8h 9h", "discard 9h")
    assert (state.to_act, state.to_json()["stall"]) == ((1,), 0)


def test_the_untouchable_card_has_no_twin_in_the_hand() -> None:
    assert code(played(position(hands=[["5d", "Kc"], ["Ad"]]), "draw discard"), "discard 5d") is None
    state = played(position(hands=[["9d", "Kc"], ["Ad"]]), "draw discard")
    assert code(state, "discard 5d") == "cannot_discard_taken"
    assert [move.text for move in state.legal(0)] == ["discard 9d", "discard Kc"]
    # in the next turn it may go
    played(state, "discard Kc")
    played(state, (1, "draw stock"), (1, "discard Ad"))
    assert code(played(state, "draw stock"), "discard 5d") is None


def test_the_untouchable_card_may_not_be_left_alone_unless_it_fits() -> None:
    hands = [["7h", "8h", "9h"], ["Ad"]]
    state = played(position(hands=hands, melds=[{"seat": 0, "cards": ["6s", "7s", "8s"]}]), "draw discard")
    assert code(state, "meld 7h 8h 9h") == "cannot_close"
    state = played(position(hands=hands, melds=[{"seat": 0, "cards": ["6d", "7d", "8d"]}]), "draw discard")
    played(state, "meld 7h 8h 9h", "add 5d m0")
    assert state.to_json()["takers"] == [{"seat": 0, "al_volo": True}, None]
    assert state.phase == "play"


def test_with_the_pozzetto_taken_a_card_must_be_kept_that_can_close() -> None:
    keys: dict[str, Any] = {"taken": [True, True], "pozzetti": [], "melds": [{"seat": 0, "cards": SEVEN}]}
    hands = [["Jh", "2s"], ["Ad", "4c"]]
    state = played(position(hands=hands, discard=["Qh"], **keys), "draw discard")
    assert code(state, "add Jh Qh 2s m0") == "must_keep_discard"
    assert code(state, "add Jh Qh m0") == "cannot_close"  # a wild would be left
    assert code(state, "add Jh 2s m0") == "cannot_close"  # the queen was the whole pile
    state = played(position(hands=hands, discard=["3c", "Qh"], **keys), "draw discard")
    assert code(state, "add Jh Qh 2s m0") is None


def test_a_meld_of_this_very_move_may_be_the_burraco_to_close_with() -> None:
    keys: dict[str, Any] = {"taken": [True, True], "pozzetti": [], "phase": "play"}
    hands = [["9h", "Th", "3s"], ["Ad"]]
    six = position(hands=hands, melds=[{"seat": 0, "cards": SEVEN[:5]}], **keys)
    assert code(six, "add 9h Th m0") is None
    five = position(
        hands=hands, melds=[{"seat": 0, "cards": SEVEN[1:5]}, {"seat": 1, "cards": SEVEN}], **keys
    )
    assert code(five, "add 9h Th m0") == "cannot_close"


def test_the_last_wild_is_no_closing_discard() -> None:
    keys: dict[str, Any] = {"taken": [True, True], "pozzetti": [], "phase": "play"}
    melds = [{"seat": 0, "cards": SEVEN}]
    assert code(position(hands=[["2s"], ["Ad"]], melds=melds, **keys), "discard 2s") == "cannot_close"
    assert code(position(hands=[["3s"], ["Ad"]], melds=[], **keys), "discard 3s") == "cannot_close"
    state = played(position(hands=[["3s"], ["Ad"]], melds=melds, **keys), "discard 3s")
    assert state.hand_score is not None
    assert list(state.hand_score["close"]) == [100, 0]


def test_partners_share_melds_and_pozzetto() -> None:
    hands = [["7h", "8h", "9h"], ["Ad"], ["Kc", "Kd", "Ks", "4c"], ["3c"]]
    state = position({"seats": 4}, dealer=3, phase="play", hands=hands)
    events = state.apply(0, "meld 7h 8h 9h").events
    assert [event.kind for event in events] == ["meld_laid", "pozzetto_taken"]
    assert state.view(1).facts["taken"] == [True, False]
    assert events[1].data == {"side": 0, "al_volo": True, "cards": 11}
    assert events[1].private is not None
    assert len(events[1].private[0]["cards"]) == 11
    assert 2 not in events[1].private
    played(state, f"discard {state.to_json()['hands'][0][0]}")
    played(state, (1, "draw stock"), (1, "discard Ad"))
    played(state, (2, "draw stock"))
    assert code(state, "meld Kc Kd Ks", 2) is None


# -------------------------------------------------------------------------- 4. and 5. hand and match


def closing(options: dict[str, Any], scores: list[int], **keys: Any) -> State[Any]:
    """Seat 0 closes with 335 points against -15."""
    melds = [{"seat": 0, "cards": ["4h", "5h", "6h", "7h", "8h", "9h", "Th"]}]
    state = position(
        options,
        taken=[True, True],
        pozzetti=[],
        hands=[["3s"], ["Ad"]],
        melds=melds,
        scores=scores,
        phase="play",
        **keys,
    )
    played(state, "discard 3s")
    assert state.hand_score is not None
    assert list(state.hand_score["total"]) == [350, -15]
    return state


@pytest.mark.parametrize(
    ("options", "scores", "keys", "ended", "tie_break"),
    [
        ({"target": 350}, [0, 0], {}, ("score", 0), 0),
        ({"target": 355}, [0, 0], {}, None, 0),
        ({"target": 350}, [0, 365], {}, None, 1),
        ({"target": 350}, [0, 365], {"tie_break": 7}, None, 8),
        ({"target": 350, "ko": True}, [0, 365], {"tie_break": 2}, None, 3),
        ({"target": 350, "ko": True}, [0, 365], {"tie_break": 3}, ("ko_rule", 1), 3),
        ({"target": 5000}, [0, 300], {"tie_break": 1}, ("score", 0), 1),
        ({"max_hands": 10}, [0, 365], {"hand": 10}, ("draw", None), 0),
        ({"max_hands": 10, "ko": True}, [0, 365], {"hand": 10}, ("ko_rule", 1), 0),
        ({"max_hands": 10}, [0, 300], {"hand": 9}, None, 0),
        ({"max_hands": 10, "target": 350}, [0, 365], {"hand": 8, "tie_break": 2}, ("draw", None), 2),
        ({"match": "hands", "hands": 2}, [0, 365], {"hand": 2}, ("draw", None), 0),
        ({"match": "hands", "hands": 2, "ko": True}, [0, 365], {"hand": 2}, None, 1),
        ({"match": "hands", "hands": 12, "max_hands": 10}, [0, 365], {"hand": 10}, None, 0),
    ],
)
def test_the_end_of_a_match(
    options: dict[str, Any], scores: list[int], keys: dict[str, Any], ended: Any, tie_break: int
) -> None:
    state = closing(options, scores, **keys)
    assert (state.outcome and (state.outcome.ended_by, state.outcome.winner)) == ended
    assert state.tie_break == tie_break


def test_the_last_discard_takes_the_pozzetto_before_the_hand_is_counted() -> None:
    pozzetti = [["3h", *["4d", "5c", "6c", "7c", "8c"] * 2], "any"]
    state = position(phase="play", to_act=[0], pozzetti=pozzetti, stock=["3c", "3d"])
    played(state, "discard Kh")
    assert state.hand_score is not None
    assert {item: list(points) for item, points in state.hand_score.items()} == {
        "laid": [0, 0],
        "burraco": [0, 0],
        "close": [0, 0],
        "held": [-65, -15],
        "pozzetto": [0, -100],
        "total": [-65, -115],
    }
    assert (state.phase, state.to_json()["taken"]) == ("deal", [True, False])


def test_who_abandons_is_counted_as_it_lies_and_the_others_as_if_they_had_closed() -> None:
    melds = [{"seat": 2, "cards": ["Kc", "Kd", "Ks"]}, {"seat": 1, "cards": SEVEN}]
    hands = [["Kh"], ["Ad"], ["9c", "X"], ["2c"]]
    state = position({"seats": 4}, dealer=3, hands=hands, melds=melds, scores=[500, 0])
    state.apply(2, "abandon")
    assert state.hand_score is not None
    assert {item: list(points) for item, points in state.hand_score.items()} == {
        "laid": [30, 50],
        "burraco": [0, 200],
        "close": [0, 100],
        "held": [-50, 0],
        "pozzetto": [-100, 0],
        "total": [-120, 350],
    }
    assert (state.scores, state.places) == ([350, 350], (2, 1))


def test_abandoning_between_hands_adds_nothing_and_lowers_the_score() -> None:
    state = BURRACO.from_json(BURRACO.options({}), {"dealer": 0, "phase": "deal", "scores": [700, 300]})
    state.apply(0, "abandon")
    assert state.scores == [300, 300]
    assert state.outcome is not None
    assert state.outcome.winner == 1
    assert state.hand_score is None


def test_a_lost_turn_of_swapping_starts_anew_with_a_card_laid() -> None:
    hands = [["7h", "8h", "9h", "Kc", "Qs"], ["Ad", "3c"]]
    state = played(position(hands=hands, stall=5), "draw discard", "meld 7h 8h 9h", "discard Kc")
    assert state.to_json()["stall"] == 0
    assert played(position(hands=hands, stall=5), "draw discard", "discard Kc").to_json()["stall"] == 6
    assert played(position(hands=hands, stall=5), "draw stock", "discard Kc").to_json()["stall"] == 0
    two = position(hands=hands, stall=5, discard=["5d", "6d"])
    assert played(two, "draw discard", "discard Kc").to_json()["stall"] == 0


# --------------------------------------------------------------------- 7. views, positions, the deck


@pytest.mark.parametrize("seats", [2, 4])
def test_every_seat_may_check_the_cards_that_it_was_given(seats: int) -> None:
    match = start(BURRACO, BURRACO.options({"seats": seats}), 5)
    match.step()
    (order,) = [entry for entry in match.log if isinstance(entry, list)]
    deck = [FR108.texts[card] for card in order]
    got: list[list[str]] = [sorted(hand) for hand in match.state.to_json()["hands"]]
    for _ in range(120):
        if match.state.phase in ("deal", "over"):
            break
        seat = match.state.to_act[0]
        text = "draw stock" if match.state.phase == "draw" else match.rng.choice(match.state.legal(seat)).text
        for event in match.state.apply(seat, text).events:
            if event.kind in ("card_drawn", "pozzetto_taken"):
                assert event.private is not None
                got[seat] = sorted(got[seat] + event.private[seat]["cards"])
    upcard = 11 * seats
    assert match.state.openings(None) == [upcard]
    for seat in range(seats):
        places = [place for place in match.state.openings(seat) if place != upcard]
        assert sorted(deck[place] for place in places) == got[seat]


def test_a_position_may_leave_the_stock_out() -> None:
    options = BURRACO.options({})
    state = BURRACO.from_json(
        options,
        {"dealer": 1, "hands": [["Kh", "9c"], ["Ad"]], "discard": ["5d", "6d"], "taken": [True, True]},
    )
    played(state, "draw discard", "discard Kh")
    assert state.phase == "deal"
    assert state.hand_score is not None
    assert list(state.hand_score["held"]) == [-20, -15]


def test_any_fills_the_pozzetti_and_then_the_stock() -> None:
    state = position(hands=[["Kh"], ["Ad"]])
    rest = sorted((Counter(FR108.cards) - Counter(FR108.read(["Kh", "Ad", "5d"]))).elements())
    snapshot = state.to_json()
    assert snapshot["pozzetti"] == [FR108.show(rest[:11]), FR108.show(rest[11:22])]
    assert snapshot["stock"] == FR108.show(rest[22:])
    one = position(taken=[True, False], stock=["3c", "3d", "4d"]).to_json()["pozzetti"]
    assert [len(pozzetto) for pozzetto in one] == [11]


@pytest.mark.parametrize(
    ("field", "keys"),
    [
        ("hands", {"hands": [[], ["Ad"]]}),
        ("hands", {"hands": [["Kh"]]}),
        ("pozzetti", {"pozzetti": []}),
        ("pozzetti", {"pozzetti": [["Kh"], ["Ks"]]}),
        ("melds", {"melds": [{"seat": 0, "cards": ["4h", "5h", "7h"]}]}),
        ("melds", {"melds": [{"seat": 2, "cards": ["4h", "5h", "6h"]}]}),
        ("melds", {"melds": [["4h", "5h", "6h"]]}),
        ("cards", {"discard": ["Ad", "Ad"]}),
        ("kitty", {"kitty": []}),
    ],
)
def test_positions_that_cannot_be(field: str, keys: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as error:
        position(**keys)
    assert error.value.field == field


@pytest.mark.parametrize(
    "options",
    [{"seats": 3}, {"target": 4}, {"hands": 13}, {"max_hands": 9}, {"match": "time"}, {"tie_hands": 1}],
)
def test_options_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        BURRACO.options(options)


def test_everybody_sees_the_hands_when_the_hand_has_ended() -> None:
    state = closing({}, [0, 0])
    zones = {zone.id: zone for zone in state.view(None).zones}
    assert zones["hands.1"].cards == ("Ad",)
    assert zones["stock"].cards is None
    assert "layable" not in state.view(0).facts


def test_no_set_of_a_rank_that_is_down_is_layable() -> None:
    hands = [["Kh", "Kd", "Ks", "9h"], ["Ad"]]
    assert position(hands=hands).view(0).facts["layable"] == [{"move": "meld Kh Kd Ks", "value": 30}]
    down = position(hands=hands, melds=[{"seat": 0, "cards": ["Kc", "Kc", "X"]}])
    assert down.view(0).facts["layable"] == []
