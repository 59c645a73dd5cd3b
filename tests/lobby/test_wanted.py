"""What OpenTable takes, and how it says what it does not take."""

import json

import pytest
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.money_pb2 import Money
from tavolo.lobby.v1.lobby_pb2 import OpenTableRequest

from services.lobby import wanted
from services.runtime.errors import TavoloError

MOST = 50_000


def request(**fields: object) -> OpenTableRequest:
    return OpenTableRequest(**{"request_id": "r1", "game": "scopa", **fields})  # type: ignore[arg-type]


def test_what_is_left_out_has_its_default() -> None:
    found = wanted.read(request(), MOST)
    assert (found.game, found.seats, found.stake_cents, found.speed, found.computers) == (
        "scopa",
        2,
        100,
        "normale",
        0,
    )
    assert json.loads(found.options)["target"] == 11


def test_a_stake_of_nothing_is_a_stake() -> None:
    assert wanted.read(request(stake=Money(cents=0)), MOST).stake_cents == 0


def test_the_same_options_in_another_order_ask_for_the_same_table() -> None:
    one = wanted.read(request(options='{"target": 21, "seats": 4}'), MOST)
    other = wanted.read(request(options='{"seats": 4,"target":21,"ko":false}'), MOST)
    assert one.seats == 4
    assert one.digest == other.digest
    assert one.digest != wanted.read(request(options='{"seats": 4}'), MOST).digest


@pytest.mark.parametrize(
    ("fields", "stake", "chip"),
    [
        ({"game": "poker"}, 1_000, 1),
        ({"game": "poker", "chip": Money(cents=5)}, 5_000, 5),
        ({"game": "poker", "chip": Money(cents=0)}, 0, 0),
        ({"game": "bestia", "chip": Money(cents=10)}, 10 * (3 + 12), 10),
        ({"game": "sette_e_mezzo", "options": '{"seats": 5}'}, 1 + 3 * 2 + 4, 1),
        ({"game": "tarocco"}, 0, 0),
        ({"game": "tarocco", "options": '{"stake": 20}'}, 3 * 194 * 20, 0),
        ({"game": "tarocco", "options": '{"stake": 20, "limit": 100}'}, 300, 0),
        ({"game": "canasta"}, 64, 0),
        ({"game": "canasta", "options": '{"stake": 30, "doubling": false}'}, 30, 0),
        ({"game": "canasta", "options": '{"stake": 30, "limit": null}'}, 30, 0),
        ({"game": "canasta", "options": '{"stake": 0}'}, 0, 0),
    ],
)
def test_what_each_seat_puts_in_is_what_the_match_or_its_first_hand_may_cost(
    fields: dict[str, object], stake: int, chip: int
) -> None:
    found = wanted.read(request(**fields), MOST)
    assert (found.stake_cents, found.chip_cents) == (stake, chip)


@pytest.mark.parametrize(
    ("fields", "reason", "field"),
    [
        ({"request_id": ""}, error_pb2.ERROR_REASON_INVALID_FIELD, "request_id"),
        ({"request_id": "x" * 65}, error_pb2.ERROR_REASON_INVALID_FIELD, "request_id"),
        ({"game": "scoppa"}, error_pb2.ERROR_REASON_UNKNOWN_GAME, "game"),
        ({"game": ""}, error_pb2.ERROR_REASON_UNKNOWN_GAME, "game"),
        ({"options": "{"}, error_pb2.ERROR_REASON_INVALID_FIELD, "options"),
        ({"options": "[]"}, error_pb2.ERROR_REASON_INVALID_FIELD, "options"),
        ({"options": "[" * 3000}, error_pb2.ERROR_REASON_INVALID_FIELD, "options"),
        ({"options": '{"target":' + "1" * 5000 + "}"}, error_pb2.ERROR_REASON_INVALID_FIELD, "options"),
        ({"options": '{"target": 0}'}, error_pb2.ERROR_REASON_BAD_OPTION, "options.target"),
        ({"options": '{"target": true}'}, error_pb2.ERROR_REASON_BAD_OPTION, "options.target"),
        ({"options": '{"targets": 11}'}, error_pb2.ERROR_REASON_BAD_OPTION, "options.targets"),
        ({"options": '{"open_partners": true}'}, error_pb2.ERROR_REASON_BAD_OPTION, "options.open_partners"),
        ({"stake": Money(cents=-1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "stake.cents"),
        ({"stake": Money(cents=MOST + 1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "stake.cents"),
        ({"stake": Money(cents=1, currency="EUR")}, error_pb2.ERROR_REASON_INVALID_FIELD, "stake.currency"),
        ({"game": "poker", "stake": Money(cents=1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "stake"),
        ({"game": "canasta", "stake": Money(cents=1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "stake"),
        ({"game": "canasta", "chip": Money(cents=1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "chip"),
        ({"chip": Money(cents=1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "chip"),
        ({"game": "bestia", "chip": Money(cents=-1)}, error_pb2.ERROR_REASON_INVALID_FIELD, "chip.cents"),
        ({"game": "poker", "chip": Money(cents=51)}, error_pb2.ERROR_REASON_INVALID_FIELD, "chip.cents"),
        (
            {"game": "tarocco", "options": '{"stake": 1000}'},
            error_pb2.ERROR_REASON_INVALID_FIELD,
            "options.stake",
        ),
        (
            {"game": "bestia", "chip": Money(cents=1, currency="EUR")},
            error_pb2.ERROR_REASON_INVALID_FIELD,
            "chip.currency",
        ),
        ({"computers": 2}, error_pb2.ERROR_REASON_INVALID_FIELD, "computers"),
        ({"computers": -1}, error_pb2.ERROR_REASON_INVALID_FIELD, "computers"),
        ({"speed": "senza"}, error_pb2.ERROR_REASON_INVALID_FIELD, "speed"),
    ],
)
def test_each_refusal_names_its_field(fields: dict[str, object], reason: int, field: str) -> None:
    with pytest.raises(TavoloError) as refused:
        wanted.read(request(**fields), MOST)
    assert (refused.value.reason, refused.value.field) == (reason, field)
