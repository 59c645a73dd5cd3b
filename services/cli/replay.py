"""An archived match played again: its decks and moves through the rules core, its end compared with the
recorded one.

Works for every game: what a hand's record does not show to everybody (a deck with hidden cards, a secret
move) cannot be played again and is said to be so.
"""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any

from tavolo.table.v1.result_pb2 import HandRecord, MatchResult

from services.rules import deal
from services.rules.core.errors import OptionsError, Refused, UnknownGame
from services.rules.core.registry import game
from services.rules.core.state import State
from services.rules.money import Tally

Order = Callable[[Sequence[str]], Sequence[int]]
"""Of cards that are to be shuffled the order that the shuffle gave them."""
NO_SEEDS: Mapping[int, bytes] = MappingProxyType({})


@dataclass(slots=True)
class Replay:
    """What came of it.

    `shuffles`: by index of the hand's record, the cards that each of its shuffles was asked for, in the
    order before the shuffle. `problems`: what contradicts the record, in words; none = the archive replays
    to the same result. `unshown`: why the match could be played again only up to some hand, "" if it was
    played whole.
    """

    hands: int = 0
    moves: int = 0
    scores: list[int] = field(default_factory=list)
    shuffles: dict[int, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))
    problems: list[str] = field(default_factory=list)
    unshown: str = ""


def replay(result: MatchResult, seeds: Mapping[int, bytes] = NO_SEEDS) -> Replay:
    """Plays a match again from its record; what is wrong with the record is among the problems.

    `seeds`: by index of the hand's record, the seeds of hands whose decks are not in the record.
    """
    found = Replay()
    try:
        rules = game(result.game)
        state = rules.start(rules.options(json.loads(result.options)), result.dealer)
    except (UnknownGame, OptionsError, ValueError) as error:
        found.problems.append(f"the match cannot be begun: {error}")
        return found
    if rules.rules_version != result.rules_version:
        found.unshown = (
            f"played under version {result.rules_version} of the rules, these are {rules.rules_version}"
        )
        return found
    tally = Tally(rules, state.options, result.chip.cents)
    for number, record in enumerate(result.hands):
        if not _play_hand(state, number, record, seeds.get(number), found, tally):
            break
    else:
        if result.missing and state.phase == "deal":
            state.break_off()
            tally.follow(state)
    found.scores = list(state.scores)
    if not found.problems and not found.unshown and result.outcome.ended_by != "void":
        found.problems += _differences(state, tally, result)
    return found


def _play_hand(
    state: State[Any], number: int, record: HandRecord, seed: bytes | None, found: Replay, tally: Tally
) -> bool:
    """Deals and plays one hand; whether the match can go on from there."""
    orders = deque(_orders(record, seed))
    if record.proof.roots and not orders:
        found.unshown = f"{_name(record)}: not all of its cards were shown"
        return False
    if (state.hand, state.tie_break) != (record.hand, record.tie_break):
        found.problems.append(
            f"{_name(record)} is recorded, hand {state.hand} ({state.tie_break}) was to be played"
        )
        return False
    try:
        _shuffle(state, number, orders, found)
        for move in record.moves:
            if not move.move:
                found.unshown = f"{_name(record)}: a move of seat {move.seat} is not shown to everybody"
                return False
            state.apply(move.seat, move.move)
            found.moves += 1
            _shuffle(state, number, orders, found)
            tally.follow(state)
    except (Refused, ValueError) as error:
        found.problems.append(f"{_name(record)}, move {found.moves + 1} of the match: {error}")
        return False
    if orders:
        found.problems.append(f"{_name(record)}: {len(orders)} recorded shuffles were not asked for")
        return False
    score = {item.id: list(item.values) for item in record.score}
    replayed = {item: list(points) for item, points in (state.hand_score or {}).items() if item in score}
    if score != replayed:
        found.problems.append(f"{_name(record)}: scored {score}, replayed {replayed}")
    found.hands += 1
    return True


def _orders(record: HandRecord, seed: bytes | None) -> Iterator[Order]:
    """The shuffles of a hand, from its decks, or from its seed where those are not shown."""
    if seed is None:
        yield from (partial(_order_of, deck.cards) for deck in record.decks)
    else:
        yield from (partial(_order_by, seed, number) for number in range(len(record.proof.roots)))


def _shuffle(state: State[Any], number: int, orders: deque[Order], found: Replay) -> None:
    """Gives the state the shuffles that it asks for, as far as they belong to this hand."""
    while orders and (asked := state.needs_chance) is not None:
        found.shuffles[number].append(asked.cards)
        state.supply(orders.popleft()(asked.cards))


def _order_by(seed: bytes, number: int, cards: Sequence[str]) -> Sequence[int]:
    return deal.order(seed, len(cards), number)


def _order_of(deck: Iterable[str], cards: Sequence[str]) -> list[int]:
    """The order that makes this deck of these cards. ValueError: it is made of other cards."""
    places: dict[str, deque[int]] = defaultdict(deque)
    for place, face in enumerate(cards):
        places[face].append(place)
    try:
        order = [places[face].popleft() for face in deck]
    except IndexError as error:
        raise ValueError("the recorded deck is not made of the cards that were to be shuffled") from error
    if len(order) != len(cards):
        raise ValueError("the recorded deck has not all the cards that were to be shuffled")
    return order


def _differences(state: State[Any], tally: Tally, result: MatchResult) -> list[str]:
    """In what the replayed match ended otherwise than the recorded one."""
    if state.outcome is None:
        return ["the match is over in the record, and goes on in the replay"]
    recorded = result.outcome
    pairs: dict[str, tuple[Any, Any]] = {
        "scores": (list(result.scores), list(state.scores)),
        "winner": (recorded.winner if recorded.HasField("winner") else None, state.outcome.winner),
        "places": (list(recorded.places), list(state.outcome.places)),
        "ended_by": (recorded.ended_by, state.outcome.ended_by),
        "offender": (recorded.offender if recorded.HasField("offender") else None, state.outcome.offender),
    }
    if result.settlement:
        pairs["settlement"] = (json.loads(result.settlement), tally.to_json())
    return [f"{key}: recorded {was}, replayed {now}" for key, (was, now) in pairs.items() if was != now]


def _name(record: HandRecord) -> str:
    return f"hand {record.hand}" + (f", tie-break {record.tie_break}" if record.tie_break else "")
