"""Who is let in: tokens, malformed and huge input, limits of number and time. A gateway alone."""

import asyncio
import base64
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import grpc
import jwt
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tavolo.gateway.v1 import gateway_pb2 as pb
from tavolo.lobby.v1 import lobby_pb2
from tavolo.scoring.v1 import scoring_pb2

from services.runtime.ids import new_id
from tests.gateway.support import LOBBY, SCORING, account, token
from tests.support.clients import KINDS, Ended, GatewayClient, Kind, Refused, WebSocketTransport
from tests.support.processes import Identities, Service, Services
from tests.support.waiting import wait_for


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Every transport and form."""
    found: Kind = request.param
    return found


@pytest_asyncio.fixture
async def client(gateway: Service, kind: Kind) -> AsyncIterator[GatewayClient]:
    async with await GatewayClient.open(kind, gateway.addresses) as found:
        yield found


async def test_a_good_token_opens_a_connection(client: GatewayClient, identities: Identities) -> None:
    me = account()
    welcome = await client.hello(token(identities, me))
    assert (welcome.account, welcome.nickname, list(welcome.tables)) == (me, "Nina", [])
    assert welcome.last_notice > 0
    assert welcome.heartbeat_ms == 20_000


def forged(identities: Identities, case: str) -> str:
    me = account()
    header = {"kid": identities.player_key_id}
    claims = jwt.decode(token(identities, me), options={"verify_signature": False})
    stranger = Ed25519PrivateKey.generate()

    def unsigned(**head: str) -> str:
        parts = (json.dumps({"typ": "JWT", **head}), json.dumps(claims))
        return ".".join(base64.urlsafe_b64encode(part.encode()).rstrip(b"=").decode() for part in parts) + "."

    return {
        "empty": "",
        "no token": "nonsense",
        "too long": "x" * 9000,
        "expired": token(identities, me, exp=1_600_000_000),
        "other issuer": token(identities, me, iss="somebody"),
        "other audience": token(identities, me, aud="lobby"),
        "other type": token(identities, me, typ="refresh"),
        "no subject": token(identities, me, sub=None),
        "no end": token(identities, me, exp=None),
        "no id": token(identities, me, jti=None),
        "other key": jwt.encode(claims, stranger, algorithm="EdDSA", headers=header),
        "unknown key": jwt.encode(claims, stranger, algorithm="EdDSA", headers={"kid": "elsewhere"}),
        "alg none": unsigned(alg="none", kid=identities.player_key_id),
        "key as secret": jwt.encode(claims, "x" * 32, algorithm="HS256", headers=header),
        "a service's": identities.signer("bots").token("gateway"),
    }[case]


@pytest.mark.parametrize(
    "case",
    [
        "empty",
        "no token",
        "too long",
        "expired",
        "other issuer",
        "other audience",
        "other type",
        "no subject",
        "no end",
        "no id",
        "other key",
        "unknown key",
        "alg none",
        "key as secret",
        "a service's",
    ],
)
async def test_a_token_that_proves_nothing_is_refused_and_ends_the_connection(
    gateway: Service, identities: Identities, case: str
) -> None:
    async with await GatewayClient.open("json", gateway.addresses) as client:
        with pytest.raises(Refused) as refused:
            await client.hello(forged(identities, case))
        assert refused.value.reason == "UNAUTHENTICATED"
        assert (await client.end()).reason == "UNAUTHENTICATED"


async def test_a_connection_ends_with_its_token_unless_that_is_renewed(
    gateway: Service, identities: Identities, kind: Kind
) -> None:
    me = account()
    async with (
        await GatewayClient.open(kind, gateway.addresses) as renewing,
        await GatewayClient.open(kind, gateway.addresses) as forgetful,
    ):
        for client in (renewing, forgetful):
            await client.hello(token(identities, me, exp=int(time.time()) + 3))
        await renewing.hello(token(identities, me))
        assert (await forgetful.end()).reason == "UNAUTHENTICATED"
        assert renewing.ended is None
        await renewing.detach(new_id("tbl"))


async def test_a_renewal_with_another_account_is_refused(
    client: GatewayClient, identities: Identities
) -> None:
    await client.hello(token(identities, account()))
    with pytest.raises(Refused) as refused:
        await client.hello(token(identities, account()))
    assert (refused.value.reason, refused.value.detail.field) == ("NOT_PERMITTED", "token")
    await client.detach(new_id("tbl"))


async def test_before_hello_nothing_but_signing_in_is_done(client: GatewayClient) -> None:
    table = new_id("tbl")
    for asked in (
        client.attach(table),
        client.act(table, "7d", 1),
        client.ready(table, 1),
        client.sync(table),
        client.detach(table),
        client.call(f"{LOBBY}ListTables", lobby_pb2.ListTablesRequest(), lobby_pb2.ListTablesResponse),
    ):
        with pytest.raises(Refused) as refused:
            await asked
        assert refused.value.reason == "UNAUTHENTICATED"
        assert refused.value.detail.request_id


async def test_a_method_that_is_not_public_is_refused(client: GatewayClient, identities: Identities) -> None:
    await client.hello(token(identities, account()))
    for method, reason in (
        (f"{SCORING}HoldStakes", "NOT_PERMITTED"),
        (f"{SCORING}ReleaseStakes", "NOT_PERMITTED"),
        ("/tavolo.lobby.v1.AccountService/SignInComputers", "NOT_PERMITTED"),
        ("/tavolo.table.v1.TableService/StartMatch", "NOT_FOUND"),
        ("/grpc.health.v1.Health/Check", "NOT_FOUND"),
        ("nonsense", "NOT_FOUND"),
    ):
        with pytest.raises(Refused) as refused:
            await client.call(method, scoring_pb2.HoldStakesRequest(), scoring_pb2.HoldStakesResponse)
        assert refused.value.reason == reason, method


async def test_what_names_no_table_is_refused_by_its_field(
    client: GatewayClient, identities: Identities
) -> None:
    await client.hello(token(identities, account()))
    for wrong in ("", "tbl_x", "tavolo.table.>", "tbl_" + "a" * 19 + "*", "ply_" + "a" * 20):
        with pytest.raises(Refused) as refused:
            await client.attach(wrong)
        assert (refused.value.reason, refused.value.detail.field) == ("INVALID_FIELD", "attach.table")
    with pytest.raises(Refused) as refused:
        await client.act(new_id("tbl"), "7d", 1)
    assert refused.value.reason == "NOT_ATTACHED"


async def test_a_message_of_no_kind_is_refused(client: GatewayClient) -> None:
    with pytest.raises(Refused) as refused:
        await client.ask(pb.ClientMessage())
    assert refused.value.reason == "INVALID_FIELD"


# ------------------------------------------------------------------------------------------ unreadable frames


async def raw(gateway: Service, form: str, frame: bytes | str) -> list[dict[str, Any]]:
    """What a WebSocket client of this form gets for one frame: messages, or the close code."""
    async with aiohttp.ClientSession() as session:
        ws = await session.ws_connect(f"ws://{gateway.http}/ws", protocols=(f"tavolo.v1.{form}",), compress=0)
        await (ws.send_str(frame) if isinstance(frame, str) else ws.send_bytes(frame))
        found = await ws.receive(timeout=10)
        await ws.close()
    if found.type is aiohttp.WSMsgType.TEXT:
        messages: list[dict[str, Any]] = json.loads(found.data)["messages"]
        return messages
    if found.type is aiohttp.WSMsgType.BINARY:
        return [
            {each.WhichOneof("kind") or "": {"reason": pb.CloseReason.Name(each.goodbye.reason)}}
            for each in pb.ConnectResponse.FromString(found.data).messages
        ]
    return [{"closed": found.data}]


@pytest.mark.parametrize(
    ("form", "frame"),
    [
        ("json", "{"),
        ("json", "[]"),
        ("json", '"x"'),
        ("json", "{}"),
        ("json", '{"messages":{}}'),
        ("json", '{"messages":[],"more":1}'),
        ("json", "[" * 60_000),
        ("json", b"\xff\xfe"),
        ("proto", b"\xff\xff\xff"),
        ("proto", b"\x0a\x05abc"),
        ("proto", b"\x0a\x08\x1a\x06\x0a\x04\xff\xff\xff\xff"),
        ("proto", '{"messages":[]}'),
        ("json", '{"messages":["' + "x" * 70_000 + '"]}'),
        ("proto", b"\0" * 70_000),
    ],
)
async def test_a_frame_that_cannot_be_read_ends_the_connection(
    gateway: Service, form: str, frame: bytes | str
) -> None:
    (goodbye,) = await raw(gateway, form, frame)
    assert goodbye["goodbye"]["reason"] == "CLOSE_REASON_BAD_MESSAGE"


async def test_a_huge_message_is_not_read_to_its_end(gateway: Service) -> None:
    assert await raw(gateway, "json", "x" * 300_000) == [{"closed": aiohttp.WSCloseCode.MESSAGE_TOO_BIG}]


async def test_grpc_refuses_a_huge_message(gateway: Service) -> None:
    async with grpc.aio.insecure_channel(gateway.grpc) as channel:
        call: Any = channel.stream_stream("/tavolo.gateway.v1.GatewayService/Connect")()
        await call.write(b"\0" * 70_000)
        assert await call.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(
    ("message", "call", "field"),
    [
        ({"call": "7", "act": {"table": 1}}, "7", "act.table"),
        ({"act": {"nonsense": 1}, "call": 8}, "8", "act.nonsense"),
        ({"call": "9" * 5000, "act": {}}, None, "call"),
        ({"call": {}, "act": {}}, None, "call"),
        ("x", None, ""),
    ],
)
async def test_a_json_message_that_cannot_be_read_is_answered_by_its_number(
    gateway: Service, message: object, call: str | None, field: str
) -> None:
    (found,) = await raw(gateway, "json", json.dumps({"messages": [message]}))
    assert found["answer"].get("call") == call
    assert found["answer"]["error"]["reason"] == "ERROR_REASON_INVALID_FIELD"
    assert found["answer"]["error"].get("field", "") == field


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frame=st.binary(max_size=300) | st.text(max_size=300))
async def test_no_bytes_make_the_gateway_fail(gateway: Service, frame: bytes | str) -> None:
    for form in ("json", "proto"):
        async with asyncio.timeout(10):
            transport = await WebSocketTransport.open(gateway.http, "json" if form == "json" else "proto")
            await (transport.ws.send_str(frame) if isinstance(frame, str) else transport.ws.send_bytes(frame))
            await transport.ws.ping()
            await transport.close()
    async with aiohttp.ClientSession() as session, session.get(f"http://{gateway.http}/healthz") as response:
        assert response.status == 200
    assert not [line for line in gateway.log_lines if line["level"] == "error"]


# ---------------------------------------------------------------------------------------------------- limits


async def test_messages_over_the_limit_are_refused_with_a_time_and_a_flood_ends_the_connection(
    service: Services, identities: Identities
) -> None:
    gateway = await service(
        "gateway",
        {
            "TAVOLO_GATEWAY_MESSAGES_PER_S": "0.5",
            "TAVOLO_GATEWAY_MESSAGES_BURST": "4",
            "TAVOLO_GATEWAY_REFUSALS_BURST": "5",
        },
    )
    async with await GatewayClient.open("proto", gateway.addresses) as client:
        await client.hello(token(identities, account()))
        for _ in range(3):
            await client.detach(new_id("tbl"))
        with pytest.raises(Refused) as refused:
            await client.detach(new_id("tbl"))
        assert refused.value.reason == "RATE_LIMITED"
        assert 0 < refused.value.detail.retry_after.ToMilliseconds() <= 2000
        detach = pb.ClientMessage(detach=pb.DetachTable(table=new_id("tbl")))
        with pytest.raises((Refused, Ended)):
            await client.ask_all([pb.ClientMessage(detach=detach.detach) for _ in range(50)])
        assert (await client.end()).reason == "RATE_LIMITED"


async def test_an_account_has_one_limit_for_all_its_connections(
    service: Services, identities: Identities
) -> None:
    gateway = await service(
        "gateway",
        {"TAVOLO_GATEWAY_ACCOUNT_MESSAGES_PER_S": "0.1", "TAVOLO_GATEWAY_ACCOUNT_MESSAGES_BURST": "4"},
    )
    me, other = account(), account()
    async with (
        await GatewayClient.open("proto", gateway.addresses) as one,
        await GatewayClient.open("grpc", gateway.addresses) as two,
        await GatewayClient.open("grpc", gateway.addresses) as stranger,
    ):
        for client, who in ((one, me), (two, me), (stranger, other)):
            await client.hello(token(identities, who))
        for client in (one, two, one, two):
            await client.detach(new_id("tbl"))
        with pytest.raises(Refused) as refused:
            await two.detach(new_id("tbl"))
        assert refused.value.reason == "RATE_LIMITED"
        await stranger.detach(new_id("tbl"))


async def test_calls_have_a_limit_of_their_own(service: Services, identities: Identities) -> None:
    gateway = await service(
        "gateway", {"TAVOLO_GATEWAY_CALLS_PER_S": "0.1", "TAVOLO_GATEWAY_CALLS_BURST": "2"}
    )
    async with await GatewayClient.open("grpc", gateway.addresses) as client:
        await client.hello(token(identities, account()))
        calls = [
            client.call(f"{LOBBY}ListGames", lobby_pb2.ListGamesRequest(), lobby_pb2.ListGamesResponse)
            for _ in range(3)
        ]
        refused = await asyncio.gather(*calls, return_exceptions=True)
        # There is no lobby: what is within the limit waits for one in vain.
        reasons = sorted(each.reason for each in refused if isinstance(each, Refused))
        assert reasons == ["RATE_LIMITED", "UNAVAILABLE", "UNAVAILABLE"]


async def test_connections_have_limits_by_account_by_address_and_in_all(
    service: Services, identities: Identities
) -> None:
    gateway = await service(
        "gateway",
        {"TAVOLO_GATEWAY_CONNECTIONS_PER_ACCOUNT": "1", "TAVOLO_GATEWAY_CONNECTIONS_PER_ADDRESS": "2"},
    )
    me = account()
    async with await GatewayClient.open("json", gateway.addresses) as one:
        await one.hello(token(identities, me))
        async with await GatewayClient.open("proto", gateway.addresses) as two:
            with pytest.raises(Refused) as refused:
                await two.hello(token(identities, me))
            assert refused.value.reason == "RATE_LIMITED"
            with pytest.raises(aiohttp.WSServerHandshakeError) as handshake:
                await GatewayClient.open("json", gateway.addresses)
            assert handshake.value.status == 503
            async with await GatewayClient.open("grpc", gateway.addresses) as three:
                assert (await three.end()).reason == ""
                assert await three.transport.call.code() == grpc.StatusCode.RESOURCE_EXHAUSTED  # type: ignore[attr-defined]
        await wait_for(lambda: _opens(gateway), 5.0, "a place is given back")


async def _opens(gateway: Service) -> bool:
    try:
        client = await GatewayClient.open("json", gateway.addresses)
    except aiohttp.WSServerHandshakeError:
        return False
    await client.close()
    return True


async def test_who_says_nothing_is_ended(service: Services) -> None:
    gateway = await service("gateway", {"TAVOLO_GATEWAY_HANDSHAKE_S": "0.3"})
    host, _, port = gateway.http.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    async with asyncio.timeout(5):
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
    writer.close()
    for each in KINDS:
        async with await GatewayClient.open(each, gateway.addresses) as client:
            assert (await client.end()).reason == "UNAUTHENTICATED"


async def test_who_does_not_answer_pings_is_ended(
    service: Services, identities: Identities, kind: Kind
) -> None:
    gateway = await service("gateway", {"TAVOLO_GATEWAY_HEARTBEAT_S": "0.4", "TAVOLO_GATEWAY_SILENCE_S": "1"})
    async with (
        await GatewayClient.open(kind, gateway.addresses, pongs=False) as silent,
        await GatewayClient.open(kind, gateway.addresses) as alive,
    ):
        for client in (silent, alive):
            await client.hello(token(identities, account()))
        assert (await silent.end()).reason == "SILENT"
        assert alive.ended is None


async def test_only_allowed_origins_may_connect(service: Services) -> None:
    gateway = await service("gateway", {"TAVOLO_GATEWAY_ORIGINS": "https://tavolo.example"})
    await (await WebSocketTransport.open(gateway.http, "json", origin="https://tavolo.example")).close()
    await (await WebSocketTransport.open(gateway.http, "json")).close()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await WebSocketTransport.open(gateway.http, "json", origin="https://evil.example")
    assert refused.value.status == 403


async def test_a_websocket_without_our_sub_protocol_is_refused_and_nothing_is_compressed(
    gateway: Service,
) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"ws://{gateway.http}/ws", protocols=("chat",))
        assert refused.value.status == 400
        ws = await session.ws_connect(f"ws://{gateway.http}/ws", protocols=("tavolo.v1.json",), compress=15)
        assert ws.compress == 0
        await ws.close()


async def test_http_says_how_to_play_and_whether_it_is_ready(gateway: Service) -> None:
    async with aiohttp.ClientSession(f"http://{gateway.http}") as session:
        async with session.get("/") as response:
            text = await response.text()
            assert response.status == 200
            assert "tavolo play" in text
            assert gateway.grpc in text
        async with session.get("/healthz") as response:
            assert await response.json() == {"alive": True}
        async with session.get("/readyz") as response:
            assert await response.json() == {"ready": True, "reasons": {}}
        async with session.get("/metrics") as response:
            assert response.status == 404


async def test_at_sigterm_everybody_is_told_and_the_process_ends_well(
    service: Services, identities: Identities
) -> None:
    gateway = await service("gateway")
    clients = [await GatewayClient.open(each, gateway.addresses) for each in KINDS]
    for client in clients:
        await client.hello(token(identities, account()))
    stopping = asyncio.create_task(gateway.stop())
    for client in clients:
        assert (await client.end()).reason == "GOING_AWAY"
    assert await stopping == 0
    for client in clients:
        await client.close()


async def test_no_token_reaches_the_log(gateway: Service, identities: Identities) -> None:
    secret = token(identities, account())
    async with await GatewayClient.open("json", gateway.addresses) as client:
        await client.hello(secret)
        with pytest.raises(Refused):
            await client.hello(secret + "x")
    assert secret.rpartition(".")[2] not in gateway.log
