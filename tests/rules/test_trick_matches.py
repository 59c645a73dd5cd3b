"""Whole matches of the games of tricks, against a slow and obvious referee that knows cards as texts only and
nothing of the core: who took what, what a hand gave, when the match was over and who won it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.registry import game
from tests.rules.strategies import option_sets

Entry = list[str] | tuple[int, str]
"""A shuffled deck, or a seat and its move."""

RANKS = {"briscola": "A3KQJ76542", "tresette": "32AKQJ7654", "hearts": "AKQJT98765432"}
EACH = {"briscola": 3, "tresette": 10, "hearts": 13}


@dataclass
class Hand:
    """A hand as far as it was played."""

    hands: list[list[str]]
    stock: list[str]
    piles: list[list[str]]
    trump: str = ""
    trick: list[tuple[int, str]] = field(default_factory=list)
    gifts: dict[int, list[str]] = field(default_factory=dict)
    declared: list[int] = field(default_factory=lambda: [0, 0])
    last: int = 0
    leaver: int | None = None

    def rest(self) -> list[str]:
        """What nobody has captured."""
        piles = [*self.hands, self.stock, *self.gifts.values(), [card for _, card in self.trick]]
        return [card for pile in piles for card in pile]


def deal(name: str, deck: list[str], dealer: int, seats: int, sides: int) -> Hand:
    hands: list[list[str]] = [[] for _ in range(seats)]
    dealt = EACH[name] * seats
    for place, card in enumerate(deck[:dealt]):
        hands[(dealer + 1 + place) % seats].append(card)
    hand = Hand(hands, deck[dealt:], [[] for _ in range(sides)])
    if name == "briscola":
        hand.trump = hand.stock[0][1]
        hand.stock.append(hand.stock.pop(0))
    return hand


def play(name: str, hand: Hand, dealer: int, log: Iterator[Entry]) -> None:
    """Play a hand to its end, or until somebody leaves."""
    if name == "hearts":
        give(hand, log)
    seats = len(hand.hands)
    leader = (dealer + 1) % seats
    while hand.leaver is None and any(hand.hands):
        if len(hand.trick) == seats:
            leader = hand.last = winner(name, hand)
            hand.piles[leader % len(hand.piles)] += [card for _, card in hand.trick]
            hand.trick = []
            for distance in range(seats if hand.stock else 0):
                hand.hands[(leader + distance) % seats].append(hand.stock.pop(0))
        play_card(name, hand, (leader + len(hand.trick)) % seats, log)
    if len(hand.trick) == seats:
        hand.last = winner(name, hand)
        hand.piles[hand.last % len(hand.piles)] += [card for _, card in hand.trick]
        hand.trick = []


def give(hand: Hand, log: Iterator[Entry]) -> None:
    while len(hand.gifts) < 4:
        seat, text = move(log)
        if text == "abandon":
            hand.leaver = seat
            return
        hand.gifts[seat] = text.split(" ")[1:]
        for card in hand.gifts[seat]:
            hand.hands[seat].remove(card)
    for seat, gift in hand.gifts.items():
        hand.hands[(seat + 1) % 4] += gift
    hand.gifts = {}


def play_card(name: str, hand: Hand, seat: int, log: Iterator[Entry]) -> None:
    mover, text = move(log)
    if text == "abandon":
        hand.leaver = mover
        return
    assert mover == seat
    verb, *cards = text.split(" ")
    if verb == "declare":
        assert not any(hand.piles)
        hand.declared[seat % 2] += len(cards)
        return
    (card,) = cards
    if hand.trick and name != "briscola":
        led = hand.trick[0][1][1]
        assert card[1] == led or all(held[1] != led for held in hand.hands[seat])
    hand.hands[seat].remove(card)
    hand.trick.append((seat, card))


def move(log: Iterator[Entry]) -> tuple[int, str]:
    seat, text = next(log)
    assert isinstance(seat, int)
    return seat, text


def winner(name: str, hand: Hand) -> int:
    suits = {card[1] for _, card in hand.trick}
    suit = hand.trump if hand.trump in suits else hand.trick[0][1][1]
    of_suit = [(RANKS[name].index(card[0]), seat) for seat, card in hand.trick if card[1] == suit]
    return min(of_suit)[1]


def worth(name: str, cards: list[str]) -> int:
    """The points of cards; in tresette thirds of a point."""
    by_rank = {
        "briscola": {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2},
        "tresette": {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1},
        "hearts": {"A": 5, "K": 4, "Q": 3, "J": 2},
    }[name]
    if name == "hearts":
        return 13 * ("Qs" in cards) + sum(by_rank.get(card[0], 1) for card in cards if card[1] == "h")
    return sum(by_rank.get(card[0], 0) for card in cards)


def totals(name: str, hand: Hand, options: dict[str, Any]) -> list[int]:
    points = [worth(name, pile) for pile in hand.piles]
    sides = len(points)
    left = worth(name, hand.rest())
    gone = None if hand.leaver is None else hand.leaver % sides
    if name == "hearts":
        if gone is not None:
            points[gone] += left
        elif 36 in points:
            return [36 - mine for mine in points]
        return points
    if name == "tresette":
        takes_last = hand.last % 2
        if gone is not None:
            takes_last = gone if options["variant"] == "perdere" else 1 - gone
            points[takes_last] += left
        points[takes_last] += 3
        whole = [thirds // 3 for thirds in points]
        if options["cappotto"] and gone is None and 11 in whole:
            whole.reverse()
        return [mine + declared for mine, declared in zip(whole, hand.declared, strict=True)]
    others = [*range(sides)]
    if gone is not None:
        others = [(gone + distance) % sides for distance in range(1, sides)]
        for place, side in enumerate(others):
            points[side] += (left + len(others) - 1 - place) // len(others)
    if options["match"] == "points":
        return points
    best = max(points[side] for side in others)
    ahead = [side for side in others if points[side] == best]
    return [int(ahead == [side]) for side in range(sides)]


def is_due(name: str, options: dict[str, Any], scores: list[int], hand: int) -> bool:
    if name == "briscola":
        hands = options["hands"] if options["match"] == "hands" else 1
        ahead = sorted(scores)
        return bool(hand >= hands or ahead[-1] - ahead[-2] > hands - hand)
    return bool(hand >= options["hands"] if options["match"] == "hands" else max(scores) >= options["target"])


def referee(name: str, options: dict[str, Any], dealer: int, entries: list[Entry]) -> tuple[Any, ...]:
    """Scores, hand, tie-break, dealer, how the match ended and who won."""
    seats = options["seats"]
    sides = seats if name == "hearts" or seats == 3 else 2
    low = name == "hearts" or options.get("variant") == "perdere"
    scores, number, tie_break = [0] * sides, 1, 0
    log = iter(entries)
    while True:
        deck = next(log)
        assert isinstance(deck, list)
        hand = deal(name, deck, dealer, seats, sides)
        play(name, hand, dealer, log)
        scores = [a + b for a, b in zip(scores, totals(name, hand, options), strict=True)]
        turn = [(dealer + distance) % sides for distance in range(1, sides + 1)]
        place = (scores, number, tie_break, dealer)
        if hand.leaver is not None:
            gone = hand.leaver % sides
            others = [score for side, score in enumerate(scores) if side != gone]
            scores[gone] = max(scores[gone], *others) if low else min(scores[gone], *others)
            best = min(others) if low else max(others)
            level = [side for side in turn if side != gone and scores[side] == best]
            ranked = name == "hearts" and options["ko"]
            return *place, "abandon", level[0] if ranked or len(level) == 1 else None
        best = min(scores) if low else max(scores)
        level = [side for side in turn if scores[side] == best]
        if tie_break or is_due(name, options, scores, number):
            if len(level) == 1:
                return *place, "score", level[0]
            if tie_break == (3 if options["ko"] else options["tie_hands"]):
                if not options["ko"]:
                    return *place, "draw", None
                return *place, "ko_rule", next(side for side in level if side != hand.last % sides)
            tie_break += 1
        else:
            number += 1
        dealer = (dealer + 1) % seats


@pytest.mark.parametrize("name", ["briscola", "tresette", "hearts"])
@settings(
    max_examples=40,
)
@given(data=st.data())
def test_a_match_is_as_the_referee_says(name: str, data: st.DataObject) -> None:
    played = game(name)
    options = data.draw(option_sets(played))
    rng = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    leaves_after = data.draw(st.none() | st.integers(1, 200))
    dealer = rng.randrange(options.seats)
    state = played.start(options, dealer)
    entries: list[Entry] = []
    while not state.over:
        if shuffle := state.needs_chance:
            order = rng.sample(range(len(shuffle.cards)), len(shuffle.cards))
            state.supply(order)
            entries.append([shuffle.cards[card] for card in order])
            continue
        seat = rng.choice(state.to_act)
        text = rng.choice(state.legal(seat)).text
        if leaves_after is not None and len(entries) >= leaves_after:
            seat, text = rng.randrange(options.seats), "abandon"
        state.apply(seat, text)
        entries.append((seat, text))
    outcome = state.outcome
    assert outcome is not None
    found = (state.scores, state.hand, state.tie_break, state.dealer, outcome.ended_by, outcome.winner)
    assert found == referee(name, played.options_json(options), dealer, entries)
