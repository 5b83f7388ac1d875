"""Run a tournament: give out what is left to play, keep what comes back, tally whole deals, stop when it is time.

Deals are tallied in order, without a gap, whatever order they come back in. So the tables and the moment at which a
stop rule is met depend on the deals alone: a run that was killed and resumed comes to the same end as an unbroken one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final

from junto.arena.crew import Batch, Crew
from junto.arena.journal import Journal
from junto.arena.plan import Plan, Sitting
from junto.arena.records import SittingRecord
from junto.arena.statistics.standings import Standings
from junto.arena.statistics.tally import Tally

BATCH_S: Final = 1.0
"""How long a batch should keep a worker busy: a thousand times what it costs to hand one over."""
LONGEST_BATCH: Final = 500
TELL_S: Final = 0.5
"""How often progress is told."""
_WAIT_S: Final = 0.1
_RECENT_S: Final = 20.0
"""Over how long the speed is measured."""


class End(Enum):
    """Why a run ended."""

    FINISHED = "finished"
    """Every deal was played."""
    DECIDED = "decided"
    """The stop rule was met."""
    STOPPED = "stopped"
    """Somebody asked for it; what is left can be played later."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `deals` are whole deals, tallied; `sittings` all that was played, also by earlier runs."""

    deals: int
    deals_total: int
    sittings: int
    deals_per_s: float
    seconds_left: float | None
    standings: Standings


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended, and what all deals that count come to."""

    end: End
    tally: Tally


Told = Callable[[Progress], None]


def run(plan: Plan, journal: Journal, crew: Crew, *, told: Told, should_stop: Callable[[], bool]) -> Ran:
    """Play what the journal does not have yet.

    Raises:
        TournamentFailed: the workers cannot go on; what was played is kept.
    """
    course = Course(plan, journal)
    batches = _Batches(course.left())
    course.tell(told)
    while not course.is_over and (crew.busy or batches.more):
        if should_stop():
            return Ran(End.STOPPED, course.tally)
        while crew.room > 0 and batches.more:
            crew.give(batches.next())
            course.begin()
        for played in crew.take(_WAIT_S):
            batches.learn(len(played.records), played.seconds)
            journal.add(played.records)
            course.add(played.records)
        course.tell_now_and_then(told)
    course.tell(told)
    return Ran(course.end or End.FINISHED, course.tally)


def counted(journal: Journal, tally: Tally) -> Iterator[SittingRecord]:
    """Yield the records of a tally's deals, in order."""
    return (record for record in journal.finished() if record.sitting.deal < tally.deals)


class Course:
    """What was played so far, and what it means: whole deals in a tally, the others waiting for their turn."""

    def __init__(self, plan: Plan, journal: Journal) -> None:
        self.plan = plan
        self.tally = Tally(plan)
        self.end: End | None = None
        self._waiting: dict[int, dict[int, SittingRecord]] = {}
        self._sittings = 0
        self._speed = _Speed()
        self._told_at = 0.0
        for record in journal.finished():
            if not self.is_over:
                self._note(record)
        self._speed = _Speed()

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played."""
        return self.end is not None

    def left(self) -> Iterator[Sitting]:
        """Yield what is not played yet, in order."""
        for deal in range(self.tally.deals, self.plan.spec.deals):
            played = self._waiting.get(deal, {})
            for sitting in self.plan.of_deal(deal):
                if sitting.number not in played:
                    yield sitting

    def begin(self) -> None:
        """Take note that somebody plays from now on."""
        self._speed.begin()

    def add(self, records: tuple[SittingRecord, ...]) -> None:
        """Count records; those behind the deal that met the stop rule are not."""
        for record in records:
            if not self.is_over:
                self._note(record)

    def _note(self, record: SittingRecord) -> None:
        self._sittings += 1
        self._waiting.setdefault(record.sitting.deal, {})[record.sitting.number] = record
        while not self.is_over and len(self._waiting.get(self.tally.deals, ())) == self.plan.sittings_per_deal:
            whole = self._waiting.pop(self.tally.deals)
            self.tally.add([whole[number] for number in sorted(whole)])
            self._speed.note()
            if self.tally.verdict is not None:
                self.end = End.DECIDED
            elif self.tally.deals == self.plan.spec.deals:
                self.end = End.FINISHED

    def tell_now_and_then(self, told: Told) -> None:
        """Tell how far it is, if that was not done just now."""
        if time.monotonic() - self._told_at >= TELL_S:
            self.tell(told)

    def tell(self, told: Told) -> None:
        """Tell how far it is."""
        self._told_at = time.monotonic()
        deals, total, per_s = self.tally.deals, self.plan.spec.deals, self._speed.per_s
        left = (total - deals) / per_s if per_s > 0 else None
        told(Progress(deals, total, self._sittings, per_s, left, self.tally.standings()))


class _Batches:
    """What is left to play, in batches of about a second's work."""

    def __init__(self, left: Iterator[Sitting]) -> None:
        self._left = left
        self._next: Batch = ()
        self._seconds: float | None = None
        self._draw()

    @property
    def more(self) -> bool:
        return bool(self._next)

    def next(self) -> Batch:
        batch = self._next
        self._draw()
        return batch

    def learn(self, sittings: int, seconds: float) -> None:
        """Take note of how long a batch took."""
        each = seconds / max(1, sittings)
        self._seconds = each if self._seconds is None else 0.7 * self._seconds + 0.3 * each

    def _draw(self) -> None:
        size = 1 if self._seconds is None else round(BATCH_S / max(self._seconds, BATCH_S / LONGEST_BATCH))
        self._next = tuple(islice(self._left, max(1, size)))


class _Speed:
    """How many deals a second came to an end lately, from when the first batch was given out."""

    def __init__(self) -> None:
        self._points: list[tuple[float, int]] = []
        self._deals = 0

    def begin(self) -> None:
        if not self._points:
            self._points.append((time.monotonic(), 0))

    @property
    def per_s(self) -> float:
        if not self._points:
            return 0.0
        now = time.monotonic()
        while len(self._points) > 2 and self._points[0][0] < now - _RECENT_S:
            self._points.pop(0)
        began, deals = self._points[0]
        return (self._deals - deals) / max(now - began, 1e-3)

    def note(self) -> None:
        self.begin()
        self._deals += 1
        now = time.monotonic()
        if now - self._points[-1][0] > TELL_S:
            self._points.append((now, self._deals))
