"""What a computer does at the rummies: it opens, lays, takes and discards with reason."""

from collections import Counter
from typing import Any

import pytest

from services.bots.choice import choose
from services.bots.rummies import BURRACO, CANASTA, JOLLY, Layable, most_valuable
from services.rules.core.registry import game
from tests.bots.updates import update


def choice(name: str, hand: str, **position: Any) -> str:
    """What seat 0 of two does with this hand."""
    played = game(name)
    given = {
        "dealer": 1,
        "phase": "play",
        "to_act": [0],
        "hands": [hand.split(), ["4s", "9d", "Ks"]],
        "stock": ["4c", "9s", "Td", "6d"],
        "discard": ["2c"],
        **({"taken": [True, True]} if name == "burraco" else {}),
        **position,
    }
    return choose(name, update(played.from_json(played.options({}), given), 0, game=name))


def laid(seat: int, cards: str) -> dict[str, Any]:
    return {"seat": seat, "cards": cards.split()}


@pytest.mark.parametrize("name", ["jolly", "scala40"])
def test_it_opens_with_melds_that_together_are_enough(name: str) -> None:
    assert choice(name, "Jh Qh Kh 5c 5d 5h 2s 9c") == "meld Jh Qh Kh"


@pytest.mark.parametrize("name", ["jolly", "scala40"])
def test_it_keeps_what_does_not_open(name: str) -> None:
    assert choice(name, "5c 5d 5h 8h 8d 8c 2s Ks") == "discard Ks"


def test_it_goes_on_with_an_opening_that_it_has_begun() -> None:
    state = game("jolly").from_json(
        game("jolly").options({}),
        {
            "dealer": 1,
            "phase": "play",
            "to_act": [0],
            "hands": [["Jh", "Qh", "Kh", "5c", "5d", "5h", "2s", "9c"], ["4s"]],
            "stock": ["4c"],
            "discard": [],
        },
    )
    made = []
    while state.to_act == (0,):
        made.append(choose("jolly", update(state, 0, game="jolly")))
        state.apply(0, made[-1])
    assert made == ["meld Jh Qh Kh", "meld 5h 5d 5c", "discard 9c"]


def test_once_open_it_lays_the_longest_meld_first() -> None:
    assert choice("jolly", "3h 4h 5h 6h Kc Kd Ks 2s", opened=[True, True]) == "meld 3h 4h 5h 6h"


def test_it_adds_what_fits_and_closes_with_the_last_card() -> None:
    assert choice("jolly", "6h 2s", opened=[True, True], melds=[laid(1, "3h 4h 5h")]) == "add 6h m0 high"


@pytest.mark.parametrize(
    ("name", "hand", "wanted"),
    [
        ("jolly", "3h 5h Qc Qd 8s X", "discard 8s"),  # alone in the hand; the joker is kept
        ("jolly", "3h 5h 9c 9d 8s 4c", "discard 8s"),  # of two that are alone the dearer
        ("scala40", "Qh Qh 3c 4c 9d 9s", "discard Qh"),  # a twin is of no use in a set
        ("burraco", "Qh Qh 3c 4c 9d", "discard 9d"),  # but here it is
        ("canasta", "5h 6h 7h 8c 8d 9c", "discard 9c"),  # there are no runs
    ],
)
def test_it_discards_what_fits_least(name: str, hand: str, wanted: str) -> None:
    assert choice(name, hand) == wanted


@pytest.mark.parametrize(
    ("discard", "wanted"),
    [(["7c", "Kh"], "draw discard"), (["Kh", "7c"], "draw stock"), (["7c", "X"], "draw discard")],
)
def test_the_pile_of_burraco_is_taken_for_a_card_on_top_that_makes_a_meld(
    discard: list[str], wanted: str
) -> None:
    assert choice("burraco", "Jh Qh 3c 4d 9d", phase="draw", discard=discard) == wanted


def test_the_pile_of_scala_40_is_left() -> None:
    assert choice("scala40", "Jh Qh 3c 4d 9d", phase="draw", discard=["Kh"]) == "draw stock"


def test_who_has_opened_at_canasta_takes_the_pile_and_who_has_not_does_not() -> None:
    pile = {"phase": "draw", "discard": ["4c", "9h"]}
    assert choice("canasta", "9c 9d 6h 7h", melds=[laid(0, "Kc Kd Kh")], **pile).startswith("take ")
    assert choice("canasta", "9c 9d 6h 7h", **pile) == "draw stock"


def test_at_canasta_who_could_not_close_keeps_two_cards() -> None:
    own = {"melds": [laid(0, "Kc Kd Kh")]}
    assert choice("canasta", "9c 9d 9h 6h", **own).startswith("discard ")
    canasta = {"melds": [laid(0, "Kc Kd Kh Ks Kc Kd Kh")]}
    assert choice("canasta", "9c 9d 9h 6h", **canasta) == "meld 9h 9d 9c"


def test_a_wild_card_is_added_to_no_meld_that_is_long_already() -> None:
    seven, six = laid(0, "Kc Kd Kh Ks Kc Kd Kh"), laid(0, "Kc Kd Kh Ks Kc Kd")
    assert choice("canasta", "X 5h 8c 6d", melds=[seven]) == "discard 8c"
    assert choice("canasta", "X 5h 8c 6d", melds=[six]) == "add X m0"


def test_it_never_doubles_and_accepts_a_double() -> None:
    assert choice("canasta", "9c 9d 6h 7h", phase="draw") == "draw stock"
    assert choice("canasta", "9c 9d 6h 7h", phase="double") == "accept"


def test_melds_that_share_a_card_do_not_count_together() -> None:
    run = Layable("meld 6h 7h 8h", ("6h", "7h", "8h"), 21)
    eights = Layable("meld 8h 8d 8c", ("8h", "8d", "8c"), 24)
    fives = Layable("meld 5h 5d 5c", ("5h", "5d", "5c"), 15)
    hand = Counter(["5h", "5d", "5c", "6h", "7h", "8h", "8d", "8c", "2s", "Ks"])
    assert most_valuable([run, eights, fives], hand, 8) == (39, (eights, fives))
    assert most_valuable([run, eights, fives], hand, 5) == (24, (eights,))
    assert most_valuable([run, eights], hand + Counter(["8h"]), 8) == (45, (run, eights))


@pytest.mark.parametrize(
    ("style", "card", "hand", "makes"),
    [
        (JOLLY, "Ah", "2h 3h", True),
        (JOLLY, "Ah", "Kh Qh", True),
        (JOLLY, "Ah", "Kh 2h", False),
        (JOLLY, "5h", "5d 5d", False),
        (BURRACO, "5h", "5d 5d", True),
        (BURRACO, "3h", "2h 4h", False),  # the two is taken for a wild card
        (CANASTA, "5h", "4h 6h", False),
        (CANASTA, "5h", "5h 5h", True),
    ],
)
def test_three_cards_that_are_a_meld(style: Any, card: str, hand: str, makes: bool) -> None:
    assert style.makes_meld(card, hand.split()) == makes
