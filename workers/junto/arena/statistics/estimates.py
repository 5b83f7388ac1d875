"""Means and ratios with 95 % intervals. Deals are the clusters: whatever was played of one deal is one observation.

`Moments` of one number (or array) a deal give a mean with Student's interval. A `Ratio` is for what does not happen in
each deal equally often, as being the declarer: its numerator and its denominator are summed deal by deal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

Vector = npt.NDArray[np.float64]

FEWEST_DEALS: Final = 4
"""Of fewer there is no interval."""
_UPPER: Final = 0.975


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, the ends of its 95 % interval (None: too few deals to tell), and how many deals it rests on."""

    value: float
    low: float | None
    high: float | None
    deals: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, if there are any."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def is_clear(self) -> bool:
        """Whether the interval does not hold zero."""
        return self.low is not None and self.high is not None and (self.low > 0.0 or self.high < 0.0)


@lru_cache(maxsize=4096)
def student_quantile(freedom: int) -> float:
    """Return Student's 97.5 % quantile for so many degrees of freedom, at least 1."""
    return float(stdtrit(freedom, _UPPER))


class Moments:
    """Count, mean and sum of squared deviations of one array a deal (Welford, Technometrics 1962).

    In the same order the same numbers give the same bits.
    """

    def __init__(self, *shape: int) -> None:
        self.count = 0
        self.mean: Vector = np.zeros(shape)
        self._squares: Vector = np.zeros(shape)

    def add(self, values: Vector) -> None:
        """Count one more deal."""
        self.count += 1
        step = values - self.mean
        self.mean = self.mean + step / self.count
        self._squares = self._squares + step * (values - self.mean)

    @property
    def variance(self) -> Vector:
        """The unbiased variance; zero for a single deal."""
        return self._squares / max(self.count - 1, 1)

    @property
    def half_width(self) -> Vector | None:
        """Half of Student's interval; None: there are too few deals."""
        if self.count < FEWEST_DEALS:
            return None
        return student_quantile(self.count - 1) * np.sqrt(self.variance / self.count)

    def estimates(self) -> Any:
        """Return an `Estimate` for each number, in nested lists of the array's shape."""
        half = self.half_width
        if half is None:
            return _each(lambda value, _: Estimate(value, None, None, self.count), self.mean, self.mean)
        return _each(lambda value, by: Estimate(value, value - by, value + by, self.count), self.mean, half)


def _each(make: Any, values: Vector, halves: Vector) -> Any:
    def walk(value: Any, half: Any) -> Any:
        return [*map(walk, value, half)] if isinstance(value, list) else make(value, half)

    return walk(values.tolist(), halves.tolist())


@dataclass(slots=True)
class Ratio:
    """Sums over deals of a numerator x, of a denominator y, and of their products; whole numbers, so exact.

    Only deals with y > 0 are counted. The variance of x / y is that of its linear part, with deals as clusters
    (Cochran, Sampling Techniques, 1977, section 6.3).
    """

    deals: int = 0
    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0

    def add(self, x: int, y: int) -> None:
        """Count one more deal, in which the denominator grew by y > 0."""
        self.deals += 1
        self.x += x
        self.y += y
        self.xx += x * x
        self.xy += x * y
        self.yy += y * y

    @property
    def value(self) -> float:
        """The ratio; 0 where there is nothing to divide by."""
        return self.x / self.y if self.y else 0.0

    @property
    def variance(self) -> float:
        """The variance of the ratio; zero for a single deal."""
        if self.deals < 2:
            return 0.0
        residuals = Fraction(self.xx * self.y**2 - 2 * self.x * self.xy * self.y + self.x**2 * self.yy, self.y**4)
        return float(residuals * self.deals / (self.deals - 1))

    def estimate(self) -> Estimate:
        """Return the ratio with Student's interval."""
        if self.deals < FEWEST_DEALS:
            return Estimate(self.value, None, None, self.deals)
        half = student_quantile(self.deals - 1) * math.sqrt(self.variance)
        return Estimate(self.value, self.value - half, self.value + half, self.deals)

    def share(self) -> Estimate:
        """Return the ratio as a share of cases (0 <= x <= y) with Wilson's interval for clustered cases.

        Wilson's interval (JASA 1927) is taken for the number of independent cases that would have the ratio's
        variance, with Student's quantile for the deals (Korn and Graubard, Survey Methodology 1998; Franco et al.,
        J. Survey Stat. Methodol. 2019). Where all cases are alike the variance says nothing: then a deal is one case.
        """
        if self.deals < FEWEST_DEALS:
            return Estimate(self.value, None, None, self.deals)
        low, high = wilson(self.value, self._independent_cases(), student_quantile(self.deals - 1))
        return Estimate(self.value, low, high, self.deals)

    def _independent_cases(self) -> float:
        if self.x in {0, self.y}:
            return float(self.deals)
        alike = self.value * (1.0 - self.value)
        return min(float(self.y), alike / self.variance) if self.variance > 0.0 else float(self.y)


def wilson(share: float, cases: float, quantile: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval for a share of so many independent cases."""
    square = quantile * quantile / cases
    middle = (share + square / 2.0) / (1.0 + square)
    half = quantile / (1.0 + square) * math.sqrt(share * (1.0 - share) / cases + square / (4.0 * cases))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


@dataclass(slots=True)
class Cases:
    """How often something was so, how often it was won, and what was scored then, by deals."""

    wins: Ratio = field(default_factory=Ratio)
    scores: Ratio = field(default_factory=Ratio)

    def add(self, wins: int, score: int, seats: int) -> None:
        """Count one more deal in which it was so at so many seats."""
        self.wins.add(wins, seats)
        self.scores.add(score, seats)
