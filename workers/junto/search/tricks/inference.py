"""Worlds of a decision, drawn as likely as what the seats have done makes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.tricks import kernel
from junto.games.view import Phase
from junto.search.bridge_bidding.beliefs import RANGES
from junto.search.mixed_worlds import MixedWorlds
from junto.search.tricks.knowledge import Knowledge
from junto.search.tricks.pile import PileWorlds
from junto.search.tricks.position import base_hands, calls_of, play_position
from junto.search.tricks.setup import FEATURES, house_vector
from junto.search.tricks.state import ABOVE, STATE, begin_play
from junto.search.tricks.weighing import CALLS, draw_weighted, pick_worlds
from junto.search.worlds.graph import Weights
from junto.search.worlds.layout import SCRATCH
from junto.search.worlds.sets import Worlds

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_FIRST_POOL: Final = 256
_LARGEST_POOL: Final = 1024
_PRIOR: Final = 4.0
"""So many worlds' weight of the plain count is mixed into a belief, so that nothing possible is ruled out."""


class Pool:
    """Worlds of a decision with their weights; it grows as worlds are asked for.

    `matrix` has a row per world, the hands by place; `weights` say how well each explains what was done. A pool that
    does not infer takes all worlds for equally likely.
    """

    def __init__(
        self, known: Knowledge, worlds: Worlds | MixedWorlds | PileWorlds, seed: int, *, infers: bool = True
    ) -> None:
        """Begin with nothing drawn."""
        self.worlds = worlds
        self.matrix: Matrix = np.zeros((0, known.terms.seats + 1), np.int64)
        self.weights: Weights = np.zeros(0)
        self._seed = seed
        self._known = known
        self._infers = infers
        self._base = base_hands(known)
        self._cumulative: Weights = np.zeros(0)

    def rows(self, first: int, number: int) -> Vector:
        """Return the rows of the worlds from number `first` on, picked by weight.

        The pool grows with the number of worlds, so which ones they are depends on the numbers asked for so far.
        """
        if self.weights.size < min(max(_FIRST_POOL, first + number), _LARGEST_POOL):
            self._grow(min(max(_FIRST_POOL, 2 * (first + number)), _LARGEST_POOL))
        rows = np.zeros(number, np.int64)
        pick_worlds(self._cumulative, self._seed, first, rows, np.zeros(2, np.int64))
        return rows

    def chances(self, card: int) -> list[float]:
        """Return the probability that each place holds a hidden card, by place."""
        if not self.weights.size:
            self._grow(_FIRST_POOL)
        counted = np.array(self.worlds.chances(card))
        held = (self.matrix >> card & 1).astype(np.float64)
        prior = _PRIOR / self.weights.size * self.weights.sum()
        chances = (self.weights @ held + prior * counted) / (self.weights.sum() + prior)
        return [float(chance) for chance in chances]

    def _grow(self, size: int) -> None:
        drawn = self.weights.size
        self.matrix = np.concatenate((self.matrix, np.tile(self._base, (size - drawn, 1))))
        self.weights = np.concatenate((self.weights, np.ones(size - drawn)))
        if isinstance(self.worlds, PileWorlds):  # nothing has been played yet
            self.worlds.draw(self._seed, drawn, self.matrix[drawn:])
        else:
            self._draw_weighted(self.worlds, drawn, size)
        self._cumulative = np.cumsum(self.weights)

    def _draw_weighted(self, worlds: Worlds | MixedWorlds, drawn: int, size: int) -> None:
        known = self._known
        rules, above = np.zeros(kernel.RULES, np.int64), np.zeros(ABOVE, np.int64)
        plays, begun = np.zeros((0, 4), np.int64), np.zeros(STATE, np.int64)
        calls = calls_of(known) if self._infers else np.zeros((0, CALLS), np.int64)
        if known.phase is Phase.PLAY and self._infers:
            position = play_position(known)
            rules, above, plays = position.rules, position.above, position.plays
            begin_play(begun, known.declarer, known.partner, known.dummy, known.contract, known.leader, known.shown)
        house = np.zeros(0, np.int64) if known.house is None else house_vector(known.house)
        lengths = (known.terms.seats + 1, STATE, FEATURES, 2, SCRATCH)
        for part, begin, end, share in _parts(worlds, drawn, size):
            draw_weighted(
                part.plan, part.odds, house, rules, above, begun, known.place, known.declarer,
                known.trump, calls, np.array(known.ranges, np.int64).reshape(-1, RANGES), plays,
                self._seed, begin, self.matrix[:end], self.weights,
                *(np.zeros(length, np.int64) for length in lengths),
            )  # fmt: skip
            self.weights[begin:end] *= share


def _parts(worlds: Worlds | MixedWorlds, begin: int, end: int) -> Iterator[tuple[Worlds, int, int, float]]:
    """Yield each part of the worlds, the rows to fill from it, and what their weights are to be raised by."""
    if isinstance(worlds, Worlds):
        yield worlds, begin, end, 1.0
        return
    first, share = begin, 0.0
    for part, own in zip(worlds.parts, worlds.shares, strict=True):
        share += own
        last = begin + round(share * (end - begin))
        if last > first:
            yield part, first, last, own * (end - begin) / (last - first)
        first = last
