"""A connection's tables: attaching, leaving, and what the engine answers to its commands."""

from typing import TYPE_CHECKING

from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.table.v1.table_pb2 import Answer as EngineAnswer
from tavolo.table.v1.table_pb2 import Done

from services.gateway import metrics
from services.gateway.router import Waiting
from services.gateway.tables import Attachment
from services.runtime.errors import invalid, rate_limited, reason_name
from services.runtime.ids import valid_id
from services.runtime.logs import logger

if TYPE_CHECKING:
    from services.gateway.session import Session

# Kinds of an AttachCommand's refusal -> why the client's connection to the table ended.
_CLOSED_BECAUSE = {
    error_pb2.ERROR_REASON_UNAUTHENTICATED: pb.CLOSE_REASON_UNAUTHENTICATED,
    error_pb2.ERROR_REASON_NOT_ATTACHED: pb.CLOSE_REASON_REPLACED,
}


def attach(session: "Session", call: int, attach: pb.AttachTable, read_at: float) -> None:
    """Takes the account's seat, or watches. Raises UNAUTHENTICATED, INVALID_FIELD, RATE_LIMITED."""
    session.need_hello()
    if not valid_id(attach.table, "tbl"):
        raise invalid("attach.table", "not the id of a table")
    known = session.tables.get(attach.table)
    if known is None and len(session.tables) >= session.hub.settings.tables_per_connection:
        metrics.RATE_LIMITED.labels("tables").inc()
        raise rate_limited("too many tables on this connection: leave one", 1.0)
    if known is not None:
        leave(session, known, tell=known.seat is None)
    attachment = session.tables[attach.table] = Attachment(session, attach.table, attach.watch)
    session.hub.router.attach(attachment, call, f"{session.id}-{call}", read_at)


def detach(session: "Session", call: int, table: str) -> None:
    """Leaves a table without abandoning the match."""
    session.need_hello()
    known = session.tables.get(table)
    if known is not None:
        leave(session, known, tell=True)
    session.answer(pb.Answer(call=call, done=Done()))


def leave(session: "Session", attachment: Attachment, *, tell: bool) -> None:
    """Forgets an attachment; with `tell` the engine learns that the client has left."""
    hub = session.hub
    if session.tables.get(attachment.table) is attachment:
        del session.tables[attachment.table]
        if attachment.table not in session.rooms:
            hub.chat.leave(session, attachment.table)
    if tell:
        hub.router.detach(attachment)
    hub.router.forget(attachment)
    hub.tables.remove(attachment)
    session.outbox.drop_view(attachment)


def close(session: "Session", attachment: Attachment, reason: pb.CloseReason.ValueType) -> None:
    """Ends an attachment and tells the client why."""
    leave(session, attachment, tell=False)
    session.put(pb.ServerMessage(closed=pb.TableClosed(table=attachment.table, reason=reason)))


def answered(session: "Session", waiting: Waiting, answer: EngineAnswer) -> None:
    """The engine's answer to a command, or the router's that there is none."""
    attachment = waiting.attachment
    kind = answer.WhichOneof("kind")
    if waiting.client_call is None:
        _answered_again(session, attachment, answer)
    elif waiting.kind == "attach":
        _answered_attach(session, attachment, waiting.client_call, answer)
    elif kind == "accepted":
        session.answer(pb.Answer(call=waiting.client_call, accepted=answer.accepted))
    elif kind == "error":
        session.refuse_with(waiting.client_call, answer.error)
        if answer.error.reason == error_pb2.ERROR_REASON_NOT_ATTACHED and not attachment.ended:
            close(session, attachment, pb.CLOSE_REASON_REPLACED)
    else:
        session.answer(pb.Answer(call=waiting.client_call, done=Done()))
        if kind == "attached" and not attachment.ended:
            session.outbox.drop_view(attachment)
            attachment.version = max(attachment.version, answer.attached.version)
            session.put_item(answer.attached.message)


def _answered_attach(session: "Session", attachment: Attachment, call: int, answer: EngineAnswer) -> None:
    hub = session.hub
    if answer.HasField("error"):
        if session.tables.get(attachment.table) is attachment:
            del session.tables[attachment.table]
        attachment.ended = True
        session.refuse_with(call, answer.error)
        return
    attached = answer.attached
    seat = attached.seat if attached.HasField("seat") else None
    if session.closed or session.tables.get(attachment.table) is not attachment:
        attachment.id = attached.attachment
        hub.router.detach(attachment)
        return
    hub.tables.add(attachment, attached.attachment, seat, attached.version)
    session.answer(pb.Answer(call=call, attached=pb.TableAttached(table=attachment.table, seat=seat)))
    # It alone tells who sits where: no later view may take its place.
    session.put_item(attached.message)
    hub.chat.follow(session, attachment.table)
    hub.tables.catch_up(attachment)


def _answered_again(session: "Session", attachment: Attachment, answer: EngineAnswer) -> None:
    if attachment.ended:
        return
    if answer.HasField("error"):
        logger().info("attachment_lost", table=attachment.table, reason=reason_name(answer.error.reason))
        close(
            session, attachment, _CLOSED_BECAUSE.get(answer.error.reason, pb.CLOSE_REASON_TABLE_UNAVAILABLE)
        )
        return
    attached = answer.attached
    seat = attached.seat if attached.HasField("seat") else None
    if attached.version > attachment.version:
        session.outbox.put_view(attachment, attached.message)
    session.hub.tables.add(attachment, attached.attachment, seat, attached.version)
    session.hub.tables.catch_up(attachment)
