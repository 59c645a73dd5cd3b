"""What belongs to the call that a task handles: request id and deadline; carried on to every call and message
it causes."""

import asyncio
from contextvars import ContextVar

from services.runtime.ids import new_id
from services.runtime.logs import bind

REQUEST_ID_KEY = "x-request-id"  # gRPC metadata
REQUEST_ID_HEADER = "Tavolo-Request"  # NATS header

_request_id: ContextVar[str] = ContextVar("request_id", default="")
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def request_id() -> str:
    """The id of the request that is being handled; empty outside of one."""
    return _request_id.get()


def begin_request(found: str | None, remaining_s: float | None = None) -> str:
    """Starts handling a request in this task: with the caller's id, or a new one; `remaining_s` is what its
    deadline leaves."""
    identity = found if found and len(found) <= 64 and found.isprintable() else new_id("req")
    _request_id.set(identity)
    _deadline.set(None if remaining_s is None else asyncio.get_running_loop().time() + remaining_s)
    bind(request_id=identity)
    return identity


def remaining_s() -> float | None:
    """Seconds until the deadline of the request that is being handled; None if it has none."""
    deadline = _deadline.get()
    return None if deadline is None else deadline - asyncio.get_running_loop().time()
