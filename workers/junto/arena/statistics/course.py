"""How the means came about: a bounded number of waypoints, evenly spaced, whatever the number of deals."""

from __future__ import annotations

from typing import Final

from junto.arena.statistics.estimates import Moments
from junto.arena.statistics.standings import Waypoint

MOST_POINTS: Final = 200


class Course:
    """Waypoints at multiples of a number of deals, which doubles when they become too many."""

    def __init__(self) -> None:
        self._every = 1
        self._points: list[Waypoint] = []

    def add(self, means: Moments) -> None:
        """Look at the means after one more deal."""
        if means.count % self._every == 0:
            self._points.append(waypoint(means))
        if len(self._points) > MOST_POINTS:
            self._every *= 2
            self._points = [point for point in self._points if point.deals % self._every == 0]

    def until(self, means: Moments) -> tuple[Waypoint, ...]:
        """Return the waypoints up to now."""
        if means.count == 0 or (self._points and self._points[-1].deals == means.count):
            return tuple(self._points)
        return (*self._points, waypoint(means))


def waypoint(means: Moments) -> Waypoint:
    """Return how the means stand now; without intervals while there are too few deals."""
    half = means.half_width
    return Waypoint(means.count, tuple(means.mean.tolist()), () if half is None else tuple(half.tolist()))
