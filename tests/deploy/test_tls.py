"""What the component tls asks of certificates is what channels check: the part's name, at any address."""

import datetime
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime import grpc_server
from services.runtime.grpc_client import make_channel


def certificate(
    name: str, key: EllipticCurvePrivateKey, issuer: str, issuer_key: EllipticCurvePrivateKey
) -> bytes:
    """A certificate for a DNS name, or the authority's own."""
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=name == issuer, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    )
    return builder.sign(issuer_key, SHA256()).public_bytes(Encoding.PEM)


@pytest_asyncio.fixture
async def worker(tmp_path: Path) -> AsyncIterator[tuple[str, str]]:
    """A gRPC server with a certificate for `table-engine`; its address and the authority's file."""
    authority, key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    (tmp_path / "ca.crt").write_bytes(certificate("authority", authority, "authority", authority))
    (tmp_path / "tls.crt").write_bytes(certificate("table-engine", key, "authority", authority))
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "tls.key").write_bytes(private)
    server = grpc.aio.server()
    grpc_server.add_health(server)
    port = grpc_server.listen(server, "127.0.0.1", 0, str(tmp_path / "tls.crt"), str(tmp_path / "tls.key"))
    await server.start()
    yield f"127.0.0.1:{port}", str(tmp_path / "ca.crt")
    await server.stop(0)


async def check(address: str, part: str, authority: str) -> int:
    """The health of the server at `address`, asked as the part that it should be."""
    channel = make_channel(address, part, None, 5.0, authority)
    try:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest())
    finally:
        await channel.close()
    return int(answer.status)


async def test_a_worker_is_known_by_its_part_at_a_pod_address(worker: tuple[str, str]) -> None:
    address, authority = worker
    assert await check(address, "table_engine", authority) == health_pb2.HealthCheckResponse.SERVING


async def test_another_part_at_that_address_is_refused(worker: tuple[str, str]) -> None:
    address, authority = worker
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await check(address, "lobby", authority)
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
