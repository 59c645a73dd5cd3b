"""Where the commands find a gateway: the address that was given, or that of the cluster which runs here."""

import json
from pathlib import Path

DATA = Path(".tavolo")


class NoGatewayError(Exception):
    """No address was given and no cluster runs here; the text says what to do."""


def gateway_target(given: str | None, data: Path = DATA) -> str:
    """The gRPC address of the gateway, `host:port`."""
    if given:
        return given
    path = data / "cluster.json"
    try:
        cluster = json.loads(path.read_text(encoding="utf-8"))
        return str(cluster["gateway"]["grpc"])
    except FileNotFoundError as error:
        raise NoGatewayError(
            "no cluster runs here: `tavolo up` starts one, or name a gateway: --gateway"
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoGatewayError(f"{path} does not name a gateway: give one by --gateway") from error
