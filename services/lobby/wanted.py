"""What an OpenTableRequest asks for, read and checked by the rules core."""

from dataclasses import dataclass
from hashlib import sha256

import orjson
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.money_pb2 import Money
from tavolo.lobby.v1.lobby_pb2 import OpenTableRequest

from services.rules.core.errors import OptionsError, UnknownGame
from services.rules.core.game import Game
from services.rules.core.registry import game as find_game
from services.rules.time_control import control
from services.runtime.errors import TavoloError, invalid
from services.runtime.ids import valid_command_id

CURRENCY = "PLAY"
USUAL_STAKE_CENTS = 100
USUAL_SPEED = "normale"
_MOST_OPTIONS_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table that can be opened. options: all of them, canonical JSON; stake in cents."""

    game: str
    options: str
    seats: int
    stake_cents: int
    speed: str
    computers: int

    @property
    def digest(self) -> bytes:
        """Equal for requests that ask for the same."""
        parts = [self.game, self.options, self.stake_cents, self.speed, self.computers]
        return sha256(orjson.dumps(parts)).digest()


def read(request: OpenTableRequest, most_stake_cents: int) -> Wanted:
    """Raises UNKNOWN_GAME, BAD_OPTION (field `options.<name>`) or INVALID_FIELD."""
    if not valid_command_id(request.request_id):
        raise invalid("request_id", "must be 1 to 64 characters of A-Z a-z 0-9 _ -")
    try:
        game = find_game(request.game)
    except UnknownGame as error:
        raise TavoloError(error_pb2.ERROR_REASON_UNKNOWN_GAME, error.text, "game") from error
    options, seats = _options(game, request.options)
    speed = request.speed or USUAL_SPEED
    stake_cents = _stake(request.stake, most_stake_cents) if request.HasField("stake") else USUAL_STAKE_CENTS
    try:
        control(game.id, speed, stake_cents > 0)
    except OptionsError as error:
        raise invalid("speed", error.text) from error
    if not 0 <= request.computers < seats:
        raise invalid("computers", f"must be 0 to {seats - 1}: one of the {seats} seats is yours")
    return Wanted(game.id, options, seats, stake_cents, speed, request.computers)


def _options(game: Game, text: str) -> tuple[str, int]:
    """All options as canonical JSON, and how many seats they make."""
    if len(text.encode()) > _MOST_OPTIONS_BYTES:
        raise invalid("options", f"must not be longer than {_MOST_OPTIONS_BYTES} bytes")
    try:
        found = orjson.loads(text or "{}")
    except orjson.JSONDecodeError as error:
        raise invalid("options", f"is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise invalid("options", "must be a JSON object")
    try:
        options = game.options(found)
    except OptionsError as error:
        raise TavoloError(error_pb2.ERROR_REASON_BAD_OPTION, error.text, f"options.{error.field}") from error
    canonical = orjson.dumps(game.options_json(options), option=orjson.OPT_SORT_KEYS)
    return canonical.decode(), game.seats(options)


def _stake(stake: Money, most_cents: int) -> int:
    if stake.currency not in ("", CURRENCY):
        raise invalid("stake.currency", f"must be {CURRENCY}")
    if not 0 <= stake.cents <= most_cents:
        raise invalid("stake.cents", f"must be 0 to {most_cents}")
    return stake.cents
