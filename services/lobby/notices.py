"""What the lobby tells accounts. Each notice is a fact of its own, told once (services/runtime/outbox.py)."""

import uuid

from tavolo.gateway.v1.gateway_pb2 import MatchStarted, Notice, TableChanged

from services.runtime.outbox import Message


def table_changed(account: str, table: str, text: str) -> Message:
    """Somebody joined or left, or something else happened to a table before its match."""
    return _message(account, Notice(table_changed=TableChanged(table=table, text=text)))


def match_started(account: str, table: str, match: str, seat: int) -> Message:
    """The match at a table has begun."""
    return _message(account, Notice(match_started=MatchStarted(table=table, match=match, seat=seat)))


def _message(account: str, notice: Notice) -> Message:
    return Message(account, str(uuid.uuid4()), notice)
