"""The moves of a turn of scala 40 and jolly: their forms, what they lay on the table, and what of them may be
taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from services.rules.core.moves import Move
from services.rules.core.notation import words
from services.rules.families.double_hands import JOKER
from services.rules.families.melds import (
    FACES,
    STATED,
    Fault,
    Growth,
    Meld,
    MeldRules,
    Swap,
    growths,
    meld_texts,
    read_meld,
    read_number,
    stated_card,
    swaps,
)

_NUMBER = {face: card for card, face in enumerate(FACES)}


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move of a turn. `numbers` are its cards; `count`: how many it draws from the discards; `meld`: what
    it lays (`fault`: why that is none); `at`: the number of the meld that it changes, `end` where; `stated`:
    the card that an added joker is said to stand for."""

    numbers: tuple[int, ...] = ()
    count: int = 0
    meld: Meld | None = None
    fault: Fault | None = None
    at: int = -1
    end: str = ""
    stated: int | None = None


class Laid(NamedTuple):
    """A meld on the table: who laid it, and who each of its cards; what may be added to it, what wins a joker
    of it, and the set of the cards that do one or the other."""

    seat: int
    meld: Meld
    by: tuple[int, ...]
    growths: Sequence[Growth]
    swaps: Sequence[Swap]
    wanted: int


def laid_meld(seat: int, meld: Meld, by: tuple[int, ...], rules: MeldRules) -> Laid:
    added, won = growths(meld, rules), swaps(meld, rules)
    wanted = 0
    for card in (*(growth.card for growth in added), *(swap.card for swap in won)):
        wanted |= 1 << card
    return Laid(seat, meld, by, added, won, wanted)


class Done(NamedTuple):
    """A step of the running turn that may be taken back: the cards that it moved between the hand and the
    table (or the discards), and with `add` and `swap` the meld as it was before."""

    verb: str
    cards: tuple[int, ...]
    at: int = -1
    was: Laid | None = None


DRAW_STOCK = Step("draw stock", "draw", target="stock")
UNDO = Step("undo", "undo")


@lru_cache(maxsize=64)
def draw_move(text: str, count: int) -> Step:
    return Step(text, "draw", target="discard", count=count)


@lru_cache(maxsize=64)
def discard_move(card: int) -> Step:
    return Step(f"discard {FACES[card]}", "discard", (FACES[card],), (), "discard", (card,))


@lru_cache(maxsize=4096)
def lay_move(meld: Meld) -> Step:
    text = "meld " + " ".join(meld_texts(meld))
    return Step(text, "meld", tuple(FACES[card] for card in meld.cards), numbers=meld.cards, meld=meld)


@lru_cache(maxsize=4096)
def add_move(growth: Growth, at: int) -> Step:
    """The move that adds a card to meld number `at`."""
    card, end, meld, _ = growth
    stated = stated_card(meld) if card == JOKER else None
    written = FACES[card] if stated is None else STATED + FACES[stated]
    text = f"add {written} m{at}" + (end and f" {end}")
    return Step(text, "add", (FACES[card],), (), f"melds.{at}", (card,), at=at, end=end, stated=stated)


@lru_cache(maxsize=1024)
def swap_move(card: int, at: int) -> Step:
    return Step(f"swap {FACES[card]} m{at}", "swap", (FACES[card],), ("X",), f"melds.{at}", (card,), at=at)


def read_step(text: str, rules: MeldRules, melds: Sequence[Laid]) -> Step | None:
    """The move of this text, if it has a form that all rummies share."""
    match words(text):
        case ["draw", "stock"]:
            return DRAW_STOCK
        case ["undo"]:
            return UNDO
        case ["discard", card] if card in _NUMBER:
            return discard_move(_NUMBER[card])
        case ["meld", *cards]:
            return _read_lay(text, tuple(cards), rules)
        case ["add", card, number]:
            return _read_add(text, card, number, "", rules, melds)
        case ["add", card, number, ("low" | "high") as end]:
            return _read_add(text, card, number, end, rules, melds)
        case ["swap", card, number] if _NUMBER.get(card, JOKER) < JOKER:
            at = read_number(number)
            return None if at is None else swap_move(_NUMBER[card], at)
    return None


def _read_lay(text: str, cards: tuple[str, ...], rules: MeldRules) -> Step | None:
    meld = read_meld(cards, rules)
    if meld is None:
        return None
    if isinstance(meld, Meld):
        return lay_move(meld)
    shown = tuple(map(plain_face, cards))
    return Step(text, "meld", shown, numbers=tuple(_NUMBER[card] for card in shown), fault=meld)


def _read_add(
    text: str, written: str, number: str, end: str, rules: MeldRules, melds: Sequence[Laid]
) -> Step | None:
    """Its text becomes canonical where only one end, or one suit, can be meant."""
    at = read_number(number)
    stated = None
    card = _NUMBER.get(written)
    if rules.stated_suit and written.startswith(STATED):
        stated = _NUMBER.get(written.removeprefix(STATED))
        card = None if stated in (None, JOKER) else JOKER
    if at is None or card is None:
        return None
    face = FACES[card]
    move = Step(text, "add", (face,), (), f"melds.{at}", (card,), at=at, end=end, stated=stated)
    ways = fitting(melds[at], move) if at < len(melds) else []
    return add_move(ways[0], at) if len(ways) == 1 else move


def plain_face(text: str) -> str:
    """The card of a meld without what it is said to stand for."""
    return FACES[JOKER] if text.startswith(STATED) else text


def fitting(laid: Laid, move: Step) -> list[Growth]:
    """The ways in which an `add` can be meant."""
    (card,) = move.numbers
    return [
        growth
        for growth in laid.growths
        if growth.card == card
        and (not move.end or growth.end == move.end)
        and (move.stated is None or stated_card(growth.meld) == move.stated)
    ]
