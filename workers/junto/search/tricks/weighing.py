"""How well a world explains what the seats have done, compiled: a weight for each world that is drawn.

Every consistent deal is equally likely before anybody acts. A bid, a call or a card makes those deals likelier
in which the rules of thumb would have acted so. Nobody follows them to the letter, so an action against them
only divides a world's weight by some number. (Policy-based inference as in Skat: Rebstock et al., CoG 2019.)
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import njit
from junto.games.tricks.bits import count_cards
from junto.games.tricks.kernel import COUNTING, SEATS, SECRETARIES, TWOS, WHOLE_SUIT
from junto.search.streams import draw_fraction, start_stream
from junto.search.tricks.policy import choose_follow, choose_lead
from junto.search.tricks.setup import (
    FORCED_SOLO,
    PER_STEP,
    best_trump,
    bid_trump,
    worth_bidding,
)
from junto.search.tricks.state import COUNT, DECLARER, copy_into, legal_now, open_hand, play_card
from junto.search.worlds.graph import Weights
from junto.search.worlds.sets import draw_world

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

BID_MADE, PASSED_OVER, PLAYED, CALLS = range(4)
"""Columns of a seat's `calls`: its highest bid, the lowest bid it passed over last (0: none), the cards it played."""
OWN_CARD_CALLED: Final = 0.08
"""How likely the declarer is to call a card of his own, as against one that he lacks."""
OTHER_TRUMP: Final = 0.35
"""How likely he is to name a suit that is not his best one."""
BID_DOUBT: Final = 0.35
"""What a whole bidding step between a bid or pass and the hand's worth does to a world's weight."""
LEAD_DOUBT: Final = 0.6
FOLLOW_DOUBT: Final = 0.35
"""What a card against the rules of thumb does to it."""
RANGE_DOUBT: Final = 0.5
"""What a point outside what a bridge hand's calls have shown does to it; a card of a suit counts as two."""
_MOST_OUTSIDE: Final = 12
LEAST_WEIGHT: Final = 1e-12
PICK_STREAM: Final = 2
"""What this stream of a world is for: which row of the pool it is."""


@njit
def _doubted(weight: float, hundredths: int) -> float:
    """Return a weight after calls that are so far from a hand's worth."""
    while hundredths > 0:
        weight *= BID_DOUBT
        hundredths -= 100
    return weight


@njit
def _call_weight(
    house: Vector, rules: Vector, features: Vector, hand: int, declarer: bool, trump: int, calls: Vector
) -> float:
    """Weigh a seat's calls against its hand: as dealt, the declarer's as he kept it."""
    weight = 1.0
    bid = 100 * calls[BID_MADE] // house[PER_STEP]
    if not declarer:
        suit = bid_trump(house, calls[BID_MADE]) if bid > 0 else -1
        best = best_trump(house, features, hand)
        worth = worth_bidding(house, features, hand, best)
        if bid > 0:
            weight = _doubted(weight, bid - worth)
        if calls[PASSED_OVER] > 0:
            weight = _doubted(weight, worth - 100 * calls[PASSED_OVER] // house[PER_STEP])
        if suit >= 0 and suit != best:
            weight *= OTHER_TRUMP
    elif trump >= 0:
        weight = _doubted(weight, bid - worth_bidding(house, features, hand, trump))
        if best_trump(house, features, hand) != trump:
            weight *= OTHER_TRUMP
        if not house[FORCED_SOLO] and hand & rules[SECRETARIES]:
            weight *= OWN_CARD_CALLED
    return weight


@njit
def _range_weight(ranges: Vector, hand: int) -> float:
    """Weigh thirteen cards against what the calls of a bridge auction have shown (points, then lengths by suit)."""
    points = 0
    for rank in range(9, 13):
        points += (rank - 8) * count_cards(hand & TWOS << rank)
    outside = max(0, ranges[0] - points) + max(0, points - ranges[1])
    for suit in range(4):
        length = count_cards(hand >> (13 * suit) & WHOLE_SUIT)
        outside += 2 * (max(0, ranges[2 + 2 * suit] - length) + max(0, length - ranges[3 + 2 * suit]))
    weight = 1.0
    for _ in range(min(outside, _MOST_OUTSIDE)):
        weight *= RANGE_DOUBT
    return weight


@njit
def _play_weight(rules: Vector, above: Vector, state: Vector, hands: Vector, seat: int, plays: Matrix) -> float:
    """Weigh the cards that the other seats played; `hands` are as before the first, and are written."""
    weight = 1.0
    seats = rules[SEATS]
    declarer = state[DECLARER]
    for play in range(plays.shape[0]):
        player, card = plays[play, 0], plays[play, 1]
        hand = hands[player]
        if player != seat:
            known = open_hand(state, hands, player)
            if player == declarer:
                known |= hands[seats]
            if state[COUNT] == 0:
                chosen, _ = choose_lead(rules, state, player, hand, known)
                if not _alike(rules, chosen, card):
                    weight *= LEAD_DOUBT
            elif legal_now(rules, state, hand) & ~(1 << card):
                chosen = choose_follow(rules, above, state, player, hand, known)
                if not _alike(rules, chosen, card):
                    weight *= FOLLOW_DOUBT
        hands[player] = hand & ~(1 << card)
        play_card(rules, state, player, card, plays[play, 2], plays[play, 3])
    return weight


@njit
def _alike(rules: Vector, card: int, other: int) -> bool:
    """Tell whether two cards are of one suit and both count, or neither."""
    return card // 13 == other // 13 and (rules[COUNTING] >> card & 1) == (rules[COUNTING] >> other & 1)


@njit
def draw_weighted(
    plan: Vector, odds: Weights, house: Vector, rules: Vector, above: Vector, begun: Vector, seat: int,
    declarer: int, trump: int, calls: Matrix, ranges: Matrix, plays: Matrix, seed: int, first: int, pool: Matrix,
    weights: Weights,
    hands: Vector, state: Vector, features: Vector, stream: Vector, scratch: Vector,
) -> None:  # fmt: skip
    """Draw the worlds from number `first` on into the rows of `pool` behind it, with their weights.

    A row is the hands by place; `pool` holds what is known beforehand. `declarer`, `trump` are -1 while there
    is none. `house` is empty where no partner's card is called, `ranges` where no bridge was bid; `begun` is the
    state before the first lead, with `rules`, and `plays` count from the first card on.
    """
    for world in range(first, pool.shape[0]):
        row = pool[world]
        start_stream(stream, seed, world, 0)
        draw_world(plan, odds, row, stream, scratch)
        weight = 1.0
        for other in range(calls.shape[0]):
            if other == seat:
                continue
            hand = row[other] | calls[other, PLAYED]
            if house.shape[0] > 0:
                weight *= _call_weight(house, rules, features, hand, other == declarer, trump, calls[other])
            if ranges.shape[0] > 0:
                weight *= _range_weight(ranges[other], hand)
        if plays.shape[0] > 0:
            copy_into(hands, row)
            for other in range(calls.shape[0]):
                hands[other] |= calls[other, PLAYED]
            copy_into(state, begun)
            weight *= _play_weight(rules, above, state, hands, seat, plays)
        weights[world] = max(weight, LEAST_WEIGHT)


@njit
def pick_worlds(cumulative: Weights, seed: int, first: int, rows: Vector, stream: Vector) -> None:
    """Write which row of the pool each world from number `first` on is: rows are picked by their weights.

    `cumulative` are the running sums of the weights.
    """
    for place in range(rows.shape[0]):
        start_stream(stream, seed, first + place, PICK_STREAM)
        point = draw_fraction(stream) * cumulative[cumulative.shape[0] - 1]
        low = 0
        high = cumulative.shape[0] - 1
        while low < high:
            middle = (low + high) // 2
            if cumulative[middle] > point:
                high = middle
            else:
                low = middle + 1
        rows[place] = low
