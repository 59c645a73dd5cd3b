"""The fast JSON mapping says the same as protobuf's own."""

import json

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.error_pb2 import ErrorDetail
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.table.v1.table_pb2 import Done, MoveAccepted

from services.gateway.json_form import read_json, to_json
from services.runtime.errors import TavoloError

_TEXT = st.text(max_size=20)
_U64 = st.integers(0, 2**64 - 1)
_I32 = st.integers(-(2**31), 2**31 - 1)

_client_messages = st.one_of(
    st.builds(
        lambda call, table, id_, move, turn, think: pb.ClientMessage(
            call=call, act=pb.Act(table=table, command_id=id_, move=move, turn=turn, think_ms=think)
        ),
        _U64,
        _TEXT,
        _TEXT,
        _TEXT,
        _U64,
        st.none() | _I32,
    ),
    st.builds(
        lambda call, table, contribution, hand: pb.ClientMessage(
            call=call, ready=pb.Ready(table=table, contribution=contribution, hand=hand)
        ),
        _U64,
        _TEXT,
        st.binary(max_size=40),
        _I32,
    ),
    st.builds(
        lambda call, token, last, rooms: pb.ClientMessage(
            call=call,
            hello=pb.Hello(
                token=token, last_notice=last, chat=[pb.ChatPosition(room=r, last=n) for r, n in rooms]
            ),
        ),
        _U64,
        _TEXT,
        _U64,
        st.lists(st.tuples(_TEXT, _U64), max_size=3),
    ),
    st.builds(
        lambda table, watch: pb.ClientMessage(attach=pb.AttachTable(table=table, watch=watch)),
        _TEXT,
        st.booleans(),
    ),
)

_server_messages = st.one_of(
    st.builds(
        lambda call, version, move, lag: pb.ServerMessage(
            answer=pb.Answer(call=call, accepted=MoveAccepted(version=version, move=move, lag_credit_ms=lag))
        ),
        _U64,
        _U64,
        _TEXT,
        _I32,
    ),
    st.builds(lambda call: pb.ServerMessage(answer=pb.Answer(call=call, done=Done())), _U64),
    st.builds(
        lambda call, data: pb.ServerMessage(answer=pb.Answer(call=call, response=data)),
        _U64,
        st.binary(max_size=40),
    ),
    st.builds(
        lambda reason, text, ms: pb.ServerMessage(answer=pb.Answer(call=1, error=_error(reason, text, ms))),
        st.sampled_from(error_pb2.ErrorReason.values()),
        _TEXT,
        st.none() | st.integers(0, 10**7),
    ),
    st.builds(
        lambda delta, rating, vp: pb.ServerMessage(
            notice=pb.Notice(
                number=3, match_settled=pb.MatchSettled(delta_cents=delta, rating=rating, victory_points=vp)
            )
        ),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.none() | _I32,
    ),
    st.builds(
        lambda tables: pb.ServerMessage(welcome=pb.Welcome(tables=tables, heartbeat_ms=20_000)),
        st.lists(_TEXT, max_size=3),
    ),
    st.builds(
        lambda reason: pb.ServerMessage(goodbye=pb.Goodbye(reason=reason)),
        st.sampled_from(pb.CloseReason.values()),
    ),
)


def _error(reason: error_pb2.ErrorReason.ValueType, text: str, retry_ms: int | None) -> ErrorDetail:
    error = ErrorDetail(reason=reason, text=text)
    if retry_ms is not None:
        error.retry_after.FromMilliseconds(retry_ms)
    return error


@given(_server_messages)
def test_what_is_written_equals_the_json_of_protobuf(message: pb.ServerMessage) -> None:
    assert to_json(message) == json_format.MessageToDict(message, preserving_proto_field_name=True)


@given(_client_messages, st.booleans())
def test_what_protobuf_writes_is_read_as_the_same_message(
    message: pb.ClientMessage, proto_names: bool
) -> None:
    text = json_format.MessageToJson(message, preserving_proto_field_name=proto_names)
    found = pb.ClientMessage()
    read_json(json.loads(text), found)
    assert found == message


@pytest.mark.parametrize(
    ("found", "field"),
    [
        ([], ""),
        ({"call": True}, "call"),
        ({"call": 1.5}, "call"),
        ({"call": -1}, "call"),
        ({"call": "1e3"}, "call"),
        ({"call": 2**64}, "call"),
        ({"act": "x"}, "act"),
        ({"act": {"table": 3}}, "act.table"),
        ({"act": {"think_ms": 2**31}}, "act.think_ms"),
        ({"act": {"nonsense": 1}}, "act.nonsense"),
        ({"ready": {"contribution": "not base64!"}}, "ready.contribution"),
        ({"ready": {"contribution": 7}}, "ready.contribution"),
        ({"attach": {"watch": 1}}, "attach.watch"),
        ({"hello": {"chat": {}}}, "hello.chat"),
        ({"hello": {"chat": [{"room": "lobby"}, {"last": []}]}}, "hello.chat[1].last"),
        ({"act": {}, "ready": {}}, "ready"),
        ({"act": {"table": "\ud800"}}, "act.table"),
    ],
)
def test_what_cannot_be_read_names_its_field(found: object, field: str) -> None:
    with pytest.raises(TavoloError) as caught:
        read_json(found, pb.ClientMessage())
    assert caught.value.reason == error_pb2.ERROR_REASON_INVALID_FIELD
    assert caught.value.field == field


def test_null_is_the_default() -> None:
    found = pb.ClientMessage()
    read_json({"call": None, "act": {"table": None, "think_ms": None}}, found)
    assert found == pb.ClientMessage(act=pb.Act())
