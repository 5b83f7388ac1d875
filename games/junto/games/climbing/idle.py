"""What is led for a seat whose time is up, where the rules page says: the lowest single card that breaks least."""

from __future__ import annotations

import numpy as np

from junto.games.climbing import kernel
from junto.games.climbing.combination import Combination
from junto.games.climbing.ranks import Vector

_LOWEST_RANKS = 3


def lowest_single(counts: Vector) -> Combination:
    """Return a single card of the rank that the hand has fewest of, among its three lowest ranks."""
    ranks = np.flatnonzero(counts)[:_LOWEST_RANKS].tolist()
    rank = min(ranks, key=lambda rank: (counts[rank], rank))
    return Combination(int(kernel.made(kernel.SINGLE, rank, 1, 1)))
