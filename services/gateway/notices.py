"""Notices: what concerns an account, from the stream NOTICES to its connections, none skipped.

A notice's number is its place in the stream plus one: 0 is left to say "none yet". One follower reads the
whole stream from the present on; a connection that resumes first gets what it has missed, read by its
account's subject.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from tavolo.gateway.v1.gateway_pb2 import Notice, ServerMessage

from services.gateway import metrics
from services.runtime.errors import TavoloError
from services.runtime.messages import StoredMessage

if TYPE_CHECKING:
    from services.gateway.session import Session

STREAM = "NOTICES"
_RETRY_S = 0.5

# The notices of an account after a sequence, oldest first.
ReadMissed = Callable[[str, int], Awaitable[list[StoredMessage]]]


class _Feed:
    """What a connection has: up to `last`. `held`: live notices that wait until the missed ones are out."""

    __slots__ = ("held", "last", "missed")

    def __init__(self, last: int, *, missed: bool) -> None:
        self.last = last
        self.missed = missed
        self.held: list[Notice] | None = []


class Notices:
    """The notices of all connections of this gateway. `position`: number of the newest notice seen."""

    def __init__(self, read_missed: ReadMissed) -> None:
        self._read_missed = read_missed
        self._feeds: defaultdict[str, dict[Session, _Feed]] = defaultdict(dict)
        self.position = 1

    def join(self, session: "Session", last_notice: int) -> int:
        """From here on notices of the account wait for the session, until `resume`.

        Returns the number that it may name in its next hello.
        """
        last = last_notice or self.position
        account = session.account
        if account is not None:
            self._feeds[account.id][session] = _Feed(last, missed=last < self.position)
        return last

    def resume(self, session: "Session") -> None:
        """Sends what the session has missed, then what has come meanwhile, then goes on live."""
        account = session.account
        if account is None:
            return
        feed = self._feeds[account.id][session]
        if feed.missed:
            session.spawn(self._send_missed(session, account.id, feed))
        else:
            self._release(session, feed)

    def leave(self, session: "Session") -> None:
        """The session has ended."""
        account = session.account
        if account is not None and account.id in self._feeds:
            self._feeds[account.id].pop(session, None)
            if not self._feeds[account.id]:
                del self._feeds[account.id]

    async def follow(self, stored: AsyncIterator[StoredMessage]) -> None:
        """Takes live notices for ever."""
        async for message in stored:
            self.position = message.sequence + 1
            feeds = self._feeds.get(message.subject.rpartition(".")[2])
            if not feeds:
                continue
            notice = _notice(message)
            for session, feed in list(feeds.items()):
                if feed.held is not None:
                    feed.held.append(notice)
                else:
                    _send(session, feed, notice, "live")

    async def _send_missed(self, session: "Session", account: str, feed: _Feed) -> None:
        while True:
            try:
                missed = await self._read_missed(account, feed.last - 1)
            except TavoloError:
                await asyncio.sleep(_RETRY_S)
                continue
            break
        for message in missed:
            await session.outbox.emptied()
            _send(session, feed, _notice(message), "resumed")
        self._release(session, feed)

    @staticmethod
    def _release(session: "Session", feed: _Feed) -> None:
        held, feed.held = feed.held or [], None
        for notice in held:
            _send(session, feed, notice, "live")


def _notice(message: StoredMessage) -> Notice:
    notice = Notice.FromString(message.data)
    notice.number = message.sequence + 1
    return notice


def _send(session: "Session", feed: _Feed, notice: Notice, when: str) -> None:
    if notice.number > feed.last:
        feed.last = notice.number
        metrics.NOTICES_OUT.labels(when).inc()
        session.put(ServerMessage(notice=notice))
