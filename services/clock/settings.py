"""Settings of the clock service."""

from dataclasses import dataclass

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """See `tavolo settings`."""

    in_flight: int = setting(
        "TAVOLO_CLOCK_IN_FLIGHT",
        64,
        "most calls to the engine at once; the nearest deadlines go first",
        least=1,
        most=10_000,
    )
    retry_most_s: float = setting(
        "TAVOLO_CLOCK_RETRY_MOST_S", 1.0, "longest wait before a deadline that got no answer is told again",
        least=0.05, most=60,
    )  # fmt: skip
