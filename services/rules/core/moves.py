"""Moves, what comes of them, and events (CONVENTIONS.md, sections 3 and 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from services.rules.core.cards import Deck


@dataclass(frozen=True, slots=True)
class Move:
    """One decision of a seat, as read from its text.

    `text` is the canonical spelling. `cards` are those that the move plays or lays, `takes` those that it
    gets for them, `target` is the id of the zone (see `view.Zone`) where a client should offer to drop them,
    "" if there is none. A game's own kind of move carries the numbers of its cards besides.
    """

    text: str
    verb: str
    cards: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    target: str = ""


LegalMove = Move
"""A move of `State.legal`: the same value, known to be accepted."""

ABANDON = Move("abandon", "abandon")
"""The platform's report of a seat that left or ran out of time (CONVENTIONS.md, section 4)."""


class Event(NamedTuple):
    """Something that happened, in the past tense, enough to animate it.

    `data` is for everybody: JSON values, cards as texts, and never more than the public view shows. `private`
    has for some seats what they see instead of or besides it; the keys of a seat's object replace those of
    `data`.
    """

    kind: str
    seat: int | None
    data: Mapping[str, Any]
    private: Mapping[int, Mapping[str, Any]] | None = None


@cache  # the same few come again and again
def card_played(deck: Deck, seat: int, card: int) -> Event:
    """The event of a card that everybody sees played."""
    return Event("card_played", seat, {"card": deck.faces[card]})


class Applied(NamedTuple):
    """What an accepted move did.

    `turn_ended`: the turn of the seat is over (clock.md, section 1); `suspended`: it waits for another
    seat's answer; `resumed`: the seat whose suspended turn goes on; `lead_in_ms`: how long clients show
    what happened before the next clock starts (clock.md, section 5).
    """

    text: str
    events: list[Event]
    turn_ended: bool = True
    suspended: bool = False
    resumed: int | None = None
    lead_in_ms: int = 0
