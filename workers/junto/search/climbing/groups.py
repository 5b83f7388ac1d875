"""Lay a hand out in the groups that it is best played in, and say what it is worth: the eyes of the rules of thumb."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import (
    ACE,
    BOMB,
    JOKER_BOMB_PLAYED,
    KICKERS,
    LARGEST,
    LARGEST_BOMB,
    NO_PLAY,
    RANKS,
    STRAIGHT_FROM,
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
from junto.search.climbing.state import MOST_SEATS

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

RUNS, PLAYS, GAINS, TURNS, VALUES, REST, LAID, LOOSE = range(8)
GROUPS: Final = LOOSE + MOST_SEATS + 1
ENDING_NOTES: Final = GROUPS + MOST_SEATS + 1
ENDING_STATES, ENDING_PLAYS, ENDING_KEYS, ENDING_KNOWN, ROWS = range(ENDING_NOTES + 1, ENDING_NOTES + 6)
"""Rows of the desk that the seats think at: runs to choose from; plays, what they gain, how many turns remain after
each, and what it is worth in all; a hand after a play, or the cards unseen. Then how far each seat has its hand laid
out, and by seat the cards in no run or bomb, and the groups; the last of these are for trying. Then the rows of
`junto.search.climbing.endings`.
"""
TRYING: Final = MOST_SEATS
"""As the seat: a hand that is only thought of."""
_HELD, _NUMBER, _TURNS, _WORTH, _LAID = range(5)
"""What the row of laid out hands has for each seat: of so many cards, in so many groups; turns and worth."""
_SMALLEST_BOMB: Final = 4


@inlined
def value_of(habits: Vector, play: int) -> int:
    """Return what it is worth to hold a group: less than nothing for one that has to be got rid of."""
    value = habits[ROW * kind_of(play) + key_of(play)]
    if kind_of(play) == BOMB:
        value += habits[BOMB_STEP] * (size_of(play) - _SMALLEST_BOMB)
    return int(value)


@njit
def clear(desk: Matrix) -> None:
    """Forget how hands were laid out, before other hands are."""
    for place in range(MOST_SEATS):
        desk[LAID, _LAID * place + _HELD] = 0


@njit
def lay_out(terms: Vector, habits: Vector, hand: Vector, cards: int, desk: Matrix, seat: int) -> tuple[int, int, int]:
    """Write the groups of a seat's hand of so many cards; return how many, in how many turns they go, and their worth.

    Not in a game of sets. Bombs stay whole; then the run that gains most is taken as long as one gains, and the rest is
    played rank by rank. A hand that is still laid out is left as it is.
    """
    laid = desk[LAID, _LAID * seat : _LAID * (seat + 1)]
    if seat == TRYING or laid[_HELD] != cards:
        loose, groups = desk[LOOSE + seat], desk[GROUPS + seat]
        number = _take_bombs(terms, hand, loose, groups)
        number = _take_runs(terms, habits, desk[RUNS], loose, groups, number)
        for rank in range(RANKS):
            count = loose[rank]
            if count > 0:
                width = count if group_played(terms, rank, count) else 1
                for _ in range(count // width):
                    groups[number] = made(width, rank, 1, width)
                    number += 1
        _add_up(terms, habits, groups, number, laid)
        laid[_HELD] = cards
    return laid[_NUMBER], laid[_TURNS], laid[_WORTH]


@njit
def take_group(terms: Vector, habits: Vector, play: int, desk: Matrix, seat: int) -> None:
    """Take a play out of a hand that is laid out; if it is none of the groups, the hand is to be laid out anew."""
    laid, loose, groups = desk[LAID, _LAID * seat : _LAID * (seat + 1)], desk[LOOSE + seat], desk[GROUPS + seat]
    number, kept = laid[_NUMBER], 0
    for place in range(number):
        if groups[place] != play or kept < place:
            groups[kept] = groups[place]
            kept += 1
    laid[_HELD] = laid[_HELD] - size_of(play) if kept < number else 0
    if kept < number:
        if kind_of(play) <= TRIO:
            loose[key_of(play)] -= size_of(play)
        _add_up(terms, habits, groups, kept, laid)


@njit
def _add_up(terms: Vector, habits: Vector, groups: Vector, number: int, laid: Vector) -> None:
    """Note the number of groups, turns and worth of a hand.

    Where trios carry kickers, the lowest groups go with them: they take no turn and count nothing.
    """
    carried, turns, worth = 0, 0, 0
    if terms[KICKERS]:
        for place in range(number):
            if kind_of(groups[place]) == TRIO or kind_of(groups[place]) == TRIO_STRAIGHT:  # a set is slow here
                carried += length_of(groups[place])
    for place in range(number):
        value = value_of(habits, groups[place])
        if carried > 0 and value < 0 and kind_of(groups[place]) < TRIO:
            carried -= 1
        else:
            worth += value
            turns += 1
    laid[_NUMBER], laid[_TURNS], laid[_WORTH] = number, turns, worth


@inlined
def _take_bombs(terms: Vector, hand: Vector, loose: Vector, groups: Vector) -> int:
    """Write a hand's bombs as its first groups, and the rest as loose cards; return how many groups there are."""
    number = 0
    for rank in range(RANKS):
        loose[rank] = hand[rank]
        if hand[rank] >= _SMALLEST_BOMB:
            groups[number] = made_bomb(terms, rank, min(hand[rank], terms[LARGEST_BOMB]))
            loose[rank] -= size_of(groups[number])
            number += 1
    if terms[JOKER_BOMB_PLAYED] and hand[RANKS - 1] > 0:
        jokers = made_joker_bomb(terms)
        if holds(hand, jokers):
            groups[number] = jokers
            number += 1
            loose[RANKS - 2] = 0
            loose[RANKS - 1] = 0
    return number


@njit
def _take_runs(terms: Vector, habits: Vector, runs: Vector, loose: Vector, groups: Vector, number: int) -> int:
    """Take runs out of the loose cards, behind so many groups; return how many groups there are then."""
    if not _has_run(terms, loose):
        return number
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


@inlined
def _has_run(terms: Vector, loose: Vector) -> bool:
    """Tell whether there is any run: of most hands it is soon said that there is none."""
    found = False
    for width in range(1, 4):
        wide = 0
        for rank in range(ACE + 1):
            wide |= (loose[rank] >= width) << rank
        shortest = terms[STRAIGHT_FROM + width - 1]
        for _ in range(1, shortest):
            wide &= wide >> 1
        found |= shortest > 0 and wide != 0
    return found


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
