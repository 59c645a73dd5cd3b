"""Logs: one JSON object a line on stdout, with the ids that let one match be followed through every service.

An event is a fixed name in snake case; what varies is a field. Secrets are kept out by type (`Secret`) and by
key.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import orjson
import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

# Keys whose values never reach a log line, wherever they come from.
_SECRET_KEYS = frozenset(
    {
        "token",
        "access",
        "refresh",
        "authorization",
        "password",
        "seed",
        "secret",
        "card",
        "cards",
        "hand_cards",
        "jwt",
    }
)


class Secret(str):
    """A string that shows itself as `***`: a password, token, seed or address with a password in it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "***"

    def __str__(self) -> str:
        return "***"

    def __format__(self, spec: str) -> str:
        return "***"

    @property
    def value(self) -> str:
        """The string itself."""
        return str.__str__(self)


Logger = structlog.typing.FilteringBoundLogger


def configure(part: str, level: str = "info", form: str = "json", stream: TextIO | None = None) -> None:
    """Sets up logging of this process. Lines of other libraries (standard logging) take the same way, from
    warning on."""
    out = stream or sys.stdout
    console = form == "console"
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        _redact,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if console:
        renderer: list[structlog.typing.Processor] = [
            structlog.dev.ConsoleRenderer(
                colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    else:
        # Local variables stay out of tracebacks: they may hold cards, seeds and tokens.
        traceback = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        renderer = [
            structlog.processors.ExceptionRenderer(traceback),
            structlog.processors.JSONRenderer(serializer=_dumps),
        ]
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_ToStructlog()], level=logging.WARNING, force=True)
    clear_contextvars()
    bind_contextvars(part=part)


def logger(**fields: Any) -> Logger:
    """A logger whose lines carry `fields`."""
    found: Logger = structlog.get_logger(**fields)
    return found


def bind(**fields: Any) -> None:
    """Adds fields (request_id, table, player, shard, ...) to every further line of the current task."""
    bind_contextvars(**fields)


class _ToStructlog(logging.Handler):
    """Passes records of the standard library's logging on to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, Any] = {"logger": record.name, "text": record.getMessage()}
        if record.exc_info:
            fields["exc_info"] = record.exc_info
        structlog.get_logger().log(record.levelno, "library_message", **fields)


def _redact(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in _SECRET_KEYS & event.keys():
        event[key] = "***"
    return event


def _dumps(value: Any, default: Any = None, **_: Any) -> str:
    return orjson.dumps(
        value, default=_plain, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS
    ).decode()


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Secret) else repr(value)
