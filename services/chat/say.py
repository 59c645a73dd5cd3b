"""Saying something: through the pipeline into the record, once a message id, numbered in its room."""

from collections.abc import Callable
from typing import NamedTuple

import asyncpg
from tavolo.common.v1 import error_pb2

from services.chat import messages, metrics
from services.chat.messages import Recorded
from services.chat.pipeline.clean import clean
from services.chat.pipeline.flood import Flood
from services.chat.pipeline.language import tame
from services.chat.pipeline.links import has_link
from services.runtime.auth import Caller
from services.runtime.errors import TavoloError, id_reused

_REFUSALS = {
    "link": "links are not allowed in chat",
    "language": "this is not said here: the message was not sent",
}


class _Verdict(NamedTuple):
    name: str
    shown: str


class Chat:
    """`woken` is called with the room after each commit that has something to publish."""

    def __init__(self, pool: asyncpg.Pool, flood: Flood, woken: Callable[[str], None]) -> None:
        self._pool = pool
        self._flood = flood
        self._woken = woken

    async def say(self, who: Caller, room: str, text: str, message_id: str) -> Recorded:
        """Records a message in an existing room; a repeated id gives the first one again.

        Raises MESSAGE_REFUSED (empty, too long, a link, language), RATE_LIMITED (flood), ID_REUSED.
        """
        said = clean(text)
        async with self._pool.acquire() as connection, connection.transaction():
            last = await messages.lock_room(connection, room)
            recorded = await messages.find(connection, who.id, message_id)
            if recorded is None:
                await self._flood.check(connection, room, who.id)
                name, shown = _judge(said)
                number = None if name in _REFUSALS else last + 1
                recorded = await messages.record(
                    connection,
                    Recorded(room, number, who.id, who.nickname, message_id, said, shown, name),
                )
                metrics.SAID.labels(name).inc()
            elif (recorded.room, recorded.said) != (room, said):
                raise id_reused("this message id was used for another message", "message_id")
        if recorded.number is None:
            raise TavoloError(error_pb2.ERROR_REASON_MESSAGE_REFUSED, _REFUSALS[recorded.verdict], "text")
        self._woken(room)
        return recorded


def _judge(said: str) -> _Verdict:
    if has_link(said):
        return _Verdict("link", said)
    shown = tame(said)
    if shown is None:
        return _Verdict("language", said)
    return _Verdict("shown" if shown == said else "masked", shown)
