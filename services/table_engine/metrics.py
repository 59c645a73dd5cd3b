"""Metrics of the table engine."""

from functools import cache

from prometheus_client import Counter

from services.runtime.metrics import HANDOVER_BUCKETS, MOVE_BUCKETS, counter, gauge, histogram

MOVES = counter(
    "tavolo_table_engine_moves",
    "Moves asked for, by what became of them (accepted, repeated, expired, or the reason of the refusal).",
    ("game", "result"),
)


@cache
def moves(game: str, result: str) -> Counter:
    """The counter of a result in a game: both come from closed lists."""
    return MOVES.labels(game, result)


MOVE_SECONDS = histogram(
    "tavolo_table_engine_move_seconds",
    "Time of a move in each stage: wait (since its last byte was read), check, append, views.",
    MOVE_BUCKETS,
    ("stage",),
)

WAIT_SECONDS = MOVE_SECONDS.labels("wait")
CHECK_SECONDS = MOVE_SECONDS.labels("check")
APPEND_SECONDS = MOVE_SECONDS.labels("append")
VIEWS_SECONDS = MOVE_SECONDS.labels("views")
TABLES = gauge(
    "tavolo_table_engine_tables", "Tables in memory by state (ready, play, over, parked).", ("state",)
)
PARKED = counter(
    "tavolo_table_engine_parked",
    "Tables that were parked: their log could not be folded, or we have an error.",
)
ATTACHMENTS = gauge(
    "tavolo_table_engine_attachments", "Connections that get views of tables, by kind.", ("kind",)
)
SHARDS_HELD = gauge("tavolo_table_engine_shards_held", "Shards that this worker serves.")
SHARD_CHANGES = counter("tavolo_table_engine_shard_changes", "Shards taken and given up.", ("change",))
HANDOVER_SECONDS = histogram(
    "tavolo_table_engine_handover_seconds",
    "Time to give up a shard: its tables finish what they do.",
    HANDOVER_BUCKETS,
)
APPEND_CONFLICTS = counter(
    "tavolo_table_engine_append_conflicts", "Appends refused because the log's last entry was another one."
)
VIEWS = counter("tavolo_table_engine_views_published", "Views published, by form.", ("form",))
VIEWS_PROTO = VIEWS.labels("proto")
VIEWS_JSON = VIEWS.labels("json")
VIEWS_UNSENT = counter(
    "tavolo_table_engine_views_unsent", "Views that could not be published: no connection to NATS."
)
LOADS = counter("tavolo_table_engine_loads", "Tables read from their logs, by result.", ("result",))
LOAD_SECONDS = histogram(
    "tavolo_table_engine_load_seconds", "Time to bring a table back from its log.", HANDOVER_BUCKETS
)
EVICTED = counter("tavolo_table_engine_evicted", "Tables that left memory because nobody used them.")
OUTAGES = counter(
    "tavolo_table_engine_outages",
    "Times that a table was served again after an outage that is charged to nobody.",
)
FORWARDED = counter("tavolo_table_engine_forwarded", "Commands passed on to the shard's owner.", ("result",))
RESULTS = counter(
    "tavolo_table_engine_results_published", "Match results, by outcome of the publish.", ("result",)
)
COVERS = counter(
    "tavolo_table_engine_hands_covered",
    "Hands of games settled by the hand: the next one covered, the match broken_off; tries that failed.",
    ("result",),
)
TIME_UPS = counter(
    "tavolo_table_engine_time_ups", "Reports that a time is up, by what followed.", ("result",)
)
