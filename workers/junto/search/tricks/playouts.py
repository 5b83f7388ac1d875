"""Play a world of a trick-taking game to its end, by the rules of thumb or at random."""
# ruff: noqa: FBT003  # kernels take scalars by position

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, nth_card
from junto.games.tricks.kernel import NOBODY, SEATS
from junto.games.tricks.scoring import add_buried, captured_points, lost_points, write_scores
from junto.search.streams import draw_below
from junto.search.tricks.policy import choose_follow, choose_lead
from junto.search.tricks.state import (
    CONTRACT,
    COUNT,
    DECLARER,
    GONE,
    LEADER,
    ON_TABLE,
    TRICK,
    legal_now,
    open_hand,
    play_card,
)

Vector = npt.NDArray[np.int64]


@inlined
def random_card(cards: int, stream: Vector) -> int:
    """Draw a card of a set that is not empty."""
    return nth_card(cards, draw_below(stream, count_cards(cards)))


@njit
def random_lead(
    rules: Vector, trick: int, by_declarer: bool, hand: int, gone: int, stream: Vector
) -> tuple[int, int, int]:
    """Draw a card to lead, a suit if it names one, and for each call that it may make whether to make it."""
    card = random_card(hand, stream)
    naming = draw_below(stream, 4) if kernel.names_suit(rules, card) else -1
    joker = kernel.callable_cards(rules, trick, card, False, gone)
    called = 0
    if joker and draw_below(stream, 2):
        called = joker
    if by_declarer:
        secretaries = kernel.callable_cards(rules, trick, card, True, gone) & ~joker
        if secretaries and draw_below(stream, 2):
            called |= 1 << random_card(secretaries, stream)
    return card, naming, called


@njit
def play_on(
    rules: Vector, above: Vector, state: Vector, hands: Vector, points: Vector, until: int, noise: int, stream: Vector
) -> None:
    """Play a world from the state it is in on until trick `until`: `hands` run empty, `points[seat]` rise.

    `noise` of 256 cards are played at random (256: all), the rest by the rules of thumb.
    """
    seats = rules[SEATS]
    hidden = hands[seats]
    while state[TRICK] < until:
        seat = state[LEADER] + state[COUNT]
        if seat >= seats:
            seat -= seats
        hand = hands[seat]
        known = open_hand(state, hands, seat)
        if seat == state[DECLARER]:
            known |= hidden
        at_random = noise >= 256 or (noise > 0 and draw_below(stream, 256) < noise)
        naming = -1
        called = 0
        if state[COUNT] == 0:
            if at_random:
                card, naming, called = random_lead(
                    rules, state[TRICK], seat == state[DECLARER], hand, state[GONE], stream
                )
            else:
                card, naming = choose_lead(rules, state, seat, hand, known)
        elif at_random:
            card = random_card(legal_now(rules, state, hand), stream)
        else:
            card = choose_follow(rules, above, state, seat, hand, known)
        hands[seat] = hand & ~(1 << card)
        winner = play_card(rules, state, seat, card, naming, called)
        if winner >= 0:
            points[winner] += kernel.trick_points(rules, state[ON_TABLE])


@njit
def holder_of(hands: Vector, seats: int, card: int) -> int:
    """Return the seat that holds a card; -1: none does."""
    if card >= 0:
        for seat in range(seats):
            if hands[seat] >> card & 1:
                return seat
    return NOBODY


@njit
def score_world(
    scores: Vector, rules: Vector, state: Vector, points: Vector, put_back: int, holder: int, second_holder: int
) -> int:
    """Write every place's score of a world that was played out; return what the declarer's side captured.

    `put_back` are all cards put back, `holder` and `second_holder` as in `write_scores`.
    """
    seats = rules[SEATS]
    declarer = state[DECLARER]
    add_buried(points, rules, declarer, state[LEADER], put_back)
    captured = captured_points(points, seats, declarer, holder, second_holder)
    lost = lost_points(points, seats, captured)
    write_scores(scores, rules, declarer, holder, second_holder, state[CONTRACT], captured, lost)
    return captured
