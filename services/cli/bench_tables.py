"""The results of `tavolo bench cluster` as tables."""

from typing import Any

from services.cli.bench_report import print_table

_MIB = 2**20


def print_runs(runs: list[dict[str, Any]]) -> None:
    """Throughput and latency; then CPU and memory by part."""
    print_table(
        (
            "run",
            "moves/s",
            "ack p50 ms",
            "p99",
            "both p50 ms",
            "p99",
            "CPU s/1,000",
            "bare appends/s",
            "bare gRPC/s",
            "Python adds/s",
        ),
        [
            (
                f"{number}: {run['name']}",
                f"{run['moves_per_s']:,.0f}",
                *_latency(run["ack_ms"]),
                *_latency(run["both_ms"]),
                f"{run['cpu_s_per_1000_moves_all_services']:.3f}",
                f"{run['bare_appends_per_s']:,.0f}",
                f"{run['bare_grpc_messages_per_s']:,.0f}",
                f"{run['python_additions_per_s'] / 1e6:.0f} M",
            )
            for number, run in enumerate(runs, start=1)
        ],
    )
    parts = list(runs[0]["rss"])
    print_table(
        ("CPU s per 1,000 moves", *(str(number) for number in range(1, len(runs) + 1))),
        [(part, *(f"{run['cpu_s_per_1000_moves'][part]:.3f}" for run in runs)) for part in parts],
    )
    print_table(
        ("resident MiB", *(str(number) for number in range(1, len(runs) + 1))),
        [(part, *(f"{run['rss'][part] / _MIB:,.0f}" for run in runs)) for part in parts],
    )
    for number, run in enumerate(runs, start=1):
        if run["refusals"] or run["connections_lost"]:
            print(f"run {number}: refused {run['refusals']}, {run['connections_lost']} connections lost")


def print_idle(idle: dict[str, Any]) -> None:
    """What idle tables and connections weigh."""
    print_table(
        (f"{idle['tables']:,} idle tables, {idle['connections']:,} connections", "KB"),
        [
            ("an idle table (engine)", f"{idle['bytes_per_idle_table'] / 1000:.1f}"),
            (
                "an idle table (all services, both connections)",
                f"{idle['bytes_per_idle_table_all_services'] / 1000:.1f}",
            ),
            ("an idle connection (gateway)", f"{idle['bytes_per_idle_connection'] / 1000:.1f}"),
            (
                "a connection attached to a table (gateway)",
                f"{idle['bytes_per_attached_connection'] / 1000:.1f}",
            ),
        ],
    )
    print(f"{idle['tables_opened_per_s']:,.0f} tables opened, joined and dealt a second")


def _latency(found: dict[str, float]) -> tuple[str, str]:
    return (f"{found['p50']:.1f}", f"{found['p99']:.1f}") if found else ("–", "–")
