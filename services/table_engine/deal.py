"""The deal of a hand: the house's seed, sealed and committed to; the shuffles that follow; what may be
shown of them."""

import os

from tavolo.table.v1 import log_pb2, view_pb2

from services.rules import deal
from services.rules.core.moves import Event
from services.runtime.sealing import Sealer, seed_place
from services.table_engine.table import Hand, Table


def commit(table: Table, sealer: Sealer) -> log_pb2.HandCommitted:
    """Draws the house's seed of the next hand: its commitment, and the seed itself under seal."""
    house_seed = os.urandom(deal.SEED_BYTES)
    key_id, sealed = sealer.seal(house_seed, _place(table))
    return log_pb2.HandCommitted(
        house_commitment=deal.house_commitment(house_seed), sealed_seed=sealed, key_id=key_id
    )


def open_hand(table: Table, committed: log_pb2.HandCommitted, until: int, sealer: Sealer) -> Hand:
    """The hand that this record commits to. SealError, or ValueError when the seed is not the committed
    one."""
    house_seed = sealer.open(committed.key_id, committed.sealed_seed, _place(table))
    if not deal.verify_house(committed.house_commitment, house_seed):
        raise ValueError("the sealed seed is not the one that the house committed to")
    return Hand(table.state.hand, table.state.tie_break, house_seed, committed.house_commitment, until)


def mix(table: Table, hand: Hand, contributions: tuple[bytes, ...]) -> None:
    """The contributions are in: the seed of the hand is settled."""
    hand.contributions = contributions
    hand.seed = deal.seed(
        hand.house_seed,
        contributions,
        table.id,
        table.match,
        hand.hand,
        table.game.rules_version,
        hand.tie_break,
    )


def shuffle(table: Table, hand: Hand) -> tuple[list[Event], list[bytes]]:
    """Answers all that the state asks of chance in this hand; what came of it, and the Merkle root of each
    shuffle."""
    events: list[Event] = []
    roots: list[bytes] = []
    while (asked := table.state.needs_chance) is not None:
        if hand.cards and asked.purpose == "deal":
            break  # a shuffle in mid-hand may end the hand: the next deal has a seed of its own
        number = len(hand.cards)
        roots.append(deal.commitment(hand.seed, asked.cards, number).root)
        events += table.state.supply(deal.order(hand.seed, len(asked.cards), number))
        hand.cards.append(asked.cards)
    if roots:
        hand.roots += roots
        hand.proof = b""
    return events, roots


def proof(table: Table, hand: Hand) -> view_pb2.DealProof:
    """How the hand's deal can be checked, with all that everybody may see of it by now.

    Seed and openings are shown only when the hand is no longer played.
    """
    found = view_pb2.DealProof(hand=hand.hand, tie_break=hand.tie_break, house_commitment=hand.commitment)
    if not hand.dealt:
        return found
    found.contributions.extend(hand.contributions)
    found.roots.extend(hand.roots)
    found.sizes.extend(map(len, hand.cards))
    if table.mode == "play":
        return found
    if table.state.whole_deck_shown:
        found.house_seed = hand.house_seed
    else:
        found.openings.extend(openings(table, hand, None))
    return found


def openings(table: Table, hand: Hand, viewer: int | None) -> list[view_pb2.CardOpening]:
    """Openings of what this viewer (None: everybody) has seen of the hand's last shuffle."""
    number = len(hand.cards) - 1
    shown = deal.opening(hand.seed, hand.cards[number], number, table.state.openings(viewer))
    return [
        view_pb2.CardOpening(
            shuffle=number, position=card.position, face=card.face, salt=card.salt, path=card.path
        )
        for card in shown
    ]


def _place(table: Table) -> bytes:
    return seed_place(table.id, table.match, table.state.hand, table.state.tie_break)
