"""Metrics for Prometheus. Names are `tavolo_<part>_<thing>_<unit>`; labels come from closed lists, never from
players.

Every service declares its metrics in its own `metrics.py` with these helpers, so that a name without a help
text or a histogram without chosen buckets cannot happen. Classic buckets: prometheus-client exports no native
histograms.
"""

from bisect import bisect_left
from importlib.metadata import version

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, generate_latest

# Seconds. A stage of a move: 0.25 ms to 2.5 s.
MOVE_BUCKETS = (
    0.00025, 0.0005, 0.00075, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075,
    0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
)  # fmt: skip
# Seconds. Handing a shard over or taking it over: 0.1 s to 60 s.
HANDOVER_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 20.0, 30.0, 60.0)
# Seconds. How late something fires: 1 ms to 10 s.
LAG_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# Seconds. A call between services or a database statement: 1 ms to 10 s.
CALL_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class _Number:
    """A value of a metric without prometheus-client's lock: all of a service runs in the thread of its event
    loop, and a move counts some twenty times."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0.0

    def get(self) -> float:
        return self.value

    def set(self, value: float, _timestamp: float | None = None) -> None:
        self.value = value

    def get_exemplar(self) -> None:
        """None is kept."""


class _Counter(Counter):
    """Counted in the thread of the event loop only."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._value = _Number()

    def inc(self, amount: float = 1, exemplar: dict[str, str] | None = None) -> None:
        self._value.value += amount


def counter(name: str, text: str, labels: tuple[str, ...] = ()) -> Counter:
    """A counter; `name` without `_total`, which the client adds."""
    return _Counter(name, text, labels)


def gauge(name: str, text: str, labels: tuple[str, ...] = ()) -> Gauge:
    """A gauge."""
    return Gauge(name, text, labels)


class _Histogram(Histogram):
    """Observed in the thread of the event loop only; finds the bucket by halves."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._sum = _Number()
        self._buckets = [_Number() for _ in self._upper_bounds]

    def observe(self, amount: float, exemplar: dict[str, str] | None = None) -> None:
        self._sum.value += amount
        self._buckets[bisect_left(self._upper_bounds, amount)].value += 1


def histogram(name: str, text: str, buckets: tuple[float, ...], labels: tuple[str, ...] = ()) -> Histogram:
    """A histogram with one of the bucket sets of this module, or own ones where another size is measured.

    One with labels is observed through its children (`labels(...)`).
    """
    return _Histogram(name, text, labels, buckets=buckets)


def build_info(part: str, rules: str = "") -> None:
    """Sets `tavolo_build_info{part,version,rules} 1`."""
    BUILD_INFO.labels(part=part, version=version("tavolo"), rules=rules).set(1)


def exposition() -> bytes:
    """Everything, in the text format of Prometheus."""
    return generate_latest(REGISTRY)


BUILD_INFO = gauge(
    "tavolo_build_info", "Always 1; the labels say which build runs.", ("part", "version", "rules")
)
CALLS = counter("tavolo_runtime_calls_handled", "gRPC calls that this process handled.", ("method", "code"))
CALL_SECONDS = histogram(
    "tavolo_runtime_call_handled_seconds", "Time to handle a unary gRPC call.", CALL_BUCKETS, ("method",)
)
STREAMS_OPEN = gauge(
    "tavolo_runtime_streams_open", "gRPC streams that are open at this process.", ("method",)
)
BUS_CONNECTED = gauge("tavolo_runtime_bus_connected", "1 while connected to NATS.")
BUS_RECONNECTS = counter("tavolo_runtime_bus_reconnects", "Connections to NATS after the first one.")
BUS_APPEND_SECONDS = histogram(
    "tavolo_runtime_bus_append_seconds",
    "From the publish of an append to JetStream's acknowledgement.",
    MOVE_BUCKETS,
)
BUS_APPEND_FAILURES = counter(
    "tavolo_runtime_bus_append_failures", "Appends without a good acknowledgement.", ("reason",)
)
CONSUMED = counter(
    "tavolo_runtime_consumed", "Messages that durable consumers handled.", ("consumer", "result")
)
NOTICES_PUBLISHED = counter(
    "tavolo_runtime_notices_published", "Notices to accounts that the stream has acknowledged.", ("part",)
)
NOTICE_FAILURES = counter(
    "tavolo_runtime_notice_failures", "Times that notices to accounts could not be published.", ("part",)
)
LEASE_CHANGES = counter(
    "tavolo_runtime_lease_changes", "Parts that this process took, lost or handed over.", ("group", "change")
)
LEASE_PARTS = gauge("tavolo_runtime_lease_parts_held", "Parts that this process holds.", ("group",))
