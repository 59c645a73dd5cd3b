"""Which methods of which services the gateway passes on."""

from typing import NamedTuple

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from tavolo.chat.v1 import chat_pb2
from tavolo.lobby.v1 import account_pb2, lobby_pb2
from tavolo.scoring.v1 import scoring_pb2


class Codec(NamedTuple):
    """The messages of a method."""

    request: type[Message]
    response: type[Message]


# Full service name -> the part that answers.
PARTS = {
    "tavolo.lobby.v1.AccountService": "lobby",
    "tavolo.lobby.v1.LobbyService": "lobby",
    "tavolo.chat.v1.ChatService": "chat",
    "tavolo.scoring.v1.ScoringService": "scoring",
}

# What needs no token, and is taken before hello.
SIGN_IN = frozenset(
    f"/tavolo.lobby.v1.AccountService/{name}"
    for name in ("SignUp", "SignIn", "SignInGuest", "Refresh", "GetKeys")
)

# What players and operators may call. The other methods are for services alone, which prove who they are.
PUBLIC = SIGN_IN | {
    f"/{service}/{name}"
    for service, names in {
        "tavolo.lobby.v1.AccountService": ("KeepGuest", "GetMe"),
        "tavolo.lobby.v1.LobbyService": (
            "ListGames",
            "OpenTable",
            "ListTables",
            "GetTable",
            "JoinTable",
            "LeaveTable",
            "AddComputer",
            "GetSeats",
        ),
        "tavolo.chat.v1.ChatService": ("Say", "ListMessages"),
        "tavolo.scoring.v1.ScoringService": (
            "GetWallet",
            "ListEntries",
            "GetMatch",
            "ListMatches",
            "GetLeaderboard",
            "CheckLedger",
        ),
    }.items()
    for name in names
}

# The messages of every method of these services, by its full name.
CODECS = {
    f"/{service.full_name}/{method.name}": Codec(
        GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    )
    for module in (account_pb2, lobby_pb2, chat_pb2, scoring_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}


def service_of(method: str) -> str:
    """`tavolo.lobby.v1.LobbyService` of `/tavolo.lobby.v1.LobbyService/ListTables`."""
    return method.removeprefix("/").partition("/")[0]
