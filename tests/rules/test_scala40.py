"""Scala 40: what the cases of the spec do not show."""

from typing import Any

import pytest

from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.registry import game
from services.rules.games.scala40 import Scala40
from services.rules.games.scala40_match import held_points
from tests.rules.playing import code, played
from tests.rules.strategies import as_json, forward, start

SCALA40 = game("scala40")
FULL = ["2c", "2s", "3d", "4s", "5c", "6d", "7s", "8c", "9d", "Tc", "Js", "Qd", "Kc"]


def at(position: dict[str, Any], **options: Any) -> Scala40:
    state = SCALA40.from_json(SCALA40.options(options), {"dealer": 0, "stock": "any", **position})
    assert isinstance(state, Scala40)
    return state


def texts(state: Scala40) -> list[str]:
    return [move.text for move in state.legal(state.to_act[0])]


def closing(scores: list[int], hands: list[list[str]], **more: Any) -> dict[str, Any]:
    """Seat 1 of these is one move from closing; all have opened."""
    seats = len(hands)
    return {
        "dealer": 0,
        "phase": "play",
        "to_act": [1],
        "opened": [True] * seats,
        "hands": hands,
        "scores": scores,
        "melds": [{"seat": 1, "cards": ["4c", "5c", "6c"]}],
        **more,
    }


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"partners": True}, "partners"),
        ({"seats": 3, "partners": True}, "partners"),
        ({"reentry": 1}, "reentry"),
        ({"seats": 3, "match": "hands", "reentry": 1}, "reentry"),
        ({"seats": 4, "partners": True, "reentry": 2}, "reentry"),
        ({"seats": 7}, "seats"),
        ({"hands": 2}, "hands"),
        ({"target": 50}, "target"),
        ({"pickup": "never"}, "pickup"),
        ({"joker": True}, "joker"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionsError) as refused:
        SCALA40.options(options)
    assert refused.value.field == field


def test_jokers_turned_up_go_to_the_bottom_of_the_stock() -> None:
    state = SCALA40.start(SCALA40.options({}), 0)
    order = list(range(108))
    order[26], order[27], order[104], order[105] = 104, 105, 26, 27
    (dealt,) = state.supply(order)
    after = state.to_json()
    assert after["discard"] == [SCALA40.deck.texts[28]]
    assert after["stock"][0] == SCALA40.deck.texts[29]
    assert after["stock"][-2:] == ["X", "X"]
    assert len(after["stock"]) == 108 - 26 - 1
    assert dealt.data["jokers_turned"] == 2
    assert state.openings(None) == [26, 27, 28]
    assert state.openings(1) == [*range(0, 26, 2), 26, 27, 28]
    state.apply(1, "draw stock")
    assert state.openings(1) == [*range(0, 26, 2), 26, 27, 28, 29]
    assert state.openings(0) == [*range(1, 26, 2), 26, 27, 28]


def test_of_a_stock_that_was_made_anew_its_own_places_are_opened() -> None:
    match = start(SCALA40, SCALA40.options({"seats": 6}), 7, forward)
    while not match.state.needs_chance or match.state.needs_chance.purpose == "deal":
        match.step()
    match.step()
    viewers = match.viewers()
    assert [list(match.state.openings(viewer)) for viewer in viewers] == [[] for _ in viewers]
    seat = match.state.to_act[0]
    played(match.state, "draw stock")
    assert [list(match.state.openings(viewer)) for viewer in viewers if viewer != seat] == [[]] * 6
    assert match.state.openings(seat) == [0]
    back = SCALA40.from_json(match.options, match.state.to_json())
    assert back.openings(seat) == [0]


def test_who_took_the_discard_is_asked_to_lay_it() -> None:
    hands = [["2d", "3d", "4h"], ["8h", "8d", "4c", "Kh"]]
    state = at({"hands": hands, "opened": [True, True], "discard": ["8c"]})
    before = state.public_view().prompts[0].text["en"]
    played(state, "draw discard")
    assert "from the pile" in state.public_view().prompts[0].text["en"] != before
    played(state, "meld 8h 8d 8c")
    assert "from the pile" not in state.public_view().prompts[0].text["en"]


def test_the_taken_card_must_be_part_of_the_opening() -> None:
    """A card added to another one's meld is laid, but not as the seat must that had not opened."""
    state = at(
        {
            "hands": [["2d", "3d"], ["Kh", "Kd", "Ks", "Qh", "Qd", "Qs", "2c", "2s", "2h"]],
            "opened": [True, False],
            "melds": [{"seat": 0, "cards": ["9c", "Tc", "Jc"]}],
            "discard": ["8c"],
        }
    )
    played(state, "draw discard", "meld Kh Kd Ks", "meld Qh Qd Qs", "add 8c m0 low")
    assert code(state, "discard 2c", 1) == "must_use_taken"
    assert [text for text in texts(state) if text.startswith("discard")] == []


def test_a_second_copy_of_the_taken_card_may_be_discarded() -> None:
    state = at(
        {
            "hands": [["2d", "3d"], ["8c", "2h", "3s"]],
            "opened": [True, True],
            "melds": [{"seat": 0, "cards": ["9c", "Tc", "Jc"]}],
            "discard": ["8c"],
        }
    )
    played(state, "draw discard", "add 8c m0", "discard 8c")
    assert state.to_act == (0,)


def test_undo_goes_back_to_the_draw_step_by_step() -> None:
    state = at(
        {
            "hands": [["2d", "3d"], ["9h", "3h", "X", "5s", "5c"]],
            "opened": [True, True],
            "melds": [{"seat": 0, "cards": ["9d", "9c", "X=9h"]}, {"seat": 1, "cards": ["4h", "5h", "6h"]}],
            "discard": ["5d"],
        }
    )
    before = [as_json(state.to_json())]
    for move in ("draw discard", "swap 9h m0", "add X m0", "meld 5d 5c 5s", "add 3h m1 low"):
        played(state, move)
        before.append(as_json(state.to_json()))
    assert before[3]["melds"][0]["cards"] == ["9h", "9d", "9c", "X=9s"]
    for wanted in reversed(before[:-1]):
        played(state, "undo")
        assert as_json(state.to_json()) == wanted
    assert state.phase == "draw"


def test_every_card_fits_then_any_may_be_discarded() -> None:
    position = {
        "phase": "play",
        "to_act": [1],
        "hands": [["2d"], ["8c", "Qc"], ["3d"]],
        "opened": [True, True, True],
        "melds": [{"seat": 0, "cards": ["9c", "Tc", "Jc"]}],
    }
    state = at(position, seats=3, attachable_discard="fisca")
    assert {"discard 8c", "discard Qc"} <= set(texts(state))
    state = at({**position, "hands": [["2d"], ["8c", "X"], ["3d"]]}, seats=3, attachable_discard="fisca")
    assert {"discard 8c", "discard X"} <= set(texts(state))
    state = at({**position, "hands": [["2d"], ["2c", "X"], ["3d"]]}, seats=3, attachable_discard="fisca")
    assert code(state, "discard X", 1) == "attachable_discard"


def test_two_who_are_still_in_are_a_table_of_two_for_the_fisca() -> None:
    position = {
        "phase": "play",
        "to_act": [2],
        "out": [1],
        "scores": [0, 120, 0],
        "hands": [["2d"], [], ["8c", "Kd", "Kh", "Ks", "Kc", "Ah"]],
        "melds": [{"seat": 0, "cards": ["9c", "Tc", "Jc"]}],
    }
    state = at({**position, "opened": [True, False, True]}, seats=3, attachable_discard="fisca")
    assert code(state, "discard 8c", 2) is None
    state = at(position, seats=3, attachable_discard="fisca")
    assert code(state, "discard 8c", 2) == "attachable_discard"
    played(state, "meld Kh Kd Kc Ks")
    assert code(state, "discard 8c", 2) is None


def test_in_the_first_round_two_cards_are_left() -> None:
    hands = [["2d"], ["Kd", "Kh", "Ks", "Kc", "Ah"]]
    state = at({"phase": "play", "to_act": [1], "turns": [0, 0], "hands": hands})
    assert code(state, "meld Kh Kd Kc Ks", 1) == "first_round_close"
    played(state, "meld Kh Kd Ks")
    assert code(state, "add Kc m0", 1) == "first_round_close"
    assert texts(state) == ["undo"]


def test_nobody_closes_in_the_first_round_by_the_discard() -> None:
    state = at(
        {"phase": "play", "to_act": [1], "turns": [1, 0], "hands": [["2d"], ["8c"]], "opened": [True, True]}
    )
    assert code(state, "discard 8c", 1) == "first_round_close"
    assert texts(state) == []


@pytest.mark.parametrize(
    ("cards", "one_ace", "only_card"),
    [
        (["Ah"], 1, 1),
        (["Ah", "Kd"], 11, 21),
        (["Ah", "Ah"], 22, 22),
        (["Ah", "X", "2c"], 28, 38),
    ],
)
def test_a_lone_ace(cards: list[str], one_ace: int, only_card: int) -> None:
    state = at({"hands": [cards, ["2d"]]})
    assert held_points(state.hands[0], "one_ace") == one_ace
    assert held_points(state.hands[0], "only_card") == only_card


def test_a_refill_waits_for_chance() -> None:
    state = at({"stock": [], "discard": ["4c", "5d", "6c"], "hands": [["2d"], ["8c"]]})
    shuffle = state.needs_chance
    assert shuffle is not None
    assert (shuffle.purpose, shuffle.cards) == ("stock", ("5d", "4c"))
    assert (state.phase, state.to_act) == ("draw", ())
    assert code(state, "draw stock", 1) == "not_your_turn"
    with pytest.raises(ValueError, match="permutation"):
        state.supply([0, 0])
    (event,) = state.supply([1, 0])
    assert event.kind == "stock_refilled"
    assert state.to_json()["stock"] == ["4c", "5d"]
    with pytest.raises(ValueError, match="no shuffle"):
        state.supply([0, 1])


def test_a_hand_with_nothing_to_draw_is_void() -> None:
    state = at({"phase": "play", "to_act": [1], "stock": [], "hands": [["2d"], ["8c", "9d"]]})
    played(state, "discard 8c")
    assert (state.phase, state.voids, state.hand, state.dealer) == ("deal", 1, 1, 1)
    assert state.view(None).zones[0].cards == ("2d",)


def test_the_stock_is_refilled_before_the_hand_is_found_too_long() -> None:
    position = {"phase": "play", "to_act": [1], "stock": [], "hands": [["2d"], ["8c", "9d"]]}
    state = at({**position, "discard": ["4c", "5d"], "turns": [2, 1]}, max_turns=4)
    played(state, "discard 8c")
    assert (state.phase, state.voids) == ("draw", 0)
    state.supply([1, 0])
    assert (state.phase, state.voids, state.hand) == ("deal", 1, 1)
    assert (state.to_json()["stock"], state.to_json()["discard"]) == (["5d", "4c"][::-1], ["8c"])


# ------------------------------------------------------------------------------------------- re-entry


def asked() -> Scala40:
    """Five seats: 1 closed; 0 and 3 may re-enter, 4 has no entry left, 2 is below the target."""
    hands = [["Kd"], ["9s"], ["5c"], ["Ks", "2d"], ["Kc", "Qc"]]
    state = at(closing([95, 40, 60, 99, 99], hands, entries=[1, 1, 1, 1, 2]), seats=5, reentry=1)
    played(state, "discard 9s")
    return state


def test_choices_are_secret_until_all_are_made() -> None:
    state = asked()
    assert (state.phase, list(state.to_act), state.out) == ("reentry", [0, 3], [4])
    assert code(state, "draw stock", 0) == "wrong_phase"
    assert texts(state) == ["reenter", "leave"]
    assert state.sealed(0, "leave")
    (event,) = state.apply(3, "leave").events
    assert (event.data, event.private) == ({}, {3: {"choice": "leave"}})
    assert "choice" not in state.view(0).facts
    assert state.view(3).facts["choice"] == "leave"
    assert code(state, "reenter", 3) == "not_your_turn"
    assert code(state, "abandon", 3) == "not_your_turn"
    played(state, "reenter")
    assert state.phase == "deal"
    assert state.scores == [65, 40, 65, 111, 119]
    assert state.entries == [2, 1, 1, 1, 2]
    assert state.out == [4, 3]
    assert (state.hand, state.dealer) == (2, 1)


def test_who_leaves_with_more_points_leaves_first() -> None:
    hands = [["Kd", "Qd"], ["9s"], ["5c"], ["2d"]]
    state = at(closing([95, 40, 60, 99], hands, entries=[1, 1, 1, 2]), seats=4, reentry=1)
    played(state, "discard 9s")
    assert state.out == [3]
    played(state, "leave")
    assert state.out == [0, 3]


def test_abandoning_instead_of_a_choice_is_leaving() -> None:
    state = asked()
    state.apply(0, "reenter")
    state.apply(0, "abandon")
    assert state.phase == "reentry"
    state.apply(3, "abandon")
    assert state.phase == "deal"
    assert state.out == [4, 3, 0]


def test_abandoning_beside_the_choices_ends_the_match() -> None:
    state = asked()
    state.apply(0, "leave")
    state.apply(2, "abandon")
    assert state.out == [4, 0]
    assert state.scores == [105, 40, 165, 111, 119]
    outcome = state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.places, outcome.ended_by) == (1, (3, 1, 5, 2, 4), "abandon")


def test_who_chose_to_re_enter_is_still_in_when_another_abandons() -> None:
    state = asked()
    state.apply(3, "reenter")
    state.apply(1, "abandon")
    assert state.out == [4]
    assert state.scores == [105, 140, 65, 111, 119]
    assert state.places == (2, 5, 1, 3, 4)


def test_re_entries_do_not_save_when_one_is_left_below_the_target() -> None:
    state = at(closing([95, 40, 99], [["Kd"], ["9s"], ["2d"]]), seats=3, reentry=3)
    played(state, "discard 9s")
    assert state.over
    assert state.out == [0, 2]
    assert state.places == (3, 1, 2)


# --------------------------------------------------------------------------------- match, abandonment


def test_max_hands_ends_a_match_to_points() -> None:
    more = {"hand": 9, "voids": 1}
    state = at(closing([40, 40, 99], [["2h"], ["9s"], ["2d"]], **more), seats=3, reentry=1, max_hands=10)
    played(state, "discard 9s")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.places, state.out) == (1, (2, 1, 3), [2])
    state = at(closing([40, 42, 70], [["2h"], ["9s"], ["2d"]], **more), seats=3, max_hands=10)
    played(state, "discard 9s")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.places, state.outcome.ended_by) == (None, (1, 1, 3), "draw")


def test_level_hands_are_told_apart_by_the_penalty() -> None:
    hands = [["Kd"], ["9s"], ["2d"]]
    state = at(
        closing([1, 0, 1], hands, penalty=[50, 90, 50], hand=3), seats=3, match="hands", hands=3, ko=True
    )
    played(state, "discard 9s")
    assert state.scores == [1, 1, 1]
    assert state.penalty == [60, 90, 52]
    assert (state.outcome and state.outcome.winner, state.places) == (2, (2, 3, 1))
    state = at(closing([1, 0, 0], hands, penalty=[42, 52, 0], hand=3), seats=3, match="hands", hands=3)
    played(state, "discard 9s")
    assert (state.outcome and state.outcome.winner, state.places) == (None, (1, 1, 3))


def test_partners_end_when_a_side_is_past_the_target() -> None:
    hands = [["Kd"], ["9s"], ["2d"], ["3d"]]
    state = at(closing([95, 99], hands), seats=4, partners=True)
    played(state, "discard 9s")
    assert state.scores == [107, 99]
    assert (state.over, state.places, state.out) == (True, (2, 1), [])


def test_the_partner_of_who_abandons_pays_as_well() -> None:
    position = {
        "hands": [["X"], ["9s"], ["Kd"], FULL],
        "opened": [True, True, True, False],
        "scores": [10, 20],
    }
    state = at(position, seats=4, partners=True, target=301)
    state.apply(0, "abandon")
    assert state.hand_score == {"held": (10, 0), "full": (100, 0), "total": (110, 0)}
    state = at(position, seats=4, partners=True, match="hands")
    state.apply(1, "abandon")
    assert state.hand_score == {"held": (0, 0), "full": (0, 200), "total": (1, 0)}
    assert (state.scores, state.penalty) == ([11, 11], [0, 200])


def test_abandonment_of_a_match_of_three() -> None:
    position = {"hands": [["X"], ["9s"], ["Kd"]], "scores": [30, 60, 30]}
    state = at(position, seats=3)
    state.apply(2, "abandon")
    assert state.scores == [30, 60, 130]
    assert (state.outcome and state.outcome.winner, state.places) == (0, (1, 2, 3))
    state = at({**position, "scores": [1, 0, 1], "penalty": [50, 20, 0]}, seats=3, match="hands")
    state.apply(0, "abandon")
    assert (state.scores, state.penalty) == ([0, 0, 1], [150, 20, 0])
    assert (state.outcome and state.outcome.winner, state.places) == (2, (3, 2, 1))


def test_who_is_out_plays_no_part() -> None:
    state = at({"hands": [["X"], [], ["Kd"]], "out": [1], "scores": [30, 120, 30]}, seats=3)
    assert state.to_act == (2,)
    assert state.view(1).facts["layable"] == []
    assert state.view(1).facts["opening"] is None
    state.apply(0, "abandon")
    assert state.places == (3, 2, 1)


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ({"hands": [FULL]}, "hands"),
        ({"hands": [FULL, ["2c"]], "out": [1]}, "out"),
        ({"hands": [FULL, ["2c"]], "melds": [{"seat": 0, "cards": ["2h", "3h", "5h"]}]}, "melds"),
        ({"hands": [FULL, ["2c"]], "melds": [{"seat": 2, "cards": ["2h", "3h", "4h"]}]}, "melds"),
        ({"hands": [FULL, ["2c"]], "melds": [{"cards": ["2h", "3h", "4h"]}]}, "melds"),
        ({"hands": [FULL, ["2c"]], "melds": [["2h", "3h", "4h"]]}, "melds"),
        ({"hands": [["Kd", "Kd", "Kd"], FULL]}, "cards"),
        ({"hands": [FULL, ["2c"]], "opened": [True]}, "opened"),
        ({"hands": [FULL, ["2c"]], "to_act": [0, 1]}, "to_act"),
        ({"hands": [FULL, ["2c"]], "phase": "trick"}, "phase"),
        ({"hands": [FULL, ["2c"]], "trump": "2c"}, "trump"),
        ({}, "hands"),
    ],
)
def test_positions_that_cannot_be(position: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        at(position)
    assert refused.value.field == field


def test_the_pile_shows_its_last_card_and_how_many_there_are() -> None:
    state = at({"hands": [FULL, ["2h"]], "discard": ["4c", "5d", "X"]})
    (pile,) = [zone for zone in state.view(None).zones if zone.kind == "discard"]
    assert (pile.cards, pile.count) == (("X",), 3)
    assert [zone.cards for zone in state.view(None).zones if zone.kind == "hands"] == [None, None]
