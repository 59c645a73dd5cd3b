"""Whole matches as text: what a change of the rules changes is a difference to read.

    python -m tests.rules.golden      writes the files of tests/rules/golden again

The moves follow from the name of the match, so that the same text comes out everywhere.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from services.rules import deal
from services.rules.core.registry import game
from services.rules.core.state import State
from services.rules.core.view import View

FOLDER = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Golden:
    """One match: its file is named after it."""

    name: str
    game: str
    options: dict[str, Any]
    leaver: int | None = None
    """A seat that abandons in the second hand."""

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"


GOLDEN = [
    Golden("scopa", "scopa", {}),
    Golden("scopa_four_seats", "scopa", {"seats": 4, "match": "hands", "hands": 2}),
    Golden("scopa_open_partners", "scopa", {"seats": 4, "match": "hands", "hands": 1, "open_partners": True}),
    Golden("scopa_seen_cards", "scopa", {"match": "hands", "hands": 1, "tie_hands": 0, "seen_cards": True}),
    Golden("scopa_abandoned", "scopa", {"target_rule": "reach"}, leaver=1),
]


def lines(golden: Golden) -> Iterator[str]:
    """The match, line by line."""
    played = game(golden.game)
    options = played.options(golden.options)
    state = played.start(options, dealer=0)
    yield f"{played.id} (rules version {played.rules_version}) {_json(played.options_json(options))}"
    step = 0
    while not state.over:
        step += 1
        seed = sha256(f"{golden.name} {step}".encode()).digest()
        if shuffle := state.needs_chance:
            order = deal.order(seed, len(shuffle.cards), 0)
            yield ""
            yield f"{shuffle.purpose}: {' '.join(shuffle.cards[card] for card in order)}"
            yield from _events(state.supply(order))
            yield from _views(state)
            continue
        seat = state.to_act[deal.order(seed, len(state.to_act), 1)[0]]
        legal = state.legal(seat)
        text = legal[deal.order(seed, len(legal), 0)[0]].text
        if golden.leaver is not None and state.hand == 2 and step % 9 == 0:
            seat, text = golden.leaver, "abandon"
        yield ""
        yield f"{seat} {text}"
        yield f"    of {', '.join(move.text for move in legal)}"
        applied = state.apply(seat, text)
        yield from _events(applied.events)
        yield f"    lead-in {applied.lead_in_ms} ms, {_public(state.public_view())}"
        if state.phase == "deal" or state.over:
            yield from _views(state)


def _events(events: Any) -> Iterator[str]:
    for event in events:
        who = "" if event.seat is None else f" by {event.seat}"
        private = "" if event.private is None else f", to each {_json(event.private)}"
        yield f"    {event.kind}{who} {_json(event.data)}{private}"


def _public(view: View) -> str:
    zones = ", ".join(f"{zone.id} {_zone(zone)}" for zone in view.zones)
    return f"{view.phase} to act {list(view.to_act)}: {zones}"


def _zone(zone: Any) -> str:
    return f"({zone.count})" if zone.cards is None else f"[{' '.join(zone.cards)}]"


def _views(state: State[Any]) -> Iterator[str]:
    view = state.public_view()
    yield f"  everybody: {_public(view)}; hand {view.hand}, tie-break {view.tie_break}, dealer {view.dealer}"
    yield f"    scores {list(view.scores)}, facts {_json(view.facts)}, hand score {_json(view.hand_score)}"
    if view.outcome:
        yield f"    outcome {_json(view.outcome.to_json())}"
    yield f"    openings {list(state.openings(None))}, whole deck shown: {state.whole_deck_shown}"
    for seat in range(state.options.seats):
        own = state.own_view(seat)
        zones = ", ".join(f"{zone.id} {_zone(zone)}" for zone in own.zones)
        yield f"  seat {seat}: {zones}; {', '.join(move.text for move in own.moves)}".rstrip("; ")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)


def text(golden: Golden) -> str:
    return "\n".join(lines(golden)) + "\n"


def main() -> None:
    for golden in GOLDEN:
        golden.path.write_text(text(golden), encoding="utf-8")


if __name__ == "__main__":
    main()
