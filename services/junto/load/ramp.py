"""Which load a server bears: the rate is raised step by step until a goal is missed, then the edge is halved.

What is searched in is told what came of each step, and knows nothing of servers and clocks.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Final

from junto.load.measuring import Measured
from junto.load.profile import Goal

GROWTH: Final = 1.25
"""From the rate of a step to that of the next."""
HALVINGS: Final = 3
"""How often the edge between what was borne and what was not is halved, by the geometric mean."""
MOST_ERRORS: Final = 0.001
"""The share of calls that may fail."""
LEAST_RATE: Final = 0.5
"""Below this, in moves a second, nothing is tried any more."""
MOST_STEPS: Final = 40


@dataclass(frozen=True, slots=True)
class Found:
    """The highest rate at which the goal was kept, None if it never was; `edge` is the lowest at which it was not."""

    highest: float | None
    edge: float | None


Search = Generator[float, bool, Found]
"""Yields the next rate to try, and is sent whether the goal was kept at it."""


def search(first: float, *, growth: float = GROWTH, halvings: int = HALVINGS, most_steps: int = MOST_STEPS) -> Search:
    """Search from a first rate: upwards while the goal is kept, downwards if it is missed at once, then in between.

    Args:
        first: where to begin, in moves a second.
        growth: the factor from step to step.
        halvings: how often the edge is halved.
        most_steps: when to stop going up or down.
    """
    kept: float | None = None
    missed: float | None = None
    rate = first
    for _ in range(most_steps):
        if (yield rate):
            kept = rate
        else:
            missed = rate
        if kept is not None and missed is not None:
            break
        rate = rate / growth if kept is None else rate * growth
        if rate < LEAST_RATE:
            break
    for _ in range(halvings if kept is not None and missed is not None else 0):
        assert kept is not None
        assert missed is not None
        rate = math.sqrt(kept * missed)
        if (yield rate):
            kept = rate
        else:
            missed = rate
    return Found(kept, missed)


def so_far(steps: Iterable[tuple[float, bool]]) -> Found:
    """Return what some steps have found, each a rate and whether the goal was kept at it."""
    tried = list(steps)
    highest = max((rate for rate, kept in tried if kept), default=None)
    return Found(highest, min((rate for rate, kept in tried if not kept), default=None))


def keeps(goal: Goal, measured: Measured) -> bool:
    """Tell whether a goal was kept: everybody saw the moves in time, and next to no call failed."""
    seen = measured.times["seen_by_all"]
    return bool(seen.count) and seen.quantile(goal.quantile) <= goal.within_s and measured.error_share < MOST_ERRORS
