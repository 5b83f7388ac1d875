"""How a deal of Baohuang stands at its end: what the emperor's side gets, and every seat's points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from junto.games.climbing import course, scoring
from junto.games.climbing.kernel import Vector
from junto.games.climbing.terms import Terms
from junto.games.view import Alliance, Outcome


def stakes_of(emperor: int, guard: int | None, alliance: Alliance) -> Vector:
    """Return what a deal's score hangs on besides places, as the scoring kernel reads it."""
    stakes = np.zeros(scoring.STAKES, np.int64)
    stakes[scoring.DECLARER] = emperor
    stakes[scoring.PARTNER] = course.NOBODY if guard is None else guard
    stakes[scoring.IS_OPEN] = alliance is Alliance.OPEN_SOLO
    return stakes


def points_of(terms: Terms, stakes: Vector, order: Sequence[int]) -> int:
    """Return what the emperor's side gets, when the seats are out in this order."""
    return int(scoring.court_points(terms.vector, stakes, _places(order)))


def scores_of(terms: Terms, stakes: Vector, order: Sequence[int]) -> tuple[int, ...]:
    """Return every seat's points, when the seats are out in this order."""
    scores = np.zeros(len(order), np.int64)
    scoring.write_scores(scores, terms.vector, stakes, _places(order))
    return tuple(scores.tolist())


def outcome_of(points: int) -> Outcome:
    """Return how a deal ended in which the emperor's side gets so much."""
    return Outcome.MADE if points > 0 else Outcome.DOWN if points < 0 else Outcome.DRAWN


def _places(order: Sequence[int]) -> Vector:
    places = np.zeros(len(order), np.int64)
    places[list(order)] = np.arange(1, len(order) + 1)
    return places
