"""Try candidates in sampled worlds: the kernels of the `pimc` strategy for the decisions of a climbing game.

Every candidate is tried in the same worlds, with the same random numbers: differences
between candidates are paired. A result is the score, in points, of the seat that decides; in a game of two teams, what
its team has more than the other.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY
from junto.games.climbing.kernel import RANKS, SEATS
from junto.games.climbing.scoring import BID, DECLARER, PARTNER
from junto.games.jit import njit
from junto.search.climbing.before_play import worth_of
from junto.search.climbing.groups import ENDING_KEYS, ROWS, clear
from junto.search.climbing.playouts import MOST_PLAYS, play_on
from junto.search.climbing.state import (
    ALL_KNOW,
    COPIES,
    MOST_SEATS,
    NAMED_RANK,
    STAKES_AT,
    STATE,
    act,
    begin,
)
from junto.search.climbing.worlds import COPIES_AT, Table, World
from junto.search.streams import start_stream

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

PLAY_STREAM: Final = 1
"""What this stream of a world is for: the play after every candidate."""
NOISE: Final = 2
"""Of 256 actions in a playout so many are anything legal, so that no rule of thumb is taken for certain."""
AS_IT_IS: Final = -2
"""A candidate of which the state tells all: nothing is done before the playout."""


@njit
def try_plays(
    terms: Vector, habits: Vector, begun: Vector, seat: int, table: Table, rows: Vector, candidates: Vector,
    active: Vector, seed: int, first: int, results: Matrix,
    hands: Matrix, state: Vector, scores: Vector, desk: Matrix, stream: Vector,
) -> None:  # fmt: skip
    """Write `results[candidate, world]` for the active candidates and the worlds from number `first` on.

    `rows` say which of the `table` these worlds are; `begun` is the state. A candidate is an action of the turn. The
    score is that of `seat`. What follows `results` is written on.
    """
    for world in range(results.shape[1]):
        for number in range(active.shape[0]):
            candidate = active[number]
            begin_world(terms, begun, table[rows[world]], state, hands)
            start_stream(stream, seed, first + world, PLAY_STREAM)
            if candidates[candidate] != AS_IT_IS:
                act(terms, state, hands, candidates[candidate])
            results[candidate, world] = play_on(terms, habits, state, hands, seat, NOISE, desk, stream, scores)


@njit
def try_bids(
    terms: Vector, habits: Vector, weights: Vector, bids_from: Vector, seat: int, callers: Vector, highest: int,
    bidder: int, table: Table, rows: Vector, candidates: Vector, active: Vector, seed: int, first: int,
    results: Matrix,
    hands: Matrix, state: Vector, scores: Vector, desk: Matrix, stream: Vector,
) -> None:  # fmt: skip
    """Write the results of bids, 0 for a pass, in an auction in which `bidder` has bid the `highest`; see `try_plays`.

    The `callers` are the seats that call later, in order: each bids what its hand is worth, if that is more. The last
    place is the kitty. A deal in which all pass counts 0.
    """
    seats = terms[SEATS]
    for world in range(results.shape[1]):
        dealt = table[rows[world]]
        for number in range(active.shape[0]):
            candidate = active[number]
            bid, landlord = max(highest, candidates[candidate]), seat if candidates[candidate] > 0 else bidder
            for caller in callers:
                for rank in range(RANKS):
                    hands[caller, rank] = dealt[caller, rank]
                worth = worth_of(terms, habits, weights, hands[caller], desk)
                limit = 0
                for least in bids_from:
                    limit += worth >= least
                if limit > bid:
                    bid, landlord = limit, caller
            results[candidate, world] = 0
            if landlord != NOBODY:
                for other in range(seats):
                    for rank in range(RANKS):
                        hands[other, rank] = dealt[other, rank] + (dealt[seats, rank] if other == landlord else 0)
                begin(terms, state, hands, landlord)
                state[STAKES_AT + DECLARER] = landlord
                state[STAKES_AT + BID] = bid
                start_stream(stream, seed, first + world, PLAY_STREAM)
                results[candidate, world] = play_on(terms, habits, state, hands, seat, NOISE, desk, stream, scores)


@njit
def begin_world(terms: Vector, begun: Vector, dealt: World, state: Vector, hands: Matrix) -> None:
    """Write the state and the hands of a world: who holds the named card, if not all know it, is the guard."""
    for place in range(STATE):
        state[place] = begun[place]
    for seat in range(terms[SEATS]):
        for rank in range(RANKS):
            hands[seat, rank] = dealt[seat, rank]
        if state[NAMED_RANK] != NOBODY:
            copies = np.int64(dealt[seat, COPIES_AT])
            state[COPIES + seat] = copies
            if copies > 0 and not state[ALL_KNOW] and seat != state[STAKES_AT + DECLARER]:
                state[STAKES_AT + PARTNER] = seat


def new_desk() -> Matrix:
    """Return a desk for the rules of thumb."""
    return np.zeros((ROWS, MOST_PLAYS), np.int64)


class _Desks(threading.local):
    """A desk for each thread."""

    def __init__(self) -> None:
        self.desk = new_desk()


_DESKS: Final = _Desks()


def own_desk() -> Matrix:
    """Return this thread's desk, cleared: a decision has it for itself. To make one takes as long as many playouts."""
    desk = _DESKS.desk
    clear(desk)
    desk[ENDING_KEYS] = 0
    return desk


def tables_for() -> tuple[Matrix, Vector, Vector, Matrix, Vector]:
    """Return what `try_plays` and `try_bids` write on, for one decision."""
    return (
        np.zeros((MOST_SEATS, RANKS), np.int64),
        np.zeros(STATE, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        own_desk(),
        np.zeros(2, np.int64),
    )
