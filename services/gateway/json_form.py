"""The JSON mapping of proto3 (field names as in the proto) in both directions, for messages on a move's path.

`google.protobuf.json_format` takes half a millisecond a message; this takes some microseconds. What is
written is the same; in reading, well-known types are not understood.
"""

import base64
import binascii
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from services.runtime.errors import TavoloError, invalid

_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
}
_WIDE = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
_WELL_KNOWN = "google.protobuf."

# By descriptor, whose class depends on the implementation of protobuf.
_names: dict[Any, dict[str, FieldDescriptor]] = {}


def to_json(message: Message) -> Any:
    """What `json_format.MessageToDict(message, preserving_proto_field_name=True)` gives."""
    if message.DESCRIPTOR.full_name.startswith(_WELL_KNOWN):
        return json_format.MessageToDict(message)
    return {
        field.name: [_value(field, each) for each in value] if field.is_repeated else _value(field, value)
        for field, value in message.ListFields()
    }


def _value(field: FieldDescriptor, value: Any) -> Any:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_MESSAGE:
        return to_json(value)
    if kind in _WIDE:
        return str(value)
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        kinds = field.enum_type
        found = None if kinds is None else kinds.values_by_number.get(value)
        return value if found is None else found.name
    if field.type == FieldDescriptor.TYPE_BYTES:
        return base64.b64encode(value).decode()
    return value


def read_json(found: Any, message: Message, path: str = "") -> None:
    """Fills an empty message from parsed JSON. Raises INVALID_FIELD with the path of the field at fault."""
    if not isinstance(found, dict):
        raise _wrong(path, "must be an object")
    fields = _names.get(message.DESCRIPTOR) or _learn(message.DESCRIPTOR)
    for name, value in found.items():
        field = fields.get(name)
        if field is None:
            raise _wrong(_join(path, name[:40]), "is not known")
        if value is None:
            continue
        oneof = field.containing_oneof
        if oneof is not None and message.WhichOneof(oneof.name) is not None:
            raise _wrong(_join(path, name), "excludes another field that is there")
        try:
            _read_field(field, value, message, path)
        except (TypeError, ValueError) as error:
            raise _wrong(_join(path, name), "has a value that cannot be used") from error


def _read_field(field: FieldDescriptor, value: Any, message: Message, path: str) -> None:
    name = field.name
    if not field.is_repeated:
        if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            inner = getattr(message, name)
            inner.SetInParent()
            read_json(value, inner, _join(path, name))
        else:
            setattr(message, name, _scalar(field, value))
        return
    if not isinstance(value, list):
        raise TypeError(name)
    many = getattr(message, name)
    for index, each in enumerate(value):
        if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            read_json(each, many.add(), f"{_join(path, name)}[{index}]")
        else:
            many.append(_scalar(field, each))


def _scalar(field: FieldDescriptor, value: Any) -> Any:
    kind = field.cpp_type
    if kind in _INTEGERS:
        if (
            isinstance(value, str)
            and value.lstrip("-").isascii()
            and value.lstrip("-").isdigit()
            and len(value) <= 20
        ):
            return int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(field.name)
        return value
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _bytes(value)
    if kind == FieldDescriptor.CPPTYPE_STRING and not isinstance(value, str):
        raise TypeError(field.name)
    if kind == FieldDescriptor.CPPTYPE_BOOL and not isinstance(value, bool):
        raise TypeError(field.name)
    return value


def _bytes(value: Any) -> bytes:
    """Base64, standard or URL-safe, with or without padding, as proto3 JSON allows."""
    if not isinstance(value, str):
        raise TypeError("base64")
    text = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError("base64") from error


def _learn(descriptor: Any) -> dict[str, FieldDescriptor]:
    """Both names of every field: that of the proto and the lower camel case one."""
    found = {field.name: field for field in descriptor.fields}
    found.update((field.json_name, field) for field in descriptor.fields)
    return _names.setdefault(descriptor, found)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _wrong(path: str, text: str) -> TavoloError:
    return invalid(path, f"{path or 'the message'} {text}")
