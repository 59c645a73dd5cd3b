"""Settings of scoring."""

from dataclasses import dataclass

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """See `tavolo settings`."""

    tries: int = setting(
        "TAVOLO_SCORING_TRIES",
        8,
        "tries of a result that cannot be settled before it becomes a dead letter",
        least=1,
        most=100,
    )
    reconcile_s: float = setting(
        "TAVOLO_SCORING_RECONCILE_S",
        300.0,
        "seconds between two checks of the whole ledger",
        least=0.1,
        most=86_400,
    )
