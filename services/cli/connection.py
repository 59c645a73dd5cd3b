"""Where the commands find a gateway: the address that was given, or that of the cluster which runs here."""

import argparse
import json
from pathlib import Path

DATA = Path(".tavolo")


class NoGatewayError(Exception):
    """No address was given and no cluster runs here; the text says what to do."""


def add_gateway_arguments(parser: argparse.ArgumentParser) -> None:
    """`--gateway`, and `--data` for the cluster that runs here."""
    parser.add_argument(
        "--gateway", metavar="HOST:PORT", help="gRPC address; default: the cluster that runs here"
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, metavar="DIR", help=f"folder of the cluster ({DATA})"
    )


def gateway_target(args: argparse.Namespace) -> str:
    """The gRPC address of the gateway that the arguments mean, `host:port`."""
    if args.gateway:
        return str(args.gateway)
    path: Path = args.data / "cluster.json"
    try:
        cluster = json.loads(path.read_text(encoding="utf-8"))
        return str(cluster["gateway"]["grpc"])
    except FileNotFoundError as error:
        raise NoGatewayError(
            "no cluster runs here: `tavolo up` starts one, or name a gateway: --gateway"
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoGatewayError(f"{path} does not name a gateway: give one by --gateway") from error
