"""The games that there are: one line a game."""

from difflib import get_close_matches

from services.rules.core.errors import UnknownGame
from services.rules.core.game import Game
from services.rules.games.scopa import SCOPA

_GAMES = (SCOPA,)

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
