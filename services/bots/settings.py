"""Settings of the bots service."""

from dataclasses import dataclass

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """What the computer players need."""

    gateway_target: str = setting(
        "TAVOLO_BOTS_GATEWAY_TARGET", "127.0.0.1:7401", "gRPC target of the gateway"
    )
    think_ms: int = setting(
        "TAVOLO_BOTS_THINK_MS",
        1100,
        "milliseconds that a computer player thinks about a move, a third more or less; 0 = not at all",
        least=0,
        most=20_000,
    )
