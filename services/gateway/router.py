"""Commands on their way to the workers that own the tables.

A command goes over the link to the owner of its table's shard. When the owner changes, or a link breaks, the
connections of the shard are attached again at the owner, and then the commands without an answer are sent
again, with the same ids: the engine does each of them once. Who gets no answer in time is told that the
outcome is unknown.
"""

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from typing import Protocol

import grpc
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.error_pb2 import ErrorDetail
from tavolo.table.v1.table_pb2 import Answer, AttachCommand, Command, DetachCommand

from services.gateway import metrics
from services.gateway.link import Link
from services.gateway.tables import Attachment, Tables
from services.runtime.errors import detail, outcome_unknown

# Waits before another try, seconds; each is spread by a random factor of 0.5 to 1.
_FIRST_WAIT_S = 0.05
_LONGEST_WAIT_S = 1.0

_ASK_AGAIN = frozenset({error_pb2.ERROR_REASON_NOT_OWNER})
_ATTACH_AGAIN = frozenset(
    {
        error_pb2.ERROR_REASON_NOT_OWNER,
        error_pb2.ERROR_REASON_UNAVAILABLE,
        error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
    }
)


class Owners(Protocol):
    """Who owns the shards: runtime's LeaseWatch."""

    def owner(self, part: int) -> tuple[str, str] | None:
        """Id and address of the owner, if there is one."""


class Waiting:
    """A command without an answer. `client_call` is None where the gateway itself attaches again."""

    __slots__ = ("attachment", "client_call", "deadline", "kind", "link", "message", "read_at", "reattached")

    def __init__(
        self,
        attachment: Attachment,
        kind: str,
        client_call: int | None,
        message: Command,
        read_at: float,
        deadline: float,
    ) -> None:
        self.attachment = attachment
        self.kind = kind
        self.client_call = client_call
        self.message = message
        self.read_at = read_at
        self.deadline = deadline
        self.link: Link | None = None
        self.reattached = False


class Router:
    """Sends commands to the owners; each answer goes to the attachment's session (`Session.answered`)."""

    def __init__(
        self,
        gateway: str,
        tables: Tables,
        owners: Owners,
        connect: Callable[[str], grpc.aio.Channel],
        limit_s: float,
    ) -> None:
        self._gateway = gateway
        self._tables = tables
        self._owners = owners
        self._connect = connect
        self._limit_s = limit_s
        self._calls = 0
        # By call number, so oldest first.
        self._waiting: dict[int, Waiting] = {}
        self._again: dict[Attachment, int] = {}
        self._links: dict[str, Link] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._failures: dict[str, int] = {}
        # Shard -> when to look at it again, by the event loop's clock; one timer serves all.
        self._late: dict[int, float] = {}
        self._late_timer: asyncio.TimerHandle | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._closed = False
        metrics.COMMANDS_WAITING.set_function(lambda: len(self._waiting))

    # -------------------------------------------------------------------------------------- from sessions

    def attach(self, attachment: Attachment, client_call: int, request_id: str, read_at: float) -> None:
        """Attaches for the client; one that is attached keeps its id."""
        self._tables.arriving(attachment.table)
        message = self._attach_command(attachment, request_id)
        self._add(
            Waiting(attachment, "attach", client_call, message, read_at, time.monotonic() + self._limit_s)
        )

    def send(
        self, attachment: Attachment, kind: str, client_call: int, message: Command, read_at: float
    ) -> None:
        """Sends a command for an attachment; `message` needs nothing but its kind and request id."""
        message.table = attachment.table
        message.attachment = attachment.id
        self._add(Waiting(attachment, kind, client_call, message, read_at, time.monotonic() + self._limit_s))

    def detach(self, attachment: Attachment) -> None:
        """Tells the engine that the client has left; nobody waits for the answer."""
        if attachment.link is not None and attachment.id:
            self._calls += 1
            command = Command(
                call=self._calls, table=attachment.table, attachment=attachment.id, detach=DetachCommand()
            )
            attachment.link.send(command, time.monotonic())

    def renew(self, attachment: Attachment) -> None:
        """Attaches again under the same id, because the token, the owner or the link is a new one."""
        metrics.REATTACHED.inc()
        self._forget_again(attachment)
        self._tables.arriving(attachment.table)
        now = time.monotonic()
        waiting = Waiting(attachment, "again", None, self._attach_command(attachment, ""), now, float("inf"))
        attachment.link = self._owner_link(attachment.shard)
        self._again[attachment] = self._add(waiting)

    def forget(self, attachment: Attachment) -> None:
        """The attachment has ended: what it waits for concerns nobody."""
        self._forget_again(attachment)

    def _attach_command(self, attachment: Attachment, request_id: str) -> Command:
        session = attachment.session
        attach = AttachCommand(
            token=session.token,
            gateway=self._gateway,
            form=session.form.view_form,
            watch=attachment.watch,
            previous=attachment.id,
        )
        return Command(table=attachment.table, request_id=request_id, attach=attach)

    # ----------------------------------------------------------------------------------- to the workers

    def _add(self, waiting: Waiting) -> int:
        self._calls += 1
        waiting.message.call = self._calls
        self._waiting[self._calls] = waiting
        if self._expiry is None and waiting.client_call is not None:
            self._expiry = asyncio.get_running_loop().call_later(self._limit_s, self._expire)
        self._route(waiting)
        return waiting.message.call

    def _route(self, waiting: Waiting) -> None:
        """Hands the command to the link of the owner; without an owner it waits for one."""
        attachment = waiting.attachment
        link = self._owner_link(attachment.shard)
        waiting.link = link
        if link is None:
            return
        if waiting.kind == "attach":
            attachment.link = link
        link.send(waiting.message, waiting.read_at)

    def _owner_link(self, shard: int) -> Link | None:
        owner = self._owners.owner(shard)
        if owner is None:
            return None
        worker, address = owner
        link = self._links.get(worker)
        if link is None:
            link = self._links[worker] = Link(worker, address)
            task = asyncio.create_task(self._run(link), name=f"link to {worker}")
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return link

    async def _run(self, link: Link) -> None:
        channel = self._connect(link.address)
        try:
            await link.run(channel, self._take)
        finally:
            if self._links.get(link.worker) is link:
                del self._links[link.worker]
            await channel.close()
        if self._closed:
            return
        # An owner that cannot be reached is asked more and more seldom; a new owner is a change of the lease.
        self._failures[link.worker] = self._failures.get(link.worker, 0) + 1
        self._later(
            {shard for shard in self._tables.shards() if self._owned_by(shard, link.worker)}
            | {each.attachment.shard for each in self._waiting.values() if each.link is link},
            self._failures[link.worker],
        )

    def _owned_by(self, shard: int, worker: str) -> bool:
        owner = self._owners.owner(shard)
        return owner is not None and owner[0] == worker

    # ------------------------------------------------------------------------------ changes of the owner

    def owner_changed(self, shard: int) -> None:
        """The shard has another owner, none, or one that had lost it: nobody knows its connections."""
        for attachment in self._tables.attached_to(shard):
            attachment.link = None
        for waiting in self._waiting.values():
            if waiting.attachment.shard == shard:
                waiting.link = None
                waiting.reattached = False
        self.owners_changed({shard})

    def owners_changed(self, shards: Iterable[int]) -> None:
        """Brings shards in line with their owners: attaches and sends again where the link is another."""
        changed = set(shards)
        for shard in changed:
            self._late.pop(shard, None)
            link = self._owner_link(shard)
            for attachment in self._tables.attached_to(shard) if link is not None else ():
                if attachment.link is not link:
                    self.renew(attachment)
        for waiting in list(self._waiting.values()):
            shard = waiting.attachment.shard
            if (
                shard in changed
                and waiting.client_call is not None
                and waiting.link is not self._owner_link(shard)
            ):
                metrics.COMMANDS_RESENT.inc()
                self._route(waiting)

    def refresh(self) -> None:
        """Attaches everybody again, soon: views may have been lost."""
        for attachment in self._tables.all():
            attachment.link = None
        self._later(set(self._tables.shards()))

    def _later(self, shards: set[int], tries: int = 0) -> None:
        """Does the same a little later; a shard that is to be looked at sooner than that stays so."""
        loop = asyncio.get_running_loop()
        wait = min(_FIRST_WAIT_S * 2**tries, _LONGEST_WAIT_S) * random.uniform(0.5, 1.0)  # noqa: S311
        due = loop.time() + wait
        for shard in shards:
            self._late[shard] = min(due, self._late.get(shard, due))
        if shards and (self._late_timer is None or self._late_timer.when() > due):
            if self._late_timer is not None:
                self._late_timer.cancel()
            self._late_timer = loop.call_at(due, self._try_late)

    def _try_late(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self.owners_changed([shard for shard, due in self._late.items() if due <= now])
        self._late_timer = loop.call_at(min(self._late.values()), self._try_late) if self._late else None

    # ----------------------------------------------------------------------------------------- answers

    def _take(self, answer: Answer) -> None:
        for shown in answer.shown:
            self._tables.view(shown.subject, shown.payload)
        waiting = self._waiting.get(answer.call)
        if waiting is None:
            return
        attachment = waiting.attachment
        reason = answer.error.reason if answer.HasField("error") else error_pb2.ERROR_REASON_UNSPECIFIED
        if reason in (_ATTACH_AGAIN if waiting.client_call is None else _ASK_AGAIN):
            waiting.link = None
            attachment.link = None
            self._later({attachment.shard}, 1)
            return
        if (
            reason == error_pb2.ERROR_REASON_NOT_ATTACHED
            and attachment.id
            and not waiting.reattached
            and waiting.kind != "again"
        ):
            # A worker without memory of the attachment; if somebody else has the seat it will say so again.
            waiting.reattached = True
            waiting.link = None
            attachment.link = None
            self.owners_changed({attachment.shard})
            return
        self._finish(answer.call, waiting, answer)

    def _finish(self, call: int, waiting: Waiting, answer: Answer) -> None:
        del self._waiting[call]
        attachment = waiting.attachment
        if waiting.link is not None and not answer.HasField("error"):
            self._failures.pop(waiting.link.worker, None)
        metrics.COMMAND_SECONDS.observe(time.monotonic() - waiting.read_at)
        if waiting.kind == "again":
            self._again.pop(attachment, None)
        attachment.session.answered(waiting, answer)
        if waiting.kind in ("attach", "again"):
            self._tables.arrived(attachment.table)

    def _forget_again(self, attachment: Attachment) -> None:
        call = self._again.pop(attachment, None)
        if call is not None and self._waiting.pop(call, None) is not None:
            self._tables.arrived(attachment.table)

    def _expire(self) -> None:
        """Answers the commands whose time is over; one timer serves all, set for the oldest."""
        self._expiry = None
        now = time.monotonic()
        for call, waiting in list(self._waiting.items()):
            if waiting.client_call is None:
                continue
            if waiting.deadline > now:
                self._expiry = asyncio.get_running_loop().call_later(waiting.deadline - now, self._expire)
                return
            metrics.COMMANDS_UNKNOWN.inc()
            self._finish(call, waiting, Answer(call=call, error=self._unknown(waiting)))
            if waiting.kind == "act":
                # The answer that did not come holds the views of the move for all that are attached here.
                for attachment in self._tables.attached_to(waiting.attachment.shard):
                    if attachment.table == waiting.attachment.table:
                        self.renew(attachment)

    @staticmethod
    def _unknown(waiting: Waiting) -> ErrorDetail:
        error = outcome_unknown("no answer came in time: send the same command again")
        return detail(error, waiting.message.request_id)

    # -------------------------------------------------------------------------------------------- stop

    async def close(self) -> None:
        """Writes what waits (the detaching of everybody) and ends the links."""
        self._closed = True
        for timer in (self._expiry, self._late_timer):
            if timer is not None:
                timer.cancel()
        for link in list(self._links.values()):
            link.close()
        if self._running:
            await asyncio.wait(self._running)
