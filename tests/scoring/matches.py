"""Finished matches as the engine records them: played at random on decks that follow from seeds."""

import json
import random
from typing import Any

from tavolo.common.v1.money_pb2 import Money
from tavolo.common.v1.page_pb2 import PageInfo, PageRequest
from tavolo.table.v1.result_pb2 import Deck, HandRecord, MatchResult, RecordedMove
from tavolo.table.v1.view_pb2 import DealProof, Outcome, ScoreItem, Seat

from services.rules import deal
from services.rules.core.registry import game
from services.rules.core.state import State
from services.runtime.ids import new_id


def accounts(number: int) -> list[str]:
    """New accounts."""
    return [new_id("ply") for _ in range(number)]


def result(
    seats: list[str],
    *,
    winner: int | None = 0,
    stake: int = 100,
    scores: tuple[int, int] = (12, 9),
    ended_by: str = "score",
    match: str | None = None,
    computers: tuple[int, ...] = (),
) -> MatchResult:
    """The result of a match of scopa, without the record of its hands. `winner` None = a draw."""
    two = len(seats) == 2
    outcome = Outcome(
        places=[1, 1] if winner is None else [1 + (side != winner) for side in (0, 1)], ended_by=ended_by
    )
    if winner is not None:
        outcome.winner = winner
    return MatchResult(
        match=match or new_id("mch"),
        table=new_id("tbl"),
        game="scopa",
        options=json.dumps({} if two else {"seats": 4}),
        rules_version=game("scopa").rules_version,
        seats=[
            Seat(account=account, nickname=f"Nick {seat}", side=seat % 2, computer=seat in computers)
            for seat, account in enumerate(seats)
        ],
        stake=Money(cents=stake, currency="PLAY"),
        scores=scores,
        outcome=outcome,
    )


def void(seats: list[str], *, stake: int = 100, match: str | None = None) -> MatchResult:
    """The result of a match that the platform ended."""
    found = result(seats, winner=None, stake=stake, scores=(3, 2), match=match)
    found.outcome.CopyFrom(Outcome(ended_by="void"))
    found.void_reason = "the building burns"
    return found


def played(seed: int, options: dict[str, Any], abandon_at: int | None = None) -> MatchResult:
    """A match of scopa with the record of all its hands, played by random legal moves.

    `abandon_at`: the move of the match at which the seat that is to act leaves instead.
    """
    rng = random.Random(seed)  # noqa: S311
    rules = game("scopa")
    typed = rules.options(options)
    dealer = rng.randrange(typed.seats)
    found = result(accounts(typed.seats))
    found.options, found.dealer = json.dumps(options), dealer
    state = rules.start(typed, dealer)
    moves = 0
    while not state.over:
        record, seed_of_hand, contributions = _commit(rng, state, typed.seats)
        found.hands.append(record)
        record = found.hands[-1]
        mixed = deal.seed(
            seed_of_hand,
            contributions,
            found.table,
            found.match,
            state.hand,
            found.rules_version,
            state.tie_break,
        )
        decks = _deal(state, record, mixed)
        hand = (state.hand, state.tie_break)
        while not state.over and (state.hand, state.tie_break) == hand:
            moves += 1
            seat = rng.choice(state.to_act)
            text = "abandon" if moves == abandon_at else rng.choice(state.legal(seat)).text
            state.apply(seat, text)
            record.moves.append(RecordedMove(seat=seat, move=text, at_ms=moves))
        if state.whole_deck_shown:
            record.proof.house_seed = seed_of_hand
            record.decks.extend(Deck(cards=cards) for cards in decks)
        else:
            record.sealed_seed, record.key_id = b"sealed", "k1"
        for item, points in (state.hand_score or {}).items():
            record.score.append(ScoreItem(id=item, values=points))
    assert state.outcome is not None
    del found.scores[:]
    found.scores.extend(state.scores)
    found.outcome.CopyFrom(
        Outcome(
            winner=state.outcome.winner,
            places=state.outcome.places,
            ended_by=state.outcome.ended_by,
            offender=state.outcome.offender,
        )
    )
    return found


def _commit(rng: random.Random, state: State[Any], seats: int) -> tuple[HandRecord, bytes, list[bytes]]:
    """The record of a hand about to be dealt, the house's seed and the seats' contributions (some none)."""
    house_seed = rng.randbytes(32)
    contributions = [rng.choice((b"", rng.randbytes(16))) for _ in range(seats)]
    record = HandRecord(hand=state.hand, tie_break=state.tie_break)
    record.proof.CopyFrom(
        DealProof(
            hand=state.hand,
            tie_break=state.tie_break,
            house_commitment=deal.house_commitment(house_seed),
            contributions=contributions,
        )
    )
    return record, house_seed, contributions


def _deal(state: State[Any], record: HandRecord, seed: bytes) -> list[list[str]]:
    """Deals a hand, as often as the rules ask for it; the decks."""
    decks: list[list[str]] = []
    while (asked := state.needs_chance) is not None:
        order = deal.order(seed, len(asked.cards), len(decks))
        record.proof.roots.append(deal.commitment(seed, asked.cards, len(decks)).root)
        record.proof.sizes.append(len(asked.cards))
        decks.append([asked.cards[card] for card in order])
        state.supply(order)
    return decks


def first_page(size: int = 0) -> PageRequest:
    """The first page of a list."""
    return PageRequest(size=size)


def no_page() -> PageInfo:
    """What follows the last page."""
    return PageInfo()
