"""Updates of a table as a seat gets them, made from a state of the rules core."""

import json
from typing import Any

from tavolo.table.v1.view_pb2 import (
    TABLE_STATE_OVER,
    TABLE_STATE_PLAY,
    TABLE_STATE_READY,
    LegalMove,
    OwnView,
    PublicView,
    TableInfo,
    TableUpdate,
    Zone,
)

from services.rules.core import view as rules
from services.rules.core.state import State

_STATES = {"deal": TABLE_STATE_READY, "over": TABLE_STATE_OVER}


def update(state: State[Any], seat: int, *, game: str = "scopa", turn: int = 1) -> TableUpdate:
    """What `seat` gets to see of this state."""
    public, own = state.public_view(), state.own_view(seat)
    return TableUpdate(
        table="tbl_test",
        version=turn,
        public=PublicView(
            state=_STATES.get(state.phase, TABLE_STATE_PLAY),
            phase=state.phase,
            hand=state.hand,
            dealer=state.dealer,
            to_act=state.to_act,
            zones=[_zone(zone) for zone in public.zones],
            scores=state.scores,
            facts=json.dumps(dict(public.facts)),
            turn=turn,
        ),
        own=OwnView(
            seat=seat,
            zones=[_zone(zone) for zone in own.zones],
            moves=[
                LegalMove(
                    text=move.text, verb=move.verb, cards=move.cards, takes=move.takes, target=move.target
                )
                for move in own.moves
            ],
            turn=turn,
            facts=json.dumps(dict(own.facts)),
        ),
        info=TableInfo(game=game, your_seat=seat),
    )


def _zone(zone: rules.Zone) -> Zone:
    return Zone(
        id=zone.id,
        kind=zone.kind,
        seat=zone.seat,
        side=zone.side,
        layout=zone.layout,
        cards=zone.cards or [],
        hidden=zone.cards is None,
        count=zone.count,
        ordered=zone.ordered,
    )
