"""What ends a call: one exception, `Fault`, with a reason of `junto.v1.ErrorReason`.

Every reason has one status code (`CODES`). A fault travels as `google.rpc.Status`: the code, the message,
and as details ErrorInfo (domain `junto.v1`, the reason without its prefix, metadata), BadRequest where
fields broke their constraints, RetryInfo where a delay helps.

    Fault                  any reason
    +-- InvalidField       INVALID_FIELD, with what is wrong with which field
    +-- RateLimited        RATE_LIMITED, with the delay
    +-- Internal           INTERNAL, with the incident's id; what the exception was stays in the log
    +-- Unimplemented      no reason: this server does not have the method
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from junto.v1 import errors_pb2
from junto.v1.errors_pb2 import ErrorReason

DOMAIN: Final = "junto.v1"
_PREFIX: Final = "ERROR_REASON_"
_TYPES: Final = "type.googleapis.com/"

CODES: Final[Mapping[int, grpc.StatusCode]] = {
    errors_pb2.ERROR_REASON_INVALID_FIELD: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_INVALID_OPTION: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_INVALID_PAGE_TOKEN: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_REQUEST_ID_REUSED: grpc.StatusCode.INVALID_ARGUMENT,
    errors_pb2.ERROR_REASON_TOKEN_MISSING: grpc.StatusCode.UNAUTHENTICATED,
    errors_pb2.ERROR_REASON_TOKEN_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    errors_pb2.ERROR_REASON_TOKEN_EXPIRED: grpc.StatusCode.UNAUTHENTICATED,
    errors_pb2.ERROR_REASON_NOT_SEATED: grpc.StatusCode.PERMISSION_DENIED,
    errors_pb2.ERROR_REASON_NOT_HOST: grpc.StatusCode.PERMISSION_DENIED,
    errors_pb2.ERROR_REASON_NOT_ALLOWED: grpc.StatusCode.PERMISSION_DENIED,
    errors_pb2.ERROR_REASON_NO_HINTS: grpc.StatusCode.PERMISSION_DENIED,
    errors_pb2.ERROR_REASON_TABLE_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    errors_pb2.ERROR_REASON_GAME_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    errors_pb2.ERROR_REASON_STRATEGY_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    errors_pb2.ERROR_REASON_TOURNAMENT_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    errors_pb2.ERROR_REASON_SEAT_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    errors_pb2.ERROR_REASON_NOT_YOUR_TURN: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_ILLEGAL_ACTION: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_SEAT_TAKEN: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_SEATS_FREE: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_MATCH_NOT_STARTED: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_MATCH_STARTED: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_NOT_NOW: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_DEAL_NOT_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    errors_pb2.ERROR_REASON_STALE_VERSION: grpc.StatusCode.ABORTED,
    errors_pb2.ERROR_REASON_CONFLICT: grpc.StatusCode.ABORTED,
    errors_pb2.ERROR_REASON_RATE_LIMITED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors_pb2.ERROR_REASON_TOO_MANY: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors_pb2.ERROR_REASON_TOO_SLOW: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors_pb2.ERROR_REASON_TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors_pb2.ERROR_REASON_STORE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    errors_pb2.ERROR_REASON_DRAINING: grpc.StatusCode.UNAVAILABLE,
    errors_pb2.ERROR_REASON_POOL_BUSY: grpc.StatusCode.UNAVAILABLE,
    errors_pb2.ERROR_REASON_DEADLINE: grpc.StatusCode.DEADLINE_EXCEEDED,
    errors_pb2.ERROR_REASON_INTERNAL: grpc.StatusCode.INTERNAL,
}
"""The status code of each reason, as `errors.proto` says."""


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """What is wrong with one field: its path (`action.discard.cards[2]`) and the constraint in words."""

    field: str
    description: str


class Fault(Exception):
    """Ends a call with a reason.

    Args:
        reason: why, one of `ErrorReason`.
        message: the same in words, for a player or a developer; a plain sentence without secrets.
        metadata: what the reason's comment in `errors.proto` names, for programs.
        violations: the fields that broke their constraints.
        retry_delay_s: after how many seconds a repetition may succeed.
        code: the status code; by default the reason's own.
    """

    def __init__(
        self,
        reason: ErrorReason.ValueType,
        message: str,
        *,
        metadata: Mapping[str, object] | None = None,
        violations: Iterable[FieldViolation] = (),
        retry_delay_s: float | None = None,
        code: grpc.StatusCode | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.code = code or CODES[reason]
        self.metadata = {name: str(value) for name, value in (metadata or {}).items()}
        self.violations = tuple(violations)
        self.retry_delay_s = retry_delay_s

    @property
    def reason_name(self) -> str:
        """The reason as it travels: without its prefix. Empty for a fault without reason."""
        return ErrorReason.Name(self.reason).removeprefix(_PREFIX) if self.reason else ""

    def details(self) -> list[any_pb2.Any]:
        """Return the details in the order ErrorInfo, BadRequest, RetryInfo, each where it applies."""
        found: list[Message] = []
        if self.reason:
            found.append(error_details_pb2.ErrorInfo(reason=self.reason_name, domain=DOMAIN, metadata=self.metadata))
        if self.violations:
            found.append(_bad_request(self.violations))
        if self.retry_delay_s is not None:
            info = error_details_pb2.RetryInfo()
            info.retry_delay.FromNanoseconds(max(0, round(self.retry_delay_s * 1e9)))
            found.append(info)
        return [any_pb2.Any(type_url=_TYPES + m.DESCRIPTOR.full_name, value=m.SerializeToString()) for m in found]

    def status(self) -> status_pb2.Status:
        """Return the fault as `google.rpc.Status`."""
        return status_pb2.Status(code=self.code.value[0], message=self.message, details=self.details())


def _bad_request(violations: Iterable[FieldViolation]) -> error_details_pb2.BadRequest:
    kind = error_details_pb2.BadRequest.FieldViolation
    return error_details_pb2.BadRequest(
        field_violations=[kind(field=v.field, description=v.description) for v in violations]
    )


class InvalidField(Fault):
    """A request that breaks its constraints; the message names the first."""

    def __init__(self, violations: Iterable[FieldViolation]) -> None:
        found = tuple(violations)
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        super().__init__(
            errors_pb2.ERROR_REASON_INVALID_FIELD,
            f"{found[0].field}: {found[0].description}{more}",
            violations=found,
        )


class RateLimited(Fault):
    """Too many requests; come back after the delay."""

    def __init__(self, message: str, retry_delay_s: float) -> None:
        super().__init__(errors_pb2.ERROR_REASON_RATE_LIMITED, message, retry_delay_s=retry_delay_s)


class Internal(Fault):
    """A fault of the server's. The client learns the incident's id and nothing else."""

    def __init__(self) -> None:
        self.incident = secrets.token_hex(6)
        super().__init__(
            errors_pb2.ERROR_REASON_INTERNAL,
            f"something went wrong in the server; please report incident {self.incident}",
            metadata={"incident": self.incident},
        )


class Unimplemented(Fault):
    """This server does not have the method."""

    def __init__(self, message: str) -> None:
        super().__init__(errors_pb2.ERROR_REASON_UNSPECIFIED, message, code=grpc.StatusCode.UNIMPLEMENTED)


def too_slow() -> Fault:
    """Return the fault for a stream whose client did not keep up."""
    return Fault(errors_pb2.ERROR_REASON_TOO_SLOW, "the stream was read too slowly: resume it")


def too_large(limit: int) -> Fault:
    """Return the fault for a message above the limit, in bytes."""
    return Fault(
        errors_pb2.ERROR_REASON_TOO_LARGE, f"a message may have at most {limit} bytes", metadata={"limit": limit}
    )


def draining() -> Fault:
    """Return the fault for a call that came too late."""
    return Fault(
        errors_pb2.ERROR_REASON_DRAINING,
        "this server is going down: repeat the call, another one will answer",
        retry_delay_s=0.0,
    )


def deadline() -> Fault:
    """Return the fault for a call whose time was up."""
    return Fault(errors_pb2.ERROR_REASON_DEADLINE, "time was up; the call may have been carried out")
