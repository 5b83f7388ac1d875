"""Rules of thumb before the play of a climbing game: bids, the offer to become emperor, which cards to show.

A landlord's hand is worth what `LANDLORD` says, in hundredths of the points that it wins for a bid of one, an
emperor's what `EMPEROR` says, in hundredths of a point: fitted to playouts of random deals by `bench/fit_climbing.py`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import ACE, BIG, RANKS, SMALL, TWO
from junto.games.jit import njit
from junto.search.climbing.groups import TRYING, lay_out

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

LANDLORD: Final = np.array([-123, 177, 158, 63, 40, 14, 107, -27])
"""A hand's worth: to begin with, then for each big joker, small joker, two, ace and king, each four, each turn."""
BIDS_FROM: Final = np.array([-35, -10, 15])
"""What a hand must be worth for a bid of one, two, three."""
_FOUR: Final = 4


@njit
def landlord_worth(terms: Vector, habits: Vector, weights: Vector, hand: Vector, desk: Matrix) -> int:
    """Return what a hand of seventeen cards is worth to a landlord, before he has the kitty."""
    _, turns, _ = lay_out(terms, habits, hand, 0, desk, TRYING)
    fours = 0
    for rank in range(RANKS):
        fours += hand[rank] >= _FOUR
    worth = weights[0] + weights[1] * hand[BIG] + weights[2] * hand[SMALL] + weights[3] * hand[TWO]
    return int(worth + weights[4] * hand[ACE] + weights[5] * hand[ACE - 1] + weights[6] * fours + weights[7] * turns)


def bid_limit(worth: int) -> int:
    """Return the highest bid that a hand is worth, 0 for none."""
    return int(np.searchsorted(BIDS_FROM, worth, side="right"))


EMPEROR: Final = np.array([0, 0, 0, 0, 0, 0, 0, 0])
"""A hand's worth with the pot: to begin with, then for each big joker, small joker, two, ace and king, each rank of
which it has many, each rank that it has."""
_MANY: Final = 5


def emperor_worth(hand: Vector) -> int:
    """Return what a hand is worth to an emperor, the pot in it."""
    features = (1, hand[BIG], hand[SMALL], hand[TWO], hand[ACE], hand[ACE - 1], (hand >= _MANY).sum(), (hand > 0).sum())
    return int(EMPEROR @ np.array(features))
