"""Following and taking, against slow and obvious versions of the same."""

from hypothesis import given
from hypothesis import strategies as st

from services.rules.core.cards import IT40, as_set, members
from services.rules.families.tricks import following, plays, plays_by_text, taker

SUITS = [card // 10 for card in range(40)]
STRENGTHS = [*range(10)] * 4
tricks = st.lists(st.integers(0, 39), min_size=1, max_size=5, unique=True)


@given(trick=tricks, trump=st.none() | st.integers(0, 3))
def test_the_strongest_trump_takes_or_else_the_strongest_card_of_the_suit_led(
    trick: list[int], trump: int | None
) -> None:
    trumps = [card for card in trick if SUITS[card] == trump]
    of_suit_led = [card for card in trick if SUITS[card] == SUITS[trick[0]]]
    best = max(trumps or of_suit_led, key=lambda card: STRENGTHS[card])
    assert trick[taker(trick, SUITS, STRENGTHS, trump)] == best


@given(hand=st.sets(st.integers(0, 39)), suit=st.integers(0, 3))
def test_who_can_must_follow(hand: set[int], suit: int) -> None:
    of_suit = {card for card in hand if SUITS[card] == suit}
    whole_suit = as_set(range(10 * suit, 10 * suit + 10))
    assert set(members(following(as_set(hand), whole_suit))) == (of_suit or hand)


def test_every_card_has_its_move() -> None:
    assert [play.card for play in plays(IT40)] == [*range(40)]
    for play in plays(IT40):
        assert plays_by_text(IT40)[play.text] is play
        assert (play.text, play.cards) == (f"play {IT40.faces[play.card]}", (IT40.faces[play.card],))
