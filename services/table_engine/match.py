"""The beginning of a match, and its end by the platform."""

import secrets
from collections.abc import Mapping
from typing import Any

from tavolo.common.v1 import error_pb2
from tavolo.table.v1 import log_pb2, table_pb2, view_pb2

from services.rules import money, time_control
from services.rules.core.errors import OptionsError, UnknownGame
from services.rules.core.registry import game as find_game
from services.runtime.errors import TavoloError, id_reused, invalid
from services.runtime.ids import valid_id
from services.runtime.logs import logger
from services.table_engine.engine import Engine
from services.table_engine.hosted import Handler, Hosted, Request
from services.table_engine.table import Table
from services.table_engine.text import json_object, json_text

_REASON_MOST = 500
_CURRENCY = "PLAY"


def start_as(wanted: log_pb2.MatchOpened) -> Handler:
    """The handler that opens this match (its dealer is drawn here). Idempotent; another match at the
    table is ID_REUSED."""

    async def start(engine: Engine, hosted: Hosted, request: Request) -> None:
        try:
            table = hosted.table or await engine.table(hosted)
        except TavoloError as error:
            if error.reason != error_pb2.ERROR_REASON_NOT_FOUND:
                raise
            await _open(engine, hosted, wanted)
        else:
            if not _is_same(table, wanted):
                raise id_reused("another match was started at this table", "table")
        request.answer(table_pb2.StartMatchResponse())

    return start


async def _open(engine: Engine, hosted: Hosted, wanted: log_pb2.MatchOpened) -> None:
    wanted.dealer = secrets.randbelow(len(wanted.seats))
    table = engine.folder.start(wanted)
    table.base = engine.clock_ms()
    await engine.commit(hosted, table, 0, log_pb2.LogRecord(opened=wanted))
    logger().info("match_opened", table=table.id, match=table.match, game=table.game.id, shard=hosted.shard)


def _is_same(table: Table, wanted: log_pb2.MatchOpened) -> bool:
    seats = [(seat.account, seat.nickname, seat.side, seat.computer) for seat in wanted.seats]
    there = (
        table.match,
        table.game.id,
        json_object(table.options_json),
        list(table.seats),
        table.stake[0],
        table.chip,
    )
    control = table.clock.control.to_json()
    return control == json_object(wanted.control) and there == (
        wanted.match, wanted.game, json_object(wanted.options), seats, wanted.stake.cents,
        wanted.chip.cents,
    )  # fmt: skip


def opened(request: table_pb2.StartMatchRequest) -> log_pb2.MatchOpened:
    """The first record of the match that is asked for. INVALID_FIELD, UNKNOWN_GAME, BAD_OPTION."""
    for field, prefix in (("table", "tbl"), ("match", "mch")):
        if not valid_id(getattr(request, field), prefix):
            raise invalid(field, f"not an id of the form {prefix}_…")
    if request.stake.cents < 0 or request.stake.currency not in ("", _CURRENCY):
        raise invalid("stake", f"must be 0 or more cents of {_CURRENCY}")
    if request.chip.cents < 0 or request.chip.currency not in ("", _CURRENCY):
        raise invalid("chip", f"must be 0 or more cents of {_CURRENCY}")
    try:
        game = find_game(request.game)
        options = game.options(_options(request.options))
        control = time_control.control(game.id, request.speed or "normale", stakes=request.stake.cents > 0)
        needed = money.deposit(game, options, request.stake.cents, request.chip.cents)
    except UnknownGame as error:
        raise TavoloError(error_pb2.ERROR_REASON_UNKNOWN_GAME, error.text, "game") from error
    except OptionsError as error:
        field = error.field if error.field in ("options", "speed") else f"options.{error.field}"
        raise TavoloError(error_pb2.ERROR_REASON_BAD_OPTION, error.text, field) from error
    if request.stake.cents < needed:
        raise invalid("stake", f"must be at least {needed} cents: so much may be lost")
    accounts = [seat.account for seat in request.seats]
    if len(accounts) != game.seats(options) or len(set(accounts)) != len(accounts):
        raise invalid("seats", f"must be {game.seats(options)} different accounts")
    if not all(valid_id(account, "ply") for account in accounts):
        raise invalid("seats.account", "not an account's id")
    record = log_pb2.MatchOpened(
        table=request.table,
        match=request.match,
        game=game.id,
        options=json_text(game.options_json(options)),
        rules_version=game.rules_version,
        seats=[
            view_pb2.Seat(
                account=seat.account,
                nickname=seat.nickname,
                side=game.side(options, number),
                computer=seat.computer,
            )
            for number, seat in enumerate(request.seats)
        ],
        control=json_text(control.to_json()),
    )
    record.stake.cents, record.stake.currency = request.stake.cents, _CURRENCY
    record.chip.cents, record.chip.currency = request.chip.cents, _CURRENCY
    return record


def _options(text: str) -> Mapping[str, Any]:
    try:
        return json_object(text)
    except ValueError as error:
        raise OptionsError("options", "must be a JSON object") from error


def void_as(reason: str) -> Handler:
    """The handler that ends the match without a result. Idempotent: a match that is over stays as it is."""

    async def void(engine: Engine, hosted: Hosted, request: Request) -> None:
        if not 0 < len(reason) <= _REASON_MOST:
            raise invalid("reason", f"must be 1 to {_REASON_MOST} characters")
        table = hosted.table or await engine.table(hosted)
        if not table.over:
            at = table.time(request.arrived_ms)
            voided = log_pb2.LogRecord(voided=log_pb2.MatchVoided(reason=reason))
            await engine.commit(hosted, table, at, voided)
            logger().warning("match_voided", table=table.id, match=table.match, reason=reason)
        request.answer(table_pb2.VoidMatchResponse())

    return void
