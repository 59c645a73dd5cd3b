"""Keyset paging: a page's token says behind which row the next one begins, and of which list.

A token of another list, or of the same one with other filters, is refused instead of giving a wrong page.
"""

import base64
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeVar

import orjson
from tavolo.common.v1.page_pb2 import PageInfo, PageRequest

from services.runtime.errors import invalid

T = TypeVar("T")
Key = list[int | float | str]

DEFAULT_SIZE = 50
MOST = 200
_LONGEST_TOKEN = 512


def size(page: PageRequest) -> int:
    """How many rows are wanted: 50 if it is not said, at most 200. INVALID_FIELD: below zero."""
    if page.size < 0:
        raise invalid("page.size", "must not be below 0")
    return min(page.size or DEFAULT_SIZE, MOST)


def position(page: PageRequest, listing: str, types: Sequence[type]) -> Key | None:
    """The key of the last row of the page before, None at the beginning of the list.

    `listing` names the list and its filters. INVALID_FIELD: the token is not one of this list.
    """
    if not page.token:
        return None
    foreign = invalid("page.token", "is not a token of this list")
    if len(page.token) > _LONGEST_TOKEN:
        raise foreign
    try:
        made_for, *key = orjson.loads(base64.urlsafe_b64decode(page.token.encode()))
    except (ValueError, TypeError) as error:
        raise foreign from error
    if made_for != _digest(listing) or [type(part) for part in key] != list(types):
        raise foreign
    found: Key = key
    return found


def cut(
    rows: Sequence[T], wanted: int, listing: str, key: Callable[[T], Key]
) -> tuple[Sequence[T], PageInfo]:
    """The page, and the token of the next one, from up to `wanted` + 1 rows."""
    if len(rows) <= wanted:
        return rows, PageInfo()
    text = orjson.dumps([_digest(listing), *key(rows[wanted - 1])])
    return rows[:wanted], PageInfo(next=base64.urlsafe_b64encode(text).decode())


def _digest(listing: str) -> str:
    return sha256(listing.encode()).hexdigest()[:8]
