"""A table of worlds, compiled: by world and place the cards of each rank, and the copies of the named card."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import RANKS
from junto.games.jit import njit
from junto.search.streams import start_stream
from junto.search.worlds.ranks import draw_ranks

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]
World = npt.NDArray[np.int8]
"""By place: how many cards of each rank, behind them the copies of the named card."""
Table = npt.NDArray[np.int8]
"""Worlds, one after the other."""

COPIES_AT: Final = RANKS
"""Place in a row, behind the ranks: copies of the named card."""
ROW: Final = RANKS + 1
WORLD_STREAM: Final = 0
"""What this stream of a world is for: its cards."""


@njit
def draw_worlds(
    plan: Vector, odds: Weights, seen: Matrix, copies: Vector, seed: int, first: int, table: Table,
    counts: Matrix, named: Vector, stream: Vector, scratch: Vector,
) -> None:  # fmt: skip
    """Fill a table with the worlds from number `first` on.

    `plan` and `odds` are those of the worlds, `seen` and `copies` the cards known to be in each place. What follows
    `table` is written on.
    """
    for row in range(table.shape[0]):
        for place in range(seen.shape[0]):
            named[place] = copies[place]
            for rank in range(RANKS):
                counts[place, rank] = seen[place, rank]
        start_stream(stream, seed, first + row, WORLD_STREAM)
        draw_ranks(plan, odds, counts, named, stream, scratch)
        for place in range(seen.shape[0]):
            for rank in range(RANKS):
                table[row, place, rank] = counts[place, rank]
            table[row, place, COPIES_AT] = named[place]
