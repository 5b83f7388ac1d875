"""Everything random in a deal, from a committed secret: version 1 of the documented shuffle.

Before a deal the server draws a 32-byte secret and publishes its SHA-256; players may add entropy; then
the secret and the entropy give a key, and the key gives one stream of numbers per label. Once the deal
is over the secret is revealed and anybody can deal the cards again. `docs/shuffle.md` has the
definition with test vectors, so that it can be checked in any language.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

VERSION: Final = 1
SECRET_BYTES: Final = 32
MAX_ENTROPY_BYTES: Final = 32
_DOMAIN: Final = b"junto/shuffle/1"
_WORD: Final = 8

T = TypeVar("T")


class ShuffleError(ValueError):
    """A secret or entropy of a wrong length."""


@dataclass(frozen=True, slots=True)
class DealSeed:
    """A deal's secret, and the entropy that each seat added (empty: none), in the order of the seats."""

    secret: bytes = field(repr=False)
    entropy: tuple[bytes, ...]

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ShuffleError(f"a secret has {SECRET_BYTES} bytes, not {len(self.secret)}")
        if any(len(part) > MAX_ENTROPY_BYTES for part in self.entropy):
            raise ShuffleError(f"a seat adds at most {MAX_ENTROPY_BYTES} bytes of entropy")

    @property
    def commitment(self) -> str:
        """The promise that is published before the deal: SHA-256 of the secret, lower-case hexadecimal."""
        return commitment(self.secret)

    def stream(self, label: str) -> Stream:
        """Return the stream of random numbers of that label."""
        message = _DOMAIN + bytes([len(self.entropy)]) + b"".join(bytes([len(part)]) + part for part in self.entropy)
        return Stream(hmac.digest(self.secret, message, hashlib.sha256), label)


def commitment(secret: bytes) -> str:
    """Return SHA-256 of a secret in lower-case hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


class Stream:
    """Random numbers of one label: HMAC-SHA256(key, label ‖ 0 ‖ counter) for counter 0, 1, …, read in words."""

    __slots__ = ("_block", "_counter", "_key", "_label")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label.encode("ascii") + b"\0"
        self._counter = 0
        self._block = b""

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` − 1, all equally likely: 64-bit words, the biased tail refused."""
        limit = (1 << 64) // bound * bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order: Fisher-Yates from the last place down to the second."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _word(self) -> int:
        if not self._block:
            self._block = hmac.digest(self._key, self._label + self._counter.to_bytes(4, "big"), hashlib.sha256)
            self._counter += 1
        word, self._block = self._block[:_WORD], self._block[_WORD:]
        return int.from_bytes(word, "big")
