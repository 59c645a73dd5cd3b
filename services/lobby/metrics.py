"""The lobby's metrics."""

from services.runtime.metrics import CALL_BUCKETS, HANDOVER_BUCKETS, counter, gauge, histogram

SIGN_INS = counter("tavolo_lobby_sign_ins", "Attempts to get tokens.", ("kind", "result"))
PASSWORD_SECONDS = histogram(
    "tavolo_lobby_password_seconds",
    "Time to hash or check a password, waiting for a thread included.",
    CALL_BUCKETS,
)
TABLES = gauge("tavolo_lobby_tables", "Tables that are not closed.", ("state",))
START_SECONDS = histogram(
    "tavolo_lobby_start_seconds", "From the last seat's taking to the start of the match.", HANDOVER_BUCKETS
)
STARTS = counter("tavolo_lobby_starts", "How starts of matches went.", ("result",))
RESULTS = counter("tavolo_lobby_results", "Results of matches that were read.", ("result",))
