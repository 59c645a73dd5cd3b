"""Settings of the table engine."""

from dataclasses import dataclass

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """What the table engine reads from the environment."""

    seal_keys_file: str = setting(
        "TAVOLO_TABLE_ENGINE_SEAL_KEYS_FILE",
        "",
        "JSON file of the keys that seal seeds and hidden moves in the log",
    )
    evict_after_s: float = setting(
        "TAVOLO_TABLE_ENGINE_EVICT_AFTER_S",
        300.0,
        "seconds without a command after which a table leaves memory; 0 = never",
        least=0,
        most=86_400,
    )
    evict_over_after_s: float = setting(
        "TAVOLO_TABLE_ENGINE_EVICT_OVER_AFTER_S",
        60.0,
        "the same for a table whose match is over; 0 = never",
        least=0,
        most=86_400,
    )
    ready_wait_s: float = setting(
        "TAVOLO_TABLE_ENGINE_READY_WAIT_S",
        15.0,
        "seconds for which the next deal waits for the seats at most",
        least=0,
        most=600,
    )
    scoring_target: str = setting("TAVOLO_SCORING_TARGET", "127.0.0.1:7412", "gRPC target of scoring")
    queue_length: int = setting(
        "TAVOLO_TABLE_ENGINE_QUEUE_LENGTH", 64, "commands that may wait at one table", least=1, most=10_000
    )
    loads_at_once: int = setting(
        "TAVOLO_TABLE_ENGINE_LOADS_AT_ONCE",
        16,
        "tables that are read from their logs at the same time",
        least=1,
        most=256,
    )
    append_resolve_s: float = setting(
        "TAVOLO_TABLE_ENGINE_APPEND_RESOLVE_S",
        5.0,
        "seconds for which the fate of an append without an answer is followed up",
        least=0.1,
        most=60,
    )
    watchers: int = setting(
        "TAVOLO_TABLE_ENGINE_WATCHERS", 1_000, "connections that may watch one table", least=0, most=100_000
    )
