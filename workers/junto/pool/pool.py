"""Ask for decisions: the side of the pool that a steward holds.

A pool is a bounded line of jobs in front of a driver process (`junto.pool.driver`), which speaks to Ray. The
caller's deadline is kept here, whatever happens over there. See docs/pool.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from junto.pool.addresses import check_address
from junto.pool.counters import Counters, Observer
from junto.pool.driver_link import DriverLink
from junto.pool.errors import DecisionLate, DecisionLost, PoolBusy, PoolUnavailable, WorkFailed
from junto.pool.frames import Again, Answer, Crew, Death, Drop, FromDriver, Gone, Job, Outcome
from junto.pool.settings import PoolSettings, pause_s

NOBODY: Final = Crew(0, 0, "")
STARTING_S: Final = 1.0
"""When to ask again while the workers start, in seconds."""
BUSY_S: Final = (0.05, 5.0)
"""The shortest and the longest wait that a busy pool advises, in seconds."""
WEIGHT: Final = 0.1
"""The weight of the latest decision in how long one takes."""
LONGEST_NAME: Final = 200
"""A strategy's id has no more characters."""


@dataclass(slots=True)
class _Usual:
    """How long a decision takes, in seconds: a mean that forgets."""

    thought_s: float = 0.1

    def learn(self, seconds: float) -> None:
        self.thought_s += WEIGHT * (seconds - self.thought_s)


class Pool:
    """Decisions by the workers of a Ray cluster. Belongs to one event loop; `connect` makes one that is ready.

    Args:
        address: the cluster's, as `host:port`. A node of the cluster must run on this machine.
        settings: how to work.
        env: what the driver needs in its environment, for instance `LocalRay.driver_env`; on top of ours.
        observer: is told what happens; a `Counters` if none is given.

    Raises:
        BadAddress: the address is not `host:port`.
    """

    def __init__(
        self,
        address: str,
        settings: PoolSettings,
        env: Mapping[str, str] | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.address = check_address(address)
        self.settings = settings
        self.observer: Observer = observer if observer is not None else Counters()
        self._env = dict(env or {})
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Answer | PoolUnavailable]] = {}
        self._usual = _Usual()
        self._crew = NOBODY
        self._problem = "the pool is starting"
        self._gone = ""
        self._retry_s = STARTING_S
        self._news = asyncio.Event()
        self._link: DriverLink | None = None
        self._keeping: asyncio.Task[None] | None = None

    @classmethod
    async def connect(
        cls,
        address: str,
        settings: PoolSettings,
        env: Mapping[str, str] | None = None,
        observer: Observer | None = None,
        *,
        within_s: float = 60.0,
    ) -> Self:
        """Return a pool that takes decisions: the first worker is ready.

        Raises:
            PoolUnavailable: it took longer; the message has the last reason.
        """
        pool = cls(address, settings, env, observer)
        pool.start()
        try:
            await pool.warm(1, within_s=within_s)
        except BaseException:
            await pool.close()
            raise
        return pool

    def start(self) -> None:
        """Begin to connect, in the background; and again whenever the cluster was lost."""
        assert self._keeping is None, "a pool is started once"
        self._keeping = asyncio.create_task(self._keep(), name="keep the Ray driver")

    @property
    def ready(self) -> bool:
        """Whether a worker takes decisions now."""
        return self._crew.ready > 0

    @property
    def trouble(self) -> str:
        """Why nobody takes decisions, or why fewer do than should; empty if all is well."""
        return self._crew.trouble or self._problem

    @property
    def driver_pid(self) -> int | None:
        """The process id of the Ray driver, if one runs."""
        return self._link.pid if self._link else None

    async def warm(self, workers: int | None = None, *, within_s: float) -> None:
        """Wait until so many workers, or all that should be, have warmed up and take decisions.

        Raises:
            PoolUnavailable: it took longer; the message has the last reason.
        """

        def warm() -> bool:
            wanted = self._crew.wanted if workers is None else workers
            return self._crew.wanted > 0 and self._crew.ready >= wanted

        try:
            async with asyncio.timeout(within_s):
                while not warm():
                    await self._news.wait()
        except TimeoutError:
            reason = self.trouble or f"{self._crew.ready} of {self._crew.wanted} workers are ready"
            raise PoolUnavailable(f"not ready within {within_s:g} s: {reason}", STARTING_S) from None

    async def decide(self, strategy_id: str, request: bytes, timeout_s: float) -> bytes:
        """Return the answer of a worker to a request.

        A decision whose worker dies is asked for again, within the time. When this is cancelled or the time is
        up, an answer that still comes is dropped.

        Args:
            strategy_id: which strategy decides.
            request: a serialised `junto.v1.DecideRequest`.
            timeout_s: the time for all of it, waiting included, in seconds.

        Raises:
            PoolBusy: too many decisions wait.
            PoolUnavailable: there is no cluster or no worker, or it was lost while this was under way.
            DecisionLate: the time was up.
            DecisionLost: several workers died of this.
            WorkFailed: the function that decides failed, or the request is too long.
        """
        self._check(strategy_id, request)
        answer = await self._ask(Job(next(self._numbers), timeout_s, strategy_id, request))
        self.observer.answered(answer.outcome, answer.waited_s, answer.thought_s)
        match answer.outcome:
            case Outcome.DECIDED:
                self._usual.learn(answer.thought_s)
                return answer.payload
            case Outcome.FAILED:
                raise WorkFailed(answer.payload.decode())
            case Outcome.LATE:
                raise DecisionLate(answer.payload.decode())
            case Outcome.LOST:
                raise DecisionLost(answer.payload.decode())

    async def close(self) -> None:
        """End the driver and its workers; what is still asked for fails. Can be called twice."""
        self._lose("the pool is closed", STARTING_S)
        if self._keeping is None:
            return
        self._keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._keeping
        if self._link:
            await self._link.end(self.settings.close_within_s + 1)
            self._link = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _check(self, strategy_id: str, request: bytes) -> None:
        if len(request) > self.settings.max_request_bytes:
            raise WorkFailed(f"the request has {len(request)} bytes, {self.settings.max_request_bytes} may be")
        if len(strategy_id) > LONGEST_NAME:
            raise WorkFailed(f"a strategy's id has no more than {LONGEST_NAME} characters")
        if not self.ready and (not self._crew.wanted or self._crew.trouble):
            raise PoolUnavailable(self.trouble, self._retry_s)
        if len(self._waiting) >= self._crew.wanted * (1 + self.settings.waiting_per_worker):
            self.observer.turned_away()
            raise PoolBusy(len(self._waiting), self._when_free_s())

    def _when_free_s(self) -> float:
        """Return how long it takes until half of what waits is done."""
        shortest, longest = BUSY_S
        return min(longest, max(shortest, self._usual.thought_s * len(self._waiting) / self._crew.wanted / 2))

    async def _ask(self, job: Job) -> Answer:
        assert self._link is not None
        answer: asyncio.Future[Answer | PoolUnavailable] = asyncio.get_running_loop().create_future()
        self._waiting[job.number] = answer
        self._link.send(job)
        try:
            async with asyncio.timeout(job.time_left_s):
                got = await answer
        except TimeoutError:
            self.observer.timed_out()
            raise DecisionLate(f"no decision within {job.time_left_s:g} s") from None
        finally:
            if self._waiting.pop(job.number, None) and self._link:
                self._link.send(Drop(job.number))
        if isinstance(got, PoolUnavailable):
            raise got
        return got

    async def _keep(self) -> None:
        failures = 0
        while True:
            reason = await self._drive()
            failures = 1 if self._crew.wanted else failures + 1
            pause = pause_s(failures, self.settings.longest_pause_s)
            self._lose(reason, pause + STARTING_S)
            self.observer.cluster_lost()
            if self._link:
                await self._link.end(self.settings.close_within_s + 1)
                self._link = None
            await asyncio.sleep(pause)

    async def _drive(self) -> str:
        """Run a driver until it ends; return why it did."""
        over, self._gone = asyncio.Event(), ""
        try:
            self._link = await DriverLink.start(self.address, self.settings, self._env, take=self._take, over=over.set)
        except OSError as problem:
            return f"the Ray driver cannot be started: {problem}"
        await over.wait()
        return self._gone or "the Ray driver ended unexpectedly"

    def _lose(self, problem: str, retry_s: float) -> None:
        """Note that there is no driver, and tell everybody who waits."""
        self.observer.crew_changed(0, self._crew.wanted)
        self._crew = NOBODY
        self._problem, self._retry_s = problem, retry_s
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_result(PoolUnavailable(problem, retry_s))
        self._waiting.clear()
        self._tell_news()

    def _take(self, frame: FromDriver) -> None:
        match frame:
            case Answer(number):
                if (answer := self._waiting.pop(number, None)) and not answer.done():
                    answer.set_result(frame)
            case Crew(ready, wanted):
                self._crew, self._problem = frame, ""
                self.observer.crew_changed(ready, wanted)
                self._tell_news()
            case Death(cause, reason):
                self.observer.worker_died(cause, reason)
            case Again():
                self.observer.asked_again()
            case Gone(reason):
                self._gone = reason

    def _tell_news(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
