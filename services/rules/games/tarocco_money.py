"""The options of tarocco, and the money of a hand (tarocco.md, sections 1, 4.3 and 4.4)."""

from dataclasses import dataclass
from typing import Any, Literal

from services.rules.core.errors import OptionsError
from services.rules.core.option_specs import (
    KO,
    hands_spec,
    limit_spec,
    match_spec,
    seats_spec,
    stake_spec,
    target_spec,
)
from services.rules.core.options import Options, OptionSpec, Steps, at_step
from services.rules.games.tarocco_contract import ALL_SEATS
from services.rules.games.tarocco_scoring import GREATEST_FORFEIT

_MOST_CENTS = 10**12  # far above any stake, and low enough for every sum of a hand to be exact in JSON
_WHOLE = 10_000  # rates are in hundredths of a percent


@dataclass(frozen=True, slots=True)
class TaroccoOptions(Options):
    """Four seats, each for itself."""

    match: Literal["hands", "points"]
    hands: int
    target: int
    ko: bool
    stake: int
    limit: int | None
    commission: Steps

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < self.stake:
            raise OptionsError("limit", "must not be below the stake")


TAROCCO_SPECS = (
    seats_spec(4, (4,)),
    match_spec("hands"),
    hands_spec(8, 40),
    target_spec(20, 5, 500),
    KO,
    stake_spec("Puntata base in centesimi", "Base stake in cents", _MOST_CENTS),
    limit_spec(
        "Limite in centesimi per smazzata e avversario",
        "Limit in cents for a hand, from one to another",
        _MOST_CENTS,
    ),
    OptionSpec(
        "commission",
        "steps",
        ((100, 1000), (1000, 900), (5000, 800), (20000, 700), (None, 600)),
        {
            "it": "Provvigione in centesimi di percento, per importo in centesimi",
            "en": "Commission in hundredths of a percent, by amount in cents",
        },
        low=0,
        high=2500,
    ),
)


def settle(options: TaroccoOptions, value: int, callers: int) -> dict[str, Any] | None:
    """The money of a hand with this value, signed for the caller's side; None where nothing is at stake."""
    if not options.stake:
        return None
    amount = _capped(options, options.stake * abs(value))
    commission = amount * at_step(options.commission, amount) // _WHOLE
    winners = callers if value > 0 else ALL_SEATS ^ callers
    number = winners.bit_count()
    paid = amount * (2 if number == 2 else 3)  # by all losers together
    received = (paid - 4 * commission) // number
    delta = [received if winners >> seat & 1 else -paid // (4 - number) for seat in range(4)]
    return {"amount": amount, "commission": -sum(delta), "delta": delta}


def most_to_pay(options: TaroccoOptions) -> int:
    """The most cents that a seat may have to pay in a hand."""
    return 3 * _capped(options, options.stake * GREATEST_FORFEIT)


def _capped(options: TaroccoOptions, amount: int) -> int:
    return amount if options.limit is None else min(amount, options.limit)
