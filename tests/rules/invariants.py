"""Many random hands of every game, each held to what the games keep (CONVENTIONS.md, sections 3 to 8).

    python -m tests.rules.invariants [--games scopa hearts] [--hands 20000] [--full 500] [--first 0] [--json]

Half of the matches have options drawn at random, and the players are of two kinds. In all hands: cards are
conserved, what is not listed is refused, scores, pots and money add up, every match ends. In `--full` of
them, after every move besides: every listed move is accepted and its text parses back to it, a step can be
taken back, snapshot and log give the state again, seats may leave, views and events show nothing that a
viewer may not know.
"""

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

from services.rules.core.game import Game
from services.rules.core.registry import game, games
from services.rules.fold import fold
from tests.rules import checks
from tests.rules.checks import Look, look, same
from tests.rules.secrecy import Knowledge, interference
from tests.rules.strategies import Match, drawn_options, forward, purposeful, start

MOST_STEPS = 1_000_000
"""No match is as long: one that does not end would be."""

COUNTED = ("hands", "full", "matches", "moves", "refusals", "checks")
"""What a run counts: hands, how many of them closely, …"""


def random_match(played: Game, seed: int) -> Match:
    """The match of this number: options, players and moves follow from it."""
    rng = random.Random(f"{played.id} {seed}")  # noqa: S311
    options = drawn_options(played, rng) if rng.random() < 0.5 else played.options({})
    player = forward if rng.random() < 0.25 else purposeful  # whose hands are the shorter
    return start(played, options, rng.randrange(2**32), player)


class Referee:
    """Plays a match and holds it to what the games keep: at a step closely, or now and then."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.counts: Counter[str] = Counter()
        self.totals = checks.Totals(match)
        self.words = checks.Words(match.game)
        self.knowledge: Knowledge | None = None
        self.seen: Look | None = None

    def step(self, *, closely: bool) -> None:
        """Check what is to be checked, and play one step."""
        match, phase = self.match, self.match.state.phase
        if closely:
            self._close_step()
        else:
            self._light_step()
        self.counts["moves"] += isinstance(match.log[-1], tuple)
        if self.totals.follow(match, phase):
            self.counts["hands"] += 1
            if closely:
                self.counts["full"] += 1
                same(look(fold(match.game, match.options, match.log)), look(match.state))
        if match.state.over:
            checks.check_outcome(match.state)
            self.counts["matches"] += 1

    def play_out(self, closely: int) -> None:
        """Play to the end, so many hands closely."""
        for _ in range(MOST_STEPS):
            if self.match.state.over:
                return
            self.step(closely=self.counts["hands"] < closely)
        raise AssertionError(f"the match does not end in {MOST_STEPS} steps")

    def _light_step(self) -> None:
        match = self.match
        self.seen = self.knowledge = None
        if match.probe.random() < 1 / 256:
            self._check(look(match.state), guesses=16)
        match.step()

    def _close_step(self) -> None:
        """Play on with another state that should be the same."""
        match, kept = self.match, self.match.state
        before = self.seen or look(kept)
        if match.state.phase == "deal":
            self.knowledge = Knowledge(match, match.probe.choice(match.viewers()))
        self._check(before, guesses=8)
        self._check_closely(before)
        back = checks.check_snapshot(match, before)
        match.state = back if match.probe.random() < 0.5 else kept.copy()
        events = self.knowledge.step(match) if self.knowledge else match.step()
        same(look(kept), before)
        self.seen = look(match.state)
        checks.check_events(match.game, before, events, self.seen)

    def _check(self, seen: Look, guesses: int) -> None:
        match = self.match
        self.words.hear(move.text for legal in seen.legal for move in legal[:40])
        checks.check_phase(match.state, seen)
        checks.check_cards(match, seen.snapshot)
        checks.check_sums(match.game, match.state)
        self.counts["checks"] += 3
        self.counts["refusals"] += checks.check_refusals(
            match, seen, self.words.guesses(match.probe, guesses)
        )

    def _check_closely(self, seen: Look) -> None:
        match = self.match
        checks.check_views(match.state, seen)
        checks.check_leaving(match)
        checks.spoil_what_it_gives(match.state, match.probe.choice(match.viewers()))
        made = checks.check_listed(match, seen) + checks.check_undo(match, seen)
        self.counts["checks"] += made + 5
        if self.knowledge and match.state.phase != "deal":
            viewer, known = self.knowledge.viewer, self.knowledge.known
            found = interference(match, viewer, known, match.probe.randrange(2**32))
            assert not found, f"viewer {viewer}: {found}"
            checks.check_openings(match, viewer, known)
            self.counts["checks"] += 2


class Batch(NamedTuple):
    """Hands that one process plays in one go: matches from this number on, the first hands closely."""

    game: str
    first: int
    hands: int
    closely: int


class Played(NamedTuple):
    """What came of a batch: counts, seconds of a processor, and what went wrong."""

    batch: Batch
    counts: Counter[str]
    seconds: float
    failure: str


def play(batch: Batch) -> Played:
    """Play whole matches until there are as many hands, or one breaks a rule."""
    began = time.process_time()
    counts: Counter[str] = Counter()
    failure, number = "", batch.first
    while counts["hands"] < batch.hands and not failure:
        match = random_match(game(batch.game), number)
        closely = batch.closely - counts["hands"]
        referee = Referee(match)
        try:
            referee.play_out(closely)
        except Exception:  # noqa: BLE001  # whatever a game may raise is what we look for
            options = json.dumps(match.game.options_json(match.options))
            failure = (
                f"{batch.game}, match {number}, {max(closely, 0)} hands closely, options {options}, "
                f"after {len(match.log)} entries, the last {match.log[-3:]}:\n{traceback.format_exc()}"
            )
        counts += referee.counts
        number += 1
    return Played(batch, counts, time.process_time() - began, failure)


def batches(names: Sequence[str], hands: int, full: int, first: int) -> Iterator[Batch]:
    """The work in parts of a minute or so; each has match numbers of its own."""
    for total, most, closely in ((full, 20, 20), (hands - full, 500, 0)):
        for name in names:
            for begun in range(0, total, most):
                size = min(most, total - begun)
                yield Batch(name, first, size, min(size, closely))
                first += size


def run(work: Sequence[Batch], processes: int) -> Iterator[Played]:
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(play, batch) for batch in work]):
            yield done.result()


def table(rows: Mapping[str, Counter[str]], seconds: Mapping[str, float]) -> str:
    lines = [f"{'game':18}" + "".join(f"{name:>11}" for name in (*COUNTED, "seconds"))]
    for name, counts in rows.items():
        numbers = "".join(f"{counts[each]:11,}" for each in COUNTED)
        lines.append(f"{name:18}{numbers}{seconds[name]:11,.0f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    every = [each.id for each in games()]
    parser = argparse.ArgumentParser(description="Random hands of every game, held to what the games keep.")
    parser.add_argument("--games", nargs="+", choices=every, default=every, metavar="GAME")
    parser.add_argument("--hands", type=int, default=20_000, help="hands a game")
    parser.add_argument("--full", type=int, default=500, help="how many of them are checked at every step")
    parser.add_argument("--first", type=int, default=0, help="number of the first match")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="the counts as JSON")
    asked = parser.parse_args(arguments)
    rows: dict[str, Counter[str]] = {name: Counter() for name in asked.games}
    seconds = dict.fromkeys(asked.games, 0.0)
    failed = False
    work = list(batches(asked.games, asked.hands, min(asked.full, asked.hands), asked.first))
    for played in run(work, asked.processes):
        rows[played.batch.game] += played.counts
        seconds[played.batch.game] += played.seconds
        if played.failure:
            failed = True
            print(played.failure, file=sys.stderr, flush=True)  # noqa: T201
    rounded = {name: round(each, 1) for name, each in seconds.items()}
    counted = [
        {"game": name, **{each: counts[each] for each in COUNTED}, "seconds": rounded[name]}
        for name, counts in rows.items()
    ]
    print(json.dumps(counted) if asked.json else table(rows, seconds))  # noqa: T201
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
