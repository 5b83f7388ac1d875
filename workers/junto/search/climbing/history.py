"""What others have done so far, in calls and in the play, as the kernels that weigh worlds by it read it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from junto.games.actions import ApplyForLead, Bid, Pass, PlayCards
from junto.games.climbing.kernel import RANKS, with_named
from junto.games.climbing.ranks import counts_of
from junto.games.climbing.scoring import DECLARER, PARTNER
from junto.games.core import View
from junto.games.jit import njit
from junto.games.view import Alliance, BaohuangDetails, SeatAction
from junto.search.climbing.before_play import BIDS_FROM
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.position import Position, position_of
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
    act,
    begin,
)
from junto.search.climbing.worlds import COPIES_AT

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

CALLER, LEAST, MOST, SINCE_CALL = range(4)
"""Columns of a call: the seat; from what worth on, and up to what, its hand makes it; the cards that the hand had more
then, by rank (less than none: that came to it since)."""
LATEST: Final = 64
"""So many decisions of the others are looked at, the latest."""
_NO_LIMIT: Final = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """What others have done, as far as it tells of cards that are hidden.

    `calls` are of an auction. Of the latest decisions in the play, seat by seat and for each in order: the state that
    it was made in, what was `done`, and `since`, by rank what the seat has played from then on, then its copies of the
    named card. Those of seat s are from `starts[s]` on; `when` is the number of each in the deal.
    """

    calls: Matrix
    states: Matrix
    done: Vector
    since: Matrix
    starts: Vector
    when: Vector

    def latest(self, number: int) -> Self:
        """Return the same with so many of the decisions in the play, at least one: the latest."""
        if number >= self.done.size:
            return self
        kept = self.when >= np.sort(self.when)[-number]
        return replace(
            self,
            states=self.states[kept],
            done=self.done[kept],
            since=self.since[kept],
            starts=np.concatenate(([0], np.cumsum(kept)))[self.starts],
            when=self.when[kept],
        )


def history_of(view: View, known: Knowledge, latest: int = LATEST) -> History:
    """Return what the others have done, their calls and so many decisions in the play."""
    seats, climbing = view.game.seats, view.shared.climbing
    rounds = () if climbing is None else climbing.rounds
    actions = [action for one in rounds for action in one.actions]
    rows = np.array([_row(action, known) for action in actions], np.int64).reshape(-1, COPIES_AT + 1)
    played, since = np.zeros((seats, COPIES_AT + 1), np.int64), np.zeros_like(rows)
    for place in range(len(actions) - 1, -1, -1):
        played[actions[place].seat] += rows[place]
        since[place] = played[actions[place].seat]
    calls = _bids(view, known, played[:, :RANKS])
    if not actions:
        nothing, starts = np.zeros(0, np.int64), np.zeros(seats + 1, np.int64)
        return History(calls, np.zeros((0, STATE), np.int64), nothing, since, starts, nothing)
    done = np.array([_number(action, int(row[-1])) for action, row in zip(actions, rows, strict=True)], np.int64)
    states = _states(view, position_of(view, known), played, done, rounds[0].leader)
    telling = [place for place, action in enumerate(actions) if _hides(known, action.seat)]
    telling = telling[max(0, len(telling) - latest) :]
    telling.sort(key=lambda place: actions[place].seat)
    starts = np.searchsorted([actions[place].seat for place in telling], np.arange(seats + 1))
    return History(calls, states[telling], done[telling], since[telling], starts, np.array(telling, np.int64))


def _hides(known: Knowledge, seat: int) -> bool:
    """Tell whether what a seat has done tells of cards that are hidden."""
    return seat != known.seat and known.sizes[seat] > 0


def _row(action: SeatAction, known: Knowledge) -> Vector:
    row = np.zeros(COPIES_AT + 1, np.int64)
    if isinstance(action.action, PlayCards):
        row[:RANKS] = counts_of(action.action.cards)
        row[COPIES_AT] = 0 if known.named is None else action.action.cards.count(known.named)
    return row


def _number(action: SeatAction, copies: int) -> int:
    """Return an action as the kernels have it."""
    if action.combination is None:
        return APPLY if isinstance(action.action, ApplyForLead) else PASS
    return int(with_named(action.combination.play, copies))


def _states(view: View, position: Position, played: Matrix, done: Vector, leader: int) -> Matrix:
    """Return the state before each action."""
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
        state[COPIES : COPIES + seats] = played[:, COPIES_AT] + (details.alliance is not Alliance.HIDDEN_SOLO)
    states = np.zeros((done.size, STATE), np.int64)
    _replay(terms, state, hands, done, states)
    return states


@njit
def _replay(terms: Vector, state: Vector, hands: Matrix, done: Vector, states: Matrix) -> None:
    """Write the state before each action."""
    for place in range(done.shape[0]):
        for number in range(STATE):
            states[place, number] = state[number]
        act(terms, state, hands, done[place])


def _bids(view: View, known: Knowledge, played: Matrix) -> Matrix:
    """Return what each seat's last call in an auction says, the landlord's of his hand before he took the kitty."""
    shared = view.shared
    limits = [-_NO_LIMIT, *BIDS_FROM.tolist(), _NO_LIMIT]
    landlord = None if shared.contract is None else shared.contract.declarer
    highest, said = 0, {}
    for call in shared.calls:
        match call.action:
            case Bid(amount):
                highest = amount
                said[call.seat] = limits[amount], limits[amount + 1]
            case Pass():
                said[call.seat] = -_NO_LIMIT, limits[highest + 1]
    rows = []
    for seat, (least, most) in said.items():
        if _hides(known, seat):
            more = played[seat] - (counts_of(shared.kitty) if seat == landlord else 0)
            rows.append([seat, least, most, *more.tolist()])
    return np.array(rows, np.int64).reshape(-1, SINCE_CALL + RANKS)
