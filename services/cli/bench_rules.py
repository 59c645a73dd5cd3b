"""`tavolo bench rules`: random playouts of every game, one thread; how long rummy hands take to list."""

import argparse
import json
import random
import sys
import time

from services.cli import bench_openspiel, bench_rummies
from services.cli.bench_report import additions_per_second, machine, print_table
from services.rules.bench import playouts
from services.rules.core.errors import UnknownGame
from services.rules.core.registry import game, games

_SEED = 1


def run_rules(args: argparse.Namespace) -> int:
    try:
        chosen = [game(args.game)] if args.game else games()
    except UnknownGame as error:
        print(f"tavolo bench rules: {error.text}", file=sys.stderr)
        return 2
    found = []
    for each in chosen:
        chance = random.Random(_SEED).random  # noqa: S311  the same playouts every time
        found.append(playouts(each.id, args.seconds, chance, time.perf_counter))
    beside = []
    if args.openspiel and bench_openspiel.is_there():
        chance = random.Random(_SEED).random  # noqa: S311
        beside = [
            bench_openspiel.compare(each.id, chance) for each in chosen if each.id in bench_openspiel.PAIRS
        ]
    listed = [bench_rummies.listing(each.id) for each in chosen if each.id in bench_rummies.RUMMIES]
    if args.json:
        result = {
            "machine": machine(),
            "python_additions_per_s": additions_per_second(),
            "rules": found,
            "openspiel": beside,
            "listing": listed,
        }
        print(json.dumps(result))
        return 0
    print(f"{machine()}; {additions_per_second() / 1e6:.0f} M Python additions a second")
    print_table(
        ("game", "moves/s", "matches/s", "moves a match"),
        [
            (
                each["game"],
                f"{each['moves_per_second']:,.0f}",
                f"{each['matches'] / each['seconds']:,.1f}",
                f"{each['moves'] / max(1, each['matches']):,.0f}",
            )
            for each in found
        ],
    )
    if listed:
        print_table(
            (
                f"hand of {bench_rummies.CARDS}, {bench_rummies.WILD} wild",
                "moves",
                "median ms",
                "worst ms",
                "with view, median ms",
                "worst ms",
            ),
            [
                (
                    each["game"],
                    f"{each['moves']:.0f}",
                    f"{each['median_ms']:.2f}",
                    f"{each['worst_ms']:.2f}",
                    f"{each['view_median_ms']:.2f}",
                    f"{each['view_worst_ms']:.2f}",
                )
                for each in listed
            ],
        )
    if beside:
        print_table(
            ("beside OpenSpiel", "its game", "our moves/s", "its moves/s", "ratio"),
            [
                (
                    each["game"],
                    each["openspiel"],
                    f"{each['moves_per_second']:,.0f}",
                    f"{each['openspiel_moves_per_second']:,.0f}",
                    f"{each['ratio']:.2f}",
                )
                for each in beside
            ],
        )
    elif args.openspiel:
        print("OpenSpiel is not installed (pip install -e .[bench]): no comparison")
    return 0
