"""The errors that a caller can see: a reason from the proto's enum, a text in words, the field at fault.

Raised anywhere below an RPC, a `TavoloError` becomes a gRPC status with an `ErrorDetail` among its details;
on streams the same detail travels inside the answer. Everything else that is raised is our own fault and is
answered as INTERNAL without its text.
"""

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.error_pb2 import ErrorDetail, ErrorReason

STATUS_DETAILS_KEY = "grpc-status-details-bin"

_CODES = {
    error_pb2.ERROR_REASON_UNSPECIFIED: StatusCode.INTERNAL,
    error_pb2.ERROR_REASON_INVALID_FIELD: StatusCode.INVALID_ARGUMENT,
    error_pb2.ERROR_REASON_TOO_LARGE: StatusCode.RESOURCE_EXHAUSTED,
    error_pb2.ERROR_REASON_RATE_LIMITED: StatusCode.RESOURCE_EXHAUSTED,
    error_pb2.ERROR_REASON_UNAUTHENTICATED: StatusCode.UNAUTHENTICATED,
    error_pb2.ERROR_REASON_NOT_PERMITTED: StatusCode.PERMISSION_DENIED,
    error_pb2.ERROR_REASON_NOT_FOUND: StatusCode.NOT_FOUND,
    error_pb2.ERROR_REASON_UNAVAILABLE: StatusCode.UNAVAILABLE,
    error_pb2.ERROR_REASON_OUTCOME_UNKNOWN: StatusCode.UNAVAILABLE,
    error_pb2.ERROR_REASON_INTERNAL: StatusCode.INTERNAL,
    error_pb2.ERROR_REASON_ID_REUSED: StatusCode.ALREADY_EXISTS,
    error_pb2.ERROR_REASON_ILLEGAL_MOVE: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_STALE_TURN: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_OUT_OF_TIME: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_TABLE_PAUSED: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_TABLE_PARKED: StatusCode.UNAVAILABLE,
    error_pb2.ERROR_REASON_NOT_ATTACHED: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_NOT_SEATED: StatusCode.PERMISSION_DENIED,
    error_pb2.ERROR_REASON_NOT_OWNER: StatusCode.UNAVAILABLE,
    error_pb2.ERROR_REASON_WRONG_STATE: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_NICKNAME_TAKEN: StatusCode.ALREADY_EXISTS,
    error_pb2.ERROR_REASON_NICKNAME_REFUSED: StatusCode.INVALID_ARGUMENT,
    error_pb2.ERROR_REASON_BAD_CREDENTIALS: StatusCode.UNAUTHENTICATED,
    error_pb2.ERROR_REASON_UNKNOWN_GAME: StatusCode.INVALID_ARGUMENT,
    error_pb2.ERROR_REASON_BAD_OPTION: StatusCode.INVALID_ARGUMENT,
    error_pb2.ERROR_REASON_SEAT_TAKEN: StatusCode.ABORTED,
    error_pb2.ERROR_REASON_ALREADY_SEATED: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_TABLE_CLOSED: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_INSUFFICIENT_FUNDS: StatusCode.FAILED_PRECONDITION,
    error_pb2.ERROR_REASON_MESSAGE_REFUSED: StatusCode.INVALID_ARGUMENT,
}

# What a gRPC error without our detail means: made by the library or by a proxy between.
_REASONS = {
    StatusCode.INVALID_ARGUMENT: error_pb2.ERROR_REASON_INVALID_FIELD,
    StatusCode.RESOURCE_EXHAUSTED: error_pb2.ERROR_REASON_TOO_LARGE,
    StatusCode.UNAUTHENTICATED: error_pb2.ERROR_REASON_UNAUTHENTICATED,
    StatusCode.PERMISSION_DENIED: error_pb2.ERROR_REASON_NOT_PERMITTED,
    StatusCode.NOT_FOUND: error_pb2.ERROR_REASON_NOT_FOUND,
    StatusCode.UNAVAILABLE: error_pb2.ERROR_REASON_UNAVAILABLE,
    StatusCode.DEADLINE_EXCEEDED: error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
    StatusCode.CANCELLED: error_pb2.ERROR_REASON_OUTCOME_UNKNOWN,
}


class TavoloError(Exception):
    """A refusal that a program can branch on.

    reason: the kind; text: the reason in words; field: path of the request's field at fault; rule: the game's
    own code with ILLEGAL_MOVE; retry_after_s: least wait in seconds before another try.
    """

    def __init__(
        self,
        reason: ErrorReason.ValueType,
        text: str,
        field: str = "",
        rule: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text
        self.field = field
        self.rule = rule
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        place = f" ({self.field})" if self.field else ""
        return f"{reason_name(self.reason)}{place}: {self.text}"

    @property
    def code(self) -> StatusCode:
        """The gRPC status code that goes with the reason."""
        return _CODES[self.reason]


def reason_name(reason: ErrorReason.ValueType) -> str:
    """`NOT_FOUND` for ERROR_REASON_NOT_FOUND; also the label in metrics and logs."""
    return ErrorReason.Name(reason).removeprefix("ERROR_REASON_")


def invalid(field: str, text: str) -> TavoloError:
    """The request's `field` cannot be read or used."""
    return TavoloError(error_pb2.ERROR_REASON_INVALID_FIELD, text, field)


def not_found(text: str, field: str = "") -> TavoloError:
    """There is no such thing, or none that the caller may know of."""
    return TavoloError(error_pb2.ERROR_REASON_NOT_FOUND, text, field)


def not_permitted(text: str) -> TavoloError:
    """The caller is known and may not do this."""
    return TavoloError(error_pb2.ERROR_REASON_NOT_PERMITTED, text)


def unauthenticated(text: str = "a valid token is needed") -> TavoloError:
    """No token, or none that proves anything."""
    return TavoloError(error_pb2.ERROR_REASON_UNAUTHENTICATED, text)


def unavailable(text: str, retry_after_s: float = 1.0) -> TavoloError:
    """Try again a little later with the same ids."""
    return TavoloError(error_pb2.ERROR_REASON_UNAVAILABLE, text, retry_after_s=retry_after_s)


def outcome_unknown(text: str) -> TavoloError:
    """It is not known whether the command was carried out: repeat it with the same id."""
    return TavoloError(error_pb2.ERROR_REASON_OUTCOME_UNKNOWN, text)


def rate_limited(text: str, retry_after_s: float) -> TavoloError:
    """Too many requests of this kind."""
    return TavoloError(error_pb2.ERROR_REASON_RATE_LIMITED, text, retry_after_s=retry_after_s)


def wrong_state(text: str) -> TavoloError:
    """Not while the thing is in this state."""
    return TavoloError(error_pb2.ERROR_REASON_WRONG_STATE, text)


def id_reused(text: str, field: str = "") -> TavoloError:
    """The same id was used before with another content."""
    return TavoloError(error_pb2.ERROR_REASON_ID_REUSED, text, field)


def internal(text: str = "an error of ours; it was reported") -> TavoloError:
    """Our own fault. Say nothing about its inside."""
    return TavoloError(error_pb2.ERROR_REASON_INTERNAL, text)


def detail(error: TavoloError, request_id: str = "") -> ErrorDetail:
    """The error as the message that travels."""
    found = ErrorDetail(
        reason=error.reason, rule=error.rule, field=error.field, text=error.text, request_id=request_id
    )
    if error.retry_after_s is not None:
        found.retry_after.CopyFrom(Duration(nanos=0))
        found.retry_after.FromMilliseconds(round(error.retry_after_s * 1000))
    return found


def from_detail(found: ErrorDetail) -> TavoloError:
    """The error that a message tells of."""
    wait = found.retry_after.ToMilliseconds() / 1000 if found.HasField("retry_after") else None
    return TavoloError(found.reason, found.text, found.field, found.rule, wait)


def status_details(error: TavoloError, request_id: str = "") -> bytes:
    """A serialised google.rpc.Status with the detail: the value of the trailer `grpc-status-details-bin`."""
    packed = AnyMessage()
    packed.Pack(detail(error, request_id))
    code: int = error.code.value[0]
    serialized: bytes = Status(code=code, message=error.text, details=[packed]).SerializeToString()
    return serialized


def from_rpc_error(error: grpc.aio.AioRpcError) -> TavoloError:
    """The error that a call to another service ended with; one without our detail is judged by its status
    code."""
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_DETAILS_KEY and isinstance(value, bytes):
            status = Status.FromString(value)
            for packed in status.details:
                found = ErrorDetail()
                if packed.Unpack(found):
                    return from_detail(found)
    reason = _REASONS.get(error.code(), error_pb2.ERROR_REASON_INTERNAL)
    return TavoloError(reason, error.details() or error.code().name.lower())
