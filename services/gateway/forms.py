"""The two forms in which the same frames travel: binary protobuf, and JSON.

A client gets frames of one or more messages. A message that waits is kept as bytes, an *item*: in the binary
form a whole `ConnectResponse` with one message in it (joined, several of them are one `ConnectResponse`: that
is how protobuf reads repeated fields), in the JSON form the text of one `ServerMessage`. The engine sends its
views as items of both forms.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import orjson
from google.protobuf.message import DecodeError
from tavolo.gateway.v1.gateway_pb2 import ClientMessage, ConnectRequest, ConnectResponse, ServerMessage
from tavolo.table.v1 import table_pb2

from services.gateway.json_form import read_json, to_json
from services.runtime.errors import TavoloError, invalid

_CALL_DIGITS = 20


class Unreadable(NamedTuple):
    """A message that cannot be read, in a frame that can: the number for its answer, and what is wrong."""

    call: int
    error: TavoloError


class Form(Protocol):
    """How frames are read and written."""

    name: str
    view_form: table_pb2.ViewForm.ValueType
    # Last token of the subjects of views in this form.
    suffix: str

    def read(self, data: bytes) -> Sequence[ClientMessage | Unreadable]:
        """The messages of a client's frame. Raises TavoloError INVALID_FIELD if it cannot be read at all."""

    def item(self, message: ServerMessage) -> bytes:
        """One message, to be put into a frame."""

    def frame(self, items: list[bytes]) -> bytes:
        """A frame of items, oldest first."""


class ProtoForm:
    """Binary."""

    name = "proto"
    view_form: table_pb2.ViewForm.ValueType = table_pb2.VIEW_FORM_PROTO
    suffix = "p"

    def read(self, data: bytes) -> Sequence[ClientMessage]:
        try:
            return ConnectRequest.FromString(data).messages
        except DecodeError as error:
            raise invalid("", "not a ConnectRequest") from error

    def item(self, message: ServerMessage) -> bytes:
        return ConnectResponse(messages=(message,)).SerializeToString()

    def frame(self, items: list[bytes]) -> bytes:
        return items[0] if len(items) == 1 else b"".join(items)


class JsonForm:
    """JSON text."""

    name = "json"
    view_form: table_pb2.ViewForm.ValueType = table_pb2.VIEW_FORM_JSON
    suffix = "j"

    def read(self, data: bytes) -> Sequence[ClientMessage | Unreadable]:
        try:
            found = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise invalid("", "not JSON") from error
        messages = found.get("messages") if isinstance(found, dict) and len(found) == 1 else None
        if not isinstance(messages, list):
            raise invalid("messages", "a frame is an object with the one field `messages`, a list")
        return [_read_message(each) for each in messages]

    def item(self, message: ServerMessage) -> bytes:
        return orjson.dumps(to_json(message))

    def frame(self, items: list[bytes]) -> bytes:
        return b'{"messages":[' + b",".join(items) + b"]}"


def _read_message(found: Any) -> ClientMessage | Unreadable:
    message = ClientMessage()
    try:
        read_json(found, message)
    except TavoloError as error:
        # The order of the fields is the client's: its number may come after what is wrong.
        call = str(found.get("call", 0)) if isinstance(found, dict) else ""
        known = call.isdecimal() and len(call) <= _CALL_DIGITS and int(call) < 1 << 64
        return Unreadable(int(call) if known else 0, error)
    return message


PROTO: Form = ProtoForm()
JSON: Form = JsonForm()
