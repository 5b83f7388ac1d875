"""Where a value is drawn: scales from values to pixels, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
_MARGIN: Final = 0.06
_ENOUGH: Final = 0.75
"""A step may be so much shorter than what would give just as many ticks as asked for."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where it is, in pixels, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on pixels from `start` to `end`; what lies outside is drawn at the edge."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.is_log:
            low, high, here = math.log(low), math.log(high), math.log(here)
        return round(self.start + (here - low) / (high - low) * (self.end - self.start), 1)

    def ticks(self, about: int = 5) -> list[Tick]:
        """Return about so many round values; powers of ten on a logarithmic scale."""
        values = decades(self.low, self.high) if self.is_log else round_values(self.low, self.high, about)
        return [Tick(self.at(value), number(value)) for value in values]


def around(values: Iterable[float], start: float, end: float, *, zero: bool = True) -> Scale:
    """Return a scale that holds some values, and zero if that is asked for, with a margin."""
    found = [*values, *((0.0,) if zero else ())] or [0.0]
    low, high = min(found), max(found)
    if low == high:
        low, high = low - 1.0, high + 1.0
    margin = _MARGIN * (high - low)
    return Scale(low - margin, high + margin, start, end)


def log_around(values: Iterable[float], start: float, end: float) -> Scale:
    """Return a logarithmic scale over whole powers of ten that holds some positive values."""
    found = [value for value in values if value > 0.0] or [1.0]
    low = 10.0 ** math.floor(math.log10(min(found)))
    high = 10.0 ** math.ceil(math.log10(max(found)))
    return Scale(low, high if high > low else 10.0 * low, start, end, is_log=True)


def round_values(low: float, high: float, about: int) -> list[float]:
    """Return round values between two, about so many."""
    rough = (high - low) / max(about, 1)
    magnitude = 10.0 ** math.floor(math.log10(rough))
    step = next(step * magnitude for step in _STEPS if step * magnitude >= _ENOUGH * rough)
    return [round(index * step, 12) for index in range(math.ceil(low / step), math.floor(high / step) + 1)]


def decades(low: float, high: float) -> list[float]:
    """Return the powers of ten between two."""
    return [10.0**power for power in range(round(math.log10(low)), round(math.log10(high)) + 1)]


def number(value: float) -> str:
    """Return a tick's number, with a real minus."""
    return f"{value:,g}".replace("-", "−")
