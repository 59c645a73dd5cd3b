"""Messages as the bytes that go to clients: protobuf parts that are joined by hand, and the same as JSON.

`json_format` takes half a millisecond a message; what is here says exactly the same as its `MessageToDict`
with field names as in the proto.
"""

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from typing import Any

import orjson
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

VARINT, DELIMITED = 0, 2
_TEXT_NUMBERS = (
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT64,
)


def varint(number: int) -> bytes:
    """A number from 0 to 2^64 - 1 as protobuf writes it."""
    return _SHORT[number] if number < _FEW else _varint(number)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


_FEW = 4096
_SHORT = tuple(_varint(number) for number in range(_FEW))


def field_tag(number: int, kind: int = DELIMITED) -> bytes:
    """The tag of field `number`."""
    return varint(number << 3 | kind)


def delimited(tag: bytes, payload: bytes) -> bytes:
    """A length-delimited field: its tag, the payload's length, the payload."""
    size = len(payload)
    return tag + (_SHORT[size] if size < _FEW else varint(size)) + payload


def json_bytes(message: Message) -> bytes:
    """The message as JSON (proto3 mapping, field names as in the proto)."""
    return orjson.dumps(_object(message))


def _object(message: Message) -> dict[str, Any]:
    return {field.name: _writer(field)(value) for field, value in message.ListFields()}


@cache
def _writer(field: FieldDescriptor) -> Callable[[Any], Any]:
    """What turns the value of a field that is set into a JSON value."""
    one = _one(field)
    if not field.is_repeated:
        return one
    return lambda values: [one(value) for value in values]


def _one(field: FieldDescriptor) -> Callable[[Any], Any]:
    if field.message_type is not None:
        return _object
    if field.enum_type is not None:
        names = {value.number: value.name for value in field.enum_type.values}
        return names.__getitem__
    if field.cpp_type in _TEXT_NUMBERS:
        return str
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda raw: b64encode(raw).decode()
    return lambda value: value
