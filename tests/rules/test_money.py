"""What a match is played for: what is to be covered, who has won what, its end when a deal is not covered."""

import random
from typing import Any

import pytest

from services.rules import money
from services.rules.core.registry import game, games
from services.rules.core.state import State
from services.rules.money import Tally


def start(name: str, **options: object) -> State[Any]:
    found = game(name)
    return found.start(found.options(options), 0)


def play_hand(state: State[Any], rng: random.Random) -> None:
    """Deals, and plays at random until the hand, or the match, is over."""
    while True:
        while (asked := state.needs_chance) is not None and not state.to_act:
            state.supply(rng.sample(range(len(asked.cards)), len(asked.cards)))
        state.apply(state.to_act[0], rng.choice(state.legal(state.to_act[0])).text)
        if state.phase in ("deal", "over"):
            return


def test_which_games_are_played_for_what() -> None:
    by_kind = {each.id: (each.money, each.by_hand) for each in games() if each.money != "stake"}
    assert by_kind == {
        "bestia": ("chips", True),
        "canasta": ("own", False),
        "poker": ("chips", False),
        "sette_e_mezzo": ("chips", True),
        "tarocco": ("own", True),
    }


@pytest.mark.parametrize(
    ("name", "options", "stake", "chip", "deposit"),
    [
        ("scopa", {}, 250, 0, 250),
        ("poker", {"stack": 700}, 0, 3, 2_100),
        ("bestia", {"seats": 3, "ante": 6}, 0, 2, 2 * (6 + 18)),
        ("tarocco", {"stake": 10}, 0, 0, 3 * 194 * 10),
        ("tarocco", {"stake": 10, "limit": 500}, 0, 0, 1_500),
        ("canasta", {"stake": 10, "limit": 80}, 0, 0, 80),
        ("canasta", {"stake": 10, "limit": 80, "doubling": False}, 0, 0, 10),
        ("canasta", {"stake": 10, "limit": None}, 0, 0, 10),
        ("canasta", {"stake": 0}, 0, 0, 0),
    ],
)
def test_what_each_seat_puts_in(
    name: str, options: dict[str, object], stake: int, chip: int, deposit: int
) -> None:
    found = game(name)
    assert money.deposit(found, found.options(options), stake, chip) == deposit


def test_only_an_offer_without_a_limit_raises_what_must_be_covered() -> None:
    unlimited = start("canasta", stake=10, limit=None)
    assert [unlimited.cover_for(text) for text in ("double", "accept", "draw stock")] == [20, 0, 0]
    assert start("canasta", stake=10, limit=80).cover_for("double") == 0
    assert start("scopa").cover_for("play 7d") == 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bestia", {"seats": 3, "hands": 9}),
        ("bestia", {"seats": 5, "hands": 9, "carry": True}),
        ("sette_e_mezzo", {"seats": 4, "hands": 9, "betting": "free"}),
        ("sette_e_mezzo", {"match": "points", "target": 50, "ko": True}),
        ("tarocco", {"hands": 9, "stake": 10}),
        ("tarocco", {"hands": 9, "stake": 10, "ko": True}),
    ],
)
def test_a_match_that_is_broken_off_ends_as_it_stands(
    name: str, options: dict[str, object], seed: int
) -> None:
    rng = random.Random(f"{name}/{seed}")  # noqa: S311 - a match that can be repeated
    state = start(name, **options)
    tally = Tally(game(name), state.options, 5)
    for _ in range(seed % 4):
        most = money.covers(game(name), state, 5)
        before = list(tally.gains)
        play_hand(state, rng)
        tally.follow(state)
        assert all(old - new <= cents for old, new, cents in zip(before, tally.gains, most, strict=True))
        assert sum(tally.gains) + tally.commission <= 0
        if state.over:
            return
    scores = list(state.scores)
    events = state.break_off()
    tally.follow(state)
    assert [event.kind for event in events] == ["match_ended"]
    assert sum(tally.gains) + tally.commission == 0
    assert state.over
    assert state.outcome is not None
    assert state.outcome.ended_by in ("score", "draw", "ko_rule")
    assert state.outcome.offender is None
    if sum(scores) == 0:
        assert state.scores == scores
    if state.outcome.winner is not None:
        assert state.scores[state.outcome.winner] == max(state.scores)
    assert (state.outcome.ended_by == "draw") == (state.outcome.winner is None)
    if name != "tarocco":
        assert tally.gains == [5 * score for score in state.scores]


def test_the_pot_of_bestia_is_given_back_in_equal_shares() -> None:
    found = game("bestia")
    position = {"dealer": 1, "phase": "deal", "hand": 3, "pot": 14, "scores": [8, -9, -13, 0]}
    state = found.from_json(found.options({"hands": 5}), position)
    state.break_off()
    assert state.scores == [8 + 3, -9 + 3, -13 + 4, 0 + 4]  # odd chips to seats 2 and 3, after the dealer
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.places) == (0, (1, 3, 4, 2))


def test_a_match_is_broken_off_between_hands_of_a_game_settled_by_the_hand_only() -> None:
    state = start("bestia", seats=3, hands=2)
    state.supply(range(40))
    for wrong in (state, start("scopa"), start("poker")):
        with pytest.raises(ValueError, match="hand"):
            wrong.break_off()


def test_who_leaves_poker_takes_its_chips_along() -> None:
    state = start("poker", seats=3, stack=100, blind=False)
    state.apply(1, "abandon")
    assert (state.scores, state.gains) == ([100, 0, 100], [0, 0, 0])
    deck = state.needs_chance
    assert deck is not None
    state.supply(range(len(deck.cards)))
    state.apply(2, "abandon")  # the ante is in the pot, and one more is the extra
    assert state.over
    assert sum(state.gains) == 0
    assert list(state.gains) == [20, 0, -20]
    again = game("poker").from_json(state.options, state.to_json())
    assert list(again.gains) == [20, 0, -20]


def test_a_lead_of_who_leaves_poker_last_is_halved() -> None:
    found = game("poker")
    position = {"dealer": 0, "phase": "deal", "hand": 4, "scores": [151, 50]}
    options = found.options({"seats": 2, "stack": 100})
    state = found.from_json(options, position)
    state.apply(0, "abandon")
    assert state.scores == [50, 50]
    assert list(state.gains) == [50 + 50 - 100, 50 + 51 - 100]


def test_the_settlements_of_all_hands_add_up() -> None:
    rng = random.Random(4)  # noqa: S311
    state = start("tarocco", hands=3, stake=10)
    tally = Tally(game("tarocco"), state.options, 0)
    hands = []
    while not state.over:
        play_hand(state, rng)
        tally.follow(state)
        tally.follow(state)  # looking twice counts once
        assert state.settlement is not None
        hands.append(state.settlement)
    assert tally.gains == [sum(hand["delta"][seat] for hand in hands) for seat in range(4)]
    assert tally.to_json() == {
        "commission": sum(hand["commission"] for hand in hands), "delta": tally.gains,
    }  # fmt: skip
