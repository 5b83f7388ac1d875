"""A histogram of times: logarithmic buckets, so that every quantile is right within half a per cent.

Bucket n holds the times from `BASE ** n` to `BASE ** (n + 1)` microseconds, and stands for its geometric
middle, which differs from anything in it by at most `sqrt(BASE)`, that is 0.5 %. Count, sum, least and greatest are
kept as they are. Histograms add up: that of all generators is the sum of theirs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

BASE: Final = 1.01
"""From the beginning of a bucket to that of the next."""
UNIT_S: Final = 1e-6
"""Where the first bucket begins; shorter times count as this."""
RELATIVE_ERROR: Final = math.sqrt(BASE) - 1
"""How far a quantile may be off."""
_PER_BUCKET: Final = 1 / math.log(BASE)


class Histogram:
    """See the module. Times are in seconds."""

    __slots__ = ("_buckets", "count", "greatest_s", "least_s", "sum_s")

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self.count = 0
        self.sum_s = 0.0
        self.least_s = math.inf
        self.greatest_s = 0.0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Histogram) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def add(self, seconds: float, times: int = 1) -> None:
        """Note a time, or the same one several times."""
        self._buckets[bucket_of(seconds)] += times
        self.count += times
        self.sum_s += seconds * times
        self.least_s = min(self.least_s, seconds)
        self.greatest_s = max(self.greatest_s, seconds)

    def merge(self, other: Histogram) -> None:
        """Add all that another one has noted."""
        self._buckets.update(other._buckets)
        self.count += other.count
        self.sum_s += other.sum_s
        self.least_s = min(self.least_s, other.least_s)
        self.greatest_s = max(self.greatest_s, other.greatest_s)

    def quantile(self, share: float) -> float:
        """Return the least time that `share` of all are not longer than, in seconds; 0 if nothing was noted."""
        rank = max(1, math.ceil(share * self.count - 1e-9))
        if rank >= self.count:
            return self.greatest_s
        passed = 0
        for bucket in sorted(self._buckets):
            passed += self._buckets[bucket]
            if passed >= rank:
                return min(max(middle_s(bucket), self.least_s), self.greatest_s)
        return self.greatest_s

    @property
    def mean_s(self) -> float:
        """The mean, in seconds; 0 if nothing was noted."""
        return self.sum_s / self.count if self.count else 0.0

    def buckets(self) -> Iterator[tuple[float, float, int]]:
        """Yield where each bucket that is not empty begins and ends, in seconds, and how many are in it."""
        for bucket in sorted(self._buckets):
            yield UNIT_S * BASE**bucket, UNIT_S * BASE ** (bucket + 1), self._buckets[bucket]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {
            "count": self.count,
            "sum_s": self.sum_s,
            "least_s": self.least_s if self.count else 0.0,
            "greatest_s": self.greatest_s,
            "buckets": {str(bucket): self._buckets[bucket] for bucket in sorted(self._buckets)},
        }

    @staticmethod
    def from_json(written: Mapping[str, Any]) -> Histogram:
        """Return what `to_json` has written."""
        found = Histogram()
        found._buckets.update({int(bucket): count for bucket, count in written["buckets"].items()})
        found.count, found.sum_s = written["count"], written["sum_s"]
        found.least_s = written["least_s"] if found.count else math.inf
        found.greatest_s = written["greatest_s"]
        return found


def bucket_of(seconds: float) -> int:
    """Return the bucket of a time."""
    return 0 if seconds <= UNIT_S else int(math.log(seconds / UNIT_S) * _PER_BUCKET)


def middle_s(bucket: int) -> float:
    """Return the time that a bucket stands for, in seconds."""
    return float(UNIT_S * BASE ** (bucket + 0.5))
