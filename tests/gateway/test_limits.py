"""Token buckets, places, and whose address counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.limits import Bucket, Buckets, Places, client_address


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(2.0, 3.0, now=10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert bucket.take(10.25) == pytest.approx(0.25)
    assert bucket.take(10.5) == 0.0
    assert bucket.take(10.5) == pytest.approx(0.5)


@given(st.lists(st.floats(0, 5), min_size=1, max_size=60), st.floats(0.5, 20), st.integers(1, 10))
def test_a_bucket_never_gives_more_than_burst_and_rate(waits: list[float], rate: float, burst: int) -> None:
    now, given_out = 100.0, 0
    bucket = Bucket(rate, burst, now)
    for wait in waits:
        now += wait
        given_out += bucket.take(now) == 0.0
    assert given_out <= burst + rate * (now - 100.0) + 1e-6


def test_every_key_has_its_own_bucket_and_the_oldest_are_forgotten() -> None:
    buckets = Buckets(0.001, 1, most=2)
    assert buckets.take("a", 0.0) == 0.0
    assert buckets.take("b", 0.0) == 0.0
    assert buckets.take("a", 0.0) > 0.0
    assert buckets.take("c", 0.0) == 0.0
    assert buckets.take("a", 0.0) > 0.0
    assert buckets.take("b", 0.0) == 0.0


def test_places_are_given_back() -> None:
    places = Places(1)
    assert places.take("a")
    assert places.take("b")
    assert not places.take("a")
    places.give_back("a")
    assert places.take("a")


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        ("", 0, "peer"),
        ("1.1.1.1", 0, "peer"),
        ("1.1.1.1", 1, "1.1.1.1"),
        ("6.6.6.6, 1.1.1.1", 1, "1.1.1.1"),
        ("6.6.6.6, 1.1.1.1, 2.2.2.2", 2, "1.1.1.1"),
        ("1.1.1.1", 2, "peer"),
        (" , ", 1, "peer"),
    ],
)
def test_a_client_cannot_choose_the_address_that_counts(forwarded: str, proxies: int, address: str) -> None:
    assert client_address("peer", forwarded, proxies) == address
