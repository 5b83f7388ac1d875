"""The best of the plays proposed, or a pass: by how likely it holds, who leads otherwise, and who is near the end.

A friend's play is left alone, a foe's is beaten the sooner the fewer cards he has. Nothing is led that a foe could go
out on; low cards that a friend could go out on are. When all groups but one hold, they are played out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import next_leader
from junto.games.climbing.kernel import NO_PLAY, RANKS, SEATS, size_of
from junto.games.climbing.moves import fewest_named
from junto.games.climbing.scoring import PARTNER
from junto.games.jit import inlined, njit
from junto.search.climbing.groups import GAINS, PLAYS, REST, TURNS, VALUES
from junto.search.climbing.habits import (
    CERTAIN,
    CLOSING,
    DANGER,
    DANGER_NEAR,
    FOE,
    FOE_LAST,
    FOE_NEAR,
    FRIEND,
    FRIEND_BLOCKS,
    FRIEND_HOLDS,
    FRIEND_NEAR,
    HELP,
    LEAD,
    LEAD_LAST,
    LEAD_TWO,
    MYSELF,
    PROBABLE,
    REVEAL,
)
from junto.search.climbing.holding import chance_to_hold
from junto.search.climbing.sides import NEAR
from junto.search.climbing.state import (
    ALL_KNOW,
    APPLICANT,
    COPIES,
    HOLDING,
    LEFT,
    NAMED_RANK,
    OWNER,
    PASS,
    SIZES,
    STAKES_AT,
    TOP,
    TURN,
)

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_SURE: Final = 940
"""Of `CERTAIN`: a play that holds so likely is reckoned to hold."""


@njit
def pick(
    terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, number: int, rivals: int, foes: int,
    near: int,
) -> int:  # fmt: skip
    """Return the best of the proposed plays, or `PASS` where that is better; write what each is worth to the desk."""
    if number == 0:
        return PASS
    plays, gains, turns, values = desk[PLAYS], desk[GAINS], desk[TURNS], desk[VALUES]
    unseen, others = desk[REST], 0
    for rank in range(RANKS):
        unseen[rank] = state[LEFT + rank] - hand[rank]
        others += unseen[rank]
    seat, seats, leads = state[TURN], terms[SEATS], state[TOP] == NO_PLAY
    push = 0
    if not leads:
        heir, holds = next_leader(terms, state[HOLDING], state[OWNER], state[APPLICANT]), 0
        if not (rivals | 1 << seat) >> heir & 1:
            holds = chance_to_hold(terms, habits, state, unseen, others, rivals, state[TOP])
        push = _push(habits, state, seats, heir, holds, rivals, foes)
    guarding = not state[ALL_KNOW] and state[STAKES_AT + PARTNER] == seat
    best, chosen, closer, closing_play, losers = 0, PASS, 0, PASS, 0
    for place in range(number):
        play = plays[place]
        lead = habits[LEAD_LAST if turns[place] <= 1 else LEAD_TWO if turns[place] == 2 else LEAD]
        values[place] = gains[place] + push + lead + (habits[CLOSING] if turns[place] <= 1 else 0)
        if not leads and values[place] <= best:
            continue  # it cannot be the best, however sure it holds
        holds = chance_to_hold(terms, habits, state, unseen, others, rivals, play)
        lost = _danger(habits, state, seats, foes, near, play)
        value = gains[place] + push + ((lead * holds - lost * (CERTAIN - holds)) >> 10)
        if guarding and fewest_named(hand, play, state[NAMED_RANK], state[COPIES + seat]) > 0:
            value += habits[REVEAL]
        if holds < _SURE:
            losers += 1
        else:
            if turns[place] <= 1 and not leads:
                value += habits[CLOSING]
            if closing_play == PASS or value > closer:
                closer, closing_play = value, play
        if leads and state[HOLDING] != foes | 1 << seat:
            value += _help(terms, habits, state, seat, foes, holds, play)
        values[place] = value
        if value > best or (leads and chosen == PASS):
            best, chosen = value, play
    if leads and losers <= number - turns[0] and closing_play != PASS:
        return closing_play
    return chosen


@inlined
def _push(habits: Vector, state: Vector, seats: int, heir: int, holds: int, rivals: int, foes: int) -> int:
    """Return what speaks for beating the top whatever the play: who leads if it stays, as it does so likely."""
    seat, cards = state[TURN], state[SIZES + heir]
    if heir == seat:
        return int(habits[MYSELF])
    if foes >> heir & 1:
        return int(habits[FOE] + (habits[FOE_LAST] if cards <= 2 else habits[FOE_NEAR] if cards <= NEAR + 1 else 0))
    if rivals >> heir & 1:
        return int(habits[PROBABLE])
    following = seat + 1 if seat + 1 < seats else 0
    push = habits[FRIEND] + (habits[FRIEND_HOLDS] * holds >> 10)
    push += habits[FRIEND_NEAR] if cards <= NEAR else 0
    return int(push + (habits[FRIEND_BLOCKS] if foes >> following & 1 else 0))


@inlined
def _danger(habits: Vector, state: Vector, seats: int, foes: int, near: int, play: int) -> int:
    """Return what it costs when a play is beaten: foes who may go out on it, or are close to the end."""
    lost = habits[DANGER_NEAR] if near else 0
    for other in range(seats):
        if foes >> other & 1 and state[SIZES + other] == size_of(play):
            lost = habits[DANGER]
    return int(lost)


@inlined
def _help(terms: Vector, habits: Vector, state: Vector, seat: int, foes: int, holds: int, play: int) -> int:
    """Return what speaks for a lead because the next seat with cards is a friend who may go out on it."""
    following = seat + 1 if seat + 1 < terms[SEATS] else 0
    while not state[HOLDING] >> following & 1:
        following = following + 1 if following + 1 < terms[SEATS] else 0
    out = state[SIZES + following] == size_of(play) and not foes >> following & 1
    return int(habits[HELP] * (CERTAIN - holds) >> 10) if out else 0
