"""Refusals of the platform, as one typed error whatever way they came: gRPC status or answer on a stream."""

import grpc
from google.rpc import status_pb2
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.error_pb2 import ErrorDetail

_DETAILS = "grpc-status-details-bin"

_REASONS = {
    grpc.StatusCode.UNAUTHENTICATED: error_pb2.ERROR_REASON_UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED: error_pb2.ERROR_REASON_NOT_PERMITTED,
    grpc.StatusCode.NOT_FOUND: error_pb2.ERROR_REASON_NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT: error_pb2.ERROR_REASON_INVALID_FIELD,
    grpc.StatusCode.RESOURCE_EXHAUSTED: error_pb2.ERROR_REASON_RATE_LIMITED,
    grpc.StatusCode.UNAVAILABLE: error_pb2.ERROR_REASON_UNAVAILABLE,
    grpc.StatusCode.CANCELLED: error_pb2.ERROR_REASON_UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED: error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
}

# What gRPC itself says of a broken or missing connection is nothing for people.
_WORDS = {
    grpc.StatusCode.UNAVAILABLE: "the gateway cannot be reached",
    grpc.StatusCode.DEADLINE_EXCEEDED: "no answer from the gateway in time",
}

_PASSING = frozenset(
    {
        error_pb2.ERROR_REASON_UNAVAILABLE,
        error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
        error_pb2.ERROR_REASON_NOT_OWNER,
        error_pb2.ERROR_REASON_NOT_ATTACHED,
        error_pb2.ERROR_REASON_RATE_LIMITED,
    }
)


class Refused(Exception):
    """The platform does not do what was asked: `reason` is for programs, `text` for people."""

    def __init__(self, detail: ErrorDetail) -> None:
        super().__init__(f"{error_pb2.ErrorReason.Name(detail.reason)}: {detail.text}")
        self.detail = detail

    @classmethod
    def of(cls, reason: error_pb2.ErrorReason.ValueType, text: str) -> "Refused":
        """A refusal that the client itself finds, in the same form."""
        return cls(ErrorDetail(reason=reason, text=text))

    @property
    def reason(self) -> error_pb2.ErrorReason.ValueType:
        return self.detail.reason

    @property
    def text(self) -> str:
        return self.detail.text

    @property
    def passes(self) -> bool:
        """Whether the same request, with the same ids, may well be accepted a little later."""
        return self.detail.reason in _PASSING

    @property
    def wait_s(self) -> float:
        """How long to wait at least before asking again, seconds."""
        return self.detail.retry_after.seconds + self.detail.retry_after.nanos / 1e9


def from_rpc(error: grpc.aio.AioRpcError) -> Refused:
    """The refusal that a failed call carries; one made from the status code when it carries none."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            detail = ErrorDetail()
            for packed in status_pb2.Status.FromString(value).details:
                if packed.Unpack(detail):
                    return Refused(detail)
    reason = _REASONS.get(error.code(), error_pb2.ERROR_REASON_INTERNAL)
    return Refused.of(reason, _WORDS.get(error.code()) or error.details() or error.code().name.lower())
