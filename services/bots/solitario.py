"""Plain play for solitario, from the view of one's own board: only what brings its end nearer.

Cards go to the bases, runs where that turns up a card, the mazzetto is laid and gone through; nothing goes
back.
"""

import json

from tavolo.table.v1.view_pb2 import LegalMove, OwnView, PublicView

MOST_RECYCLES = 2
"""Who has turned the mazzetto over so often stops."""
LAST = 6


def choose(public: PublicView, own: OwnView) -> str:
    """The text of the most useful of the seat's legal moves."""
    del public
    board = json.loads(own.facts)["boards"][own.seat]
    above_hidden = {
        column[0] for column, down in zip(board["columns"], board["down"], strict=True) if column and down
    }

    def rank(move: LegalMove) -> int:
        match move.text.split():
            case ["move", _, "base"]:
                return 0
            case ["move", card, _] if card in above_hidden:
                return 1
            case ["move", card, _] if card in board["waste"]:
                return 2
            case ["draw"]:
                return 3
            case ["recycle"] if board["recycles"] < MOST_RECYCLES:
                return 4
            case ["stop"]:
                return 5
        return LAST

    return min(own.moves, key=rank).text
