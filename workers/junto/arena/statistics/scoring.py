"""What one deal says of each entrant, and of each pair: one number each, from all its sittings.

Where line-ups meet, an entrant's number is its mean score over all seats that it held, and a pair's the difference of
the two over the sittings where both sat. Among a field, a challenger's number is what it scored more than the field
did in the same seats when it played the deal alone, and a pair's the difference of these: challengers never meet, but
both have held each place of the same deal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from junto.arena.plan import FIELD
from junto.arena.records import SittingRecord
from junto.arena.spec import Format
from junto.arena.statistics.estimates import Vector

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DealValues:
    """`values` by entrant; `differences[a, b]` is what a did better than b."""

    values: Vector
    differences: Vector


Scoring = Callable[[Sequence[SittingRecord], int], DealValues]
"""Tells what the sittings of one deal say of so many entrants."""


def scoring_of(how: Format) -> Scoring:
    """Return how a format's deals are counted."""
    return among_field if how.has_field else in_line_ups


def in_line_ups(records: Sequence[SittingRecord], entrants: int) -> DealValues:
    """Count a deal that was played by line-ups."""
    scores: Whole = np.zeros((entrants, entrants), np.int64)
    seats: Whole = np.zeros((entrants, entrants), np.int64)
    alone: Whole = np.zeros((2, entrants), np.int64)
    for record in records:
        sums = _sums(record)
        for one, (score, held) in sums.items():
            alone[:, one] += score, held
            for other in sums:
                scores[one, other] += score
                seats[one, other] += held
    means = scores / np.maximum(seats, 1)
    met = seats > 0
    return DealValues(alone[0] / np.maximum(alone[1], 1), np.where(met, means - means.T, 0.0))


def _sums(record: SittingRecord) -> dict[int, tuple[int, int]]:
    """Return each entrant's score in a sitting, and at how many seats."""
    sums: dict[int, tuple[int, int]] = {}
    for seat in record.seats:
        score, held = sums.get(seat.entrant, (0, 0))
        sums[seat.entrant] = score + seat.score, held + 1
    return sums


def among_field(records: Sequence[SittingRecord], entrants: int) -> DealValues:
    """Count a deal that challengers played among a field, and the field alone."""
    alone = next(record for record in records if all(seat.entrant == FIELD for seat in record.seats))
    gains: Whole = np.zeros((2, entrants), np.int64)
    for record in records:
        for seat, before in zip(record.seats, alone.seats, strict=True):
            if seat.entrant != FIELD:
                gains[:, seat.entrant] += seat.score - before.score, 1
    values = gains[0] / np.maximum(gains[1], 1)
    return DealValues(values, values[:, None] - values[None, :])
