"""Messages as plain dicts, and their two forms on the wire.

A dict in the shape of the proto3 JSON mapping (field names as in the proto, enums by name, 64-bit numbers
as text) is the one representation; `json_bytes` writes it as JSON, an `Encoder` as protobuf. So both forms
say the same, and neither needs `json_format`, which takes half a millisecond a message. What comes again
and again is encoded once (`Piece`).
"""

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor

Json = Mapping[str, Any]
_Field = Callable[[Any], bytes]

_VARINT, _BYTES = 0, 2
_INT64 = (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_SINT64)
_MASK = (1 << 64) - 1


class Piece:
    """A part of a message that is encoded already, in both forms."""

    __slots__ = ("json", "wire")

    def __init__(self, json: bytes, wire: bytes) -> None:
        self.json = json
        self.wire = wire


def json_bytes(value: Json) -> bytes:
    """The dict as JSON; pieces are passed on as they are, bytes become base64."""
    return orjson.dumps(value, default=_json)


def _json(value: Any) -> Any:
    if type(value) is Piece:
        return orjson.Fragment(value.json)
    if type(value) is bytes:
        return b64encode(value).decode()
    raise TypeError(f"no JSON for {type(value).__name__}")


def varint(number: int) -> bytes:
    """A number below 2^64 as protobuf writes it."""
    if number < 0x80:
        return _SMALL[number]
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


_SMALL = [bytes((number,)) for number in range(0x80)]


def delimited(tag: bytes, payload: bytes) -> bytes:
    """A length-delimited field: its tag (`field_tag`), the payload's length, the payload."""
    return tag + varint(len(payload)) + payload


def field_tag(number: int, kind: int = _BYTES) -> bytes:
    """The tag of field `number`, length-delimited unless said otherwise."""
    return varint(number << 3 | kind)


class Encoder:
    """Writes dicts as one message type. Fields that are absent, or have their default, take no bytes."""

    __slots__ = ("_fields",)

    def __init__(self, descriptor: Descriptor) -> None:
        self._fields = {field.name: _field(field) for field in descriptor.fields}

    def __call__(self, message: Json) -> bytes:
        """The bytes of the message. KeyError: the message type has no such field."""
        fields = self._fields
        return b"".join([fields[name](value) for name, value in message.items() if value is not None])

    def piece(self, message: Json) -> Piece:
        """The message in both forms."""
        return Piece(json_bytes(message), self(message))


def _field(field: FieldDescriptor) -> _Field:
    one = _one(field)
    if not field.is_repeated:
        return one
    if field.is_packed:
        tag, number = field_tag(field.number), _number(field)
        return lambda values: delimited(tag, b"".join([number(value) for value in values])) if values else b""
    return lambda values: b"".join([one(value) for value in values])


def _one(field: FieldDescriptor) -> _Field:
    """The writer of one value, tag and all. A default is written where its presence says something."""
    tag = field_tag(field.number)
    keeps_default = field.is_repeated or field.has_presence
    if field.type == FieldDescriptor.TYPE_STRING:
        return lambda text: tag + varint(len(raw := text.encode())) + raw if text or keeps_default else b""
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda raw: tag + varint(len(raw)) + raw if raw or keeps_default else b""
    if field.message_type is not None:
        encoder = Encoder(field.message_type)

        def write(message: Any) -> bytes:
            wire = message.wire if type(message) is Piece else encoder(message)
            return tag + varint(len(wire)) + wire

        return write
    number, tag = _number(field), field_tag(field.number, _VARINT)
    nothing = number(0) if field.type != FieldDescriptor.TYPE_ENUM else b"\0"

    def write_number(value: Any) -> bytes:
        wire = number(value)
        return tag + wire if keeps_default or wire != nothing else b""

    return write_number


def _number(field: FieldDescriptor) -> Callable[[Any], bytes]:
    if field.enum_type is not None:
        numbers = {value.name: varint(value.number) for value in field.enum_type.values}
        return numbers.__getitem__
    if field.type == FieldDescriptor.TYPE_SINT64:
        return lambda value: varint((int(value) << 1 ^ int(value) >> 63) & _MASK)
    if field.type in (*_INT64, FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_BOOL):
        return lambda value: varint(int(value) & _MASK)
    raise TypeError(f"{field.full_name}: no encoding for its type")
