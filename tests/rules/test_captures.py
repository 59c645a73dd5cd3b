"""Capture by sum and the points of a pile, against slow and obvious versions of the same."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.cards import IT40, as_set, members
from services.rules.families.captures import ALL_CARDS, VALUE, equal_or_sums, pile_points, primiera

VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "J": 8, "Q": 9, "K": 10}
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}

tables = st.sets(st.integers(0, 39), max_size=10)
piles = st.sets(st.integers(0, 39))


def test_values() -> None:
    assert [VALUES[face[0]] for face in IT40.faces] == list(VALUE)


@given(table=tables, value=st.integers(1, 10))
def test_captures_are_one_equal_card_or_all_sums(table: set[int], value: int) -> None:
    equal = [(card,) for card in sorted(table) if VALUE[card] == value]
    sums = sorted(
        cards
        for size in range(2, len(table) + 1)
        for cards in combinations(sorted(table), size)
        if sum(VALUE[card] for card in cards) == value
    )
    found = [tuple(members(cards)) for cards in equal_or_sums(as_set(table), value)]
    assert found == (equal or sums)


@given(pile=piles)
def test_primiera_is_the_best_card_of_each_suit(pile: set[int]) -> None:
    faces = IT40.show(pile)
    best = [max((PRIMIERA[f[0]] for f in faces if f[1] == suit), default=None) for suit in "dcbs"]
    assert primiera(as_set(pile)) == (None if None in best else sum(b for b in best if b))


@pytest.mark.parametrize(
    ("mine", "points"),
    [
        # 7d 7c 7b 7s against the rest: everything of the deck but denari and carte
        ("7d 7c 7b 7s", {"settebello": [1, 0], "primiera": [1, 0], "denari": [0, 1], "carte": [0, 1]}),
        # no spade: no primiera, so the other side has it with any four suits
        ("7d 7c 7b", {"settebello": [1, 0], "primiera": [0, 1], "denari": [0, 1], "carte": [0, 1]}),
        ("", {"settebello": [0, 1], "primiera": [0, 1], "denari": [0, 1], "carte": [0, 1]}),
    ],
)
def test_points_of_small_piles(mine: str, points: dict[str, list[int]]) -> None:
    pile = as_set(IT40.read(mine.split()))
    assert pile_points([pile, ALL_CARDS ^ pile]) == points


@given(mine=piles)
def test_points_of_the_deck(mine: set[int]) -> None:
    pile = as_set(mine)
    points = pile_points([pile, ALL_CARDS ^ pile])
    assert all(sum(sides) <= 1 for sides in points.values())
    assert sum(points["settebello"]) == 1
    cards = len(mine)
    assert points["carte"] == [int(cards > 20), int(cards < 20)]
    denari = sum(card < 10 for card in mine)
    assert points["denari"] == [int(denari > 5), int(denari < 5)]
    swapped = pile_points([ALL_CARDS ^ pile, pile])
    assert swapped == {item: sides[::-1] for item, sides in points.items()}


@pytest.mark.parametrize(("cards", "mine", "theirs"), [(19, 0, 1), (20, 0, 0), (21, 1, 0)])
def test_carte_takes_21_cards(cards: int, mine: int, theirs: int) -> None:
    pile = as_set(range(40 - cards, 40))
    assert pile_points([pile, ALL_CARDS ^ pile])["carte"] == [mine, theirs]


@pytest.mark.parametrize(("cards", "mine", "theirs"), [(4, 0, 1), (5, 0, 0), (6, 1, 0)])
def test_denari_takes_six_of_them(cards: int, mine: int, theirs: int) -> None:
    pile = as_set(range(cards))
    assert pile_points([pile, ALL_CARDS ^ pile])["denari"] == [mine, theirs]


def test_equal_primiera_is_nobodys() -> None:
    pile = as_set(IT40.read(["7d", "7c", "6b", "6s"]))
    assert pile_points([pile, ALL_CARDS ^ pile])["primiera"] == [0, 0]
