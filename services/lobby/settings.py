"""The lobby's settings."""

from dataclasses import dataclass

from services.runtime.settings import CommonSettings, setting


@dataclass(frozen=True)
class Settings(CommonSettings):
    """Read from the environment by `services.runtime.settings.load`."""

    signing_keys_dir: str = setting(
        "TAVOLO_LOBBY_SIGNING_KEYS_DIR",
        ".tavolo/keys/players",
        "folder of the ed25519 keys (*.pem) that sign players' tokens; the last name signs, all verify",
    )
    access_s: int = setting(
        "TAVOLO_LOBBY_ACCESS_TOKEN_S", 900, "life of an access token, seconds", least=10, most=86_400
    )
    refresh_s: int = setting(
        "TAVOLO_LOBBY_REFRESH_TOKEN_S",
        30 * 86_400,
        "life of a refresh token, and so of a guest, seconds",
        least=60,
        most=366 * 86_400,
    )
    password_threads: int = setting(
        "TAVOLO_LOBBY_PASSWORD_THREADS",
        2,
        "passwords that are hashed at the same time (64 MiB each)",
        least=1,
        most=64,
    )
    password_queue: int = setting(
        "TAVOLO_LOBBY_PASSWORD_QUEUE",
        100,
        "passwords that may wait for a thread; more are refused",
        least=1,
        most=10_000,
    )
    sign_in_burst: int = setting(
        "TAVOLO_LOBBY_SIGN_IN_BURST", 10, "wrong passwords in a row for one nickname", least=1, most=100_000
    )
    sign_ins_a_minute: float = setting(
        "TAVOLO_LOBBY_SIGN_INS_A_MINUTE",
        2.0,
        "further wrong passwords a minute for one nickname",
        least=0.01,
        most=1e6,
    )
    sign_up_burst: int = setting(
        "TAVOLO_LOBBY_SIGN_UP_BURST",
        300,
        "new accounts and guests at once from one address",
        least=1,
        most=1_000_000,
    )
    sign_ups_a_minute: float = setting(
        "TAVOLO_LOBBY_SIGN_UPS_A_MINUTE", 60.0, "further ones a minute from one address", least=0.01, most=1e6
    )
    most_stake_cents: int = setting(
        "TAVOLO_LOBBY_MOST_STAKE_CENTS",
        100_000,
        "most that a seat may have to put in before a match, cents",
        least=0,
        most=10**12,
    )
    scoring_target: str = setting("TAVOLO_SCORING_TARGET", "127.0.0.1:7412", "gRPC target of scoring")
    table_target: str = setting(
        "TAVOLO_LOBBY_TABLE_TARGET",
        "",
        "gRPC target of the table engine; empty = the workers that hold leases",
    )
    retry_most_s: float = setting(
        "TAVOLO_LOBBY_RETRY_MOST_S",
        2.0,
        "longest wait before the start of a match, or a notice, is tried again, seconds",
        least=0.05,
        most=60,
    )
