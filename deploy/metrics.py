"""The table of metrics, from the declarations themselves."""

import importlib
import pkgutil
from pathlib import Path
from typing import NamedTuple

from prometheus_client.metrics import MetricWrapperBase

import services

_HEAD = """# Metrics

Made by `python -m deploy.generate` from every part's `metrics.py`; a test compares it with running ones.
Names are `tavolo_<part>_<thing>_<unit>`, seconds and bytes in base units. Every part exports those of
`runtime` too, and of its process (`process_…`). Labels come from closed lists, never from players or tables.
A histogram `x` has the series `x_bucket`, `x_count`, `x_sum`.
"""


class Described(NamedTuple):
    """A declared metric: name as it is exported, type, labels, meaning."""

    name: str
    kind: str
    labels: tuple[str, ...]
    text: str


def declared() -> dict[str, list[Described]]:
    """Part -> its metrics, in the order of their declaration."""
    found = {}
    for part in pkgutil.iter_modules(services.__path__):
        if (Path(services.__path__[0]) / part.name / "metrics.py").exists():
            module = importlib.import_module(f"services.{part.name}.metrics")
            metrics = (each for each in vars(module).values() if isinstance(each, MetricWrapperBase))
            found[part.name] = [_described(each) for each in metrics]
    return found


def table() -> str:
    """monitoring/METRICS.md."""
    lines = [_HEAD]
    for part, metrics in declared().items():
        lines.append(f"## {part}\n\n| metric | type | labels | meaning |\n| --- | --- | --- | --- |")
        for each in metrics:
            labels = ", ".join(f"`{label}`" for label in each.labels)
            lines.append(f"| `{each.name}` | {each.kind} | {labels} | {each.text} |")
        lines.append("")
    return "\n".join(lines)


def _described(metric: MetricWrapperBase) -> Described:
    family = next(iter(metric.describe()))
    name = f"{family.name}_total" if family.type == "counter" else family.name
    return Described(name, family.type, tuple(metric._labelnames), family.documentation)
