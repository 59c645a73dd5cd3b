"""`tavolo settings`: every setting of every part, from the declarations themselves."""

import argparse
import json

from rich.console import Console
from rich.table import Table

from services.runtime.settings import Setting, all_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("part", nargs="?", help="only the settings of this part (`common`, `gateway`, …)")
    parser.add_argument("--json", action="store_true", help="print the settings as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0: listed; 2: no such part."""
    parts = all_settings()
    if args.part is not None:
        if args.part not in parts:
            print(f"tavolo settings: no part {args.part!r}; there are: {', '.join(parts)}")
            return 2
        parts = {args.part: parts[args.part]}
    if args.json:
        print(json.dumps({part: [_plain(each) for each in found] for part, found in parts.items()}))
        return 0
    console = Console()
    for part, found in parts.items():
        table = Table(title=part, title_justify="left", box=None, pad_edge=False)
        for heading in ("setting", "default", "range", "meaning"):
            table.add_column(heading, overflow="fold")
        for each in found:
            table.add_row(each.name, _default(each), each.range_text, each.text)
        console.print(table)
        console.print()
    return 0


def _default(each: Setting) -> str:
    return "" if each.secret or each.default is None else str(each.default)


def _plain(each: Setting) -> dict[str, object]:
    return {
        "name": each.name,
        "default": _default(each),
        "range": each.range_text,
        "text": each.text,
        "secret": each.secret,
    }
