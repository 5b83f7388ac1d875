"""Counts a tournament deal by deal. It keeps sums and no deals, so a million of them fit.

The same records in the same order give the same standings to the last bit, but for their times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from junto.arena.plan import FIELD, Plan
from junto.arena.records import SeatRecord, SittingRecord
from junto.arena.statistics.course import Course
from junto.arena.statistics.estimates import Estimate, Moments
from junto.arena.statistics.ratings import Ratings
from junto.arena.statistics.scoring import scoring_of
from junto.arena.statistics.seats import Seats
from junto.arena.statistics.sprt import Sprt, Verdict
from junto.arena.statistics.standings import Pairing, Standing, Standings
from junto.games.view import Outcome


class Tally:
    """What a plan's deals have come to so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.deals = 0
        self._entrants = entrants = len(plan.spec.entrants)
        self._scoring = scoring_of(plan.spec.format)
        self._means, self._differences = Moments(entrants), Moments(entrants, entrants)
        self._ahead = np.zeros((entrants, entrants), np.int64)
        self._ratings, self._course = Ratings(entrants), Course()
        self._seats = [Seats() for _ in range(entrants)]
        self._outcomes: Counter[Outcome] = Counter()
        self._voids = self._sittings = 0
        self._cpu_s = 0.0
        stop = plan.spec.stop
        self._test = Sprt(stop) if stop is not None and entrants == 2 else None

    @property
    def verdict(self) -> Verdict | None:
        """What the stop rule has found; None: it is not decided, or there is no such rule."""
        return self._test.verdict if self._test else None

    def add(self, records: Sequence[SittingRecord]) -> None:
        """Count the next deal: the records of all its sittings, in order.

        Raises:
            ValueError: these are not the sittings of the next deal.
        """
        if [record.sitting for record in records] != list(self.plan.of_deal(self.deals)):
            raise ValueError(f"these are not the sittings of deal {self.deals}")
        self.deals += 1
        self._add_values(records)
        self._add_seats(records)

    def _add_values(self, records: Sequence[SittingRecord]) -> None:
        deal = self._scoring(records, self._entrants)
        self._means.add(deal.values)
        self._differences.add(deal.differences)
        self._ahead += deal.differences > 0.0
        self._ratings.add(deal.values)
        self._course.add(self._means)
        if self._test:
            self._test.add(float(deal.differences[0, 1]))

    def _add_seats(self, records: Sequence[SittingRecord]) -> None:
        played: list[list[tuple[SittingRecord, int, SeatRecord]]] = [[] for _ in self._seats]
        for record in records:
            self._sittings += 1
            self._outcomes[record.outcome] += 1
            self._voids += record.attempt
            self._cpu_s += record.cpu_s
            for number, seat in enumerate(record.seats):
                played[seat.entrant].append((record, number, seat))
        for seats, of_entrant in zip(self._seats, played, strict=True):
            seats.add(of_entrant)

    def standings(self) -> Standings:
        """Return how it stands, best first."""
        means: list[Estimate] = self._means.estimates()
        differences: list[list[Estimate]] = self._differences.estimates()
        if self.plan.spec.format.has_field:
            means[FIELD] = Estimate(0.0, None, None, self.deals)
        order = sorted(range(self._entrants), key=lambda entrant: (-means[entrant].value, entrant))
        return Standings(
            game=self.plan.spec.game,
            format=self.plan.spec.format,
            deals=self.deals,
            planned=self.plan.spec.deals,
            sittings=self._sittings,
            entries=tuple(self._standing(entrant, means[entrant], differences[entrant], order) for entrant in order),
            outcomes={outcome: self._outcomes[outcome] for outcome in Outcome if self._outcomes[outcome]},
            voids=self._voids,
            verdict=self.verdict,
            course=self._course.until(self._means),
            cpu_s=self._cpu_s,
        )

    def _standing(self, entrant: int, mean: Estimate, differences: list[Estimate], order: list[int]) -> Standing:
        seats = self._seats[entrant]
        return Standing(
            entrant=entrant,
            name=self.plan.spec.entrants[entrant].name,
            deals=self.deals,
            sittings=seats.sittings,
            seats=seats.seats,
            mean=mean,
            rating=self._ratings.of(entrant),
            roles=seats.roles(),
            pairings=tuple(self._pairing(entrant, other, differences[other]) for other in order if other != entrant),
            decisions=seats.decisions,
            worlds=seats.worlds,
            playouts=seats.playouts,
            faults=seats.faults(),
            times=seats.times.times(seats.worlds),
        )

    def _pairing(self, entrant: int, other: int, difference: Estimate) -> Pairing:
        wins, losses = int(self._ahead[entrant, other]), int(self._ahead[other, entrant])
        return Pairing(other, difference, wins, self.deals - wins - losses, losses)
