"""The benches run, small, and report what they should; how fast this machine is, is no test."""

import asyncio
import json
import sys
from itertools import islice

import pytest

from services.cli import bench_rummies
from services.cli.bench_cluster import Run, _measure, measure_idle
from services.cli.bench_report import percentile
from services.cli.bench_seats import BenchTable, Figures
from services.cli.cluster import Cluster
from services.cli.main import main
from services.rules.core.registry import games


def test_the_bench_of_the_rules_plays_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--seconds", "0.05", "--no-openspiel", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["game"] for each in found["rules"]] == [each.id for each in games()]
    assert all(each["moves_per_second"] > 0 for each in found["rules"])
    rummies = {"burraco", "canasta", "jolly", "scala40"}
    assert {each["game"] for each in found["listing"]} == rummies
    assert all(each["worst_ms"] >= each["median_ms"] > 0 for each in found["listing"])
    assert main(["bench", "rules", "--seconds", "0.05", "--no-openspiel", "--game", "scopa"]) == 0
    assert "scopa" in capsys.readouterr().out


@pytest.mark.parametrize("name", bench_rummies.RUMMIES)
def test_the_hands_that_are_listed_are_the_same_every_time(name: str) -> None:
    first, again = (list(islice(bench_rummies.positions(name), 4)) for _ in range(2))
    assert [state.to_json() for state in first] == [state.to_json() for state in again]
    wild = bench_rummies.RUMMIES[name].wild
    for state in first:
        (seat,) = state.to_act
        hand = state.to_json()["hands"][seat]
        assert (len(hand), sum(face in wild for face in hand)) == (20, 4)
        assert state.legal(seat)


def test_a_bench_of_an_unknown_game_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--game", "scoopa"]) == 2
    assert "scopa" in capsys.readouterr().err


@pytest.mark.parametrize("run", [Run(2, 1.0), Run(2, 1.0, pace=4.0, edge="grpc")], ids=lambda run: run.edge)
async def test_a_small_run_measures_everything(run: Run, cluster: Cluster) -> None:
    found = await _measure(cluster, run)
    assert found["moves_per_s"] > 0
    assert 0 < found["ack_ms"]["p50"] <= found["ack_ms"]["p99"]
    assert 0 < found["both_ms"]["p50"] <= found["both_ms"]["p99"]
    assert found["bare_appends_per_s"] > 0
    assert {"nats", "table-engine", "gateway", "generator"} <= set(found["rss"])
    assert found["cpu_s_per_1000_moves"]["table-engine"] > 0
    assert (found["refusals"], found["connections_lost"]) == ({}, 0)
    if run.pace:
        assert found["moves_per_s"] <= run.pace * run.tables * 1.5


async def test_idle_tables_and_connections_are_weighed(cluster: Cluster) -> None:
    found = await measure_idle(cluster, 5)
    assert found["connections"] == 10
    assert found["tables_opened_per_s"] > 0
    assert set(found["rss_with_none"]) == set(found["rss_with_all"])


async def test_the_whole_command_prints_json_and_the_settings_that_it_raised() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli.main", "bench", "cluster"),
        *("--tables", "2", "--seconds", "1", "--sync", "default", "--json"),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    found = json.loads(out)
    assert found["runs"][0]["sync"] == "default"
    assert "TAVOLO_GATEWAY_MESSAGES_PER_S" in found["settings"]
    assert found["idle"] is None


@pytest.mark.parametrize("arguments", [["--tables", "0"], ["--seconds", "-1"], ["--edge", "telnet"]])
def test_wrong_usage_of_the_bench_is_status_2(arguments: list[str]) -> None:
    try:
        status: object = main(["bench", "cluster", *arguments])
    except SystemExit as error:
        status = error.code
    assert status == 2


def test_a_move_counts_once_both_seats_have_seen_it() -> None:
    figures = Figures()
    figures.on = True
    table = BenchTable(figures, 0.0)
    table.sent(version=4, now=10.0)
    table.seen(4, 5, now=10.5)
    assert figures.moves == 0
    table.sent(version=5, now=11.0)
    table.seen(4, 6, now=12.0)  # a view that took the place of one that was not sent yet
    assert (figures.moves, figures.to_both) == (1, [2.0])


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(value) for value in range(1, 101)]
    assert percentile(values, 0.5) == 51.0
    assert percentile(values, 0.99) == 100.0
    assert percentile([3.0], 0.99) == 3.0
