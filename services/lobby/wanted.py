"""What an OpenTableRequest asks for, read and checked by the rules core."""

from dataclasses import dataclass
from hashlib import sha256

import orjson
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.money_pb2 import Money
from tavolo.lobby.v1.lobby_pb2 import OpenTableRequest

from services.rules import money
from services.rules.core.errors import OptionsError, UnknownGame
from services.rules.core.game import Game
from services.rules.core.options import Options
from services.rules.core.registry import game as find_game
from services.rules.time_control import control
from services.runtime.errors import TavoloError, invalid
from services.runtime.ids import valid_command_id

CURRENCY = "PLAY"
USUAL_STAKE_CENTS = 100
USUAL_CHIP_CENTS = 1
USUAL_SPEED = "normale"
_MOST_OPTIONS_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table that can be opened. options: all of them, canonical JSON; stake_cents: what each seat puts in
    before the match; chip_cents: what a chip is worth, in a game of chips."""

    game: str
    options: str
    seats: int
    stake_cents: int
    chip_cents: int
    speed: str
    computers: int

    @property
    def digest(self) -> bytes:
        """Equal for requests that ask for the same."""
        parts = [self.game, self.options, self.stake_cents, self.chip_cents, self.speed, self.computers]
        return sha256(orjson.dumps(parts)).digest()


def read(request: OpenTableRequest, most_stake_cents: int) -> Wanted:
    """Raises UNKNOWN_GAME, BAD_OPTION (field `options.<name>`) or INVALID_FIELD."""
    if not valid_command_id(request.request_id):
        raise invalid("request_id", "must be 1 to 64 characters of A-Z a-z 0-9 _ -")
    try:
        game = find_game(request.game)
    except UnknownGame as error:
        raise TavoloError(error_pb2.ERROR_REASON_UNKNOWN_GAME, error.text, "game") from error
    options = _options(game, request.options)
    seats = game.seats(options)
    speed = request.speed or USUAL_SPEED
    stake_cents, chip_cents = _money(game, options, request, most_stake_cents)
    try:
        control(game.id, speed, stake_cents > 0)
    except OptionsError as error:
        raise invalid("speed", error.text) from error
    if not 0 <= request.computers < seats:
        raise invalid("computers", f"must be 0 to {seats - 1}: one of the {seats} seats is yours")
    canonical = orjson.dumps(game.options_json(options), option=orjson.OPT_SORT_KEYS).decode()
    return Wanted(game.id, canonical, seats, stake_cents, chip_cents, speed, request.computers)


def _options(game: Game, text: str) -> Options:
    """All options."""
    if len(text.encode()) > _MOST_OPTIONS_BYTES:
        raise invalid("options", f"must not be longer than {_MOST_OPTIONS_BYTES} bytes")
    try:
        found = orjson.loads(text or "{}")
    except orjson.JSONDecodeError as error:
        raise invalid("options", f"is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise invalid("options", "must be a JSON object")
    try:
        return game.options(found)
    except OptionsError as error:
        raise TavoloError(error_pb2.ERROR_REASON_BAD_OPTION, error.text, f"options.{error.field}") from error


def _money(game: Game, options: Options, request: OpenTableRequest, most_cents: int) -> tuple[int, int]:
    """What each seat puts in before the match, and what a chip is worth, cents."""
    said = {"stake": "stake", "chips": "chip"}.get(game.money, "")
    for name in {"stake", "chip"} - {said}:
        if request.HasField(name):  # type: ignore[arg-type]
            where = f"`{said}`" if said else "the options `stake` and `limit`"
            raise invalid(name, f"what {game.id} is played for is said by {where}")
    stake = chip = 0
    if said == "stake":
        stake = _cents(request.stake, "stake", most_cents) if request.HasField("stake") else USUAL_STAKE_CENTS
    elif said == "chip":
        chip = _cents(request.chip, "chip", most_cents) if request.HasField("chip") else USUAL_CHIP_CENTS
    deposit = money.deposit(game, options, stake, chip)
    if deposit > most_cents:
        field = f"{said}.cents" if said else "options.stake"
        raise invalid(field, f"each seat would have to put in {deposit} cents, the most is {most_cents}")
    return deposit, chip


def _cents(amount: Money, field: str, most_cents: int) -> int:
    if amount.currency not in ("", CURRENCY):
        raise invalid(f"{field}.currency", f"must be {CURRENCY}")
    if not 0 <= amount.cents <= most_cents:
        raise invalid(f"{field}.cents", f"must be 0 to {most_cents}")
    return amount.cents
