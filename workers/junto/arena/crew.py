"""Who plays: workers that take batches of sittings and give records back."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from junto.arena.deciding import Entry
from junto.arena.entries import open_entry
from junto.arena.plan import Plan, Sitting
from junto.arena.playing import play
from junto.arena.records import SittingRecord

Batch = tuple[Sitting, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A batch that was played, and how many seconds it took a worker."""

    records: tuple[SittingRecord, ...]
    seconds: float


class Crew(Protocol):
    """Workers. Batches come back in any order; none is lost while the crew lives."""

    @property
    def room(self) -> int:
        """How many more batches may be given out now."""
        ...

    @property
    def busy(self) -> bool:
        """Whether anything that was given out is not back."""
        ...

    def give(self, batch: Batch) -> None:
        """Give a batch out."""
        ...

    def take(self, within_s: float) -> Sequence[Played]:
        """Return what is back, waiting for it for so long at most.

        Raises:
            TournamentFailed: the workers cannot go on.
        """
        ...

    def close(self) -> None:
        """End the workers; what is under way is dropped."""
        ...


class Desk:
    """Plays sittings in this process: what each worker is, and all of a crew that needs no Ray.

    Raises:
        StrategyUnfit: a strategy cannot be loaded, or does not play the game.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._entries: list[Entry] = []
        try:
            for entrant in plan.spec.entrants:
                self._entries.append(open_entry(entrant, plan.game))
        except BaseException:
            self.close()
            raise

    def play(self, batch: Batch) -> Played:
        """Play a batch."""
        began = time.perf_counter()
        records = tuple(play(self.plan, sitting, self._entries) for sitting in batch)
        return Played(records, time.perf_counter() - began)

    def close(self) -> None:
        """End the strategies' processes."""
        for entry in self._entries:
            entry.close()


class OwnCrew:
    """A `Crew` of this process alone, without Ray: a batch is played when it is asked for."""

    def __init__(self, plan: Plan) -> None:
        self._desk = Desk(plan)
        self._given: deque[Batch] = deque()

    @property
    def room(self) -> int:
        """See `Crew`."""
        return 1 - len(self._given)

    @property
    def busy(self) -> bool:
        """See `Crew`."""
        return bool(self._given)

    def give(self, batch: Batch) -> None:
        """See `Crew`."""
        self._given.append(batch)

    def take(self, within_s: float) -> Sequence[Played]:  # noqa: ARG002  # it takes as long as it takes
        """See `Crew`."""
        return [self._desk.play(self._given.popleft())] if self._given else []

    def close(self) -> None:
        """See `Crew`."""
        self._desk.close()
