"""Who gets which job next: pure bookkeeping, without Ray and without a clock of its own.

Jobs wait in one line, and a worker that is idle takes the first one; a call costs about a millisecond, so jobs
that are expected to take next to nothing travel together. No worker is given a call while it has one: what an
expectation says may be wrong, and whatever still waits here can be taken back by who asked, and is done by whoever
is free first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

BUNDLE_S: Final = 0.002
"""Jobs travel together while they are expected to take no longer than this in sum, in seconds."""
BUNDLE_JOBS: Final = 32
"""No more jobs than this travel together."""
UNKNOWN_S: Final = 1.0
"""What a strategy that has not decided yet is expected to take, in seconds."""
WEIGHT: Final = 0.2
"""The weight of the latest decision in what a strategy is expected to take."""
STRATEGIES: Final = 1000
"""So many strategies are remembered."""


@dataclass(slots=True, eq=False)
class Job:
    """A decision that is wanted until `deadline`; times in seconds of the driver's loop."""

    number: int
    strategy_id: str
    request: bytes
    deadline: float
    asked_at: float
    attempts: int = 0
    """How many workers died with it."""
    is_wanted: bool = True
    """Whether somebody waits for it."""


@dataclass(slots=True)
class Expectations:
    """How long each strategy takes for a decision: a mean that forgets."""

    _means: dict[str, float] = field(default_factory=dict)

    def seconds(self, strategy_id: str) -> float:
        """Return what a decision is expected to take."""
        return self._means.get(strategy_id, UNKNOWN_S)

    def learn(self, strategy_id: str, seconds: float) -> None:
        """Take into account how long a decision took."""
        mean = self._means.pop(strategy_id, seconds)
        self._means[strategy_id] = mean + WEIGHT * (seconds - mean)
        if len(self._means) > STRATEGIES:
            del self._means[next(iter(self._means))]


class Line:
    """The jobs that wait, in the order in which they are taken."""

    def __init__(self, expectations: Expectations) -> None:
        self._expectations = expectations
        self._jobs: deque[Job] = deque()

    def join(self, job: Job) -> None:
        """Put a new job at the end."""
        self._jobs.append(job)

    def rejoin(self, jobs: Iterable[Job]) -> None:
        """Put jobs back to the front, in their order: their worker died."""
        self._jobs.extendleft(reversed(list(jobs)))

    def leave(self, job: Job) -> None:
        """Remove a job that nobody wants any more, if it waits here."""
        job.is_wanted = False
        if job in self._jobs:
            self._jobs.remove(job)

    def take(self, now: float) -> list[Job]:
        """Remove and return the jobs for one call: the first, and those behind it that are quick enough.

        A job whose worker died travels alone: what it may have done to one is done to no other job again. Jobs
        whose time is up are forgotten: their callers know. Nothing is returned when nothing is left.
        """
        jobs: list[Job] = []
        seconds = 0.0
        while self._jobs and len(jobs) < BUNDLE_JOBS:
            job = self._jobs[0]
            if job.deadline > now:
                seconds += self._expectations.seconds(job.strategy_id)
                if jobs and (seconds > BUNDLE_S or job.attempts or jobs[0].attempts):
                    break
                jobs.append(job)
            self._jobs.popleft()
        return jobs
