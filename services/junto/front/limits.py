"""How much a caller may ask for: rates by token buckets, and calls and streams at a time.

Memory is bounded whoever calls: a bucket that is full again is forgotten, and if that is not enough the
oldest ones are, in their owners' favour.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from junto.front.faults import Fault, RateLimited
from junto.v1 import errors_pb2


class Buckets:
    """One token bucket per key, kept as the one time at which it will be full (GCRA).

    Args:
        rate: tokens per second that a bucket gains.
        burst: what a full bucket holds.
        clock: seconds, monotonic.
        max_keys: the most buckets kept.
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float], max_keys: int = 100_000) -> None:
        self._interval = 1 / rate
        self._tolerance = (burst - 1) / rate
        self._clock = clock
        self._max_keys = max_keys
        self._full_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str) -> float:
        """Take a token: return 0, or, taking none, the seconds until there is one."""
        now = self._clock()
        full_at = self._full_at.get(key, now)
        full_at = max(full_at, now)
        wait = full_at - now - self._tolerance
        if wait > 0:
            return wait
        self._full_at[key] = full_at + self._interval
        if len(self._full_at) > self._max_keys:
            self._forget(now)
        return 0.0

    def wait(self, key: str) -> float:
        """Return the seconds until a token can be taken; take none."""
        now = self._clock()
        return max(0.0, self._full_at.get(key, 0.0) - now - self._tolerance)

    def _forget(self, now: float) -> None:
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        surplus = len(self._full_at) - self._max_keys * 9 // 10
        for key in list(islice(self._full_at, max(0, surplus))):
            del self._full_at[key]


class Slots:
    """So many at a time: for each key, and for all together.

    Args:
        each: the most of one key.
        total: the most of all keys.
        what: what there are too many of, for the message.
    """

    def __init__(self, each: int, total: int, what: str) -> None:
        self._each = each
        self._total = total
        self._what = what
        self._taken: dict[str, int] = {}
        self.taken = 0

    def enter(self, key: str | None) -> None:
        """Take a slot; None for a caller without a key, of whom only the total counts.

        Raises:
            Fault: TOO_MANY of this caller, or RATE_LIMITED because the server is full.
        """
        if self.taken >= self._total:
            raise RateLimited(f"the server has too many {self._what} at the moment", retry_delay_s=1.0)
        if key is not None:
            taken = self._taken.get(key, 0)
            if taken >= self._each:
                raise Fault(
                    errors_pb2.ERROR_REASON_TOO_MANY,
                    f"you have {self._each} {self._what} already: end one first",
                    metadata={"limit": self._each},
                )
            self._taken[key] = taken + 1
        self.taken += 1

    def leave(self, key: str | None) -> None:
        """Give a slot back."""
        self.taken -= 1
        if key is not None:
            left = self._taken[key] - 1
            if left:
                self._taken[key] = left
            else:
                del self._taken[key]
