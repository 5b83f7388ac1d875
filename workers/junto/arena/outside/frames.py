"""The messages between a worker and the process of a seat, over a Unix socket: plain bytes, no pickles.

A frame is its length (4 bytes, not counting themselves), its kind (1 byte), the number of the decision it belongs to
(8 bytes) and its body; all numbers are little-endian.
"""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

MOST_ANSWERED: Final = 1 << 20
"""A longer answer, in bytes, is no decision."""
MOST_ASKED: Final = 1 << 24
_HEAD: Final = struct.Struct("<IBQ")
_LENGTH_OF_LENGTH: Final = 4
_FIXED: Final = _HEAD.size - _LENGTH_OF_LENGTH
_PIECE: Final = 1 << 16


class Told(IntEnum):
    """What a frame says: the worker asks, the rest is answered."""

    ASKED = 1
    """The bytes of a `DecideRequest`."""
    READY = 2
    """The strategy is made, and waits to be asked."""
    DECIDED = 3
    """The bytes of a `DecideResponse`."""
    RAISED = 4
    """It raised an exception; the body is a sentence."""
    GARBLED = 5
    """What it returned is no decision; the body is a sentence."""
    MEMORY = 6
    """It was refused memory."""


_KINDS: Final = frozenset(map(int, Told))


@dataclass(frozen=True, slots=True)
class Frame:
    """One message; `number` is that of the decision, 0 before the first."""

    kind: Told
    number: int = 0
    body: bytes = b""


class BadFrame(Exception):
    """Bytes that are no frame; the message says why."""


class Ended(Exception):
    """The other side is gone."""


class TooLate(Exception):
    """It did not come in time."""


def frame_bytes(frame: Frame) -> bytes:
    """Return a frame as bytes."""
    return _HEAD.pack(_FIXED + len(frame.body), frame.kind, frame.number) + frame.body


def send(to: socket.socket, frame: Frame, until: float | None = None) -> None:
    """Send a frame, by a moment of `time.monotonic`.

    Raises:
        Ended: nobody reads it.
        TooLate: it was not taken in time.
    """
    try:
        to.settimeout(_left(until))
        to.sendall(frame_bytes(frame))
    except TimeoutError:
        raise TooLate from None
    except OSError:
        raise Ended from None


def receive(source: socket.socket, most: int, until: float | None = None) -> Frame:
    """Wait for a frame with a body of at most `most` bytes, until a moment of `time.monotonic`.

    Raises:
        BadFrame: what came is none, or is longer.
        Ended: the other side is gone.
        TooLate: it did not come in time.
    """
    length, kind, number = _HEAD.unpack(_exactly(source, _HEAD.size, until))
    if not _FIXED <= length <= _FIXED + most:
        raise BadFrame(f"it sent {length} bytes at once, and may send {most}")
    if kind not in _KINDS:
        raise BadFrame("it sent bytes of its own")
    return Frame(Told(kind), number, _exactly(source, length - _FIXED, until))


def _exactly(source: socket.socket, count: int, until: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        try:
            source.settimeout(_left(until))
            part = source.recv(min(count, _PIECE))
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Ended from None
        if not part:
            raise Ended
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _left(until: float | None) -> float | None:
    if until is None:
        return None
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
