"""The life of a service as a process: start, readiness, calls, stop, and what goes wrong."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any, cast

import aiohttp
import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from tavolo.common.v1 import error_pb2

from services.runtime.errors import TavoloError, from_rpc_error
from services.runtime.grpc_client import make_channel
from tests.support.processes import Identities, NatsServer, PostgresServer, Service, Services
from tests.support.waiting import wait_for


def launcher(which: str) -> list[str]:
    return [sys.executable, "-m", "tests.runtime.broken_services", which]


async def call(
    address: str, method: str, request: bytes = b"", channel: grpc.aio.Channel | None = None, **options: Any
) -> bytes:
    own = channel or make_channel(address, "chat", None, 5.0, "")
    try:
        ask: Any = own.unary_unary(f"/test.Methods/{method}")
        answer: bytes = await ask(request, **options)
        return answer
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error
    finally:
        if channel is None:
            await own.close()


async def get(address: str, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}{path}") as response:
        return response.status, await response.text()


async def test_a_service_is_alive_ready_and_measured(service: Services) -> None:
    made = await service("chat", launcher=launcher("answer"))
    assert await get(made.http, "/healthz") == (200, '{"alive": true}')
    status, text = await get(made.http, "/readyz")
    assert (status, json.loads(text)) == (200, {"ready": True, "reasons": {}})
    status, text = await get(made.http, "/metrics")
    assert 'tavolo_build_info{part="chat"' in text
    assert "process_resident_memory_bytes" in text
    async with grpc.aio.insecure_channel(made.grpc) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        for name in ("", "ready"):
            found = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert found.status == health_pb2.HealthCheckResponse.SERVING
        listing = reflection_pb2.ServerReflectionRequest(list_services="")
        reflection: Any = reflection_pb2_grpc.ServerReflectionStub(cast("Any", channel))
        async for answer in reflection.ServerReflectionInfo(iter([listing])):
            names = {each.name for each in answer.list_services_response.service}
        assert {"test.Methods", "grpc.health.v1.Health"} <= names
    assert await made.stop() == 0
    events = [line["event"] for line in made.log_lines]
    assert (
        events.index("service_started") < events.index("service_stopping") < events.index("service_stopped")
    )


async def test_calls_carry_identity_request_id_and_deadline(
    service: Services, identities: Identities
) -> None:
    made = await service("chat", launcher=launcher("answer"))
    assert (await call(made.grpc, "Echo", metadata=(("x-request-id", "req_7"),))).split()[:3] == [
        b"anonymous",
        b"req_7",
        b"True",
    ]
    channel = identities.channel(made.grpc, "chat", as_part="lobby")
    assert (await call(made.grpc, "Echo", channel=channel)).startswith(b"service lobby req_")
    await channel.close()
    wrong = identities.channel(made.grpc, "scoring", as_part="lobby")
    with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
        await call(made.grpc, "Echo", channel=wrong)
    await wrong.close()
    for value in ("Bearer nonsense", "Basic abc", "nonsense"):
        with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
            await call(made.grpc, "Echo", metadata=(("authorization", value),))


async def test_each_way_to_fail_has_its_typed_answer(service: Services) -> None:
    made = await service("chat", launcher=launcher("answer"))
    with pytest.raises(TavoloError) as refused:
        await call(made.grpc, "Refuse")
    assert (refused.value.reason, refused.value.field) == (
        error_pb2.ERROR_REASON_INVALID_FIELD,
        "options.target",
    )
    with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
        await call(made.grpc, "Private")
    with pytest.raises(TavoloError) as crashed:
        await call(made.grpc, "Crash", metadata=(("x-request-id", "req_crash"),))
    assert crashed.value.reason == error_pb2.ERROR_REASON_INTERNAL
    assert "seed" not in crashed.value.text
    logged = [line for line in made.log_lines if line["event"] == "call_failed"]
    assert [line["request_id"] for line in logged] == ["req_crash"]
    with pytest.raises(TavoloError, match="TOO_LARGE"):
        await call(made.grpc, "Echo", b"x" * (4 * 1024 * 1024 + 1))
    assert b" 7" in await call(made.grpc, "Echo", b"x" * 7)


async def test_what_was_opened_is_closed_in_reverse_after_the_drain(service: Services) -> None:
    made = await service("chat", launcher=launcher("order"))
    assert await made.stop() == 0
    assert [line["what"] for line in made.log_lines if line["event"] == "closing"] == [
        "drain",
        "opened second",
        "opened first",
    ]


async def test_a_stop_that_hangs_ends_at_its_deadline_and_names_what_hung(service: Services) -> None:
    made = await service("chat", {"TAVOLO_STOP_DEADLINE_S": "0.3"}, launcher=launcher("hang"))
    assert await made.stop() == 1
    told = [line for line in made.log_lines if line["event"] == "stop_deadline_passed"]
    assert [line["step"] for line in told] == ["drain"]


@pytest.mark.parametrize(("which", "event"), [("die", "task_failed"), ("raise_in_bind", "task_failed")])
async def test_a_failing_part_ends_the_process_with_status_1(
    service: Services, which: str, event: str
) -> None:
    made = await service("chat", launcher=launcher(which), start=False)
    await made.start(ready=False)
    assert await asyncio.wait_for(made.child.ended(), 20) == 1
    assert event in [line["event"] for line in made.log_lines]


async def test_bad_settings_are_status_2_and_a_taken_port_status_1(service: Services) -> None:
    bad = await service("chat", {"TAVOLO_CHAT_GRPC_PORT": "many"}, start=False)
    await bad.start(ready=False)
    assert await asyncio.wait_for(bad.child.ended(), 20) == 2
    assert "TAVOLO_CHAT_GRPC_PORT" in bad.log
    first = await service("chat", launcher=launcher("answer"))
    port = first.grpc.rpartition(":")[2]
    second = await service("chat", {"TAVOLO_CHAT_GRPC_PORT": port}, launcher=launcher("answer"), start=False)
    await second.start(ready=False)
    assert await asyncio.wait_for(second.child.ended(), 20) == 1
    assert "cannot_listen" in second.log


async def test_sigint_stops_it_too_and_a_stop_while_it_starts_is_heard(
    tmp_path: Path, identities: Identities, postgres: PostgresServer
) -> None:
    nats = NatsServer(tmp_path)  # not started
    services = Services(tmp_path, identities, nats, postgres)
    made = await services("chat", start=False)
    await made.start(ready=False)
    await wait_for(lambda: says(made, "waiting_for"))
    made.signal(signal.SIGINT)
    assert await asyncio.wait_for(made.child.ended(), 20) == 0
    await services.stop()


def says(made: Service, event: str, **fields: str) -> bool:
    """Whether the service has logged such a line."""
    return any(
        line["event"] == event and all(line.get(key) == value for key, value in fields.items())
        for line in made.log_lines
    )


async def test_a_service_waits_for_nats_and_postgresql_and_says_so(
    folder: Path, identities: Identities
) -> None:
    place = folder / "start-order"
    place.mkdir()
    nats, postgres = NatsServer(place), PostgresServer(place)
    services = Services(place, identities, nats, postgres)
    made = await services("chat", {"TAVOLO_DATABASE_URL": postgres.url}, start=False)
    ops = f"127.0.0.1:{made.child.program.env['TAVOLO_CHAT_HTTP_PORT']}"
    await made.start(ready=False)
    try:
        await wait_for(lambda: says(made, "waiting_for"))
        assert (await get(ops, "/healthz"))[0] == 200
        status, text = await get(ops, "/readyz")
        assert status == 503
        assert json.loads(text)["reasons"]
        await nats.start()
        await postgres.start()
        await made.ready()
        assert says(made, "waiting_for", what="PostgreSQL") or says(made, "waiting_for", what="NATS")
        await nats.kill()

        async def not_ready() -> bool:
            status, text = await get(ops, "/readyz")
            return status == 503 and "nats" in json.loads(text)["reasons"]

        await wait_for(not_ready)
        await nats.start()

        async def is_ready() -> bool:
            return (await get(ops, "/readyz"))[0] == 200

        await wait_for(is_ready)
    finally:
        await services.stop()
        await nats.stop()
        await postgres.stop()
