"""Whole matches of the games of scopa's kind, against a slow and obvious referee that knows cards as texts
only and nothing of the core: what may be taken, what a hand gave, when the match was over and who won it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.registry import game
from tests.rules.strategies import option_sets

Entry = list[str] | tuple[int, str, list[str]]
"""A shuffled deck; or a seat, its move, and all the moves that it was offered."""

VALUE = {rank: value for value, rank in enumerate("A234567JQK", start=1)}
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
ACCUSI = {"cirulla": 3, "decino": 10}


def value(cards: tuple[str, ...] | list[str]) -> int:
    return sum(VALUE[card[0]] for card in cards)


@dataclass
class Hand:
    """A hand as far as it was played. Piles have the cards of each side."""

    hands: list[list[str]]
    table: list[str]
    stock: list[str]
    piles: list[list[str]] = field(default_factory=lambda: [[], []])
    scope: list[int] = field(default_factory=lambda: [0, 0])
    accusi: list[int] = field(default_factory=lambda: [0, 0])
    declared: set[int] = field(default_factory=set)
    last: int = 0
    leaver: int | None = None


def sizes(name: str, options: dict[str, Any]) -> tuple[int, int]:
    if name != "scopone":
        return 3, 4
    return (9, 4) if options["variant"] == "classico" else (10, 0)


def deal(name: str, options: dict[str, Any], deck: list[str], dealer: int) -> Hand | None:
    """The dealt cards; None if the deal is void."""
    seats = options["seats"]
    each, on_table = sizes(name, options)
    table, stock = deck[each * seats : each * seats + on_table], deck[each * seats + on_table :]
    if sum(card[0] == "K" for card in table) >= 3:
        return None
    if name == "cirulla" and sum(card[0] == "A" for card in table) >= 2:
        return None
    hand = Hand([[] for _ in range(seats)], table, stock)
    give(hand, deck[: each * seats], dealer)
    if name == "cirulla" and value(table) in (15, 30):
        hand.scope[dealer % 2], hand.last = value(table) // 15, dealer
        hand.piles[dealer % 2], hand.table = table, []
    return hand


def give(hand: Hand, cards: list[str], dealer: int) -> None:
    for place, card in enumerate(cards):
        hand.hands[(dealer + 1 + place) % len(hand.hands)].append(card)
    hand.declared = set()


def takes(name: str, options: dict[str, Any], table: list[str], card: str) -> set[frozenset[str]]:
    """All that a card may take."""
    every = [taken for size in range(1, len(table) + 1) for taken in combinations(table, size)]
    equal: list[tuple[str, ...]] = [(other,) for other in table if other[0] == card[0]]
    mine = VALUE[card[0]]
    if card[0] == "A" and name in ("asso_pigliatutto", "cirulla"):
        found = equal or [tuple(table)] * bool(table)
        if equal and options.get("ace_fifteen"):
            found += [taken for taken in every if value(taken) == 14]
    elif name == "cirulla":
        found = [taken for taken in every if value(taken) in (mine, 15 - mine)]
    else:
        found = equal or [taken for taken in every if value(taken) == mine]
    return {frozenset(taken) for taken in found}


def accuso(hand: list[str], options: dict[str, Any]) -> str | None:
    """What three cards give, trying every value for the matta."""
    wild = "7c" in hand and options["matta"]
    for name in ("decino", "cirulla"):
        for stands_for in range(1, 11) if wild else (7,):
            values = [stands_for if card == "7c" else VALUE[card[0]] for card in hand]
            if len(set(values)) == 1 if name == "decino" else sum(values) <= 9:
                return name
    return None


def check_offer(name: str, options: dict[str, Any], hand: Hand, seat: int, offer: list[str]) -> None:
    held = hand.hands[seat]
    expected: set[tuple[str, frozenset[str]]] = set()
    for card in held:
        expected |= {(card, taken) for taken in takes(name, options, hand.table, card) or [frozenset()]}
    plays = [text.split(" ") for text in offer if text.startswith("play ")]
    assert len(plays) == len(expected)
    assert {(words[1], frozenset(words[3:])) for words in plays} == expected
    may_declare = name == "cirulla" and len(held) == 3 and seat not in hand.declared
    best = accuso(held, options) if may_declare else None
    assert [text for text in offer if not text.startswith("play ")] == [f"declare {best}"] * bool(best)


def play(name: str, options: dict[str, Any], hand: Hand, dealer: int, log: Iterator[Entry]) -> bool:
    """Play a hand to its end, or until somebody leaves; whether it ended with a cappotto."""
    seat = (dealer + 1) % len(hand.hands)
    while any(hand.hands):
        entry = next(log)
        assert isinstance(entry, tuple)
        mover, text, offer = entry
        if text == "abandon":
            hand.leaver = mover
            return False
        assert mover == seat
        check_offer(name, options, hand, seat, offer)
        verb, card, *taken = text.split(" ")
        if verb == "declare":
            hand.declared.add(seat)
            hand.accusi[seat % 2] += ACCUSI[card]
            continue
        hand.hands[seat].remove(card)
        lay(name, options, hand, seat, card, taken[1:])
        if name == "cirulla" and made_cappotto(hand) is not None:
            return True
        seat = (seat + 1) % len(hand.hands)
        if not any(hand.hands) and hand.stock:
            dealt = 3 * len(hand.hands)
            give(hand, hand.stock[:dealt], dealer)
            del hand.stock[:dealt]
    hand.piles[hand.last % 2] += hand.table
    return name == "cirulla" and made_cappotto(hand) is not None


def lay(name: str, options: dict[str, Any], hand: Hand, seat: int, card: str, taken: list[str]) -> None:
    """The card goes to the table, or with what it takes to the pile."""
    if not taken:
        hand.table.append(card)
        return
    hand.last = seat
    hand.piles[seat % 2] += [card, *taken]
    hand.table = [other for other in hand.table if other not in taken]
    sweeps = card[0] == "A" and taken[0][0] != "A" and name == "asso_pigliatutto"
    if not hand.table and (hand.stock or any(hand.hands)) and (options.get("ace_scopa") or not sweeps):
        hand.scope[seat % 2] += 1


def made_cappotto(hand: Hand) -> int | None:
    return next((side for side in (0, 1) if sum(card[1] == "d" for card in hand.piles[side]) == 10), None)


def primiera(pile: list[str]) -> int:
    suits = [[PRIMIERA[card[0]] for card in pile if card[1] == suit] for suit in "dcbs"]
    return sum(map(max, suits)) if all(suits) else 0


def totals(name: str, hand: Hand) -> list[int]:
    """What the hand gives to each side."""
    points = [hand.scope[side] + hand.accusi[side] for side in (0, 1)]
    if hand.leaver is not None:
        points[1 - hand.leaver % 2] += 5
        return points
    for side, pile in enumerate(hand.piles):
        denari = {card[0] for card in pile if card[1] == "d"}
        points[side] += ("7" in denari) + (len(denari) >= 6) + (len(pile) >= 21)
        points[side] += primiera(pile) > primiera(hand.piles[1 - side])
        if name == "cirulla":
            run = next(length for length in range(8) if length == 7 or "A234567"[length] not in denari)
            points[side] += 5 * (set("JQK") <= denari) + run * (run >= 3)
    return points


def is_due(options: dict[str, Any], scores: list[int], hand: int) -> bool:
    if options["match"] == "hands":
        return bool(hand >= options["hands"])
    return bool(max(scores) >= options["target"] + (options["target_rule"] == "past"))


def referee(name: str, options: dict[str, Any], dealer: int, entries: list[Entry]) -> tuple[Any, ...]:
    """Scores, hand, tie-break, dealer, how the match ended and who won."""
    scores, number, tie_break = [0, 0], 1, 0
    log = iter(entries)
    while True:
        hand = None
        while hand is None:
            deck = next(log)
            if isinstance(deck, tuple):  # somebody leaves before the deal
                gone = deck[0] % 2
                scores[gone] = min(scores)
                return scores, number, tie_break, dealer, "abandon", 1 - gone
            hand = deal(name, options, deck, dealer)
        cappotto = play(name, options, hand, dealer, log)
        scores = [a + b for a, b in zip(scores, totals(name, hand), strict=True)]
        place = (scores, number, tie_break, dealer)
        if hand.leaver is not None:
            gone = hand.leaver % 2
            scores[gone] = min(scores)
            return *place, "abandon", 1 - gone
        if cappotto:
            return *place, "cappotto", made_cappotto(hand)
        if tie_break or is_due(options, scores, number):
            if scores[0] != scores[1]:
                return *place, "score", scores.index(max(scores))
            if tie_break == (3 if options["ko"] else options["tie_hands"]):
                return (*place, "ko_rule", 1 - hand.last % 2) if options["ko"] else (*place, "draw", None)
            tie_break += 1
        else:
            number += 1
        dealer = (dealer + 1) % options["seats"]


@pytest.mark.parametrize("name", ["scopa", "scopone", "asso_pigliatutto", "cirulla"])
@settings(max_examples=20)
@given(data=st.data())
def test_a_match_is_as_the_referee_says(name: str, data: st.DataObject) -> None:
    played = game(name)
    options = data.draw(option_sets(played))
    rng = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    leaves_after = data.draw(st.none() | st.integers(1, 150))
    dealer = rng.randrange(options.seats)
    state = played.start(options, dealer)
    entries: list[Entry] = []
    while not state.over:
        if leaves_after is not None and len(entries) >= leaves_after:
            seat, text = rng.randrange(options.seats), "abandon"
            state.apply(seat, text)
            entries.append((seat, text, []))
        elif shuffle := state.needs_chance:
            order = rng.sample(range(40), 40)
            state.supply(order)
            entries.append([shuffle.cards[card] for card in order])
        else:
            (seat,) = state.to_act
            offer = [move.text for move in state.legal(seat)]
            text = rng.choice(offer)
            state.apply(seat, text)
            entries.append((seat, text, offer))
    outcome = state.outcome
    assert outcome is not None
    found = (state.scores, state.hand, state.tie_break, state.dealer, outcome.ended_by, outcome.winner)
    assert found == referee(name, played.options_json(options), dealer, entries)
