"""Connections: the newest has the seat, others are told; who is there is known to the clock."""

import asyncio

import pytest
from tavolo.table.v1 import table_pb2

from services.runtime.ids import new_id
from services.runtime.leases import Leases
from tests.support.waiting import wait_for
from tests.table_engine.ground import Ground
from tests.table_engine.players import LinkClient, Player, Refused


async def test_the_newest_connection_takes_the_seat_over_and_the_old_one_is_told(shared: Ground) -> None:
    players = await shared.open("pp")
    await shared.deal(players)
    old = next(player for player in players if player.is_asked)
    other = await LinkClient(shared.bus, shared.identities).listen()
    new = await Player(other, old.table, old.account, "j", seed=7).attach(shared.address)
    assert new.attachment != old.attachment
    await wait_for(lambda: old.gateway.gone, what="the old connection is told")
    assert old.gateway.gone[-1] == f"tavolo.gone.{old.gateway.id}.{old.table}.{old.attachment}"
    with pytest.raises(Refused) as refused:
        await old.act(shared.address, old.choice())
    assert refused.value.reason == "NOT_ATTACHED"
    seen = len(old.views)
    accepted = await new.act(shared.address, new.choice())
    await new.sees(accepted.version)
    # The old connection left its place for good: its return with its old id is refused.
    with pytest.raises(Refused) as refused:
        await old.attach(shared.address, previous=old.attachment)
    assert refused.value.reason == "NOT_ATTACHED"
    assert len(old.views) == seen
    await other.close()


async def test_a_connection_that_comes_again_keeps_its_id_and_changes_nothing(shared: Ground) -> None:
    player, _ = await shared.open("pp")
    entries = len(await shared.log(player.table))
    before = player.attachment
    await player.attach(shared.address, previous=before)
    assert player.attachment == before
    assert len(await shared.log(player.table)) == entries
    assert not [subject for subject in player.gateway.gone if player.table in subject]


async def test_a_command_right_behind_the_return_of_its_connection_is_taken(shared: Ground) -> None:
    players = await shared.open("pp")
    await shared.deal(players)
    player = next(player for player in players if player.is_asked)
    before = player.attachment
    # While the first frame is being written the next two commands gather in one.
    _, _, accepted = await asyncio.gather(
        player.gateway.call(shared.address, player.command(detach=table_pb2.DetachCommand())),
        player.attach(shared.address, previous=before),
        player.act(shared.address, player.choice()),
    )
    await player.sees(accepted.version)


async def test_an_id_of_another_account_is_not_given_away(shared: Ground) -> None:
    first, second = await shared.open("pp")
    with pytest.raises(Refused) as refused:
        await second.attach(shared.address, previous=first.attachment)
    assert refused.value.reason == "NOT_PERMITTED"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"gateway": "gw.x"}, "gateway"),
        ({"gateway": ""}, "gateway"),
        ({"form": 0}, "form"),
        ({"previous": "att_>"}, "previous"),
    ],
)
async def test_attachments_that_make_no_sense(shared: Ground, change: dict[str, object], field: str) -> None:
    player, _ = await shared.open("pp")
    attach = table_pb2.AttachCommand(
        token=player.gateway.token(player.account), gateway=player.gateway.id, form=table_pb2.VIEW_FORM_PROTO
    )
    for name, value in change.items():
        setattr(attach, name, value)
    with pytest.raises(Refused) as refused:
        await player.gateway.call(shared.address, table_pb2.Command(table=player.table, attach=attach))
    assert (refused.value.reason, refused.value.detail.field) == ("INVALID_FIELD", field)


async def test_who_leaves_is_shown_as_gone_and_keeps_the_seat(shared: Ground) -> None:
    first, second = await shared.open("pp")
    for _ in range(2):
        await first.gateway.call(shared.address, first.command(detach=table_pb2.DetachCommand()))
    await wait_for(lambda: not second.public.clocks.seats[0].connected, what="seat 0 is gone")
    await first.attach(shared.address)
    await wait_for(lambda: second.public.clocks.seats[0].connected, what="seat 0 is back")
    kinds = [
        record.WhichOneof("kind") for entry in await shared.entries(first.table) for record in entry.records
    ]
    assert kinds.count("disconnected") == 1
    assert kinds.count("connected") == 3


async def test_a_seat_may_watch_instead(shared: Ground) -> None:
    first, second = await shared.open("pp")
    await first.attach(shared.address, watch=True, previous=first.attachment)
    assert first.seat is None
    assert not first.update.HasField("own")
    await wait_for(lambda: not second.public.clocks.seats[0].connected, what="nobody is at seat 0")


async def test_the_present_view_is_given_again_when_it_is_asked_for(shared: Ground) -> None:
    players = await shared.open("pj")
    await shared.deal(players)
    for player in players:
        answer = await player.gateway.call(shared.address, player.command(sync=table_pb2.SyncCommand()))
        assert answer.attached.version == player.update.version
        assert answer.attached.seat == player.seat
        player._see(answer.attached.version, answer.attached.message)
        again = player.views[-1][1]
        assert again.public.zones == player.public.zones
        assert (again.own.zones, again.own.moves) == (player.update.own.zones, player.update.own.moves)
        assert again.info.your_seat == player.seat
    watcher = table_pb2.Command(
        table=players[0].table, attachment=new_id("att"), sync=table_pb2.SyncCommand()
    )
    with pytest.raises(Refused) as refused:
        await shared.gateway.call(shared.address, watcher)
    assert refused.value.reason == "NOT_ATTACHED"


async def test_the_connections_of_a_gateway_that_died_are_gone(shared: Ground) -> None:
    first, second = await shared.open("pp")
    doomed = await LinkClient(shared.bus, shared.identities).listen()
    membership = Leases(shared.bus, "gateways", 0, doomed.id, "127.0.0.1:1")
    await membership.start()
    moved = await Player(doomed, first.table, first.account).attach(shared.address)
    await membership.stop()
    await wait_for(lambda: not second.public.clocks.seats[0].connected, what="seat 0 is gone")
    with pytest.raises(Refused) as refused:
        await moved.act(shared.address, "abandon", turn=0)
    assert refused.value.reason == "NOT_ATTACHED"
    await doomed.close()
