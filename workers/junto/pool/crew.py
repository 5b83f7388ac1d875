"""The workers of one driver: hired, given jobs, watched, replaced. Runs in the driver process, on its loop.

No worker is polled. A worker's death shows at once, since one call to it (`SearchWorker.live`) never returns
while it lives; a hang shows by a timer on each call. Ray's own restarts and retries are off: only we know
which job a worker died of, and whether somebody still waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final, cast

import ray
from ray.exceptions import RayError

from junto.pool import frames
from junto.pool.addresses import ClusterLost
from junto.pool.bundles import Asked, Told, read_told, write_asked
from junto.pool.frames import Again, Answer, Cause, Death, FromDriver, Outcome
from junto.pool.schedule import Expectations, Job, Line
from junto.pool.search_worker import LIVES, SearchWorker
from junto.pool.settings import PoolSettings, pause_s

SHARE: Final = 0.01
"""The part of a CPU that a worker reserves: none to speak of, so that two stewards get their workers on one
machine, but not nothing, so that no worker is put on a node that lends no CPU."""
CHECK_S: Final = 5.0
"""While a worker starts, the cluster is asked so often whether it still is ours, in seconds: one that is not
leaves the start unanswered."""
KEEPS_DYING: Final = 3
"""After so many deaths in a row without a decision in between, a worker's place is in trouble."""


class NotHired(Exception):
    """A worker could not be started."""


@dataclass(slots=True, eq=False)
class Call:
    """Jobs that went to a worker together."""

    jobs: list[Job]
    sent_at: float
    timer: asyncio.TimerHandle


@dataclass(slots=True, eq=False)
class Worker:
    """A worker that lives. `died` is set once, with the cause and a sentence."""

    actor: Any
    died: asyncio.Future[tuple[Cause, str]]
    call: Call | None = None
    has_decided: bool = False

    def die(self, cause: Cause, reason: str) -> None:
        """Note that it is dead, or as good as dead."""
        if not self.died.done():
            self.died.set_result((cause, reason))


class Crew:
    """The workers and the line of jobs in front of them.

    Args:
        settings: how to work.
        wanted: how many workers there should be.
        tell: takes what the pool is to know.
        check: asks the cluster whether it still is ours; raises `ClusterLost` if not.
    """

    def __init__(
        self,
        settings: PoolSettings,
        wanted: int,
        tell: Callable[[FromDriver], None],
        check: Callable[[], Awaitable[None]],
    ) -> None:
        self._settings = settings
        self._wanted = wanted
        self._tell = tell
        self._check = check
        self._loop = asyncio.get_running_loop()
        self._expectations = Expectations()
        self._line = Line(self._expectations)
        self._jobs: dict[int, Job] = {}
        self._workers: list[Worker] = []
        self._troubles: dict[int, str] = {}
        self._actors = cast("Any", ray.remote)(
            num_cpus=SHARE,
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=1,
            concurrency_groups={LIVES: 1},
            enable_task_events=False,
            scheduling_strategy="SPREAD",
        )(SearchWorker)

    async def keep(self) -> None:
        """Keep as many workers as wanted, until cancelled.

        Raises:
            ClusterLost: the cluster does not answer any more, or is another one.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for place in range(self._wanted):
                    group.create_task(self._keep(place))
        except* ClusterLost as lost:
            raise ClusterLost(str(lost.exceptions[0])) from None

    def ask(self, asked: frames.Job) -> None:
        """Take on a job."""
        now = self._loop.time()
        job = Job(asked.number, asked.strategy_id, asked.request, now + asked.time_left_s, now)
        self._jobs[job.number] = job
        self._line.join(job)
        self._dispatch()

    def drop(self, number: int) -> None:
        """Forget a job: nobody waits for it. A worker that has it already is left in peace until its deadline."""
        if job := self._jobs.pop(number, None):
            self._line.leave(job)

    async def _keep(self, place: int) -> None:
        failures = 0
        while True:
            await asyncio.sleep(pause_s(failures, self._settings.longest_pause_s))
            try:
                worker = await self._hire()
            except NotHired as problem:
                failures += 1
                self._fail(place, Cause.NEVER_STARTED, str(problem))
                continue
            self._welcome(place, worker)
            cause, reason = await worker.died
            self._bury(worker, reason)
            failures = 1 if worker.has_decided else failures + 1
            if failures >= KEEPS_DYING:
                self._troubles[place] = f"the workers keep dying: {reason}"
            self._tell(Death(cause, reason))
            self._tell_crew()
            self._dispatch()

    def _welcome(self, place: int, worker: Worker) -> None:
        self._workers.append(worker)
        self._troubles.pop(place, None)
        self._tell_crew()
        self._dispatch()

    def _fail(self, place: int, cause: Cause, reason: str) -> None:
        self._troubles[place] = reason
        self._tell(Death(cause, reason))
        self._tell_crew()

    def _tell_crew(self) -> None:
        trouble = next(iter(self._troubles.values()), "")
        self._tell(frames.Crew(len(self._workers), self._wanted, trouble))

    async def _hire(self) -> Worker:
        await self._check()
        # In a thread, since this blocks for as long as a cluster that has just died is waited for.
        actor = await asyncio.to_thread(self._actors.remote, self._settings.max_answer_bytes)
        if trouble := await self._while_ours(self._start(actor)):
            _end(actor)
            raise NotHired(trouble)
        worker = Worker(actor, self._loop.create_future())
        actor.live.remote().future().add_done_callback(lambda life: self._from_ray(_lived, worker, life))
        return worker

    async def _start(self, actor: Any) -> str:
        """Wait until a worker can be given work; return what is wrong, or nothing."""
        settings = self._settings
        try:
            async with asyncio.timeout(settings.process_within_s):
                await asyncio.wrap_future(actor.hello.remote().future())
            async with asyncio.timeout(settings.start_within_s):
                trouble: str = await asyncio.wrap_future(actor.start.remote(settings.decide, settings.warmup).future())
        except TimeoutError:
            return "a worker was not ready in time"
        except RayError as problem:
            return f"a worker died while it started: {_sentence(problem)}"
        return trouble

    async def _while_ours(self, start: Coroutine[None, None, str]) -> str:
        """Wait for a start, and give it up when the cluster is not ours any more."""
        starting = self._loop.create_task(start)
        try:
            while not (await asyncio.wait((starting,), timeout=CHECK_S))[0]:
                await self._check()
            return starting.result()
        finally:
            starting.cancel()

    def _dispatch(self) -> None:
        for worker in self._workers:
            if worker.call is None and (jobs := self._line.take(self._loop.time())):
                self._call(worker, jobs)

    def _call(self, worker: Worker, jobs: list[Job]) -> None:
        now = self._loop.time()
        silent_at = max(job.deadline for job in jobs) + self._settings.hang_grace_s
        worker.call = Call(jobs, now, self._loop.call_at(silent_at, self._hang, worker))
        bundle = write_asked([Asked(job.deadline - now, job.strategy_id, job.request) for job in jobs])
        try:
            answer = worker.actor.decide.remote(bundle).future()
        except RayError as problem:
            worker.die(Cause.DIED, _sentence(problem))
            return
        answer.add_done_callback(lambda answer: self._from_ray(self._returned, worker, answer))

    def _from_ray(self, then: Callable[..., None], *arguments: object) -> None:
        """Go on in the loop; called by a thread of Ray's."""
        self._loop.call_soon_threadsafe(then, *arguments)

    def _returned(self, worker: Worker, answer: Future[bytes]) -> None:
        if worker.died.done():
            return
        try:
            told = list(read_told(answer.result()))
        except RayError as problem:
            worker.die(Cause.DIED, _sentence(problem))
            return
        assert worker.call is not None
        call, worker.call = worker.call, None
        call.timer.cancel()
        worker.has_decided = True
        for job, answered in zip(call.jobs, told, strict=True):
            self._answer(job, answered, call.sent_at - job.asked_at)
        # Not before the loop has read what the pool said until now: no job is sent that was dropped before.
        self._loop.call_soon(self._dispatch)

    def _answer(self, job: Job, told: Told, waited_s: float) -> None:
        if told.outcome is not Outcome.LATE:
            self._expectations.learn(job.strategy_id, told.thought_s)
        if self._jobs.pop(job.number, None):
            self._tell(Answer(job.number, told.outcome, waited_s, told.thought_s, told.payload))

    def _hang(self, worker: Worker) -> None:
        worker.die(Cause.HUNG, f"it was silent {self._settings.hang_grace_s:g} s after its deadline")

    def _bury(self, worker: Worker, reason: str) -> None:
        """Take a dead worker's jobs back."""
        self._workers.remove(worker)
        _end(worker.actor)
        if worker.call is None:
            return
        worker.call.timer.cancel()
        now = self._loop.time()
        jobs = [job for job in worker.call.jobs if job.is_wanted and job.deadline > now]
        for job in jobs:
            job.attempts += 1
        self._line.rejoin([job for job in jobs if not self._is_lost(job, reason)])

    def _is_lost(self, job: Job, reason: str) -> bool:
        if job.attempts < self._settings.attempts:
            self._tell(Again(job.number))
            return False
        del self._jobs[job.number]
        sentence = f"{job.attempts} workers died while they decided this; the last one: {reason}"
        self._tell(Answer(job.number, Outcome.LOST, self._loop.time() - job.asked_at, 0.0, sentence.encode()))
        return True


def _lived(worker: Worker, life: Future[None]) -> None:
    problem = life.exception()
    worker.die(Cause.DIED, _sentence(problem) if problem else "it returned from life")


def _end(actor: Any) -> None:
    with contextlib.suppress(RayError, ValueError):  # it is gone already
        ray.kill(actor, no_restart=True)


def _sentence(problem: BaseException) -> str:
    """Return what of Ray's message is about the cause: without the ids, and without its advice."""
    lines = [line for line in str(problem).splitlines() if line and not line[0].isspace()]
    return " ".join(lines).partition(" Some common causes")[0][:500] or type(problem).__name__
