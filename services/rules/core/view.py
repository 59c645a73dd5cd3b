"""What a viewer sees. A view is built from what is allowed, never by taking away from the whole.

It is enough for a client that has never heard of the game: zones to draw, who is asked for what, the legal
moves with the cards that each concerns, scores and other public facts.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from services.rules.core.match import Outcome
from services.rules.core.moves import Move

Layout = Literal["fan", "row", "pile", "stack", "trick", "columns", "melds"]


class Zone(NamedTuple):
    """A place of cards.

    `id` is the `kind` (the zone's name in CONVENTIONS.md, section 9) with the index of its seat, side or
    number where there are several: "table", "hands.0", "captured.1". Every meld and every column is a zone
    of its own. `seat` and `side` say whose it is, None if nobody's. `cards` is None when the viewer sees
    none of them, and may be shorter than `count` when the viewer sees only some. `ordered`: their order is
    part of the game. A value: with cards in a tuple it can be kept and be looked up.
    """

    id: str
    kind: str
    layout: Layout
    cards: Sequence[str] | None
    count: int  # type: ignore[assignment]  # instead of tuple.count
    seat: int | None = None
    side: int | None = None
    ordered: bool = False


class Prompt(NamedTuple):
    """What is asked of these seats: a code for programs, a few words in each language for people."""

    seats: Sequence[int]
    code: str
    text: Mapping[str, str]


class View(NamedTuple):
    """One state as one viewer sees it.

    In a seat's own view `zones` and `facts` hold only what that seat sees beyond the public view: they
    replace the public ones with the same id or key. `moves` are the legal moves of the seat.
    """

    phase: str
    hand: int
    tie_break: int
    dealer: int
    to_act: Sequence[int]
    zones: list[Zone]
    prompts: Sequence[Prompt]
    moves: Sequence[Move]
    scores: Sequence[int]
    hand_score: Mapping[str, Sequence[int]] | None
    outcome: Outcome | None
    facts: Mapping[str, Any]


def merge(public: View, own: View) -> View:
    """The whole view of a seat: the public one with the seat's own laid over it."""
    mine = {zone.id: zone for zone in own.zones}
    zones = [mine.pop(zone.id, zone) for zone in public.zones]
    return own._replace(
        zones=[*zones, *mine.values()],
        prompts=public.prompts,
        facts={**public.facts, **own.facts},
    )
