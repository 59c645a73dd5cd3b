"""What each viewer sees, as the bytes that go to clients.

The public part is made once an entry, each seat's own part once a seat, each in the forms that somebody
listens to; a message is put together from them by the wire rules of its form. The dicts are messages of
tavolo.table.v1 (view.proto).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import view_pb2

from services.rules.core.match import Outcome
from services.rules.core.moves import Event, Move
from services.rules.core.view import Prompt, View, Zone
from services.table_engine import deal
from services.table_engine.encoding import Encoder, Piece, delimited, field_tag, json_bytes, varint
from services.table_engine.table import Hand, Table
from services.table_engine.text import json_text

_PUBLIC = Encoder(view_pb2.PublicView.DESCRIPTOR)
_OWN = Encoder(view_pb2.OwnView.DESCRIPTOR)
_INFO = Encoder(view_pb2.TableInfo.DESCRIPTOR)
_ZONE = Encoder(view_pb2.Zone.DESCRIPTOR)
_PROMPT = Encoder(view_pb2.Prompt.DESCRIPTOR)
_MOVE = Encoder(view_pb2.LegalMove.DESCRIPTOR)
_MODES = {"ready": "TABLE_STATE_READY", "play": "TABLE_STATE_PLAY", "over": "TABLE_STATE_OVER"}

_UPDATE = view_pb2.TableUpdate.DESCRIPTOR.fields_by_name
_TABLE_TAG = field_tag(_UPDATE["table"].number)
_VERSION_TAG = field_tag(_UPDATE["version"].number, 0)
_PUBLIC_TAG = field_tag(_UPDATE["public"].number)
_OWN_TAG = field_tag(_UPDATE["own"].number)
_INFO_TAG = field_tag(_UPDATE["info"].number)
_MESSAGE_TAG = field_tag(gateway_pb2.ServerMessage.DESCRIPTOR.fields_by_name["table"].number)
_FRAME_TAG = field_tag(gateway_pb2.ConnectResponse.DESCRIPTOR.fields_by_name["messages"].number)


class Views:
    """The views of a table after its newest entry, each part made and encoded when it is first wanted.

    `at`: table time of the view; `events`: what has just happened.
    """

    __slots__ = ("_at", "_events", "_own", "_public", "_public_json", "_public_wire", "_table")

    def __init__(self, table: Table, at: int, events: Sequence[Event] = ()) -> None:
        self._table = table
        self._at = at
        self._events = events
        self._public: dict[str, Any] | None = None
        self._public_wire = b""
        self._public_json = b""
        self._own: dict[int, dict[str, Any]] = {}

    def message(self, seat: int | None, *, as_json: bool, with_info: bool = False) -> bytes:
        """The update of a seat, or of a spectator (None), as a whole message to the client.

        Binary: a ConnectResponse with this one message, so that frames can be joined. JSON: a ServerMessage.
        """
        info = table_info(self._table, seat) if with_info else None
        return self._json(seat, info) if as_json else self._wire(seat, info)

    def _wire(self, seat: int | None, info: Mapping[str, Any] | None) -> bytes:
        if not self._public_wire:
            table = self._table
            self._public_wire = b"%b%b%b%b" % (
                delimited(_TABLE_TAG, table.id.encode()),
                _VERSION_TAG,
                varint(table.version),
                delimited(_PUBLIC_TAG, _PUBLIC(self._shared())),
            )
        update = self._public_wire
        if seat is not None:
            update += delimited(_OWN_TAG, _OWN(self._seen_by(seat)))
        if info is not None:
            update += delimited(_INFO_TAG, _INFO(info))
        return delimited(_FRAME_TAG, delimited(_MESSAGE_TAG, update))

    def _json(self, seat: int | None, info: Mapping[str, Any] | None) -> bytes:
        if not self._public_json:
            table = self._table
            self._public_json = b'{"table":{"table":"%b","version":"%d","public":%b' % (
                table.id.encode(), table.version, json_bytes(self._shared()),
            )  # fmt: skip
        own = b"" if seat is None else b',"own":' + json_bytes(self._seen_by(seat))
        about = b"" if info is None else b',"info":' + json_bytes(info)
        return b"%b%b%b}}" % (self._public_json, own, about)

    def _shared(self) -> dict[str, Any]:
        if self._public is None:
            self._public = public_view(self._table, self._at, self._events)
        return self._public

    def _seen_by(self, seat: int) -> dict[str, Any]:
        own = self._own.get(seat)
        if own is None:
            own = self._own[seat] = own_view(self._table, seat, self._events)
        return own


def public_view(table: Table, at: int, events: Sequence[Event]) -> dict[str, Any]:
    """The PublicView at table time `at`."""
    view = table.state.public_view()
    found: dict[str, Any] = {"state": _MODES[table.mode], "phase": view.phase, "hand": view.hand}
    if view.tie_break:
        found["tie_break"] = view.tie_break
    found["dealer"] = view.dealer
    if table.over:
        found["phase"] = "over"
    elif view.to_act:
        found["to_act"] = list(view.to_act)
        found["prompts"] = [_prompt(prompt) for prompt in view.prompts]
    found["zones"] = [_zone(zone) for zone in view.zones]
    found["scores"] = [str(score) for score in view.scores]
    if view.hand_score:
        found["hand_score"] = score_items(view.hand_score)
    if table.over:
        found["outcome"] = outcome(view.outcome)
    if view.facts:
        found["facts"] = json_text(view.facts)
    if events:
        found["events"] = [_event(event, event.data) for event in events]
    found["clocks"] = _clocks(table, at)
    found["turn"] = str(table.turn)
    if table.ready is not None and table.waiting:
        found["ready"] = sorted(table.ready)
        found["ready_wait_ms"] = str(table.left_ms(at))
    if table.hand is not None:
        found["proof"] = _proof(table, table.hand)
    if table.void_reason:
        found["void_reason"] = table.void_reason
    if table.ended is not None:
        found["ended_proof"] = deal.proof(table, table.ended)
    return found


def own_view(table: Table, seat: int, events: Sequence[Event]) -> dict[str, Any]:
    """The OwnView of a seat: what it sees beyond the public view."""
    view: View = table.state.own_view(seat)
    found: dict[str, Any] = {"seat": seat, "zones": [_zone(zone) for zone in view.zones]}
    if view.moves and not table.over:
        found["moves"] = [_move(move) for move in view.moves]
    found["turn"] = str(table.turns[seat])
    if view.facts:
        found["facts"] = json_text(view.facts)
    private = [
        _event(event, {**event.data, **event.private[seat]})
        for event in events
        if event.private is not None and seat in event.private
    ]
    if private:
        found["events"] = private
    ended = table.ended or table.hand
    if ended is not None and ended.dealt and table.mode != "play" and not table.state.whole_deck_shown:
        found["openings"] = deal.openings(table, ended, seat)
    return found


def table_info(table: Table, seat: int | None) -> dict[str, Any]:
    """The TableInfo for a seat, or a spectator (None)."""
    cents, currency = table.stake
    found: dict[str, Any] = {
        "match": table.match,
        "game": table.game.id,
        "options": table.options_json,
        "rules_version": table.game.rules_version,
        "seats": [sitter._asdict() for sitter in table.seats],
        "stake": {"cents": str(cents), "currency": currency},
        "direction": table.game.direction or "",
    }
    if seat is not None:
        found["your_seat"] = seat
    return found


def outcome(ended: Outcome | None) -> dict[str, Any]:
    """The Outcome message; a match without one was ended by the platform."""
    if ended is None:
        return {"ended_by": "void"}
    found: dict[str, Any] = {"places": ended.places, "ended_by": ended.ended_by}
    if ended.winner is not None:
        found["winner"] = ended.winner
    if ended.offender is not None:
        found["offender"] = ended.offender
    return found


def score_items(hand_score: Mapping[str, Iterable[int]]) -> list[dict[str, Any]]:
    """The ScoreItems of a hand."""
    return [{"id": item, "values": [str(points) for points in values]} for item, values in hand_score.items()]


def _clocks(table: Table, at: int) -> dict[str, Any]:
    clock = table.clock
    running = clock.running() if table.mode == "play" else ()
    seats = []
    for seat, (left, grace, bonus) in enumerate(
        zip(clock.left(at), clock.grace_left(at), clock.bonus(at), strict=True)
    ):
        face: dict[str, Any] = {"left_ms": str(left)}
        if seat in running:
            face["running"] = True
        if clock.connected[seat]:
            face["connected"] = True
        if grace:
            face["grace_ms"] = str(grace)
        if bonus:
            face["bonus"] = True
        seats.append(face)
    found: dict[str, Any] = {"seats": seats}
    if lead_in := clock.lead_in(at):
        found["lead_in_ms"] = str(lead_in)
    if waiting := clock.waiting(at):
        found["resume_wait_ms"] = str(waiting)
    if clock.paused:
        found["paused"] = True
    return found


_PROOF = Encoder(view_pb2.DealProof.DESCRIPTOR)


def _proof(table: Table, hand: Hand) -> Piece | dict[str, Any]:
    """The proof of the hand in the table's view; while a hand is played it does not change."""
    if table.mode != "play":
        return deal.proof(table, hand)
    if hand.proof is None:
        hand.proof = _PROOF.piece(deal.proof(table, hand))
    return hand.proof


def _zone(zone: Zone) -> Piece | dict[str, Any]:
    if zone.cards is None:
        return _hidden_zone(zone.id, zone.kind, zone.layout, zone.count, zone.seat, zone.side, zone.ordered)
    found = _frame(zone.id, zone.kind, zone.layout, zone.count, zone.seat, zone.side, zone.ordered)
    found["cards"] = list(zone.cards)
    return found


@lru_cache(maxsize=4096)
def _hidden_zone(
    id_: str, kind: str, layout: str, count: int, seat: int | None, side: int | None, ordered: bool
) -> Piece:  # fmt: skip
    return _ZONE.piece({**_frame(id_, kind, layout, count, seat, side, ordered), "hidden": True})


def _frame(
    id_: str, kind: str, layout: str, count: int, seat: int | None, side: int | None, ordered: bool
) -> dict[str, Any]:
    found: dict[str, Any] = {"id": id_, "kind": kind, "layout": layout, "count": count}
    if seat is not None:
        found["seat"] = seat
    if side is not None:
        found["side"] = side
    if ordered:
        found["ordered"] = True
    return found


def _prompt(prompt: Prompt) -> Piece:
    return _asked(tuple(prompt.seats), prompt.code, prompt.text["it"], prompt.text["en"])


@lru_cache(maxsize=1024)
def _asked(seats: tuple[int, ...], code: str, italian: str, english: str) -> Piece:
    return _PROMPT.piece({"seats": list(seats), "code": code, "text_it": italian, "text_en": english})


@lru_cache(maxsize=2048)
def _move(move: Move) -> Piece:
    found: dict[str, Any] = {"text": move.text, "verb": move.verb, "cards": move.cards}
    if move.takes:
        found["takes"] = move.takes
    if move.target:
        found["target"] = move.target
    return _MOVE.piece(found)


def _event(event: Event, data: Mapping[str, Any]) -> dict[str, Any]:
    if event.seat is None:
        return {"kind": event.kind, "data": json_text(data)}
    return {"kind": event.kind, "seat": event.seat, "data": json_text(data)}
