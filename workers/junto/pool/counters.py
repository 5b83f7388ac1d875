"""What a pool tells about itself, for metrics; no labels here depend on a table, a user or a card."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from junto.pool.frames import Cause, Outcome


class Observer(Protocol):
    """Is told what happens in a pool, on the pool's event loop; must not block and must not raise."""

    def answered(self, outcome: Outcome, waited_s: float, thought_s: float) -> None:
        """Note that a decision came back, which waited for a worker and was thought about for so many seconds."""

    def timed_out(self) -> None:
        """Note that a caller's time was up; the answer, if it comes, is dropped."""

    def turned_away(self) -> None:
        """Note that a decision was refused, since too many wait."""

    def asked_again(self) -> None:
        """Note that a decision is asked for again, since its worker died."""

    def worker_died(self, cause: Cause, reason: str) -> None:
        """Note that a worker died, was killed because it hung, or did not start."""

    def crew_changed(self, ready: int, wanted: int) -> None:
        """Note how many workers take decisions now, and how many there should be."""

    def cluster_lost(self) -> None:
        """Note that the connection to Ray is lost, or could not be made; it is tried again."""


@dataclass(slots=True)
class Counters:
    """An observer that counts."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    deaths: Counter[Cause] = field(default_factory=Counter)
    timeouts: int = 0
    refusals: int = 0
    retries: int = 0
    losses: int = 0
    ready: int = 0
    wanted: int = 0
    waited_s: float = 0.0
    """The sum over all decisions."""
    longest_wait_s: float = 0.0
    thought_s: float = 0.0
    """The sum over all decisions."""

    def answered(self, outcome: Outcome, waited_s: float, thought_s: float) -> None:
        """See `Observer`."""
        self.outcomes[outcome] += 1
        self.waited_s += waited_s
        self.longest_wait_s = max(self.longest_wait_s, waited_s)
        self.thought_s += thought_s

    def timed_out(self) -> None:
        """See `Observer`."""
        self.timeouts += 1

    def turned_away(self) -> None:
        """See `Observer`."""
        self.refusals += 1

    def asked_again(self) -> None:
        """See `Observer`."""
        self.retries += 1

    def worker_died(self, cause: Cause, reason: str) -> None:  # noqa: ARG002  # deaths are only counted
        """See `Observer`."""
        self.deaths[cause] += 1

    def crew_changed(self, ready: int, wanted: int) -> None:
        """See `Observer`."""
        self.ready, self.wanted = ready, wanted

    def cluster_lost(self) -> None:
        """See `Observer`."""
        self.losses += 1
