"""What others have done in the play so far, and how well a world explains it by the rules of thumb.

A world in which a seat would have done something else than it did is less likely than one in which it would have done
just that: its weight is multiplied by `SURPRISE`. Worlds are drawn a few at a time, and of these one by its weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import ApplyForLead, PlayCards
from junto.games.climbing.course import NOBODY
from junto.games.climbing.kernel import RANKS, key_of, kind_of, length_of, size_of, with_named
from junto.games.climbing.ranks import counts_of
from junto.games.climbing.scoring import DECLARER, PARTNER
from junto.games.core import View
from junto.games.jit import inlined, njit
from junto.games.view import Alliance, BaohuangDetails, SeatAction
from junto.search.climbing.groups import clear
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.policy import choose
from junto.search.climbing.position import Position
from junto.search.climbing.state import (
    ALL_KNOW,
    APPLY,
    COPIES,
    HOLDING,
    LEFT,
    NAMED_RANK,
    PASS,
    SIZES,
    STAKES_AT,
    STATE,
    TURN,
    act,
    begin,
)

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

SURPRISE: Final = 0.25
_LATEST: Final = 24
"""So many decisions of the others are looked at, the latest."""
COPIES_SINCE: Final = RANKS
"""Place in a row of what was played since, behind the ranks: copies of the named card."""


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Decisions of others, the latest last: the state that each was made in, what was `done`, and what it took.

    `since` has by rank what the seat has played from then on, then its copies of the named card.
    """

    states: Matrix
    done: Vector
    since: Matrix


def history_of(view: View, known: Knowledge, position: Position) -> History:
    """Return what the others have done in the play, in order."""
    assert view.shared.climbing is not None
    rounds = view.shared.climbing.rounds
    actions = [action for one in rounds for action in one.actions]
    seats = view.game.seats
    rows = np.array([_row(action, known) for action in actions], np.int64).reshape(-1, COPIES_SINCE + 1)
    played = np.zeros((seats, COPIES_SINCE + 1), np.int64)
    since = np.zeros_like(rows)
    for place in range(len(actions) - 1, -1, -1):
        played[actions[place].seat] += rows[place]
        since[place] = played[actions[place].seat]
    done = np.array([_number(action, int(row[-1])) for action, row in zip(actions, rows, strict=True)], np.int64)
    states = _states(view, position, played, done, rounds[0].leader if rounds else view.seat)
    others = [place for place, action in enumerate(actions) if action.seat != view.seat][-_LATEST:]
    return History(states[others], done[others], since[others])


def no_history() -> History:
    """Return the history of a play that has not begun."""
    return History(np.zeros((0, STATE), np.int64), np.zeros(0, np.int64), np.zeros((0, COPIES_SINCE + 1), np.int64))


def _row(action: SeatAction, known: Knowledge) -> Vector:
    row = np.zeros(COPIES_SINCE + 1, np.int64)
    if isinstance(action.action, PlayCards):
        row[:RANKS] = counts_of(action.action.cards)
        row[COPIES_SINCE] = 0 if known.named is None else action.action.cards.count(known.named)
    return row


def _number(action: SeatAction, copies: int) -> int:
    """Return an action as the kernels have it."""
    if action.combination is None:
        return APPLY if isinstance(action.action, ApplyForLead) else PASS
    return int(with_named(action.combination.play, copies))


def _states(view: View, position: Position, played: Matrix, done: Vector, leader: int) -> Matrix:
    """Return the state before each action, and after the last."""
    terms, now, seats = position.terms, position.state, view.game.seats
    hands = np.zeros((seats, RANKS), np.int64)
    state = np.zeros(STATE, np.int64)
    begin(terms, state, hands, leader)
    sizes = played[:, :RANKS].sum(axis=1)
    state[SIZES : SIZES + seats] = now[SIZES : SIZES + seats] + sizes
    state[HOLDING] = (1 << seats) - 1
    state[LEFT:] = now[LEFT:] + played[:, :RANKS].sum(axis=0)
    for place in (DECLARER, PARTNER):
        state[STAKES_AT + place] = now[STAKES_AT + place]
    state[NAMED_RANK] = now[NAMED_RANK]
    details = view.shared.details
    if isinstance(details, BaohuangDetails):
        state[ALL_KNOW] = details.alliance is Alliance.OPEN_SOLO
        state[COPIES : COPIES + seats] = played[:, COPIES_SINCE] + (details.alliance is not Alliance.HIDDEN_SOLO)
    states = np.zeros((done.size + 1, STATE), np.int64)
    states[0] = state
    for place, action in enumerate(done.tolist()):
        act(terms, state, hands, action)
        states[place + 1] = state
    return states


@inlined
def _alike(one: int, other: int) -> bool:
    """Tell whether two actions are the same, kickers and copies of the named card aside."""
    if one <= PASS or other <= PASS:
        return one == other
    same_kind = kind_of(one) == kind_of(other) and size_of(one) == size_of(other)
    return same_kind and key_of(one) == key_of(other) and length_of(one) == length_of(other)


@njit
def weight_of(
    terms: Vector, habits: Vector, states: Matrix, done: Vector, since: Matrix, dealt: Matrix, named: Vector,
    state: Vector, hand: Vector, desk: Matrix,
) -> float:  # fmt: skip
    """Return how well a world explains what was done. `state` and `hand` are written on."""
    weight = 1.0
    clear(desk)
    for place in range(done.shape[0]):
        for number in range(STATE):
            state[number] = states[place, number]
        seat, declarer = state[TURN], state[STAKES_AT + DECLARER]
        for rank in range(RANKS):
            hand[rank] = dealt[seat, rank] + since[place, rank]
        if state[NAMED_RANK] != NOBODY:
            state[COPIES + seat] = named[seat] + since[place, COPIES_SINCE]
            if not state[ALL_KNOW] and seat != declarer and state[COPIES + seat] > 0:
                state[STAKES_AT + PARTNER] = seat
        if not _alike(choose(terms, habits, state, hand, desk), done[place]):
            weight *= SURPRISE
            clear(desk)
    return weight
