"""Streams are created by their owner, and a stream that is less safe than it must be stops the start.

What an operator may change (sizes, ages, more replicas) is left as it is; what would lose data or let it be
forged is not.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig

from services.runtime.bus_errors import NO_STREAM, BusError
from services.runtime.logs import logger

__all__ = [
    "DiscardPolicy",
    "RetentionPolicy",
    "StorageType",
    "StreamConfig",
    "UnsafeStream",
    "ensure",
    "kept_a_week",
]

# A difference in one of these loses messages or the means to check them.
_SAFETY = (
    "retention",
    "storage",
    "discard",
    "max_msgs_per_subject",
    "deny_delete",
    "deny_purge",
    "sealed",
    "allow_direct",
    "no_ack",
    "allow_msg_ttl",
    "allow_rollup_hdrs",
)


_WEEK_S = 7 * 24 * 3600
_DUPLICATES_S = 120


def kept_a_week(name: str, subjects: str, replicas: int) -> StreamConfig:
    """A stream of what people are told: it is recorded elsewhere, and kept here for those who were away."""
    return StreamConfig(
        name=name,
        subjects=[subjects],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        max_age=_WEEK_S,
        num_replicas=replicas,
        duplicate_window=_DUPLICATES_S,
        allow_direct=True,
    )


class UnsafeStream(Exception):
    """The stream that is there differs from the wanted one in a way that loses safety; the text names each
    difference."""


async def ensure(api: Callable[..., Awaitable[dict[str, Any]]], config: StreamConfig) -> None:
    """Creates the stream, or compares the one that is there.

    Raises UnsafeStream when it differs in what keeps messages safe, has fewer replicas, misses subjects, or
    forgets sooner.
    """
    wanted = {key: value for key, value in config.as_dict().items() if value is not None}
    try:
        there = (await api(f"STREAM.INFO.{config.name}"))["config"]
    except BusError as error:
        if error.code != NO_STREAM:
            raise
        there = (await api(f"STREAM.CREATE.{config.name}", wanted))["config"]
        logger().info("stream_created", stream=config.name)
    differences = _differences(wanted, there)
    if differences:
        raise UnsafeStream(f"stream {config.name}: " + "; ".join(differences))


def _differences(wanted: dict[str, Any], there: dict[str, Any]) -> list[str]:
    found = [
        f"{key} is {there.get(key)!r}, wanted {wanted[key]!r}"
        for key in _SAFETY
        if key in wanted
        and (there.get(key) or None) != (wanted[key] or None)
        and not _unlimited(wanted[key], there.get(key))
    ]
    missing = set(wanted.get("subjects", ())) - set(there.get("subjects", ()))
    if missing:
        found.append(f"subjects {sorted(missing)} are missing")
    if there.get("num_replicas", 1) < wanted.get("num_replicas", 1):
        found.append(f"{there.get('num_replicas', 1)} replicas, wanted {wanted['num_replicas']}")
    if 0 < there.get("max_age", 0) < (wanted.get("max_age") or float("inf")):
        found.append("max_age is shorter than wanted")
    return found


def _unlimited(one: Any, other: Any) -> bool:
    """0, -1 and absent all mean "no limit" to the server."""
    return one in (0, -1, None) and other in (0, -1, None)
