"""Worlds of a decision, drawn once for all candidates, as likely as what others have done makes them.

Worlds are drawn in batches. Without evidence all weigh alike. Else the weight that the evidence gives them is brought
in by and by: at each step as much of it as leaves half of the worlds that counted (by the *effective sample size*).
Then they are picked anew by weight, and stirred. This is a sequential Monte Carlo sampler (Del Moral, Doucet and
Jasra, 2006) over deals. After the last step, or when the time is over, the rest of the weight is left out: many worlds
that explain most are better than one that explains all.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from junto.games.climbing.kernel import RANKS
from junto.games.core import View
from junto.games.view import Role
from junto.search.climbing.inference import Evidence
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.position import seat_of
from junto.search.climbing.strata import Stratum, by_holder
from junto.search.climbing.worlds import ROW, Table, Vector, Weights, draw_worlds
from junto.search.picking import Picks, effective, first_point, rounded, spread
from junto.search.worlds.layout import SCRATCH

_FIRST_BATCH: Final = 64
_LARGEST_BATCH: Final = 256
_LARGEST_POOL: Final = 2048
_USES: Final = 2
"""So many times a world is played, where worlds are dear."""
_KEPT: Final = 0.5
"""This share of the worlds that count is to count after a step."""
_WEIGHED: Final = 0.25
"""Worlds are weighed by no more evidence than takes this share of the time until the deadline, for a first batch."""
_STEPS: Final = 12
_STIRRED: Final = 3
"""So many exchanges are tried in each world at a step."""
_EVEN: Final = 0.5
"""This share of the draws goes to the possible holders of the named card alike, the rest by their chances."""
_PRIOR: Final = 4.0
"""So many worlds' weight of the plain count is mixed into a belief, so that nothing possible is ruled out."""
_HALVINGS: Final = 12


class Pool:
    """Worlds of a decision with their weights; it grows as worlds are asked for.

    `table` has the worlds, `weights` say how likely each is, in no particular unit, and `stratum` of which of the
    `strata` it is one. `part` is how much of the evidence was brought in, at least.
    """

    def __init__(
        self, strata: Sequence[Stratum], evidence: Evidence | None, seed: int, deadline: float | None = None
    ) -> None:
        """Begin with nothing drawn. After the `deadline` (of `time.monotonic`) nothing is stirred."""
        self.table: Table = np.zeros((0, len(strata[0].copies), ROW), np.int8)
        self.weights: Weights = np.zeros(0)
        self.stratum: Vector = np.zeros(0, np.int64)
        self.part = 1.0
        self.strata, self._seed, self._deadline = strata, seed, deadline
        self._evidence = None if evidence is None or evidence.empty else evidence
        self._picks: Picks
        self._start = first_point(seed)
        self._origins = 0.0

    def rows(self, first: int, number: int) -> Vector:
        """Return which rows of the table the worlds from number `first` on are.

        They are taken by weight, and evenly: the share of each holder of the named card among them is his chance, but
        for a world or two. The pool grows with the number of worlds, so which ones they are depends on the numbers
        asked for so far.
        """
        self.draw(min(_LARGEST_POOL, -(-(first + number) // (1 if self._evidence is None else _USES))))
        return self._picks.at(spread(self._start, first, number))

    def draw(self, worlds: int) -> None:
        """Grow until there are so many worlds; batches are drawn whole, so there may be more."""
        while self.weights.size < worlds:
            self.grow()

    def independent(self) -> float:
        """Return how many worlds all drawn so far come from, as far as they count: so many tell as much as they do."""
        return self._origins

    def chances(self) -> list[float]:
        """Return how likely the worlds of each stratum are."""
        if not self.weights.size:
            self.grow()
        whole = rounded(self.weights)
        weighed = np.bincount(self.stratum, whole, len(self.strata)) / whole.sum()
        counted = np.array([stratum.share for stratum in self.strata])
        own = self._origins / (self._origins + _PRIOR)
        return [float(chance) for chance in own * weighed + (1.0 - own) * counted]

    def grow(self) -> None:
        """Draw another batch of worlds, as many as there are."""
        size = min(max(_FIRST_BATCH, self.weights.size), _LARGEST_BATCH)
        if self._evidence is not None and self._deadline is not None:
            size = _FIRST_BATCH
        table, weights, stratum = self._drawn(size)
        if self._evidence is not None and self._deadline is not None and not self.weights.size:
            self._evidence.fit(table, _WEIGHED * (self._deadline - time.monotonic()))
            self._evidence = None if self._evidence.empty else self._evidence
        if self._evidence is None:
            self._origins += effective(weights)
        else:
            table, weights, stratum = self._agreeing(self._evidence, table, weights, stratum)
        self.table = np.concatenate((self.table, table))
        self.weights = np.concatenate((self.weights, weights * (size / weights.sum())))
        self.stratum = np.concatenate((self.stratum, stratum))
        self._picks = Picks(self.weights, self.stratum)

    def _drawn(self, size: int) -> tuple[Table, Weights, Vector]:
        """Draw worlds of each stratum, with weights such that each has its share."""
        table, weights, places = np.zeros((size, *self.table.shape[1:]), np.int8), np.ones(size), self.table.shape[1]
        stratum, drawn, first = np.zeros(size, np.int64), self.weights.size, 0
        work = np.zeros((places, RANKS), np.int64), np.zeros(places, np.int64), np.zeros(2, np.int64)
        shares = _EVEN / len(self.strata) + (1 - _EVEN) * np.array([one.share for one in self.strata])
        for number, end in enumerate(np.cumsum(shares).tolist()):
            one, last = self.strata[number], round(end * size)
            draw_worlds(
                one.worlds.plan, one.worlds.odds, one.seen, one.copies, self._seed, drawn + first, table[first:last],
                *work, np.zeros(SCRATCH, np.int64),
            )  # fmt: skip
            stratum[first:last] = number
            weights[first:last] = one.share * size / max(1, last - first)
            first = last
        return table, weights, stratum

    def _agreeing(
        self, evidence: Evidence, table: Table, weights: Weights, stratum: Vector
    ) -> tuple[Table, Weights, Vector]:
        """Bring the evidence in: return worlds, as many, that agree with it."""
        began = time.monotonic()
        logs, part, first, size = evidence.weigh(table), 0.0, self.weights.size, len(table)
        origin, latest = np.arange(size), 2.0 * (time.monotonic() - began)
        for step in range(_STEPS):
            totals = logs.sum(axis=1)
            totals -= totals.max()
            rise = rise_of(weights, totals, 1.0 - part, _KEPT)
            weights = rounded(weights * np.exp(rise * totals))
            part = 1.0 if rise == 1.0 - part else part + rise
            began = time.monotonic()
            if (part == 1.0 and step == 0) or (self._deadline is not None and began + latest > self._deadline):
                break
            rows = evenly(weights, stratum, first_point(self._seed, 1 + first + step))
            table, logs, stratum, origin, weights = table[rows], logs[rows], stratum[rows], origin[rows], np.ones(size)
            evidence.stir(table, logs, part, _STIRRED, self._seed, first, step)
            latest = time.monotonic() - began
            if part == 1.0:
                break
        self.part = min(self.part, part)
        self._origins += effective(np.bincount(origin, weights, size).astype(np.float64))
        return table, weights, stratum


def evenly(weights: Weights, stratum: Vector, start: float) -> Vector:
    """Return as many rows as there are, picked by weight at even distances, stratum after stratum."""
    return Picks(weights, stratum).at((np.arange(weights.size) + start) / weights.size)


def rise_of(weights: Weights, logs: Weights, most: float, kept: float) -> float:
    """Return how much of some logarithms, at most `most`, can be brought into weights so that enough of them count."""
    least = kept * effective(weights)
    if effective(weights * np.exp(most * logs)) >= least:
        return most
    low, high = 0.0, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        enough = effective(weights * np.exp(middle * logs)) >= least
        low, high = (middle, high) if enough else (low, middle)
    return low


def pool_of(view: View, known: Knowledge, seed: int, deadline: float | None = None, *, infers: bool = True) -> Pool:
    """Return the worlds of a seat's view; they weigh alike unless it `infers` from what others have done.

    Raises:
        NoWorld: what is known contradicts itself.
    """
    emperor = seat_of(view.shared, Role.DECLARER) if infers else None
    return Pool(by_holder(known, emperor), Evidence(view, known) if infers else None, seed, deadline)
