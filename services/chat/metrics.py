"""The chat's metrics."""

from services.runtime.metrics import CALL_BUCKETS, counter, histogram

SAID = counter(
    "tavolo_chat_messages", "Messages that were sent to chat, by what became of them.", ("verdict",)
)
PUBLISHED = counter("tavolo_chat_messages_published", "Messages that the stream has acknowledged.")
PUBLISH_FAILURES = counter("tavolo_chat_publish_failures", "Attempts to publish that failed.")
PUBLISH_LAG_SECONDS = histogram(
    "tavolo_chat_publish_lag_seconds", "From recording a message to its being in the stream.", CALL_BUCKETS
)
