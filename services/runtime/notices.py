"""The stream of notices to accounts: written by the lobby and by scoring, followed by the gateways.

A notice's message id names the fact that it tells of; its payload is a `tavolo.gateway.v1.Notice` without a
number.
"""

from services.runtime.streams import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig

STREAM = "NOTICES"
_KEPT_S = 7 * 24 * 3600


def stream(replicas: int) -> StreamConfig:
    """The stream as every writer wants it; the first one to start creates it."""
    return StreamConfig(
        name=STREAM,
        subjects=["tavolo.notice.*.*"],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_age=_KEPT_S,
        num_replicas=replicas,
        duplicate_window=120,
        allow_direct=True,
    )


def subject(part: str, account: str) -> str:
    """Where `part` (the writer) tells an account something."""
    return f"tavolo.notice.{part}.{account}"
