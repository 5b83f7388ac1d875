"""How likely a play stays on top, as far as its seat can tell: nobody's hand is looked at but its own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import (
    ACE,
    BIG,
    JOKER_BOMB,
    RANKS,
    SEATS,
    SETS,
    SMALL,
    STRAIGHT,
    TRIO_STRAIGHT,
    UNBEATABLE,
    big_needed,
    group_played,
    key_of,
    kind_of,
    length_of,
    size_of,
    width_of,
)
from junto.games.jit import njit
from junto.search.climbing.habits import CERTAIN, SHARES, odds_of
from junto.search.climbing.state import SIZES

Vector = npt.NDArray[np.int64]


@njit
def chance_to_hold(
    terms: Vector, habits: Vector, state: Vector, unseen: Vector, others: int, rivals: int, play: int
) -> int:
    """Return the chance, of `CERTAIN`, that no rival lays a like play on this one; bombs are not reckoned with.

    `unseen` are the cards that the seat does not see, `others` their number, `rivals` the seats that would beat it.
    """
    size, number, cards = size_of(play), 0, 0
    for seat in range(terms[SEATS]):
        if rivals >> seat & 1 and state[SIZES + seat] >= size:
            number += 1
            cards += state[SIZES + seat]
    if number == 0 or kind_of(play) == JOKER_BOMB:
        return CERTAIN
    share = min(SHARES, SHARES * cards // (number * others))
    if terms[SETS]:
        safe = _set_holds(terms, habits, unseen, share, play)
    elif STRAIGHT <= kind_of(play) <= TRIO_STRAIGHT:
        safe = _run_holds(habits, unseen, share, play)
    else:
        safe, width = CERTAIN, width_of(play)
        for rank in range(key_of(play) + 1, RANKS):
            if group_played(terms, rank, width):
                safe = safe * (CERTAIN - odds_of(habits, width, unseen[rank], share)) >> 10
    chance = safe
    for _ in range(number - 1):
        chance = chance * safe >> 10
    return chance


@njit
def _run_holds(habits: Vector, unseen: Vector, share: int, run: int) -> int:
    safe, length, width = CERTAIN, length_of(run), width_of(run)
    for last in range(key_of(run) + 1, ACE + 1):
        chance = CERTAIN
        for rank in range(last - length + 1, last + 1):
            chance = chance * odds_of(habits, width, unseen[rank], share) >> 10
        safe = safe * (CERTAIN - chance) >> 10
    return safe


@njit
def _set_holds(terms: Vector, habits: Vector, unseen: Vector, share: int, play: int) -> int:
    """Of a set that is beaten by as many cards of a higher rank: one of them may be a joker."""
    needed = big_needed(terms, play)
    if needed == UNBEATABLE:
        return CERTAIN
    width = size_of(play) - needed
    joker = odds_of(habits, 1, unseen[SMALL] + unseen[BIG], share)
    safe = CERTAIN
    for rank in range(key_of(play) + 1, RANKS):
        if unseen[rank] >= width - 1:
            chance = odds_of(habits, width, unseen[rank], share)
            if rank < SMALL and width > 1:
                chance += (odds_of(habits, width - 1, unseen[rank], share) - chance) * joker >> 10
            safe = safe * (CERTAIN - chance) >> 10
    if needed > 0:
        safe = CERTAIN - ((CERTAIN - safe) * odds_of(habits, needed, unseen[BIG], share) >> 10)
    return safe
