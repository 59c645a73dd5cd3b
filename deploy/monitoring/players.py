"""The dashboard of what players feel, for Grafana, as data: a row a question, a panel a query or two."""

import json
from typing import Any, NamedTuple


class Panel(NamedTuple):
    """One panel. queries: (PromQL, legend). unit: Grafana's name of it."""

    title: str
    unit: str
    queries: tuple[tuple[str, str], ...]


def _quantile(part: float, metric: str, by: str = "") -> str:
    return f"histogram_quantile({part}, sum by (le{', ' + by if by else ''}) (rate({metric}_bucket[5m])))"


def _rates(title: str, metric: str, *by: str) -> Panel:
    """Events a second of a counter, a line for each value of some labels."""
    return Panel(title, "ops", ((f"sum by ({', '.join(by)}) (rate({metric}[5m]))", _legend(by)),))


def _gauge(title: str, how: str, metric: str, *by: str) -> Panel:
    """A gauge, a line for each value of some labels."""
    return Panel(title, "short", ((f"{how} by ({', '.join(by)}) ({metric})", _legend(by)),))


def _late(title: str, metric: str) -> Panel:
    return Panel(title, "s", ((_quantile(0.99, metric), "p99"),))


def _legend(labels: tuple[str, ...]) -> str:
    return " ".join(f"{{{{{label}}}}}" for label in labels)


ROWS: dict[str, tuple[Panel, ...]] = {
    "Moves": (
        Panel(
            "Commands within 250 ms (objective 99.9 %)",
            "percentunit",
            (
                (
                    'sum(rate(tavolo_gateway_command_seconds_bucket{le="0.25"}[5m]))'
                    " / sum(rate(tavolo_gateway_command_seconds_count[5m]))",
                    "within",
                ),
            ),
        ),
        Panel(
            "Command to answer, at the gateway",
            "s",
            (
                (_quantile(0.5, "tavolo_gateway_command_seconds"), "p50"),
                (_quantile(0.99, "tavolo_gateway_command_seconds"), "p99"),
            ),
        ),
        Panel(
            "Stages of a move in the engine, p99",
            "s",
            ((_quantile(0.99, "tavolo_table_engine_move_seconds", "stage"), "{{stage}}"),),
        ),
        _rates("Moves by result", "tavolo_table_engine_moves_total", "result"),
        _rates("Refusals by reason", "tavolo_gateway_refusals_total", "reason"),
        _late("Clocks fire late, p99", "tavolo_clock_firing_lag_seconds"),
    ),
    "People": (
        _gauge("Connections", "sum", "tavolo_gateway_connections_open", "edge", "form"),
        _rates("Connections ended by the gateway", "tavolo_gateway_connections_ended_total", "reason"),
        _late("Round trip to clients, p99", "tavolo_gateway_rtt_seconds"),
        _rates("Sign-ins", "tavolo_lobby_sign_ins_total", "kind", "result"),
        _rates("Chat", "tavolo_chat_messages_total", "verdict"),
        Panel(
            "Views that newer ones overtook",
            "percentunit",
            (
                (
                    "sum(rate(tavolo_gateway_views_dropped_total[5m]))"
                    " / sum(rate(tavolo_gateway_views_in_total[5m]))",
                    "dropped",
                ),
            ),
        ),
    ),
    "Tables": (
        _gauge("Tables in memory", "sum", "tavolo_table_engine_tables", "state"),
        _gauge("Tables as rooms", "max", "tavolo_lobby_tables", "state"),
        _rates("Starts of matches", "tavolo_lobby_starts_total", "result"),
        _gauge("Shards held", "sum", "tavolo_table_engine_shards_held", "pod"),
        _rates("Lease changes", "tavolo_runtime_lease_changes_total", "group", "change"),
        _rates("Tables read from their logs", "tavolo_table_engine_loads_total", "result"),
    ),
    "Log and money": (
        Panel(
            "Append to acknowledgement",
            "s",
            (
                (_quantile(0.5, "tavolo_runtime_bus_append_seconds"), "p50"),
                (_quantile(0.99, "tavolo_runtime_bus_append_seconds"), "p99"),
            ),
        ),
        _rates("Appends without a good answer", "tavolo_runtime_bus_append_failures_total", "reason"),
        _rates("Results", "tavolo_scoring_results_total", "result"),
        _late("Result to settlement, p99", "tavolo_scoring_settle_seconds"),
        Panel("Ledger's sum (must be 0)", "short", (("max(abs(tavolo_scoring_ledger_sum_cents))", "cents"),)),
        _gauge("Versions running", "count", "tavolo_build_info", "part", "version"),
    ),
}

_WIDTH, _HEIGHT, _ACROSS = 8, 7, 3


def dashboard() -> str:
    """The dashboard as JSON."""
    panels: list[dict[str, Any]] = []
    top = 0
    for title, row in ROWS.items():
        panels.append({"type": "row", "title": title, "gridPos": {"x": 0, "y": top, "w": 24, "h": 1}})
        for index, panel in enumerate(row):
            place = {
                "x": index % _ACROSS * _WIDTH,
                "y": top + 1 + index // _ACROSS * _HEIGHT,
                "w": _WIDTH,
                "h": _HEIGHT,
            }
            panels.append(_panel(panel, place))
        top += 1 + -(-len(row) // _ACROSS) * _HEIGHT
    for number, each in enumerate(panels, 1):
        each["id"] = number
    source = {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    board = {
        "uid": "tavolo-players",
        "title": "Tavolo: players",
        "tags": ["tavolo"],
        "schemaVersion": 39,
        "time": {"from": "now-3h", "to": "now"},
        "refresh": "30s",
        "templating": {"list": [source]},
        "panels": panels,
    }
    return json.dumps(board, indent=1) + "\n"


def _panel(panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    return {
        "type": "timeseries",
        "title": panel.title,
        "datasource": {"type": "prometheus", "uid": "${source}"},
        "gridPos": place,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + index), "expr": expr, "legendFormat": legend}
            for index, (expr, legend) in enumerate(panel.queries)
        ],
    }
