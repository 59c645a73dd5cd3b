"""The deal (README.md): fixed answers for other languages, fairness, commitments, openings, tampering."""

import random
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules import deal
from services.rules.core.cards import DECKS, IT40

HOUSE = bytes(range(32))
SEED = deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_b", 1, 1)
seeds = st.binary(min_size=32, max_size=32)


# ------------------------------------------------------- written apart, from the README's description


def plain_hash(tag: str, *parts: bytes) -> bytes:
    text = b""
    for part in (b"tavolo/deal/1/" + tag.encode(), *parts):
        text += len(part).to_bytes(4, "big") + part
    return sha256(text).digest()


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def plain_words(seed: bytes, shuffle: int) -> Iterator[int]:
    for counter in range(10**6):
        block = plain_hash("stream", seed, u64(shuffle), u64(counter))
        yield from (int.from_bytes(block[4 * i : 4 * i + 4], "big") for i in range(8))


def plain_order(seed: bytes, n: int, shuffle: int) -> list[int]:
    words = plain_words(seed, shuffle)
    cards = list(range(n))
    i = n - 1
    while i > 0:
        word = next(words)
        if word < 2**32 - 2**32 % (i + 1):
            j = word % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]
            i -= 1
    return cards


def plain_root(seed: bytes, cards: list[str], shuffle: int) -> bytes:
    leaves = []
    for position, card in enumerate(plain_order(seed, len(cards), shuffle)):
        salt = plain_hash("salt", seed, u64(shuffle), u64(position))
        leaves.append(plain_hash("card", u64(position), cards[card].encode(), salt))

    def tree(part: list[bytes]) -> bytes:
        if len(part) == 1:
            return part[0]
        half = 1
        while half * 2 < len(part):
            half *= 2
        return plain_hash("node", tree(part[:half]), tree(part[half:]))

    return plain_hash("root", u64(len(leaves)), tree(leaves))


@given(seed=seeds, size=st.integers(1, 110), shuffle=st.integers(0, 5))
def test_the_description_is_enough_to_write_it_again(seed: bytes, size: int, shuffle: int) -> None:
    cards = [f"c{n}" for n in range(size)]
    assert deal.order(seed, size, shuffle) == plain_order(seed, size, shuffle)
    assert deal.commitment(seed, cards, shuffle) == (plain_root(seed, cards, shuffle), size)


# -------------------------------------------------------------------------------- fixed answers


HOUSE_COMMITMENT = "1977317083b89f4164ca25228dbd84919d26f07ba8cc91d8c5e36bc1567a0eb7"
SEED_HEX = "433a3062fe40d54f86664cebc60f94be374ff0346f1522a2b34020a594ed0bbe"
DECK = (
    "2d Qc 6c Qb 4d 2s As Ac 5d 3c Kc 4s 2c 4b Qd Ks Jb 3b Ad Jd "
    "5b 6s 7s 2b 5s 7c Kb 6b Js Kd 3d 4c 5c Jc 6d 7d Ab 3s 7b Qs"
)
SECOND_SHUFFLE = [9, 0, 8, 6, 3, 1, 7, 5, 4, 2]
ROOT = "d11080810eba40a98ed858be8b3a8fc1fd3a1f01c29d039dc636a3aa0765ee8c"
SALT_39 = "65bffed791bd71a6770c760bc5f973187ef7ab756b41eb0b78d7e5d12c2e1de3"
PATH_39 = [
    "f848738173c45b94710aa60b63236f8937ac540b25a4d54a6d5440ff6fc13a16",
    "60a8b6a9b858a60710ee60a18b7586df9cbabba3356a8e2cfdf0ae66bdb1c8d3",
    "c09322118666814b09ff1c5c4b60588b5644bdcfcc6b0b90bb6fa46470646257",
    "1cca49a391a40f632dcafeb13274c640087295a439fcc0ae5da09df80e3cac73",
]


def test_fixed_answers() -> None:
    """Another implementation must give the same; a change here breaks the proofs of every match played."""
    assert deal.house_commitment(HOUSE).hex() == HOUSE_COMMITMENT
    assert SEED.hex() == SEED_HEX
    assert " ".join(IT40.texts[card] for card in deal.order(SEED, 40, 0)) == DECK
    assert deal.order(SEED, 10, 1) == SECOND_SHUFFLE
    assert deal.commitment(SEED, IT40.texts, 0).root.hex() == ROOT
    (opening,) = deal.opening(SEED, IT40.texts, 0, [39])
    assert (opening.position, opening.face, opening.salt.hex()) == (39, DECK.split()[39], SALT_39)
    assert [step.hex() for step in opening.path] == PATH_39


# ----------------------------------------------------------------------------------- the seed


def test_everything_that_goes_into_the_seed_changes_it() -> None:
    different = [
        deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_b", 1, 1),
        deal.seed(bytes(32), [b"left", None], "tbl_a", "mch_b", 1, 1),
        deal.seed(HOUSE, [b"left", b"r"], "tbl_a", "mch_b", 1, 1),
        deal.seed(HOUSE, [None, b"left"], "tbl_a", "mch_b", 1, 1),
        deal.seed(HOUSE, [b"left"], "tbl_a", "mch_b", 1, 1),
        deal.seed(HOUSE, [b"left", None, None], "tbl_a", "mch_b", 1, 1),
        deal.seed(HOUSE, [b"lef", b"t"], "tbl_a", "mch_b", 1, 1),
        deal.seed(HOUSE, [b"left", None], "tbl_", "amch_b", 1, 1),
        deal.seed(HOUSE, [b"left", None], "tbl_c", "mch_b", 1, 1),
        deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_c", 1, 1),
        deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_b", 2, 1),
        deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_b", 1, 2),
        deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_b", 1, 1, tie_break=1),
    ]
    assert len(set(different)) == len(different)
    assert {len(each) for each in different} == {32}


def test_an_absent_seat_is_an_empty_contribution() -> None:
    absent = deal.seed(HOUSE, [b"left", None], "tbl_a", "mch_b", 1, 1)
    assert absent == deal.seed(HOUSE, [b"left", b""], "tbl_a", "mch_b", 1, 1)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        deal.seed(bytes(size), [], "", "", 1, 1)
    with pytest.raises(ValueError, match="32 bytes"):
        deal.house_commitment(bytes(size))
    with pytest.raises(ValueError, match="32 bytes"):
        deal.order(bytes(size), 40, 0)


@given(seed=seeds, other=seeds)
def test_the_house_is_bound_to_its_seed(seed: bytes, other: bytes) -> None:
    committed = deal.house_commitment(seed)
    assert deal.verify_house(committed, seed)
    assert deal.verify_house(committed, other) == (seed == other)


# -------------------------------------------------------------------------------- the shuffle


@given(seed=seeds, size=st.integers(0, 110))
def test_an_order_is_a_permutation(seed: bytes, size: int) -> None:
    assert sorted(deal.order(seed, size, 0)) == list(range(size))


def orders(count: int, size: int) -> Iterator[list[int]]:
    for n in range(count):
        yield deal.order(sha256(n.to_bytes(4, "big")).digest(), size, 0)


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    return sum((count - expected) ** 2 for count in counts.values()) / expected + expected * (
        cells - len(counts)
    )


def placing(all_orders: Iterator[list[int]], size: int) -> float:
    """How far the places are from equally likely, as a chi-square of (size - 1) ** 2 degrees of freedom.

    Each order has every card once, so the cells vary more than independent ones by size / (size - 1).
    """
    counts: Counter[object] = Counter()
    for order in all_orders:
        counts.update(enumerate(order))
    return chi_square(counts, size * size) * (size - 1) / size


PLACING_OF_40 = 1652
"""The 99 % bound of 39 ** 2 degrees of freedom."""


@pytest.mark.parametrize("count", [4000, pytest.param(40_000, marks=pytest.mark.long)])
def test_every_card_is_equally_likely_in_every_place(count: int) -> None:
    assert placing(orders(count, 40), 40) < PLACING_OF_40


def test_a_shuffle_that_never_moves_the_last_card_would_be_noticed() -> None:
    rng = random.Random(1)  # noqa: S311
    assert placing(([*rng.sample(range(39), 39), 39] for _ in range(4000)), 40) > PLACING_OF_40


def test_neighbours_are_independent() -> None:
    """The ordered pair in the middle of ten cards: 90 pairs, 99 % bound of 89 degrees of freedom."""
    assert chi_square(Counter((order[4], order[5]) for order in orders(6000, 10)), 90) < 123


def test_all_orders_of_few_cards_are_equally_likely() -> None:
    """24 orders, 23 degrees of freedom, 99 % bound."""
    assert chi_square(Counter(map(tuple, orders(6000, 4))), 24) < 41.6


def test_rising_runs_are_as_many_as_chance_gives() -> None:
    """The number of runs of a random order of n has mean (n + 1) / 2 and variance (n + 1) / 12."""
    count, size = 3000, 40
    runs = sum(1 + sum(a > b for a, b in pairwise(order)) for order in orders(count, size))
    mean, deviation = count * (size + 1) / 2, (count * (size + 1) / 12) ** 0.5
    assert abs(runs - mean) < 2.58 * deviation


def test_words_past_the_last_multiple_are_thrown_away() -> None:
    most = 2**32 - 1
    assert deal._below(3, iter([most, 5])) == 2  # 2**32 is 1 above a multiple of 3
    assert deal._below(4, iter([most, 5])) == 3


@given(seed=seeds)
def test_further_shuffles_of_a_hand_are_others(seed: bytes) -> None:
    assert deal.order(seed, 40, 0) != deal.order(seed, 40, 1)


# ------------------------------------------------------------------------ commitments and openings


@given(seed=seeds, size=st.integers(1, 110), data=st.data())
def test_every_opening_verifies_in_its_place_only(seed: bytes, size: int, data: st.DataObject) -> None:
    cards = [f"c{n}" for n in range(size)]
    root, n = deal.commitment(seed, cards, 0)
    position = data.draw(st.integers(0, size - 1))
    (opening,) = deal.opening(seed, cards, 0, [position])
    assert opening.face == cards[deal.order(seed, size, 0)[position]]
    assert deal.verify_opening(root, n, opening)
    other = data.draw(st.integers(-2, size + 1).filter(lambda other: other != position))
    assert not deal.verify_opening(root, n, opening._replace(position=other))
    assert not deal.verify_opening(root, n + 1, opening)


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_all_openings_of_a_deck_verify(deck: object) -> None:
    assert isinstance(deck, type(IT40))
    root, n = deal.commitment(SEED, deck.texts, 2)
    openings = deal.opening(SEED, deck.texts, 2, range(n))
    assert all(deal.verify_opening(root, n, opening) for opening in openings)
    assert Counter(opening.face for opening in openings) == Counter(deck.texts)
    assert deal.verify_seed(root, SEED, deck.texts, 2)


@given(data=st.data())
def test_whatever_is_changed_in_an_opening_is_noticed(data: st.DataObject) -> None:
    root, n = deal.commitment(SEED, IT40.texts, 0)
    (opening,) = deal.opening(SEED, IT40.texts, 0, [data.draw(st.integers(0, 39))])
    face = data.draw(st.sampled_from(IT40.texts).filter(lambda face: face != opening.face))
    assert not deal.verify_opening(root, n, opening._replace(face=face))
    assert not deal.verify_opening(root, n, opening._replace(salt=flipped(data, opening.salt)))
    step = data.draw(st.integers(0, len(opening.path) - 1))
    path = [*opening.path]
    path[step] = flipped(data, path[step])
    assert not deal.verify_opening(root, n, opening._replace(path=tuple(path)))
    assert not deal.verify_opening(root, n, opening._replace(path=opening.path[:-1]))
    assert not deal.verify_opening(root, n, opening._replace(path=(*opening.path, root)))
    assert not deal.verify_opening(flipped(data, root), n, opening)


def flipped(data: st.DataObject, value: bytes) -> bytes:
    bit = data.draw(st.integers(0, 8 * len(value) - 1))
    return (int.from_bytes(value, "big") ^ 1 << bit).to_bytes(len(value), "big")


def test_another_seed_shuffle_or_deck_is_noticed() -> None:
    root, _ = deal.commitment(SEED, IT40.texts, 0)
    assert deal.verify_seed(root, SEED, IT40.texts, 0)
    assert not deal.verify_seed(root, HOUSE, IT40.texts, 0)
    assert not deal.verify_seed(root, SEED, IT40.texts, 1)
    assert not deal.verify_seed(root, SEED, IT40.texts[::-1], 0)


def test_an_opening_says_nothing_of_the_other_cards() -> None:
    """Salts are as many as cards and are not to be had from one another without the seed."""
    openings = deal.opening(SEED, IT40.texts, 0, range(40))
    assert len({opening.salt for opening in openings}) == 40
    assert all(opening.salt not in other.path for opening in openings for other in openings)


def test_a_deal_that_shuffles_nothing_is_committed_to_like_any_other() -> None:
    assert deal.order(SEED, 0, 0) == []
    assert deal.opening(SEED, (), 0, []) == []
    commitment = deal.commitment(SEED, (), 0)
    assert commitment.root == plain_hash("root", u64(0), b"")
    assert deal.verify_seed(commitment.root, SEED, (), 0)
