"""The deals of an archived match checked against what was committed (services/rules/README.md, "The deal").

Checked is what everybody may see: that the house's seed is the one it had committed to before the seats
contributed, that seed and contributions make the very decks that were committed to before the first card,
that these are the decks that were played, and that single opened cards belong to them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tavolo.table.v1.result_pb2 import HandRecord, MatchResult
from tavolo.table.v1.view_pb2 import CardOpening

from services.cli.replay import Replay
from services.rules import deal
from services.rules.core.registry import game


@dataclass(slots=True)
class DealCheck:
    """One hand: how many of its cards were opened, and what is wrong, in words."""

    hand: int
    tie_break: int
    cards: int = 0
    opened: int = 0
    seed_shown: bool = False
    problems: list[str] = field(default_factory=list)


def check_deals(result: MatchResult, replayed: Replay, hand: int | None = None) -> list[DealCheck]:
    """Checks the deals of a match, or of one hand of it. A hand that was not dealt has no cards."""
    return [
        _check(result, record, replayed.shuffles.get(number, []))
        for number, record in enumerate(result.hands)
        if hand in (None, record.hand)
    ]


def _check(result: MatchResult, record: HandRecord, shuffles: Sequence[tuple[str, ...]]) -> DealCheck:
    proof = record.proof
    found = DealCheck(record.hand, record.tie_break, seed_shown=bool(proof.house_seed))
    if len(proof.house_commitment) != deal.SEED_BYTES:
        found.problems.append("the house committed to no seed")
    if (proof.hand, proof.tie_break) != (record.hand, record.tie_break):
        found.problems.append("the proof is of another hand")
    if len(proof.sizes) != len(proof.roots):
        found.problems.append("not every shuffle that was committed to has a size")
        return found
    found.cards = sum(proof.sizes)
    if proof.house_seed:
        # A shuffle that could not be played again is one of the whole deck: it is the deal.
        whole = game(result.game).deck.texts
        decks = [shuffles[number] if number < len(shuffles) else whole for number in range(len(proof.roots))]
        found.problems += _check_seed(result, record, decks)
        found.opened = found.cards
    else:
        found.problems += _check_openings(proof.openings, proof.roots, proof.sizes)
        found.opened = len({(one.shuffle, one.position) for one in proof.openings})
    return found


def _check_seed(result: MatchResult, record: HandRecord, decks: Sequence[Sequence[str]]) -> Iterator[str]:
    """What is wrong with a hand whose house seed is shown."""
    proof = record.proof
    if len(proof.house_seed) != deal.SEED_BYTES or not deal.verify_house(
        proof.house_commitment, proof.house_seed
    ):
        yield "the house's seed is not the one that it had committed to"
        return
    if len(proof.contributions) != len(result.seats):
        yield "not every seat has its contribution, or a mark that it gave none"
    seed = deal.seed(
        proof.house_seed,
        list(proof.contributions),
        result.table,
        result.match,
        record.hand,
        result.rules_version,
        record.tie_break,
    )
    if len(record.decks) != len(decks):
        yield f"{len(decks)} shuffles were committed to, {len(record.decks)} decks were played"
    for number, (cards, root) in enumerate(zip(decks, proof.roots, strict=True)):
        if not deal.verify_seed(root, seed, cards, number):
            yield f"shuffle {number}: the seed makes another deck than was committed to"
        made = [cards[card] for card in deal.order(seed, len(cards), number)]
        if number < len(record.decks) and list(record.decks[number].cards) != made:
            yield f"shuffle {number}: the seed makes another deck than was played"


def _check_openings(
    openings: Sequence[CardOpening], roots: Sequence[bytes], sizes: Sequence[int]
) -> Iterator[str]:
    """What is wrong with single opened cards."""
    for one in openings:
        opening = deal.Opening(one.position, one.face, one.salt, tuple(one.path))
        if not 0 <= one.shuffle < len(roots):
            yield f"an opened card belongs to shuffle {one.shuffle}, which was not committed to"
        elif not deal.verify_opening(roots[one.shuffle], sizes[one.shuffle], opening):
            yield f"shuffle {one.shuffle}, position {one.position}: {one.face} was not committed to"
