"""A decision in the play of a climbing game, as the search's kernels read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action, ApplyForLead, Pass, PlayCards
from junto.games.baohuang.standing import stakes_of as court_stakes
from junto.games.cards import Card
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingGame, round_of
from junto.games.climbing.kernel import NO_PLAY, RANKS
from junto.games.climbing.pick import cards_of
from junto.games.climbing.ranks import counts_of, rank_of_card
from junto.games.climbing.scoring import DECLARER, PARTNER, STAKES
from junto.games.core import View
from junto.games.dou_dizhu import stakes_of as landlord_stakes
from junto.games.view import Alliance, BaohuangDetails, ClimbingPlay, Role, Shared
from junto.search.climbing.habits import habits_of
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.state import (
    ALL_KNOW,
    APPLICANT,
    APPLY,
    COPIES,
    HOLDING,
    LEFT,
    NAMED_RANK,
    OUT,
    OWNER,
    PASS,
    PLACES,
    SIZES,
    STAKES_AT,
    STATE,
    TOP,
    TURN,
)

Vector = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What the seat to act knows: terms and habits, the state, its hand by rank and by card, and the named card.

    In the state others have no copies of the named card, and a guard whom the seat does not know is nobody.
    """

    terms: Vector
    habits: Vector
    state: Vector
    hand: Vector
    cards: tuple[Card, ...]
    named: Card | None

    def action_of(self, action: int) -> Action:
        """Return an action of the kernels as the game has it."""
        match action:
            case int(_) if action == PASS:
                return Pass()
            case int(_) if action == APPLY:
                return ApplyForLead()
        return PlayCards(cards_of(action, self.cards, self.named))


def position_of(view: View, known: Knowledge) -> Position:
    """Return the position of a view in the phase of play."""
    game, shared, climbing = view.game, view.shared, view.shared.climbing
    assert isinstance(game, ClimbingGame)
    assert climbing is not None
    state = state_before_lead(view, known)
    state[STAKES_AT : STAKES_AT + STAKES] = _stakes(view, climbing)
    top, applicant = round_of(shared).top, climbing.applicant
    if top is not None:
        assert top.combination is not None
        state[TOP], state[OWNER] = top.combination.play, top.seat
    state[APPLICANT] = NOBODY if applicant is None else applicant
    state[OUT] = len(climbing.finished)
    for place, seat in enumerate(climbing.finished, 1):
        state[PLACES + seat] = place
    state[ALL_KNOW] = not isinstance(shared.details, BaohuangDetails) or shared.details.alliance is not None
    hand = counts_of(view.own.hand)
    return Position(game.terms.vector, habits_of(game.terms), state, hand, view.own.hand, known.named)


def state_before_lead(view: View, known: Knowledge) -> Vector:
    """Return the state in which the seat to act leads; stakes, places and who knows what are to be written."""
    state = np.zeros(STATE, np.int64)
    state[TOP], state[OWNER], state[TURN], state[APPLICANT] = NO_PLAY, view.seat, view.seat, NOBODY
    for other in view.shared.hands:
        state[SIZES + other.seat] = other.size
        state[HOLDING] |= (other.size > 0) << other.seat
    state[LEFT : LEFT + RANKS] = counts_of(known.hidden) + known.counts.sum(axis=0)
    state[NAMED_RANK] = NOBODY
    if known.named is not None:
        state[NAMED_RANK] = rank_of_card(known.named)
        state[COPIES + view.seat] = view.own.hand.count(known.named)
    return state


def seat_of(shared: Shared, role: Role) -> int | None:
    """Return the seat that everybody knows to have a role, the first of several."""
    return next((known.seat for known in shared.roles if known.role is role), None)


def _stakes(view: View, climbing: ClimbingPlay) -> Vector:
    """Return what the score hangs on besides places, as far as the seat knows it."""
    shared = view.shared
    if shared.contract is not None:
        return landlord_stakes(climbing, shared.contract)
    emperor = seat_of(shared, Role.DECLARER)
    if emperor is not None:
        guard = view.seat if view.own.role is Role.PARTNER else seat_of(shared, Role.PARTNER)
        assert isinstance(shared.details, BaohuangDetails)
        return court_stakes(emperor, guard, shared.details.alliance or Alliance.PARTNER)
    stakes = np.zeros(STAKES, np.int64)
    stakes[DECLARER] = stakes[PARTNER] = NOBODY
    return stakes
