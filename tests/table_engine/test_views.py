"""What clients get: both forms say the same, the joined bytes are the message, nothing is shown too early."""

import orjson
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st
from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import view_pb2

from services.table_engine.encoding import json_bytes, varint
from services.table_engine.table import Table
from services.table_engine.views import Views, own_view, public_view, table_info
from tests.table_engine.matches import Step, steps

SEATS = st.sampled_from([2, 4])
OPTIONS = st.fixed_dictionaries({"seats": SEATS, "seen_cards": st.booleans(), "target": st.just(2)})


def whole(table: Table, step: Step, seat: int | None, *, info: bool) -> view_pb2.TableUpdate:
    """The update as one message."""
    return view_pb2.TableUpdate(
        table=table.id,
        version=table.version,
        public=view_pb2.PublicView.FromString(public_view(table, table.at, step.events)),
        own=None if seat is None else view_pb2.OwnView.FromString(own_view(table, seat, step.events)),
        info=table_info(table, seat) if info else None,
    )


@given(seed=st.integers(0, 2**32), options=OPTIONS)
@settings(max_examples=6)
def test_both_forms_of_every_view_are_the_update(seed: int, options: dict[str, object]) -> None:
    for step in steps(seed, **options):
        table = step.table
        views = Views(table, table.at, step.events)
        for seat in (None, *range(len(table.seats))):
            for info in (False, True):
                wanted = whole(table, step, seat, info=info)
                binary = views.message(seat, as_json=False, with_info=info)
                message = gateway_pb2.ServerMessage(table=wanted)
                assert gateway_pb2.ConnectResponse.FromString(binary).messages[0] == message
                as_json = orjson.loads(views.message(seat, as_json=True, with_info=info))
                assert as_json == json_format.MessageToDict(message, preserving_proto_field_name=True)


@given(st.integers(0, 2**64 - 1))
def test_a_varint_is_what_protobuf_writes(number: int) -> None:
    assert b"\x10" + varint(number) == view_pb2.TableUpdate(version=number).SerializeToString() or number == 0
    assert varint(0) == b"\x00"


def test_json_writes_presence_enums_bytes_and_large_numbers_as_protobuf_does() -> None:
    view = view_pb2.PublicView(state=view_pb2.TABLE_STATE_PLAY, turn=2**63, scores=[-1, 2**40], to_act=[0])
    view.outcome.winner = 0
    view.proof.house_seed = bytes(range(7))
    wanted = json_format.MessageToDict(view, preserving_proto_field_name=True)
    assert orjson.loads(json_bytes(view)) == wanted


@given(seed=st.integers(0, 2**32), options=OPTIONS)
@settings(max_examples=6)
def test_no_proof_opens_anything_while_its_hand_is_played(seed: int, options: dict[str, object]) -> None:
    shown = 0
    for step in steps(seed, **options):
        view = view_pb2.PublicView.FromString(public_view(step.table, step.table.at, step.events))
        if view.state == view_pb2.TABLE_STATE_PLAY:
            assert not view.proof.house_seed
            assert not view.proof.openings
            assert not view.HasField("ended_proof")
        elif view.state == view_pb2.TABLE_STATE_READY:
            assert not view.proof.house_seed
            assert not view.proof.openings
            shown += bool(view.ended_proof.house_seed)
        else:
            shown += bool(view.proof.house_seed)
    assert shown
