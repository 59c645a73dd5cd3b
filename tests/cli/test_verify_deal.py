"""`tavolo verify-deal` finds what was tampered with in an archived match, and nothing in an honest one."""

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tavolo.table.v1.result_pb2 import MatchResult
from tavolo.table.v1.view_pb2 import CardOpening

from services.cli.cluster import Cluster
from services.cli.deals import check_deals
from services.cli.replay import replay
from services.cli.verify import as_json, lines
from services.rules import deal
from services.rules.core.registry import game
from services.runtime.ids import new_id
from tests.scoring import matches

SHORT = {"target": 3}


def problems(result: MatchResult) -> list[str]:
    replayed = replay(result)
    return replayed.problems + [one for check in check_deals(result, replayed) for one in check.problems]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 4},
        {"match": "hands", "hands": 3},
        {"ko": True, "match": "hands", "hands": 1},
        {"seen_cards": True},
    ],
)
def test_an_honest_match_verifies_and_replays_to_the_same_result(options: dict[str, Any]) -> None:
    for seed in range(5):
        result = matches.played(seed, options)
        replayed = replay(result)
        assert problems(result) == []
        assert replayed.unshown == ""
        assert replayed.scores == list(result.scores)
        assert replayed.moves == sum(len(hand.moves) for hand in result.hands)
        assert [(check.opened, check.cards) for check in check_deals(result, replayed)] == [
            (40 * len(hand.decks), 40 * len(hand.decks)) for hand in result.hands
        ]


def test_a_hand_that_was_dealt_again_verifies_every_shuffle() -> None:
    result = next(
        match
        for match in (matches.played(seed, {"target": 11}) for seed in range(400))
        if any(len(hand.decks) > 1 for hand in match.hands)
    )
    assert problems(result) == []


def test_an_abandoned_hand_is_said_to_be_hidden() -> None:
    result = matches.played(1, SHORT, abandon_at=5)
    replayed = replay(result)
    assert problems(result) == []
    assert "not all of its cards" in replayed.unshown
    (check,) = check_deals(result, replayed)
    assert (check.opened, check.cards, check.seed_shown) == (0, 40, False)


def first(result: MatchResult) -> Any:
    return result.hands[0]


def swap_cards(result: MatchResult) -> None:
    cards = first(result).decks[0].cards
    cards[0], cards[39] = cards[39], cards[0]


def other_house_seed(result: MatchResult) -> None:
    first(result).proof.house_seed = bytes(32)


def other_house_seed_with_its_commitment(result: MatchResult) -> None:
    first(result).proof.house_seed = bytes(32)
    first(result).proof.house_commitment = deal.house_commitment(bytes(32))


def other_contribution(result: MatchResult) -> None:
    first(result).proof.contributions[0] = b"other"


def other_root(result: MatchResult) -> None:
    first(result).proof.roots[0] = bytes(32)


def one_shuffle_more(result: MatchResult) -> None:
    first(result).proof.roots.append(bytes(32))


def no_commitment(result: MatchResult) -> None:
    first(result).proof.house_commitment = b""


def other_move(result: MatchResult) -> None:
    first(result).moves[0].move = "play 8c take 1d"


def missing_move(result: MatchResult) -> None:
    del first(result).moves[3]


def other_seat(result: MatchResult) -> None:
    first(result).moves[0].seat ^= 1


def other_scores(result: MatchResult) -> None:
    result.scores[0] += 1


def other_winner(result: MatchResult) -> None:
    result.outcome.winner ^= 1


def other_ending(result: MatchResult) -> None:
    result.outcome.ended_by = "ko_rule"


def other_hand_score(result: MatchResult) -> None:
    first(result).score[0].values[0] += 1


def other_dealer(result: MatchResult) -> None:
    result.dealer ^= 1


def missing_hand(result: MatchResult) -> None:
    del result.hands[-1]


@pytest.mark.parametrize(
    "tamper",
    [
        swap_cards, other_house_seed, other_house_seed_with_its_commitment, other_contribution, other_root,
        one_shuffle_more, no_commitment, other_move, missing_move, other_seat, other_scores, other_winner,
        other_ending, other_hand_score, other_dealer, missing_hand,
    ],
)  # fmt: skip
def test_whatever_is_changed_in_a_record_is_found(tamper: Callable[[MatchResult], None]) -> None:
    result = matches.played(7, {"target": 11})
    assert problems(result) == []
    tamper(result)
    assert problems(result) != []


def test_single_openings_are_checked_against_the_root() -> None:
    result = matches.played(3, SHORT)
    record = first(result)
    seed = deal.seed(
        record.proof.house_seed,
        list(record.proof.contributions),
        result.table,
        result.match,
        1,
        result.rules_version,
    )
    opened = deal.opening(seed, game("scopa").deck.texts, 0, [0, 7, 39])
    record.proof.ClearField("house_seed")
    record.ClearField("decks")
    del result.hands[1:]
    record.proof.openings.extend(
        CardOpening(shuffle=0, position=one.position, face=one.face, salt=one.salt, path=one.path)
        for one in opened
    )
    (check,) = check_deals(result, replay(result))
    assert (check.opened, check.cards, check.problems) == (3, 40, [])
    record.proof.openings[1].face = record.proof.openings[0].face
    record.proof.openings[2].shuffle = 1
    (check,) = check_deals(result, replay(result))
    assert len(check.problems) == 2


def test_the_report_says_for_people_and_programs_what_was_found() -> None:
    result = matches.played(2, SHORT)
    replayed = replay(result)
    checks = check_deals(result, replayed, hand=1)
    text = "\n".join(lines(result, checks, replayed, True))
    assert "hand 1: 40 of 40 cards opened by the house's seed" in text
    assert text.endswith("everything fits")
    found = as_json(result, checks, replayed, True)
    assert found["good"] is True
    assert check_deals(result, replayed, hand=99) == []


async def command(*words: str) -> tuple[int, str]:
    """Exit status and standard output of a `tavolo` command."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli.main", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


async def test_the_command_checks_a_match_that_was_played_on_a_cluster(cluster: Cluster) -> None:
    gateway = ("--gateway", cluster.address("gateway"))
    status, out = await command("smoke", *gateway, "--json")
    assert status == 0
    played = json.loads(out)
    status, out = await command("verify-deal", played["match"], *gateway, "--json")
    found = json.loads(out)
    assert (status, found["good"]) == (0, True)
    assert found["replay"]["moves"] == played["moves"]
    status, out = await command("verify-deal", played["match"], "--hand", "1", *gateway)
    assert status == 0
    assert "cards opened by the house's seed" in out
    for words, wanted in (
        ((played["match"], "--hand", "99"), 2),
        ((new_id("mch"),), 1),
        (("nonsense",), 2),
    ):
        assert (await command("verify-deal", *words, *gateway))[0] == wanted
