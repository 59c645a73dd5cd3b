"""Time: expiries are decided by the log, waits end, and an outage of ours is charged to nobody."""

import asyncio
from typing import Any

import pytest
from tavolo.table.v1 import table_pb2, view_pb2

from services.runtime.ids import new_id
from services.table_engine.engine import clock_ms
from services.table_engine.outage import STREAM, SignOfLife, subject
from tests.support.waiting import wait_for
from tests.table_engine.ground import Ground, Writer, moved, report
from tests.table_engine.players import Player, Refused, start_request


async def report_until(ground: Ground, table: str, done: Any) -> None:
    """Reports that the time is up, as often as the engine wants, until `done()`."""
    clock: Any = ground.gateway.service(ground.address, "clock")

    async def reported() -> bool:
        await clock.ReportTimeUp(report(table, 1))
        return bool(done())

    await wait_for(reported, 20, "the time is up")


async def test_a_seat_that_runs_out_of_time_loses_once(ground: Ground) -> None:
    await ground.worker()
    writer = await Writer(ground, move=5_000, lag_start=0, grace=0, resume=0).dealt()
    players = await writer.players(ground.address)
    actor = next(player for player in players if player.is_asked)
    clock: Any = ground.gateway.service(ground.address, "clock")
    again = (await clock.ReportTimeUp(report(actor.table, 1))).again_in_ms
    assert 0 < again <= 5_000 + 2_500
    assert not actor.is_over
    await report_until(ground, actor.table, lambda: actor.is_over)
    outcome = players[0].public.outcome
    assert (outcome.ended_by, outcome.offender) == ("abandon", actor.seat)
    await report_until(ground, actor.table, lambda: True)
    expired = [
        record.moved.seat
        for entry in await ground.entries(actor.table)
        for record in entry.records
        if record.HasField("moved")
    ]
    assert expired == [actor.seat]


async def test_a_move_that_comes_too_late_expires_its_seat_and_the_log_replays(ground: Ground) -> None:
    await ground.worker()
    writer = await Writer(ground, move=5_000, lag_start=1_000, grace=0, resume=0).dealt()
    players = await writer.players(ground.address)
    actor = next(player for player in players if player.is_asked)
    move, turn = actor.choice(), actor.update.own.turn
    clock: Any = ground.gateway.service(ground.address, "clock")

    async def late() -> bool:
        # An illegal move never touches the clock.
        with pytest.raises(Refused, match="ILLEGAL_MOVE"):
            await actor.act(ground.address, "play nothing", turn=turn)
        return int((await clock.ReportTimeUp(report(actor.table, 1))).again_in_ms) < 900

    await wait_for(late, 20, "only the allowance for lag is left")
    with pytest.raises(Refused) as refused:
        await actor.act(ground.address, move, turn=turn, think_ms=60_000, rtt_ms=0)
    assert refused.value.reason == "OUT_OF_TIME"
    await actor.is_in(view_pb2.TABLE_STATE_OVER)
    folder, table = ground.folder(), None
    for message in await ground.log(actor.table):
        table = folder.replay(table, message.data, message.sequence)
    assert table is not None
    assert table.state.outcome is not None
    assert table.state.outcome.offender == actor.seat


async def test_a_move_that_is_logged_moves_the_deadline(ground: Ground) -> None:
    await ground.worker()
    players = await ground.open("pp")
    await ground.deal(players)
    actor = next(player for player in players if player.is_asked)
    accepted = await actor.act(ground.address, actor.choice())
    clock: Any = ground.gateway.service(ground.address, "clock")
    answer = await clock.ReportTimeUp(report(actor.table, accepted.version - 1))
    assert answer.again_in_ms > 30_000
    assert len(await ground.log(actor.table)) == accepted.version


async def test_the_next_hand_is_dealt_when_the_wait_is_over(ground: Ground) -> None:
    await ground.worker({"TAVOLO_TABLE_ENGINE_READY_WAIT_S": "0.5"})
    players = await ground.open("pp")
    await players[0].ready(ground.address, b"only mine")
    await wait_for(lambda: players[0].public.ready == [0], what="the view shows who is ready")
    assert 0 < players[0].public.ready_wait_ms <= 500
    await report_until(ground, players[0].table, lambda: players[0].public.state == view_pb2.TABLE_STATE_PLAY)
    assert list(players[0].public.proof.contributions) == [b"only mine", b""]


async def test_a_hand_is_dealt_when_all_who_are_there_are_ready(ground: Ground) -> None:
    await ground.worker()
    players = await ground.open("pp")
    await players[1].gateway.call(ground.address, players[1].command(detach=table_pb2.DetachCommand()))
    await wait_for(lambda: not players[0].public.clocks.seats[1].connected, what="seat 1 is gone")
    await players[0].ready(ground.address)
    await players[0].is_in(view_pb2.TABLE_STATE_PLAY)


async def test_the_first_hand_waits_for_seats_that_have_not_come_yet(ground: Ground) -> None:
    await ground.worker()
    accounts = [new_id("ply"), new_id("ply")]
    request = start_request(accounts)
    lobby: Any = ground.gateway.service(ground.address, "lobby")
    await lobby.StartMatch(request)
    first = await Player(ground.gateway, request.table, accounts[0]).attach(ground.address)
    await first.ready(ground.address)
    await first.ready(ground.address)
    assert first.public.state == view_pb2.TABLE_STATE_READY
    second = await Player(ground.gateway, request.table, accounts[1]).attach(ground.address)
    assert second.public.ready == [0]
    await second.ready(ground.address)
    await second.is_in(view_pb2.TABLE_STATE_PLAY)
    # Readiness that comes once more has had its effect.
    await first.gateway.call(ground.address, first.command(ready={"hand": 1}))
    with pytest.raises(Refused) as refused:
        await first.gateway.call(ground.address, first.command(ready={"hand": 2}))
    assert refused.value.reason == "WRONG_STATE"
    with pytest.raises(Refused) as refused:
        await first.gateway.call(ground.address, first.command(ready={"hand": 1, "contribution": b"x" * 33}))
    assert refused.value.detail.field == "contribution"


async def test_an_outage_is_charged_to_nobody(ground: Ground) -> None:
    await ground.worker()
    writer = await Writer(ground).dealt()
    mover = writer.table.state.to_act[0]
    # The worker's last sign of life was two seconds after its last entry; what it died of lasted for hours.
    move = writer.table.state.legal(mover)[0].text
    await writer.put(10_000, moved(mover, move))
    await ground.bus.append(f"tavolo.table.alive.{writer.worker}", b'{"worker_ms": 12000}')
    players = await writer.players(ground.address)
    (resumed,) = [
        record.resumed
        for entry in await ground.entries(writer.table.id)
        for record in entry.records
        if record.HasField("resumed")
    ]
    assert resumed.down_at_ms == 12_000
    asked = players[1 - mover].public.clocks.seats[1 - mover]
    assert asked.running
    # The two seconds that were served are charged (less a capture's lead-in), and what this test takes.
    assert 40_000 <= asked.left_ms <= 60_000
    assert players[1].public.clocks.resume_wait_ms == 0


async def test_after_an_outage_the_clocks_wait_for_the_players(ground: Ground) -> None:
    await ground.worker()
    writer = await Writer(ground, resume=20_000).dealt()
    seat = writer.table.state.to_act[0]
    player = await Player(ground.gateway, writer.table.id, writer.accounts[seat], seed=seat).attach(
        ground.address
    )
    assert 0 < player.public.clocks.resume_wait_ms <= 20_000
    assert player.public.clocks.seats[seat].connected
    accepted = await player.act(ground.address, player.choice())
    await player.sees(accepted.version)
    assert player.public.clocks.seats[seat].left_ms == 120_000


async def test_a_worker_that_hands_its_tables_over_gives_no_sign_of_life(ground: Ground) -> None:
    await ground.worker()
    life = SignOfLife(ground.bus, new_id("wrk"), clock_ms)
    serving = asyncio.create_task(life.run(lambda _: None))

    async def stored() -> bool:
        return await ground.bus.last(STREAM, subject(life.incarnation)) is not None

    await wait_for(stored, what="a sign of life")
    life.end()
    await asyncio.wait_for(serving, 10)


async def test_a_table_that_only_left_memory_had_no_outage(ground: Ground) -> None:
    worker = await ground.worker({"TAVOLO_TABLE_ENGINE_EVICT_AFTER_S": "0.1"})
    players = await ground.open("pp")
    await ground.deal(players)

    async def evicted() -> bool:
        return "tavolo_table_engine_evicted_total 1.0" in await ground.metrics(worker)

    await wait_for(evicted, 20, "the table has left memory")
    actor = next(player for player in players if player.is_asked)
    accepted = await actor.act(worker.grpc, actor.choice())
    for player in players:
        await player.sees(accepted.version)
    kinds = [
        record.WhichOneof("kind") for entry in await ground.entries(actor.table) for record in entry.records
    ]
    assert "resumed" not in kinds
