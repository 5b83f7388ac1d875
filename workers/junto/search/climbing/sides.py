"""Who is on whose side, as far as a seat may know it: friends, foes, and strangers of whom it hopes.

The two peasants and the partners of Shuangkou know each other; the guard knows his emperor; an emperor knows whether he
is alone, but not his guard before all do; a rebel takes the others for probable friends.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import SCORING, SEATS
from junto.games.climbing.scoring import DECLARER, PARTNER, TEAMS
from junto.games.jit import njit
from junto.search.climbing.state import ALL_KNOW, HOLDING, SIZES, STAKES_AT

Vector = npt.NDArray[np.int64]

ENEMY, STRANGER, FRIEND_OF = range(3)
"""What a seat takes another one for; of a stranger it hopes that he is a friend."""
NEAR: Final = 4
"""A seat with so few cards is close to going out."""


@njit
def relation(terms: Vector, state: Vector, seat: int, other: int) -> int:
    """Return what a seat takes another one for, by what it may know."""
    if terms[SCORING] == TEAMS:
        return FRIEND_OF if (seat ^ other) & 1 == 0 else ENEMY
    declarer, partner = state[STAKES_AT + DECLARER], state[STAKES_AT + PARTNER]
    if seat == declarer:
        return FRIEND_OF if state[ALL_KNOW] and other == partner else ENEMY
    if other == declarer:
        return FRIEND_OF if seat == partner else ENEMY
    if seat == partner:
        return ENEMY
    if state[ALL_KNOW]:
        return ENEMY if other == partner else FRIEND_OF
    return STRANGER


@njit
def sides_of(terms: Vector, state: Vector, seat: int) -> tuple[int, int, int]:
    """Return the other seats with cards, as bits: who is no known friend; foes; foes who are near the end."""
    rivals, foes, near = 0, 0, 0
    for other in range(terms[SEATS]):
        if other != seat and state[HOLDING] >> other & 1:
            taken_for = relation(terms, state, seat, other)
            rivals |= (taken_for != FRIEND_OF) << other
            foes |= (taken_for == ENEMY) << other
            near |= (taken_for == ENEMY and state[SIZES + other] <= NEAR) << other
    return rivals, foes, near
