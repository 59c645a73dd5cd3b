"""Temporary folders whose owner was killed: whoever needs one next removes them."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from services.cli import postgres

PREFIX = "tavolo-"
_MARK = "owner"


@contextlib.contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Marks the folder as used by this process: with a lock, which goes with the process however it ends."""
    new = folder / f"{_MARK}.new"
    with new.open("w") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)
        new.rename(folder / _MARK)  # a mark is never seen without its lock
        yield


def remove(folder: Path) -> None:
    """Removes the folder, and what PostgreSQL keeps for it elsewhere. Raises OSError."""
    postgres.remove_data(folder)
    shutil.rmtree(folder)


def remove_abandoned() -> None:
    """Removes our folders that no living process owns."""
    for mark in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{_MARK}"):
        # Gone meanwhile, owned, or in the hands of another who removes it.
        with contextlib.suppress(FileNotFoundError, BlockingIOError):
            if mark.stat().st_uid != os.geteuid():
                continue
            with mark.open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(mark.parent)
