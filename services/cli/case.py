"""`tavolo case FILE…`: runs rule cases (CONVENTIONS.md, section 9; clock.md, section 13)."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from services.rules.core.case import run_case


class CaseError(Exception):
    """A file that is no list of cases; the text names it and says why."""


class Failure(NamedTuple):
    """A case that does not hold: all that was wrong with it."""

    file: str
    name: str
    problems: list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a JSON file with a list of cases; - = standard input"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0: every case holds; 1: some do not; 2: a file cannot be read."""
    try:
        files = {name: read_cases(name) for name in args.files}
    except CaseError as error:
        print(f"tavolo case: {error}", file=sys.stderr)
        return 2
    failures = [failure for name, cases in files.items() for failure in failing(name, cases)]
    passed = sum(map(len, files.values())) - len(failures)
    if args.json:
        found = [failure._asdict() for failure in failures]
        print(json.dumps({"passed": passed, "failed": len(failures), "failures": found}, ensure_ascii=False))
    else:
        for failure in failures:
            print(f"{failure.file}: {failure.name}: {'; '.join(failure.problems)}")
        print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def read_cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file. CaseError: not there, no JSON, or not a list of objects with a name."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        cases = json.loads(text)
    except (OSError, ValueError) as error:
        raise CaseError(f"{name}: {error}") from error
    if not isinstance(cases, list) or not all(isinstance(case, dict) and "name" in case for case in cases):
        raise CaseError(f"{name}: not a list of cases with names")
    return cases


def failing(file: str, cases: list[dict[str, Any]]) -> list[Failure]:
    """The cases that do not hold. One that lacks what every case has is among them."""
    failures = []
    for case in cases:
        try:
            problems = run_case(case)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            problems = [f"not a case: {type(error).__name__}: {error}"]
        if problems:
            failures.append(Failure(file, str(case["name"]), problems))
    return failures
