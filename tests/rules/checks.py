"""What every game keeps, whatever is played (CONVENTIONS.md, sections 3 to 8).

Each check looks at one state and leaves it as it is; it is here once, for the short runs of the tests and for
the long one (`invariants.py`).
"""

import json
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import pytest

from services.rules.core.cards import Deck
from services.rules.core.errors import Refused
from services.rules.core.game import Game
from services.rules.core.moves import Event, Move
from services.rules.core.state import State
from services.rules.core.view import View
from tests.rules.strategies import Match, as_bytes, faces, some

ZONES = (
    "hands", "stock", "discard", "table", "trick", "played", "captured", "given", "reds", "pozzetti", "melds",
)  # fmt: skip

CHIPS = ("bestia", "poker", "sette_e_mezzo")
"""Games whose scores are chips, which change hands during a hand too (CONVENTIONS.md, section 5)."""

ZERO_SUM = (*CHIPS, "tarocco")
"""Games where what one side gets others, or the pot, pay."""

MATCH_IS_THE_UNIT = {"canasta", "poker"}
"""Games settled at the end of the match: what may be lost is said before it (and in canasta grows with the
stake)."""

LISTED_IN_PART = {"burraco", "canasta", "jolly", "scala40"}
"""Games that accept longer melds, additions and takes than they list (section 3)."""

ENDS = ("score", "draw", "ko_rule", "cappotto", "resign")


class Look(NamedTuple):
    """All that a state says: to be compared as `text`, the rest to look things up."""

    snapshot: dict[str, Any]
    legal: list[list[Move]]
    views: dict[int | None, View]
    text: bytes


def look(state: State[Any]) -> Look:
    viewers = (None, *range(state.options.seats))
    snapshot = state.to_json()
    legal: list[list[Move]] = [list(state.legal(seat)) for seat in range(state.options.seats)]
    views = {viewer: state.view(viewer) for viewer in viewers}
    rest = [state.openings(viewer) for viewer in viewers], state.needs_chance, state.whole_deck_shown
    values = [snapshot, legal, list(views.values()), state.scores, state.outcome, state.settlement, rest]
    return Look(snapshot, legal, views, as_bytes(values))


def same(one: Look, two: Look) -> None:
    """The two states say the same."""
    if one.text != two.text:
        assert orjson.loads(one.text) == orjson.loads(two.text)  # which shows where they differ
    assert one.text == two.text


# ------------------------------------------------------------------------------------------ phases, views


def check_phase(state: State[Any], seen: Look) -> None:
    """Seats are to act, or chance, or the match is over; who may not act has no legal move."""
    assert list(state.to_act) == sorted(set(state.to_act))
    asks = state.needs_chance  # in mid-hand too, where discards become a new stock
    assert bool(state.to_act) == (asks is None and not state.over)
    if state.phase == "deal":
        assert asks is not None
        assert asks.purpose != "stock"
    assert not (state.over and asks)
    assert state.over == (state.phase == "over") == (state.outcome is not None)
    for seat, legal in enumerate(seen.legal):
        assert bool(legal) == (seat in state.to_act)
        if not legal:
            refusal = state.check(seat, "no move at all")
            assert refusal is not None
            assert refusal.code == ("match_over" if state.over else "not_your_turn")


def check_openings(match: Match, viewer: int | None, known: Collection[str]) -> None:
    """Of the last shuffle only what the viewer has seen is opened to it, each place once."""
    places = match.state.openings(viewer)
    assert list(places) == sorted(set(places))
    assert {match.shuffled[place] for place in places} <= set(known)


def check_views(state: State[Any], seen: Look) -> None:
    """Ids are unique, hidden cards have a count, every seat to act is asked for something."""
    for viewer, view in seen.views.items():
        ids = {zone.id for zone in view.zones}
        assert len(ids) == len(view.zones)
        for zone in view.zones:
            assert zone.id == zone.kind or zone.id.startswith(f"{zone.kind}.")
            assert zone.cards is None or len(zone.cards) <= zone.count
        assert {seat for prompt in view.prompts for seat in prompt.seats} == set(state.to_act)
        assert all(prompt.text.keys() == {"it", "en"} for prompt in view.prompts)
        assert list(view.moves) == ([] if viewer is None else seen.legal[viewer])
        assert all(move.target in ids | {""} for move in view.moves)


def check_cards(match: Match, snapshot: Mapping[str, Any]) -> None:
    """No card is lost or doubled, and everybody sees how many lie where."""
    state, game = match.state, match.game
    if "boards" in snapshot:
        for board in snapshot["boards"]:
            cards = Counter(faces([board["columns"], board["waste"], board["stock"]], game))
            cards.update(_under(board["bases"], game.deck))
            assert cards == Counter(game.deck.texts) or (state.phase == "deal" and not cards)
        return
    # A card is in one zone at a time, but for bestia's turned card, which is in none (CONVENTIONS.md, 1).
    zones = (*ZONES, "briscola") if game.id == "bestia" else ZONES
    cards = Counter(faces([snapshot.get(zone) for zone in zones], game))
    if state.phase == "deal" and len(match.log) == 1:
        assert not cards
    elif state.phase != "deal":
        assert cards == Counter(match.dealt)
    counted = sum(zone.count for zone in state.public_view().zones if zone.kind in zones)
    assert counted == cards.total()


def _under(bases: Iterable[str | None], deck: Deck) -> Iterable[str]:
    """The cards of bases of which only the tops are named: a suit up to there."""
    for top in bases:
        if top is not None:
            last = deck.number[top]
            yield from deck.faces[last - last % 13 : last + 1]


# ------------------------------------------------------------------------------------------ moves


def check_listed(match: Match, seen: Look, most: int = 300) -> int:
    """Every listed move is accepted, is spelt canonically and changes something; how many were made."""
    state, made = match.state, 0
    for seat in state.to_act:
        legal = seen.legal[seat]
        assert len({move.text for move in legal}) == len(legal)
        for move in some(match.probe, legal, most):
            assert state.parse(seat, move.text) == move
            assert state.check(seat, move) is None
            after = state.copy()
            assert after.apply(seat, move.text).text == move.text
            if made % 8 == 0:  # writing a state down costs most
                assert after.to_json() != seen.snapshot
            made += 1
    return made


def check_undo(match: Match, seen: Look) -> int:
    """A step taken back leaves nothing behind but that it was counted; how many were taken back."""
    undone = 0
    for seat in match.state.to_act:
        steps = [move for move in seen.legal[seat] if move.verb in STEPS]
        for move in some(match.probe, steps, 4):
            after = match.state.copy()
            after.apply(seat, move)
            if after.check(seat, "undo") is None:
                after.apply(seat, "undo")
                undone += 1
                # The two steps may have been the last ones that solitario's `max_moves` allows.
                if seat in after.to_act and (left := after.to_json()) != seen.snapshot:
                    assert uncounted(left) == uncounted(seen.snapshot)
    return undone


STEPS = {"meld", "add", "swap", "take", "move"}
"""What `undo` takes back, where the game has it."""

COUNTED = {"moves", "steps", "last_base"}
"""What solitario keeps of a move although it was taken back."""


def uncounted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: uncounted(part) for key, part in value.items() if key not in COUNTED}
    if isinstance(value, list) and not (value and isinstance(value[0], str)):  # cards hold nothing counted
        return [uncounted(part) for part in value]
    return value


def check_refusals(match: Match, seen: Look, texts: Sequence[str]) -> int:
    """A move that is not listed is refused and changes nothing; how many were tried.

    In the rummies longer melds, additions and takes than those listed are accepted.
    """
    state, tried = match.state, 0
    for seat in range(match.options.seats):
        listed = {move.text for move in seen.legal[seat]}
        for text in texts if seat in state.to_act else texts[:4]:
            move = state.parse(seat, text)
            if isinstance(move, Move) and move.text in listed:
                assert state.check(seat, text) is None
                continue
            refusal = state.check(seat, text)
            if refusal is None:
                assert isinstance(move, Move)
                assert match.game.id in LISTED_IN_PART
                assert is_longer_than_listed(move)
                assert state.copy().apply(seat, text).text == move.text
                assert state.parse(seat, move.text) == move
                continue
            assert refusal.code
            assert refusal.text
            with pytest.raises(Refused) as refused:
                state.apply(seat, text)
            assert refused.value.refusal == refusal
            tried += 1
    assert state.to_json() == seen.snapshot
    return tried


def is_longer_than_listed(move: Any) -> bool:
    return len(move.cards) > {"meld": 3, "add": 1, "take": 0}.get(move.verb, len(move.cards))


class Words:
    """The words of a match's moves, and texts made of them that may be moves or not."""

    def __init__(self, game: Game) -> None:
        self.faces = game.deck.faces
        self.texts: dict[str, None] = {}

    def hear(self, texts: Iterable[str]) -> None:
        self.texts.update(dict.fromkeys(texts))

    def guesses(self, rng: random.Random, count: int) -> list[str]:
        """About so many texts: moves of other states, and moves with a word changed."""
        known = list(self.texts)
        heard = rng.sample(known, min(count // 2, len(known)))
        found = {self._changed(text, rng) for text in rng.choices(known, k=count // 2)} if known else set()
        texts = sorted((found | {*heard, "", " ", "play", rng.choice(self.faces)}) - {"abandon"})
        rng.shuffle(texts)
        return texts

    def _changed(self, text: str, rng: random.Random) -> str:
        words = text.split(" ")
        place = rng.randrange(len(words))
        another = rng.choice(list(self.texts)).split(" ")
        other = rng.choice([rng.choice(self.faces), str(rng.randint(0, 12)), *another])
        match rng.randrange(7):
            case 0:
                del words[place]
            case 1:
                words.insert(place, other)
            case 2:
                words.append(other)
            case 3:
                return text.upper() if rng.random() < 0.5 else f"{text} "
            case _:
                words[-1 if rng.random() < 0.7 else place] = other
        return " ".join(words)


def check_leaving(match: Match) -> None:
    """Whoever is still in the match may leave it, at any time; with two sides that is the end of it."""
    for seat in some(match.probe, range(match.options.seats), 2):
        state = match.state.copy()
        side = match.options.side(seat)
        refusal = state.check(seat, "abandon")
        if state.over:
            assert refusal is not None
            assert refusal.code == "match_over"
            continue
        if refusal is not None:  # who is out, or has left before
            assert refusal.code == "not_your_turn"
            assert seat not in state.to_act
            continue
        state.apply(seat, "abandon")
        check_money(state)
        if match.options.sides == 2:
            outcome = state.outcome
            assert outcome is not None
            assert (outcome.winner, outcome.offender, outcome.ended_by) == (1 - side, seat, "abandon")
            assert outcome.places[side] == 2
            mine, theirs = state.scores[side], state.scores[1 - side]
            assert mine >= theirs if match.options.low_wins else mine <= theirs


# ------------------------------------------------------------------------------------------ sums


def check_sums(game: Game, state: State[Any]) -> None:
    """Chips and money are neither made nor lost while nobody leaves."""
    if game.id in ZERO_SUM:
        pot = state.to_json().get("pot", 0)
        assert sum(state.scores) + pot == sum(game.start(state.options, 0).scores)
    check_money(state)


def check_money(state: State[Any]) -> None:
    """What some pay others get, or the house."""
    if money := state.settlement:
        assert len(money["delta"]) == state.options.seats
        assert sum(money["delta"]) + money["commission"] == 0


def check_outcome(state: State[Any]) -> None:
    """A match that nobody left has a winner, or is drawn by those who share the first place."""
    outcome = state.outcome
    assert outcome is not None
    assert len(outcome.places) == state.options.sides
    assert outcome.ended_by in ENDS
    assert outcome.offender is None
    if outcome.winner is None:
        assert outcome.ended_by == "draw"
        assert outcome.places.count(1) > 1
    else:
        assert outcome.places[outcome.winner] == 1
        assert outcome.places.count(1) == 1


class Totals:
    """Scores are what the hands gave, and nobody loses more than was said before the hand, or the match."""

    def __init__(self, match: Match) -> None:
        self.total = list(match.state.scores)
        self.hands = 0
        self._before_hand(match.state)

    def _before_hand(self, state: State[Any]) -> None:
        self.most = [state.max_loss(seat) for seat in range(state.options.seats)]
        self.began = list(state.scores)

    def follow(self, match: Match, phase: str) -> bool:
        """After a step out of this phase; whether a hand has ended with it."""
        state, game = match.state, match.game
        ended = (phase != "deal" and state.phase in ("deal", "over")) or phase != "reentry" == state.phase
        if phase == "reentry":
            self.total = list(state.scores)  # who re-enters gets the score of another seat
            ended = False
        elif ended:
            self._hand_ended(match)
        if game.id not in CHIPS or state.phase in ("deal", "over"):
            assert state.scores == self.total
        if state.phase == "deal" and game.id not in MATCH_IS_THE_UNIT:
            self._before_hand(state)
        return ended

    def _hand_ended(self, match: Match) -> None:
        state = match.state
        score = state.hand_score
        assert score is not None
        self.total = [a + b for a, b in zip(self.total, score["total"], strict=True)]
        self.hands += 1
        check_sums(match.game, state)
        if match.game.id in CHIPS:
            lost = [was - now for was, now in zip(self.began, state.scores, strict=True)]
        else:
            lost = [-delta for delta in state.settlement["delta"]] if state.settlement else []
        if any(self.most) and match.game.id != "canasta":
            assert all(chips <= most for chips, most in zip(lost, self.most, strict=False))


# ------------------------------------------------------------------------------------------ events, snapshots


def event_for(event: Event, viewer: int | None) -> dict[str, Any]:
    """An event as a viewer gets it."""
    private = {} if viewer is None or event.private is None else event.private.get(viewer, {})
    return {"kind": event.kind, "seat": event.seat, **event.data, **private}


def check_events(game: Game, before: Look, events: list[Event], after: Look) -> None:
    """An event shows no more than the views beside it."""
    turned_up = _table_of_a_deal(events, game)
    for viewer, view in before.views.items():
        told = set(faces([event_for(event, viewer) for event in events], game))
        if told:
            assert told <= _shown(view, game) | _shown(after.views[viewer], game) | turned_up


def _table_of_a_deal(events: list[Event], game: Game) -> set[str]:
    """The first cards of a table: they lay open, even if they are gone before anybody moves."""
    deals = [event for event in events if event.kind in ("hand_dealt", "deal_voided")]
    return set(faces([event.data.get("table", []) for event in deals], game))


def _shown(view: View, game: Game) -> set[str]:
    """The faces that a view shows."""
    return set(faces([view.zones, view.facts], game))


def check_snapshot(match: Match, seen: Look) -> State[Any]:
    """A snapshot is the state; that state."""
    back = match.game.from_json(match.options, json.loads(json.dumps(seen.snapshot)))
    same(look(back), seen)
    return back


def spoil(value: Any) -> None:
    """Change every list and object in a value."""
    if isinstance(value, dict):
        for part in list(value.values()):
            spoil(part)
        value.clear()
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value.clear()
    elif hasattr(value, "cards"):
        spoil(value.cards)


def spoil_what_it_gives(state: State[Any], viewer: int | None) -> None:
    """What a view or snapshot holds is not the state itself: whoever gets it may do with it as he likes."""
    spoil(state.to_json())
    view = state.view(viewer)
    spoil([view.to_act, view.zones, view.scores, view.hand_score, view.facts, view.moves])
