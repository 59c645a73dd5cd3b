"""What the fault tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cli.cluster import temporary_folder


@pytest.fixture(scope="module")
def traps() -> Iterator[Path]:
    """Where a module's traps are set (tests/support/traps.py)."""
    with temporary_folder() as made:
        yield made
