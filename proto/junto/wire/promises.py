"""The proof that a deal was fixed beforehand: what is promised before it, and what is revealed after it."""

from __future__ import annotations

from dataclasses import dataclass

from junto.games.shuffle import VERSION, DealSeed
from junto.v1 import views_pb2
from junto.wire.errors import WireError
from junto.wire.times import read_time, write_time


@dataclass(frozen=True, slots=True)
class Promise:
    """A deal's promise: SHA-256 of its secret in lower-case hexadecimal, and until when entropy is taken (ms)."""

    sha256: str
    entropy_deadline_ms: int | None = None
    shuffle_version: int = VERSION


def write_promise(promise: Promise) -> views_pb2.Commitment:
    """Return the message of a promise."""
    deadline = promise.entropy_deadline_ms
    return views_pb2.Commitment(
        seed_sha256=promise.sha256,
        shuffle_version=promise.shuffle_version,
        entropy_deadline=None if deadline is None else write_time(deadline),
    )


def read_promise(message: views_pb2.Commitment) -> Promise:
    """Return the promise of a message."""
    deadline = read_time(message.entropy_deadline) if message.HasField("entropy_deadline") else None
    return Promise(message.seed_sha256, deadline, message.shuffle_version)


def write_reveal(seed: DealSeed) -> views_pb2.Reveal:
    """Return what keeps the promise of a deal. Only for a deal that is over."""
    return views_pb2.Reveal(seed=seed.secret.hex(), entropy=[part.hex() for part in seed.entropy])


def read_reveal(message: views_pb2.Reveal) -> DealSeed:
    """Return the secret and the entropy that a message reveals.

    Raises:
        WireError: they are not hexadecimal, or not of the right lengths.
    """
    try:
        return DealSeed(bytes.fromhex(message.seed), tuple(bytes.fromhex(part) for part in message.entropy))
    except ValueError as error:
        raise WireError(f"the deal's seed cannot be read: {error}") from None
