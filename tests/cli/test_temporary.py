"""Temporary folders go with the process that made them, or with the next one."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cli.cluster import temporary_folder

HOLDER = """
import sys
from services.cli.cluster import temporary_folder

with temporary_folder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@contextlib.contextmanager
def holder(place: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that holds a temporary folder below `place`."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], env={"TMPDIR": str(place)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        with process:
            yield process, Path(process.stdout.readline().strip())
    finally:
        process.kill()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_with_its_use(place: Path) -> None:
    with temporary_folder() as folder:
        (folder / "data").mkdir()
        assert folder.parent == place
    assert list(place.iterdir()) == []


def test_the_folder_of_a_killed_process_goes_with_the_next_use(place: Path) -> None:
    with holder(place) as (living, kept), holder(place) as (dead, left):
        (left / "data").mkdir()
        dead.kill()
        dead.wait()
        assert left.exists()
        with temporary_folder() as folder:
            assert sorted(place.iterdir()) == sorted([kept, folder])
        assert living.poll() is None
    assert list(place.iterdir()) == []
