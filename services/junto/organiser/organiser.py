"""The organiser's loop: take up a tournament that nobody plays, have it played, say what came of it, take the next.

An organiser may be killed at any moment: what it had kept is in the journal, its lease runs out, and the next one
goes on. One that is asked to end, or has played a tournament for its turn while others wait, gives it back.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import structlog

from junto.arena.crew import Crew
from junto.arena.errors import ArenaError, TournamentFailed
from junto.arena.plan import Plan
from junto.arena.running import End, Progress, Ran, run
from junto.internal.v1 import store_pb2
from junto.organiser.journal import AGAIN_S, RedisJournal, Stopped, opened
from junto.organiser.specs import code_of, read_spec
from junto.organiser.standings import write_progress, write_standings
from junto.table.store_errors import StoreError, StoreUnavailable
from junto.tournaments.errors import JournalBehind, LeaseLost
from junto.tournaments.store import Tournament
from junto.tournaments.work import Hold, Work
from junto.v1 import tournaments_pb2

MOST_TRIES: Final = 5
"""A tournament that was taken up so often without a deal more than before has failed."""
TELL_S: Final = 1.0
"""How often at most the store is told how far a tournament is."""
SLOW_START_S: Final = 120.0
"""How much longer than its turn a tournament is played that nothing was kept of yet: workers take time to start."""
_LOOK_EVERY: Final = 5
"""After how many times that it told it looks whether other tournaments wait."""
_FINISHED: Final = tournaments_pb2.TOURNAMENT_STATUS_FINISHED
_FAILED: Final = tournaments_pb2.TOURNAMENT_STATUS_FAILED
_log = structlog.get_logger(__name__)


class Came(Enum):
    """What came of a tournament that was taken up."""

    OVER = "over"
    """It is finished, or cannot be played."""
    BACK = "given back"
    """It goes on another time."""
    LOST = "lost"
    """It is another's by now, or was stopped."""
    TROUBLE = "trouble"
    """Its workers failed: it is tried again, best by another process."""


def _code(tournament: Tournament) -> str:
    """Return the state of the code that a tournament would be played with; nothing, if it cannot be."""
    try:
        return code_of(read_spec(tournament.record.spec))
    except ArenaError:
        return ""


@dataclass(slots=True)
class _Run:
    """A tournament that is being played, between the event loop and the runner's thread."""

    hold: Hold
    plan: Plan
    until: float
    lost: bool = False
    others_wait: bool = False
    kept: int = 0
    news: Progress | None = None
    polled: float = field(default_factory=time.monotonic)

    @property
    def turn_is_over(self) -> bool:
        """Whether it is time to make way: not before something was kept, unless that takes too long."""
        late_s = self.polled - self.until
        return self.others_wait and late_s > (0.0 if self.kept else SLOW_START_S)

    def is_alive(self) -> None:
        """Note that the runner's thread does not hang."""
        self.polled = time.monotonic()


class Organiser:
    """See the module.

    Args:
        work: the tournaments.
        crew_of: starts the workers of a plan; called in the runner's thread.
        now_ms: the store's time.
        turn_s: how long a tournament is played while others wait.
        played: is told how many sittings were kept.
    """

    def __init__(
        self,
        work: Work,
        crew_of: Callable[[Plan], Crew],
        now_ms: Callable[[], int],
        *,
        turn_s: float,
        played: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._work = work
        self._crew_of = crew_of
        self._now_ms = now_ms
        self._turn_s = turn_s
        self._played = played
        self._run: _Run | None = None
        self.stopping = asyncio.Event()

    @property
    def idle_s(self) -> float:
        """For how long the runner has given no sign of life; 0 if nothing is played."""
        return 0.0 if self._run is None else time.monotonic() - self._run.polled

    async def work_off(self) -> Came | None:
        """Play tournaments until none is left that nobody plays, or it is asked to stop; return what came of the last.

        One that was in trouble ends it: whoever calls knows whether it is the cluster's.
        """
        last = None
        while not self.stopping.is_set():
            hold = await self._taken()
            if hold is None:
                break
            last = await self.play(hold)
            _log.info("tournament left", tournament=hold.tournament.id, came=last.value)
            if last is Came.TROUBLE:
                break
        return last

    async def play(self, hold: Hold) -> Came:
        """Play a tournament that was taken up, to its end or until it is time to give it back."""
        try:
            spec = read_spec(hold.tournament.record.spec)
            if code_of(spec) != hold.code:
                raise TournamentFailed("it was begun with another version of the rules or of a strategy")
            if hold.tries > MOST_TRIES:
                raise TournamentFailed(f"it was taken up {MOST_TRIES} times and did not come on")
            plan = Plan(spec)
        except ArenaError as problem:
            return await self._end(hold, _FAILED, problem=str(problem))
        at_work = self._run = _Run(hold, plan, time.monotonic() + self._turn_s)
        keeping = asyncio.create_task(self._keep(at_work))
        try:
            journal = await opened(self._work, hold, self.stopping, lambda sittings: self._kept(at_work, sittings))
            ran = await asyncio.to_thread(self._in_thread, at_work, journal)
        except LeaseLost:
            return Came.LOST
        except (Stopped, JournalBehind, StoreUnavailable) as problem:
            _log.warning("tournament interrupted", tournament=hold.tournament.id, problem=str(problem))
            return await self._give_back(hold)
        except TournamentFailed as problem:
            _log.warning("workers failed", tournament=hold.tournament.id, problem=str(problem))
            await self._give_back(hold, failed=True)
            return Came.TROUBLE
        except ArenaError as problem:  # a strategy that is not what it was when the tournament was asked for
            return await self._end(hold, _FAILED, problem=str(problem))
        finally:
            self._run = None
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
        if ran.end is End.STOPPED:
            idle = not at_work.kept and not self.stopping.is_set()
            return Came.LOST if at_work.lost else await self._give_back(hold, failed=idle)
        return await self._end(hold, _FINISHED, write_standings(plan, ran.tally.standings()))

    async def _taken(self) -> Hold | None:
        for tournament in await self._work.unheld(self._now_ms()):
            hold = await self._work.take(tournament, _code(tournament))
            if hold is not None:
                _log.info("tournament taken up", tournament=tournament.id, tries=hold.tries)
                return hold
        return None

    def _kept(self, at_work: _Run, sittings: int) -> None:
        at_work.kept += sittings
        self._played(sittings)

    # --- in the runner's thread

    def _in_thread(self, at_work: _Run, journal: RedisJournal) -> Ran:
        def told(progress: Progress) -> None:
            at_work.news = progress

        def should_stop() -> bool:
            at_work.is_alive()
            return at_work.lost or self.stopping.is_set() or at_work.turn_is_over

        journal.on_read = at_work.is_alive
        crew = self._crew_of(at_work.plan)
        try:
            return run(at_work.plan, journal, crew, told=told, should_stop=should_stop)
        finally:
            crew.close()

    # --- what is told meanwhile

    async def _keep(self, at_work: _Run) -> None:
        """Keep the lease, say how far it is, and look whether others wait, until cancelled."""
        for number in itertools.count():
            await asyncio.sleep(min(TELL_S, self._work.life_ms / 4000))
            news, at_work.news = at_work.news, None
            try:
                await self._work.tell(at_work.hold, None if news is None else write_progress(at_work.plan, news))
                if not number % _LOOK_EVERY:
                    at_work.others_wait = bool(await self._work.unheld(self._now_ms()))
            except LeaseLost:
                at_work.lost = True
                return
            except StoreError as problem:
                at_work.news = at_work.news or news
                _log.info("not told", tournament=at_work.hold.tournament.id, problem=str(problem))

    async def _end(
        self,
        hold: Hold,
        status: tournaments_pb2.TournamentStatus.ValueType,
        progress: store_pb2.TournamentProgress | None = None,
        problem: str = "",
    ) -> Came:
        with suppress(LeaseLost):  # somebody stopped it in the last moment, or an answer was lost
            await self._insist(lambda: self._work.end(hold, status, progress, problem))
        return Came.OVER

    async def _give_back(self, hold: Hold, *, failed: bool = False) -> Came:
        with suppress(StoreUnavailable):  # then the lease runs out
            await self._work.give_back(hold, self._now_ms(), failed=failed)
        return Came.BACK

    async def _insist(self, what: Callable[[], Awaitable[None]]) -> None:
        """Do something that is harmless to repeat until Redis has answered, or this is to end."""
        while True:
            try:
                return await what()
            except StoreUnavailable as problem:
                _log.warning("not stored yet", problem=str(problem))
                if self.stopping.is_set():
                    return None
                await asyncio.sleep(AGAIN_S)
