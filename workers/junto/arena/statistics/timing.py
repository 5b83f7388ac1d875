"""How long decisions took: a histogram in a bounded number of classes, exact below 64 microseconds, to 1.6 % above."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_BITS: Final = 5
_EXACT: Final = 1 << (_BITS + 1)


def class_of(micros: int) -> int:
    """Return the class of a time: each doubling has 32 of them."""
    if micros < _EXACT:
        return max(micros, 0)
    shift = micros.bit_length() - _BITS - 1
    return (shift << _BITS) + (micros >> shift)


def middle_of(number: int) -> float:
    """Return the middle of a class, in microseconds."""
    if number < _EXACT:
        return float(number)
    shift = (number >> _BITS) - 1
    return float(((number - (shift << _BITS)) << shift) + ((1 << shift) - 1) / 2)


@dataclass(frozen=True, slots=True)
class Times:
    """What decisions took, in milliseconds but for the sum, and how many worlds were looked at in a second of it."""

    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float
    total_s: float
    worlds_per_s: float


class Histogram:
    """Times in microseconds."""

    def __init__(self) -> None:
        self.classes: Counter[int] = Counter()
        self.total = 0
        self.largest = 0

    def add(self, micros: Sequence[int]) -> None:
        """Count some times."""
        self.classes.update(map(class_of, micros))
        self.total += sum(micros)
        self.largest = max(self.largest, *micros) if micros else self.largest

    @property
    def count(self) -> int:
        """How many times were counted."""
        return self.classes.total()

    def quantiles(self, *shares: float) -> list[float]:
        """Return the times which such shares of all do not exceed, in microseconds; zeros of none."""
        ordered, count = sorted(self.classes.items()), self.count
        return [self._at(ordered, share * count) for share in shares]

    def _at(self, ordered: list[tuple[int, int]], rank: float) -> float:
        seen = 0
        for number, often in ordered:
            seen += often
            if seen >= rank:
                return min(middle_of(number), float(self.largest))
        return float(self.largest)

    def times(self, worlds: int) -> Times:
        """Return what they come to, for decisions that looked at so many worlds."""
        p50, p90, p99 = (micros / 1e3 for micros in self.quantiles(0.5, 0.9, 0.99))
        per_s = worlds * 1e6 / self.total if self.total else 0.0
        return Times(p50, p90, p99, self.largest / 1e3, self.total / 1e6, per_s)
