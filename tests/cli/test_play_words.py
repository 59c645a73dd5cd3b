"""Whatever the games show and tell is told to a player in words, in both languages."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from services import rules
from services.bots.choice import choose
from services.cli.play_events import EVENTS
from services.cli.play_names import FACTS, ITEMS, UNSAID, ZONES
from services.cli.play_words import Words
from services.rules.core.game import Game
from services.rules.core.moves import Event
from services.rules.core.registry import game, games
from services.rules.core.state import State
from tests.bots.updates import update

NAMES = ("Anna", "Beppe", "Carla", "Dario", "Elena", "Franca", "Gina", "Ivo", "Lia", "Mario")
# Options under which something is told that is not told otherwise.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "burraco": [{"seats": 4}],
    "jolly": [{"match": "hands", "hands": 1}],
    "scala40": [{"seats": 4, "reentry": 1}],
    "tresette": [{"accusi": True, "seats": 4}],
    "sette_e_mezzo": [{"variant": "round", "betting": "free"}, {"reshuffle": "hand"}],
    "uno": [{"match": "points"}, {"challenge": True, "uno_call": "declare"}],
}
MAKERS = ("Event", "seat_event", "chips_event")


def kinds_in_source() -> set[str]:
    """Every text in the source of the rules that is an event's kind."""
    found: set[str] = set()
    for path in Path(rules.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                found |= {
                    each.value
                    for each in ast.walk(node.args[0])
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return found - {"meld"}  # the verb by which the kind is chosen


def played(of: Game, options: dict[str, Any], seed: int) -> Iterator[tuple[State[Any], list[Event]]]:
    """A match, or its first 600 moves: by chance and by choosers in turn, that all sorts of things happen."""
    rng = random.Random(seed)  # noqa: S311 - repeatable
    state = of.start(of.options(options), 0)
    for turn in range(600):
        while shuffle := state.needs_chance:
            order = list(range(len(shuffle.cards)))
            rng.shuffle(order)
            yield state, list(state.supply(order))
        if state.over:
            return
        seat = rng.choice(list(state.to_act))
        if rng.random() < 0.7:
            move = choose(of.id, update(state, seat, game=of.id, turn=turn))
        else:
            move = rng.choice(state.legal(seat)).text
        yield state, list(state.apply(seat, move).events)


MATCHES = [
    pytest.param(of, options, id=f"{of.id}-{options}")
    for of in games()
    for options in ({}, *VARIANTS.get(of.id, ()))
]


def test_every_kind_of_event_in_the_rules_has_words() -> None:
    assert kinds_in_source() - EVENTS.keys() == set()


def test_both_languages_tell_the_same_values() -> None:
    def values(text: str) -> list[Any]:
        return sorted((name, form) for _, name, form, _ in Formatter().parse(text) if name)

    for kind, tellings in EVENTS.items():
        for italian, english, *_ in tellings:
            assert values(italian) == values(english), kind


@pytest.mark.parametrize(("of", "options"), MATCHES)
def test_what_a_match_shows_and_tells_has_words(of: Game, options: dict[str, Any]) -> None:
    languages = [Words("it"), Words("en")]
    for state, events in played(of, options, seed=1):
        public = state.public_view()
        assert {zone.kind for zone in public.zones} <= ZONES.keys()
        assert (public.hand_score or {}).keys() <= ITEMS.keys()
        assert public.facts.keys() <= FACTS.keys() | UNSAID
        for seat in range(len(state.to_act)):
            own = state.own_view(state.to_act[seat])
            assert {zone.kind for zone in own.zones} <= ZONES.keys()
            assert own.facts.keys() <= FACTS.keys() | UNSAID
        for event in events:
            for data in (event.data, *({**event.data, **own} for own in (event.private or {}).values())):
                for words in languages:
                    check(words.event(event.kind, event.seat, data, NAMES.__getitem__), event.kind)
        for words in languages:
            for key, value in public.facts.items():
                check(words.fact(key, value, NAMES.__getitem__), key)


def check(line: str, what: str) -> None:
    """A line for people: no code with an underscore, no JSON, nothing that is not there."""
    assert not set(line) & set("_{}[]'\""), (what, line)
    assert "None" not in line, (what, line)


@pytest.mark.parametrize(
    ("kind", "seat", "data", "line"),
    [
        ("card_drawn", 0, {"stock": 60}, "Anna draws from the stock"),
        ("card_drawn", 0, {"stock": 60, "card": "7d"}, "Anna draws 7d"),
        ("hand_closed", 1, {"in_hand": True}, "Beppe closes in hand!"),
        ("hand_closed", 1, {"in_hand": False}, "Beppe closes"),
        ("cards_drawn", None, {"cards": [None, "5s"], "stock": 3}, "drawn: Beppe 5s"),
        ("cards_drawn", None, {"cards": [None, None], "stock": 3}, "everybody draws"),
        ("cards_drawn", 1, {"count": 2, "reason": "plus_two", "stock": 3}, "Beppe draws 2 cards for the +2"),
        ("call_made", 1, {"call": "bid solo_seme"}, "Beppe bids solo di seme"),
        ("bet_raised", 0, {"chips": 120}, "Anna raises to 120"),
        ("cards_given", 2, {"cards": 3}, "Carla gives 3 cards"),
        ("cards_given", 2, {"cards": ["8h", "Kh", "Ac"]}, "Carla gives 8h Kh Ac"),
        ("gifts_received", None, {"cards": 3}, "everybody gets three cards"),
        ("pozzetto_taken", 0, {"side": 0, "al_volo": False, "cards": 11}, "Anna takes the pozzetto"),
        ("hands_shown", None, {"hands": [0, ["Kh", "7d"]]}, "shown: Beppe Kh 7d"),
        (
            "duel_settled",
            1,
            {"punter": 1, "punter_total": 1, "banker_total": 3.5, "paid": -1},
            "Beppe 1, bank 3.5: -1",
        ),
    ],
)
def test_the_fullest_telling_of_which_all_is_known_is_used(
    kind: str, seat: int | None, data: dict[str, Any], line: str
) -> None:
    assert Words("en").event(kind, seat, data, NAMES.__getitem__) == line


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("opening", {"ready": 31, "needed": 40}, "to open 31 / 40"),
        ("opening", None, ""),
        ("layable", [{"move": "meld Qc Kc Ac", "value": 31}], "layable Qc Kc Ac"),
        ("cube", 0, "may double Anna"),
        ("frozen", True, "pile frozen"),
        ("pots", [{"chips": 40, "winners": [1]}], "pots 40 → Beppe"),
        ("direction", -1, "direction ←"),
        ("colour", "r", "colour red"),
        ("stall", 3, ""),
        ("taken", [True, False], "pozzetto taken yes – no"),
    ],
)
def test_facts_are_told_by_name_and_in_words(key: str, value: Any, line: str) -> None:
    assert Words("en").fact(key, value, NAMES.__getitem__) == line


def test_a_contract_of_tarocco_is_told_with_its_additions() -> None:
    contract = {
        "game": "chiamante",
        "caller": 0,
        "called": "T20",
        "kontra": 1,
        "additions": [{"call": "bagatto", "seat": 1, "kontra": 0}, {"call": "tutte", "seat": 0, "kontra": 2}],
    }
    told = Words("it").fact("contract", contract, NAMES.__getitem__)
    assert told == "si gioca chiamante T20 (Anna) kontra, bagatto (Beppe), tutte le prese (Anna) rekontra"
    assert game("tarocco").names["it"]
