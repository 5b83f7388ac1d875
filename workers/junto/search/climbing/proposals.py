"""The plays that a seat chooses from, and what each does to its hand: what it gains, and how many turns remain.

Of leads whole groups are proposed. Of answers those that take a whole group, or part of equal loose cards; only if
there are none, and a foe would lead otherwise, also those that break what the hand is laid out in.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import next_leader
from junto.games.climbing.kernel import (
    BIG,
    BOMB,
    JOKER_BOMB,
    KICKERS,
    NO_PLAY,
    RANKS,
    SETS,
    SMALL,
    TRIO,
    TRIO_STRAIGHT,
    TWO,
    big_of,
    count_of,
    key_of,
    kickers_of,
    kind_of,
    length_of,
    made_set,
    may_play,
    size_of,
    small_of,
    twos_of,
)
from junto.games.climbing.moves import write_plays
from junto.games.jit import inlined, njit
from junto.search.climbing.groups import (
    GAINS,
    GROUPS,
    LOOSE,
    PLAYS,
    REST,
    TRYING,
    TURNS,
    lay_out,
    value_of,
    with_low_kickers,
)
from junto.search.climbing.habits import ROW
from junto.search.climbing.state import APPLICANT, HOLDING, OWNER, SIZES, TOP, TURN

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]


@njit
def propose(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, foes: int) -> int:
    """Write the plays to choose from to the desk, what each gains and how many turns remain; return how many."""
    top, seat = state[TOP], state[TURN]
    if terms[SETS]:
        return _propose_sets(terms, habits, top, hand, desk)
    plays, gains, turns, groups = desk[PLAYS], desk[GAINS], desk[TURNS], desk[GROUPS + seat]
    number = 0
    if top != NO_PLAY:
        number = write_plays(terms, hand, top, plays)
        if number == 0:
            return 0
    laid, in_turns, worth = lay_out(terms, habits, hand, state[SIZES + seat], desk, seat)
    if top == NO_PLAY:
        for place in range(laid):
            plays[place] = groups[place]
            gains[place] = -value_of(habits, groups[place])
            turns[place] = in_turns - 1
            kind = kind_of(groups[place])
            if terms[KICKERS] and kind in (TRIO, TRIO_STRAIGHT):
                plays[place] = with_low_kickers(terms, habits, groups[place], groups, laid)
        return laid
    if kickers_of(top) > 0:
        number = _with_lowest_kickers(habits, hand, plays, min(number, plays.size))
    kept = _keep_groups(habits, desk, seat, laid, in_turns, number)
    if kept > 0:
        return kept
    heir = next_leader(terms, state[HOLDING], state[OWNER], state[APPLICANT])
    if not foes >> heir & 1:
        return 0
    weigh(terms, habits, hand, worth, desk, number)
    return number


@njit
def _keep_groups(habits: Vector, desk: Matrix, seat: int, laid: int, in_turns: int, number: int) -> int:
    """Put plays first that take a whole group, or part of equal loose cards, and write what they gain.

    The hand is laid out in so many groups, to be played in so many turns. Return how many plays they are; 0 also if
    they are nothing but bombs.
    """
    plays, gains, turns = desk[PLAYS], desk[GAINS], desk[TURNS]
    loose, groups = desk[LOOSE + seat], desk[GROUPS + seat]
    kept, plain = 0, 0
    for place in range(number):
        play = plays[place]
        kind, key, size = kind_of(play), key_of(play), size_of(play)
        gain, whole = 0, False
        if kind <= TRIO and loose[key] >= size:
            gain = habits[ROW * (loose[key] - size) + key] - habits[ROW * loose[key] + key]
            whole = loose[key] == size
        elif kind > TRIO and _is_group(groups, laid, play):
            gain, whole = -value_of(habits, play), True
        else:
            continue
        gains[kept], turns[kept] = gain, in_turns - whole
        plays[place] = plays[kept]
        plays[kept] = play
        plain += kind not in (BOMB, JOKER_BOMB)
        kept += 1
    return kept if plain > 0 else 0


@inlined
def _is_group(groups: Vector, number: int, play: int) -> bool:
    found = False
    for place in range(number):
        found |= groups[place] == play
    return found


@njit
def weigh(terms: Vector, habits: Vector, hand: Vector, worth: int, desk: Matrix, number: int) -> None:
    """Write what plays that are no sets gain, and how many turns remain after each, by laying out the rest.

    The hand, as it is, has such a `worth`.
    """
    plays, gains, turns, rest = desk[PLAYS], desk[GAINS], desk[TURNS], desk[REST]
    for place in range(number):
        for rank in range(RANKS):
            rest[rank] = hand[rank] - count_of(plays[place], rank)
        _, turns[place], left = lay_out(terms, habits, rest, 0, desk, TRYING)
        gains[place] = left - worth


@njit
def _with_lowest_kickers(habits: Vector, hand: Vector, plays: Vector, number: int) -> int:
    """Keep of each main group's plays, which stand together, the one whose kickers are missed least."""
    kept, least = 0, 0
    for place in range(number):
        play, cost = plays[place], 0
        for rank in range(RANKS):
            taken = (kickers_of(play) >> 2 * rank) & 3
            if taken > 0:
                count = min(hand[rank], TRIO)
                cost += habits[ROW * max(0, count - taken) + rank] - habits[ROW * count + rank]
        same = kept > 0 and kind_of(plays[kept - 1]) == kind_of(play) and key_of(plays[kept - 1]) == key_of(play)
        if not same:
            kept += 1
        if not same or cost > least:
            least = cost
            plays[kept - 1] = play
    return kept


@njit
def _propose_sets(terms: Vector, habits: Vector, top: int, hand: Vector, desk: Matrix) -> int:
    """Propose sets: of leads all cards of a rank, also with a big joker, and jokers alone; of answers all."""
    plays = desk[PLAYS]
    number, cards = 0, 0
    for rank in range(RANKS):
        cards += hand[rank]
    if top == NO_PLAY:
        for rank in range(RANKS):
            for big in range(2 if hand[BIG] > 0 and rank < BIG else 1):
                if hand[rank] > 0:
                    small = hand[rank] if rank == SMALL else 0
                    own = hand[rank] if rank == BIG else 0
                    play = made_set(rank, hand[rank] if rank <= TWO else 0, 0, small, big + own)
                    if may_play(terms, cards, play):
                        plays[number] = play
                        number += 1
    if top != NO_PLAY or number == 0:
        number = min(write_plays(terms, hand, top, plays), plays.size)
    weigh_sets(habits, hand, desk, number)
    return number


@njit
def weigh_sets(habits: Vector, hand: Vector, desk: Matrix, number: int) -> None:
    """Write what sets gain and how many ranks remain after each."""
    plays, gains, turns = desk[PLAYS], desk[GAINS], desk[TURNS]
    ranks = 0
    for rank in range(RANKS):
        ranks += hand[rank] > 0
    for place in range(number):
        play = plays[place]
        gain, emptied = _taken(habits, hand, min(key_of(play), TWO), length_of(play))
        twos, no_twos = _taken(habits, hand, TWO, twos_of(play))
        small, no_small = _taken(habits, hand, SMALL, small_of(play))
        big, no_big = _taken(habits, hand, BIG, big_of(play))
        gains[place] = gain + twos + small + big
        turns[place] = ranks - emptied - no_twos - no_small - no_big


@inlined
def _taken(habits: Vector, hand: Vector, rank: int, cards: int) -> tuple[int, int]:
    """Return what a set of a game of sets gains by so many cards of a rank; 1 if the hand has no others, else 0."""
    held = hand[rank]
    if cards == 0:
        return 0, 0
    return habits[ROW * (held - cards) + rank] - habits[ROW * held + rank], int(cards == held)
