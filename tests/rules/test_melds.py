"""Melds of two packs with jokers, against what a slow and plain search finds."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import members
from services.rules.families.best_melds import most_points
from services.rules.families.double_hands import (
    JOKER,
    RANKS,
    cards_of,
    faces,
    held,
    jokers_of,
    kinds,
    size,
    with_cards,
    without_card,
    without_cards,
)
from services.rules.families.layable_melds import layable
from services.rules.families.melds import (
    FACES,
    Meld,
    MeldRules,
    growths,
    meld_texts,
    melds_of_three,
    read_meld,
    swaps,
    value,
)

SCALA = MeldRules(run_jokers=1, two_aces=False, stated_suit=True, high_ace=11, ace_of_set=11)
JOLLY = MeldRules(run_jokers=2, two_aces=True, stated_suit=False, high_ace=10, ace_of_set=25)
ANY = JOLLY._replace(run_jokers=6)
every_rules = pytest.mark.parametrize("rules", [SCALA, JOLLY, ANY], ids=["scala40", "jolly", "any"])
NUMBER = {face: card for card, face in enumerate(FACES)}


@st.composite
def hands(draw: st.DrawFn, most: int, most_jokers: int = 4) -> int:
    """Cards that lie close together, so that there is much to lay."""
    ranks = draw(st.lists(st.integers(0, 12), min_size=1, max_size=5, unique=True))
    low = draw(st.integers(0, 12))
    near = [(low + step) % RANKS for step in range(6)]
    suits = draw(st.lists(st.integers(0, 3), min_size=1, max_size=2, unique=True))
    pool = [suit * RANKS + rank for suit in range(4) for rank in ranks]
    pool += [suit * RANKS + rank for suit in suits for rank in near]
    natural = draw(st.lists(st.sampled_from(pool), max_size=most))
    kept = [card for card, times in Counter(natural).items() for _ in range(min(times, 2))]
    return with_cards(0, [*kept, *[JOKER] * draw(st.integers(0, most_jokers))])


def all_melds(hand: int, rules: MeldRules) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every meld that the cards of a hand give: its text, and what it is worth."""
    places = {1: "A", **{n: FACES[n - 1][0] for n in range(2, 14)}, 14: "A"}
    for suit in range(4):
        for low in range(1, 13):
            for high in range(low + 2, 15):
                cards = [NUMBER[places[place] + "hdcs"[suit]] for place in range(low, high + 1)]
                choices = [[card, JOKER] if held(hand, card) else [JOKER] for card in cards]
                for chosen in product(*choices) if not too_many_gaps(choices) else ():
                    wild = [at for at, card in enumerate(chosen) if card == JOKER]
                    if len(wild) > min(rules.run_jokers, jokers_of(hand)):
                        continue
                    if any(b - a == 1 for a, b in pairwise(wild)):
                        continue
                    if low == 1 and high == 14 and not rules.two_aces and not {0, 13} & set(wild):
                        continue
                    if Counter(chosen) - Counter(cards_of(hand)):
                        continue
                    worth = [
                        rules.high_ace if place == 14 else min(place, 10) for place in range(low, high + 1)
                    ]
                    yield tuple(FACES[card] for card in chosen), sum(worth)
    for rank in range(RANKS):
        each = min(rank + 1, 10) if rank else rules.ace_of_set
        suits = [suit for suit in range(4) if held(hand, suit * RANKS + rank)]
        for count in (2, 3, 4):
            for natural in combinations(suits, count):
                texts = tuple(FACES[suit * RANKS + rank] for suit in natural)
                if count > 2:
                    yield texts, count * each
                if count < 4 and jokers_of(hand):
                    missing = [suit for suit in range(4) if suit not in natural]
                    stated = [f"X={FACES[suit * RANKS + rank]}" for suit in missing]
                    for joker in stated if rules.stated_suit else ["X"]:
                        yield (*texts, joker), (count + 1) * each


def too_many_gaps(choices: list[list[int]]) -> bool:
    return any(len(a) == 1 and len(b) == 1 for a, b in pairwise(choices))


def cards_in(texts: tuple[str, ...]) -> Counter[str]:
    return Counter(text.partition("=")[0] for text in texts)


@every_rules
@given(data=st.data())
@settings(max_examples=25)
def test_layable_is_what_is_among_no_longer_meld(rules: MeldRules, data: st.DataObject) -> None:
    hand = data.draw(hands(11))
    melds = list(all_melds(hand, rules))
    counted = [(cards_in(texts), texts, worth) for texts, worth in melds]
    kept = [
        (texts, worth)
        for cards, texts, worth in counted
        if not any(len(other) > len(texts) and cards <= more for more, other, _ in counted)
    ]
    wanted = sorted((-len(texts), -worth, "meld " + " ".join(texts)) for texts, worth in kept)
    assert [(it.move, it.value) for it in layable(hand, rules)] == [(text, -v) for _, v, text in wanted]


@every_rules
@given(data=st.data())
@settings(max_examples=25)
def test_melds_of_three_are_all_of_them(rules: MeldRules, data: st.DataObject) -> None:
    hand = data.draw(hands(11))
    found = [meld_texts(meld) for meld in melds_of_three(faces(hand), jokers_of(hand), rules)]
    assert sorted(found) == sorted(texts for texts, _ in all_melds(hand, rules) if len(texts) == 3)


@every_rules
@given(data=st.data())
@settings(max_examples=25)
def test_every_meld_is_read_back_and_has_its_value(rules: MeldRules, data: st.DataObject) -> None:
    for texts, worth in all_melds(data.draw(hands(12)), rules):
        meld = read_meld(texts, rules)
        assert isinstance(meld, Meld)
        assert meld_texts(meld) == texts
        assert value(meld, rules) == worth


@every_rules
@given(data=st.data())
@settings(max_examples=20)
def test_most_points_by_trying_all(rules: MeldRules, data: st.DataObject) -> None:
    hand = data.draw(hands(8, 2))
    melds = {
        tuple(sorted(cards_in(texts).elements())): worth for texts, worth in sorted(all_melds(hand, rules))
    }
    for texts, worth in all_melds(hand, rules):
        key = tuple(sorted(cards_in(texts).elements()))
        melds[key] = max(melds[key], worth)

    def most(left: Counter[str], rest: list[tuple[tuple[str, ...], int]]) -> int:
        best = 0
        for index, (cards, worth) in enumerate(rest):
            if not Counter(cards) - left:
                best = max(best, worth + most(left - Counter(cards), rest[index:]))
        return best

    left = Counter(FACES[card] for card in cards_of(hand))
    assert most_points(hand, rules) == most(left, list(melds.items()))


@every_rules
@given(data=st.data())
@settings(max_examples=25)
def test_a_card_fits_where_the_longer_meld_is_one(rules: MeldRules, data: st.DataObject) -> None:
    melds = [read_meld(texts, rules) for texts, _ in all_melds(data.draw(hands(10)), rules)]
    for meld in data.draw(st.permutations(melds))[:10]:
        assert isinstance(meld, Meld)
        texts = meld_texts(meld)
        wanted = set()
        for card in range(53):
            if meld.low:
                wanted |= {(card, "low")} if is_meld((FACES[card], *texts), rules) else set()
                wanted |= {(card, "high")} if is_meld((*texts, FACES[card]), rules) else set()
            elif is_meld((*texts, FACES[card]), rules):
                wanted.add((card, ""))
        found = {(growth.card, growth.end) for growth in growths(meld, rules)}
        assert found == wanted
        for growth in growths(meld, rules):
            assert read_meld(meld_texts(growth.meld), rules) == growth.meld
            assert growth.meld.cards[growth.place] == growth.card
        for swap in swaps(meld, rules):
            assert read_meld(meld_texts(swap.meld), rules) == swap.meld
            assert value(swap.meld, rules) == value(meld, rules)
            assert (meld.cards[swap.joker_place], swap.meld.cards[swap.place]) == (JOKER, swap.card)


def is_meld(texts: tuple[str, ...], rules: MeldRules) -> bool:
    """Whether these cards are a meld in this very order, if it is a run."""
    meld = read_meld(texts, rules)
    return isinstance(meld, Meld) and (not meld.low or meld_texts(meld) == texts)


@pytest.mark.parametrize(
    ("texts", "rules", "wanted"),
    [
        ("Ah Kh Qh", SCALA, "Qh Kh Ah"),
        ("3h Ah 2h", SCALA, "Ah 2h 3h"),
        ("Kh Ah 2h", SCALA, "not_a_meld"),
        ("2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", SCALA, "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", SCALA, "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"),
        ("2h Ah 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", SCALA, "ambiguous"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", SCALA, "not_a_meld"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh X", SCALA, "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh X"),
        ("Ah Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", JOLLY, "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"),
        ("X=7s 7d 7h", SCALA, "7h 7d X=7s"),
        ("7d X 7h 7s", SCALA, "7h 7d 7s X=7c"),
        ("7d X 7h", SCALA, "ambiguous"),
        ("7h 7h X", SCALA, "not_a_meld"),
        ("7h 7d X=8s", SCALA, "not_a_meld"),
        ("7h 7d 7c 7s X", SCALA, "not_a_meld"),
        ("5h 6h X=7h", SCALA, None),
        ("7h X=7d X", SCALA, None),
        ("7h 7d X=X", SCALA, None),
        ("7h 7d X=7s", JOLLY, None),
        ("7d X 7h", JOLLY, "7h 7d X"),
        ("X 5h X", JOLLY, "X 5h X"),
        ("X Ah X", JOLLY, "not_a_meld"),
        ("X X X", JOLLY, "not_a_meld"),
        ("5h 6h", JOLLY, None),
        ("5h 6h 7H", JOLLY, None),
        ("7h 5h X 8h", JOLLY, "not_a_meld"),
    ],
)
def test_reading(texts: str, rules: MeldRules, wanted: str | None) -> None:
    found = read_meld(tuple(texts.split(" ")), rules)
    assert (" ".join(meld_texts(found)) if isinstance(found, Meld) else found) == wanted


@given(st.lists(st.integers(0, JOKER), max_size=20))
def test_a_hand_is_a_number(drawn: list[int]) -> None:
    cards = sorted(
        card for card, times in Counter(drawn).items() for _ in range(min(times, 6 if card == JOKER else 2))
    )
    hand = with_cards(0, cards)
    assert list(cards_of(hand)) == cards
    assert list(members(kinds(hand))) == sorted(set(cards))
    assert size(hand) == len(cards)
    assert all(held(hand, card) == cards.count(card) for card in range(JOKER + 1))
    for card in set(cards):
        assert with_cards(without_card(hand, card), [card]) == hand
    assert without_cards(hand, cards) == 0
