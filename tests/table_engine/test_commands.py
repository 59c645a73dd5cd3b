"""Commands that repeat, come late or make no sense get the fitting error, and the table goes on."""

import asyncio
from typing import Any

import grpc
import jwt
import pytest
import pytest_asyncio
from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import table_pb2, view_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from services.runtime.errors import from_rpc_error
from services.runtime.ids import new_id
from tests.support.waiting import wait_for
from tests.table_engine.ground import Ground
from tests.table_engine.players import Player, Refused, play_out, start_request, token


@pytest_asyncio.fixture
async def players(shared: Ground) -> list[Player]:
    """Two players of a hand that has just been dealt; the first one's turn."""
    both = await shared.open("pp", target=21)
    await shared.deal(both)
    return sorted(both, key=lambda player: not player.is_asked)


async def refused(call: Any) -> Refused:
    """How the call was refused."""
    with pytest.raises(Refused) as found:
        await call
    assert found.value.detail.text
    return found.value


async def test_a_repeated_command_gets_the_first_answer(shared: Ground, players: list[Player]) -> None:
    first, second = players
    move, turn = first.choice(), first.update.own.turn
    accepted = await first.act(shared.address, move, command_id="same", turn=turn)
    await second.sees(accepted.version)
    await second.act(shared.address, second.choice())
    again = await first.act(shared.address, move, command_id="same", turn=turn)
    assert again == accepted
    assert len(await shared.log(first.table)) == accepted.version + 1


async def test_repeats_that_come_together_are_one_move(shared: Ground, players: list[Player]) -> None:
    first, _ = players
    move = first.choice()
    answers = await asyncio.gather(*(first.act(shared.address, move, command_id="same") for _ in range(20)))
    assert len({answer.version for answer in answers}) == 1
    assert len(await shared.log(first.table)) == answers[0].version


async def test_an_id_that_was_used_for_another_move_is_refused(shared: Ground, players: list[Player]) -> None:
    first, _ = players
    moves = [move.text for move in first.update.own.moves]
    assert len(moves) > 1
    await first.act(shared.address, moves[0], command_id="same")
    assert (await refused(first.act(shared.address, moves[1], command_id="same"))).reason == "ID_REUSED"


async def test_the_same_id_of_another_seat_is_another_command(shared: Ground, players: list[Player]) -> None:
    first, second = players
    accepted = await first.act(shared.address, first.choice(), command_id="same")
    await second.sees(accepted.version)
    assert (
        await second.act(shared.address, second.choice(), command_id="same")
    ).version == accepted.version + 1


async def test_moves_at_the_wrong_moment(shared: Ground, players: list[Player]) -> None:
    first, second = players
    turn, move = first.update.own.turn, first.choice()
    early = await refused(second.act(shared.address, "play 7d"))
    assert (early.reason, early.rule) == ("ILLEGAL_MOVE", "not_your_turn")
    accepted = await first.act(shared.address, move)
    late = await refused(first.act(shared.address, move, turn=turn))
    assert late.reason == "STALE_TURN"
    await second.sees(accepted.version)
    await second.act(shared.address, second.choice())


async def test_a_move_of_the_other_seat_in_ones_own_turn_does_not_make_it_stale(
    shared: Ground, players: list[Player]
) -> None:
    first, second = players
    turn = second.update.own.turn
    accepted = await first.act(shared.address, first.choice())
    await second.sees(accepted.version)
    assert second.update.own.turn > turn
    assert second.update.public.turn == second.update.own.turn


@pytest.mark.parametrize(
    ("fields", "reason", "field"),
    [
        ({"move": "play 9z"}, "ILLEGAL_MOVE", "move"),
        ({"move": ""}, "ILLEGAL_MOVE", "move"),
        ({"move": "play " * 2_000}, "INVALID_FIELD", "move"),
        ({"command_id": ""}, "INVALID_FIELD", "command_id"),
        ({"command_id": "a b"}, "INVALID_FIELD", "command_id"),
        ({"command_id": "x" * 65}, "INVALID_FIELD", "command_id"),
        ({"command_id": "a.b\r\nNats-Msg-Id: c"}, "INVALID_FIELD", "command_id"),
        ({"turn": 0}, "STALE_TURN", "turn"),
        ({"turn": 2**64 - 1}, "STALE_TURN", "turn"),
    ],
)
async def test_moves_that_make_no_sense(
    shared: Ground, players: list[Player], fields: dict[str, Any], reason: str, field: str
) -> None:
    first, _ = players
    error = await refused(first.act(shared.address, **{"move": first.choice(), **fields}))
    assert (error.reason, error.detail.field) == (reason, field)
    await first.act(shared.address, first.choice())


async def test_measures_that_make_no_sense_earn_nothing(shared: Ground, players: list[Player]) -> None:
    first, second = players
    accepted = await first.act(
        shared.address, first.choice(), think_ms=-(2**31), rtt_ms=2**31 - 1, age_ms=-(2**31)
    )
    assert accepted.lag_credit_ms <= 1_000
    await second.sees(accepted.version)
    await second.act(shared.address, second.choice(), age_ms=2**31 - 1)


async def test_commands_for_tables_that_are_not_there(shared: Ground, players: list[Player]) -> None:
    first, _ = players
    for table, reason in ((new_id("tbl"), "NOT_FOUND"), ("tbl_*", "INVALID_FIELD"), ("", "INVALID_FIELD")):
        command = table_pb2.Command(
            table=table, attachment=first.attachment, act=table_pb2.ActCommand(command_id="c", move="abandon")
        )
        assert (await refused(shared.gateway.call(shared.address, command))).reason == reason


async def test_commands_of_nobody(shared: Ground, players: list[Player]) -> None:
    first, _ = players
    for attachment in ("", new_id("att"), first.attachment.upper()):
        command = table_pb2.Command(
            table=first.table, attachment=attachment, act=table_pb2.ActCommand(command_id="c", move="abandon")
        )
        assert (await refused(shared.gateway.call(shared.address, command))).reason == "NOT_ATTACHED"
    command = table_pb2.Command(table=first.table, attachment=first.attachment)
    assert (await refused(shared.gateway.call(shared.address, command))).reason == "INVALID_FIELD"


@pytest.mark.parametrize("kind", ["expired", "forged", "other_audience", "garbage", "not_access"])
async def test_tokens_that_prove_nothing(shared: Ground, players: list[Player], kind: str) -> None:
    first, _ = players
    identities = shared.identities
    bad = {
        "expired": token(identities, first.account, -120),
        "forged": jwt.encode({"sub": first.account, "typ": "access"}, "secret" * 8, algorithm="HS256"),
        "other_audience": token(identities, first.account, aud="somewhere"),
        "not_access": token(identities, first.account, typ="refresh"),
        "garbage": "x.y.z",
    }[kind]
    other = Player(shared.gateway, first.table, first.account)
    assert (await refused(other.attach(shared.address, token=bad))).reason == "UNAUTHENTICATED"
    await first.act(shared.address, first.choice())


async def test_a_connection_whose_token_has_expired_must_renew_it(shared: Ground) -> None:
    players = await shared.open("pp")
    player = players[0]
    # Within the leeway it still attaches; by the time of the command it is past it.
    old = shared.gateway.token(player.account, -59)
    await player.attach(shared.address, previous=player.attachment, token=old)

    async def expired() -> bool:
        try:
            await player.ready(shared.address)
        except Refused as error:
            return error.reason == "UNAUTHENTICATED"
        return False

    await wait_for(expired, what="the token has expired")
    await player.attach(shared.address, previous=player.attachment)
    await player.ready(shared.address)


async def test_a_match_that_is_over_takes_nothing_more(shared: Ground) -> None:
    players = await shared.open("pp", target=1)
    await players[0].act(shared.address, "abandon", turn=0)
    for player in players:
        await player.is_in(view_pb2.TABLE_STATE_OVER)
    assert players[1].public.outcome.ended_by == "abandon"
    assert players[1].public.outcome.offender == players[0].seat
    error = await refused(players[1].act(shared.address, "abandon", turn=0))
    assert (error.reason, error.rule) == ("ILLEGAL_MOVE", "match_over")
    assert (await refused(players[1].ready(shared.address))).reason == "WRONG_STATE"


# ------------------------------------------------------------------------------------------ unary calls


async def failure(call: Any) -> tuple[str, str]:
    """Reason and field of a failed call."""
    with pytest.raises(grpc.aio.AioRpcError) as found:
        await call
    error = from_rpc_error(found.value)
    return error_pb2.ErrorReason.Name(error.reason).removeprefix("ERROR_REASON_"), error.field


async def test_a_match_can_be_played_by_unary_calls(shared: Ground) -> None:
    accounts = [new_id("ply"), new_id("ply")]
    request = start_request(accounts, target=1)
    lobby: Any = shared.gateway.service(shared.address, "lobby")
    await lobby.StartMatch(request)
    stub: Any = TableServiceStub(shared.identities.channel(shared.address, "table_engine"))
    identity = [(("authorization", f"Bearer {shared.gateway.token(account)}"),) for account in accounts]

    async def view(seat: int) -> view_pb2.TableUpdate:
        response = await stub.GetView(table_pb2.GetViewRequest(table=request.table), metadata=identity[seat])
        update: view_pb2.TableUpdate = response.update
        return update

    assert (await view(0)).info.your_seat == 0
    for seat in (0, 1):
        ready = table_pb2.ReadyRequest(table=request.table, hand=1, contribution=b"x")
        await stub.Ready(ready, metadata=identity[seat])
    moves = 0
    while (seen := (await view(0)).public).state == view_pb2.TABLE_STATE_PLAY:
        (seat,) = seen.to_act
        own = (await view(seat)).own
        act = table_pb2.ActRequest(
            table=request.table, command_id=f"c{moves}", move=own.moves[0].text, turn=own.turn
        )
        first = await stub.Act(act, metadata=identity[seat])
        assert await stub.Act(act, metadata=identity[seat]) == first
        moves += 1
    assert moves == 36
    stranger = (("authorization", f"Bearer {shared.gateway.token(new_id('ply'))}"),)
    act = table_pb2.ActRequest(table=request.table, command_id="c", move="abandon")
    assert await failure(stub.Act(act, metadata=stranger)) == ("NOT_SEATED", "")
    assert await failure(stub.Act(act)) == ("UNAUTHENTICATED", "")
    watching = await stub.GetView(table_pb2.GetViewRequest(table=request.table), metadata=stranger)
    assert not watching.update.HasField("own")


async def test_starting_the_same_match_again_changes_nothing_and_another_one_is_refused(
    shared: Ground,
) -> None:
    request = start_request([new_id("ply"), new_id("ply")])
    stub: Any = shared.gateway.service(shared.address, "lobby")
    await asyncio.gather(*(stub.StartMatch(request) for _ in range(10)))
    assert len(await shared.log(request.table)) == 1
    for change in ({"match": new_id("mch")}, {"options": '{"target": 31}'}, {"speed": "lampo"}):
        other = table_pb2.StartMatchRequest()
        other.CopyFrom(request)
        for name, value in change.items():
            setattr(other, name, value)
        assert await failure(stub.StartMatch(other)) == ("ID_REUSED", "table")


@pytest.mark.parametrize(
    ("change", "reason", "field"),
    [
        ({"table": "tbl_x.y"}, "INVALID_FIELD", "table"),
        ({"match": ""}, "INVALID_FIELD", "match"),
        ({"game": "scoppa"}, "UNKNOWN_GAME", "game"),
        ({"options": '{"target": 0}'}, "BAD_OPTION", "options.target"),
        ({"options": '{"colour": 1}'}, "BAD_OPTION", "options.colour"),
        ({"options": "["}, "BAD_OPTION", "options"),
        ({"options": '{"seats": 4}'}, "INVALID_FIELD", "seats"),
        ({"speed": "warp"}, "BAD_OPTION", "speed"),
    ],
)
async def test_matches_that_cannot_be(
    shared: Ground, change: dict[str, str], reason: str, field: str
) -> None:
    request = start_request([new_id("ply"), new_id("ply")])
    for name, value in change.items():
        setattr(request, name, value)
    stub: Any = shared.gateway.service(shared.address, "lobby")
    assert await failure(stub.StartMatch(request)) == (reason, field)


async def test_only_those_who_may_start_end_and_link(shared: Ground, players: list[Player]) -> None:
    request = start_request([new_id("ply"), new_id("ply")])
    for part in ("chat", "gateway", None):
        stub: Any = shared.gateway.service(shared.address, part)
        reason = "UNAUTHENTICATED" if part is None else "NOT_PERMITTED"
        assert await failure(stub.StartMatch(request)) == (reason, "")
        void = table_pb2.VoidMatchRequest(table=players[0].table, reason="no")
        assert await failure(stub.VoidMatch(void)) == (reason, "")
        time_up = table_pb2.ReportTimeUpRequest(table=players[0].table, version=1)
        assert await failure(stub.ReportTimeUp(time_up)) == (reason, "")
    for part in ("chat", None):
        service: Any = shared.gateway.service(shared.address, part)
        call = service.Link()
        with pytest.raises(grpc.aio.AioRpcError):
            await call.read()


async def test_a_voided_match_gives_a_void_result_once(shared: Ground) -> None:
    players = await shared.open("pp")
    await shared.deal(players)
    await play_out(players, lambda: shared.address, stop_after=3)
    stub: Any = shared.gateway.service(shared.address, "lobby")
    request = table_pb2.VoidMatchRequest(table=players[0].table, reason="a test")
    assert await failure(stub.VoidMatch(table_pb2.VoidMatchRequest(table=players[0].table))) == (
        "INVALID_FIELD",
        "reason",
    )
    await asyncio.gather(*(stub.VoidMatch(request) for _ in range(5)))
    for player in players:
        await player.is_in(view_pb2.TABLE_STATE_OVER)
        assert player.public.void_reason == "a test"
        assert player.public.outcome.ended_by == "void"
        assert not player.public.to_act
        assert not player.update.own.moves
        error = await refused(player.act(shared.address, "abandon", turn=0))
        assert (error.reason, error.rule) == ("ILLEGAL_MOVE", "match_over")
    kinds = [
        record.WhichOneof("kind") for entry in await shared.entries(request.table) for record in entry.records
    ]
    assert kinds.count("voided") == 1
