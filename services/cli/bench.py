"""`tavolo bench rules` and `tavolo bench cluster`: what this machine does, as tables and as JSON."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    benches = parser.add_subparsers(dest="bench", required=True, metavar="rules|cluster")
    rules = benches.add_parser("rules", help="random playouts, moves per second per game, one thread")
    rules.add_argument("--seconds", type=positive, default=2.0, metavar="S", help="per game (default: 2)")
    rules.add_argument("--game", metavar="G", help="only this game")
    rules.add_argument(
        "--openspiel",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="hearts, solitario and scala 40 beside OpenSpiel, where it is installed",
    )
    rules.add_argument("--json", action="store_true", help="print the result as one JSON object")
    cluster = benches.add_parser(
        "cluster", help="moves through the whole durable path; without --tables the whole suite of runs"
    )
    cluster.add_argument(
        "--tables", type=int, metavar="N", help="tables of two seats; one run instead of the suite"
    )
    cluster.add_argument("--seconds", type=positive, default=10.0, metavar="S", help="measured (default: 10)")
    cluster.add_argument(
        "--pace", type=positive, metavar="P", help="moves per second and table; default: no pause"
    )
    cluster.add_argument(
        "--edge", choices=("ws", "grpc"), default="ws", help="how clients connect (default: ws)"
    )
    cluster.add_argument(
        "--sync",
        choices=("always", "default"),
        default="always",
        help="every append flushed to disk, or NATS's own interval (default: always)",
    )
    cluster.add_argument(
        "--workers", type=int, default=2, metavar="N", help="table-engine workers (default: 2)"
    )
    cluster.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0: measured; 1: a run failed; 2: wrong usage."""
    if args.bench == "rules":
        from services.cli.bench_rules import run_rules

        return run_rules(args)
    from services.cli.bench_cluster import run_cluster

    return run_cluster(args)


def positive(text: str) -> float:
    """A number above 0."""
    number = float(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number
