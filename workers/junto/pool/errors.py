"""What can go wrong when a decision is asked for.

PoolError
├── PoolUnavailable  Ray is away, or its workers cannot start; says when to ask again
├── PoolBusy         too many decisions wait; says when to ask again
├── DecisionLate     the time is up
├── DecisionLost     every worker that tried this decision died
├── WorkFailed       the function that decides raised, or answered with something else than bytes
├── BadAddress       what should be a cluster's address is none
├── BadSeam          a name such as `package.module:function` that leads nowhere
└── LocalRayFailed   the local Ray did not start
"""

from __future__ import annotations


class PoolError(Exception):
    """Any failure of the pool."""


class PoolUnavailable(PoolError):
    """Nobody can decide now.

    Args:
        reason: why, in a sentence.
        retry_after_s: when asking again makes sense.
    """

    def __init__(self, reason: str, retry_after_s: float) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class PoolBusy(PoolError):
    """As many decisions wait as may.

    Args:
        waiting: how many there are.
        retry_after_s: when asking again makes sense.
    """

    def __init__(self, waiting: int, retry_after_s: float) -> None:
        super().__init__(f"{waiting} decisions are under way or wait already")
        self.retry_after_s = retry_after_s


class DecisionLate(PoolError):
    """The time that the caller gave is up; an answer that still comes is dropped."""


class DecisionLost(PoolError):
    """Each worker that tried this decision died of it, or with it."""


class WorkFailed(PoolError):
    """The function that decides raised, or its answer is none. Asking again would not help."""


class BadAddress(PoolError, ValueError):
    """What should be a cluster's address is none."""


class BadSeam(PoolError, ValueError):
    """An import path is malformed, or leads nowhere."""


class LocalRayFailed(PoolError):
    """The local Ray did not start; the message quotes its log."""
