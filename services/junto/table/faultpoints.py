"""Moments at which a process can be told to die, so that tests can kill it exactly there.

`JUNTO_FAULT=committed:3` makes the process send itself SIGKILL when it is at the point `committed` for the third
time. It is a setting like any other, read once at start, and unset in production: then a point costs one comparison.
docs/faults.md tells what is tested with it.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import structlog

_log = structlog.get_logger(__name__)


class Point(StrEnum):
    """Where a process can die. Front and steward commit in the same way, so they share the first three."""

    ACCEPTED = "accepted"
    """A command was accepted by the table; nothing was sent to Redis."""
    COMMITTED = "committed"
    """Redis has it; nobody was told."""
    TOLD = "told"
    """It was put into the queues of this process's watchers; who asked for it has no answer."""
    NOTICED = "noticed"
    """A front heard that somebody else changed a table that is watched; it has not read what."""
    DECIDED = "decided"
    """A steward knows what to do at a table, a bot's decision for instance, and has done nothing."""
    DONE = "done"
    """A steward has done it."""


@dataclass(frozen=True, slots=True)
class Death:
    """A death: at a point, when it is reached for the `times`-th time."""

    point: Point
    times: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `point:times`.

        Raises:
            ValueError: it says something else.
        """
        point, _, times = text.partition(":")
        if point not in set(Point) or not times.isdecimal() or int(times) < 1:
            raise ValueError(f"a fault is written as point:times; the points are {', '.join(Point)}")
        return cls(Point(point), int(times))


class _Countdown:
    """What is left until a process dies."""

    def __init__(self, death: Death) -> None:
        self._point = death.point
        self._left = death.times

    def at(self, point: Point) -> None:
        if point is not self._point:
            return
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


_countdown: _Countdown | None = None


def arm(fault: str | None) -> None:
    """Let this process die as `fault` says; None: not at all.

    Raises:
        ValueError: see `Death.parse`.
    """
    global _countdown  # noqa: PLW0603  # one process, one death
    _countdown = None if fault is None else _Countdown(Death.parse(fault))
    if fault is not None:
        _log.warning("this process will kill itself", fault=fault)


def at(point: Point) -> None:
    """Note that this process is at a point, which it may not survive."""
    if _countdown is not None:
        _countdown.at(point)
