"""What goes into an escrow comes out of it, to the cent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.shares import BadResultError, computed, given_back, won

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
    shares = computed(settlement(deltas, commission), stake, seats)
    assert (list(shares.deltas), shares.commission) == (deltas, commission)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "7", "{}", '{"delta": [5, -5]}',
        settlement([5, -4]), settlement([5, -5], 1), settlement([5, 5], -10), settlement([5, -5, 0]),
        settlement([101, -101]), settlement([2.5, -2.5]), settlement([True, -1]), settlement(["5", -5]),
        settlement({"0": 5, "1": -5}),
    ],
)  # fmt: skip
def test_a_settlement_that_cannot_be_booked_is_refused(text: str) -> None:
    with pytest.raises(BadResultError):
        computed(text, 100, 2)
