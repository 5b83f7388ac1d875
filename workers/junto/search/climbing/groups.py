"""Lay a hand out in the groups that it is best played in, and say what it is worth: the eyes of the rules of thumb."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import (
    BOMB,
    JOKER_BOMB_PLAYED,
    KICKERS,
    LARGEST,
    LARGEST_BOMB,
    NO_PLAY,
    RANKS,
    TRIO,
    TRIO_STRAIGHT,
    first_of,
    group_played,
    holds,
    key_of,
    kicker_limit,
    kind_of,
    kind_with_kickers,
    length_of,
    made,
    made_bomb,
    made_joker_bomb,
    size_of,
    width_of,
    with_kickers,
)
from junto.games.climbing.moves import write_runs
from junto.games.jit import inlined, njit
from junto.search.climbing.habits import BOMB_STEP, ROW

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

LOOSE, GROUPS, RUNS, PLAYS, GAINS, TURNS, VALUES, REST, ROWS = range(9)
"""Rows of the desk that a seat thinks at: cards not yet in a group; the groups; runs to choose from; plays, what they
gain, how many turns remain after each, and what it is worth in all; a hand after a play."""
_SMALLEST_BOMB: Final = 4


@inlined
def value_of(habits: Vector, play: int) -> int:
    """Return what it is worth to hold a group: less than nothing for one that has to be got rid of."""
    value = habits[ROW * kind_of(play) + key_of(play)]
    if kind_of(play) == BOMB:
        value += habits[BOMB_STEP] * (size_of(play) - _SMALLEST_BOMB)
    return int(value)


@njit
def lay_out(terms: Vector, habits: Vector, hand: Vector, desk: Matrix) -> tuple[int, int, int]:
    """Write the groups of a hand, not in a game of sets; return how many, in how many turns they go, and their worth.

    Bombs stay whole; then the run that gains most is taken as long as one gains, and the rest is played rank by rank.
    Where trios carry kickers, the lowest groups go with them: they take no turn and count nothing.
    """
    loose, groups = desk[LOOSE], desk[GROUPS]
    number, worth, trios = 0, 0, 0
    for rank in range(RANKS):
        loose[rank] = hand[rank]
        if hand[rank] >= _SMALLEST_BOMB:
            groups[number] = made_bomb(terms, rank, min(hand[rank], terms[LARGEST_BOMB]))
            loose[rank] -= size_of(groups[number])
            number += 1
    if terms[JOKER_BOMB_PLAYED]:
        jokers = made_joker_bomb(terms)
        if holds(hand, jokers):
            groups[number] = jokers
            number += 1
            loose[RANKS - 2] = 0
            loose[RANKS - 1] = 0
    number = _take_runs(terms, habits, desk, number)
    for place in range(number):
        worth += value_of(habits, groups[place])
        trios += length_of(groups[place]) if kind_of(groups[place]) == TRIO_STRAIGHT else 0
    turns = number
    for rank in range(RANKS):
        trios += loose[rank] == TRIO
    carried = trios if terms[KICKERS] else 0
    for rank in range(RANKS):
        count = loose[rank]
        if count > 0:
            width = count if group_played(terms, rank, count) else 1
            value = habits[ROW * width + rank]
            for _ in range(count // width):
                groups[number] = made(width, rank, 1, width)
                number += 1
                if carried > 0 and width < TRIO and value < 0:
                    carried -= 1
                else:
                    worth += value
                    turns += 1
    return number, turns, worth


@njit
def _take_runs(terms: Vector, habits: Vector, desk: Matrix, number: int) -> int:
    """Take runs out of the loose cards, behind so many groups; return how many groups there are then."""
    loose, groups, runs = desk[LOOSE], desk[GROUPS], desk[RUNS]
    written = write_runs(terms, loose, NO_PLAY, runs, 0)
    while written > 0:
        kept, most, chosen = 0, 0, NO_PLAY
        for place in range(written):
            run = runs[place]
            gain, width = value_of(habits, run), width_of(run)
            for rank in range(first_of(run), key_of(run) + 1):
                count = loose[rank]
                if count < width:
                    gain = 0
                    break
                gain += habits[ROW * (count - width) + rank] - habits[ROW * count + rank]
            if gain > 0:
                runs[kept] = run
                kept += 1
                if gain > most:
                    most, chosen = gain, run
        written = kept
        if kept > 0:
            groups[number] = chosen
            number += 1
            for rank in range(first_of(chosen), key_of(chosen) + 1):
                loose[rank] -= width_of(chosen)
    return number


@njit
def with_low_kickers(terms: Vector, habits: Vector, trio: int, groups: Vector, number: int) -> int:
    """Return a trio, or a run of trios, with the lowest groups of the hand as kickers; bare if none would be spared."""
    trios, last = length_of(trio), key_of(trio)
    chosen, least = trio, 0
    for unit in range(1, 3):
        size = size_of(trio) + trios * unit
        if size > terms[LARGEST]:
            continue
        kickers, taken, worth = 0, 0, 0
        for place in range(number):
            group = groups[place]
            value = value_of(habits, group)
            limit = kicker_limit(terms, key_of(group), last - trios + 1, last, unit)
            if taken < trios and kind_of(group) == unit and value < 0 and limit > 0:
                kickers |= unit << 2 * key_of(group)
                taken += 1
                worth += value
        if taken == trios and worth < least:
            least = worth
            chosen = with_kickers(made(kind_with_kickers(trios, unit), last, trios, size), kickers)
    return chosen
