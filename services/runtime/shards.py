"""Where a table lives: its shard (who owns it), its stream (which log) and its NATS subjects."""

from functools import lru_cache
from hashlib import sha256

SHARDS = 256
STREAMS = 8


@lru_cache(maxsize=16384)
def shard_of(table: str) -> int:
    """0-255: the first four bytes (big endian) of the SHA-256 of the table's id, modulo the number of
    shards."""
    return int.from_bytes(sha256(table.encode()).digest()[:4], "big") % SHARDS


def stream_of(shard: int) -> int:
    """0-7: the log stream that holds the tables of a shard."""
    return shard % STREAMS


def log_stream(stream: int) -> str:
    """Name of a log stream."""
    return f"TABLE_LOG_{stream}"


def log_subject(table: str) -> str:
    """The subject that is the log of a table."""
    shard = shard_of(table)
    return f"tavolo.table.log.{stream_of(shard)}.{shard}.{table}"


def result_subject(table: str) -> str:
    """The subject on which the result of the match at a table is published."""
    return f"tavolo.table.result.{shard_of(table)}.{table}"
