"""A hand of a climbing game in one number, compiled: four bits for each of the fifteen ranks, how many cards it has.

For games in which nobody has more than eight cards of a rank: those without sets. A set of ranks is the highest of a
rank's four bits, so that few instructions tell all ranks of which a hand has enough, and one shift moves them along.
Taking a play's cards out of a hand is one subtraction.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import (
    ACE,
    BIG,
    JOKER_BOMB,
    RANKS,
    SMALL,
    TRIO,
    TWO,
    big_of,
    first_of,
    key_of,
    kickers_of,
    kind_of,
    small_of,
    width_of,
)
from junto.games.jit import inlined, njit
from junto.games.tricks.bits import lowest_card, nth_card

Vector = npt.NDArray[np.int64]

ONES: Final = 0x111111111111111
"""A hand with one card of each rank."""
ALL: Final = ONES << 3
SUITED: Final = ALL & ((1 << 4 * (TWO + 1)) - 1)
IN_RUNS: Final = ALL & ((1 << 4 * (ACE + 1)) - 1)
"""Sets of ranks: all, those without the jokers, those that a run can have."""
_MOST: Final = 8


@njit
def pack(counts: Vector) -> int:
    """Return a hand, which is given as counts of ranks of at most eight."""
    hand = 0
    for rank in range(RANKS):
        hand |= counts[rank] << 4 * rank
    return hand


@inlined
def count_in(hand: int, rank: int) -> int:
    """Return how many cards of a rank a hand has."""
    return (hand >> 4 * rank) & 15


@inlined
def at_least(hand: int, number: int) -> int:
    """Return the ranks of which a hand has so many cards or more, one to eight."""
    return (hand + (_MOST - number) * ONES) & ALL


@inlined
def above(ranks: int, rank: int) -> int:
    """Return those of a set of ranks that are higher than a rank; -1: all."""
    return ranks & (-1 << 4 * (rank + 1))


@inlined
def lowest(ranks: int) -> int:
    """Return the lowest of a set of ranks that is not empty."""
    return lowest_card(ranks) >> 2


@inlined
def nth(ranks: int, number: int) -> int:
    """Return the rank of a set with `number` lower ones in it."""
    return nth_card(ranks, number) >> 2


@inlined
def without(ranks: int, first: int, last: int) -> int:
    """Return a set of ranks without those from one to another."""
    return ranks & ((1 << 4 * first) - 1 | -1 << 4 * (last + 1))


@njit
def cards_of(play: int) -> int:
    """Return the cards of a play, which is no set, as a hand."""
    if kind_of(play) <= TRIO:
        return kind_of(play) << 4 * key_of(play)
    if kind_of(play) == JOKER_BOMB:
        return small_of(play) << 4 * SMALL | big_of(play) << 4 * BIG
    first = first_of(play)
    main = ONES & ((1 << 4 * (key_of(play) - first + 1)) - 1)
    kickers = kickers_of(play)
    if kickers > 0:
        kickers = (kickers | kickers << 16) & 0x0000FFFF0000FFFF
        kickers = (kickers | kickers << 8) & 0x00FF00FF00FF00FF
        kickers = (kickers | kickers << 4) & 0x0F0F0F0F0F0F0F0F
        kickers = (kickers | kickers << 2) & 0x3333333333333333
    return (width_of(play) * main << 4 * first) + kickers
