"""A deal that can be checked: from seeds to a deck, its commitment and openings (README.md, "The deal").

Before a hand the house commits to a seed of its own (`house_commitment`); the seats then contribute; seed
and contributions are mixed (`seed`), the deck follows (`order`), and before the first card a Merkle root
over one salted hash a card is published (`commitment`). Later single cards are opened (`opening`), or the
house seed is shown.

Every hash is SHA-256 over a domain tag and length-prefixed fields, so that no two different inputs are the
same bytes.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from itertools import count
from struct import Struct
from typing import NamedTuple

SEED_BYTES = 32


class Commitment(NamedTuple):
    """What is published of a shuffled deck before its first card: Merkle root and number of cards."""

    root: bytes
    size: int


class Opening(NamedTuple):
    """Shows one card of a committed deck: the hashes of `path` lead from the card's leaf up to the root."""

    position: int
    face: str
    salt: bytes
    path: tuple[bytes, ...]


def house_commitment(house_seed: bytes) -> bytes:
    """The hash that binds the house to its seed before any seat contributes."""
    return _hash("house", _seed_bytes(house_seed))


def seed(
    house_seed: bytes, contributions: Sequence[bytes | None], table: str, match: str, hand: int,
    rules_version: int, tie_break: int = 0,
) -> bytes:  # fmt: skip
    """The seed of one hand. `contributions` has an entry a seat; None, like b"", where a seat gave none."""
    given = [contribution or b"" for contribution in contributions]
    place = [table.encode(), match.encode(), _number(hand), _number(tie_break), _number(rules_version)]
    return _hash("seed", _seed_bytes(house_seed), *place, _number(len(given)), *given)


def order(seed: bytes, n: int, shuffle_number: int) -> list[int]:
    """The order of n cards: entry i is the number, in the order before the shuffle, of the i-th card.

    Fisher-Yates from the end, with numbers drawn without bias. `shuffle_number` counts the shuffles of the
    hand from 0: redeals and new stocks.
    """
    return list(_order(_seed_bytes(seed), n, shuffle_number))


def commitment(seed: bytes, cards: Sequence[str], shuffle_number: int) -> Commitment:
    """The commitment to the deck that `seed` makes of `cards`, the faces in the order before the shuffle."""
    leaves = [_leaf(*card) for card in _salted(seed, cards, shuffle_number)]
    return Commitment(_root(leaves), len(leaves))


def opening(
    seed: bytes, cards: Sequence[str], shuffle_number: int, positions: Sequence[int]
) -> list[Opening]:
    """Openings of these places of the deck, in the order given."""
    salted = _salted(seed, cards, shuffle_number)
    leaves = [_leaf(*card) for card in salted]
    return [Opening(*salted[position], tuple(_path(leaves, position))) for position in positions]


def verify_house(house_commitment_: bytes, house_seed: bytes) -> bool:
    """Whether this is the seed that the house had committed to."""
    return compare_digest(house_commitment_, house_commitment(house_seed))


def verify_opening(root: bytes, n: int, opening: Opening) -> bool:
    """Whether the opened card is the card at its place of the n cards committed to by `root`."""
    if not 0 <= opening.position < n:
        return False
    steps = _steps(n, opening.position)
    if len(steps) != len(opening.path):
        return False
    node = _leaf(opening.position, opening.face, opening.salt)
    for sibling, is_left in zip(opening.path, steps, strict=True):
        node = _node(sibling, node) if is_left else _node(node, sibling)
    return compare_digest(root, _hash("root", _number(n), node))


def verify_seed(root: bytes, seed: bytes, cards: Sequence[str], shuffle_number: int) -> bool:
    """Whether `seed` makes of `cards` the very deck committed to by `root`."""
    return compare_digest(root, commitment(seed, cards, shuffle_number).root)


# ------------------------------------------------------------------------------------------- hashing


def _number(number: int) -> bytes:
    return number.to_bytes(8, "big")


def _framed(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


_TAGS = {
    tag: _framed(f"tavolo/deal/1/{tag}".encode())
    for tag in ("house", "seed", "stream", "salt", "card", "node", "root")
}


def _hash(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of the tag and the parts, each behind its length in four bytes."""
    framed = _TAGS[tag]
    for part in parts:
        framed += len(part).to_bytes(4, "big") + part
    return sha256(framed).digest()


_EIGHT_WORDS = Struct(">8I")


def _seed_bytes(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return seed


# ------------------------------------------------------------------------------------------ shuffling


# The commitment and the deck of a shuffle are wanted one after the other.
@lru_cache(maxsize=8)
def _order(seed: bytes, n: int, shuffle_number: int) -> tuple[int, ...]:
    words = _words(seed, shuffle_number)
    cards = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = _below(last + 1, words)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def _words(seed: bytes, shuffle_number: int) -> Iterator[int]:
    """32-bit numbers without end: eight from each hash of the seed and a counter, the first bytes first."""
    for counter in count():
        yield from _EIGHT_WORDS.unpack(_hash("stream", seed, _number(shuffle_number), _number(counter)))


def _below(n: int, words: Iterator[int]) -> int:
    """A number from 0 to n - 1, all equally likely: words past the last multiple of n are not used."""
    whole = 2**32 // n * n
    word = next(words)
    while word >= whole:
        word = next(words)
    return word % n


# -------------------------------------------------------------------------------------------- the tree


def _salted(seed: bytes, cards: Sequence[str], shuffle_number: int) -> list[tuple[int, str, bytes]]:
    """Position, face and salt of every card of the shuffled deck. One salt says nothing about another."""
    start = _TAGS["salt"] + _framed(_seed_bytes(seed)) + _framed(_number(shuffle_number))
    return [
        (position, cards[card], sha256(start + _framed(_number(position))).digest())
        for position, card in enumerate(_order(seed, len(cards), shuffle_number))
    ]


def _leaf(position: int, face: str, salt: bytes) -> bytes:
    return _hash("card", _number(position), face.encode(), salt)


def _node(left: bytes, right: bytes) -> bytes:
    return _hash("node", left, right)


def _root(leaves: Sequence[bytes]) -> bytes:
    return _hash("root", _number(len(leaves)), _top(leaves))


def _split(n: int) -> int:
    """How many of n > 1 leaves are in the left half: the greatest power of two below n."""
    return 1 << (n - 1).bit_length() - 1


def _top(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return b""  # a deal from the stock that is there: nothing was shuffled
    if len(leaves) == 1:
        return leaves[0]
    left = _split(len(leaves))
    return _node(_top(leaves[:left]), _top(leaves[left:]))


def _steps(n: int, position: int) -> list[bool]:
    """For each hash on the way from leaf `position` of n up: whether the sibling stands on the left."""
    if n == 1:
        return []
    left = _split(n)
    if position < left:
        return [*_steps(left, position), False]
    return [*_steps(n - left, position - left), True]


def _path(leaves: Sequence[bytes], position: int) -> list[bytes]:
    """The siblings on the way from leaf `position` up."""
    if len(leaves) == 1:
        return []
    left = _split(len(leaves))
    if position < left:
        return [*_path(leaves[:left], position), _top(leaves[left:])]
    return [*_path(leaves[left:], position - left), _top(leaves[:left])]
