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
    Golden("scopone", "scopone", {"match": "hands", "hands": 2}),
    Golden(
        "scopone_scientifico",
        "scopone",
        {"variant": "scientifico", "match": "hands", "hands": 1, "seen_cards": True, "open_partners": True},
    ),
    Golden("asso_pigliatutto", "asso_pigliatutto", {"target": 11}),
    Golden("asso_pigliatutto_four_seats", "asso_pigliatutto", {"seats": 4, "ace_scopa": False}, leaver=2),
    Golden("cirulla", "cirulla", {"match": "hands", "hands": 4}),
    Golden(
        "cirulla_four_seats",
        "cirulla",
        {"seats": 4, "match": "hands", "hands": 2, "matta": True, "ace_fifteen": True},
    ),
    Golden("cirulla_seen_cards", "cirulla", {"seen_cards": True, "ko": True}, leaver=0),
    Golden("tarocco", "tarocco", {"hands": 2}),
    Golden("tarocco_stakes", "tarocco", {"hands": 1, "stake": 50, "limit": 400}),
    Golden("tarocco_abandoned", "tarocco", {"match": "points", "stake": 50, "ko": True}, leaver=2),
    Golden("bestia", "bestia", {"hands": 3}),
    Golden("bestia_carry", "bestia", {"seats": 5, "hands": 2, "carry": True, "must_trump": True}),
    Golden("bestia_abandoned", "bestia", {"seats": 3, "hands": 20, "lead_top_trump": True}, leaver=2),
    Golden("sette_e_mezzo", "sette_e_mezzo", {"seats": 3, "hands": 8}),
    Golden(
        "sette_e_mezzo_round",
        "sette_e_mezzo",
        {"seats": 5, "hands": 2, "variant": "round", "betting": "free"},
    ),
    Golden(
        "sette_e_mezzo_abandoned",
        "sette_e_mezzo",
        {"seats": 3, "bank": "real", "reshuffle": "hand"},
        leaver=0,
    ),
    Golden("poker", "poker", {"seats": 3, "stack": 100, "level_hands": 2}),
    Golden(
        "poker_hands",
        "poker",
        {"seats": 5, "match": "hands", "hands": 4, "stack": 200, "betting": "no_limit"},
    ),
    Golden("poker_abandoned", "poker", {"seats": 2, "stack": 100}, leaver=1),
    Golden("scala40", "scala40", {"pickup": "opened_only", "max_turns": 6, "max_hands": 10}),
    Golden(
        "scala40_partners",
        "scala40",
        {"seats": 4, "partners": True, "pickup": "opened_only", "max_turns": 4, "max_hands": 10},
    ),
    Golden("jolly", "jolly", {"match": "hands", "hands": 2, "max_turns": 30}),
    Golden("jolly_three_seats", "jolly", {"seats": 3, "match": "hands", "hands": 1, "max_turns": 45}),
    Golden("burraco", "burraco", {"match": "hands", "hands": 1}),
    Golden("burraco_four_seats", "burraco", {"seats": 4, "match": "hands", "hands": 1}),
    Golden("canasta", "canasta", {"target": 1, "doubling": False}),
    Golden("canasta_doubled", "canasta", {"stake": 5, "limit": 80}),
    Golden("solitario", "solitario", {"seats": 3, "hands": 2}),
    Golden("solitario_alone", "solitario", {"seats": 1, "draw_size": 1, "max_recycles": 1, "undo": False}),
    Golden("solitario_abandoned", "solitario", {"seats": 2, "hands": 2}, leaver=0),
    Golden("uno", "uno", {}),
    Golden("uno_challenge", "uno", {"seats": 2, "challenge": True, "uno_call": "declare"}),
    Golden("uno_abandoned", "uno", {"seats": 3, "hands": 2}, leaver=1),
    Golden("briscola", "briscola", {}),
    Golden("briscola_three_seats", "briscola", {"seats": 3, "seen_cards": True, "tie_hands": 0}),
    Golden("briscola_endgame_open", "briscola", {"seats": 4, "endgame_open": True, "tie_hands": 0}),
    Golden("briscola_abandoned", "briscola", {"match": "hands", "hands": 5}, leaver=0),
    Golden("tresette", "tresette", {"target": 11}),
    Golden("tresette_napoletana", "tresette", {"seats": 4, "match": "hands", "hands": 2, "accusi": True}),
    Golden(
        "tresette_perdere",
        "tresette",
        {"variant": "perdere", "seen_cards": True, "match": "hands", "hands": 1},
    ),
    Golden(
        "tresette_abandoned", "tresette", {"seats": 4, "variant": "perdere", "open_partners": True}, leaver=2
    ),
    Golden("hearts", "hearts", {"match": "hands", "hands": 1}),
    Golden("hearts_abandoned", "hearts", {"ko": True}, leaver=3),
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
        yield f"    of {_listed([move.text for move in legal])}"
        applied = state.apply(seat, text)
        yield from _events(applied.events)
        yield f"    lead-in {applied.lead_in_ms} ms, {_public(state.public_view())}"
        if state.phase == "deal" or state.over:
            yield from _views(state)


def _listed(texts: list[str]) -> str:
    """All of them, or how many where there are hundreds, with the first and the last."""
    if len(texts) > 100:
        texts = [f"{len(texts)}: {texts[0]}", "…", texts[-1]]
    return ", ".join(texts)


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
        yield f"  seat {seat}: {zones}; {_listed([move.text for move in own.moves])}".rstrip("; ")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)


def text(golden: Golden) -> str:
    return "\n".join(lines(golden)) + "\n"


def main() -> None:
    for golden in GOLDEN:
        golden.path.write_text(text(golden), encoding="utf-8")


if __name__ == "__main__":
    main()
