"""`tavolo play` in real terminals and pipes, against a whole cluster."""

import argparse
import asyncio
import json
import os
import re
import secrets
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

import pytest

from services.cli import play
from services.cli.cluster import Cluster
from services.cli.main import main
from services.rules.core.registry import games
from tests.cli.terminal import Terminal

ONE_HAND: dict[str, dict[str, object]] = {
    "canasta": {"target": 1},
    "bestia": {"hands": 1},
    "poker": {"match": "hands", "hands": 3},
    "solitario": {"hands": 1},
    "uno": {"hands": 1},
}
"""The shortest matches of games that do not end after so many hands, or not of any length."""
SHORT = json.dumps({"match": "hands", "hands": 1, "tie_hands": 0})
_FIRST_MOVE = re.compile(r"^  1 (play \S+(?: take \S+(?: \S{2})*)?)", re.MULTILINE)


def place(tmp_path: Path, cluster: Cluster, name: str = "home") -> Path:
    """A folder in which `tavolo play` finds the cluster, and keeps its sessions."""
    data = tmp_path / name / ".tavolo"
    data.mkdir(parents=True)
    address = {"gateway": {"grpc": cluster.address("gateway")}}
    (data / "cluster.json").write_text(json.dumps(address), encoding="utf-8")
    return data.parent


def someone(name: str) -> str:
    """A nickname that nobody has yet."""
    return f"{name} {''.join(secrets.choice('abdegkptxz') for _ in range(8))}"


def lacks(text: str, screen: str) -> bool:
    return text not in screen


async def piped(folder: Path, *arguments: str, typed: str = "") -> tuple[int, str, str]:
    """`tavolo …` without a terminal: exit status, output, errors."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "services.cli.main", *arguments, cwd=folder,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(60):
        out, err = await process.communicate(typed.encode())
    return process.returncode or 0, out.decode(), err.decode()


async def test_a_match_is_played_to_the_ledger_by_typing_moves(cluster: Cluster, tmp_path: Path) -> None:
    folder, name = place(tmp_path, cluster), someone("Anna")
    async with Terminal("play", "--nickname", name, "--options", SHORT, folder=folder) as terminal:
        await terminal.see("Enter = next hand")
        terminal.type("some luck of my own")
        refused = False
        while "Ledger:" not in await terminal.see("Your move", "Ledger:"):
            if not refused:
                terminal.type("play what I like")
                await terminal.see("[unparsable]")
                refused = True
            found = _FIRST_MOVE.search(terminal.screen)
            assert found, terminal.screen
            move = found[1].rstrip()
            terminal.type(move)
            await terminal.until(partial(lacks, f" {move}"), f"{move} is made")
        assert await terminal.ends() == 0
        assert re.search(r"Ledger: [+−]\d\.\d\d .* VP \d+ · MP -?\d+; rating", terminal.screen)


async def test_the_computer_plays_for_somebody_in_a_pipe(cluster: Cluster, tmp_path: Path) -> None:
    folder = place(tmp_path, cluster)
    arguments = ("play", "--auto", "--nickname", someone("Beppe"), "--options", SHORT)
    status, out, err = await piped(folder, *arguments, "--json")
    assert status == 0, err
    found = json.loads(out)
    assert found["ended_by"] in {"score", "draw"}
    assert found["settled"]["match"] == found["match"]
    assert len(found["scores"]) == len(found["nicknames"]) == 2
    assert "Enter" in err or "Avanti" in err


@pytest.fixture
def nobody() -> Iterator[TextIO]:
    """An input at which nobody types."""
    with Path(os.devnull).open(encoding="utf-8") as file:
        yield file


async def test_the_computer_plays_every_game_to_its_ledger_line_and_tells_it_in_words(
    cluster: Cluster,
    tmp_path: Path,
    nobody: TextIO,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(place(tmp_path, cluster))
    monkeypatch.setattr("sys.stdin", nobody)
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    async with asyncio.TaskGroup() as playing:
        for each in games():
            options = json.dumps(ONE_HAND.get(each.id, {"match": "hands", "hands": 1}))
            arguments = ("--auto", "--game", each.id, "--nickname", someone("Nino"), "--options", options)
            player = play.Player(parser.parse_args(arguments), json.loads(options))
            playing.create_task(player.play(cluster.address("gateway")))
    told = capsys.readouterr().out
    assert len(re.findall(r"^(?:Ledger|Conto): .*$", told, re.MULTILINE)) == len(games())
    notation = re.compile(r"\b(?:tbl|mch)_\w+|^ +\d+ .*$", re.MULTILINE)  # ids, and the moves to choose from
    assert not re.search(r"[{}\"]|\b[a-z]+_[a-z]+\b", notation.sub("", told))


async def test_two_people_play_and_talk_and_a_third_watches(cluster: Cluster, tmp_path: Path) -> None:
    anna, beppe = someone("Anna"), someone("Beppe")
    people = [place(tmp_path, cluster, name) for name in ("a", "b", "c")]
    async with Terminal("play", "--nickname", anna, "--against", "people", folder=people[0]) as first:
        opened = await first.see("tavolo play --table tbl_")
        table = re.search(r"--table (tbl_\w+)", opened)
        assert table
        async with Terminal("play", "--nickname", beppe, "--table", table[1], folder=people[1]) as second:
            await second.see("Enter = next hand")
            await first.see("Enter = next hand")
            async with Terminal(
                "play", "--nickname", someone("Carla"), "--watch", table[1], folder=people[2]
            ) as third:
                await third.see("watching")
                second.type("/say good luck")
                for each in (first, third):
                    await each.see("good luck")
                first.type("")
                second.type("")
                await third.see("to act")
                assert "Your move" not in third.screen
                assert not re.search(r"^  1 play", third.screen, re.MULTILINE)
                first.type("/abandon")
                await first.see("Type “yes”")
                first.type("no")
                await first.see("The match goes on.")
                first.type("/abandon")
                await first.until(lambda screen: screen.count("Type “yes”") > 1, "asked again")
                first.type("yes")
                for each in (first, second, third):
                    await each.see(f"{beppe} won.")
                    assert await each.ends() == 0
                assert "Ledger: +1.00" in second.screen
                assert "Ledger: −1.00" in first.screen
                assert "Ledger" not in third.screen


async def test_a_nickname_that_looks_taken_is_said_so_and_asked_again(
    cluster: Cluster, tmp_path: Path
) -> None:
    name, other = someone("Dario"), someone("Elena")
    status, _, _ = await piped(place(tmp_path, cluster, "first"), "play", "--nickname", name, "--tables")
    assert status == 0
    folder = place(tmp_path, cluster, "second")
    async with Terminal("play", "--nickname", name.upper(), "--options", SHORT, folder=folder) as terminal:
        await terminal.see("is taken")
        terminal.type(other)
        await terminal.see(f"Welcome, {other}")
        await terminal.see("Enter = next hand")


async def test_who_leaves_keeps_the_seat_and_comes_back_to_it(cluster: Cluster, tmp_path: Path) -> None:
    folder, name = place(tmp_path, cluster), someone("Franca")
    async with Terminal(
        "play", "--nickname", name, "--options", SHORT, folder=folder, language="it_IT.UTF-8"
    ) as terminal:
        match = re.search(r"mch_\w+", await terminal.see("Invio = Avanti"))
        assert match
        terminal.type("/quit")
        assert await terminal.ends() == 0
        assert "Il posto resta tuo" in terminal.screen
    (session,) = (folder / ".tavolo").glob("session-*.json")
    assert session.stat().st_mode & 0o777 == 0o600
    status, out, err = await piped(folder, "play", "--nickname", name, "--auto", "--json")
    assert status == 0, err
    assert json.loads(out)["match"] == match[0]


async def test_open_tables_are_listed(cluster: Cluster, tmp_path: Path) -> None:
    folder, name = place(tmp_path, cluster), someone("Gina")
    async with Terminal("play", "--nickname", name, "--against", "people", folder=folder) as waiting:
        table = re.search(r"--table (tbl_\w+)", await waiting.see("tavolo play --table tbl_"))
        assert table
        status, out, _ = await piped(folder, "play", "--nickname", someone("Ivo"), "--tables", "--json")
        assert status == 0
        (found,) = [each for each in json.loads(out) if each["table"] == table[1]]
        assert (found["state"], found["nicknames"]) == ("open", [name, ""])


@pytest.mark.parametrize(
    "arguments", [["--options", "no JSON"], ["--options", "[]"], ["--table", "a", "--watch", "b"]]
)
def test_wrong_usage_is_status_2(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status: object = main(["play", "--gateway", "127.0.0.1:1", *arguments])
    except SystemExit as error:  # argparse's own
        status = error.code
    assert status == 2


def test_without_a_cluster_it_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play"]) == 2
    assert "tavolo up" in capsys.readouterr().err
