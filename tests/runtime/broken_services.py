"""Services with a fault each, for test_app: `python -m tests.runtime.broken_services <which>`."""

import asyncio
import sys
from typing import Any

import grpc

from services.chat.settings import Settings
from services.runtime.app import App, run
from services.runtime.auth import caller, require_player
from services.runtime.context import remaining_s, request_id
from services.runtime.errors import invalid


class Methods(grpc.GenericRpcHandler):
    """Unary methods over raw bytes that end in each of the ways in which a method can end."""

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        method = getattr(self, details.method.rpartition("/")[2].lower(), None)
        return None if method is None else grpc.unary_unary_rpc_method_handler(method)

    async def echo(self, request: bytes, _context: Any) -> bytes:
        left = remaining_s()
        return f"{caller().kind} {caller().id} {request_id()} {left is not None} {len(request)}".encode()

    async def refuse(self, _request: bytes, _context: Any) -> bytes:
        raise invalid("options.target", "too high")

    async def crash(self, _request: bytes, _context: Any) -> bytes:
        raise ZeroDivisionError("the seed is 123")

    async def private(self, _request: bytes, _context: Any) -> bytes:
        return require_player().nickname.encode()


async def answer(app: App[Settings]) -> None:
    """Works."""
    app.server.add_generic_rpc_handlers((Methods(),))
    app.offer("test.Methods")


async def hang(app: App[Settings]) -> None:
    """Never ends its drain."""

    async def never() -> None:
        await asyncio.Event().wait()

    app.on_drain(never)


async def die(app: App[Settings]) -> None:
    """Its background task fails."""

    async def fail() -> None:
        raise RuntimeError("out of cards")

    app.on_start(lambda: asyncio.sleep(0))
    app.spawn(fail(), "dealer")


async def order(app: App[Settings]) -> None:
    """Logs what is closed when."""

    async def say(what: str) -> None:
        app.log.info("closing", what=what)

    app.on_stop(lambda: say("opened first"))
    app.on_stop(lambda: say("opened second"))
    app.on_drain(lambda: say("drain"))


async def raise_in_bind(_app: App[Settings]) -> None:
    """Cannot start."""
    raise ValueError("no cards")


if __name__ == "__main__":
    sys.exit(run("chat", Settings, globals()[sys.argv[1]]))
