"""Time controls: the parameters of a clock and every game's default (clock.md, sections 1 and 10)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from services.rules.core.errors import OptionsError


@dataclass(frozen=True, slots=True)
class Control:
    """The parameters of section 1, in milliseconds. `move` None: no limit to one turn but the bank."""

    bank: int = 120_000
    cap: int = 120_000
    free: int = 0
    threshold: int = 10_000
    bonus: int = 10_000
    move: int | None = None
    hand: int = 0
    grace: int = 90_000
    grace_turn: int = 45_000
    lag_start: int = 2_000
    lag_max: int = 4_000
    lag_gain: int = 500
    lag_move: int = 1_000
    resume: int = 20_000
    expiry: Literal["table", "seat"] = "table"

    def to_json(self) -> dict[str, Any]:
        """All parameters: the form that a log keeps."""
        return asdict(self)


def _usual(bank: int, quick: int, move: int) -> Control:
    return Control(bank, bank, threshold=quick, bonus=quick, move=move)


_CARDS = _usual(120_000, 10_000, 60_000)
_RUMMY = _usual(180_000, 20_000, 120_000)

_CONTROLS = {
    "tarocco": Control(),
    **dict.fromkeys(
        ("scopa", "scopone", "asso_pigliatutto", "cirulla", "briscola", "tresette", "hearts"), _CARDS
    ),
    **dict.fromkeys(("burraco", "canasta", "scala40", "jolly"), _RUMMY),
    "bestia": _usual(90_000, 8_000, 45_000),
    "uno": _usual(60_000, 5_000, 30_000),
    "poker": Control(45_000, 90_000, free=15_000, threshold=0, bonus=0, hand=3_000),
    "sette_e_mezzo": Control(30_000, 30_000, free=10_000, threshold=0, bonus=0, hand=5_000),
    "solitario": Control(900_000, 900_000, threshold=0, bonus=0, expiry="seat"),
}

_SCALED = ("bank", "cap", "free", "threshold", "bonus", "move", "hand")
_SCALE = {"normale": (1, 1), "lampo": (1, 2), "lento": (2, 1)}

_RANGES = {"bank": (10_000, 3_600_000), "threshold": (0, 60_000), "bonus": (0, 60_000), "move": (5_000, None)}


def control(game_id: str, speed: str = "normale", stakes: bool = False) -> Control:
    """The default time control of a game (section 10); at a table with stakes there is no grace (section 6).

    A table with speed `senza` has no clock, and so no control. OptionsError: unknown game or speed.
    """
    if game_id not in _CONTROLS:
        raise OptionsError("control", f"no time control for a game {game_id!r}")
    if speed not in _SCALE:
        raise OptionsError("speed", f"must be one of {', '.join(_SCALE)}")
    times, parts = _SCALE[speed]
    usual = _CONTROLS[game_id]
    scaled: dict[str, Any] = {
        name: value * times // parts for name in _SCALED if (value := getattr(usual, name)) is not None
    }
    if stakes:
        scaled["grace"] = 0
    return replace(usual, **scaled)


def control_from_json(json: Mapping[str, Any], base: Control = _CONTROLS["tarocco"]) -> Control:
    """`base` with these parameters replaced. OptionsError: unknown, of the wrong type, or out of range.

    A `bank` above the base's cap raises the cap with it, unless `cap` is given too.
    """
    names = {field.name for field in fields(Control)}
    for name, value in json.items():
        if name not in names:
            raise OptionsError(name, "no such parameter of a time control")
        if name == "expiry":
            if value not in ("table", "seat"):
                raise OptionsError(name, "must be table or seat")
        elif not (name == "move" and value is None):
            least, most = _RANGES.get(name, (0, None))
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise OptionsError(name, f"must be whole milliseconds, {least} or more")
            if most is not None and value > most:
                raise OptionsError(name, f"must be at most {most} ms")
    changed = replace(base, **json)
    if "cap" not in json:
        changed = replace(changed, cap=max(changed.cap, changed.bank))
    if changed.cap < changed.bank:
        raise OptionsError("cap", "must not be below the bank")
    return changed
