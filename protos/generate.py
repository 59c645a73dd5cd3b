"""Generates the stubs of every proto into build/gen (git-ignored): messages, services, and types for both."""

import shutil
import sys
from pathlib import Path

import grpc_tools
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
OUT = ROOT / "build" / "gen"


def main() -> int:
    """Writes build/gen/tavolo anew; the exit status is protoc's."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    well_known = Path(grpc_tools.__file__).parent / "_proto"
    files = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    status = protoc.main(
        [
            "protoc",
            f"-I{PROTOS}",
            f"-I{well_known}",
            f"--python_out={OUT}",
            f"--grpc_python_out={OUT}",
            f"--mypy_out={OUT}",
            f"--mypy_grpc_out={OUT}",
            *files,
        ]
    )
    # A regular package with a type marker: without it mypy calls the import untyped and misses wrong fields.
    for folder in [OUT / "tavolo", *(path for path in (OUT / "tavolo").rglob("*") if path.is_dir())]:
        (folder / "__init__.py").touch()
    (OUT / "tavolo" / "py.typed").touch()
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
