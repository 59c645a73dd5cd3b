"""Whole matches over a link."""

import json

import pytest
from tavolo.table.v1 import log_pb2, result_pb2, view_pb2

from services.rules import deal
from services.rules.core.registry import game
from services.rules.fold import Entry, fold
from services.runtime.shards import result_subject
from tests.support.waiting import wait_for
from tests.table_engine.ground import Ground
from tests.table_engine.players import Player, Refused, play_out


async def result_of(ground: Ground, table: str) -> result_pb2.MatchResult:
    """The published result, once the log says that it is published."""

    async def published() -> bool:
        return (await ground.entries(table))[-1].records[-1].HasField("published")

    await wait_for(published, what="the result is published")
    stored = await ground.bus.last("TABLE_RESULTS", result_subject(table))
    assert stored is not None
    return result_pb2.MatchResult.FromString(stored.data)


@pytest.mark.parametrize(("forms", "target"), [("pj", 5), ("jppj", 3)])
async def test_a_match_ends_in_one_published_result_that_replays(
    shared: Ground, forms: str, target: int
) -> None:
    players = await shared.open(forms, target=target)
    moves = await play_out(players, lambda: shared.address)
    result = await result_of(shared, players[0].table)

    assert sum(len(hand.moves) for hand in result.hands) == moves
    entries: list[Entry] = [result.dealer]
    number = {face: at for at, face in enumerate(game("scopa").deck.texts)}
    for hand in result.hands:
        entries += [[number[face] for face in deck.cards] for deck in hand.decks]
        entries += [(move.seat, move.move) for move in hand.moves]
    played = game("scopa")
    state = fold(played, played.options(json.loads(result.options)), entries)
    assert state.outcome is not None
    assert list(result.scores) == state.scores
    assert result.outcome.winner == state.outcome.winner
    for player in players:
        assert list(player.public.scores) == state.scores
        assert player.public.outcome == result.outcome
        assert player.seat == players.index(player)


async def test_every_deal_of_a_match_can_be_checked(shared: Ground) -> None:
    players = await shared.open("pp", target=5)
    await play_out(players, lambda: shared.address)
    result = await result_of(shared, players[0].table)
    deck = game("scopa").deck.texts
    for hand in result.hands:
        proof = hand.proof
        assert deal.verify_house(proof.house_commitment, proof.house_seed)
        seed = deal.seed(
            proof.house_seed, proof.contributions, result.table, result.match, proof.hand,
            result.rules_version, proof.tie_break,
        )  # fmt: skip
        assert all(deal.verify_seed(root, seed, deck, number) for number, root in enumerate(proof.roots))
        assert len(hand.decks) == len(proof.roots)
        assert not hand.sealed_seed


async def test_the_commitment_is_shown_before_anybody_contributes_and_the_seed_after_the_hand(
    shared: Ground,
) -> None:
    players = await shared.open("pp", target=30)
    first = players[0].public
    assert first.state == view_pb2.TABLE_STATE_READY
    assert first.proof.house_commitment
    assert not first.proof.roots
    await shared.deal(players)
    dealt = players[0].public.proof
    assert dealt.house_commitment == first.proof.house_commitment
    assert list(dealt.contributions) == [b"mine", b"mine"]
    assert dealt.roots
    assert not dealt.house_seed
    await play_out(players, lambda: shared.address, stop_after=36)
    for player in players:
        await player.is_in(view_pb2.TABLE_STATE_READY)
        ended, coming = player.public.ended_proof, player.public.proof
        assert deal.verify_house(first.proof.house_commitment, ended.house_seed)
        assert (ended.hand, coming.hand) == (1, 2)
        assert not coming.house_seed


async def test_both_forms_show_the_same(shared: Ground) -> None:
    binary, as_json = players = await shared.open("pj", target=1)
    await play_out(players, lambda: shared.address)
    by_version = {version: update.public for version, update in binary.views[1:]}
    compared = 0
    for version, update in as_json.views[1:]:
        if version in by_version:
            assert update.public == by_version[version]
            compared += 1
    assert compared > 36


async def test_the_log_does_not_show_the_cards_of_a_hand_that_is_played(shared: Ground) -> None:
    players = await shared.open("pp", target=1)
    await shared.deal(players)
    await play_out(players, lambda: shared.address, stop_after=10)
    during = [message.data for message in await shared.log(players[0].table)]
    await play_out(players, lambda: shared.address)
    result = await result_of(shared, players[0].table)
    proof = result.hands[0].proof
    seed = deal.seed(
        proof.house_seed, proof.contributions, result.table, result.match, 1, result.rules_version
    )
    sealed = [
        record.committed.sealed_seed
        for data in during
        for record in log_pb2.LogEntry.FromString(data).records
        if record.HasField("committed")
    ]
    assert len(sealed) == 1
    assert proof.house_seed not in sealed[0]
    played = {move.move.split()[1] for move in result.hands[0].moves[:10]}
    hidden = [face.encode() for face in result.hands[0].decks[-1].cards[10:] if face not in played]
    for data in during:
        assert proof.house_seed not in data
        assert seed not in data
    text = b" ".join(
        record.moved.move.encode() for data in during for record in log_pb2.LogEntry.FromString(data).records
    )
    captured = {face for move in result.hands[0].moves[:10] for face in move.move.encode().split()}
    assert all(face not in text.split() for face in hidden if face not in captured)


async def test_a_spectator_sees_the_public_view_only(shared: Ground) -> None:
    players = await shared.open("pp", target=1)
    watcher = await Player(shared.gateway, players[0].table, "ply_aaaaaaaaaaaaaaaaaaaa").attach(
        shared.address
    )
    assert watcher.seat is None
    assert not watcher.update.info.HasField("your_seat")
    await shared.deal(players)
    await play_out(players, lambda: shared.address)
    await watcher.is_in(view_pb2.TABLE_STATE_OVER)
    assert len(watcher.views) > 36
    assert all(not update.HasField("own") for _, update in watcher.views)
    with pytest.raises(Refused) as refused:
        await watcher.act(shared.address, "abandon", turn=0)
    assert refused.value.reason == "NOT_SEATED"


async def test_the_facts_of_every_entry_are_in_its_headers(shared: Ground) -> None:
    players = await shared.open("pp", target=1)
    await play_out(players, lambda: shared.address)
    await result_of(shared, players[0].table)
    stored = await shared.log(players[0].table)
    facts = [message.headers for message in stored]
    assert [int(each["Tavolo-Version"]) for each in facts] == list(range(1, len(stored) + 1))
    assert facts[0]["Tavolo-State"] == "ready"
    assert 0 < int(facts[0]["Tavolo-Left-Ms"]) <= 15_000
    playing = [each for each in facts if each["Tavolo-State"] == "play"]
    assert all(
        each["Tavolo-To-Act"] in ("0", "1") and int(each["Tavolo-Left-Ms"]) > 60_000 for each in playing
    )
    assert [each["Tavolo-State"] for each in facts[-2:]] == ["over", "over"]
    # Until its result is published a table asks to be woken; then nothing runs.
    assert "Tavolo-Left-Ms" in facts[-2]
    assert "Tavolo-Left-Ms" not in facts[-1]
