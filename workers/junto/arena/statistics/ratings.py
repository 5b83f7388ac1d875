"""Strengths from who came before whom in each deal, by OpenSkill (Plackett-Luce; Joshy, JOSS 9(93), 2024).

Each duplicate deal is one game of all entrants, ranked by what they scored on it; equal scores share a rank. Strategies
do not learn from deal to deal, so nothing is added to the uncertainty between two games (tau = 0).
"""

from __future__ import annotations

from openskill.models import PlackettLuce

from junto.arena.statistics.estimates import Vector
from junto.arena.statistics.standings import Rating


class Ratings:
    """The ratings of so many entrants."""

    def __init__(self, entrants: int) -> None:
        self._model = PlackettLuce(tau=0.0)
        self._teams = [[self._model.rating()] for _ in range(entrants)]

    def add(self, values: Vector) -> None:
        """Count one more deal, with one number for each entrant."""
        self._teams = self._model.rate(self._teams, ranks=[-value for value in values.tolist()])

    def of(self, entrant: int) -> Rating:
        """Return an entrant's rating."""
        rating = self._teams[entrant][0]
        return Rating(rating.mu, rating.sigma)
