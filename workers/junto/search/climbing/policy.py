"""Rules of thumb for the play of every climbing game: the `greedy` strategy, and the seats inside a playout.

One implementation for both. A seat uses only what it may know: its own hand, sizes, what was played, and a role only
if it knows it (`sides`). Plays are proposed by what they do to the hand (`proposals`): low cards and whole groups go
first, strong ones are kept. Of these the best is chosen (`choice`). The weights are `junto.search.climbing.habits`.

Known to help (`bench/fit_climbing.py --rules`: points a deal that a seat loses without the rule, 1,000 deals):

- Dou Dizhu: keep bombs 0.90; beat your partner's play when the landlord is next to act 0.17; beat a foe who is near the
  end 0.14; go out when sure 0.03. To leave a partner the lead, 0.07, is within the error.
- Shuangkou: keep bombs 0.24, twos and jokers 0.13; beat a foe who is near the end 0.09; want the lead the more the
  nearer the end 0.03.
- Baohuang: keep twos and jokers 0.22; hide the named card 0.21; leave a friend the lead 0.07; go out when sure 0.05;
  beat a foe who is near the end 0.04; lead nothing that a foe could go out on 0.02. A rebel who leaves the lead to all
  who may be friends loses 0.7 by it: he does so only where it costs much to beat them.

Without effect: to lead what a friend could go out on, and to beat a friend's play the less the surer it holds.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY, next_leader
from junto.games.climbing.kernel import LARGEST_BOMB, NO_PLAY, SETS, beats, classify, size_of, with_named
from junto.games.climbing.moves import fewest_named
from junto.games.jit import njit
from junto.search.climbing.choice import pick
from junto.search.climbing.groups import lay_out, take_group
from junto.search.climbing.proposals import propose, weigh, weigh_sets
from junto.search.climbing.sides import FRIEND_OF, relation, sides_of
from junto.search.climbing.state import (
    APPLY,
    COPIES,
    HOLDING,
    NAMED_RANK,
    OWNER,
    PASS,
    SIZES,
    TOP,
    TURN,
    may_ask,
)

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]


@njit
def choose(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix) -> int:
    """Return the action of the seat to act, whose hand it is: a play, `PASS` or `APPLY`."""
    seat, top = state[TURN], state[TOP]
    if top == NO_PLAY or state[SIZES + seat] <= max(size_of(top), terms[LARGEST_BOMB]):
        whole = classify(terms, hand)
        if whole != NO_PLAY and (top == NO_PLAY or beats(terms, top, whole)):
            return with_named(whole, state[COPIES + seat])
    rivals, foes, near = sides_of(terms, state, seat)
    number = propose(terms, habits, state, hand, desk, foes)
    play = pick(terms, habits, state, hand, desk, number, rivals, foes, near)
    if play != PASS:
        if not terms[SETS]:
            take_group(terms, habits, play, desk, seat)
        elif state[COPIES + seat] > 0:
            play = with_named(play, fewest_named(hand, play, state[NAMED_RANK], state[COPIES + seat]))
        return play
    return APPLY if may_ask(terms, state) and _wants_lead(terms, state, seat) else PASS


def rate(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, number: int) -> None:
    """Write what each of so many plays on the desk is worth in all to the seat to act, whose hand it is."""
    seat = int(state[TURN])
    if terms[SETS]:
        weigh_sets(habits, hand, desk, number)
    else:
        _, _, worth = lay_out(terms, habits, hand, int(state[SIZES + seat]), desk, seat)
        weigh(terms, habits, hand, worth, desk, number)
    rivals, foes, near = sides_of(terms, state, seat)
    pick(terms, habits, state, hand, desk, number, rivals, foes, near)


@njit
def _wants_lead(terms: Vector, state: Vector, seat: int) -> bool:
    """Tell whether to ask for the lead: not when it comes to a friend who is as near to the end."""
    heir = next_leader(terms, state[HOLDING], state[OWNER], NOBODY)
    friend = heir != seat and relation(terms, state, seat, heir) == FRIEND_OF
    return not (friend and state[SIZES + heir] <= state[SIZES + seat])
