"""The play of a climbing deal inside a world, as the search's kernels hold it.

A world is fully known to the kernels: `hands[seat]` are counts of fifteen ranks. The *state* is an int64 vector of
all else, read by the names below. What is legal, whose turn it is, when the deal is over and what it is worth are
asked of `junto.games.climbing`. A policy may look at what its seat knows alone (see `junto.search.climbing.policy`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing import scoring
from junto.games.climbing.course import NOBODY, is_over, may_apply, next_answer, next_holder, next_leader
from junto.games.climbing.kernel import (
    BOMB,
    JOKER_BOMB,
    NO_PLAY,
    RANKS,
    SEATS,
    count_of,
    kind_of,
    named_of,
    size_of,
)
from junto.games.climbing.scoring import BOMBS, DECLARER, DECLARER_PLAYS, OTHER_PLAYS, PARTNER, STAKES
from junto.games.jit import inlined, njit

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

MOST_SEATS: Final = 5
HOLDING, TOP, OWNER, TURN, APPLICANT, OUT, NAMED_RANK, ALL_KNOW, STAKES_AT = range(9)
"""Places of the state vector.

Seats HOLDING cards, as bits; the TOP play (`NO_PLAY`: the seat leads) and its OWNER; whose TURN it is, `NOBODY` once
the deal is over; the APPLICANT for the lead; how many seats are OUT; the rank of the card that names the guard,
`NOBODY` where there is none; whether ALL_KNOW who is on whose side; then the scoring's stakes.
"""
SIZES: Final = STAKES_AT + STAKES
PLACES: Final = SIZES + MOST_SEATS
COPIES: Final = PLACES + MOST_SEATS
LEFT: Final = COPIES + MOST_SEATS
STATE: Final = LEFT + RANKS
"""Further places: by seat its cards, its place once it is out, its copies of the named card; by rank the cards that
nobody has played; the state's length."""
PASS: Final = 0
APPLY: Final = -1
"""Actions that are no plays."""


@njit
def begin(terms: Vector, state: Vector, hands: Matrix, leader: int) -> None:
    """Write the state before a lead in which these are all the cards that are left; nobody is declarer or is out.

    The stakes, the places of seats that are out and what concerns a named card are the caller's to write.
    """
    for place in range(STATE):
        state[place] = 0
    for seat in range(terms[SEATS]):
        for rank in range(RANKS):
            state[SIZES + seat] += hands[seat, rank]
            state[LEFT + rank] += hands[seat, rank]
        if state[SIZES + seat] > 0:
            state[HOLDING] |= 1 << seat
    state[OWNER] = leader
    state[TURN] = leader
    state[APPLICANT] = NOBODY
    state[NAMED_RANK] = NOBODY
    state[ALL_KNOW] = 1
    state[STAKES_AT + DECLARER] = NOBODY
    state[STAKES_AT + PARTNER] = NOBODY


@inlined
def may_ask(terms: Vector, state: Vector) -> bool:
    """Tell whether the seat to act may ask for the lead."""
    return bool(state[TOP] != NO_PLAY and may_apply(terms, state[HOLDING], state[OWNER], state[APPLICANT]))


@njit
def act(terms: Vector, state: Vector, hands: Matrix, action: int) -> None:
    """Carry out the turn's action: a play of its hand, `PASS` or `APPLY`; legal, which is not checked."""
    seat, seats = state[TURN], terms[SEATS]
    if action == APPLY:
        state[APPLICANT] = seat
    elif action != PASS:
        _lay(state, hands, seat, action)
        if state[SIZES + seat] == 0:
            state[HOLDING] ^= 1 << seat
            leave(seats, state, state[HOLDING], seat)
            if is_over(terms, state[HOLDING]):
                state[TURN] = NOBODY
                return
    state[TURN] = next_answer(seats, state[HOLDING], seat, state[OWNER])
    if state[TURN] == NOBODY:
        state[TURN] = next_leader(terms, state[HOLDING], state[OWNER], state[APPLICANT])
        state[TOP] = NO_PLAY
        state[APPLICANT] = NOBODY


@inlined
def _lay(state: Vector, hands: Matrix, seat: int, play: int) -> None:
    """Move a play's cards from a hand to the table, and note what it changes."""
    for rank in range(RANKS):
        count = count_of(play, rank)
        hands[seat, rank] -= count
        state[LEFT + rank] -= count
    state[SIZES + seat] -= size_of(play)
    state[TOP] = play
    state[OWNER] = seat
    state[APPLICANT] = NOBODY
    by_declarer = seat == state[STAKES_AT + DECLARER]
    state[STAKES_AT + (DECLARER_PLAYS if by_declarer else OTHER_PLAYS)] += 1
    if kind_of(play) == BOMB or kind_of(play) == JOKER_BOMB:  # a set is slow here
        state[STAKES_AT + BOMBS] += 1
    if named_of(play) > 0:
        state[COPIES + seat] -= named_of(play)
        alone = state[STAKES_AT + PARTNER] == NOBODY and state[COPIES + seat] == 0
        if not by_declarer or alone:
            state[ALL_KNOW] = 1


@inlined
def leave(seats: int, state: Vector, holding: int, seat: int) -> None:
    """Note the place of a seat that is out of cards; a single one that is left `holding` some is last."""
    state[OUT] += 1
    state[PLACES + seat] = state[OUT]
    if holding & (holding - 1) == 0:
        state[PLACES + next_holder(seats, holding, seat)] = seats


@njit
def score(terms: Vector, state: Vector, scores: Vector) -> None:
    """Write every seat's points of a deal that is over."""
    stakes, places = state[STAKES_AT : STAKES_AT + STAKES], state[PLACES : PLACES + MOST_SEATS]
    scoring.write_scores(scores, terms, stakes, places)
