"""ChatService: decode, authorise, do, encode."""

from typing import Any

import asyncpg
import grpc
from tavolo.chat.v1 import chat_pb2 as pb
from tavolo.chat.v1.chat_pb2_grpc import ChatServiceServicer

from services.chat import messages
from services.chat.rooms import Rooms
from services.chat.say import Chat
from services.runtime import paging
from services.runtime.auth import caller, require_player
from services.runtime.errors import invalid, unauthenticated
from services.runtime.ids import valid_command_id

Context = grpc.aio.ServicerContext[Any, Any]

_MOST_NUMBER = 2**63 - 1


class ChatRpc(ChatServiceServicer):
    """The RPCs of protos/tavolo/chat/v1/chat.proto."""

    def __init__(self, pool: asyncpg.Pool, chat: Chat, rooms: Rooms) -> None:
        self._pool = pool
        self._chat = chat
        self._rooms = rooms

    async def Say(self, request: pb.SayRequest, context: Context) -> pb.SayResponse:  # noqa: N802
        who = require_player()
        if not valid_command_id(request.message_id):
            raise invalid("message_id", "must be 1 to 64 characters of A-Z a-z 0-9 _ -")
        await self._rooms.require(request.room)
        recorded = await self._chat.say(who, request.room, request.text, request.message_id)
        return pb.SayResponse(message=recorded.message())

    async def ListMessages(  # noqa: N802
        self, request: pb.ListMessagesRequest, context: Context
    ) -> pb.ListMessagesResponse:
        if caller().kind == "anonymous":
            raise unauthenticated()
        await self._rooms.require(request.room)
        listing = f"ListMessages {request.room}"
        wanted = paging.size(request.page)
        key = paging.position(request.page, listing, [int])
        after = min(max(request.after, int(key[0]) if key else 0), _MOST_NUMBER)
        found = await messages.history(self._pool, request.room, after, wanted + 1)
        page, info = paging.cut(found, wanted, listing, lambda each: [each.number or 0])
        return pb.ListMessagesResponse(messages=[each.message() for each in page], page=info)
