"""What is counted of one entrant, seat by seat: roles, times, faults."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from junto.arena.records import Failing, Fault, SeatRecord, SittingRecord
from junto.arena.statistics.estimates import Cases, Estimate
from junto.arena.statistics.standings import MOST_EXAMPLES, Example, FaultCount, RoleStanding
from junto.arena.statistics.timing import Histogram
from junto.games.view import Role

LONGEST_REASON: Final = 500


class Seats:
    """One entrant's seats so far."""

    def __init__(self) -> None:
        self.sittings = self.seats = self.decisions = self.worlds = self.playouts = 0
        self.times = Histogram()
        self._roles: defaultdict[Role | None, Cases] = defaultdict(Cases)
        self._faults: Counter[Failing] = Counter()
        self._examples: defaultdict[Failing, list[Example]] = defaultdict(list)

    def add(self, played: list[tuple[SittingRecord, int, SeatRecord]]) -> None:
        """Count a deal: the seats that the entrant held, each with its sitting."""
        self.sittings += len({record.sitting.number for record, _, _ in played})
        self._add_roles([seat for _, _, seat in played])
        for record, number, seat in played:
            self.seats += 1
            self.decisions += len(seat.micros)
            self.worlds += seat.worlds
            self.playouts += seat.playouts
            self.times.add(seat.micros)
            for fault in seat.faults:
                self._add_fault(record, number, fault)

    def _add_roles(self, seats: list[SeatRecord]) -> None:
        by_role: defaultdict[Role | None, list[int]] = defaultdict(list)
        for seat in seats:
            by_role[None].append(seat.score)
            if seat.role is not None:
                by_role[seat.role].append(seat.score)
        for role, scores in by_role.items():
            self._roles[role].add(sum(score > 0 for score in scores), sum(scores), len(scores))

    def _add_fault(self, record: SittingRecord, seat: int, fault: Fault) -> None:
        self._faults[fault.failing] += 1
        examples = self._examples[fault.failing]
        if len(examples) < MOST_EXAMPLES:
            sitting, reason = record.sitting, fault.reason[:LONGEST_REASON]
            examples.append(Example(sitting.deal, sitting.number, seat, fault.step, reason))

    def roles(self) -> tuple[RoleStanding, ...]:
        """Return how it did, first in any role, then in each that it had."""
        ordered = sorted(self._roles, key=lambda role: role or 0)
        return tuple(RoleStanding(role, *_told(self._roles[role])) for role in ordered)

    def faults(self) -> tuple[FaultCount, ...]:
        """Return how it failed."""
        kinds: Iterable[Failing] = (failing for failing in Failing if self._faults[failing])
        return tuple(FaultCount(kind, self._faults[kind], tuple(self._examples[kind])) for kind in kinds)


def _told(cases: Cases) -> tuple[int, Estimate, Estimate]:
    return cases.wins.y, cases.wins.share(), cases.scores.estimate()
