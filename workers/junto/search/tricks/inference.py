"""Worlds of a decision, drawn as likely as what the seats have done makes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import mask_of
from junto.games.tricks import kernel
from junto.games.view import Phase
from junto.search.bridge_bidding.beliefs import RANGES
from junto.search.mixed_worlds import MixedWorlds
from junto.search.picking import Picks, effective, first_point, rounded, spread
from junto.search.tricks.habits import costs_of
from junto.search.tricks.knowledge import Knowledge
from junto.search.tricks.pile import PileWorlds
from junto.search.tricks.position import PlayPosition, base_hands, calls_of, play_position
from junto.search.tricks.setup import FEATURES, house_vector
from junto.search.tricks.state import ABOVE, STATE, begin_play
from junto.search.tricks.weighing import EVIDENCE, OTHER_PUT_BACK, SETUP, draw_many, settle, write_evidence
from junto.search.worlds.graph import Weights
from junto.search.worlds.layout import SCRATCH
from junto.search.worlds.sets import Worlds

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_SMALLEST_POOL: Final = 32
_LARGEST_POOL: Final = 2048
_SPREAD: Final = 4
"""So many worlds are drawn for each that is played, as far as that goes."""
_PRIOR: Final = 2.0
"""So many worlds' weight of the plain count is mixed into a belief, so that nothing possible is ruled out."""


class Pool:
    """Worlds of a decision with their weights; it grows as worlds are asked for.

    `matrix` has a row per world, the hands by place; `weights` say how well each explains what was done, in no
    particular unit. Before that each possible holder of a called card has the share of the worlds that he is counted to
    have: chance does not add to it. A pool that does not infer takes all worlds for equally likely. `position` is the
    one in the play.
    """

    def __init__(
        self, known: Knowledge, worlds: Worlds | MixedWorlds | PileWorlds, seed: int, *, infers: bool = True
    ) -> None:
        """Begin with nothing drawn."""
        self.worlds = worlds
        self.position: PlayPosition | None = play_position(known) if known.phase is Phase.PLAY else None
        self.matrix: Matrix = np.zeros((0, known.terms.seats + 1), np.int64)
        self.weights: Weights = np.zeros(0)
        self._infers = infers
        self._seed = seed
        self._known = known
        self._base = base_hands(known)
        self._called = next(iter(known.hidden_secretaries), kernel.NO_CARD)
        self._counted: dict[int, list[float]] = {}
        self._shares: Weights = np.zeros(0)
        self._costs: Vector = np.zeros(0, np.int64)
        self._picks: Picks
        self._start = first_point(seed)
        self._settles = (
            infers
            and known.phase is Phase.PLAY
            and known.declarer != known.place
            and known.hidden_put_back > 0
            and isinstance(worlds, Worlds)
        )

    def rows(self, first: int, number: int) -> Vector:
        """Return the rows of the worlds from number `first` on, picked by weight.

        Picks are spread evenly over the weights, sorted by who holds the called card: worlds in a row go round its
        possible holders as often as each is likely. The pool grows with the number of worlds, so which ones they are
        depends on the numbers asked for so far.
        """
        self.draw(min(max(_SMALLEST_POOL, _SPREAD * (first + number)), _LARGEST_POOL))
        return self._picks.at(spread(self._start, first, number))

    def draw(self, worlds: int) -> None:
        """Grow until there are so many worlds."""
        if self.weights.size < worlds:
            self._grow(worlds)

    def independent(self) -> float:
        """Return how many worlds of equal weight those drawn so far tell as much as."""
        return effective(self.weights) if self.weights.size else 0.0

    def chances(self, card: int) -> list[float]:
        """Return the probability that each place holds a hidden card, by place."""
        if not self.weights.size:
            self.draw(_SMALLEST_POOL)
        held = (self.matrix >> card & 1).astype(np.float64)
        prior = _PRIOR / self.weights.size * self.weights.sum()
        chances = (self.weights @ held + prior * np.array(self._chances(card))) / (self.weights.sum() + prior)
        return [float(chance) for chance in chances]

    def _chances(self, card: int) -> list[float]:
        """Return the probabilities before anything was done, which are counted once."""
        if card not in self._counted:
            self._counted[card] = self.worlds.chances(card)
        return self._counted[card]

    def _grow(self, size: int) -> None:
        drawn = self.weights.size
        matrix = np.tile(self._base, (size - drawn, 1))
        shares = self._draw(drawn, matrix)
        costs = self._weigh(drawn, matrix) if self._infers else np.zeros(len(matrix), np.int64)
        self.matrix = np.concatenate((self.matrix, matrix))
        self._shares = np.concatenate((self._shares, shares))
        self._costs = np.concatenate((self._costs, costs))
        weights = np.exp((self._costs.min() - self._costs) / 100.0) * self._shares
        holders = np.zeros(size, np.int64)
        if self._called != kernel.NO_CARD:
            holders = np.argmax(self.matrix >> self._called & 1, axis=1)
            weights *= self._evened(holders)
        self.weights = rounded(weights)
        self._picks = Picks(self.weights, holders)

    def _draw(self, drawn: int, matrix: Matrix) -> Weights:
        """Fill in the worlds from number `drawn` on; return by what each is to count more than the others."""
        shares = np.ones(len(matrix))
        if isinstance(self.worlds, PileWorlds):  # nothing has been played yet
            self.worlds.draw(self._seed, drawn, matrix)
            return shares
        for part, begin, end, share in _parts(self.worlds, len(matrix)):
            draw_many(
                part.plan, part.odds, self._seed, drawn + begin, matrix[begin:end],
                np.zeros(2, np.int64), np.zeros(SCRATCH, np.int64),
            )  # fmt: skip
            shares[begin:end] = share
        return shares

    def _weigh(self, drawn: int, matrix: Matrix) -> Vector:
        """Return what the evidence against each world costs it, in hundredths of a logarithm.

        Where the cards put back are hidden, the worlds are settled first, and what they are drawn by is not weighed:
        but a called card among them costs what another would.
        """
        if self.position is None and not self._known.calls:
            return np.zeros(len(matrix), np.int64)
        costs = costs_of(self._known)
        if not self._settles:
            against: Vector = evidence_of(self._known, self.position, matrix) @ costs
            return against
        self._settle(drawn, matrix, costs)
        weighed = costs.copy()
        weighed[list(SETUP)] = 0
        buried = (matrix[:, -1] & mask_of(self._known.secretaries)) != 0
        found: Vector = evidence_of(self._known, self.position, matrix, is_settled=True) @ weighed
        found += buried * costs[OTHER_PUT_BACK]
        return found

    def _settle(self, drawn: int, matrix: Matrix, costs: Vector) -> None:
        known = self._known
        assert known.house is not None
        barred = np.array([*known.barred_hands(), known.barred_kitty()], np.int64)
        settle(
            matrix, house_vector(known.house), known.rules, known.place, known.declarer,
            calls_of(known)[known.declarer], barred, costs, self._seed, drawn,
            *(np.zeros(length, np.int64) for length in (EVIDENCE, FEATURES, 2)),
        )  # fmt: skip

    def _evened(self, holders: Vector) -> Weights:
        """Return by what each world is to count more, so that each holder of the called card has his counted share."""
        found = np.bincount(holders, self._shares, minlength=self.matrix.shape[1])
        expected = np.array(self._chances(self._called))
        factors: Weights = (expected / np.maximum(found, 1e-300))[holders] * len(holders)
        return factors


def evidence_of(known: Knowledge, position: PlayPosition | None, matrix: Matrix, *, is_settled: bool = False) -> Matrix:
    """Return how often each kind of evidence occurs in each world, see `write_evidence`."""
    rules, above = np.zeros(kernel.RULES, np.int64), np.zeros(ABOVE, np.int64)
    plays, begun = np.zeros((0, 4), np.int64), np.zeros(STATE, np.int64)
    if position is not None:
        rules, above, plays = position.rules, position.above, position.plays
        begin_play(begun, known.declarer, known.partner, known.dummy, known.contract, known.leader, known.shown)
    house = np.zeros(0, np.int64) if known.house is None else house_vector(known.house)
    evidence = np.zeros((len(matrix), EVIDENCE), np.int64)
    write_evidence(
        matrix, evidence, house, rules, above, begun, known.place, known.declarer, known.trump,
        position is not None, is_settled, calls_of(known), np.array(known.ranges, np.int64).reshape(-1, RANGES), plays,
        *(np.zeros(length, np.int64) for length in (known.terms.seats + 1, STATE, FEATURES)),
    )  # fmt: skip
    return evidence


def _parts(worlds: Worlds | MixedWorlds, number: int) -> Iterator[tuple[Worlds, int, int, float]]:
    """Yield each part of so many worlds, the rows to fill from it, and what their weights are to be raised by."""
    if isinstance(worlds, Worlds):
        yield worlds, 0, number, 1.0
        return
    first, share = 0, 0.0
    for part, own in zip(worlds.parts, worlds.shares, strict=True):
        share += own
        last = round(share * number)
        if last > first:
            yield part, first, last, own * number / (last - first)
        first = last
