"""The stream of notices to accounts: written by the lobby and by scoring, followed by the gateways.

A notice's message id names the fact that it tells of; its payload is a `tavolo.gateway.v1.Notice` without a
number.
"""

from services.runtime.streams import StreamConfig, kept_a_week

STREAM = "NOTICES"


def stream(replicas: int) -> StreamConfig:
    """The stream as every writer wants it; the first one to start creates it."""
    return kept_a_week(STREAM, "tavolo.notice.*.*", replicas)


def subject(part: str, account: str) -> str:
    """Where `part` (the writer) tells an account something."""
    return f"tavolo.notice.{part}.{account}"
