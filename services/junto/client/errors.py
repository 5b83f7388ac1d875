"""How a call ends badly, as the client sees it: one exception with all that the server said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2

from junto.v1 import errors_pb2
from junto.v1.errors_pb2 import ErrorReason

_DOMAIN: Final = "junto.v1"
_PREFIX: Final = "ERROR_REASON_"


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with one field: its path and the constraint in words."""

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class Details:
    """What the details of a status say; empty where they are missing."""

    reason: ErrorReason.ValueType = errors_pb2.ERROR_REASON_UNSPECIFIED
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    retry_delay_s: float | None = None


class CallError(Exception):
    """A call that the server refused, or that did not reach it.

    `code` is the status code, `reason` the server's reason (`ERROR_REASON_UNSPECIFIED` where there is none
    or this client does not know it), `metadata` what belongs to the reason, `violations` the fields that
    broke their constraints, `retry_delay_s` after how many seconds a repetition may succeed.
    """

    def __init__(self, code: grpc.StatusCode, message: str, details: Details | None = None) -> None:
        details = details or Details()
        self.code = code
        self.message = message
        self.reason = details.reason
        self.metadata = details.metadata
        self.violations = details.violations
        self.retry_delay_s = details.retry_delay_s
        name = ErrorReason.Name(self.reason).removeprefix(_PREFIX) if self.reason else code.name
        super().__init__(f"{name}: {message}")


def read_details(packed: Iterable[tuple[str, bytes]]) -> Details:
    """Read details, each a type's full name and the message's bytes. Unknown types are skipped."""
    reason: ErrorReason.ValueType = errors_pb2.ERROR_REASON_UNSPECIFIED
    metadata: dict[str, str] = {}
    violations: tuple[Violation, ...] = ()
    retry_delay_s = None
    for name, data in packed:
        match name:
            case "google.rpc.ErrorInfo":
                info = error_details_pb2.ErrorInfo.FromString(data)
                reason, metadata = _reason(info), dict(info.metadata)
            case "google.rpc.BadRequest":
                bad = error_details_pb2.BadRequest.FromString(data)
                violations = tuple(Violation(v.field, v.description) for v in bad.field_violations)
            case "google.rpc.RetryInfo":
                delay = error_details_pb2.RetryInfo.FromString(data).retry_delay
                retry_delay_s = delay.seconds + delay.nanos / 1e9
    return Details(reason, metadata, violations, retry_delay_s)


def unpack(details: Iterable[any_pb2.Any]) -> Iterable[tuple[str, bytes]]:
    """Yield the type's full name and the bytes of packed messages."""
    for detail in details:
        yield detail.type_url.rpartition("/")[2], detail.value


def _reason(info: error_details_pb2.ErrorInfo) -> ErrorReason.ValueType:
    if info.domain != _DOMAIN or _PREFIX + info.reason not in ErrorReason.keys():  # noqa: SIM118  # no mapping
        return errors_pb2.ERROR_REASON_UNSPECIFIED
    return ErrorReason.Value(_PREFIX + info.reason)
