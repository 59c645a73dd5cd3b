"""The games of the rules core, as ListGames tells of them."""

import orjson
from tavolo.lobby.v1.lobby_pb2 import GameInfo, OptionInfo

from services.rules.core.game import Game
from services.rules.core.options import OptionSpec
from services.rules.core.registry import games


def list_games() -> list[GameInfo]:
    """All games, by id."""
    return sorted(map(_game, games()), key=lambda found: found.id)


def _game(game: Game) -> GameInfo:
    return GameInfo(
        id=game.id,
        name_it=game.names["it"],
        name_en=game.names["en"],
        options=map(_option, game.option_specs()),
        rules_version=game.rules_version,
        money=game.money,
    )


def _option(spec: OptionSpec) -> OptionInfo:
    ranged = spec.kind in ("int", "steps")
    return OptionInfo(
        name=spec.name,
        kind=spec.kind,
        default="null" if spec.derive else orjson.dumps(spec.default).decode(),
        choices=[orjson.dumps(choice).decode() for choice in spec.choices],
        least=spec.low if ranged else None,
        most=spec.high if ranged else None,
        text=spec.text["en"],
        text_it=spec.text["it"],
        nullable=spec.nullable,
    )
