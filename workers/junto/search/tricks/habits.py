"""What each kind of evidence costs a world, by game, in hundredths of a logarithm.

Fitted by `python bench/fit_inference.py --game GAME` to deals among searching seats and seats that go by the rules of
thumb; of how many deals and iterations was not written down. A kind of evidence costs 350 at most. Those of bridge are
set by hand. Below zero is evidence for a world.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.tricks.kernel import JOKERS
from junto.games.tricks.scoring import BY_MARGIN, BY_POINTS, BY_STAKES, BY_THE_CARD, DUPLICATE
from junto.search.tricks.knowledge import Knowledge

Vector = npt.NDArray[np.int64]

_FOUR: Final = 5
COSTS: Final = {
    BY_THE_CARD: (
        (175, 99, 200, 65, 158, -18, 313, 0),
        (-87, 35, 13, 39, 44, -44),
        (19, 174, 119, 136, 134, 39, 82, 158, 179, 192, 136),
        (-49, 110, -47, 16, 65),
    ),
    BY_STAKES: (
        (85, 92, 76, 21, -4, 7, 350, 0),
        (-84, 63, 1, 20, -105, 105),
        (9, 16, 109, 150, 51, 49, 124, 110, 123, 53, 45),
        (21, 57, -40, -20, 21),
    ),
    BY_POINTS: (
        (0, 52, 74, 36, 178, 34, 350, 0),
        (-74, 21, 75, -22, 19, -19),
        (8, 105, -46, 70, 114, 0, 35, 138, 22, 117, 98),
        (-17, 56, 27, 7, 36),
    ),
    DUPLICATE: (
        (0, 0, 0, 0, 0, 0, 0, 69),
        (0, 51, 51, 51, 0, 0),
        (0, 105, 105, 105, 105, 105, 105, 105, 105, 105, 105),
        (0, 0, 0, 0, 0),
    ),
    BY_MARGIN: (
        (0, 0, 0, 0, 0, 0, 0, 0),
        (-50, 54, 0, -4, 0, 0),
        (29, 0, 0, 0, 0, 0, 142, -5, 0, 0, 126),
        (0, 0, 0, -37, 0),
    ),
    _FOUR: (
        (46, 135, 128, 87, 55, -29, 350, 0),
        (-98, 85, 20, -6, -26, 26),
        (-13, 95, -2, 179, 78, 7, 190, 128, 123, 62, 70),
        (-54, 43, -65, 10, 87),
    ),
}
"""Rows by scoring: before the play, leads, cards that follow (in suit, then not), and what goes to the declarer."""
_VECTORS: Final = {row: np.array([cost for part in parts for cost in part], np.int64) for row, parts in COSTS.items()}


def costs_of(known: Knowledge) -> Vector:
    """Return the cost of each kind of evidence in a seat's game."""
    terms = known.terms
    by_one_joker = terms.scoring == BY_THE_CARD and terms.jokers != JOKERS
    return _VECTORS[_FOUR if by_one_joker else terms.scoring]
