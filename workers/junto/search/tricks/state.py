"""The play of a deal inside a world, as the search's kernels hold it.

A world is fully known to the kernels: `hands[place]` are sets of cards, `hands[seats]` is what lies hidden
(the cards put back that were not shown). The *state* is an int64 vector of what everybody can see, read by
the names below. A policy may look at the state and at its own seat's hand alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks import kernel
from junto.games.tricks.kernel import POWERS, SAME_TWO, SEATS, SECRETARIES, TRICKS, YOROMEKI

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

(
    DECLARER, DUMMY, CONTRACT, TRICK, LEADER, COUNT, LED, CALLED, ON_TABLE, PACKED, BEST_SEAT, BEST_POWER, GONE,
    REVEALED, STATE,
) = range(15)  # fmt: skip
"""Places of the state vector.

The DECLARER's place; the place of DUMMY, whose hand is open (-1: there is none); CONTRACT; TRICK number from 0;
LEADER of the trick; COUNT of its cards; LED suit and CALLED cards once it was led; cards ON_TABLE, and PACKED in
the order of play; the place whose card is BEST so far and its power; all cards GONE: played, or put back and
shown; places REVEALED to be on the declarer's side, himself included.
"""
STRENGTHS: Final = kernel.HIGHEST_POWER + 1
"""Powers are below this."""
ABOVE: Final = 2 * 4 * STRENGTHS
"""Length of the table of stronger cards."""


@njit
def write_above(above: Vector, rules: Vector) -> None:
    """Write, for jokers strong and smothered, each led suit and each power, the set of cards that beat it."""
    for place in range(ABOVE):
        above[place] = 0
    for row in range(8):
        for card in range(54):
            value = rules[POWERS + row * 54 + card]
            if value > 0:
                above[row * STRENGTHS + value - 1] |= 1 << card
        for value in range(STRENGTHS - 2, -1, -1):
            above[row * STRENGTHS + value] |= above[row * STRENGTHS + value + 1]


@njit
def copy_into(target: Vector, source: Vector) -> None:
    """Copy a vector over one that is as long, or longer."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@inlined
def row_of(rules: Vector, trick: int, led: int) -> int:
    """Return the row of the tables by power for a trick in which `led` is followed."""
    return int(led if kernel.jokers_strong(rules, trick) else led + 4)


@njit
def begin_play(state: Vector, declarer: int, partner: int, dummy: int, contract: int, leader: int, shown: int) -> None:
    """Write the state before the first lead.

    `partner` is known to be on the declarer's side, `dummy` open (-1: nobody); `shown` are the cards put back for
    all to see.
    """
    for place in range(STATE):
        state[place] = 0
    state[DECLARER] = declarer
    state[DUMMY] = dummy
    state[CONTRACT] = contract
    state[LEADER] = leader
    state[GONE] = shown
    state[REVEALED] = 1 << declarer
    if partner >= 0:
        state[REVEALED] |= 1 << partner


@njit
def play_card(rules: Vector, state: Vector, seat: int, card: int, naming: int, called: int) -> int:
    """Lay a card down; return -1, or who won the trick if that ended it.

    `naming` and `called` count for a lead. The winner leads next; ON_TABLE still holds the trick's cards.
    """
    leads = state[COUNT] == 0
    if leads:
        state[LED] = kernel.led_suit(rules, card, naming)
        state[CALLED] = called | kernel.forced_calls(rules, card)
        state[ON_TABLE] = 0
        state[PACKED] = 0
        state[BEST_POWER] = -1
    value = kernel.power(rules, state[TRICK], state[LED], card, leads)
    if value > state[BEST_POWER]:
        state[BEST_POWER] = value
        state[BEST_SEAT] = seat
    state[ON_TABLE] |= 1 << card
    state[PACKED] = kernel.packed(state[PACKED], state[COUNT], card)
    state[GONE] |= 1 << card
    if rules[SECRETARIES] >> card & 1:
        state[REVEALED] |= 1 << seat
    state[COUNT] += 1
    if state[COUNT] < rules[SEATS]:
        return -1
    if rules[SAME_TWO] or rules[YOROMEKI]:
        _note_company(rules, state)
    state[COUNT] = 0
    state[TRICK] += 1
    state[LEADER] = state[BEST_SEAT]
    return int(state[BEST_SEAT])


@njit
def _note_company(rules: Vector, state: Vector) -> None:
    """Let a card win a complete trick that wins by the company it is in."""
    lead = state[PACKED] & 63
    card = kernel.card_by_company(rules, state[TRICK], state[LED], lead, state[ON_TABLE], state[BEST_POWER])
    for place in range(rules[SEATS] if card >= 0 else 0):
        if (state[PACKED] >> (6 * place)) & 63 == card:
            state[BEST_SEAT] = (state[LEADER] + place) % rules[SEATS]


@inlined
def open_hand(state: Vector, hands: Vector, seat: int) -> int:
    """Return the cards in others' hands that a place knows once dummy lies open: declarer's and dummy's know theirs."""
    if state[DUMMY] < 0 or (state[TRICK] == 0 and state[COUNT] == 0):
        return 0
    return int(hands[state[DECLARER] if seat == state[DUMMY] else state[DUMMY]])


@njit
def replay(rules: Vector, state: Vector, points: Vector, plays: Matrix) -> None:
    """Play cards again from the begun state on: rows of (seat, card, led suit, cards called)."""
    for play in range(plays.shape[0]):
        winner = play_card(rules, state, plays[play, 0], plays[play, 1], plays[play, 2], plays[play, 3])
        if winner >= 0:
            points[winner] += kernel.trick_points(rules, state[ON_TABLE])


@njit
def legal_now(rules: Vector, state: Vector, hand: int) -> int:
    """Return the cards that the seat to play may play."""
    led = state[LED] if state[COUNT] > 0 else kernel.LEADING
    return kernel.legal_cards(rules, hand, led, state[CALLED])


def warm_up() -> None:
    """Compile what Python calls."""
    rules = np.zeros(kernel.RULES, np.int64)
    rules[SEATS], rules[TRICKS] = 5, 10
    state, above = np.zeros(STATE, np.int64), np.zeros(ABOVE, np.int64)
    begin_play(state, 0, -1, -1, 12, 1, 0)
    write_above(above, rules)
    row_of(rules, 0, 0)
    legal_now(rules, state, 1)
    replay(rules, state, np.zeros(5, np.int64), np.array([[1, 0, 0, 0]]))
