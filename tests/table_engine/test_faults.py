"""Workers that die, are paused, stop, or disagree: no acknowledged move is lost, none is made twice."""

import asyncio
import signal
from typing import Any

import grpc
import pytest
from tavolo.table.v1 import log_pb2, table_pb2, view_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from tests.support.processes import Service
from tests.support.waiting import wait_for
from tests.table_engine.ground import Ground
from tests.table_engine.players import Player, Refused, play_out


async def acted(
    player: Player, address: str, move: str, turn: int, command_id: str
) -> table_pb2.MoveAccepted:
    """Sends a command as a gateway does, until it is answered: again with the same id while nobody owns
    the table."""
    found: list[table_pb2.MoveAccepted] = []

    async def tried() -> bool:
        try:
            found.append(await player.act(address, move, turn=turn, command_id=command_id))
        except Refused as error:
            if error.reason not in ("NOT_OWNER", "NOT_ATTACHED", "UNAVAILABLE"):
                raise
            if error.reason == "NOT_ATTACHED":
                await player.attach(address, previous=player.attachment)
            return False
        return True

    await wait_for(tried, 15, "the command is answered")
    return found[0]


async def attached_again(players: list[Player], address: str) -> None:
    """Attaches with the ids from before, as a gateway does when a shard has moved."""
    for player in players:

        async def tried(player: Player = player) -> bool:
            try:
                await player.attach(address, previous=player.attachment)
            except Refused as error:
                if error.reason not in ("NOT_OWNER", "UNAVAILABLE"):
                    raise
                return False
            return True

        await wait_for(tried, 15, "the table has an owner")


async def check_history(ground: Ground, players: list[Player]) -> None:
    """Every acknowledged move is in the log, once, and the log folds to what the players see."""
    folder, table = ground.folder(), None
    made: dict[tuple[int, str], int] = {}
    for message in await ground.log(players[0].table):
        table = folder.replay(table, message.data, message.sequence)
        for record in log_pb2.LogEntry.FromString(message.data).records:
            if record.HasField("moved"):
                key = (record.moved.seat, record.moved.command_id)
                assert key not in made
                made[key] = table.version
    assert table is not None
    for player in players:
        assert player.seat is not None
        for command_id, accepted in player.acknowledged:
            assert made[player.seat, command_id] == accepted.version
        assert list(player.public.scores) == table.state.scores


async def owner_and_other(ground: Ground, table: str) -> tuple[Service, Service]:
    """Which of two workers has the table."""
    owner = await wait_for(lambda: ground.owner(table), what="the table has an owner")
    first, second = ground.workers
    return (first, second) if owner.address == first.grpc else (second, first)


async def test_the_other_worker_goes_on_when_the_owner_is_killed(ground: Ground) -> None:
    await asyncio.gather(ground.worker(), ground.worker())
    players = await ground.open("pj", target=2)
    await ground.deal(players)
    owner, other = await owner_and_other(ground, players[0].table)
    await play_out(players, lambda: owner.grpc, stop_after=7)
    actor = next(player for player in players if player.is_asked)
    left = actor.public.clocks.seats[actor.seat or 0].left_ms
    move, turn = actor.choice(), actor.update.own.turn
    first = await actor.act(owner.grpc, move, turn=turn, command_id="before")
    await owner.kill()
    await attached_again(players, other.grpc)
    assert await acted(actor, other.grpc, move, turn, "before") == first
    for player in players:
        await player.sees(first.version)
    clocks = players[0].public.clocks
    assert clocks.seats[0].connected
    assert clocks.seats[1].connected
    # The seat to move has its whole time: what the death took is charged to nobody.
    asked = next(player for player in players if player.is_asked)
    assert clocks.seats[asked.seat or 0].left_ms >= 58_000
    assert left <= 60_000
    await play_out(players, lambda: other.grpc)
    await check_history(ground, players)


async def test_a_stopped_worker_hands_its_tables_over(ground: Ground) -> None:
    await asyncio.gather(ground.worker(), ground.worker())
    players = await ground.open("pp", target=2)
    await ground.deal(players)
    owner, other = await owner_and_other(ground, players[0].table)
    await play_out(players, lambda: owner.grpc, stop_after=5)
    assert await owner.stop() == 0
    await attached_again(players, other.grpc)
    await play_out(players, lambda: other.grpc)
    await check_history(ground, players)


async def test_a_paused_owner_cannot_write_after_its_lease(ground: Ground) -> None:
    await asyncio.gather(ground.worker(), ground.worker())
    players = await ground.open("pp", target=1)
    await ground.deal(players)
    owner, other = await owner_and_other(ground, players[0].table)
    await play_out(players, lambda: owner.grpc, stop_after=3)
    actor = next(player for player in players if player.is_asked)
    before = len(await ground.log(actor.table))
    owner.signal(signal.SIGSTOP)
    # A command that is in its socket when it wakes up.
    stale = asyncio.create_task(actor.act(owner.grpc, actor.choice(), command_id="stale"))
    await attached_again(players, other.grpc)
    await play_out(players, lambda: other.grpc, stop_after=3)
    owner.signal(signal.SIGCONT)
    (answer,) = await asyncio.gather(stale, return_exceptions=True)
    assert isinstance(answer, Refused)
    assert answer.reason in ("NOT_OWNER", "STALE_TURN", "NOT_ATTACHED", "UNAVAILABLE")
    # Awake it is a worker like any other, and may get its shards back.
    await owner.kill()
    await attached_again(players, other.grpc)
    await play_out(players, lambda: other.grpc)
    await check_history(ground, players)
    kinds = [r.WhichOneof("kind") for e in (await ground.entries(actor.table))[before:] for r in e.records]
    assert "resumed" in kinds


async def test_a_worker_that_is_not_the_owner_passes_on(ground: Ground) -> None:
    await asyncio.gather(ground.worker(), ground.worker())
    players = await ground.open("pp", target=1)
    _, other = await owner_and_other(ground, players[0].table)
    again = [
        await Player(ground.gateway, player.table, player.account, seed=9).attach(other.grpc)
        for player in players
    ]
    await play_out(again, lambda: other.grpc, stop_after=20)
    actor = next(player for player in again if player.is_asked)
    with pytest.raises(Refused, match="ILLEGAL_MOVE"):
        await actor.act(other.grpc, "play 9z")
    stub: Any = TableServiceStub(ground.identities.channel(other.grpc, "table_engine"))
    identity = (("authorization", f"Bearer {ground.gateway.token(actor.account)}"),)
    view = await stub.GetView(table_pb2.GetViewRequest(table=actor.table), metadata=identity)
    assert view.update.own.moves == actor.update.own.moves
    clock: Any = ground.gateway.service(other.grpc, "clock")
    report = table_pb2.ReportTimeUpRequest(table=actor.table, version=1)
    assert (await clock.ReportTimeUp(report)).again_in_ms > 0
    await play_out(again, lambda: other.grpc)
    await check_history(ground, again)


async def test_an_entry_of_somebody_else_is_found_and_the_table_goes_on(ground: Ground) -> None:
    worker = await ground.worker()
    players = await ground.open("pp", target=1)
    await ground.deal(players)
    await play_out(players, lambda: worker.grpc, stop_after=4)
    actor = next(player for player in players if player.is_asked)
    stored = await ground.log(actor.table)
    last = log_pb2.LogEntry.FromString(stored[-1].data)
    foreign = log_pb2.LogEntry(at_ms=last.at_ms, worker=last.worker, worker_ms=last.worker_ms)
    foreign.records.add().disconnected.seat = 0
    await ground.bus.append(
        stored[-1].subject, foreign.SerializeToString(), None, "foreign", expected_last=stored[-1].sequence
    )
    accepted = await actor.act(worker.grpc, actor.choice())
    assert accepted.version == len(stored) + 2
    assert "tavolo_table_engine_append_conflicts_total 1.0" in await ground.metrics(worker)
    await play_out(players, lambda: worker.grpc)
    await check_history(ground, players)


@pytest.mark.parametrize("data", [b"\xff\xff\xff", b"", b"\x12\x01w\x22\x02\x7a\x00"])
async def test_a_table_whose_log_cannot_be_folded_is_parked_and_the_others_go_on(
    ground: Ground, data: bytes
) -> None:
    worker = await ground.worker()
    players = await ground.open("pp", target=1)
    others = await ground.open("pp", target=1)
    await ground.deal(players)
    stored = await ground.log(players[0].table)
    await ground.bus.append(stored[-1].subject, data, None, "bad", expected_last=stored[-1].sequence)
    actor = next(player for player in players if player.is_asked)
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await actor.act(worker.grpc, actor.choice())
        assert refused.value.reason == "TABLE_PARKED"
    assert 'tavolo_table_engine_tables{state="parked"} 1.0' in await ground.metrics(worker)
    parked = [line for line in worker.log_lines if line["event"] == "table_parked"]
    assert parked[0]["table"] == actor.table
    assert f"entry {len(stored) + 1}" in parked[0]["why"]
    await play_out(others, lambda: worker.grpc)
    await check_history(ground, others)


async def test_moves_survive_a_restart_of_nats(ground: Ground) -> None:
    worker = await ground.worker()
    players = await ground.open("pp", target=1)
    await ground.deal(players)
    await play_out(players, lambda: worker.grpc, stop_after=4)
    actor = next(player for player in players if player.is_asked)
    move, turn = actor.choice(), actor.update.own.turn
    await ground.nats.kill()
    waiting = asyncio.create_task(acted(actor, worker.grpc, move, turn, "across"))
    await ground.nats.start()
    accepted = await waiting
    await attached_again(players, worker.grpc)
    for player in players:
        await player.sees(accepted.version)
    await play_out(players, lambda: worker.grpc)
    await check_history(ground, players)
    await players[0].is_in(view_pb2.TABLE_STATE_OVER)


async def test_a_full_queue_refuses_and_says_when_to_come_again(ground: Ground) -> None:
    worker = await ground.worker({"TAVOLO_TABLE_ENGINE_QUEUE_LENGTH": "2"})
    player, _ = await ground.open("pp")
    answers = await asyncio.gather(
        *(player.gateway.call(worker.grpc, player.command(sync=table_pb2.SyncCommand())) for _ in range(50)),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused
    assert all(answer.reason == "RATE_LIMITED" for answer in refused)
    assert all(answer.detail.HasField("retry_after") for answer in refused)
    assert len(refused) < len(answers)


async def test_links_are_told_that_their_worker_stops(ground: Ground) -> None:
    worker = await ground.worker()
    await ground.open("pp")
    assert await worker.stop() == 0
    await wait_for(lambda: worker.grpc in ground.gateway.going_away, what="the link is told")
    with pytest.raises(grpc.aio.AioRpcError):
        await ground.open("pp")
