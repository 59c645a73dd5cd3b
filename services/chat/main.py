"""The chat service: `tavolo chat`."""

from pathlib import Path

import grpc
from tavolo.chat.v1.chat_pb2_grpc import add_ChatServiceServicer_to_server
from tavolo.lobby.v1.lobby_pb2_grpc import LobbyServiceStub

from services.chat import publisher
from services.chat.pipeline.flood import Flood
from services.chat.publisher import Publisher
from services.chat.rooms import Rooms
from services.chat.say import Chat
from services.chat.service import ChatRpc
from services.chat.settings import Settings
from services.runtime.app import App, run


def main() -> int:
    """Runs the service; the exit status."""
    return run("chat", Settings, bind)


async def bind(app: App[Settings]) -> None:
    """The record first, then the stream that it is published to."""
    settings = app.settings
    pool = await app.database("chat", Path(__file__).parent / "migrations")
    bus = await app.nats()
    await bus.ensure_stream(publisher.stream(settings.nats_replicas))
    lobby: grpc.aio.Channel = app.channel(settings.lobby_target, "lobby")
    publishing = Publisher(pool, bus, settings.retry_most_s)
    chat = Chat(pool, Flood(settings.flood_burst, settings.flood_window_s), publishing.wake)
    app.add_service(
        add_ChatServiceServicer_to_server,
        ChatRpc(pool, chat, Rooms(pool, LobbyServiceStub(lobby))),
        "tavolo.chat.v1.ChatService",
    )
    app.spawn(publishing.run(), "publisher")
