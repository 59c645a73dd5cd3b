"""What all connections of this gateway share, and who may have one."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from tavolo.gateway.v1 import gateway_pb2 as pb

from services.gateway import metrics
from services.gateway.calls import Calls
from services.gateway.chat import Chat
from services.gateway.forms import Form
from services.gateway.limits import Buckets, Places
from services.gateway.notices import Notices
from services.gateway.router import Router
from services.gateway.session import COMPUTER, Session
from services.gateway.settings import Settings
from services.gateway.tables import Tables
from services.runtime.auth import Caller, TokenVerifier
from services.runtime.errors import rate_limited, unavailable

_FULL_RETRY_S = 5.0


@dataclass(slots=True)
class Hub:
    """The parts that sessions use, and the sessions."""

    settings: Settings
    verifier: TokenVerifier
    tables: Tables
    router: Router
    notices: Notices
    chat: Chat
    calls: Calls
    draining: bool = False
    sessions: set[Session] = field(default_factory=set)
    _edges: dict[Session, str] = field(default_factory=dict)
    _emptied: asyncio.Event = field(default_factory=asyncio.Event)
    _addresses: Places = field(init=False)
    _accounts: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    _people: Buckets = field(init=False)
    _computers: Buckets = field(init=False)

    def __post_init__(self) -> None:
        settings = self.settings
        self._addresses = Places(settings.connections_per_address)
        self._people = Buckets(settings.account_messages_per_s, settings.account_messages_burst)
        self._computers = Buckets(settings.computer_messages_per_s, settings.computer_messages_per_s)

    def open(self, edge: str, form: Form, address: str, cut: Callable[[], None]) -> Session:
        """A session for a new connection. Raises UNAVAILABLE while the gateway stops, RATE_LIMITED."""
        if self.draining:
            metrics.CONNECTIONS_REFUSED.labels("draining").inc()
            raise unavailable("the gateway is stopping: connect again")
        if len(self.sessions) >= self.settings.connections:
            metrics.CONNECTIONS_REFUSED.labels("all").inc()
            raise rate_limited("the gateway is full", _FULL_RETRY_S)
        if not self._addresses.take(address):
            metrics.CONNECTIONS_REFUSED.labels("address").inc()
            raise rate_limited("too many connections from this address", _FULL_RETRY_S)
        session = Session(self, form, address, cut)
        self.sessions.add(session)
        self._edges[session] = edge
        metrics.CONNECTIONS.labels(edge, form.name).inc()
        return session

    def enter(self, account: Caller) -> None:
        """Another connection of the account is open. Raises RATE_LIMITED when the account has too many."""
        if self._accounts[account.id] >= self.settings.connections_per_account:
            metrics.RATE_LIMITED.labels("connections_per_account").inc()
            raise rate_limited("too many connections of this account: end one", _FULL_RETRY_S)
        self._accounts[account.id] += 1

    def leave(self, session: Session) -> None:
        """The session has ended."""
        self.sessions.discard(session)
        if self.draining and not self.sessions:
            self._emptied.set()
        metrics.CONNECTIONS.labels(self._edges.pop(session), session.form.name).dec()
        self._addresses.give_back(session.address)
        self.notices.leave(session)
        self.chat.leave_all(session)
        account = session.account
        if account is not None:
            self._accounts[account.id] -= 1
            if not self._accounts[account.id]:
                del self._accounts[account.id]

    def message_wait(self, account: Caller, now: float) -> float:
        """Seconds until the account may send another message; 0: now."""
        buckets = self._computers if COMPUTER in account.roles else self._people
        return buckets.take(account.id, now)

    async def drain(self) -> None:
        """Lets nobody in any more, tells everybody that the gateway stops, and waits until all have gone.

        Who does not read the goodbye is cut off after a while.
        """
        self.draining = True
        for session in list(self.sessions):
            session.say_goodbye(
                pb.CLOSE_REASON_GOING_AWAY, "the gateway is stopping: connect again and resume"
            )
        if self.sessions:
            await self._emptied.wait()
