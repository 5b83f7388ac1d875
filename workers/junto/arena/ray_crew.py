"""A crew on a Ray cluster: an actor per CPU, two batches with each, and whatever dies is started anew."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import ray
from ray.exceptions import ObjectLostError, RayActorError, RayError

from junto.arena.crew import Batch, Played
from junto.arena.errors import TournamentFailed
from junto.arena.plan import Plan, Sitting
from junto.arena.records import from_bytes
from junto.arena.worker import ArenaWorker, check_started, sources_of
from junto.pool import cluster

WITH_EACH: Final = 2
"""How many batches a worker has: one that it plays, and one that waits, so that it never does."""
_SHARE: Final = 0.9
"""The part of a CPU that a worker reserves: those who decide for bots at tables have a little of the same CPUs."""
MOST_DEATHS: Final = 3
"""A sitting that ended so many workers is not tried again."""
START_WITHIN_S: Final = 600.0
"""A cluster that has had no CPU for any worker for so long has none."""
CLOSE_WITHIN_S: Final = 1.0
"""So long workers may take to end their strategies' processes in order, if they do not play any more."""
MOST_STARTS: Final = 5
"""So many workers in a row that end before they have played anything end the tournament."""

_ray = cast("Any", ray)  # without types


@dataclass(eq=False, slots=True)
class _Worker:
    actor: Any
    starting: Any
    given: dict[Any, Batch] = field(default_factory=dict)


class RayCrew:
    """See the module; a `junto.arena.crew.Crew`. This process must be connected to the cluster.

    Args:
        plan: what is played.
        workers: how many; None: as the cluster has CPUs.
        niceness: how far the workers stand back behind others on their machine.
        start_within_s: how long a cluster may have no CPU for any of them.
    """

    def __init__(
        self, plan: Plan, workers: int | None = None, niceness: int = 10, start_within_s: float = START_WITHIN_S
    ) -> None:
        self._plan = plan
        self._niceness = niceness
        self._sources = sources_of(plan.spec)
        self._actors = _ray.remote(
            num_cpus=_SHARE, max_restarts=0, max_task_retries=0, enable_task_events=False, scheduling_strategy="SPREAD"
        )(ArenaWorker)
        self._again: deque[Batch] = deque()
        self._deaths: Counter[Sitting] = Counter()
        self._false_starts = 0
        self._start_within_s = start_within_s
        self._alone_since = time.monotonic()
        self._ready: list[_Worker] = []
        self._starting = [self._start() for _ in range(workers or cluster.cpus())]

    @property
    def room(self) -> int:
        """See `Crew`."""
        return sum(WITH_EACH - len(worker.given) for worker in self._ready) - len(self._again)

    @property
    def busy(self) -> bool:
        """See `Crew`."""
        return bool(self._again) or any(worker.given for worker in self._ready) or not self._ready

    @property
    def workers(self) -> int:
        """How many play now."""
        return len(self._ready)

    def give(self, batch: Batch) -> None:
        """See `Crew`."""
        worker = min(self._ready, key=lambda one: len(one.given))
        numbers = [(sitting.deal, sitting.number) for sitting in batch]
        worker.given[worker.actor.play.remote(numbers)] = batch

    def take(self, within_s: float) -> Sequence[Played]:
        """See `Crew`.

        Raises:
            StrategyUnfit, TournamentFailed: a worker cannot play what is to be played (see `check_started`).
        """
        if self._ready:
            self._alone_since = time.monotonic()
        elif time.monotonic() > self._alone_since + self._start_within_s:
            raise TournamentFailed(f"the cluster has had no CPU for a worker for {self._start_within_s:.0f} s")
        awaited: dict[Any, _Worker] = {worker.starting: worker for worker in self._starting}
        awaited |= {answer: worker for worker in self._ready for answer in worker.given}
        done, _ = _ray.wait(list(awaited), num_returns=len(awaited), timeout=0)
        if not done:
            done, _ = _ray.wait(list(awaited), timeout=within_s)
        found = [self._taken(answer, awaited[answer]) for answer in done]  # in the order in which they were given
        while self._again and any(len(worker.given) < WITH_EACH for worker in self._ready):
            self.give(self._again.popleft())
        return [played for played in found if played is not None]

    def close(self) -> None:
        """See `Crew`."""
        closing = [worker.actor.close.remote() for worker in self._ready]
        if closing:
            _ray.wait(closing, num_returns=len(closing), timeout=CLOSE_WITHIN_S)
        for worker in (*self._ready, *self._starting):
            _ray.kill(worker.actor)
        self._ready, self._starting = [], []

    def _start(self) -> _Worker:
        actor = self._actors.remote(self._plan.spec, self._sources, self._niceness)
        return _Worker(actor, actor.start.remote())

    def _taken(self, answer: Any, worker: _Worker) -> Played | None:
        try:
            value = _ray.get(answer)
        except RayActorError as death:
            self._bury(worker, str(death))
            return None
        except ObjectLostError:  # its machine is gone, and with it what was played there
            self._again.append(worker.given.pop(answer, ()))
            return None
        except RayError as problem:
            raise TournamentFailed(f"a worker failed: {problem}") from problem
        if answer == worker.starting:
            self._starting.remove(worker)
            check_started(value)
            self._ready.append(worker)
            return None
        del worker.given[answer]
        self._false_starts = 0
        records, seconds = value
        return Played(tuple(from_bytes(record) for record in records), seconds)

    def _bury(self, worker: _Worker, reason: str) -> None:
        """Have another worker do what a dead one was given, sitting by sitting: one of them may have ended it.

        Raises:
            TournamentFailed: the same sitting, or none at all, has ended too many.
        """
        if worker in self._starting:
            self._starting.remove(worker)
            self._false_starts += 1
            if self._false_starts >= MOST_STARTS:
                raise TournamentFailed(f"{MOST_STARTS} workers in a row ended while they started: {reason}")
        elif worker in self._ready:
            self._ready.remove(worker)
            for batch in worker.given.values():
                self._again.extend((sitting,) for sitting in batch)
            self._blame(next(iter(worker.given.values()), ()), reason)
            worker.given.clear()
        else:
            return  # another answer of the same worker
        self._starting.append(self._start())

    def _blame(self, batch: Batch, reason: str) -> None:
        self._deaths.update(batch)
        for sitting in batch:
            if self._deaths[sitting] >= MOST_DEATHS and len(batch) == 1:
                raise TournamentFailed(
                    f"deal {sitting.deal}, sitting {sitting.number}, has ended {MOST_DEATHS} workers: {reason}"
                )
