"""Metrics of the gateway."""

from tavolo.gateway.v1.gateway_pb2 import ClientMessage

from services.runtime.metrics import CALL_BUCKETS, MOVE_BUCKETS, counter, gauge, histogram

CONNECTIONS = gauge("tavolo_gateway_connections_open", "Connections of clients.", ("edge", "form"))
CONNECTIONS_REFUSED = counter(
    "tavolo_gateway_connections_refused", "Connections that were not let in.", ("reason",)
)
CONNECTIONS_ENDED = counter(
    "tavolo_gateway_connections_ended", "Connections that the gateway ended.", ("reason",)
)
HELLOS = counter("tavolo_gateway_hellos", "Hellos by kind (new, renewal) and result.", ("kind", "result"))
MESSAGES_IN = counter("tavolo_gateway_messages_in", "Messages from clients by kind.", ("kind",))
# Made once: looking a label up costs as much as counting.
MESSAGES_IN_BY_KIND = {
    kind: MESSAGES_IN.labels(kind or "none")
    for kind in (None, *(field.name for field in ClientMessage.DESCRIPTOR.oneofs_by_name["kind"].fields))
}
REFUSALS = counter(
    "tavolo_gateway_refusals", "Messages that were answered with an error, by its reason.", ("reason",)
)
RATE_LIMITED = counter("tavolo_gateway_rate_limited", "What was refused because of a limit.", ("limit",))
FRAMES_OUT = counter("tavolo_gateway_frames_out", "Frames to clients.")
VIEWS_IN = counter("tavolo_gateway_views_in", "Views from the engine.")
VIEWS_DROPPED = counter(
    "tavolo_gateway_views_dropped", "Views that a newer one overtook before a slow client had read them."
)
QUEUE_OVERFLOWS = counter(
    "tavolo_gateway_queue_overflows", "Connections whose queue of messages that must not be skipped was full."
)
ATTACHMENTS = gauge("tavolo_gateway_attachments_open", "Connections of clients with tables.", ("kind",))
REATTACHED = counter(
    "tavolo_gateway_reattached",
    "Attachments made again at a worker, because the owner or the link had changed.",
)
TAKEN_OVER = counter(
    "tavolo_gateway_taken_over", "Attachments that ended because a newer connection took the seat over."
)
COMMANDS_WAITING = gauge("tavolo_gateway_commands_waiting", "Commands that have no answer yet.")
COMMANDS_RESENT = counter("tavolo_gateway_commands_resent", "Commands that were sent to a worker again.")
COMMANDS_UNKNOWN = counter("tavolo_gateway_commands_unknown", "Commands without an answer in time.")
LINKS = gauge("tavolo_gateway_links_open", "Links to table workers.")
LINKS_LOST = counter("tavolo_gateway_links_lost", "Links to table workers that broke.")
COMMAND_SECONDS = histogram(
    "tavolo_gateway_command_seconds", "From reading a command to its answer from the worker.", MOVE_BUCKETS
)
RTT_SECONDS = histogram("tavolo_gateway_rtt_seconds", "Round trip of a ping to a client.", CALL_BUCKETS)
CALLS_PASSED = counter(
    "tavolo_gateway_calls_passed", "Calls passed on to other services.", ("service", "code")
)
NOTICES_OUT = counter("tavolo_gateway_notices_out", "Notices to connections, live or sent again.", ("when",))
CHAT_OUT = counter("tavolo_gateway_chat_out", "Chat messages to connections.")
