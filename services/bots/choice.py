"""What a computer player does: from the view of its seat to the text of a move.

Any game can be played with a legal choice; a game that has a chooser of its own is played by that.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b

from tavolo.table.v1.view_pb2 import OwnView, PublicView, TableUpdate

from services.bots import rummies, scopa, solitario, uno

Chooser = Callable[[PublicView, OwnView], str]

CHOOSERS: Mapping[str, Chooser] = {
    "scopa": scopa.choose,
    "burraco": rummies.BURRACO.choose,
    "canasta": rummies.CANASTA.choose,
    "jolly": rummies.JOLLY.choose,
    "scala40": rummies.SCALA40.choose,
    "solitario": solitario.choose,
    "uno": uno.choose,
}


def choose(game: str, update: TableUpdate) -> str:
    """The move of the seat that is to act in this update (it has legal moves)."""
    chooser = CHOOSERS.get(game)
    return chooser(update.public, update.own) if chooser else any_legal(update)


def any_legal(update: TableUpdate) -> str:
    """One of the legal moves.

    The same decision is always answered the same way, so that a match can be repeated.
    """
    seed = f"{update.table}/{update.own.seat}/{update.own.turn}".encode()
    number = int.from_bytes(blake2b(seed, digest_size=8).digest(), "big")
    return update.own.moves[number % len(update.own.moves)].text
