"""Try candidates in sampled worlds: the kernels of the `pimc` strategy for the decisions of a climbing game.

Each world is drawn once and every candidate is tried in it, with the same random numbers after it: differences
between candidates are paired. A result is the score, in points, of the seat that decides; in a game of two teams, what
its team has more than the other.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY
from junto.games.climbing.kernel import RANKS, SEATS
from junto.games.climbing.scoring import BID, DECLARER, PARTNER
from junto.games.jit import njit
from junto.search.climbing.before_play import worth_of
from junto.search.climbing.groups import ROWS
from junto.search.climbing.history import weight_of
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
from junto.search.streams import draw_fraction, start_stream
from junto.search.worlds.layout import SCRATCH
from junto.search.worlds.ranks import draw_ranks

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]

WORLD_STREAM, PLAY_STREAM = range(2)
"""What the streams of a world are for: the cards, and the play after every candidate."""
NOISE: Final = 2
"""Of 256 actions in a playout so many are anything legal, so that no rule of thumb is taken for certain."""
DRAWS: Final = 16
"""So many worlds are drawn for each that is played, to pick the one that explains best what others have done."""
AS_IT_IS: Final = -2
"""A candidate of which the state tells all: nothing is done before the playout."""


@njit
def try_plays(
    plan: Vector, odds: Weights, seen: Matrix, copies: Vector, terms: Vector, habits: Vector, begun: Vector, seat: int,
    states: Matrix, done: Vector, since: Matrix,
    candidates: Vector, active: Vector, seed: int, first: int, results: Matrix,
    dealt: Matrix, named: Vector, hands: Matrix, state: Vector, scores: Vector, desk: Matrix, stream: Vector,
    scratch: Vector, drawn: Matrix, drawn_named: Vector,
) -> None:  # fmt: skip
    """Write `results[candidate, world]` for the active candidates and the worlds from number `first` on.

    `plan` and `odds` are those of the worlds, `seen` and `copies` the cards known to be in each place. `begun` is the
    state; `states`, `done` and `since` what others have done, see `History`. A candidate is an action of the turn. The
    score is that of `seat`. What follows `results` is written on.
    """
    draws = DRAWS if done.shape[0] > 0 else 1
    for world in range(results.shape[1]):
        start_stream(stream, seed, first + world, WORLD_STREAM)
        total = 0.0
        for _ in range(draws):
            for place in range(seen.shape[0]):
                drawn_named[place] = copies[place]
                for rank in range(RANKS):
                    drawn[place, rank] = seen[place, rank]
            draw_ranks(plan, odds, drawn, drawn_named, stream, scratch)
            weight = 1.0
            if draws > 1:
                weight = weight_of(terms, habits, states, done, since, drawn, drawn_named, state, hands[0], desk)
            total += weight
            if draw_fraction(stream) * total < weight:
                for place in range(seen.shape[0]):
                    named[place] = drawn_named[place]
                    for rank in range(RANKS):
                        dealt[place, rank] = drawn[place, rank]
        for number in range(active.shape[0]):
            candidate = active[number]
            begin_world(terms, begun, dealt, named, state, hands)
            start_stream(stream, seed, first + world, PLAY_STREAM)
            if candidates[candidate] != AS_IT_IS:
                act(terms, state, hands, candidates[candidate])
            results[candidate, world] = play_on(terms, habits, state, hands, seat, NOISE, desk, stream, scores)


@njit
def try_bids(
    plan: Vector, odds: Weights, seen: Matrix, terms: Vector, habits: Vector, weights: Vector, bids_from: Vector,
    seat: int, callers: Vector, highest: int, bidder: int, candidates: Vector, active: Vector, seed: int, first: int,
    results: Matrix,
    dealt: Matrix, named: Vector, hands: Matrix, state: Vector, scores: Vector, desk: Matrix, stream: Vector,
    scratch: Vector,
) -> None:  # fmt: skip
    """Write the results of bids, 0 for a pass, in an auction in which `bidder` has bid the `highest`; see `try_plays`.

    The `callers` are the seats that call later, in order: each bids what its hand is worth, if that is more. The last
    place is the kitty. A deal in which all pass counts 0.
    """
    seats = terms[SEATS]
    for world in range(results.shape[1]):
        for place in range(seats + 1):
            for rank in range(RANKS):
                dealt[place, rank] = seen[place, rank]
        start_stream(stream, seed, first + world, WORLD_STREAM)
        draw_ranks(plan, odds, dealt, named, stream, scratch)
        for number in range(active.shape[0]):
            candidate = active[number]
            bid, landlord = max(highest, candidates[candidate]), seat if candidates[candidate] > 0 else bidder
            for caller in callers:
                worth = worth_of(terms, habits, weights, dealt[caller], desk)
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
def begin_world(terms: Vector, begun: Vector, dealt: Matrix, named: Vector, state: Vector, hands: Matrix) -> None:
    """Write the state and the hands of a world: who holds the named card, if not all know it, is the guard."""
    for place in range(STATE):
        state[place] = begun[place]
    for seat in range(terms[SEATS]):
        for rank in range(RANKS):
            hands[seat, rank] = dealt[seat, rank]
        if state[NAMED_RANK] != NOBODY:
            state[COPIES + seat] = named[seat]
            if named[seat] > 0 and not state[ALL_KNOW] and seat != state[STAKES_AT + DECLARER]:
                state[STAKES_AT + PARTNER] = seat


def new_desk() -> Matrix:
    """Return a desk for the rules of thumb."""
    return np.zeros((ROWS, MOST_PLAYS), np.int64)


def tables_for(places: int) -> tuple[npt.NDArray[np.int64], ...]:
    """Return what `try_plays` writes on, made once per decision."""
    return (
        np.zeros((places, RANKS), np.int64),
        np.zeros(places, np.int64),
        np.zeros((places, RANKS), np.int64),
        np.zeros(STATE, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        new_desk(),
        np.zeros(2, np.int64),
        np.zeros(SCRATCH, np.int64),
        np.zeros((places, RANKS), np.int64),
        np.zeros(places, np.int64),
    )
