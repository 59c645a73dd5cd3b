"""What each viewer sees, as the bytes that go to clients.

The public part is made once an entry, each seat's own part once a seat, each in the forms that somebody
listens to; a message is put together from them by the wire rules of its form. The dicts are messages of
tavolo.table.v1 (view.proto).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from tavolo.common.v1 import money_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import view_pb2

from services.rules.core.match import Outcome
from services.rules.core.moves import Event, Move
from services.rules.core.view import Prompt, View, Zone
from services.table_engine import deal
from services.table_engine.encoding import VARINT, delimited, field_tag, json_bytes, varint
from services.table_engine.table import Hand, Table
from services.table_engine.text import json_text

_MODES = {
    "ready": view_pb2.TABLE_STATE_READY,
    "play": view_pb2.TABLE_STATE_PLAY,
    "over": view_pb2.TABLE_STATE_OVER,
}

_UPDATE = view_pb2.TableUpdate.DESCRIPTOR.fields_by_name
_TABLE_TAG = field_tag(_UPDATE["table"].number)
_VERSION_TAG = field_tag(_UPDATE["version"].number, VARINT)
_PUBLIC_TAG = field_tag(_UPDATE["public"].number)
_OWN_TAG = field_tag(_UPDATE["own"].number)
_INFO_TAG = field_tag(_UPDATE["info"].number)
_MESSAGE_TAG = field_tag(gateway_pb2.ServerMessage.DESCRIPTOR.fields_by_name["table"].number)
_FRAME_TAG = field_tag(gateway_pb2.ConnectResponse.DESCRIPTOR.fields_by_name["messages"].number)


class Views:
    """The views of a table after its newest entry, each part made and encoded when it is first wanted.

    `at`: table time of the view; `events`: what has just happened.
    """

    __slots__ = ("_at", "_events", "_public", "_public_json", "_public_wire", "_table")

    def __init__(self, table: Table, at: int, events: Sequence[Event] = ()) -> None:
        self._table = table
        self._at = at
        self._events = events
        self._public: view_pb2.PublicView | None = None
        self._public_wire = b""
        self._public_json = b""

    def message(self, seat: int | None, *, as_json: bool, with_info: bool = False) -> bytes:
        """The update of a seat, or of a spectator (None), as a whole message to the client.

        Binary: a ConnectResponse with this one message, so that frames can be joined. JSON: a ServerMessage.
        """
        own = None if seat is None else own_view(self._table, seat, self._events)
        info = table_info(self._table, seat) if with_info else None
        return self._json(own, info) if as_json else self._wire(own, info)

    def _wire(self, own: view_pb2.OwnView | None, info: view_pb2.TableInfo | None) -> bytes:
        if not self._public_wire:
            table = self._table
            self._public_wire = b"%b%b%b%b" % (
                delimited(_TABLE_TAG, table.id.encode()),
                _VERSION_TAG,
                varint(table.version),
                delimited(_PUBLIC_TAG, self._shared().SerializeToString()),
            )
        update = self._public_wire
        if own is not None:
            update += delimited(_OWN_TAG, own.SerializeToString())
        if info is not None:
            update += delimited(_INFO_TAG, info.SerializeToString())
        return delimited(_FRAME_TAG, delimited(_MESSAGE_TAG, update))

    def _json(self, own: view_pb2.OwnView | None, info: view_pb2.TableInfo | None) -> bytes:
        if not self._public_json:
            table = self._table
            self._public_json = b'{"table":{"table":"%b","version":"%d","public":%b' % (
                table.id.encode(), table.version, json_bytes(self._shared()),
            )  # fmt: skip
        mine = b"" if own is None else b',"own":' + json_bytes(own)
        about = b"" if info is None else b',"info":' + json_bytes(info)
        return b"%b%b%b}}" % (self._public_json, mine, about)

    def _shared(self) -> view_pb2.PublicView:
        if self._public is None:
            self._public = public_view(self._table, self._at, self._events)
        return self._public


def public_view(table: Table, at: int, events: Sequence[Event]) -> view_pb2.PublicView:
    """What everybody sees at table time `at`."""
    view = table.state.public_view()
    over = table.over
    found = view_pb2.PublicView(
        state=_MODES[table.mode],
        phase="over" if over else view.phase,
        hand=view.hand,
        tie_break=view.tie_break,
        dealer=view.dealer,
        zones=[_zone(zone) for zone in view.zones],
        scores=view.scores,
        facts=json_text(view.facts) if view.facts else "",
        clocks=_clocks(table, at),
        turn=table.turn,
    )
    if not over:
        found.to_act.extend(view.to_act)
        found.prompts.extend([_prompt(prompt) for prompt in view.prompts])
    if view.hand_score:
        found.hand_score.extend(score_items(view.hand_score))
    if events:
        found.events.extend([_event(event, event.data) for event in events])
    if table.hand is not None:
        _add_proof(found, table, table.hand)
    if table.mode != "play":
        _between_hands(found, table, at)
    return found


def _between_hands(found: view_pb2.PublicView, table: Table, at: int) -> None:
    """What is shown while no hand is played."""
    if table.over:
        found.outcome.CopyFrom(outcome(table.state.outcome))
        found.void_reason = table.void_reason or ""
    elif table.ready is not None:
        found.ready.extend(sorted(table.ready))
        found.ready_wait_ms = table.left_ms(at) or 0
    if table.ended is not None:
        found.ended_proof.CopyFrom(deal.proof(table, table.ended))


def own_view(table: Table, seat: int, events: Sequence[Event]) -> view_pb2.OwnView:
    """What a seat sees beyond the public view."""
    view: View = table.state.own_view(seat)
    found = view_pb2.OwnView(
        seat=seat,
        zones=[_zone(zone) for zone in view.zones],
        turn=table.turns[seat],
        facts=json_text(view.facts) if view.facts else "",
    )
    if view.moves and not table.over:
        found.moves.extend([_move(move) for move in view.moves])
    for event in events:
        if event.private is not None and seat in event.private:
            found.events.append(_event(event, {**event.data, **event.private[seat]}))
    if table.mode != "play" and not table.state.whole_deck_shown:
        ended = table.ended or table.hand
        if ended is not None and ended.dealt:
            found.openings.extend(deal.openings(table, ended, seat))
    return found


def table_info(table: Table, seat: int | None) -> view_pb2.TableInfo:
    """What does not change during the match, for a seat or a spectator (None)."""
    cents, currency = table.stake
    return view_pb2.TableInfo(
        match=table.match,
        game=table.game.id,
        options=table.options_json,
        rules_version=table.game.rules_version,
        seats=[view_pb2.Seat(**sitter._asdict()) for sitter in table.seats],
        stake=money_pb2.Money(cents=cents, currency=currency),
        your_seat=seat,
        direction=table.game.direction or "",
    )


def outcome(ended: Outcome | None) -> view_pb2.Outcome:
    """How the match ended; without an outcome of the rules the platform ended it."""
    if ended is None:
        return view_pb2.Outcome(ended_by="void")
    return view_pb2.Outcome(
        winner=ended.winner, places=ended.places, ended_by=ended.ended_by, offender=ended.offender
    )


def score_items(hand_score: Mapping[str, Sequence[int]]) -> Sequence[view_pb2.ScoreItem]:
    """The score of a hand, item by item."""
    return _score_items(tuple((item, *values) for item, values in hand_score.items()))


@lru_cache(maxsize=1024)
def _score_items(items: tuple[tuple[Any, ...], ...]) -> tuple[view_pb2.ScoreItem, ...]:
    return tuple(view_pb2.ScoreItem(id=item, values=values) for item, *values in items)


def _clocks(table: Table, at: int) -> view_pb2.Clocks:
    clock = table.clock
    faces = clock.faces(at)
    playing = table.mode == "play"
    return view_pb2.Clocks(
        seats=[
            view_pb2.SeatClock(
                left_ms=face.left,
                running=face.running and playing,
                connected=connected,
                grace_ms=face.grace,
                bonus=face.bonus and playing,
            )
            for face, connected in zip(faces, clock.connected, strict=True)
        ],
        lead_in_ms=max(face.lead_in for face in faces),
        resume_wait_ms=clock.waiting(at),
        paused=clock.paused,
    )


def _add_proof(found: view_pb2.PublicView, table: Table, hand: Hand) -> None:
    """The proof of the hand in the table's view; while a hand is played it does not change."""
    if table.mode != "play":
        found.proof.CopyFrom(deal.proof(table, hand))
        return
    if not hand.proof:
        hand.proof = deal.proof(table, hand).SerializeToString()
    found.proof.MergeFromString(hand.proof)


def _zone(zone: Zone) -> view_pb2.Zone:
    if zone.cards is None:
        return _hidden_zone(zone.id, zone.kind, zone.layout, zone.count, zone.seat, zone.side, zone.ordered)
    return view_pb2.Zone(
        id=zone.id,
        kind=zone.kind,
        seat=zone.seat,
        side=zone.side,
        layout=zone.layout,
        cards=zone.cards,
        count=zone.count,
        ordered=zone.ordered,
    )


@lru_cache(maxsize=4096)
def _hidden_zone(
    id_: str, kind: str, layout: str, count: int, seat: int | None, side: int | None, ordered: bool
) -> view_pb2.Zone:
    return view_pb2.Zone(
        id=id_, kind=kind, seat=seat, side=side, layout=layout, hidden=True, count=count, ordered=ordered
    )


def _prompt(prompt: Prompt) -> view_pb2.Prompt:
    return _asked(tuple(prompt.seats), prompt.code, prompt.text["it"], prompt.text["en"])


@lru_cache(maxsize=1024)
def _asked(seats: tuple[int, ...], code: str, italian: str, english: str) -> view_pb2.Prompt:
    return view_pb2.Prompt(seats=seats, code=code, text_it=italian, text_en=english)


@lru_cache(maxsize=2048)
def _move(move: Move) -> view_pb2.LegalMove:
    return view_pb2.LegalMove(
        text=move.text, verb=move.verb, cards=move.cards, takes=move.takes, target=move.target
    )


def _event(event: Event, data: Mapping[str, Any]) -> view_pb2.Event:
    return view_pb2.Event(kind=event.kind, seat=event.seat, data=json_text(data))
