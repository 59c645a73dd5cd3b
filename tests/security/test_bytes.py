"""Cards that a viewer may not see have no effect on the bytes that the viewer gets.

After every entry of random matches the hidden cards change places in a fork of the table, and so do the
secrets of the deal; the fork then makes the messages that clients get. What is hidden is said by `Knowledge`,
which is written apart from the views. Hashes stay as they are: commitments, Merkle roots, paths of openings.
"""

import base64
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tavolo.table.v1 import view_pb2

from services.rules import deal as rules_deal
from services.rules.core.moves import Event
from services.rules.core.state import State
from services.rules.core.view import View
from services.rules.games.scopa import Scopa
from services.table_engine import deal
from services.table_engine.table import Hand, Table
from services.table_engine.views import Views
from tests.security.moments import Ending, Moment, fork, knowledge, moments
from tests.support.worlds import other_state, swapped, twins
from tests.table_engine.matches import FOLDER

KINDS: list[dict[str, Any]] = [
    {"seats": 2},
    {"seats": 2, "seen_cards": True},
    {"seats": 4},
    {"seats": 4, "open_partners": True},
    {"seats": 4, "open_partners": True, "seen_cards": True},
]
ENDINGS = st.none() | st.tuples(st.sampled_from(["abandon", "void"]), st.integers(1, 60))


def told(table: Table, events: list[Event], viewer: int | None) -> list[bytes]:
    """Both forms of the message to a viewer about the newest entry."""
    views = Views(table, table.at, events)
    return [views.message(viewer, as_json=as_json, with_info=True) for as_json in (False, True)]


def elsewhere(moment: Moment, twin: dict[str, str], rnd: random.Random) -> tuple[Table, list[Event]]:
    """The table after the same entry where the cards are others, and what happened there."""
    before, after = moment.before, moment.after
    if before is None:
        there, events = fork(after), moment.events
    elif any(record.HasField("dealt") for record in moment.entry.records):
        assert after.hand is not None
        state = before.state.copy()
        events = deal_otherwise(state, after.hand, twin)
        there = fork(after, state)
    else:
        state = other_state(before.game, before.options, before.state, twin)
        there = fork(before, state.copy())
        FOLDER.replay(there, moment.entry.SerializeToString(), before.sequence + 1)
        moves = [record.moved for record in moment.entry.records if record.HasField("moved")]
        events = [event for move in moves for event in state.apply(move.seat, move.move).events]
    change_secrets(there, twin, rnd)
    return there, events


def deal_otherwise(state: State[Any], hand: Hand, twin: dict[str, str]) -> list[Event]:
    """Deals the hand with the shuffles that it had, but twins in the last of them, the one that is played."""
    events: list[Event] = []
    for number, cards in enumerate(hand.cards):
        order = rules_deal.order(hand.seed, len(cards), number)
        if number == len(hand.cards) - 1:
            order = [cards.index(twin.get(cards[card], cards[card])) for card in order]
        events += state.supply(order)
    return events


def change_secrets(table: Table, twin: dict[str, str], rnd: random.Random) -> None:
    """Other secrets of the deal, those that nobody may be shown by now."""
    hand = table.hand
    assert hand is not None
    playing = table.mode == "play"
    if twin or playing or not hand.dealt:
        hand.house_seed = rnd.randbytes(rules_deal.SEED_BYTES)
    if playing:
        # Later they are behind the openings: the hidden cards' part of those is hashes.
        hand.seed = rnd.randbytes(rules_deal.SEED_BYTES)
        hand.cards = [tuple(swapped(list(cards), twin)) for cards in hand.cards]
    if table.ready:
        table.ready = {seat: rnd.randbytes(len(given)) for seat, given in table.ready.items()}


def compared(match: list[Moment], seed: int) -> tuple[list[str], int]:
    """Whose bytes tell of cards that are hidden from them; and how often another's were found to differ."""
    rnd = random.Random(seed)  # noqa: S311
    known = knowledge(match)
    leaks: list[str] = []
    differed = 0
    for version, moment in enumerate(match, 1):
        hidden = known.hidden[version]
        here = {viewer: told(moment.after, moment.events, viewer) for viewer in hidden}
        for viewer in hidden:
            twin = twins(hidden[viewer], rnd.getrandbits(32))
            there, events = elsewhere(moment, twin, rnd)
            if told(there, events, viewer) != here[viewer]:
                leaks.append(f"entry {version}, viewer {viewer}")
            for other in hidden:
                sees = hidden[viewer] - hidden[other]
                if {twin[face] for face in sees} != sees:
                    both = zip(told(there, events, other), here[other], strict=True)
                    assert all(one != two for one, two in both), "the cards have not changed places"
                    differed += 1
    return leaks, differed


@pytest.mark.parametrize("options", KINDS, ids=str)
@given(seed=st.integers(0, 2**32), ending=ENDINGS)
@settings(max_examples=3)
def test_hidden_cards_do_not_change_a_byte(
    options: dict[str, Any], seed: int, ending: tuple[Ending, int] | None
) -> None:
    match = moments(seed, ending, match="hands", hands=2, **options)
    leaks, differed = compared(match, seed)
    assert leaks == []
    assert differed or not any(moment.after.state.phase == "play" for moment in match)


@pytest.mark.parametrize("ending", ["abandon", "void"])
def test_openings_of_a_hand_that_was_broken_off_keep_the_salts_of_hidden_cards(ending: Ending) -> None:
    """A salt with its card's hash on somebody else's path would tell the card."""
    match = moments(7, (ending, 15), match="hands", hands=1)
    table, events = match[-1].after, match[-1].events
    hand = table.hand
    assert hand is not None
    number = len(hand.cards) - 1
    cards = rules_deal.opening(hand.seed, hand.cards[number], number, range(40))
    for viewer, hidden in knowledge(match).hidden[len(match)].items():
        binary, as_json = told(table, events, viewer)
        shown = {card.face for card in cards if card.salt in binary}
        assert shown
        assert shown == {card.face for card in cards if base64.b64encode(card.salt) in as_json}
        assert not shown & hidden


# ----------------------------------------------------------------------------------- leaks that must be found

own_view, public_view, dealt, proof = Scopa.own_view, Scopa.public_view, Scopa._deal, deal.proof


def shows_the_neighbours_hand(self: Scopa, seat: int) -> View:
    view = own_view(self, seat)
    view.zones.append(self._hand_zone((seat + 1) % len(self.hands), True))
    return view


def orders_zones_by_the_stock(self: Scopa) -> View:
    """It names no card."""
    view = public_view(self)
    if self.stock and self.stock[0] % 2:
        view.zones.reverse()
    return view


def tells_all_of_a_hand_that_is_dealt(self: Scopa, kind: str, data: dict[str, Any]) -> Event:
    event = dealt(self, kind, data)
    assert event.private is not None
    return event._replace(data={**event.data, **event.private[0]})


def shows_the_house_seed(table: Table, hand: Hand) -> view_pb2.DealProof:
    found = proof(table, hand)
    found.house_seed = hand.house_seed
    return found


@pytest.mark.parametrize(
    ("place", "name", "leak"),
    [
        (Scopa, "own_view", shows_the_neighbours_hand),
        (Scopa, "public_view", orders_zones_by_the_stock),
        (Scopa, "_deal", tells_all_of_a_hand_that_is_dealt),
        (deal, "proof", shows_the_house_seed),
    ],
)
def test_a_leak_is_found(
    monkeypatch: pytest.MonkeyPatch, place: object, name: str, leak: Callable[..., Any]
) -> None:
    monkeypatch.setattr(place, name, leak)
    leaks, _ = compared(moments(5, match="hands", hands=1), 5)
    assert leaks
