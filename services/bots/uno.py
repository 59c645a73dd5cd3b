"""Plain play for uno: what can be played, jollies last, towards the longest colour of the hand."""

from collections import Counter

from tavolo.table.v1.view_pb2 import LegalMove, OwnView, PublicView

JOLLIES = frozenset({"W", "W4"})
VERBS = ("play", "colour", "draw", "pass", "accept", "challenge")
"""What it does rather."""
SAYS_UNO = "uno"


def choose(public: PublicView, own: OwnView) -> str:
    """The text of the best of the seat's legal moves."""
    del public
    hand = [card for zone in own.zones if zone.id == f"hands.{own.seat}" for card in zone.cards]
    colours = Counter(card[0] for card in hand if card not in JOLLIES)

    def rank(move: LegalMove) -> tuple[int, bool, int, bool]:
        verb, *words = move.text.split()
        card, *rest = words or [""]
        colour = rest[0] if card in JOLLIES else card[:1]
        return VERBS.index(verb), card in JOLLIES, -colours[colour], SAYS_UNO not in rest

    return min(own.moves, key=rank).text
