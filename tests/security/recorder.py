"""Records all that reaches clients and all that passes NATS during a match, and looks for cards in it that
their receiver could not know at that moment."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import nats
from google.protobuf import json_format
from nats.aio.msg import Msg
from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1.log_pb2 import LogEntry
from tavolo.table.v1.result_pb2 import MatchResult

from services.cli.cluster import Cluster
from services.runtime.shards import log_subject, result_subject
from services.table_engine.table import Table
from tests.security.faces import faces_in, words_in
from tests.security.knowledge import DECK, Knowledge
from tests.support.checkers import engine_bus, folder, read_log

_VERSION_BYTES = 8


@dataclass
class Recording:
    """frames: what each viewer's client got, as it came, with the form; traffic: (subject, data) of NATS."""

    frames: dict[int | None, list[tuple[str, bytes]]] = field(default_factory=dict)
    traffic: list[tuple[str, bytes]] = field(default_factory=list)


@contextlib.asynccontextmanager
async def listening(cluster: Cluster, recording: Recording) -> AsyncIterator[None]:
    """Takes down every message that passes NATS."""
    url, user, password = cluster.nats_access("observer")

    async def take(message: Msg) -> None:
        recording.traffic.append((message.subject, message.data))

    connection = await nats.connect(url, user=user, password=password)
    await connection.subscribe(">", cb=take, pending_msgs_limit=0, pending_bytes_limit=0)
    await connection.flush()
    try:
        yield
        await connection.flush()
    finally:
        await connection.close()


async def leaks(cluster: Cluster, table: str, recording: Recording) -> list[str]:
    """Each card that somebody was told too early, in words."""
    known, entries, house_seeds = await _knowledge(cluster, table)
    found: list[str] = []
    for viewer, frames in recording.frames.items():
        for form, data in frames:
            for message in _messages(form, data):
                found += _in_message(f"client of {_name(viewer)}", message, viewer, known)
    heard = set()
    for subject, data in recording.traffic:
        if subject == log_subject(table):
            # The clock's consumer is given the headers of each entry once more, and no data.
            if data:
                version = entries.index(data) + 1
                heard.add(version)
                found += [f"{subject}: a house seed" for seed in house_seeds if seed in data]
                told = faces_in(LogEntry.FromString(data)) & known.hidden[version][None]
                found += [f"{subject}: {face} in entry {version}" for face in told]
        elif subject.startswith("tavolo.view."):
            place, form = subject.split(".")[4:6]
            viewer = None if place == "public" else int(place)
            kind = "json item" if form == "j" else "proto"
            for message in _messages(kind, data[_VERSION_BYTES:]):
                found += _in_message(subject, message, viewer, known)
        elif subject == result_subject(table):
            told = faces_in(MatchResult.FromString(data)) & known.hidden[max(known.hidden)][None]
            found += [f"{subject}: {face}" for face in told]
        elif not subject.startswith("_INBOX.table_engine."):
            # Whatever else passes has nothing to say about cards.
            text = data.decode("utf-8", "replace")
            found += [f"{subject}: {word}" for word in words_in(text) if word in DECK]
    # The recording may end before the last entry, which says that the result is published.
    assert len(entries) - len(heard) <= 1, "the recorder has not heard the whole log"
    return found


async def _knowledge(cluster: Cluster, table: str) -> tuple[Knowledge, list[bytes], list[bytes]]:
    """What everybody may know after each entry, the entries, and the house's seeds, from the unsealed log."""
    bus, fold = await engine_bus(cluster), folder(cluster)
    try:
        log = await read_log(bus, fold, table)
    finally:
        await bus.close()
    seeds: dict[bytes, bytes] = {}
    state: Table | None = None
    for message in log.stored:
        state = fold.replay(state, message.data, message.sequence)
        if state.hand is not None:
            seeds[state.hand.commitment] = state.hand.house_seed
    return Knowledge(log.entries, seeds), [message.data for message in log.stored], list(seeds.values())


def _in_message(
    where: str, message: gateway_pb2.ServerMessage, viewer: int | None, known: Knowledge
) -> Iterator[str]:
    """The cards in a message that are hidden from its viewer after the entry that it is about."""
    told = faces_in(message)
    if message.HasField("table"):
        version = message.table.version
    elif message.answer.HasField("accepted"):
        version = message.answer.accepted.version
    else:
        yield from (f"{where}: {face} in a message that is about no cards" for face in told)
        return
    yield from (f"{where}: {face} after entry {version}" for face in told & known.hidden[version][viewer])


def _messages(form: str, data: bytes) -> Iterator[gateway_pb2.ServerMessage]:
    if form == "json item":
        yield json_format.Parse(data, gateway_pb2.ServerMessage())
    elif form == "json":
        yield from json_format.Parse(data, gateway_pb2.ConnectResponse()).messages
    else:
        yield from gateway_pb2.ConnectResponse.FromString(data).messages


def _name(viewer: int | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"
