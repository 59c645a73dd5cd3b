"""How benches show what they found."""

import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

_ADDITIONS = 2_000_000
_WIDTH = 170  # of a file or a pipe, which has none


def machine() -> str:
    """The machine in a line."""
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{os.cpu_count()} × {_processor()}, {memory:.0f} GiB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def additions_per_second() -> float:
    """What one thread of this Python adds up in a second, now: shared machines differ from hour to hour."""
    began, total = time.perf_counter(), 0
    for number in range(_ADDITIONS):
        total += number
    return _ADDITIONS / (time.perf_counter() - began)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A table: the first column is a name, the others are numbers."""
    table = Table(title=title or None, title_justify="left")
    for number, name in enumerate(header):
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    console.print(table)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the sorted values lie; NaN when there are none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
