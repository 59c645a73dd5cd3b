"""Greedy play for scopa, from what its seat sees: takes what counts, and leaves no scopa behind.

A move is worth the points that it brings nearer (scopa.md, section 4) less what it offers to the next player.
Points are in tenths.
"""

from collections.abc import Iterable, Sequence

from tavolo.table.v1.view_pb2 import LegalMove, OwnView, PublicView

RANKS = "A234567JQK"
COPIES = 4
DECK = 40
DENARI = "d"
SETTEBELLO = "7d"

SCOPA = 10.0
OF_SETTEBELLO = 10.0
OF_DENARO = 1.6
OF_CARD = 0.5
OF_PRIMIERA = {"7": 2.5, "6": 1.2, "A": 0.7, "5": 0.3}


def choose(public: PublicView, own: OwnView) -> str:
    """The text of the best of the seat's legal moves; of equal ones the first."""
    table = [card for zone in public.zones if zone.kind == "table" for card in zone.cards]
    hand = [
        card for zone in own.zones if zone.kind == "hands" and zone.seat == own.seat for card in zone.cards
    ]
    others = sum(zone.count for zone in public.zones if zone.kind == "hands" and zone.seat != own.seat)
    stock = sum(zone.count for zone in public.zones if zone.kind == "stock")
    last_card = not stock and not others and len(hand) == 1
    sees = {*table, *hand}

    def worth(move: LegalMove) -> float:
        left = [card for card in table if card not in move.takes]
        gain = sum(map(value, (*move.cards, *move.takes))) if move.takes else 0.0
        if not move.takes:
            left.extend(move.cards)
        elif not left and not last_card:
            gain += SCOPA
        return gain - (offered(left, sees) if others else 0.0)

    return max(own.moves, key=worth).text


def value(card: str) -> float:
    """What it is worth to have this card in the pile."""
    return (
        OF_CARD
        + (OF_DENARO if card.endswith(DENARI) else 0.0)
        + (OF_SETTEBELLO if card == SETTEBELLO else 0.0)
        + OF_PRIMIERA.get(card[0], 0.0)
    )


def offered(table: Sequence[str], sees: Iterable[str]) -> float:
    """What the next player may expect to take from this table.

    For each rank, the best capture times its chance.
    """
    seen = dict.fromkeys(RANKS, 0)
    for card in sees:
        seen[card[0]] += 1
    unseen = DECK - sum(seen.values())
    total = 0.0
    for number, rank in enumerate(RANKS, start=1):
        chance = min(1.0, 3 * (COPIES - seen[rank]) / unseen) if unseen else 0.0
        total = max(total, chance * best_capture(table, number))
    return total


def best_capture(table: Sequence[str], number: int) -> float:
    """The most that a card of this number can take from the table, the card itself not counted."""
    equal = [card for card in table if count(card) == number]
    sets: Iterable[Sequence[str]] = [[card] for card in equal] if equal else sums(table, number)
    return max(
        (sum(map(value, cards)) + (SCOPA if len(cards) == len(table) else 0.0) for cards in sets), default=0.0
    )


def count(card: str) -> int:
    """What a card counts in captures."""
    return RANKS.index(card[0]) + 1


def sums(table: Sequence[str], number: int) -> list[list[str]]:
    """All sets of table cards that add up to the number."""
    found: list[list[str]] = []
    parts: list[tuple[int, list[str]]] = [(0, [])]
    for card in table:
        for so_far, cards in parts.copy():
            total = so_far + count(card)
            if total == number:
                found.append([*cards, card])
            elif total < number:
                parts.append((total, [*cards, card]))
    return found
