"""What one generator notes while a phase of the load runs: each move from its moment on, calls, streams, bots.

A move belongs to the phase in whose measured span its moment lies, however late it is answered; what is not answered
when the phase is closed counts as unanswered, with the time that it has waited until then. So nothing that was meant
to happen is left out because the server was too slow for it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from junto.client import CallError
from junto.load.measuring import Measured
from junto.load.sightings import Sighting
from junto.v1 import errors_pb2

_PREFIX = "ERROR_REASON_"


@dataclass(slots=True, eq=False)
class Move:
    """A move on its way, in seconds: when it was meant to be made, and when there was a turn to make it in."""

    intended_s: float
    turn_s: float = 0.0
    sent_s: float = 0.0


class Recorder:
    """See the module. Between phases only `accepted` goes on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.measured = Measured()
        self.accepted = 0
        """How many moves the server accepted since the beginning, measured or not."""
        self.latest: Counter[str] = Counter()
        """What happened since it was last told."""
        self.elsewhere: Counter[str] = Counter()
        """The errors before, between and after the measured times."""
        self._begin_s = self._end_s = 0.0
        self._cpu_s = 0.0
        self._under_way: set[Move] = set()

    def begin(self, begin_s: float, end_s: float) -> None:
        """Measure what is meant for the time from `begin_s` to `end_s`."""
        self.measured = Measured(span_s=end_s - begin_s)
        self._begin_s, self._end_s = begin_s, end_s
        self._under_way.clear()

    def count_cpu(self) -> None:
        """Begin to count the CPU time of this process."""
        self._cpu_s = time.process_time()

    def cut(self, end_s: float) -> None:
        """Let the measured time end earlier than it was meant to."""
        self._end_s = min(self._end_s, max(end_s, self._begin_s))
        self.measured.span_s = self._end_s - self._begin_s

    def cpu_counted(self) -> None:
        """Note the CPU time since `count_cpu`."""
        self.measured.cpu_s = [time.process_time() - self._cpu_s]

    def close(self, unmet: Iterable[float], unseen: Iterable[float]) -> Measured:
        """End the phase and return it.

        Args:
            unmet: when the moves were meant to be made that had no turn.
            unseen: when those were meant to be made whose update somebody still waits for.
        """
        now_s = self.clock()
        for intended_s in [*(move.intended_s for move in self._under_way), *unmet]:
            if self.is_measured(intended_s):
                self.measured.counts["unanswered"] += 1
                self._took("replied", now_s - intended_s)
                self._took("seen_by_all", now_s - intended_s)
                self.measured.second(intended_s - self._begin_s).replied.add(now_s - intended_s)
        self.never_sighted(unseen)
        self._under_way.clear()
        found, self.measured = self.measured, Measured()
        self._begin_s = self._end_s = 0.0
        return found

    @property
    def is_settled(self) -> bool:
        """Whether every move has come to an end."""
        return not self._under_way

    def is_measured(self, moment_s: float) -> bool:
        """Tell whether a moment lies in the measured span."""
        return self._begin_s <= moment_s < self._end_s

    # --- moves

    def meant(self, move: Move) -> None:
        """Let a move have its turn."""
        self._under_way.add(move)

    def sent(self, move: Move) -> None:
        """Let a move be sent now."""
        move.sent_s = self.clock()
        if self.is_measured(move.intended_s):
            self._took("turn_wait", max(0.0, move.turn_s - move.intended_s))
            self._took("lateness", max(0.0, move.sent_s - max(move.turn_s, move.intended_s)))

    def accept(self, move: Move, replied_s: float) -> None:
        """Let the server have accepted a move."""
        self.accepted += 1
        if self.is_measured(replied_s):
            self.measured.counts["done"] += 1
            self.measured.second(replied_s - self._begin_s).counts["done"] += 1
        self.latest["done"] += 1
        if self._ends(move):
            latency_s = replied_s - move.intended_s
            self.measured.counts["accepted"] += 1
            self._took("replied", latency_s)
            self._took("service", replied_s - move.sent_s)
            self.measured.second(move.intended_s - self._begin_s).replied.add(latency_s)

    def fail(self, move: Move) -> None:
        """Let a move have been given up after errors, which were counted."""
        if self._ends(move):
            self.measured.counts["failed"] += 1
            self._took("replied", self.clock() - move.intended_s)

    def pass_over(self, move: Move) -> None:
        """Let the table of a move be gone before it could be sent."""
        if self._ends(move):
            self.measured.counts["passed_over"] += 1

    def sighted(self, sightings: Iterable[Sighting]) -> None:
        """Let moves have been seen by all who watch."""
        for sighting in sightings:
            if self.is_measured(sighting.intended_s):
                waits = [max(0.0, seen_s - sighting.intended_s) for seen_s in sighting.seen_s]
                for wait_s in waits:
                    self._took("seen", wait_s)
                self._took("seen_by_all", max(waits, default=0.0))

    def never_sighted(self, intended: Iterable[float]) -> None:
        """Let moves stay unseen by somebody, told by their moments: the table is gone."""
        for intended_s in intended:
            if self.is_measured(intended_s):
                self.measured.counts["unseen"] += 1
                self._took("seen_by_all", self.clock() - intended_s)

    def _ends(self, move: Move) -> bool:
        """Take a move off the list; tell whether it is measured."""
        known = move in self._under_way
        self._under_way.discard(move)
        return known and self.is_measured(move.intended_s)

    # --- everything else

    def count(self, name: str, number: int = 1) -> None:
        """Count something that happens now."""
        now_s = self.clock()
        self.latest[name] += number
        if self.is_measured(now_s):
            self.measured.counts[name] += number
            self.measured.second(now_s - self._begin_s).counts[name] += number

    def took(self, name: str, seconds: float, times: int = 1) -> None:
        """Note a time of something that ends now and is no move."""
        if self.is_measured(self.clock()):
            self.measured.times[name].add(seconds, times)

    def error(self, what: str, error: CallError) -> None:
        """Count a call that failed, or a stream that was cut."""
        self.latest["errors"] += 1
        name = f"{what} {error.code.name}"
        if error.reason:
            name += f" {errors_pb2.ErrorReason.Name(error.reason).removeprefix(_PREFIX)}"
        now_s = self.clock()
        if self._is_open(now_s):
            self.measured.errors[name] += 1
            self.measured.second(min(now_s - self._begin_s, self.measured.span_s - 1e-6)).counts["errors"] += 1
        else:
            self.elsewhere[name] += 1

    def called(self) -> None:
        """Count an attempt of a call."""
        if self._is_open(self.clock()):
            self.measured.counts["calls"] += 1

    def ended(self, how: str) -> None:
        """Count a stream that the server ended, or that was cut."""
        if self.is_measured(self.clock()):
            self.measured.ends[how] += 1

    def _is_open(self, now_s: float) -> bool:
        """Tell whether what happens now counts: also after the measured span, while its moves are awaited."""
        return bool(self._end_s) and self._begin_s <= now_s

    def _took(self, name: str, seconds: float) -> None:
        self.measured.times[name].add(seconds)
