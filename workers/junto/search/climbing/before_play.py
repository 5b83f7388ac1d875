"""Rules of thumb before the play of a climbing game: bids, the offer to become emperor, which cards to show.

A landlord's hand is worth what `LANDLORD` says, in hundredths of the points that it wins for a bid of one, an
emperor's what `EMPEROR` says, in hundredths of a point: fitted to playouts of random deals by `bench/fit_climbing.py`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import ACE, BIG, RANKS, SETS, SMALL, TWO
from junto.games.jit import njit
from junto.search.climbing.groups import TRYING, lay_out

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

LANDLORD: Final = np.array([-149, 173, 142, 63, 29, 28, 201, -22])
EMPEROR: Final = np.array([221, 66, 91, 19, 10, 12, -16, -30])
BIDS_FROM: Final = np.array([-35, -10, 15])
"""What a landlord's hand must be worth for a bid of one, two, three."""
ACCEPTED_FROM: Final = -30
"""What an emperor's hand must be worth: less than nothing, for somebody else's reign is no better."""
FEATURES: Final = 8
_MANY: Final = np.array([4, 5])
"""So many equal cards are a strong group: a bomb; a set that is seldom beaten."""


@njit
def features_of(terms: Vector, habits: Vector, hand: Vector, desk: Matrix) -> Vector:
    """Return what a hand's worth is told by.

    One; big jokers, small jokers, twos, aces, kings; ranks of which it has many cards; in how many turns it goes, for
    sets how many ranks it has.
    """
    features = np.ones(FEATURES, np.int64)
    features[1], features[2], features[3] = hand[BIG], hand[SMALL], hand[TWO]
    features[4], features[5] = hand[ACE], hand[ACE - 1]
    many = _MANY[1] if terms[SETS] else _MANY[0]
    strong, ranks = 0, 0
    for rank in range(RANKS):
        strong += hand[rank] >= many
        ranks += hand[rank] > 0
    features[6], features[7] = strong, ranks
    if not terms[SETS]:
        _, features[7], _ = lay_out(terms, habits, hand, 0, desk, TRYING)
    return features


@njit
def worth_of(terms: Vector, habits: Vector, weights: Vector, hand: Vector, desk: Matrix) -> int:
    """Return what a hand is worth: a landlord's before he has the kitty, an emperor's with the pot."""
    features, worth = features_of(terms, habits, hand, desk), 0
    for number in range(FEATURES):
        worth += weights[number] * features[number]
    return worth


def bid_limit(worth: int) -> int:
    """Return the highest bid that a hand is worth, 0 for none."""
    return int(np.searchsorted(BIDS_FROM, worth, side="right"))
