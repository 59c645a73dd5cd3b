"""Builds every overlay and combination and says what is wrong with it; `make check` runs it.

Schemas first (Kubernetes' own for two versions, strictly; ours for the custom kinds), then the checks
of deploy/checks. Folders may be named instead. Exit status: 0 good, 1 something is wrong.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from deploy.checks import pods, schemas, settings, wiring
from deploy.checks.build import Build, BuildError, build, folders


def problems(built: Build) -> Iterator[str]:
    """What is wrong with a build, one line each: its schemas first, and when those are kept, the rest."""
    malformed = [line for resource in built.resources for line in schemas.problems(resource)]
    if malformed:
        yield from malformed
        return
    yield from pods.problems(built)
    yield from settings.problems(built)
    yield from wiring.problems(built)


def main(arguments: list[str]) -> int:
    """Validates the named folders, or all of them; prints a line for each and one for each problem."""
    failed = False
    for folder in [Path(each) for each in arguments] or folders():
        try:
            found = list(dict.fromkeys(problems(build(folder))))
        except BuildError as error:
            found = [f"does not build: {error}"]
        sys.stdout.write(f"{folder.parent.name}/{folder.name}: {len(found) or 'no'} problems\n")
        sys.stdout.writelines(f"  {line}\n" for line in found)
        failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
