"""Options of a match: closed, typed, with a text form and a description from which a dialog can be drawn.

A game describes each of its options once (`OptionSpec`) and has a frozen dataclass with one field for each;
combinations that the game excludes are refused by the dataclass itself (CONVENTIONS.md, section 6).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from services.rules.core.errors import OptionsError

Value = int | bool | str


class OptionSpec(NamedTuple):
    """One option: `choices` are its values, or `low` and `high` the ends of its range.

    `derive` gives the default where it depends on the options named before it; `default` is then its value
    when all the others have theirs. `text` says in Italian and English what the option does.
    """

    name: str
    kind: Literal["choice", "int", "bool"]
    default: Value
    text: Mapping[str, str]
    choices: Sequence[Value] = ()
    low: int = 0
    high: int = 0
    derive: Callable[[Mapping[str, Value]], Value] | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What every game's options have. Sides are seats unless the game has partnerships."""

    seats: int

    @property
    def sides(self) -> int:
        return self.seats

    def side(self, seat: int) -> int:
        """The side of a seat: partners sit every other seat."""
        return seat % self.sides


OptionsT = TypeVar("OptionsT", bound=Options)


def read_options(
    options_type: type[OptionsT], specs: Sequence[OptionSpec], json: Mapping[str, object]
) -> OptionsT:
    """Options from JSON values, defaults filled in. OptionsError: unknown, wrong type or range, excluded."""
    known = {spec.name for spec in specs}
    for name in json:
        if name not in known:
            raise OptionsError(name, f"no such option; there are {', '.join(sorted(known))}")
    values: dict[str, Value] = {}
    for spec in specs:
        if spec.name in json:
            values[spec.name] = _checked(spec, json[spec.name])
        else:
            values[spec.name] = spec.derive(values) if spec.derive else spec.default
    return options_type(**values)  # type: ignore[arg-type]  # each value was checked against its spec


def options_json(options: Options, specs: Sequence[OptionSpec]) -> dict[str, Value]:
    """All options with their values, defaults included: the form that a log keeps."""
    return {spec.name: getattr(options, spec.name) for spec in specs}


def _checked(spec: OptionSpec, value: object) -> Value:
    if spec.kind == "bool":
        if isinstance(value, bool):
            return value
        raise OptionsError(spec.name, "must be true or false")
    if spec.kind == "int":
        if isinstance(value, int) and not isinstance(value, bool) and spec.low <= value <= spec.high:
            return value
        raise OptionsError(spec.name, f"must be a whole number from {spec.low} to {spec.high}")
    for choice in spec.choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise OptionsError(spec.name, f"must be one of {', '.join(map(str, spec.choices))}")
