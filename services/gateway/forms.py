"""The two forms in which the same frames travel: binary protobuf, and JSON.

A client gets frames of one or more messages. A message that waits is kept as bytes, an *item*: in the binary
form a whole `ConnectResponse` with one message in it (joined, several of them are one `ConnectResponse`: that
is how protobuf reads repeated fields), in the JSON form the text of one `ServerMessage`. The engine sends its
views as items of both forms.
"""

from collections.abc import Sequence
from typing import Protocol

import orjson
from google.protobuf.message import DecodeError
from tavolo.gateway.v1.gateway_pb2 import ClientMessage, ConnectRequest, ConnectResponse, ServerMessage
from tavolo.table.v1 import table_pb2

from services.gateway.json_form import read_json, to_json
from services.runtime.errors import invalid


class Form(Protocol):
    """How frames are read and written."""

    name: str
    view_form: table_pb2.ViewForm.ValueType
    # Last token of the subjects of views in this form.
    suffix: str

    def read(self, data: bytes) -> Sequence[ClientMessage]:
        """The messages of a client's frame. Raises TavoloError INVALID_FIELD if it cannot be read."""

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

    def read(self, data: bytes) -> Sequence[ClientMessage]:
        request = ConnectRequest()
        try:
            found = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise invalid("", "not JSON") from error
        read_json(found, request)
        return request.messages

    def item(self, message: ServerMessage) -> bytes:
        return orjson.dumps(to_json(message))

    def frame(self, items: list[bytes]) -> bytes:
        return b'{"messages":[' + b",".join(items) + b"]}"


PROTO: Form = ProtoForm()
JSON: Form = JsonForm()
