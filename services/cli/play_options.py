"""The options of a game, one in a line, as `tavolo play --options` takes them."""

import json
from collections.abc import Iterator

from rich.text import Text
from tavolo.lobby.v1.lobby_pb2 import GameInfo, OptionInfo

from services.cli.play_words import Words


def option_lines(game: GameInfo, words: Words) -> Iterator[Text]:
    """Name, values, default and meaning of each option."""
    names = max(len(option.name) for option in game.options)
    values = {option.name: _values(option, words) for option in game.options}
    wide = max(map(len, values.values()))
    for option in game.options:
        yield Text.assemble(
            (f"{option.name:<{names}}", "bold"),
            f"  {values[option.name]:<{wide}}  {option.text if words.language == 'en' else option.text_it}",
            (f" · {_default(option, words)}", "dim"),
        )


def _values(option: OptionInfo, words: Words) -> str:
    """As JSON, for they are typed so."""
    if option.kind == "bool":
        values = "true, false"
    elif option.choices:
        values = ", ".join(option.choices)
    else:
        values = f"{option.least} … {option.most}"
    if option.kind == "steps":
        values = f"[[n, {values}], …, [null, {values}]]"
    return words("or_none", values=values) if option.nullable else values


def _default(option: OptionInfo, words: Words) -> str:
    if json.loads(option.default) is not None:
        return words("default", value=option.default)
    return words("default_none" if option.nullable else "default_depends")
