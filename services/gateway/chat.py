"""Chat: what is said in a room, from the stream CHAT to the connections that read the room, in order, none
skipped.

Messages of a room are numbered 1, 2, 3, …; so a connection that resumes, or one for which a number is
missing, gets what it lacks from the chat service, and goes on live.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from tavolo.chat.v1.chat_pb2 import ChatMessage, ListMessagesRequest, ListMessagesResponse
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.page_pb2 import PageRequest
from tavolo.gateway.v1.gateway_pb2 import ServerMessage

from services.gateway import metrics
from services.runtime.errors import TavoloError
from services.runtime.ids import valid_id
from services.runtime.messages import StoredMessage

if TYPE_CHECKING:
    from services.gateway.session import Session

STREAM = "CHAT"
LOBBY = "lobby"
_MOST_ROOMS = 64
_MOST_HELD = 100
_PAGE = 100
_RETRY_S = 1.0
_PASSING = frozenset(
    {
        error_pb2.ERROR_REASON_UNAVAILABLE,
        error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
        error_pb2.ERROR_REASON_RATE_LIMITED,
    }
)

# (token, request)
ListMessages = Callable[[str, ListMessagesRequest], Awaitable[ListMessagesResponse]]


class _Feed:
    """What a connection has of a room: up to number `last` (None: whatever comes first).

    held: live messages that wait until the missed ones are out; None when none are missed.
    """

    __slots__ = ("held", "last")

    def __init__(self, last: int | None) -> None:
        self.last = last
        self.held: list[ChatMessage] | None = None


class Chat:
    """The rooms that connections of this gateway read."""

    def __init__(self, list_messages: ListMessages) -> None:
        self._list_messages = list_messages
        self._rooms: defaultdict[str, dict[Session, _Feed]] = defaultdict(dict)

    def follow(self, session: "Session", room: str) -> None:
        """The session gets what is said in the room from now on."""
        self._rooms[room].setdefault(session, _Feed(None))

    def read(self, session: "Session", room: str) -> None:
        """The same, until the session ends: it reads or writes in the room of its own accord."""
        if _is_room(room) and (room in session.rooms or len(session.rooms) < _MOST_ROOMS):
            session.rooms.add(room)
            self.follow(session, room)

    def resume(self, session: "Session", room: str, last: int) -> None:
        """The session has the messages up to `last` and wants the others, if the chat service lets it."""
        if not _is_room(room) or len(session.rooms) >= _MOST_ROOMS:
            return
        session.rooms.add(room)
        feed = self._rooms[room][session] = _Feed(last)
        self._catch_up(session, room, feed)

    def leave(self, session: "Session", room: str) -> None:
        """The session gets nothing of the room any more."""
        feeds = self._rooms.get(room)
        if feeds is not None:
            feeds.pop(session, None)
            if not feeds:
                del self._rooms[room]

    def leave_all(self, session: "Session") -> None:
        """The session has ended; its tables have been left."""
        for room in session.rooms:
            self.leave(session, room)
        session.rooms.clear()

    async def take(self, stored: AsyncIterator[StoredMessage]) -> None:
        """Takes live messages for ever."""
        async for each in stored:
            feeds = self._rooms.get(each.subject.rpartition(".")[2])
            if feeds:
                message = ChatMessage.FromString(each.data)
                for session, feed in list(feeds.items()):
                    self._offer(session, feed, message)

    def _offer(self, session: "Session", feed: _Feed, message: ChatMessage) -> None:
        if feed.held is not None:
            feed.held.append(message)
            del feed.held[:-_MOST_HELD]
        elif feed.last is None or message.number == feed.last + 1:
            _send(session, feed, message)
        elif message.number > feed.last:
            self._catch_up(session, message.room, feed)

    def _catch_up(self, session: "Session", room: str, feed: _Feed) -> None:
        feed.held = []
        session.spawn(self._send_missed(session, room, feed))

    async def _send_missed(self, session: "Session", room: str, feed: _Feed) -> None:
        page = ""
        after = feed.last or 0
        while True:
            request = ListMessagesRequest(room=room, after=after, page=PageRequest(size=_PAGE, token=page))
            try:
                found = await self._list_messages(session.token, request)
            except TavoloError as error:
                if error.reason not in _PASSING:
                    self.leave(session, room)
                    return
                await asyncio.sleep(max(_RETRY_S, error.retry_after_s or 0.0))
                continue
            for message in found.messages:
                _send(session, feed, message)
            await session.outbox.emptied()
            page = found.page.next
            if not page:
                break
        held, feed.held = feed.held or [], None
        for message in held:
            _send(session, feed, message)


def _is_room(room: str) -> bool:
    return room == LOBBY or valid_id(room, "tbl")


def _send(session: "Session", feed: _Feed, message: ChatMessage) -> None:
    if feed.last is None or message.number > feed.last:
        feed.last = message.number
        metrics.CHAT_OUT.inc()
        session.put(ServerMessage(chat=message))
