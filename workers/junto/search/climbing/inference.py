"""What others have done as evidence: the weights of worlds by it, and worlds that agree with it."""

from __future__ import annotations

import time
from typing import Final

import numpy as np

from junto.games.cards import PACK
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.kernel import RANKS
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import View
from junto.search.climbing.before_play import LANDLORD
from junto.search.climbing.habits import habits_of
from junto.search.climbing.history import LATEST, history_of
from junto.search.climbing.knowledge import Knowledge, Matrix
from junto.search.climbing.state import STATE
from junto.search.climbing.trials import own_desk
from junto.search.climbing.weighing import DOUBTS, STIR_STREAM, stir, weigh
from junto.search.climbing.worlds import Table, Vector, Weights

_TIMED: Final = 2
"""So many worlds are weighed to see how long all take."""
_FEWEST: Final = 4
"""Fewer decisions than these tell too little to be weighed."""
_CARDS_OF: Final = [[card for card in range(PACK) if rank_of_card(card) == rank] for rank in range(RANKS)]


class Evidence:
    """What the others have done in a deal, as far as it tells of hidden cards. It is `empty` if nothing does."""

    def __init__(self, view: View, known: Knowledge, latest: int = LATEST) -> None:
        """Look at a deal."""
        game, self._told = view.game, history_of(view, known, latest)
        assert isinstance(game, ClimbingGame)
        self.empty = not self._told.calls.size and not self._told.done.size
        self.seats = game.seats
        self._game = game.terms.vector, habits_of(game.terms), DOUBTS, LANDLORD
        self._work = np.zeros(STATE, np.int64), np.zeros(RANKS, np.int64), own_desk()
        named = known.named
        self._named = (known.copies, NOBODY if named is None else rank_of_card(named))
        self._seen = known.counts
        self._places = np.flatnonzero(known.sizes)
        self._sizes = np.array(known.sizes, np.int64)
        self._free = free_ranks(known)

    def fit(self, table: Table, seconds: float) -> None:
        """Keep what can be weighed in all worlds of a table in so many `seconds`: the latest decisions, or nothing."""
        began = time.monotonic()
        if seconds > 0.0:
            self.weigh(table[:_TIMED])
        takes = (time.monotonic() - began) * len(table) / _TIMED
        if takes <= seconds:
            return
        number = int(self._told.done.size * max(0.0, seconds) / takes)
        self.empty = number < _FEWEST
        if not self.empty:
            self._told = self._told.latest(number)

    def weigh(self, table: Table) -> Weights:
        """Return the logarithms of the weights of the hands of each world, by world and seat."""
        logs = np.zeros((len(table), self.seats))
        weigh(*self._game, *self._decisions(), table, logs, *self._work)
        return logs

    def stir(self, table: Table, logs: Weights, part: float, times: int, seed: int, first: int, stage: int) -> None:
        """Exchange cards in the worlds of a table, and keep their `logs`: see `junto.search.climbing.weighing`."""
        if self._places.size > 1:
            stir(
                *self._game, *self._decisions(), table, logs, *self._work, self._seen, *self._named, self._places,
                self._sizes, self._free, part, times, seed, first, STIR_STREAM + stage, np.zeros(2, np.int64),
            )  # fmt: skip

    def _decisions(self) -> tuple[Matrix, Matrix, Vector, Matrix, Vector]:
        told = self._told
        return told.calls, told.states, told.done, told.since, told.starts


def free_ranks(known: Knowledge) -> Matrix:
    """Return whether any hidden card of a rank may lie in a place, by place and rank.

    Ranks of which the suits matter, or their number, are not free anywhere.
    """
    free = np.zeros((len(known.sizes), RANKS), np.int64)
    for rank, cards in enumerate(_CARDS_OF):
        bound = known.limit is not None and any(known.limit.cards >> card & 1 for card in cards)
        for place, barred in enumerate(known.barred):
            free[place, rank] = not bound and not any(barred >> card & 1 for card in cards)
    return free
