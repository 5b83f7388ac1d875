"""Random playouts of climbing games, as fast as they go: every legal action of a turn is as likely as any other.

The plays are not written but counted, and the one drawn is put together (`junto.games.climbing.drawing`). The course
and the scores are those of `junto.games.climbing`; of the state only what these need is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY, is_over, may_apply, next_answer, next_leader
from junto.games.climbing.drawing import draw_action
from junto.games.climbing.drawing_sets import cards_of_set, draw_set, pack_set_hand
from junto.games.climbing.kernel import BOMB, JOKER_BOMB, NO_PLAY, SEATS, SETS, Vector, kind_of, named_of
from junto.games.climbing.packed import cards_of, pack
from junto.games.climbing.scoring import BOMBS, DECLARER, DECLARER_PLAYS, OTHER_PLAYS
from junto.games.jit import njit
from junto.search.climbing.state import (
    APPLICANT,
    APPLY,
    COPIES,
    HOLDING,
    MOST_SEATS,
    NAMED_RANK,
    OWNER,
    PASS,
    STAKES_AT,
    STATE,
    TOP,
    TURN,
    leave,
    score,
)
from junto.search.streams import advance, start_stream

Matrix = npt.NDArray[np.int64]
Table = npt.NDArray[np.int64]
"""Three axes: deals, seats, ranks."""

MOST_ACTIONS: Final = 4096
"""Room for the actions of a deal: more than there can be, of which each round takes a card or more from a hand."""


@njit
def play_deals_at_random(
    terms: Vector, begun: Matrix, dealt: Table, state: Vector, hands: Vector, record: Vector, stream: Vector,
    scores: Matrix,
) -> int:  # fmt: skip
    """Play deals from the states they have begun in, and write every seat's points; return how many actions it took.

    `state`, `hands` and `record` tell of the last one, see `play_at_random`.
    """
    actions = 0
    for deal in range(begun.shape[0]):
        for place in range(STATE):
            state[place] = begun[deal, place]
        for seat in range(terms[SEATS]):
            if terms[SETS]:
                hands[2 * seat], hands[2 * seat + 1] = pack_set_hand(dealt[deal, seat])
            else:
                hands[2 * seat] = pack(dealt[deal, seat])
        actions += play_at_random(terms, state, hands, record, stream)
        score(terms, state, scores[deal])
    return actions


@njit
def play_at_random(terms: Vector, state: Vector, hands: Vector, record: Vector, stream: Vector) -> int:
    """Play a deal to its end, all at random; write the actions to `record` and return how many they are.

    `hands` has two numbers a seat: its packed hand, the second only in a game of sets. Of `state` what the score
    hangs on is kept, and whose turn it is: nobody's, in the end.
    """
    seats, sets, named, declarer = terms[SEATS], terms[SETS], state[NAMED_RANK], state[STAKES_AT + DECLARER]
    holding, owner, seat = state[HOLDING], state[OWNER], state[TURN]
    top, applicant, actions = state[TOP], state[APPLICANT], 0
    first, second = int(stream[0]), int(stream[1])
    while seat != NOBODY:
        hand, more = hands[2 * seat], 0
        others = 0 if top == NO_PLAY else 2 if may_apply(terms, holding, owner, applicant) else 1
        word, first, second = advance(first, second)
        if sets:
            more = hands[2 * seat + 1]
            action = draw_set(terms, hand, more, named, state[COPIES + seat], top, others, word)
        else:
            action = draw_action(terms, hand, top, others, word)
        record[actions] = action
        actions += 1
        if action > PASS:
            if sets:
                low, high = cards_of_set(action)
                hand -= low
                more -= high
                hands[2 * seat + 1] = more
                state[COPIES + seat] -= named_of(action)
            else:
                hand -= cards_of(action)
                state[STAKES_AT + BOMBS] += kind_of(action) == BOMB or kind_of(action) == JOKER_BOMB
            hands[2 * seat] = hand
            state[STAKES_AT + (DECLARER_PLAYS if seat == declarer else OTHER_PLAYS)] += 1
            top, owner, applicant = action, seat, NOBODY
            if hand | more == 0:
                holding ^= 1 << seat
                leave(seats, state, holding, seat)
                if is_over(terms, holding):
                    break
        elif action == APPLY:
            applicant = seat
        seat = next_answer(seats, holding, seat, owner)
        if seat == NOBODY:
            seat = next_leader(terms, holding, owner, applicant)
            top, applicant = NO_PLAY, NOBODY
    state[TURN] = NOBODY
    stream[0] = first
    stream[1] = second
    return actions


@dataclass(frozen=True, slots=True, eq=False)
class RandomClimbing:
    """Random playouts of deals of one game, to measure and to test: the scores by deal, the record of the last one."""

    terms: Vector
    record: Vector
    scores: Matrix
    _work: tuple[Vector, Vector, Vector]

    @classmethod
    def under(cls, terms: Vector, deals: int) -> RandomClimbing:
        """Return a place to play so many deals under these terms."""
        work = np.zeros(STATE, np.int64), np.zeros(2 * MOST_SEATS, np.int64), np.zeros(2, np.int64)
        return cls(terms, np.zeros(MOST_ACTIONS, np.int64), np.zeros((deals, MOST_SEATS), np.int64), work)

    def play(self, seed: int, begun: Matrix, dealt: Table) -> int:
        """Play deals from the states they have begun in; return how many actions it took."""
        state, hands, stream = self._work
        start_stream(stream, seed, 0, 0)
        scores = self.scores[: len(begun)]
        return play_deals_at_random(self.terms, begun, dealt, state, hands, self.record, stream, scores)
