"""Channels to other services: one a target, with a deadline on every unary call, our request id and our
service token.

The channel wraps the library's calls instead of using its client interceptors: those pass every message of a
stream through a queue of their own, and the stream between gateway and worker is on a move's path.
"""

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import grpc

from services.runtime.auth import SERVICE_TOKEN_KEY, ServiceSigner
from services.runtime.context import REQUEST_ID_KEY, remaining_s, request_id

_OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    # What has come and was not read yet stays within the window that a stream begins with: a busy reader
    # makes the writer wait, and put more into each frame, instead of reading late what is growing old.
    ("grpc.http2.bdp_probe", 0),
    # A service that was restarted is found again within this time.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.lb_policy_name", "round_robin"),
)
_CLOSE_GRACE_S = 0.5


def make_channel(
    target: str, service: str, signer: ServiceSigner | None, default_deadline_s: float, ca_file: str
) -> grpc.aio.Channel:
    """A channel to the part `service` at `target` (TLS when a certificate authority is given)."""
    if ca_file:
        credentials = grpc.ssl_channel_credentials(Path(ca_file).read_bytes())
        inner = grpc.aio.secure_channel(target, credentials, (*_OPTIONS, *_certified_name(target, service)))
    else:
        inner = grpc.aio.insecure_channel(target, _OPTIONS)
    return _Channel(inner, service, signer, default_deadline_s)


def _certified_name(target: str, service: str) -> tuple[tuple[str, str], ...]:
    """A lease names a worker by its address; the certificate there names the part (`table-engine`)."""
    try:
        ip_address(target.rpartition(":")[0].strip("[]"))
    except ValueError:
        return ()
    return (("grpc.ssl_target_name_override", service.replace("_", "-")),)


class _Channel(grpc.aio.Channel):
    """A channel whose calls are completed: see the module."""

    def __init__(
        self, inner: grpc.aio.Channel, service: str, signer: ServiceSigner | None, default_deadline_s: float
    ) -> None:
        self._inner = inner
        self._service = service
        self._signer = signer
        self._default_deadline_s = default_deadline_s

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        return self._complete(self._inner.unary_unary(*args, **kwargs), bounded=True)

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        return self._complete(self._inner.stream_unary(*args, **kwargs), bounded=True)

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        return self._complete(self._inner.unary_stream(*args, **kwargs), bounded=False)

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        return self._complete(self._inner.stream_stream(*args, **kwargs), bounded=False)

    def _complete(self, call: Callable[..., Any], *, bounded: bool) -> Callable[..., Any]:
        def completed(
            *request: Any, timeout: float | None = None, metadata: Any = None, **options: Any
        ) -> Any:
            if bounded:
                timeout = self._bound(timeout)
            return call(*request, timeout=timeout, metadata=self._identify(metadata), **options)

        return completed

    def _bound(self, timeout: float | None) -> float:
        """A call has a deadline, and never a later one than the request that it serves."""
        wanted = self._default_deadline_s if timeout is None else timeout
        left = remaining_s()
        return wanted if left is None else min(wanted, max(left, 0.001))

    def _identify(self, given: Any) -> tuple[tuple[str, str | bytes], ...]:
        metadata = [(key, value) for key, value in given or ()]
        keys = {key for key, _ in metadata}
        identity = request_id()
        if identity and REQUEST_ID_KEY not in keys:
            metadata.append((REQUEST_ID_KEY, identity))
        if self._signer is not None and SERVICE_TOKEN_KEY not in keys:
            metadata.append((SERVICE_TOKEN_KEY, self._signer.token(self._service)))
        return tuple(metadata)

    async def close(self, grace: float | None = _CLOSE_GRACE_S) -> None:
        await self._inner.close(grace)

    async def __aenter__(self) -> "_Channel":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        return self._inner.get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        await self._inner.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        await self._inner.channel_ready()
