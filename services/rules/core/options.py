"""Options of a match: closed, typed, with a text form and a description from which a dialog can be drawn.

A game describes each of its options once (`OptionSpec`) and has a frozen dataclass with one field for each;
combinations that the game excludes are refused by the dataclass itself (CONVENTIONS.md, section 6).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeVar

from services.rules.core.errors import OptionsError

Steps = tuple[tuple[int | None, int], ...]
"""A number that depends on an amount: rows (amount up to which it holds, number), the amounts rising; the
last row has no end (None)."""

Value = int | bool | str | Steps | None

_GREATEST_END = 2**53 - 1
"""What every reader of JSON takes for the whole number that it is."""


class OptionSpec(NamedTuple):
    """One option: `choices` are its values, or `low` and `high` the ends of its range; with `nullable` it may
    be None besides. The numbers of `steps` are from that range; in JSON its rows are lists.

    `derive` gives the default where it depends on the options named before it; `default` is then its value
    when all the others have theirs. `text` says in Italian and English what the option does.
    """

    name: str
    kind: Literal["choice", "int", "bool", "steps"]
    default: Value
    text: Mapping[str, str]
    choices: Sequence[Value] = ()
    low: int = 0
    high: int = 0
    derive: Callable[[Mapping[str, Value]], Value] | None = None
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What every game's options have. Sides are seats unless the game has partnerships."""

    seats: int

    @property
    def sides(self) -> int:
        return self.seats

    @property
    def low_wins(self) -> bool:
        """Whether the fewest points win (CONVENTIONS.md, section 5)."""
        return False

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


def options_json(options: Options, specs: Sequence[OptionSpec]) -> dict[str, Any]:
    """All options with their values, defaults included: the form that a log keeps."""
    return {spec.name: value_json(getattr(options, spec.name)) for spec in specs}


def value_json(value: Value) -> Any:
    """The JSON form of an option's value."""
    return [list(row) for row in value] if isinstance(value, tuple) else value


def at_step(steps: Steps, amount: int) -> int:
    """The number that holds for this amount."""
    return next(number for end, number in steps if end is None or amount <= end)


def _checked(spec: OptionSpec, value: object) -> Value:
    if value is None and spec.nullable:
        return None
    if spec.kind == "bool":
        if isinstance(value, bool):
            return value
        raise OptionsError(spec.name, "must be true or false")
    if spec.kind == "int":
        if isinstance(value, int) and not isinstance(value, bool) and spec.low <= value <= spec.high:
            return value
        raise OptionsError(spec.name, f"must be a whole number from {spec.low} to {spec.high}")
    if spec.kind == "steps":
        return _read_steps(spec, value)
    for choice in spec.choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise OptionsError(spec.name, f"must be one of {', '.join(map(str, spec.choices))}")


def _read_steps(spec: OptionSpec, value: object) -> Steps:
    ends: list[object] = [-1]
    steps = []
    for row in value if isinstance(value, list | tuple) else ():
        if not isinstance(row, list | tuple) or len(row) != 2:
            raise OptionsError(spec.name, "must be rows [up to, number]")
        end, number = row
        if type(number) is not int or not spec.low <= number <= spec.high:
            raise OptionsError(spec.name, f"its numbers must be whole, from {spec.low} to {spec.high}")
        ends.append(end)
        steps.append((end, number))
    if ends.pop() is not None or not _is_rising(ends):
        raise OptionsError(spec.name, "must be rows [up to, number], rising, the last of them [null, number]")
    return tuple(steps)


def _is_rising(ends: Sequence[object]) -> bool:
    whole = [end for end in ends if type(end) is int and end <= _GREATEST_END]
    return len(whole) == len(ends) and all(low < high for low, high in pairwise(whole))
