"""The games that there are: one line a game."""

from difflib import get_close_matches

from services.rules.core.errors import UnknownGame
from services.rules.core.game import Game
from services.rules.games.asso_pigliatutto import ASSO_PIGLIATUTTO
from services.rules.games.bestia import BESTIA
from services.rules.games.briscola import BRISCOLA
from services.rules.games.burraco import BURRACO
from services.rules.games.canasta import CANASTA
from services.rules.games.cirulla import CIRULLA
from services.rules.games.hearts import HEARTS
from services.rules.games.jolly import JOLLY
from services.rules.games.poker import POKER
from services.rules.games.scala40 import SCALA40
from services.rules.games.scopa import SCOPA
from services.rules.games.scopone import SCOPONE
from services.rules.games.sette_e_mezzo import SETTE_E_MEZZO
from services.rules.games.solitario import SOLITARIO
from services.rules.games.tarocco import TAROCCO
from services.rules.games.tresette import TRESETTE
from services.rules.games.uno import UNO

_GAMES = (
    SCOPA,
    SCOPONE,
    ASSO_PIGLIATUTTO,
    CIRULLA,
    BRISCOLA,
    TRESETTE,
    BESTIA,
    HEARTS,
    BURRACO,
    CANASTA,
    SCALA40,
    JOLLY,
    TAROCCO,
    POKER,
    UNO,
    SETTE_E_MEZZO,
    SOLITARIO,
)

_BY_NAME = {name.casefold(): g for g in _GAMES for name in (*g.names.values(), g.id)}


def games() -> list[Game]:
    """All games, in the order of the registry."""
    return list(_GAMES)


def game(id_or_alias: str) -> Game:
    """The game with this id or name, in any case. UnknownGame: the text names the nearest."""
    wanted = id_or_alias.casefold()
    if wanted in _BY_NAME:
        return _BY_NAME[wanted]
    nearest = get_close_matches(wanted, _BY_NAME, n=1, cutoff=0.0)[0]
    raise UnknownGame(f"no game {id_or_alias!r}; did you mean {_BY_NAME[nearest].id}?")
