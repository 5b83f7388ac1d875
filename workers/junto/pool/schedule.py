"""Who gets which job next: pure bookkeeping, without Ray and without a clock of its own.

Jobs wait in one line. A worker that is idle takes the first one; a call costs about a millisecond, so jobs
that are expected to take next to nothing travel together, and a worker that is about to finish may be given
its next call already. Everything else waits for whoever is free first: nobody queues behind a long thought
while another worker idles.
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
AHEAD_S: Final = 0.005
"""A busy worker is given its next call when what it has is expected to take no longer than this, in seconds."""
CALLS: Final = 2
"""No more calls than this are with a worker: one that it answers, one that waits there."""
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
class Load:
    """What a worker has to do: the calls that it has not answered."""

    calls: int = 0
    expected_s: float = 0.0


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

    def __len__(self) -> int:
        return len(self._jobs)

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

    def expected_s(self, jobs: Iterable[Job]) -> float:
        """Return what jobs are expected to take together."""
        return sum(self._expectations.seconds(job.strategy_id) for job in jobs)


def free_worker(loads: Iterable[Load]) -> int | None:
    """Return the number of the least loaded worker if it can be given a call now."""
    numbered = [(load.calls > 0, load.expected_s, number) for number, load in enumerate(loads) if _takes(load)]
    return min(numbered)[-1] if numbered else None


def _takes(load: Load) -> bool:
    return not load.calls or (load.calls < CALLS and load.expected_s <= AHEAD_S)
