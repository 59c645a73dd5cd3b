"""CPU time and memory of the processes of a cluster, by part; and on which cores they run."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Usage:
    """What a part has used.

    CPU seconds since it began, and its resident memory in bytes, all its processes together.
    """

    cpu_s: float
    rss: int


def usage(pids: Mapping[str, list[int]]) -> dict[str, Usage]:
    """The usage of each part by name; a part's process counts with its children."""
    return {part: _sum(ids) for part, ids in pids.items()}


def cpu_between(before: Mapping[str, Usage], after: Mapping[str, Usage]) -> dict[str, float]:
    """CPU seconds that each part used between two looks."""
    return {part: after[part].cpu_s - before[part].cpu_s for part in after}


def keep_on(cores: Iterable[int], pids: Iterable[int]) -> None:
    """Keeps processes on these cores, with all their threads and those to come."""
    chosen = set(cores)
    for pid in pids:
        for thread in psutil.Process(pid).threads():
            try:
                os.sched_setaffinity(thread.id, chosen)
            except ProcessLookupError:  # a thread that has just ended
                continue


def _sum(ids: list[int]) -> Usage:
    cpu_s, rss = 0.0, 0
    for pid in ids:
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            try:
                with process.oneshot():
                    times = process.cpu_times()
                    cpu_s += times.user + times.system
                    rss += process.memory_info().rss
            except psutil.NoSuchProcess:  # a child that has just ended
                continue
    return Usage(cpu_s, rss)
