"""An archived match as the auditor sees it: seeds and moves out of their seals, all of it played again.

A deal that the rules never show everybody, and a move that they never tell, are in the archive under seal.
Who has the role `auditor` is given them, and who has the keys reads them.
"""

import asyncpg
from tavolo.scoring.v1.scoring_pb2 import GetMatchRequest
from tavolo.table.v1.result_pb2 import Deck, MatchResult

from services.cli.cluster import Cluster
from services.cli.deals import check_deals
from services.cli.guests import sign_in_guest
from services.cli.replay import Replay, replay
from services.client import Gateway
from services.rules import deal
from services.runtime.sealing import Sealer, move_place, seed_place


async def audit(cluster: Cluster, match: str) -> list[str]:
    """Plays a match of this cluster again whole, and checks every card of its deals; what is wrong."""
    async with Gateway(cluster.address("gateway")) as gateway:
        guest = await sign_in_guest(gateway, "audit")
        database = await asyncpg.connect(cluster.database_url("lobby"))
        try:
            await database.execute(
                "UPDATE lobby.accounts SET roles = '{auditor}' WHERE id = $1", guest.account.id
            )
        finally:
            await database.close()
        auditor = await gateway.sign_in_again(guest.tokens.refresh)
        found = await auditor.call(gateway.scoring.GetMatch, GetMatchRequest(match=match))
    return unsealed_problems(found.match.result, Sealer.from_file(cluster.seal_keys))


def unsealed_problems(result: MatchResult, sealer: Sealer) -> list[str]:
    """What is wrong with a match whose sealed parts are there. SealError: they cannot be opened."""
    opened = MatchResult()
    opened.CopyFrom(result)
    seeds = {}
    for number, hand in enumerate(opened.hands):
        for move in hand.moves:
            if move.sealed_move:
                place = move_place(result.match, move.version, move.seat)
                move.move = sealer.open(move.key_id, move.sealed_move, place).decode()
        if hand.sealed_seed:
            place = seed_place(result.table, result.match, hand.hand, hand.tie_break)
            hand.proof.house_seed = sealer.open(hand.key_id, hand.sealed_seed, place)
            if hand.proof.roots:
                seeds[number] = _seed(opened, number)
    replayed = replay(opened, seeds)
    _show_decks(opened, replayed, seeds)
    problems = [f"replay: {problem}" for problem in replayed.problems]
    problems += [replayed.unshown] if replayed.unshown else []
    for checked in check_deals(opened, replayed):
        problems += [f"deal of hand {checked.hand}: {problem}" for problem in checked.problems]
    return problems


def _seed(result: MatchResult, number: int) -> bytes:
    """The seed of a hand, from the house's and the seats' parts of it."""
    hand = result.hands[number]
    return deal.seed(
        hand.proof.house_seed,
        list(hand.proof.contributions),
        result.table,
        result.match,
        hand.hand,
        result.rules_version,
        hand.tie_break,
    )


def _show_decks(result: MatchResult, replayed: Replay, seeds: dict[int, bytes]) -> None:
    """Writes the decks that the seeds make into the record."""
    for number, seed in seeds.items():
        for shuffle, cards in enumerate(replayed.shuffles.get(number, [])):
            order = deal.order(seed, len(cards), shuffle)
            result.hands[number].decks.append(Deck(cards=[cards[card] for card in order]))
