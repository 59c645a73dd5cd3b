"""The table of options in services/rules/README.md, as the games describe them.

`python -m tests.rules.readme` writes it anew; test_readme.py holds it to what is there.
"""

import re
from pathlib import Path

from services import rules
from services.rules.core.game import Game
from services.rules.core.options import OptionSpec
from services.rules.core.registry import games

README = Path(rules.__path__[0]) / "README.md"
_TABLE = re.compile(r"^\| game \| options \|\n\| --- \| --- \|\n(?:\| `.*\n)+", re.MULTILINE)


def table() -> str:
    """A row a game, an item an option."""
    return "| game | options |\n| --- | --- |\n" + "".join(map(_row, games()))


def written(text: str) -> str:
    """The README with the table as it should be. ValueError: it has no such table, or several."""
    found, times = _TABLE.subn(lambda _: table(), text)
    if times != 1:
        raise ValueError(f"{README}: {times} tables of options")
    return found


def _row(game: Game) -> str:
    return f"| `{game.id}` | {' · '.join(map(_item, game.option_specs()))} |\n"


def _item(spec: OptionSpec) -> str:
    depends = "*" if spec.derive else ""
    if spec.choices:
        values = [f"**{_text(each)}**" if each == spec.default else _text(each) for each in spec.choices]
        return f"`{spec.name}` {', '.join(values)}{depends}"
    if spec.kind == "bool":
        return f"`{spec.name}` **{_text(spec.default)}**{depends}"
    if isinstance(spec.default, tuple):
        return f"`{spec.name}` rows of (up to, number {spec.low:,}–{spec.high:,})"
    or_none = " or none" if spec.nullable else ""
    return f"`{spec.name}` **{_text(spec.default)}**{depends} ({spec.low:,}–{spec.high:,}{or_none})"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
