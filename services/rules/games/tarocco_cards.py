"""The cards of tarocco (tarocco.md, section 1): numbers of the deck `tarocco40`, sets, points."""

from functools import lru_cache

from services.rules.core.cards import TAROCCO40, as_set, members

_NUMBER = TAROCCO40.number

BAGATTO, MONDO, MATTO = _NUMBER["T1"], _NUMBER["T21"], _NUMBER["T22"]
T20 = _NUMBER["T20"]
ALL_CARDS = as_set(range(40))
TAROCKS = as_set(range(20))
SUIT_CARDS = ALL_CARDS ^ TAROCKS
TOUS_LES_TROIS = as_set((BAGATTO, MONDO, MATTO))
KINGS = as_set(TAROCCO40.read(["Kh", "Kd", "Kc", "Ks"]))
LOW_CARDS = as_set(TAROCCO40.read(["Ah", "Ad", "10c", "10s"]))

TAROCK_SUIT = 0
SUIT = tuple(TAROCK_SUIT if card < 20 else card // 5 - 3 for card in range(40))
"""The suit of each card; tarocks are one."""
OF_SUIT = tuple(as_set(card for card in range(40) if SUIT[card] == suit) for suit in range(5))
"""The cards of each suit."""
STRENGTH = tuple(range(40))
"""In its suit, low to high: the deck order."""

_FACE_POINTS = {"K": 5, "Q": 4, "C": 3, "J": 2}
_POINTS = tuple(
    5 if TOUS_LES_TROIS >> card & 1 else 1 if card < 20 else _FACE_POINTS.get(face[0], 0)
    for card, face in enumerate(TAROCCO40.faces)
)


@lru_cache(maxsize=1024)
def card_points(cards: int) -> int:
    """What a set of cards counts; all together 88."""
    return sum(_POINTS[card] for card in members(cards))
