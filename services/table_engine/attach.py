"""Clients' connections to a table: whose view they get, and that the clock knows who is there."""

import asyncio
import time
from contextlib import suppress

from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import log_pb2, table_pb2

from services.runtime.auth import Caller
from services.runtime.errors import TavoloError, invalid, rate_limited, unauthenticated
from services.runtime.ids import new_id, valid_id
from services.runtime.leases import LeaseWatch
from services.runtime.wire import NotConnected
from services.table_engine.engine import Engine, clock_ms
from services.table_engine.hosted import Attachment, Handler, Hosted, Request
from services.table_engine.table import Table
from services.table_engine.views import Views

# A token is taken for this long past its end: clocks differ.
LEEWAY_S = 60.0
_WATCHERS_RETRY_S = 5.0
_GATEWAY_BACK_S = 3.0


def attach_as(caller: Caller) -> Handler:
    """The handler of an AttachCommand whose token is this caller's."""

    async def attach(engine: Engine, hosted: Hosted, request: Request) -> None:
        command = request.command.attach
        _check(command)
        table = hosted.table or await engine.table(hosted)
        seat = None if command.watch else table.seat_of(caller.id)
        if command.previous:
            _check_previous(hosted, command.previous, caller.id, seat)
        elif seat is None and _watchers(hosted) >= engine.settings.watchers:
            raise rate_limited("too many connections watch this table", _WATCHERS_RETRY_S)
        attachment = Attachment(
            command.previous or new_id("att"), caller.id, seat, command.gateway,
            as_json=command.form == table_pb2.VIEW_FORM_JSON, expires=caller.token_expires + LEEWAY_S,
        )  # fmt: skip
        known = hosted.attachments.get(attachment.id)
        if known is not None and known.seat != seat:
            await leave(engine, hosted, known.id)
        if seat is not None:
            await _take_over(engine, hosted, seat, attachment.id)
        hosted.attach(attachment)
        if seat is not None and not table.clock.connected[seat] and not table.over:
            connected = log_pb2.LogRecord(connected=log_pb2.SeatConnected(seat=seat))
            await engine.commit(hosted, table, table.time(clock_ms()), connected)
        request.answer(attached(table, attachment))

    return attach


async def sync(engine: Engine, hosted: Hosted, request: Request) -> None:
    """Handles a SyncCommand: the present view again."""
    table = hosted.table or await engine.table(hosted)
    attachment = _attachment(hosted, request.command.attachment)
    request.answer(attached(table, attachment))


async def detach(engine: Engine, hosted: Hosted, request: Request) -> None:
    """Handles a DetachCommand. Idempotent; the seat keeps its place in the match."""
    await leave(engine, hosted, request.command.attachment)
    request.answer(table_pb2.Done())


def gateway_lost(engine: Engine, gateways: LeaseWatch, gateway: str) -> None:
    """A gateway's key is gone: if it does not come back at once (NATS forgets all keys at a restart),
    its connections are."""

    def decide() -> None:
        if gateway in gateways.members():
            return
        for hosted in engine.hosted():
            for attachment in hosted.attachments.values():
                if attachment.gateway == gateway:
                    engine.submit(_departure(engine, hosted, attachment.id))

    asyncio.get_running_loop().call_later(_GATEWAY_BACK_S, decide)


def _departure(engine: Engine, hosted: Hosted, attachment_id: str) -> Request:
    async def depart(engine: Engine, hosted: Hosted, request: Request) -> None:
        await leave(engine, hosted, attachment_id)
        request.answer(None)

    return Request.own("departure", hosted.id, depart, engine.clock_ms())


async def leave(engine: Engine, hosted: Hosted, attachment_id: str) -> None:
    """Forgets a connection; if it held a seat of a match that goes on, the clock learns that the seat is
    gone."""
    attachment = hosted.attachments.get(attachment_id)
    if attachment is None:
        return
    hosted.detach(attachment_id)
    seat = attachment.seat
    if seat is None:
        return
    table = hosted.table or await engine.table(hosted)
    if table.clock.connected[seat] and not table.over:
        gone = log_pb2.LogRecord(disconnected=log_pb2.SeatDisconnected(seat=seat))
        await engine.commit(hosted, table, table.time(clock_ms()), gone)


def seat_of(hosted: Hosted, table: Table, request: Request) -> int:
    """The seat in whose name a request is made. NOT_ATTACHED, NOT_SEATED, UNAUTHENTICATED."""
    if request.account:
        seat = table.seat_of(request.account)
    else:
        seat = _attachment(hosted, request.command.attachment).seat
    if seat is None:
        raise TavoloError(error_pb2.ERROR_REASON_NOT_SEATED, "no seat at this table")
    return seat


def attached(table: Table, attachment: Attachment) -> table_pb2.Attached:
    """The answer to a connection that is attached, with the present view."""
    views = Views(table, table.time(clock_ms()))
    message = views.message(attachment.seat, as_json=attachment.as_json, with_info=True)
    return table_pb2.Attached(
        attachment=attachment.id, seat=attachment.seat, message=message, version=table.version
    )


def _check(command: table_pb2.AttachCommand) -> None:
    if not valid_id(command.gateway, "gw"):
        raise invalid("gateway", "not a gateway's id")
    if command.previous and not valid_id(command.previous, "att"):
        raise invalid("previous", "not an attachment's id")
    if command.form not in (table_pb2.VIEW_FORM_PROTO, table_pb2.VIEW_FORM_JSON):
        raise invalid("form", "must be binary or JSON")


def _attachment(hosted: Hosted, id_: str) -> Attachment:
    found = hosted.attachments.get(id_)
    if found is None:
        raise TavoloError(
            error_pb2.ERROR_REASON_NOT_ATTACHED, "not attached, or a newer connection has the seat"
        )
    if found.expires < time.time():
        raise unauthenticated("the token of this connection has expired; renew it")
    return found


def _check_previous(hosted: Hosted, previous: str, account: str, seat: int | None) -> None:
    """A connection that comes again may not push out one that is newer than itself, nor be somebody
    else's."""
    known = hosted.attachments.get(previous)
    if known is not None:
        if known.account != account:
            raise TavoloError(
                error_pb2.ERROR_REASON_NOT_PERMITTED, "this attachment is another account's", "previous"
            )
    elif seat is not None and hosted.seat_attachment(seat) is not None:
        raise TavoloError(error_pb2.ERROR_REASON_NOT_ATTACHED, "a newer connection has the seat")


async def _take_over(engine: Engine, hosted: Hosted, seat: int, newest: str) -> None:
    """The seat's connection before the newest one ends, and is told through its gateway."""
    before = hosted.seat_attachment(seat)
    if before is None or before.id == newest:
        return
    hosted.detach(before.id)
    # Without a connection its gateway finds out at the next command, which is answered with NOT_ATTACHED.
    with suppress(NotConnected):
        await engine.bus.publish(f"tavolo.gone.{before.gateway}.{hosted.id}.{before.id}", b"")


def _watchers(hosted: Hosted) -> int:
    return sum(attachment.seat is None for attachment in hosted.attachments.values())
