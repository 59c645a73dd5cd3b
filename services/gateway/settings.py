"""What can be set for the gateway."""

from dataclasses import dataclass
from typing import ClassVar

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """Settings of the gateway."""

    # The public port serves players; the operators' endpoints (metrics too) have one of their own.
    OPS_PORT: ClassVar[str] = "metrics_port"
    GRPC_RECEIVE_BYTES: ClassVar[int] = 64 * 1024
    PASSES_SERVICE_TOKENS_ON: ClassVar[bool] = True

    metrics_port: int = setting(
        "TAVOLO_GATEWAY_METRICS_PORT",
        0,
        "port of /healthz, /readyz, /metrics; 0 = any free one",
        least=0,
        most=65535,
    )
    chat_target: str = setting("TAVOLO_CHAT_TARGET", "127.0.0.1:7411", "gRPC target of the chat service")
    scoring_target: str = setting(
        "TAVOLO_SCORING_TARGET", "127.0.0.1:7412", "gRPC target of the scoring service"
    )
    origins: str = setting(
        "TAVOLO_GATEWAY_ORIGINS",
        "*",
        "browser origins that may open a WebSocket, separated by commas; * = any",
    )
    proxies: int = setting(
        "TAVOLO_GATEWAY_PROXIES",
        0,
        "trusted proxies: the client's address is so many from the end of X-Forwarded-For; 0 = the socket's",
        least=0,
        most=10,
    )
    connections: int = setting(
        "TAVOLO_GATEWAY_CONNECTIONS", 20_000, "most connections of one gateway", least=1, most=1_000_000
    )
    connections_per_address: int = setting(
        "TAVOLO_GATEWAY_CONNECTIONS_PER_ADDRESS",
        500,
        "most connections from one address",
        least=1,
        most=1_000_000,
    )
    connections_per_account: int = setting(
        "TAVOLO_GATEWAY_CONNECTIONS_PER_ACCOUNT", 10, "most connections of one account", least=1, most=1_000
    )
    tables_per_connection: int = setting(
        "TAVOLO_GATEWAY_TABLES_PER_CONNECTION",
        64,
        "most tables that a connection plays or watches",
        least=1,
        most=10_000,
    )
    calls_at_once: int = setting(
        "TAVOLO_GATEWAY_CALLS_AT_ONCE",
        8,
        "most calls of other services that a connection has under way",
        least=1,
        most=1_000,
    )
    messages_per_s: float = setting(
        "TAVOLO_GATEWAY_MESSAGES_PER_S",
        20.0,
        "messages that a connection may send, per second",
        least=0.1,
        most=1e6,
    )
    messages_burst: int = setting(
        "TAVOLO_GATEWAY_MESSAGES_BURST",
        60,
        "messages that a connection may send at once",
        least=1,
        most=1_000_000,
    )
    account_messages_per_s: float = setting(
        "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_PER_S",
        40.0,
        "messages that all connections of an account may send, per second",
        least=0.1,
        most=1e6,
    )
    account_messages_burst: int = setting(
        "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_BURST",
        120,
        "messages that all connections of an account may send at once",
        least=1,
        most=1_000_000,
    )
    computer_messages_per_s: float = setting(
        "TAVOLO_GATEWAY_COMPUTER_MESSAGES_PER_S",
        5_000.0,
        "the same for the house's computer players, each of which sits at many tables; both their limits",
        least=0.1,
        most=1e6,
    )
    calls_per_s: float = setting(
        "TAVOLO_GATEWAY_CALLS_PER_S",
        10.0,
        "calls of other services that an account (without a token: an address) may make, per second",
        least=0.1,
        most=1e6,
    )
    calls_burst: int = setting(
        "TAVOLO_GATEWAY_CALLS_BURST",
        60,
        "calls of other services that an account (without a token: an address) may make at once",
        least=1,
        most=1_000_000,
    )
    refusals_burst: int = setting(
        "TAVOLO_GATEWAY_REFUSALS_BURST",
        100,
        "messages over the limit that are answered; more end the connection (one a second is forgiven)",
        least=1,
        most=1_000_000,
    )
    handshake_s: float = setting(
        "TAVOLO_GATEWAY_HANDSHAKE_S",
        10.0,
        "seconds for the HTTP request, and then for hello",
        least=0.1,
        most=300,
    )
    heartbeat_s: float = setting(
        "TAVOLO_GATEWAY_HEARTBEAT_S",
        20.0,
        "seconds between pings (the first five: a quarter)",
        least=0.2,
        most=300,
    )
    silence_s: float = setting(
        "TAVOLO_GATEWAY_SILENCE_S",
        50.0,
        "a connection from which nothing has come for so long is ended",
        least=0.5,
        most=900,
    )
    command_s: float = setting(
        "TAVOLO_GATEWAY_COMMAND_S",
        5.0,
        "seconds until a command without an answer is OUTCOME_UNKNOWN",
        least=0.1,
        most=60,
    )
    queue_messages: int = setting(
        "TAVOLO_GATEWAY_QUEUE_MESSAGES",
        512,
        "messages that must not be skipped which may wait for a slow client",
        least=4,
        most=100_000,
    )
    queue_bytes: int = setting(
        "TAVOLO_GATEWAY_QUEUE_BYTES", 1 << 20, "the same in bytes", least=16_384, most=64 << 20
    )
    goodbye_s: float = setting(
        "TAVOLO_GATEWAY_GOODBYE_S", 2.0, "seconds that a client gets to read its goodbye", least=0.05, most=60
    )
