"""Runs cases (CONVENTIONS.md, section 9; clock.md, section 13): a start, moves, and what must come out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.rules.clock import Clock, ClockRefusal, Expired, control, control_from_json
from services.rules.core.errors import UnknownGame
from services.rules.core.game import Game
from services.rules.core.registry import game
from services.rules.core.state import State
from services.rules.core.view import View
from services.rules.victory_points import points

Json = Mapping[str, Any]

_ORDERED = frozenset(("stock", "discard", "trick", "melds", "pozzetti", "boards", "layable"))
"""Zones whose order counts, and what is in them."""
_PERHAPS_NONE = ("melds", "pozzetti")
"""Kinds of zones of which a view has as many as there are."""
_RESULT = ("winner", "places", "ended_by", "offender")
_POINTS = ("diff", "vp", "mp")


def run_case(case: Json) -> list[str]:
    """What is wrong: one line a failure, none when the case holds. A `control` makes it one of the clock."""
    if "control" in case:
        return list(_clock_failures(case))
    if missing := {"game", "moves", "expect"} - case.keys():
        return [f"not a case: {', '.join(sorted(missing))} missing"]
    for number, move in enumerate(case["moves"]):
        if not isinstance(move.get("seat"), int) or not isinstance(move.get("move"), str):
            return [f"not a case: move {number} must have a seat and a move"]
    try:
        played = game(case["game"])
        options = played.options(case.get("options", {}))
        if "position" in case:
            state = played.from_json(options, case["position"])
        else:
            state = played.start(options, case.get("dealer", 0))
    except (UnknownGame, ValueError) as error:
        return [str(error)]
    return list(_failures(case, played, state))


def _failures(case: Json, played: Game, state: State[Any]) -> Iterator[str]:
    decks = list(case.get("deck", []))
    _answer_chance(state, decks)
    for number, move in enumerate(case["moves"]):
        refusal = state.check(move["seat"], move["move"])
        code = refusal.code if refusal else None
        if code != move.get("error"):
            said = f"{refusal.code} ({refusal.text})" if refusal else "accepted"
            wanted = move.get("error", "accepted")
            yield f"move {number} ({move['seat']}: {move['move']}): {said}, expected {wanted}"
        if refusal is None:
            state.apply(move["seat"], move["move"])
            _answer_chance(state, decks)
    yield from _compare_state(case["expect"], played, state)


def _answer_chance(state: State[Any], decks: list[str]) -> None:
    """Deal from the case's deck, card 0 first; a shuffle in mid-hand gives the cards back in deck order."""
    while shuffle := state.needs_chance:
        size = len(shuffle.cards)
        if shuffle.purpose == "stock":
            state.supply(range(size))
        elif 0 < size <= len(decks):  # a deal that needs no deck waits for the players: no case goes on there
            state.supply(_order(shuffle.cards, decks[:size]))
            del decks[:size]
        else:
            return


def _order(cards: Sequence[str], deck: Sequence[str]) -> list[int]:
    """Which of `cards` each card of `deck` is; of two equal ones the first that is left."""
    places: dict[str, list[int]] = {}
    for place in reversed(range(len(cards))):
        places.setdefault(cards[place], []).append(place)
    return [places[face].pop() for face in deck]


# ------------------------------------------------------------------------------- comparing a state


def _compare_state(expect: Json, played: Game, state: State[Any]) -> Iterator[str]:
    snapshot = state.to_json()
    ordered = _ORDERED - played.heaps
    ended = state.outcome
    result = {
        "winner": ended and ended.winner,
        "places": list(state.places),
        "ended_by": ended and ended.ended_by,
        "offender": ended and ended.offender,
    }
    for key, wanted in expect.items():
        if key == "legal":
            first = state.to_act[0] if state.to_act else 0
            got = [move.text for move in state.legal(first)]
            yield from _differ(key, sorted(got), sorted(wanted))
        elif key == "zones":
            for zone, cards in wanted.items():
                yield from _compare_zone(f"zones.{zone}", zone, snapshot.get(zone), cards, ordered)
        elif key == "counts":
            for zone, count in wanted.items():
                yield from _differ(f"counts.{zone}", _count(snapshot.get(zone), count), count)
        elif key == "views":
            for viewer, view in wanted.items():
                yield from _compare_view(viewer, view, state, ordered)
        elif key == "hand_score":
            yield from _compare_hand_score(snapshot["hand_score"], wanted)
        elif key == "over":
            yield from _differ(key, state.over, wanted)
        elif key in _RESULT:
            yield from _differ(key, result[key], wanted)
        elif key in _POINTS:
            if state.outcome is None:
                yield f"{key}: the match is not over"
            else:
                won = points(played.id, played.options_json(state.options), state.scores, result)
                yield from _differ(key, getattr(won, key), wanted)
        else:
            yield from _differ(key, snapshot.get(key, "no such key"), wanted)


def _differ(where: str, got: Any, wanted: Any) -> Iterator[str]:
    if not _agree(got, wanted):
        yield f"{where}: {got!r}, expected {wanted!r}"


def _agree(got: Any, wanted: Any) -> bool:
    """Objects key by key for the keys given, lists element by element, the rest exactly."""
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(k in got and _agree(got[k], v) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(got, list) and len(got) == len(wanted) and all(map(_agree, got, wanted))
    return bool(got == wanted)


def _compare_zone(where: str, zone: str, got: Any, wanted: Any, ordered: frozenset[str]) -> Iterator[str]:
    if zone in ordered or not isinstance(wanted, list):
        yield from _differ(where, got, wanted)
    elif any(isinstance(part, list | int) for part in wanted):
        if not isinstance(got, list) or len(got) != len(wanted):
            yield f"{where}: {got!r}, expected {wanted!r}"
            return
        for index, (mine, theirs) in enumerate(zip(got, wanted, strict=True)):
            yield from _compare_zone(f"{where}[{index}]", zone, mine, theirs, ordered)
    elif not isinstance(got, list) or Counter(got) != Counter(wanted):
        yield f"{where}: {got!r}, expected {wanted!r}"


def _count(cards: Any, like: Any) -> Any:
    """The number of cards of a zone: one for each part where `like` is a list."""
    if isinstance(like, list) and isinstance(cards, list):
        return [len(part) for part in cards]
    return len(cards) if isinstance(cards, list) else None


def _compare_hand_score(got: Json | None, wanted: Json | None) -> Iterator[str]:
    """Items that a case leaves out must be zero for everybody, or missing."""
    if got is None or wanted is None:
        yield from _differ("hand_score", got, wanted)
        return
    for item in got.keys() | wanted.keys():
        if item in wanted:
            yield from _differ(f"hand_score.{item}", got.get(item), wanted[item])
        elif any(got[item]):
            yield f"hand_score.{item}: {got[item]!r}, expected nothing"


def _compare_view(viewer: str, wanted: Json, state: State[Any], ordered: frozenset[str]) -> Iterator[str]:
    view = state.view(None if viewer == "spectator" else int(viewer))
    shown = _zones_shown(view)
    for key, cards in wanted.items():
        got = view.facts[key] if key in view.facts else shown.get(key)
        yield from _compare_zone(f"views.{viewer}.{key}", key, got, cards, ordered)


def _zones_shown(view: View) -> dict[str, Any]:
    """The zones of a view by kind, in the shapes of a case: a hidden list of cards is its number."""
    shown: dict[str, Any] = {kind: [] for kind in _PERHAPS_NONE}
    for zone in view.zones:
        cards: Any = zone.count if zone.cards is None else list(zone.cards)
        if zone.kind == "melds":
            cards = {"seat": zone.seat, "cards": cards}
        if zone.id == zone.kind:
            shown[zone.kind] = cards
        else:
            shown.setdefault(zone.kind, []).append(cards)
    return shown


# ---------------------------------------------------------------------------------- cases of the clock


def _clock_failures(case: Json) -> Iterator[str]:
    clock = _case_clock(case)
    expired: list[Expired] = []
    t_ms = 0
    for number, event in enumerate(case["events"]):
        t_ms = event["t"]
        try:
            expired += _handle(clock, event)
            code = None
        except ClockRefusal as refusal:
            code = refusal.code
        if code != event.get("error"):
            yield f"event {number}: {code or 'accepted'}, expected {event.get('error', 'accepted')}"
    expired += clock.expire(t_ms - 1)
    got = {
        "left": clock.left(t_ms),
        "show": clock.show(t_ms),
        "running": clock.running(),
        "quota": clock.quota,
        "grace": clock.grace_left(t_ms),
        "expired": [each._asdict() for each in expired],
    }
    for key, wanted in case["expect"].items():
        yield from _differ(key, got.get(key, "no such key"), wanted)


def _case_clock(case: Json) -> Clock:
    named = case["control"] if isinstance(case["control"], str) else "tarocco"
    changes = {} if isinstance(case["control"], str) else case["control"]
    base = control(named, case.get("speed", "normale"), case.get("stakes", False))
    clock = Clock(control_from_json(changes, base), case["seats"])
    given = case.get("given", {})
    clock.banks = list(given.get("bank", clock.banks))
    clock.quota = list(given.get("quota", clock.quota))
    clock.grace = list(given.get("grace", clock.grace))
    return clock


def _handle(clock: Clock, event: Json) -> list[Expired]:
    """Give one event to the clock; what `look` finds expired."""
    t_ms, kind, seat = event["t"], event["ev"], event.get("seat", 0)
    report = {"think_ms": event.get("think"), "rtt_ms": event.get("rtt")}
    lead_in, following = event.get("lead_in", 0), event.get("next", [])
    match kind:
        case "look":
            return clock.expire(t_ms)
        case "start":
            clock.start(t_ms, event["seats"], lead_in)
        case "step":
            clock.step(t_ms, seat, **report, suspend=event.get("suspend", False), next_seats=following)
        case "move":
            clock.move(t_ms, seat, **report, next_seats=following, lead_in_ms=lead_in)
        case "up":
            clock.up(t_ms, event["present"])
        case "extend":
            clock.extend(t_ms, seat, event["ms"])
        case "go" | "drop" | "back":
            getattr(clock, kind)(t_ms, seat)
        case _:
            getattr(clock, kind)(t_ms)
    return []
