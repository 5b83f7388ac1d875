"""The messages between a pool and its Ray driver process: plain bytes, no pickles.

A frame is its length (4 bytes, not counting themselves), its kind (1 byte) and its fields; all numbers are
little-endian. Both ends are of one version: the pool starts the driver.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

MAX_FRAME_BYTES: Final = 16 * 1024 * 1024
"""What is longer is not one of our frames."""


class Kind(IntEnum):
    """What a frame says."""

    JOB = 1
    DROP = 2
    CLOSE = 3
    ANSWER = 16
    CREW = 17
    DEATH = 18
    AGAIN = 19
    GONE = 20


class Outcome(IntEnum):
    """What came of a decision."""

    DECIDED = 0
    FAILED = 1
    LATE = 2
    LOST = 3


class Cause(IntEnum):
    """Why a worker ended."""

    DIED = 0
    HUNG = 1
    NEVER_STARTED = 2


class BadFrame(Exception):
    """Bytes that are no frame: the two sides are of different versions."""


@dataclass(frozen=True, slots=True)
class Job:
    """A decision is wanted: within `time_left_s` seconds from when this is read."""

    number: int
    time_left_s: float
    strategy_id: str
    request: bytes


@dataclass(frozen=True, slots=True)
class Drop:
    """Nobody waits for a decision any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Close:
    """The driver is to end."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a decision, how long it waited for a worker and how long that thought, in seconds.

    `payload` is the answer, or for another outcome than `DECIDED` a sentence.
    """

    number: int
    outcome: Outcome
    waited_s: float
    thought_s: float
    payload: bytes


@dataclass(frozen=True, slots=True)
class Crew:
    """How many workers take decisions, of how many there should be, and why not all if something is wrong."""

    ready: int
    wanted: int
    trouble: str


@dataclass(frozen=True, slots=True)
class Death:
    """A worker ended that should not have."""

    cause: Cause
    reason: str


@dataclass(frozen=True, slots=True)
class Again:
    """A decision is asked for again, since its worker died."""

    number: int


@dataclass(frozen=True, slots=True)
class Gone:
    """The Ray cluster cannot be reached, or is lost; the driver ends."""

    reason: str


ToDriver = Job | Drop | Close
FromDriver = Answer | Crew | Death | Again | Gone
Frame = ToDriver | FromDriver

_HEAD = struct.Struct("<IB")
_JOB = struct.Struct("<QdH")
_NUMBER = struct.Struct("<Q")
_ANSWER = struct.Struct("<QBdd")
_CREW = struct.Struct("<HH")
_CAUSE = struct.Struct("<B")


def write(frame: Frame) -> bytes:
    """Return a frame as bytes."""
    kind, body = _body(frame)
    return _HEAD.pack(len(body) + 1, kind) + body


def _body(frame: Frame) -> tuple[Kind, bytes]:
    match frame:
        case Job(number, time_left_s, strategy_id, request):
            name = strategy_id.encode()
            return Kind.JOB, _JOB.pack(number, time_left_s, len(name)) + name + request
        case Drop(number):
            return Kind.DROP, _NUMBER.pack(number)
        case Close():
            return Kind.CLOSE, b""
        case Answer(number, outcome, waited_s, thought_s, payload):
            return Kind.ANSWER, _ANSWER.pack(number, outcome, waited_s, thought_s) + payload
        case Crew(ready, wanted, trouble):
            return Kind.CREW, _CREW.pack(ready, wanted) + trouble.encode()
        case Death(cause, reason):
            return Kind.DEATH, _CAUSE.pack(cause) + reason.encode()
        case Again(number):
            return Kind.AGAIN, _NUMBER.pack(number)
        case Gone(reason):
            return Kind.GONE, reason.encode()


def _frame(kind: int, body: bytes) -> Frame:
    match kind:
        case Kind.JOB:
            number, time_left_s, length = _JOB.unpack_from(body)
            start = _JOB.size + length
            return Job(number, time_left_s, body[_JOB.size : start].decode(), body[start:])
        case Kind.DROP:
            return Drop(*_NUMBER.unpack(body))
        case Kind.CLOSE:
            return Close()
        case Kind.ANSWER:
            number, outcome, waited_s, thought_s = _ANSWER.unpack_from(body)
            return Answer(number, Outcome(outcome), waited_s, thought_s, body[_ANSWER.size :])
        case Kind.CREW:
            ready, wanted = _CREW.unpack_from(body)
            return Crew(ready, wanted, body[_CREW.size :].decode())
        case Kind.DEATH:
            return Death(Cause(body[0]), body[_CAUSE.size :].decode())
        case Kind.AGAIN:
            return Again(*_NUMBER.unpack(body))
        case Kind.GONE:
            return Gone(body.decode())
        case _:
            raise BadFrame(f"a frame of unknown kind {kind}")


class Reader:
    """Puts frames together again from what a socket gives."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that are whole with this data.

        Raises:
            BadFrame: the bytes are no frame.
        """
        self._bytes += data
        while len(self._bytes) >= _HEAD.size:
            length, kind = _HEAD.unpack_from(self._bytes)
            if not 1 <= length <= MAX_FRAME_BYTES:
                raise BadFrame(f"a frame of {length} bytes")
            end = _HEAD.size - 1 + length
            if len(self._bytes) < end:
                return
            body = bytes(self._bytes[_HEAD.size : end])
            del self._bytes[:end]
            try:
                yield _frame(kind, body)
            except (struct.error, ValueError, IndexError) as problem:
                raise BadFrame(f"a frame of kind {kind} that cannot be read: {problem}") from problem
