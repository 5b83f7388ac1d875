"""What goes to a worker in one call, and what comes back: one or several jobs, one after the other.

Plain bytes, little-endian: Ray hands bytes over as they are, without pickling them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from junto.pool.frames import Outcome

_ASKED = struct.Struct("<dHI")
_TOLD = struct.Struct("<BdI")


@dataclass(frozen=True, slots=True)
class Asked:
    """One job of a bundle: decide within `time_left_s` seconds from when the worker reads this."""

    time_left_s: float
    strategy_id: str
    request: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """One answer of a bundle, and the seconds that it took."""

    outcome: Outcome
    thought_s: float
    payload: bytes


def write_asked(jobs: Sequence[Asked]) -> bytes:
    """Return the jobs of a bundle as bytes."""
    parts = []
    for job in jobs:
        name = job.strategy_id.encode()
        parts += [_ASKED.pack(job.time_left_s, len(name), len(job.request)), name, job.request]
    return b"".join(parts)


def read_asked(bundle: bytes) -> Iterator[Asked]:
    """Yield the jobs of a bundle."""
    at = 0
    while at < len(bundle):
        time_left_s, name_length, length = _ASKED.unpack_from(bundle, at)
        name_end = at + _ASKED.size + name_length
        name = bundle[at + _ASKED.size : name_end].decode()
        at = name_end + length
        yield Asked(time_left_s, name, bundle[name_end:at])


def write_told(answers: Sequence[Told]) -> bytes:
    """Return the answers of a bundle as bytes."""
    parts = []
    for answer in answers:
        parts += [_TOLD.pack(answer.outcome, answer.thought_s, len(answer.payload)), answer.payload]
    return b"".join(parts)


def read_told(bundle: bytes) -> Iterator[Told]:
    """Yield the answers of a bundle."""
    at = 0
    while at < len(bundle):
        outcome, thought_s, length = _TOLD.unpack_from(bundle, at)
        at += _TOLD.size + length
        yield Told(Outcome(outcome), thought_s, bundle[at - length : at])
