"""What scoring counts (metrics of the process and of its calls: services/runtime/metrics.py)."""

from services.runtime.metrics import CALL_BUCKETS, counter, gauge, histogram

RESULTS = counter(
    "tavolo_scoring_results",
    "Results that arrived: settled, void, repeated, alarm (see the next), refused (can never be settled).",
    ("result",),
)
ALARMS = counter(
    "tavolo_scoring_alarms",
    "Results that need a person, by what is wrong. Every one is in the log.",
    ("kind",),
)
SETTLE_SECONDS = histogram(
    "tavolo_scoring_settle_seconds", "From a result's arrival to the commit of its settlement.", CALL_BUCKETS
)
LEDGER_SUM_CENTS = gauge(
    "tavolo_scoring_ledger_sum_cents", "Sum of all entries, cents; anything but 0 is wrong."
)
LEDGER_OPEN_ESCROWS = gauge(
    "tavolo_scoring_ledger_open_escrows_count", "Matches that are over and still have something in escrow."
)
LEDGER_BAD_SETTLEMENTS = gauge(
    "tavolo_scoring_ledger_bad_settlements_count",
    "Archived matches whose settlement is missing, double or different.",
)
LEDGER_WRONG_BALANCES = gauge(
    "tavolo_scoring_ledger_wrong_balances_count", "Accounts whose balance is not the sum of their entries."
)
LEDGER_CHECKED = gauge(
    "tavolo_scoring_ledger_checked_timestamp_seconds", "When the whole ledger was last checked (POSIX time)."
)
