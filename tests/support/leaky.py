"""Runs a table-engine worker that shows every seat of a scopa table its neighbour's hand: the leak that the
secrecy test must find."""

import sys

from services.rules.core.view import View
from services.rules.families.capture_state import CaptureState
from services.rules.games.scopa import Scopa
from services.table_engine import main

_own_view = Scopa.own_view


def _leaky_view(self: CaptureState, seat: int) -> View:
    view = _own_view(self, seat)
    view.zones.append(self._hand_zone((seat + 1) % len(self.hands), True))
    return view


if __name__ == "__main__":
    Scopa.own_view = _leaky_view  # type: ignore[method-assign]
    sys.exit(main.main())
