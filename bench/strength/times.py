"""Decision times, counted in narrow classes: quantiles of any number of them from a few numbers a deal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_CLASSES: Final = 32
"""Classes between a time and twice as much: each is 2.2 % wide."""
_UNIT_S: Final = 1e-6
GRACE_S: Final = 0.010
"""A decision is in time that ends so long after its budget, at most."""


@dataclass(slots=True)
class Times:
    """Decision times: how many fell into each class, how many ended `in_time`, and the `worst`, in seconds."""

    classes: Counter[int] = field(default_factory=Counter)
    in_time: int = 0
    worst_s: float = 0.0

    def note(self, seconds: float, budget_s: float | None) -> None:
        """Count one decision; without a budget it is always in time."""
        self.classes[_class_of(seconds)] += 1
        self.in_time += budget_s is None or seconds <= budget_s + GRACE_S
        self.worst_s = max(self.worst_s, seconds)

    @property
    def decisions(self) -> int:
        """How many there were."""
        return self.classes.total()

    @property
    def share_in_time(self) -> float:
        """The share that ended within the budget and `GRACE_S`."""
        return self.in_time / self.decisions

    def quantile_s(self, share: float) -> float:
        """Return the time that so great a share of the decisions did not exceed, to 2.2 %; at most the worst."""
        rank, seen = math.ceil(share * self.decisions), 0
        for number, count in sorted(self.classes.items()):
            seen += count
            if seen >= rank:
                return min(self.worst_s, _UNIT_S * math.pow(2.0, (number + 1) / _CLASSES))
        raise ValueError("there are no decisions")

    def as_json(self) -> dict[str, Any]:
        """Return the counts for a line of results."""
        classes = {str(number): count for number, count in sorted(self.classes.items())}
        return {"classes": classes, "in_time": self.in_time, "worst_s": round(self.worst_s, 6)}

    @classmethod
    def of(cls, lines: Iterable[Mapping[str, Any]]) -> Times:
        """Return the times of many lines together."""
        times = cls()
        for line in lines:
            times.classes.update({int(number): count for number, count in line["classes"].items()})
            times.in_time += line["in_time"]
            times.worst_s = max(times.worst_s, line["worst_s"])
        return times


def _class_of(seconds: float) -> int:
    return math.floor(_CLASSES * math.log2(max(seconds / _UNIT_S, 1.0)))
