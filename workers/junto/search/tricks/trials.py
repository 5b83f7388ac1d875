"""Try candidates in sampled worlds: the kernels of the `pimc` strategy for every decision of a trick-taking game.

Each world is drawn once and every candidate is tried in it, with the same random numbers after it: differences
between candidates are paired. A result is the score, in points, of the seat that decides.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import njit
from junto.games.napoleon.bidding import AUCTION, BID, BIDDER, note_call
from junto.games.tricks import kernel
from junto.games.tricks.kernel import BURIED, BURIED_TO_LAST, NOBODY, SEATS, SECOND_SECRETARY, SECRETARY, TRICKS
from junto.search.streams import start_stream
from junto.search.tricks.endings import play_best, side_of
from junto.search.tricks.playouts import holder_of, play_on, score_world
from junto.search.tricks.setup import (
    FEATURES,
    PASS_IS_FINAL,
    bid_amount,
    bid_limit,
    bid_trump,
    finish_auction,
    finish_deal,
)
from junto.search.tricks.state import ABOVE, DECLARER, ON_TABLE, STATE, copy_into, play_card

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

PLAY_STREAM: Final = 1
"""What this stream of a world is for: the play after every candidate."""
NOISE: Final = 24
"""Of 256 cards in a playout so many are played at random, so that no rule of thumb is taken for certain."""


@njit
def try_plays(
    pool: Matrix, rows: Vector, rules: Vector, above: Vector, begun: Vector, tally: Vector, holders: Vector,
    turn: int, owner: int, until: int, memory: Matrix, candidates: Matrix, active: Vector, seed: int, first: int,
    results: Matrix,
    hands: Vector, state: Vector, points: Vector, scores: Vector, stream: Vector,
) -> None:  # fmt: skip
    """Write `results[candidate, world]` for the active candidates and the worlds from number `first` on.

    `pool[rows[k]]` are the hands by place of the k-th of them. `begun` is the state, `tally` the points of each
    place so far, `holders` who is known to hold or have held the called cards (-1: not known). The card is played
    from the hand at `turn`; the score is that of `owner`. A candidate is (card, suit named, cards called). The
    tricks from number `until` on are solved with a `memory` (see `endings`), those before are played by the rules of
    thumb. The vectors from `hands` on are written.
    """
    seats = rules[SEATS]
    for world in range(results.shape[1]):
        drawn = pool[rows[world]]
        holder = holders[0] if holders[0] >= 0 else holder_of(drawn, seats, rules[SECRETARY])
        second_holder = holders[1] if holders[1] >= 0 else holder_of(drawn, seats, rules[SECOND_SECRETARY])
        for place in range(active.shape[0]):
            candidate = active[place]
            copy_into(hands, drawn)
            copy_into(state, begun)
            copy_into(points, tally)
            start_stream(stream, seed, first + world, PLAY_STREAM)
            card = candidates[candidate, 0]
            hands[turn] ^= 1 << card
            winner = play_card(rules, state, turn, card, candidates[candidate, 1], candidates[candidate, 2])
            if winner >= 0:
                points[winner] += kernel.trick_points(rules, state[ON_TABLE])
            play_on(rules, above, state, hands, points, until, NOISE, stream)
            put_back = drawn[seats]
            if until < rules[TRICKS]:
                play_best(rules, state, hands, points, side_of(state[DECLARER], holder, second_holder), memory)
                put_back = 0 if rules[BURIED] == BURIED_TO_LAST else put_back
            score_world(scores, rules, state, points, put_back, holder, second_holder)
            results[candidate, world] = scores[owner]


@njit
def try_deals(
    house: Vector, pool: Matrix, rows: Vector, seat: int, auction: Vector, candidates: Matrix, active: Vector,
    seed: int, first: int, results: Matrix,
    hands: Vector, state: Vector, points: Vector, scores: Vector, stream: Vector,
    rules: Vector, above: Vector, features: Vector, limits: Vector, calls: Vector,
) -> None:  # fmt: skip
    """Write the results of candidates before the play, see `try_plays`.

    In the auction a candidate's first number is a bid's height, 0 for a pass. Later calls, the set-up and the play
    follow the rules of thumb; a deal in which all pass counts 0.

    Afterwards `auction` is empty, `seat` is the declarer, and a candidate is (bid, trumps, cards put back,
    card called, second card called, whether trumps may still be changed) with -1 for what is not settled by then;
    the bid counts a change of trumps.
    """
    seats = house[SEATS]
    calling = auction.shape[0] > 0
    for world in range(results.shape[1]):
        drawn = pool[rows[world]]
        if calling:
            for other in range(seats):
                limits[other] = bid_limit(house, features, drawn[other])
        for place in range(active.shape[0]):
            candidate = active[place]
            copy_into(hands, drawn)
            start_stream(stream, seed, first + world, PLAY_STREAM)
            declarer = seat
            bid, trump = candidates[candidate, 0], candidates[candidate, 1]
            if calling:
                copy_into(calls, auction)
                note_call(calls, seat, bid, house[PASS_IS_FINAL])
                finish_auction(house, limits, calls, seat)
                declarer = calls[BIDDER]
                trump = bid_trump(house, calls[BID])
                bid = bid_amount(house, calls[BID])
            results[candidate, world] = 0
            if declarer != NOBODY:
                finish_deal(
                    house, hands, declarer, bid, trump, candidates[candidate, 2],
                    candidates[candidate, 3], candidates[candidate, 4], candidates[candidate, 5], NOISE,
                    rules, above, state, points, scores, features, stream,
                )  # fmt: skip
                results[candidate, world] = scores[seat]


def desk_for_plays(seats: int) -> tuple[Vector, ...]:
    """Return the vectors that `try_plays` writes on, made once per decision."""
    return tuple(np.zeros(length, np.int64) for length in (seats + 1, STATE, 7, 7, 2))


def desk_for_deals(seats: int) -> tuple[Vector, ...]:
    """Return the vectors that `try_deals` writes on."""
    more = (kernel.RULES, ABOVE, FEATURES, 7, AUCTION)
    return (*desk_for_plays(seats), *(np.zeros(length, np.int64) for length in more))
