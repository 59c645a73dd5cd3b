"""Clients of the table engine that do what a gateway does: a link, attachments, views from NATS."""

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, Self

import grpc
import jwt
from google.protobuf import json_format
from tavolo.common.v1 import error_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import table_pb2, view_pb2
from tavolo.table.v1.table_pb2_grpc import TableServiceStub

from services.runtime.bus import Bus
from services.runtime.ids import new_id
from tests.support.processes import Identities
from tests.support.waiting import wait_for

ANSWER_S = 20.0


class Refused(Exception):
    """The engine refused; `detail` says why."""

    def __init__(self, detail: error_pb2.ErrorDetail) -> None:
        super().__init__(f"{error_pb2.ErrorReason.Name(detail.reason)}: {detail.text}")
        self.detail = detail
        self.reason = error_pb2.ErrorReason.Name(detail.reason).removeprefix("ERROR_REASON_")
        self.rule = detail.rule


def token(identities: Identities, account: str, expires_in_s: float = 900.0, **claims: Any) -> str:
    """An access token of this account."""
    now = int(time.time())
    content = {
        "iss": "tavolo", "aud": "tavolo", "sub": account, "iat": now, "exp": now + int(expires_in_s),
        "jti": new_id("jti"), "typ": "access", "name": account, "roles": [], **claims,
    }  # fmt: skip
    return jwt.encode(
        content, identities.player_key, algorithm="EdDSA", headers={"kid": identities.player_key_id}
    )


class LinkClient:
    """One gateway: links to workers, and the views that are published to it."""

    def __init__(self, bus: Bus, identities: Identities) -> None:
        self.id = new_id("gw")
        self._bus = bus
        self._identities = identities
        self._calls: dict[int, tuple[str, asyncio.Future[table_pb2.Answer]]] = {}
        self._numbers = itertools.count(1)
        self._links: dict[str, tuple[Any, asyncio.Task[None], grpc.aio.Channel]] = {}
        self._waiting: dict[str, list[table_pb2.Command]] = {}
        self._writing = asyncio.Lock()
        self.views: dict[str, Callable[[int, bytes], None]] = {}
        self.gone: list[str] = []
        self.going_away: set[str] = set()

    async def listen(self) -> Self:
        """Subscribes to what workers publish to this gateway."""
        await self._bus.subscribe(f"tavolo.view.{self.id}.>", self._view)
        await self._bus.subscribe(f"tavolo.gone.{self.id}.>", lambda subject, *_: self.gone.append(subject))
        return self

    def token(self, account: str, expires_in_s: float = 900.0) -> str:
        """An access token of this account."""
        return token(self._identities, account, expires_in_s)

    def service(self, address: str, as_part: str | None) -> TableServiceStub:
        """The worker's service, called as a part."""
        return TableServiceStub(self._identities.channel(address, "table_engine", as_part))

    async def call(self, address: str, command: table_pb2.Command) -> table_pb2.Answer:
        """Sends one command to this worker; its answer. Refused: it is an error."""
        number = next(self._numbers)
        command.call = number
        future: asyncio.Future[table_pb2.Answer] = asyncio.get_running_loop().create_future()
        self._calls[number] = address, future
        self._waiting.setdefault(address, []).append(command)
        async with self._writing:
            # Commands that came together travel together; a stream takes one write at a time.
            if commands := self._waiting.pop(address, []):
                await self._link(address).write(table_pb2.LinkRequest(commands=commands))
        answer = await asyncio.wait_for(future, ANSWER_S)
        if answer.HasField("error"):
            raise Refused(answer.error)
        return answer

    async def close(self) -> None:
        """Ends all links."""
        for call, reader, channel in self._links.values():
            call.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            await channel.close()

    def _link(self, address: str) -> Any:
        if address not in self._links or self._links[address][1].done():
            channel = self._identities.channel(address, "table_engine", "gateway")
            stub: Any = TableServiceStub(channel)
            call = stub.Link()
            self._links[address] = call, asyncio.create_task(self._read(address, call)), channel
        return self._links[address][0]

    async def _read(self, address: str, call: Any) -> None:
        try:
            async for frame in call:
                if frame.going_away:
                    self.going_away.add(address)
                for answer in frame.answers:
                    for shown in answer.shown:
                        self._view(shown.subject, "", {}, shown.payload)
                    self._calls.pop(answer.call)[1].set_result(answer)
        except grpc.aio.AioRpcError as error:
            lost = [number for number, (of, _) in self._calls.items() if of == address]
            for number in lost:
                _, future = self._calls.pop(number)
                if not future.done():
                    future.set_exception(ConnectionError(error.code().name))

    def _view(self, subject: str, _reply: str, _headers: Mapping[str, str], data: bytes) -> None:
        found = self.views.get(subject.split(".", 3)[3])
        if found is not None:
            found(int.from_bytes(data[:8], "big"), data[8:])


class Player:
    """A client at one table: sees its views, says Ready, plays legal moves that its own generator chooses."""

    def __init__(self, gateway: LinkClient, table: str, account: str, form: str = "p", seed: int = 0) -> None:
        self.gateway = gateway
        self.table = table
        self.account = account
        self.form = form
        self.random = random.Random(seed)  # noqa: S311 - a choice that can be repeated
        self.attachment = ""
        self.seat: int | None = None
        self.views: list[tuple[int, view_pb2.TableUpdate]] = []
        self.raw: list[bytes] = []
        self.acknowledged: list[tuple[str, table_pb2.MoveAccepted]] = []
        self._numbers = itertools.count(1)

    async def attach(self, address: str, *, watch: bool = False, previous: str = "", token: str = "") -> Self:
        """Attaches through this worker."""
        form = table_pb2.VIEW_FORM_PROTO if self.form == "p" else table_pb2.VIEW_FORM_JSON
        attach = table_pb2.AttachCommand(
            token=token or self.gateway.token(self.account), gateway=self.gateway.id, form=form, watch=watch,
            previous=previous,
        )  # fmt: skip
        answer = await self.gateway.call(address, table_pb2.Command(table=self.table, attach=attach))
        attached = answer.attached
        self.attachment = attached.attachment
        self.seat = attached.seat if attached.HasField("seat") else None
        self._see(attached.version, attached.message)
        viewer = "public" if self.seat is None else self.seat
        self.gateway.views[f"{self.table}.{viewer}.{self.form}"] = self._see
        return self

    @property
    def update(self) -> view_pb2.TableUpdate:
        """The newest view."""
        return max(self.views, key=lambda each: each[0])[1]

    @property
    def public(self) -> view_pb2.PublicView:
        return self.update.public

    @property
    def is_asked(self) -> bool:
        """Whether it is this seat's turn in the newest view."""
        return self.seat in self.public.to_act

    @property
    def is_over(self) -> bool:
        return self.public.state == view_pb2.TABLE_STATE_OVER

    async def ready(self, address: str, contribution: bytes = b"") -> None:
        """Says that it is ready for the hand of the newest view."""
        ready = table_pb2.ReadyCommand(contribution=contribution, hand=self.public.hand)
        await self.gateway.call(address, self.command(ready=ready))

    async def act(self, address: str, move: str, **fields: Any) -> table_pb2.MoveAccepted:
        """Makes a move on the newest view."""
        fields.setdefault("command_id", f"c{next(self._numbers)}")
        fields.setdefault("turn", self.update.own.turn)
        age_ms = fields.pop("age_ms", 0)
        command = self.command(act=table_pb2.ActCommand(move=move, **fields), age_ms=age_ms)
        answer = await self.gateway.call(address, command)
        self.acknowledged.append((fields["command_id"], answer.accepted))
        return answer.accepted

    def choice(self) -> str:
        """A legal move."""
        return self.random.choice(self.update.own.moves).text

    def command(self, **fields: Any) -> table_pb2.Command:
        """A command in the name of this connection."""
        return table_pb2.Command(table=self.table, attachment=self.attachment, **fields)

    async def is_in(self, state: view_pb2.TableState.ValueType) -> None:
        """Waits until its newest view shows the table in this state."""
        await wait_for(lambda: self.public.state == state, what=view_pb2.TableState.Name(state))

    async def sees(self, version: int) -> None:
        """Waits until it has a view of this version, or a newer one."""
        await wait_for(lambda: self.update.version >= version, what=f"a view of entry {version}")

    def _see(self, version: int, message: bytes) -> None:
        self.raw.append(message)
        if self.form == "p":
            update = gateway_pb2.ConnectResponse.FromString(message).messages[0].table
        else:
            update = parse_json(message)
        assert update.version == version
        self.views.append((version, update))


def parse_json(message: bytes) -> view_pb2.TableUpdate:
    """The update in a JSON ServerMessage."""
    parsed = json_format.Parse(message, gateway_pb2.ServerMessage())
    assert list(json.loads(message)) == ["table"]
    return parsed.table


def start_request(accounts: list[str], **options: Any) -> table_pb2.StartMatchRequest:
    """A match of scopa with these accounts."""
    request = table_pb2.StartMatchRequest(
        table=new_id("tbl"), match=new_id("mch"), game="scopa", options=json.dumps(options),
        seats=[view_pb2.Seat(account=account, nickname=account[-5:]) for account in accounts],
    )  # fmt: skip
    request.stake.cents, request.stake.currency = 100, "PLAY"
    return request


async def play_out(
    players: list[Player], address: Callable[[], str], most_moves: int = 2_000, stop_after: int = 0
) -> int:
    """Plays the match to its end, or `stop_after` moves of it; how many moves it took."""
    moves = 0
    while not players[0].is_over and not (stop_after and moves == stop_after):
        newest = max(player.update.version for player in players)
        for player in players:
            await player.sees(newest)
        if players[0].public.state == view_pb2.TABLE_STATE_READY:
            for player in players:
                if player.public.state == view_pb2.TABLE_STATE_READY:
                    await player.ready(address(), player.random.randbytes(16))
            await wait_for(lambda: players[0].public.state != view_pb2.TABLE_STATE_READY, what="the deal")
            continue
        actor = next(player for player in players if player.is_asked)
        accepted = await actor.act(address(), actor.choice())
        moves += 1
        assert moves <= most_moves
        for player in players:
            await player.sees(accepted.version)
    return moves
