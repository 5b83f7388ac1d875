"""Points in time and spans: whole milliseconds inside, protobuf's well-known types outside."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

_MS_PER_S = 1000
_NS_PER_MS = 1_000_000


def write_time(ms: int) -> Timestamp:
    """Return the message of a time in milliseconds since 1970."""
    return Timestamp(seconds=ms // _MS_PER_S, nanos=ms % _MS_PER_S * _NS_PER_MS)


def read_time(message: Timestamp) -> int:
    """Return the milliseconds since 1970, rounded down."""
    return message.seconds * _MS_PER_S + message.nanos // _NS_PER_MS


def write_span(ms: int) -> Duration:
    """Return the message of a span of some milliseconds, 0 or more."""
    return Duration(seconds=ms // _MS_PER_S, nanos=ms % _MS_PER_S * _NS_PER_MS)


def read_span(message: Duration) -> int:
    """Return the span in milliseconds, rounded down."""
    return message.seconds * _MS_PER_S + message.nanos // _NS_PER_MS
