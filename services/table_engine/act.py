"""A move, stage by stage: check, append, answer, publish_views.

The stages are functions of their own, called by their names here: a fault test stops the process before or
after one.
"""

import time

from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import log_pb2, table_pb2

from services.rules.clock import ClockRefusal
from services.rules.core.errors import Refusal
from services.rules.core.moves import ABANDON
from services.runtime.errors import TavoloError, id_reused, invalid, reason_name, unavailable
from services.runtime.ids import valid_command_id
from services.table_engine import cover, metrics, timeup
from services.table_engine.attach import seat_of
from services.table_engine.engine import Engine, clock_ms
from services.table_engine.hosted import Hosted, Request
from services.table_engine.table import Table
from services.table_engine.views import Views

_TEXT_MOST = 1024


async def act(engine: Engine, hosted: Hosted, request: Request) -> None:
    """Handles an ActCommand. Idempotent by the command's id."""
    began = time.perf_counter()
    command = request.command.act
    metrics.WAIT_SECONDS.observe(max(0, clock_ms() - request.arrived_ms) / 1000)
    table = hosted.table or await engine.table(hosted)
    try:
        seat = seat_of(hosted, table, request)
        if not valid_command_id(command.command_id):
            raise invalid("command_id", "must be 1 to 64 letters, digits, _ or -")
        if version := table.commands.find(seat, command.command_id):
            accepted = await _first_answer(engine, table, seat, command, version)
            answer(hosted, request, accepted, Views(table, table.time(clock_ms())))
            metrics.moves(table.game.id, "repeated").inc()
            return
        text = check(table, seat, command)
        await cover.raise_for(engine, table, text)
        at = table.time(request.arrived_ms)
        entry = engine.entry(table, at)
        move = entry.records.add().moved
        _fill(move, engine, table, seat, command, text)
        try:
            events = engine.folder.write(table, entry)
        except ClockRefusal as refusal:
            await _out_of_time(engine, hosted, table, at, move, refusal)
    except TavoloError as error:
        metrics.moves(table.game.id, reason_name(error.reason).lower()).inc()
        raise
    checked = time.perf_counter()
    metrics.CHECK_SECONDS.observe(checked - began)
    await append(
        engine, hosted, table, entry, f"{table.id}.{seat}.{command.command_id}", request.command.request_id
    )
    appended = time.perf_counter()
    metrics.APPEND_SECONDS.observe(appended - checked)
    views = Views(table, table.time(clock_ms()), events)
    accepted = table_pb2.MoveAccepted(version=table.version, move=text, lag_credit_ms=move.lag_credit_ms)
    answer(hosted, request, accepted, views)
    metrics.moves(table.game.id, "accepted").inc()
    await publish_views(engine, hosted, views, _gateway(hosted, request))
    engine.place(hosted, table)
    metrics.VIEWS_SECONDS.observe(time.perf_counter() - appended)


# ------------------------------------------------------------------------------------------- the stages


def check(table: Table, seat: int, command: table_pb2.ActCommand) -> str:
    """The canonical text of a move that the rules accept. Changes nothing.

    TavoloError: ILLEGAL_MOVE with the rules' code, STALE_TURN, INVALID_FIELD.
    """
    state = table.state
    if len(command.move) > _TEXT_MOST:
        raise invalid("move", f"is longer than {_TEXT_MOST} characters")
    if table.void_reason is not None:
        raise illegal(Refusal("match_over", "the match was ended by the platform"))
    leaves = command.move == ABANDON.text and command.turn == 0
    if table.uncovered:
        raise unavailable("the hand that ended is being booked: try again in a moment")
    if command.turn != table.turns[seat] and not table.over and not leaves:
        raise TavoloError(
            error_pb2.ERROR_REASON_STALE_TURN, "this turn is over; look at the newest view", "turn"
        )
    move = state.parse(seat, command.move)
    if isinstance(move, Refusal):
        # That it is another seat's turn is said before that it cannot be read.
        raise illegal(state.check(seat, command.move) or move)
    refusal = state.check(seat, move)
    if refusal is not None:
        raise illegal(refusal)
    return move.text


async def append(
    engine: Engine, hosted: Hosted, table: Table, entry: log_pb2.LogEntry, message_id: str, request_id: str
) -> None:
    """Makes the move durable. Conflict, or TavoloError: it is not known to be, and the table has left
    memory."""
    await engine.store(hosted, table, entry, message_id, request_id)


def answer(hosted: Hosted, request: Request, accepted: table_pb2.MoveAccepted, views: Views) -> None:
    """Tells the caller that the move stands, and shows all that are attached at its gateway what came of
    it."""
    gateway = _gateway(hosted, request)
    request.answer(accepted, [(each.subject, views.payload(each)) for each in hosted.receivers_at(gateway)])


async def publish_views(engine: Engine, hosted: Hosted, views: Views, answered: str) -> None:
    """Shows what came of the move to everybody else who is attached. `answered`: the gateway that has its
    views with the answer."""
    await engine.publish(hosted, views, but=answered)


# ---------------------------------------------------------------------------------------------- around them


def _gateway(hosted: Hosted, request: Request) -> str:
    """The gateway of the attachment that a command came from; empty: it came from none."""
    attachment = None if request.account else hosted.attachments.get(request.command.attachment)
    return "" if attachment is None else attachment.gateway


def illegal(refusal: Refusal) -> TavoloError:
    """The rules' refusal as an error."""
    return TavoloError(error_pb2.ERROR_REASON_ILLEGAL_MOVE, refusal.text, "move", refusal.code)


def _fill(
    move: log_pb2.MoveMade, engine: Engine, table: Table, seat: int, command: table_pb2.ActCommand, text: str
) -> None:
    """Writes the move as the log has it: its text under seal while the game hides it from somebody."""
    move.seat = seat
    move.command_id = command.command_id
    move.rtt_ms = max(0, command.rtt_ms)
    if table.state.sealed(seat, text):
        engine.folder.seal_move(table.match, table.version + 1, move, text)
    else:
        move.move = text
    if command.HasField("think_ms"):
        move.think_ms = max(0, command.think_ms)


async def _out_of_time(
    engine: Engine, hosted: Hosted, table: Table, at: int, move: log_pb2.MoveMade, refusal: ClockRefusal
) -> None:
    """The clock does not take the move; what has expired by that is made good at once. Always raises."""
    if refusal.code == "paused":
        raise TavoloError(error_pb2.ERROR_REASON_TABLE_PAUSED, "the table is paused")
    await timeup.expire(engine, hosted, table, at, late=move)
    raise TavoloError(error_pb2.ERROR_REASON_OUT_OF_TIME, "the time for this turn was used up")


async def _first_answer(
    engine: Engine, table: Table, seat: int, command: table_pb2.ActCommand, version: int
) -> table_pb2.MoveAccepted:
    """What was answered when this command first came. ID_REUSED: it was another move."""
    stored = await engine.log.read(table.id, table.subject)
    for record in log_pb2.LogEntry.FromString(stored[version - 1].data).records:
        move = record.moved
        if record.HasField("moved") and move.seat == seat and move.command_id == command.command_id:
            text = move.move or engine.folder.open_move(table.match, version, move)
            if sorted(text.split()) != sorted(command.move.split()):
                raise id_reused("this command id was used for another move", "command_id")
            return table_pb2.MoveAccepted(version=version, move=text, lag_credit_ms=move.lag_credit_ms)
    raise ValueError(f"entry {version} does not hold the command that it was remembered for")
