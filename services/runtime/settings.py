"""Settings come from the environment (`TAVOLO_*`), are declared with default, range and text, and are checked
at start.

A service declares a frozen dataclass that inherits `CommonSettings`; `{PART}` in a name stands for the
service's own part, taken from the module that declares the class (`services.<part>.settings`).
"""

import dataclasses
import importlib
import os
import pkgutil
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import services
from services.runtime.logs import Secret

S = TypeVar("S", bound="CommonSettings")

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


class SettingsError(Exception):
    """A setting has a value that cannot be used. The text names setting, value (unless secret) and what is
    allowed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: environment name, default, what is allowed, and what it means."""

    name: str
    default: Any
    text: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False

    @property
    def range_text(self) -> str:
        """What is allowed, in words; empty if anything is."""
        if self.choices:
            return " | ".join(self.choices)
        if self.least is None and self.most is None:
            return ""
        return f"{'' if self.least is None else self.least}..{'' if self.most is None else self.most}"


def setting(
    name: str,
    default: Any,
    text: str,
    *,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str, ...] = (),
    secret: bool = False,
) -> Any:
    """A dataclass field that is read from the environment variable `name`."""
    return field(
        default=default, metadata={"setting": Setting(name, default, text, least, most, choices, secret)}
    )


@dataclass(frozen=True)
class CommonSettings:
    """What every service has."""

    # Which field holds the port of the operators' endpoints (/healthz, /readyz, /metrics).
    OPS_PORT: ClassVar[str] = "http_port"
    # Largest gRPC message that the service takes, in bytes.
    GRPC_RECEIVE_BYTES: ClassVar[int] = 4 * 1024 * 1024
    # Services' tokens are for those to whom the service passes calls on, not for itself.
    PASSES_SERVICE_TOKENS_ON: ClassVar[bool] = False

    grpc_host: str = setting("TAVOLO_{PART}_GRPC_HOST", "127.0.0.1", "address that gRPC listens on")
    grpc_port: int = setting(
        "TAVOLO_{PART}_GRPC_PORT", 0, "port of gRPC; 0 = any free one", least=0, most=65535
    )
    http_host: str = setting("TAVOLO_{PART}_HTTP_HOST", "127.0.0.1", "address that HTTP listens on")
    http_port: int = setting(
        "TAVOLO_{PART}_HTTP_PORT", 0, "port of HTTP; 0 = any free one", least=0, most=65535
    )
    advertised_host: str = setting(
        "TAVOLO_ADVERTISED_HOST",
        "",
        "host under which other services reach this process; empty = the one it listens on",
    )
    nats_url: str = setting("TAVOLO_NATS_URL", "nats://127.0.0.1:4222", "NATS servers, separated by commas")
    nats_user: str = setting("TAVOLO_NATS_USER", "", "NATS user; empty = none")
    nats_password: Secret = setting(
        "TAVOLO_NATS_PASSWORD", Secret(""), "password of the NATS user", secret=True
    )
    nats_replicas: int = setting(
        "TAVOLO_NATS_REPLICAS", 1, "replicas of the streams that are created", least=1, most=5
    )
    database_url: Secret = setting(
        "TAVOLO_DATABASE_URL", Secret("postgresql://127.0.0.1:5432/tavolo"), "PostgreSQL address", secret=True
    )
    database_connections: int = setting(
        "TAVOLO_DATABASE_CONNECTIONS", 8, "most connections to PostgreSQL of one process", least=1, most=200
    )
    log_level: str = setting(
        "TAVOLO_LOG_LEVEL",
        "info",
        "least level that is logged",
        choices=("debug", "info", "warning", "error"),
    )
    log_format: str = setting(
        "TAVOLO_LOG_FORMAT", "json", "form of the log lines", choices=("json", "console")
    )
    service_key_file: str = setting(
        "TAVOLO_SERVICE_KEY_FILE",
        "",
        "private ed25519 key (PEM) that signs this service's tokens; empty = sends none",
    )
    trusted_services_file: str = setting(
        "TAVOLO_TRUSTED_SERVICES_FILE",
        "",
        "JSON Web Key Set of the services' public keys (kid = part); empty = trusts none",
    )
    player_keys_file: str = setting(
        "TAVOLO_PLAYER_KEYS_FILE",
        "",
        "JSON Web Key Set that players' tokens are checked with; empty = asks the lobby",
    )
    lobby_target: str = setting("TAVOLO_LOBBY_TARGET", "127.0.0.1:7410", "gRPC target of the lobby")
    stop_deadline_s: float = setting(
        "TAVOLO_STOP_DEADLINE_S", 20.0, "seconds that a graceful stop may take", least=0.1, most=3600
    )
    call_deadline_s: float = setting(
        "TAVOLO_CALL_DEADLINE_S", 3.0, "deadline of a call between services that has none", least=0.1, most=60
    )
    address_file: str = setting(
        "TAVOLO_ADDRESS_FILE",
        "",
        "file that gets the bound addresses as JSON when the service is ready; empty = none",
    )
    grpc_tls_cert_file: str = setting(
        "TAVOLO_TLS_CERT_FILE", "", "certificate chain (PEM) of the gRPC server; empty = no TLS"
    )
    grpc_tls_key_file: str = setting("TAVOLO_TLS_KEY_FILE", "", "private key (PEM) of the gRPC server")
    tls_ca_file: str = setting(
        "TAVOLO_TLS_CA_FILE",
        "",
        "certificate authority (PEM) that gRPC and NATS servers are checked with; empty = no TLS",
    )


def load(cls: type[S], env: Mapping[str, str] = os.environ) -> S:
    """Reads the settings of `cls` from `env`. Raises SettingsError for the first one that cannot be used."""
    hints = typing.get_type_hints(cls)
    values = {}
    for key, each in _declared(cls):
        text = env.get(each.name)
        if text is not None:
            values[key] = _parse(each, hints[key], text)
    return cls(**values)


def settings_of(cls: type[Any]) -> list[Setting]:
    """The settings that `cls` declares, in order, with their full names."""
    return [each for _, each in _declared(cls)]


def all_settings() -> dict[str, list[Setting]]:
    """Part -> its settings, for every `services/<part>/settings.py`. Common ones with a fixed name are under
    `common`."""
    common = [each for each in settings_of(CommonSettings) if "{PART}" not in each.name]
    known = {each.name for each in common}
    found = {"common": common}
    for module in pkgutil.iter_modules(services.__path__):
        path = Path(services.__path__[0]) / module.name / "settings.py"
        if module.name != "runtime" and path.exists():
            declared = importlib.import_module(f"services.{module.name}.settings")
            found[module.name] = [each for each in settings_of(declared.Settings) if each.name not in known]
    return found


def _declared(cls: type[Any]) -> Iterator[tuple[str, Setting]]:
    module = cls.__module__.split(".")
    part = (
        module[1].upper() if len(module) > 2 and module[0] == "services" and module[1] != "runtime" else None
    )
    for each in dataclasses.fields(cls):
        found: Setting | None = each.metadata.get("setting")
        if found is not None:
            yield (
                each.name,
                found
                if part is None
                else dataclasses.replace(found, name=found.name.replace("{PART}", part)),
            )


def _parse(each: Setting, kind: Any, text: str) -> Any:
    if isinstance(kind, types.UnionType):
        if not text:
            return None
        kind = next(one for one in typing.get_args(kind) if one is not types.NoneType)
    shown = "***" if each.secret else repr(text)
    try:
        value = _boolean(text) if kind is bool else kind(text)
    except (ValueError, TypeError) as error:
        raise SettingsError(f"{each.name}={shown} is not a {kind.__name__}") from error
    if each.choices and text not in each.choices:
        raise SettingsError(f"{each.name}={shown} is not one of {each.range_text}")
    too_small = each.least is not None and value < each.least
    if too_small or (each.most is not None and not value <= each.most):
        raise SettingsError(f"{each.name}={shown} is outside {each.range_text}")
    return value


def _boolean(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(text)
