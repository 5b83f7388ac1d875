"""Race candidates against each other on the same samples: growing batches, losers dropped, anytime."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action
from junto.search.decisions import Evaluation

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
Trial = Callable[[Vector, int, Matrix], None]
"""`trial(active, first, results)` writes `results[candidate, k]` for the active candidates and the worlds
`first`, `first + 1` ...: as many as `results` has columns."""

_FIRST_BATCH: Final = 16
_LARGEST_BATCH: Final = 512
_LEAST_BATCH: Final = 4
_TIME_SHARE: Final = 0.5
"""A batch is planned to take this share of the time that is left: it may take longer than the one before."""
_SURE: Final = 3.5
"""A candidate is dropped when the leader is ahead by so many standard errors of the paired difference."""
_LEAST_WORLDS: Final = 48
"""No candidate is dropped before so many worlds, where nobody says otherwise."""

_SUPPOSED: Final = 8
"""So many worlds' differences are supposed before any is seen."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a candidate reached: mean score, its standard error, and in how many worlds it was tried."""

    candidate: int
    mean: float
    standard_error: float
    worlds: int


@dataclass(frozen=True, slots=True)
class Race:
    """A race's end: standings, best first; worlds drawn; playouts made."""

    standings: tuple[Standing, ...]
    worlds: int
    playouts: int

    def evaluations(self, actions: Sequence[Action]) -> tuple[Evaluation, ...]:
        """Return what the candidates promised, each an action, best first."""
        return tuple(
            Evaluation(actions[standing.candidate], standing.mean, standing.standard_error, standing.worlds)
            for standing in self.standings
        )


def race(
    trial: Trial,
    candidates: int,
    iterations: int | None,
    deadline: float | None,
    first_batch: int = _FIRST_BATCH,
    least_worlds: int = _LEAST_WORLDS,
    caution: float | None = None,
    independent: Callable[[], float] | None = None,
    favourite: int = 0,
) -> Race:
    """Try the candidates in one batch of worlds after another.

    No candidate is dropped before `least_worlds`. With `caution` the `favourite` is the one to take unless another is
    clearly better: candidates are ordered by how far they are ahead of it, less so many standard errors of that.
    Worlds that are picked by weight repeat each other: `independent` says how many are drawn that do not, and standard
    errors are reckoned from no more; those of caution are reckoned from all.

    With a deadline the first batch is a small one: nothing is known yet of how long a world takes.
    Stops after `iterations` worlds, or when too little time is left before the `deadline` (of
    `time.monotonic`) for another batch, or when one candidate is left. At least one batch is tried. Without a
    deadline the result depends on `trial` and `iterations` alone.
    """
    active: Vector = np.arange(candidates, dtype=np.int64)
    tried = np.zeros(candidates, np.int64)
    scores: Matrix = np.zeros((candidates, 0), np.int64)
    size = first_batch if deadline is None else min(first_batch, _LEAST_BATCH)
    pace = 0.0
    while _worlds_left(scores, active, iterations):
        if iterations is not None:
            size = min(size, iterations - scores.shape[1])
        if deadline is not None and pace > 0.0:
            least = min(size, _LEAST_BATCH)
            size = min(size, int(_TIME_SHARE * (deadline - time.monotonic()) / (pace * active.size)))
            if size < least:
                break
        began = time.monotonic()
        results = np.zeros((candidates, size), np.int64)
        trial(active, scores.shape[1], results)
        pace = max(1e-9, (time.monotonic() - began) / (size * active.size))
        scores = np.concatenate((scores, results), axis=1)
        tried[active] = scores.shape[1]
        if scores.shape[1] >= least_worlds:
            active = _survivors(scores, active, telling_of(scores.shape[1], independent))
        size = min(_LARGEST_BATCH, max(_LEAST_BATCH, 2 * size))
    telling = telling_of(scores.shape[1], independent)
    standings = [
        _standing(candidate, scores[candidate, :worlds], telling) for candidate, worlds in enumerate(tried.tolist())
    ]
    ahead = [standing.mean for standing in standings]
    if caution is not None and favourite in active:
        ahead = [_ahead(scores, tried, standing, favourite, caution) for standing in standings]
    standings.sort(key=lambda standing: (standing.candidate not in active, -ahead[standing.candidate]))
    return Race(tuple(standings), scores.shape[1], int(tried.sum()))


def _worlds_left(scores: Matrix, active: Vector, iterations: int | None) -> bool:
    """Tell whether to go on: always to a first batch, then while there is something to find out."""
    if scores.shape[1] == 0:
        return True
    return active.size > 1 and (iterations is None or scores.shape[1] < iterations)


def telling_of(worlds: int, independent: Callable[[], float] | None) -> float:
    """Return how many worlds' scores a mean over so many is as good as."""
    return worlds if independent is None else max(1.0, min(worlds, independent()))


def _survivors(scores: Matrix, active: Vector, telling: float) -> Vector:
    """Return the candidates that may still be the best."""
    leader = active[np.argmax(scores[active].sum(axis=1))]
    behind = scores[leader] - scores[active]
    error = behind.std(axis=1) / math.sqrt(telling)
    kept: Vector = active[(behind.mean(axis=1) <= _SURE * error) | (active == leader)]
    return kept


def _ahead(scores: Matrix, tried: Vector, standing: Standing, favourite: int, caution: float) -> float:
    """Return how far a candidate is surely ahead of the favourite.

    Of few worlds the differences tell little of how they vary: as many as `_SUPPOSED` are supposed to vary like scores,
    or to be as large as those seen, but as often losses as gains.
    Every world counts here, whether it repeats others or not: if only those did that do not, hardly any candidate would
    be ahead of the favourite.
    """
    if standing.candidate == favourite:
        return 0.0
    worlds = min(standing.worlds, int(tried[favourite]))
    usual = scores[favourite, :worlds]
    gains = scores[standing.candidate, :worlds] - usual
    supposed = max(usual.var(), np.square(gains).mean())
    variance = (worlds * gains.var() + _SUPPOSED * supposed) / (worlds + _SUPPOSED)
    return float(gains.mean() - caution * math.sqrt(variance / worlds))


def error_of(scores: Vector | Scores, telling: float) -> float:
    """Return the standard error of the mean of scores, of which no more than so many tell anything of their own."""
    return float(scores.std()) / math.sqrt(max(1.0, min(scores.size, telling) - 1.0))


def _standing(candidate: int, scores: Vector, telling: float) -> Standing:
    return Standing(candidate, float(scores.mean()), error_of(scores, telling), scores.size)
