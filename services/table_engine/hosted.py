"""What a worker keeps of a table that it serves: the queue of its commands, who is attached, and the
match when loaded."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple, Self

from tavolo.table.v1 import table_pb2

from services.runtime.errors import TavoloError
from services.table_engine.table import Table

if TYPE_CHECKING:
    from services.table_engine.engine import Engine


class Receiver(NamedTuple):
    """Where updates go: the NATS subject, the gateway that hears it, the seat whose view it is (None: the
    public one), whether as JSON."""

    subject: str
    gateway: str
    seat: int | None
    as_json: bool


NOTHING = table_pb2.Command()


class Attachment:
    """A client's connection to the table. `seat` None: a spectator. `expires`: of its token, wall clock
    seconds."""

    __slots__ = ("account", "as_json", "expires", "gateway", "id", "seat")

    def __init__(
        self, id_: str, account: str, seat: int | None, gateway: str, *, as_json: bool, expires: float
    ) -> None:
        self.id = id_
        self.account = account
        self.seat = seat
        self.gateway = gateway
        self.as_json = as_json
        self.expires = expires

    def receiver(self, table: str) -> Receiver:
        """Where the updates for this connection go; spectators of one gateway share one subject."""
        viewer = "public" if self.seat is None else self.seat
        form = "j" if self.as_json else "p"
        subject = f"tavolo.view.{self.gateway}.{table}.{viewer}.{form}"
        return Receiver(subject, self.gateway, self.seat, self.as_json)


class Request:
    """One thing that a table is asked to do.

    `command`: what came on a link; empty for the engine's own work. `account`: who asks, where that is known
    from a token and not from an attachment. `arrived_ms`: when its last byte was read, on this worker's
    clock. Exactly one of `answer(result)` and `fail(error)` is called, once; an accepted move is answered
    with the views for the sender's gateway besides: `answer(result, [(subject, payload)])`.
    """

    __slots__ = ("account", "answer", "arrived_ms", "command", "fail", "handler", "kind", "table")

    def __init__(
        self,
        kind: str,
        table: str,
        handler: "Handler",
        answer: Callable[..., None],
        fail: Callable[[TavoloError], None],
        *,
        arrived_ms: int,
        command: table_pb2.Command = NOTHING,
        account: str = "",
    ) -> None:
        self.kind = kind
        self.table = table
        self.handler = handler
        self.answer = answer
        self.fail = fail
        self.arrived_ms = arrived_ms
        self.command = command
        self.account = account

    @classmethod
    def own(cls, kind: str, table: str, handler: "Handler", now_ms: int) -> Self:
        """A piece of the engine's own work, of which nobody waits for an answer."""
        return cls(kind, table, handler, _ignore, _ignore, arrived_ms=now_ms)


def _ignore(_: object) -> None:
    """Nobody waits."""


Handler = Callable[["Engine", "Hosted", Request], Awaitable[None]]


class Hosted:
    """One table at this worker. Its requests are handled one at a time, in the order in which they came."""

    __slots__ = (
        "attachments", "covering", "id", "parked", "receivers", "shard", "table", "task", "used_ms",
        "waiting",
    )  # fmt: skip

    def __init__(self, id_: str, shard: int) -> None:
        self.id = id_
        self.shard = shard
        self.table: Table | None = None
        self.parked = ""
        """Why the table takes no requests; empty: it takes them."""
        self.waiting: deque[Request] | None = None
        """The requests; the first one is being handled."""
        self.task: asyncio.Task[None] | None = None
        self.covering: asyncio.Task[None] | None = None
        """Asks scoring to settle the hand that ended and to cover the next one."""
        self.attachments: dict[str, Attachment] = {}
        self.receivers: tuple[Receiver, ...] = ()
        self.used_ms = 0

    @property
    def state(self) -> str:
        """`ready`, `play`, `over`, `parked`, or empty: not in memory."""
        return "parked" if self.parked else self.table.mode if self.table else ""

    def attach(self, attachment: Attachment) -> None:
        """Adds a connection, or replaces what is known of it."""
        self.attachments[attachment.id] = attachment
        self._listen()

    def detach(self, attachment: str) -> None:
        """Forgets a connection that is attached."""
        del self.attachments[attachment]
        self._listen()

    def seat_attachment(self, seat: int) -> Attachment | None:
        """The connection that holds the seat."""
        return next((each for each in self.attachments.values() if each.seat == seat), None)

    def receivers_at(self, gateway: str) -> list[Receiver]:
        """The receivers that a gateway hears."""
        return [each for each in self.receivers if each.gateway == gateway]

    def _listen(self) -> None:
        self.receivers = tuple({each.receiver(self.id) for each in self.attachments.values()})
