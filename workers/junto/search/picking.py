"""Worlds picked by weight at even distances, alike on every machine.

Weights come of exponentials, which differ from processor to processor in the last bit, and so do long sums of them. So
weights are rounded before they are summed: whole numbers as floats, of which any sum is exact.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.search.streams import draw_fraction, start_stream

Vector = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]

PICK_STREAM: Final = 2
"""What this stream of a decision is for: where picks begin."""
_LARGEST: Final = float(1 << 20)
_GOLDEN: Final = (5.0**0.5 - 1.0) / 2.0
"""The golden section: its multiples, less their whole parts, are spread evenly however many they are."""


class Picks:
    """Rows of worlds to be picked by weight, group after group: of points spread evenly each group has its share."""

    def __init__(self, weights: Weights, groups: Vector) -> None:
        """Sort the rows by their groups, and sum the weights up."""
        self._order: Vector = np.argsort(groups, kind="stable")
        self._running: Weights = np.cumsum(rounded(weights)[self._order])

    def at(self, points: Weights) -> Vector:
        """Return the rows at points of [0, 1) of the sum of all weights."""
        places = np.searchsorted(self._running, points * self._running[-1], side="right")
        rows: Vector = self._order[np.minimum(places, self._order.size - 1)]
        return rows


def spread(start: float, first: int, number: int) -> Weights:
    """Return the points from number `first` on of those that are spread evenly, however many are taken in a row."""
    steps = np.arange(first, first + number).astype(np.float64)
    points: Weights = (start + _GOLDEN * steps) % 1.0
    return points


def first_point(seed: int, number: int = 0) -> float:
    """Return a point of [0, 1) to begin at, for the picks of this number."""
    stream = np.zeros(2, np.int64)
    start_stream(stream, seed, number, PICK_STREAM)
    return float(draw_fraction(stream))


def rounded(weights: Weights) -> Weights:
    """Return weights as whole numbers of which the largest is 2^20."""
    whole: Weights = np.rint(weights * (_LARGEST / weights.max()))
    return whole


def effective(weights: Weights) -> float:
    """Return how many worlds of equal weight tell as much as these: the effective sample size."""
    whole = rounded(weights)
    return float(whole.sum() ** 2 / (whole**2).sum())
