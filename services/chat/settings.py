"""The chat's settings."""

from dataclasses import dataclass

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """Read from the environment by `services.runtime.settings.load`."""

    flood_burst: int = setting(
        "TAVOLO_CHAT_FLOOD_BURST",
        5,
        "messages that an account may write in one room within the flood window",
        least=1,
        most=10_000,
    )
    flood_window_s: float = setting(
        "TAVOLO_CHAT_FLOOD_WINDOW_S", 10.0, "length of the flood window, seconds", least=0.1, most=3600
    )
    retry_most_s: float = setting(
        "TAVOLO_CHAT_RETRY_MOST_S",
        2.0,
        "longest wait before publishing is tried again, seconds",
        least=0.05,
        most=60,
    )
