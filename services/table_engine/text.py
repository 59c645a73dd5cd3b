"""JSON texts inside messages."""

from typing import Any

import orjson


def json_object(text: str) -> dict[str, Any]:
    """The object that a field of JSON text holds; an empty text is an empty one. ValueError: not a JSON
    object."""
    value = orjson.loads(text) if text else {}
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def json_text(value: Any) -> str:
    """A value as JSON text."""
    return orjson.dumps(value).decode()
