"""What the clock service counts (metrics of the process and of its calls: services/runtime/metrics.py)."""

from services.runtime.metrics import LAG_BUCKETS, counter, gauge, histogram

FACTS = counter("tavolo_clock_facts", "Facts of tables' logs that were followed.")
DEADLINES_HELD = gauge("tavolo_clock_deadlines_held_count", "Running deadlines that this replica holds.")
FIRING_LAG_SECONDS = histogram(
    "tavolo_clock_firing_lag_seconds",
    "From the moment when a deadline is due to the call that tells the engine.",
    LAG_BUCKETS,
)
REPORTS = counter(
    "tavolo_clock_reports",
    "Deadlines told to the engine: done, again (not due yet by its clock), retried (no answer), refused.",
    ("result",),
)
REPORTS_IN_FLIGHT = gauge(
    "tavolo_clock_reports_in_flight_count", "Calls to the engine that are not answered yet."
)
