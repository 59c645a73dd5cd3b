"""What each viewer sees, as the bytes that go to clients.

The public part is made once an entry, each seat's own part once a seat. Bytes of protobuf messages that stand
one behind the other are one message, so a view is put together from fields that were encoded before: the same
zones, prompts and moves come again and again. JSON is written from the same bytes, for those who want it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson
from google.protobuf.message import Message
from tavolo.common.v1 import money_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import view_pb2

from services.rules.core.match import Outcome
from services.rules.core.moves import Event, Move
from services.rules.core.view import View, Zone
from services.table_engine import deal, metrics
from services.table_engine.encoding import VARINT, delimited, field_tag, json_bytes, varint
from services.table_engine.hosted import Receiver
from services.table_engine.table import Hand, Table
from services.table_engine.text import json_text

_MODES = {
    "cover": view_pb2.TABLE_STATE_COVER,
    "ready": view_pb2.TABLE_STATE_READY,
    "play": view_pb2.TABLE_STATE_PLAY,
    "over": view_pb2.TABLE_STATE_OVER,
}


def _tags(message: type[Message]) -> dict[str, bytes]:
    """The tag of each field that is length-delimited."""
    return {name: field_tag(field.number) for name, field in message.DESCRIPTOR.fields_by_name.items()}


_UPDATE, _PUBLIC_TAGS, _OWN_TAGS = (
    _tags(message) for message in (view_pb2.TableUpdate, view_pb2.PublicView, view_pb2.OwnView)
)
_TABLE, _PUBLIC, _OWN, _INFO = (_UPDATE[name] for name in ("table", "public", "own", "info"))
_VERSION = field_tag(view_pb2.TableUpdate.VERSION_FIELD_NUMBER, VARINT)
_PUBLIC_ZONE, _PUBLIC_EVENT = _PUBLIC_TAGS["zones"], _PUBLIC_TAGS["events"]
_PROMPT, _CLOCKS = _PUBLIC_TAGS["prompts"], _PUBLIC_TAGS["clocks"]
_FACTS = _PUBLIC_TAGS["facts"]
_TURN = field_tag(view_pb2.PublicView.TURN_FIELD_NUMBER, VARINT)
_OWN_SEAT = field_tag(view_pb2.OwnView.SEAT_FIELD_NUMBER, VARINT)
_OWN_TURN = field_tag(view_pb2.OwnView.TURN_FIELD_NUMBER, VARINT)
_OWN_ZONE, _OWN_EVENT, _LEGAL_MOVE = _OWN_TAGS["zones"], _OWN_TAGS["events"], _OWN_TAGS["moves"]
_MESSAGE = _tags(gateway_pb2.ServerMessage)["table"]
_FRAME = _tags(gateway_pb2.ConnectResponse)["messages"]


class Views:
    """The views of a table after its newest entry, each part made when it is first wanted.

    `at`: table time of the view; `events`: what has just happened. To be used before the table changes.
    """

    __slots__ = ("_at", "_events", "_public", "_table", "_told", "_wire_start", "version")

    def __init__(self, table: Table, at: int, events: Sequence[Event] = ()) -> None:
        self._table = table
        self.version = table.version
        self._at = at
        self._events = events
        self._public = b""
        self._wire_start = b""
        self._told = b""

    def message(self, seat: int | None, *, as_json: bool, with_info: bool = False) -> bytes:
        """The update of a seat, or of a spectator (None), as a whole message to the client.

        Binary: a ConnectResponse with this one message, so that frames can be joined. JSON: a ServerMessage.
        """
        if not self._public:
            self._public = public_view(self._table, self._at, self._events)
        own = None if seat is None else own_view(self._table, seat, self._events)
        info = table_info(self._table, seat) if with_info else None
        return self._json(own, info) if as_json else self._wire(own, info)

    def payload(self, receiver: Receiver) -> bytes:
        """What a gateway is sent for a receiver: the version, then the message to the client."""
        (metrics.VIEWS_JSON if receiver.as_json else metrics.VIEWS_PROTO).inc()
        return self.version.to_bytes(8, "big") + self.message(receiver.seat, as_json=receiver.as_json)

    def _wire(self, own: bytes | None, info: view_pb2.TableInfo | None) -> bytes:
        if not self._wire_start:
            table = self._table
            self._wire_start = b"%b%b%b%b" % (
                delimited(_TABLE, table.id.encode()),
                _VERSION,
                varint(table.version),
                delimited(_PUBLIC, self._public),
            )
        update = self._wire_start
        if own is not None:
            update += delimited(_OWN, own)
        if info is not None:
            update += delimited(_INFO, info.SerializeToString())
        return delimited(_FRAME, delimited(_MESSAGE, update))

    def _json(self, own: bytes | None, info: view_pb2.TableInfo | None) -> bytes:
        if not self._told:
            table = self._table
            self._told = b'{"table":{"table":"%b","version":"%d","public":%b' % (
                table.id.encode(), table.version, json_bytes(view_pb2.PublicView.FromString(self._public)),
            )  # fmt: skip
        mine = b"" if own is None else b',"own":' + json_bytes(view_pb2.OwnView.FromString(own))
        about = b"" if info is None else b',"info":' + json_bytes(info)
        return b"%b%b%b}}" % (self._told, mine, about)


def public_view(table: Table, at: int, events: Sequence[Event]) -> bytes:
    """The PublicView at table time `at`: its numbers as a message, behind it the fields that come again."""
    view = table.state.public_view()
    mode = table.mode
    over = mode == "over"
    parts = [
        _numbers(
            mode,
            "over" if over else view.phase,
            view.hand,
            view.tie_break,
            view.dealer,
            () if over else tuple(view.to_act),
            tuple(view.scores),
        ),
        _TURN,
        varint(table.turn),
        _clocks(table, at, playing=mode == "play"),
    ]
    if view.facts:
        parts.append(delimited(_FACTS, orjson.dumps(view.facts)))
    if mode != "play":
        parts.append(_between_hands(table, at))
    parts += [_zone(_PUBLIC_ZONE, zone) for zone in view.zones]
    if not over:
        parts += [_prompt(tuple(prompt.seats), prompt.code, *prompt.text.values()) for prompt in view.prompts]
    if mode == "play" and table.hand is not None:
        parts.append(_proof(table, table.hand))
    if view.hand_score:
        parts.append(_hand_score(tuple((item, *values) for item, values in view.hand_score.items())))
    parts += [_event(_PUBLIC_EVENT, event, event.data) for event in events]
    return b"".join(parts)


def _proof(table: Table, hand: Hand) -> bytes:
    """The field with the proof of the hand; while it is played only another shuffle changes that."""
    if not hand.proof:
        hand.proof = view_pb2.PublicView(proof=deal.proof(table, hand)).SerializeToString()
    return hand.proof


def _between_hands(table: Table, at: int) -> bytes:
    """The fields that are shown while no hand is played."""
    found = view_pb2.PublicView()
    if table.hand is not None:
        found.proof.CopyFrom(deal.proof(table, table.hand))
    if table.over:
        found.outcome.CopyFrom(outcome(table.state.outcome))
        found.void_reason = table.void_reason or ""
    elif table.ready is not None:
        found.ready.extend(sorted(table.ready))
        found.ready_wait_ms = table.left_ms(at) or 0
    if table.ended is not None:
        found.ended_proof.CopyFrom(deal.proof(table, table.ended))
    return found.SerializeToString()


def own_view(table: Table, seat: int, events: Sequence[Event]) -> bytes:
    """The OwnView of a seat: what it sees beyond the public view."""
    view: View = table.state.own_view(seat)
    parts = [_OWN_SEAT, varint(seat), _OWN_TURN, varint(table.turns[seat])]
    if view.facts:
        parts.append(view_pb2.OwnView(facts=json_text(view.facts)).SerializeToString())
    if table.mode != "play" and not table.state.whole_deck_shown:
        ended = table.ended or table.hand
        if ended is not None and ended.dealt:
            openings = deal.openings(table, ended, seat)
            parts.append(view_pb2.OwnView(openings=openings).SerializeToString())
    parts += [_zone(_OWN_ZONE, zone) for zone in view.zones]
    if not table.over:
        parts += [_move(move) for move in view.moves]
    for event in events:
        if event.private is not None and seat in event.private:
            parts.append(_event(_OWN_EVENT, event, {**event.data, **event.private[seat]}))
    return b"".join(parts)


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
        chip=money_pb2.Money(cents=table.chip, currency=currency),
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


def score_items(hand_score: Mapping[str, Sequence[int]]) -> list[view_pb2.ScoreItem]:
    """The score of a hand, item by item."""
    return [view_pb2.ScoreItem(id=item, values=values) for item, values in hand_score.items()]


# ------------------------------------------------------------------------- fields that are encoded once


@lru_cache(maxsize=4096)
def _numbers(
    mode: str,
    phase: str,
    hand: int,
    tie_break: int,
    dealer: int,
    to_act: tuple[int, ...],
    scores: tuple[int, ...],
) -> bytes:
    return view_pb2.PublicView(
        state=_MODES[mode],
        phase=phase,
        hand=hand,
        tie_break=tie_break,
        dealer=dealer,
        to_act=to_act,
        scores=scores,
    ).SerializeToString()


@lru_cache(maxsize=1024)
def _hand_score(items: tuple[tuple[Any, ...], ...]) -> bytes:
    return view_pb2.PublicView(
        hand_score=[view_pb2.ScoreItem(id=item, values=values) for item, *values in items]
    ).SerializeToString()


def _clocks(table: Table, at: int, *, playing: bool) -> bytes:
    clock = table.clock
    faces = clock.faces(at)
    seats = [
        _seat_clock(face.left, face.running and playing, connected, face.grace, face.bonus and playing)
        for face, connected in zip(faces, clock.connected, strict=True)
    ]
    rest = _clock_rest(max(face.lead_in for face in faces), clock.waiting(at), clock.paused)
    return delimited(_CLOCKS, b"".join(seats) + rest)


@lru_cache(maxsize=4096)
def _seat_clock(left: int, running: bool, connected: bool, grace: int, bonus: bool) -> bytes:
    return view_pb2.Clocks(
        seats=[
            view_pb2.SeatClock(
                left_ms=left, running=running, connected=connected, grace_ms=grace, bonus=bonus
            )
        ]
    ).SerializeToString()


@lru_cache(maxsize=1024)
def _clock_rest(lead_in: int, waiting: int, paused: bool) -> bytes:
    return view_pb2.Clocks(lead_in_ms=lead_in, resume_wait_ms=waiting, paused=paused).SerializeToString()


@lru_cache(maxsize=4096)
def _zone(tag: bytes, zone: Zone) -> bytes:
    found = view_pb2.Zone(
        id=zone.id, kind=zone.kind, seat=zone.seat, side=zone.side, layout=zone.layout, cards=zone.cards,
        hidden=zone.cards is None, count=zone.count, ordered=zone.ordered,
    )  # fmt: skip
    return delimited(tag, found.SerializeToString())


@lru_cache(maxsize=1024)
def _prompt(seats: tuple[int, ...], code: str, italian: str, english: str) -> bytes:
    prompt = view_pb2.Prompt(seats=seats, code=code, text_it=italian, text_en=english)
    return delimited(_PROMPT, prompt.SerializeToString())


@lru_cache(maxsize=8192)
def _move(move: Move) -> bytes:
    found = view_pb2.LegalMove(
        text=move.text, verb=move.verb, cards=move.cards, takes=move.takes, target=move.target
    )
    return delimited(_LEGAL_MOVE, found.SerializeToString())


def _event(tag: bytes, event: Event, data: Mapping[str, Any]) -> bytes:
    found = view_pb2.Event(kind=event.kind, seat=event.seat, data=json_text(data))
    return delimited(tag, found.SerializeToString())
