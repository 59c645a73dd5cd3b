"""What a hand of tarocco is worth (tarocco.md, sections 4.1, 4.2 and 6), in units.

Sides are 0 for the caller's and 1 for the opponents; `callers` is the set of the caller's side's seats.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.rules.games.tarocco_cards import BAGATTO, card_points
from services.rules.games.tarocco_contract import GAMES, Addition, Contract
from services.rules.games.tarocco_tricks import Trick

_VALUES = {  # in the order of GAMES; 0: no such item
    "game": (1, 4, 4),
    "assoluto": (2, 4, 4),
    "assoluto_opp": (2, 4, 4),
    "assoluto_silent": (1, 2, 2),
    "bagatto": (2, 0, 4),
    "bagatto_silent": (1, 0, 2),
    "tous_les_trois": (1, 0, 2),
    "presa_mondo": (1, 0, 2),
    "quattro_re": (1, 2, 2),
    "tutte": (12, 24, 24),
    "tutte_silent": (6, 12, 12),
}
_GAME_POINTS = 45
_ASSOLUTO_POINTS = 56


class Bonus(NamedTuple):
    """The seats of the bonuses that nobody calls: who was dealt the cards, whose mondo the matto took."""

    tous_les_trois: int | None = None
    quattro_re: int | None = None
    presa_mondo: int | None = None


class _Won(NamedTuple):
    item: str
    side: int
    level: int = 0


def hand_items(
    contract: Contract, callers: int, captured: Sequence[int], bonus: Bonus, last: Trick
) -> dict[str, int]:
    """The items that occurred in a hand, each with its value signed for the caller's side."""
    rank = GAMES.index(contract.game)
    found = {}
    for item, side, level in _won(contract, callers, captured, bonus, last):
        if value := _VALUES[item][rank] << level:
            found[item] = -value if side else value
    return found


def _won(contract: Contract, callers: int, captured: Sequence[int], bonus: Bonus, last: Trick) -> list[_Won]:
    """The items, and the side that has won each."""

    def side(seat: int) -> int:
        return 1 - (callers >> seat & 1)

    piles = [0, 0]
    for seat, cards in enumerate(captured):
        piles[side(seat)] |= cards
    if tutte := contract.addition("tutte"):
        by = side(tutte.seat)
        return [_Won("tutte", 1 - by if piles[1 - by] else by, tutte.kontra)]
    if not all(piles):
        return [_Won("tutte_silent", 0 if piles[0] else 1)]
    points = [card_points(pile) for pile in piles]
    won = [_Won("game", 0 if points[0] >= _GAME_POINTS else 1, contract.kontra)]
    for by, seats in enumerate((callers, ~callers)):
        made = points[by] >= _ASSOLUTO_POINTS
        if assoluto := contract.addition("assoluto", seats):
            item = "assoluto_opp" if by else "assoluto"
            won.append(_Won(item, by if made else 1 - by, assoluto.kontra))
        elif made:
            won.append(_Won("assoluto_silent", by))
    holder = last.player(BAGATTO)
    if bagatto := contract.addition("bagatto"):
        by = side(bagatto.seat)
        won.append(_Won("bagatto", by if last.winner == holder else 1 - by, bagatto.kontra))
    elif holder is not None:
        by = side(holder)
        won.append(_Won("bagatto_silent", by if last.winner == holder else 1 - by))
    if bonus.tous_les_trois is not None:
        won.append(_Won("tous_les_trois", side(bonus.tous_les_trois)))
    if bonus.presa_mondo is not None:
        won.append(_Won("presa_mondo", 1 - side(bonus.presa_mondo)))
    if bonus.quattro_re is not None:
        won.append(_Won("quattro_re", side(bonus.quattro_re)))
    return won


def per_seat(value: int, callers: int) -> list[int]:
    """A value signed for the caller's side, distributed: a soloist gets it from each, or pays it to each."""
    ours = value * 3 if callers.bit_count() == 1 else value
    return [ours if callers >> seat & 1 else -value for seat in range(4)]


def taken_points(captured: Sequence[int], callers: int) -> list[int]:
    """Per seat the card points that its side has taken."""
    own = [card_points(pile) for pile in captured]
    ours = sum(points for seat, points in enumerate(own) if callers >> seat & 1)
    return [ours if callers >> seat & 1 else sum(own) - ours for seat in range(4)]


def hand_score(items: Mapping[str, int], captured: Sequence[int], callers: int) -> dict[str, list[int]]:
    """The score of a hand with these items."""
    return {
        **{item: per_seat(value, callers) for item, value in items.items()},
        "points": taken_points(captured, callers),
        "total": per_seat(sum(items.values()), callers),
    }


def forfeit(contract: Contract | None) -> int:
    """What who abandons a hand pays to each of the others: all that stands, and a silent assoluto."""
    if contract is None:
        return _VALUES["game"][0] + _VALUES["assoluto_silent"][0]
    rank = GAMES.index(contract.game)
    tutte = contract.addition("tutte")
    standing = [tutte] if tutte else contract.additions
    value = sum(_VALUES[made.call][rank] << made.kontra for made in standing)
    if not tutte:
        value += _VALUES["game"][rank] << contract.kontra
    return value + _VALUES["assoluto_silent"][rank]


GREATEST_FORFEIT = forfeit(Contract("solo", 0, None, 0, (Addition("tutte", 0, 3),)))
"""No hand is worth more to a pair of seats, played or forfeited: tutte le prese in a solo, subkontra."""
