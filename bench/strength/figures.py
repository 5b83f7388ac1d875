"""Means and ratios of paired figures with 95 % intervals. Deals are the clusters: each gives one number, or a pair.

A ratio's interval is Fieller's (Fieller, JRSS B 1954): the values r at which the mean of x - r y is not clearly
different from zero. It holds for few deals too, where the delta method (the arena's `Ratio`) is too narrow; it has no
end where the mean of y itself is not clearly different from zero.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from junto.arena.statistics.estimates import FEWEST_DEALS, Estimate, student_quantile


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of a mean; infinite for a single value."""
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of one number a deal.

    Raises:
        ValueError: there is no deal.
    """
    if not values:
        raise ValueError("there are no deals")
    mean = statistics.fmean(values)
    if len(values) < FEWEST_DEALS:
        return Estimate(mean, None, None, len(values))
    half = student_quantile(len(values) - 1) * standard_error(values)
    return Estimate(mean, mean - half, mean + half, len(values))


def ratio_of(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """Return the mean of `above` divided by that of `below`, which are paired by deal.

    Raises:
        ValueError: there is no deal, or the mean of `below` is zero.
    """
    x, y = statistics.fmean(above), statistics.fmean(below)
    if y == 0.0:
        raise ValueError("there is nothing to divide by")
    number = len(above)
    if number < FEWEST_DEALS:
        return Estimate(x / y, None, None, number)
    square = student_quantile(number - 1) ** 2 / number
    a = y * y - square * statistics.variance(below)
    b = x * y - square * statistics.covariance(above, below)
    c = x * x - square * statistics.variance(above)
    root = b * b - a * c
    if a <= 0.0 or root < 0.0:
        return Estimate(x / y, None, None, number)
    return Estimate(x / y, (b - math.sqrt(root)) / a, (b + math.sqrt(root)) / a, number)


@dataclass(frozen=True, slots=True)
class Rule:
    """When a run ends before its last deal: as soon as a mean is further from zero than so many standard `errors`.

    It is looked at after `first` deals and then after `every` so many more; with no errors at all, never. The more
    looks, the likelier luck decides. Between equals it does so in about one of a hundred runs of 400 deals that look
    after 40 and after every 20 more (`tests/bench/test_figures.py` simulates them).
    """

    errors: float = 3.3
    first: int = 40
    every: int = 20

    def decided_after(self, values: Sequence[float]) -> int | None:
        """Return after how many deals it ends; None: not yet."""
        mean = squares = 0.0
        for number, value in enumerate(values if self.errors > 0.0 else (), 1):
            step = value - mean
            mean += step / number
            squares += step * (value - mean)
            if self._is_look(number) and abs(mean) > self.errors * math.sqrt(squares / (number - 1) / number):
                return number
        return None

    def _is_look(self, number: int) -> bool:
        return number >= FEWEST_DEALS and number >= self.first and (number - self.first) % self.every == 0
