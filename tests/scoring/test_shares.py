"""What goes into an escrow comes out of it, to the cent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.shares import (
    BadResultError,
    Shares,
    computed,
    forfeited,
    given_back,
    payouts,
    with_pot,
    won,
)

SIDES = st.lists(st.integers(0, 3), min_size=1, max_size=12)
STAKES = st.integers(0, 10**9)


@given(stake=STAKES, sides=SIDES, data=st.data())
def test_the_stakes_of_the_others_go_to_the_winners_in_equal_parts(
    stake: int, sides: list[int], data: st.DataObject
) -> None:
    winner = data.draw(st.sampled_from(sides))
    shares = won(stake, sides, winner)
    assert sum(shares.deltas) + shares.commission == 0
    winners = [delta for delta, side in zip(shares.deltas, sides, strict=True) if side == winner]
    assert all(delta == -stake for delta, side in zip(shares.deltas, sides, strict=True) if side != winner)
    assert max(winners[1:], default=winners[0]) == min(winners[1:], default=winners[0])
    assert 0 <= winners[0] - min(winners) < len(winners)


def test_odd_cents_go_to_the_lowest_seat_of_the_winners() -> None:
    assert won(101, [0, 1, 1, 1], 1).deltas == (-101, 35, 33, 33)
    assert won(50, [1, 0, 0, 0, 1], 0).deltas == (-50, 34, 33, 33, -50)


@pytest.mark.parametrize(
    ("offender", "first", "deltas"),
    [
        (0, [1, 2, 3], (-100, 34, 33, 33)),
        (2, [0, 3], (50, 0, -100, 50)),
        (3, [1, 3], (0, 100, 0, -100)),
    ],
)
def test_who_leaves_pays_those_who_are_level_for_the_first_place(
    offender: int, first: list[int], deltas: tuple[int, ...]
) -> None:
    assert forfeited(100, [0, 1, 2, 3], offender, first) == Shares(deltas)


def test_nobody_gains_from_a_match_that_all_have_left() -> None:
    with pytest.raises(BadResultError):
        forfeited(100, [0, 1], 0, [0])


def test_a_side_that_nobody_sits_on_cannot_win() -> None:
    with pytest.raises(BadResultError):
        won(100, [0, 1], 2)


@given(seats=st.integers(1, 12))
def test_a_draw_gives_everybody_the_own_stake_back(seats: int) -> None:
    assert given_back(seats).deltas == (0,) * seats


def settlement(delta: object, commission: object = 0) -> str:
    return json.dumps({"amount": 10, "commission": commission, "delta": delta})


@given(data=st.data(), stake=st.integers(1, 1000), seats=st.integers(2, 6))
def test_a_settlement_of_the_game_is_booked_as_it_is(data: st.DataObject, stake: int, seats: int) -> None:
    losses = data.draw(st.lists(st.integers(-stake, 0), min_size=seats - 1, max_size=seats - 1))
    commission = data.draw(st.integers(0, -sum(losses)))
    deltas = [*losses, -sum(losses) - commission]
    shares = computed(settlement(deltas, commission), seats)
    assert (list(shares.deltas), shares.commission, shares.pot) == (deltas, commission, 0)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "7", "{}", '{"delta": [5, -5]}',
        settlement([5, -4]), settlement([5, -5], 1), settlement([5, 5], -10), settlement([5, -5, 0]),
        settlement([2.5, -2.5]), settlement([True, -1]), settlement(["5", -5]), settlement({"0": 5, "1": -5}),
    ],
)  # fmt: skip
def test_a_settlement_that_cannot_be_booked_is_refused(text: str) -> None:
    with pytest.raises(BadResultError):
        computed(text, 2)


@given(data=st.data(), seats=st.integers(2, 10))
def test_hand_by_hand_all_that_goes_in_comes_out(data: st.DataObject, seats: int) -> None:
    """Any course of hands: nobody ever pays more than is held, and the escrow holds just that and the pot."""
    cents = st.integers(0, 500)
    put, paid, house, before = [0] * seats, [0] * seats, 0, Shares((0,) * seats)
    for _ in range(data.draw(st.integers(1, 5))):
        held = data.draw(st.lists(cents, min_size=seats, max_size=seats))
        put = [old + new for old, new in zip(put, held, strict=True)]
        lost = [data.draw(st.integers(0, most)) for most in held]
        to_share = sum(lost) + before.pot
        commission, pot = data.draw(st.integers(0, to_share)), 0
        pot = data.draw(st.integers(0, to_share - commission))
        winner = data.draw(st.integers(0, seats - 1))
        deltas = [old - new for old, new in zip(before.deltas, lost, strict=True)]
        deltas[winner] += to_share - commission - pot
        after = Shares(tuple(deltas), before.commission + commission)
        assert after.pot == pot
        out = payouts(held, before, after)
        assert min(out) >= 0
        assert sum(out) + commission + after.pot == sum(held) + before.pot
        paid = [old + new for old, new in zip(paid, out, strict=True)]
        house, before = house + commission, after
    last = with_pot(before)
    out = payouts([0] * seats, before, last)
    paid = [old + new for old, new in zip(paid, out, strict=True)]
    assert last.pot == 0
    assert max(out) - min(out) < seats
    assert sum(paid) + house == sum(put)
    assert [got - gave for got, gave in zip(paid, put, strict=True)] == list(last.deltas)


def test_odd_cents_of_a_pot_that_is_given_back_go_to_the_lowest_seat() -> None:
    assert with_pot(Shares((-9, 2, -1), 1)) == Shares((-6, 4, 1), 1)
    assert with_pot(Shares((-5, -5, 2), 0)) == Shares((-1, -3, 4), 0)


@pytest.mark.parametrize(
    ("after", "commission"), [((-11, 11), 0), ((5, 6), 0), ((0, 0), -1), ((-3, -3), 7), ((3, -14), 11)]
)
def test_nobody_pays_more_than_is_held(after: tuple[int, int], commission: int) -> None:
    with pytest.raises(BadResultError):
        payouts([10, 10], Shares((0, 0)), Shares(after, commission))
